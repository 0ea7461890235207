package web

import (
	"errors"
	"strconv"
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
	duration prometheus.Observer
}

func newMetrics(reg *prometheus.Registry, inFlight func() float64) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "edict_http_requests_total", Help: "Requests answered, by route and status.",
		}, []string{"route", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "edict_http_request_duration_seconds", Help: "Time from the first look at a request to the end of its answer, without streams.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route"}),
	}
	gauge := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "edict_http_in_flight", Help: "Requests being answered now. A stream counts until it takes its connection over."}, inFlight)
	m.unknown = endpointMetrics{requests: m.requests.MustCurryWith(prometheus.Labels{"route": "none"}), duration: m.duration.WithLabelValues("none")}
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

func (m *metrics) of(ep *endpoint) endpointMetrics {
	return endpointMetrics{
		requests: m.requests.MustCurryWith(prometheus.Labels{"route": ep.label}),
		duration: m.duration.WithLabelValues(ep.label),
	}
}

func (m *metrics) observe(x *exchange, status int, took time.Duration) {
	own, stream := &m.unknown, false
	if x.endpoint != nil {
		own, stream = &x.endpoint.metrics, x.endpoint.Stream
	}
	own.requests.WithLabelValues(code(status)).Inc()
	if !stream {
		own.duration.Observe(took.Seconds())
	}
}

func code(status int) string {
	switch status {
	case 200:
		return "200"
	case 201:
		return "201"
	}
	return strconv.Itoa(status)
}
