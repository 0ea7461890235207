package delivery

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the figures of the dispatcher.
type metrics struct {
	pushes *prometheus.CounterVec
	times  *prometheus.HistogramVec
	queue  *prometheus.GaugeVec
	lag    *prometheus.GaugeVec
}

func newMetrics() *metrics {
	return &metrics{
		pushes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "edict_pushes_total", Help: "Wake-ups sent to a push service, by outcome."}, []string{"service", "outcome"}),
		times: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "edict_push_seconds", Help: "Response time of a push service.", Buckets: prometheus.ExponentialBuckets(0.01, 2.5, 9),
		}, []string{"service"}),
		queue: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "edict_wakeup_queue", Help: "Devices in the wake-up queue: due, waiting for a retry, being woken, or resting afterwards."}, []string{"service"}),
		lag:   prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "edict_wakeup_lag_seconds", Help: "Time that the first wake-up in the queue has been due."}, []string{"service"}),
	}
}

// serve makes the figures of a service appear, at zero.
func (m *metrics) serve(service string) {
	for _, o := range outcomes {
		m.pushes.WithLabelValues(service, string(o))
	}
	m.times.WithLabelValues(service)
	m.backlog(service, 0, 0)
}

func (m *metrics) pushed(service string, o Outcome, took time.Duration) {
	m.pushes.WithLabelValues(service, string(o)).Inc()
	m.times.WithLabelValues(service).Observe(took.Seconds())
}

func (m *metrics) backlog(service string, devices int, lag time.Duration) {
	m.queue.WithLabelValues(service).Set(float64(devices))
	m.lag.WithLabelValues(service).Set(lag.Seconds())
}

func (m *metrics) register(r prometheus.Registerer) error {
	for _, c := range []prometheus.Collector{m.pushes, m.times, m.queue, m.lag} {
		if err := r.Register(c); err != nil {
			return err
		}
	}
	return nil
}
