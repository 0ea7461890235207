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
	open := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "edict_streams", Help: "Streams that are open."}, []string{"transport"})
	ended := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "edict_stream_ends_total", Help: "Streams that ended, by reason."}, []string{"reason"})
	m := &metrics{ends: map[*ending]prometheus.Counter{}, all: []prometheus.Collector{open, ended}}
	sse := open.WithLabelValues("sse")
	m.streams = [formats]prometheus.Gauge{formatSSE: sse, formatChunked: sse, formatWS: open.WithLabelValues("websocket")}
	for _, e := range endings {
		m.ends[e] = ended.WithLabelValues(e.name)
	}
	m.deliveries = m.counter("edict_stream_deliveries_total", "Events that were queued for a stream as they happened.")
	m.bytes = m.counter("edict_stream_bytes_total", "Bytes that were written to streams.")
	m.replays = m.counter("edict_stream_replays_total", "Streams that began with a cursor.")
	m.replayed = m.counter("edict_stream_replayed_total", "Events that were read from the log for a stream.")
	m.gaps = m.counter("edict_stream_gaps_total", "Gaps that retention left and streams were told of.")
	m.acks = m.counter("edict_stream_acks_total", "Acknowledgements that came over a stream.")
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "edict_streams_refused_total", Help: "Streams that were not opened because the user, the address or the server had as many as allowed."}, []string{"of"})
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
