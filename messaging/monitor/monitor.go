package monitor

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
	"edict/platform/web"
)

const (
	every      = 10 * time.Second
	kept       = int(time.Hour / every) // entries of the history
	minute     = int(time.Minute / every)
	notOftener = time.Second // than a reading is taken for requests
)

// Options configures a Monitor. Operate, Metrics and Disk are required.
type Options struct {
	Operate func(context.Context, messaging.Caller) error // refuses all but operators, whose look it records
	Metrics prometheus.Gatherer
	Disk    func(context.Context) Disk
	Now     func() time.Time // nil: time.Now
	Log     *slog.Logger     // nil: slog.Default
}

// Disk is how the store is on its disk.
type Disk struct {
	Bytes, Reusable int64 // size of the store, and its part that holds no data
	Free, Reserve   int64 // free space of the disk, -1 if unknown, and what is kept free
	Largest         []messaging.LargeChannel
	Problem         error // why nothing can be written, nil when it can
}

// Monitor keeps the figures of a node. Make one with New and keep it running with Run.
type Monitor struct {
	opts    Options
	started time.Time

	mu     sync.Mutex
	recent []reading // of the last minute, oldest first; never empty
	points []point   // of the last hour, oldest first
	now    reading   // the last one taken for a request
}

// New returns a monitor whose counts begin now.
func New(o Options) (*Monitor, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	first, err := read(o.Metrics, o.Now())
	return &Monitor{opts: o, started: first.at, recent: []reading{first}, now: first}, err
}

// Run keeps the history until ctx ends.
func (m *Monitor) Run(ctx context.Context) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			m.sample()
		}
	}
}

// sample takes the next entry of the history.
func (m *Monitor) sample() {
	r, err := read(m.opts.Metrics, m.opts.Now())
	if err != nil {
		m.opts.Log.Warn("the history has a hole: not all metrics could be read", "error", err)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.points = append(m.points, pointOf(m.recent[len(m.recent)-1], r))
	if over := len(m.points) - kept; over > 0 {
		m.points = slices.Delete(m.points, 0, over)
	}
	m.recent = append(m.recent, r)
	if over := len(m.recent) - minute - 1; over > 0 {
		m.recent = slices.Delete(m.recent, 0, over)
	}
}

// overview returns what there is to see.
func (m *Monitor) overview(ctx context.Context) (Overview, error) {
	at, disk := m.opts.Now(), m.opts.Disk(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	if passed := at.Sub(m.now.at); passed >= notOftener || passed < 0 {
		r, err := read(m.opts.Metrics, at)
		if err != nil {
			return Overview{}, err
		}
		m.now = r
	}
	then, now := m.recent[0], m.now
	return Overview{
		At: format(now.at), StartedAt: format(m.started), Streams: streamsOf(now), Rates: ratesOf(then, now), Store: storeOf(then, now, disk),
		Queue: queueOf(now), Push: pushOf(then, now), History: historyOf(m.points, every.Seconds()),
	}, nil
}

func (m *Monitor) serve(w http.ResponseWriter, r *http.Request) error {
	from := web.CallerOf(r)
	caller := messaging.Caller{UserID: messaging.UserID(from.UserID), Admin: from.Admin, Address: web.AddressOf(r), Operation: web.OperationOf(r)}
	if err := m.opts.Operate(r.Context(), caller); err != nil {
		return err
	}
	o, err := m.overview(r.Context())
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, o)
}

// Route returns the row of the table, for the service it belongs to.
func (m *Monitor) Route() web.Route {
	at := time.Date(2026, 11, 15, 9, 30, 0, 0, time.UTC)
	history := historyOf([]point{{at: at.Unix(), values: [12]float64{40, 12.5, 3, 480, 20}}}, every.Seconds())
	return web.Route{
		Method: http.MethodGet, Path: "/message/api/v2/admin/overview", Handle: m.serve,
		Policy: web.Policy{Name: "MayOperate", Access: web.RequiredCaller, Description: "Admins."},
		Doc: web.Doc{
			ID: "overview", Summary: "Read server status",
			Description: "Returns live streams, rates over the last minute, the store, the wake-up queue and push results. The history covers the last hour in steps of ten seconds. " +
				"Figures are of this process since it started. It is in the audit trail, once in ten minutes.",
			Answers: []web.Answer{
				{Status: http.StatusOK, Example: Overview{
					At: format(at), StartedAt: format(at.Add(-time.Hour)),
					Streams: Streams{Open: 40, SSE: 30, WebSocket: 10, Ended: map[string]int{"gone": 7}, Refused: map[string]int{"user": 0}},
					Rates:   Rates{Seconds: 60, Published: 12.5, Sent: 3, Delivered: 480, Requests: 20, Commits: 9},
					Store:   Store{Healthy: true, Bytes: 4 << 20, FreeBytes: new(int64(8 << 30)), LargestChannels: []LargeChannel{{ChannelName: "news", Bytes: 3 << 20}}, WritesPerCommit: 1.7, CommitMillis: 1.4},
					Queue:   Queue{Devices: 2, Services: []QueueService{{Service: "webpush", Devices: 2}}, States: map[string]int{"RECEIVED": 180}},
					Push:    Push{Services: []PushService{{Service: "webpush", Outcomes: map[string]int{"sent": 25}, Millis: 84}}},
					History: history,
				}},
				{Status: http.StatusUnauthorized}, {Status: http.StatusForbidden}, {Status: http.StatusTooManyRequests}, {Status: http.StatusServiceUnavailable},
			},
		},
	}
}
