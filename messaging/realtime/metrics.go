package realtime

import "github.com/prometheus/client_golang/prometheus"

// metrics are the figures of the hub.
type metrics struct {
	streams    [formats]prometheus.Gauge
	ends       map[*ending]prometheus.Counter
	deliveries prometheus.Counter
	bytes      prometheus.Counter
	replays    prometheus.Counter
	replayed   prometheus.Counter
	gaps       prometheus.Counter
	acks       prometheus.Counter
	refused    struct{ user, address, all prometheus.Counter }

	all []prometheus.Collector
}

func newMetrics() *metrics {
	open := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "edict_streams", Help: "Open streams."}, []string{"transport"})
	ended := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "edict_stream_ends_total", Help: "Ended streams, by reason."}, []string{"reason"})
	m := &metrics{ends: map[*ending]prometheus.Counter{}, all: []prometheus.Collector{open, ended}}
	sse := open.WithLabelValues("sse")
	m.streams = [formats]prometheus.Gauge{formatSSE: sse, formatChunked: sse, formatWS: open.WithLabelValues("websocket")}
	for _, e := range endings {
		m.ends[e] = ended.WithLabelValues(e.name)
	}
	m.deliveries = m.counter("edict_stream_deliveries_total", "Live events queued for streams.")
	m.bytes = m.counter("edict_stream_bytes_total", "Bytes written to streams.")
	m.replays = m.counter("edict_stream_replays_total", "Streams opened with a cursor.")
	m.replayed = m.counter("edict_stream_replayed_total", "Events replayed from the log.")
	m.gaps = m.counter("edict_stream_gaps_total", "Gaps left by retention and reported to streams.")
	m.acks = m.counter("edict_stream_acks_total", "Acknowledgements received over streams.")
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "edict_streams_refused_total", Help: "Rejected streams: the user, the address or the server was at its limit."}, []string{"of"})
	m.refused.user, m.refused.address, m.refused.all = refused.WithLabelValues("user"), refused.WithLabelValues("address"), refused.WithLabelValues("server")
	m.all = append(m.all, refused)
	return m
}

func (m *metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	m.all = append(m.all, c)
	return c
}

func (m *metrics) register(r prometheus.Registerer) error {
	for _, c := range m.all {
		if err := r.Register(c); err != nil {
			return err
		}
	}
	return nil
}
