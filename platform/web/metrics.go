package web

import (
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are the server's own figures, by route pattern and never by path, so that their number
// does not grow with use.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	unknown  endpointMetrics
}

// endpointMetrics are the figures of one route, found once.
type endpointMetrics struct {
	requests *prometheus.CounterVec // by code
	last     atomic.Pointer[statusCount]
	duration prometheus.Observer
}

// statusCount is the counter of a route's answers of one status.
type statusCount struct {
	status  int
	counter prometheus.Counter
}

// count counts an answer. Nearly all answers of a route have the same status, whose counter is at hand.
func (m *endpointMetrics) count(status int) {
	c := m.last.Load()
	if c == nil || c.status != status {
		c = &statusCount{status: status, counter: m.requests.WithLabelValues(strconv.Itoa(status))}
		m.last.Store(c)
	}
	c.counter.Inc()
}

func newMetrics(reg *prometheus.Registry, inFlight func() float64) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "edict_http_requests_total", Help: "Answered requests, by route and status.",
		}, []string{"route", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "edict_http_request_duration_seconds", Help: "Time from reading a request to the end of its response, without streams.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route"}),
	}
	gauge := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "edict_http_in_flight", Help: "Requests in progress. A stream counts until it takes over its connection."}, inFlight)
	m.unknown.requests, m.unknown.duration = m.of("none")
	for _, c := range []prometheus.Collector{m.requests, m.duration, gauge} {
		if err := reg.Register(c); err != nil {
			return nil, err
		}
	}
	for _, c := range []prometheus.Collector{collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})} {
		if err := reg.Register(c); err != nil && !isRegistered(err) {
			return nil, err
		}
	}
	return m, nil
}

func isRegistered(err error) bool {
	_, ok := errors.AsType[prometheus.AlreadyRegisteredError](err)
	return ok
}

func (m *metrics) of(route string) (*prometheus.CounterVec, prometheus.Observer) {
	return m.requests.MustCurryWith(prometheus.Labels{"route": route}), m.duration.WithLabelValues(route)
}

func (m *metrics) observe(x *exchange, status int, took time.Duration) {
	own, stream := &m.unknown, false
	if x.endpoint != nil {
		own, stream = &x.endpoint.metrics, x.endpoint.Stream
	}
	own.count(status)
	if !stream {
		own.duration.Observe(took.Seconds())
	}
}
