package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// node is a process with some figures and a clock.
type node struct {
	*prometheus.Registry
	now       time.Time
	items     prometheus.Counter
	streams   *prometheus.GaugeVec
	requests  *prometheus.CounterVec
	committed prometheus.Histogram
	pushes    *prometheus.CounterVec
	queue     *prometheus.GaugeVec
}

func newNode() *node {
	n := &node{
		Registry: prometheus.NewRegistry(), now: time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC),
		items:     prometheus.NewCounter(prometheus.CounterOpts{Name: "edict_items_published_total"}),
		streams:   prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "edict_streams"}, []string{"transport"}),
		requests:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "edict_http_requests_total"}, []string{"route", "code"}),
		committed: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "edict_store_commit_seconds"}),
		pushes:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "edict_pushes_total"}, []string{"service", "outcome"}),
		queue:     prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "edict_wakeup_queue"}, []string{"service"}),
	}
	n.MustRegister(n.items, n.streams, n.requests, n.committed, n.pushes, n.queue)
	return n
}

func (n *node) monitor(t *testing.T) *Monitor {
	t.Helper()
	m, err := New(Options{Metrics: n, Now: func() time.Time { return n.now }, Disk: func(context.Context) Disk { return Disk{Bytes: 7, Problem: errors.New("disk full")} }})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOverview(t *testing.T) {
	n := newNode()
	m := n.monitor(t)
	n.items.Add(600)
	n.streams.WithLabelValues("sse").Set(3)
	n.streams.WithLabelValues("websocket").Set(4)
	n.requests.WithLabelValues("POST /message/api/v2/channels", "201").Add(30)
	n.requests.WithLabelValues("POST /auth/token", "429").Add(20)
	n.requests.WithLabelValues("GET /message/api/v2/events", "503").Add(10)
	n.requests.WithLabelValues("POST /api/1/calculate", "500").Add(1000)
	n.committed.Observe(0.002)
	n.committed.Observe(0.004)
	n.pushes.WithLabelValues("webpush", "sent").Add(5)
	n.pushes.WithLabelValues("fcm", "dead").Add(1)
	n.queue.WithLabelValues("webpush").Set(2)
	n.queue.WithLabelValues("fcm").Set(9)
	n.now = n.now.Add(time.Minute)
	o, err := m.overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if o.Streams.Open != 7 || o.Streams.SSE != 3 || o.Streams.WebSocket != 4 {
		t.Errorf("streams: %+v", o.Streams)
	}
	want := Rates{Seconds: 60, Published: 10, Requests: 1, Throttled: 20. / 60, Failed: 10. / 60, Commits: 2. / 60, Pushes: 0.1}
	if o.Rates != want {
		t.Errorf("rates: %+v, want %+v", o.Rates, want)
	}
	if s := o.Store; s.Healthy || *s.Problem != "disk full" || s.Bytes != 7 || s.CommitMillis != 3 {
		t.Errorf("store: %+v", s)
	}
	if q := o.Queue; q.Devices != 11 || len(q.Services) != 2 || q.Services[0] != (QueueService{Service: "fcm", Devices: 9}) {
		t.Errorf("queue: %+v", q)
	}
	if p := o.Push; len(p.Services) != 2 || p.Services[1].Service != "webpush" || p.Services[1].Outcomes["sent"] != 5 {
		t.Errorf("push: %+v", p)
	}
	if len(o.History.At) != 0 {
		t.Errorf("history: %+v", o.History)
	}
	// A page that asks often gets the reading of this second.
	n.items.Add(600)
	n.now = n.now.Add(time.Second / 2)
	if again, err := m.overview(t.Context()); err != nil || again.Rates != want {
		t.Errorf("half a second later: %+v, %v", again.Rates, err)
	}
}

// TestHistory keeps an hour and no more, in lists of one length.
func TestHistory(t *testing.T) {
	n := newNode()
	m := n.monitor(t)
	for i := range 2 * kept {
		n.items.Add(float64(10 * i))
		n.streams.WithLabelValues("sse").Set(float64(i))
		n.now = n.now.Add(every)
		m.sample()
	}
	o, err := m.overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := o.History
	last := 2*kept - 1
	if len(h.At) != kept || h.At[kept-1] != n.now.Unix() || h.At[0] != n.now.Add(-time.Hour+every).Unix() {
		t.Errorf("%d entries from %d to %d, now is %d", len(h.At), h.At[0], h.At[kept-1], n.now.Unix())
	}
	if h.Published[kept-1] != float64(last) || h.Streams[kept-1] != float64(last) || h.Streams[0] != float64(kept) {
		t.Errorf("the last second: %v published, %v streams; the first: %v", h.Published[kept-1], h.Streams[kept-1], h.Streams[0])
	}
	if o.Rates.Seconds != 60 || len(m.recent) != minute+1 {
		t.Errorf("rates of %v s, %d readings kept", o.Rates.Seconds, len(m.recent))
	}
	lists := reflect.ValueOf(h)
	for i := range lists.NumField() {
		if f := lists.Field(i); f.Kind() == reflect.Slice && f.Len() != kept {
			t.Errorf("%s has %d entries of %d", lists.Type().Field(i).Name, f.Len(), kept)
		}
	}
	if text, err := json.Marshal(o); err != nil || len(text) > 64<<10 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestRunEnds: the owner of the history ends with its context.
func TestRunEnds(t *testing.T) {
	m := newNode().monitor(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Run(ctx); err != nil {
		t.Error(err)
	}
}
