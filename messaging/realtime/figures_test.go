package realtime

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"edict/messaging"
	"edict/platform/fault"

	"github.com/prometheus/client_golang/prometheus"
)

// figure is a figure of a hub, over all of its labels.
func figure(t *testing.T, h *Hub, name string) (sum float64) {
	t.Helper()
	registry := prometheus.NewRegistry()
	if err := h.metrics.register(registry); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name {
				sum += m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

// TestGapsAreCounted: a gap that a stream is told of is counted, and everything before it is sent.
func TestGapsAreCounted(t *testing.T) {
	h := testHub(t, Options{})
	s := &source{name: "news", sent: 1}
	r := &replay{stream: &stream{hub: h}, enc: encoder{messaging.NewCodec(messaging.Identity{})}}
	if r.gap(s, 5); s.sent != 5 || !strings.Contains(string(r.portion), "news") || figure(t, h, "edict_stream_gaps_total") != 1 {
		t.Errorf("sent up to %d, %q, %v gaps", s.sent, r.portion, figure(t, h, "edict_stream_gaps_total"))
	}
}

// TestMemoryComesBack: a portion for which there was no memory says nothing of the next one.
func TestMemoryComesBack(t *testing.T) {
	r := &replay{short: true, inboxEnd: true}
	if more, err := r.fill(nil); more || err != nil || r.short {
		t.Errorf("more: %v, short: %v (%v)", more, r.short, err)
	}
}

// TestFailedReplays: a replay that fails is logged, unless the client has left; one without memory has its own end.
func TestFailedReplays(t *testing.T) {
	var log bytes.Buffer
	h := testHub(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	r := &replay{stream: &stream{hub: h}}
	left, leave := context.WithCancel(t.Context())
	leave()
	if end := r.failed(left, errors.New("the disk is gone")); end != endStore || log.Len() > 0 {
		t.Errorf("%s, %s", end.name, log.String())
	}
	if end := r.failed(t.Context(), errNoMemory); end != endNoMemory || log.Len() > 0 {
		t.Errorf("%s, %s", end.name, log.String())
	}
	if end := r.failed(t.Context(), errors.New("the disk is gone")); end != endStore || !strings.Contains(log.String(), "the disk is gone") {
		t.Errorf("%s, %s", end.name, log.String())
	}
}

// TestClosedHub: streams that come are counted, and a hub that is closed takes none.
func TestClosedHub(t *testing.T) {
	h, err := NewHub(Options{})
	if err != nil {
		t.Fatal(err)
	}
	ann := &stream{key: "ann"}
	for range 2 {
		if err := h.admit(ann); err != nil {
			t.Fatal(err)
		}
	}
	if h.opened != 2 {
		t.Errorf("%d streams came, want 2", h.opened)
	}
	h.left(ann, endGone)
	h.left(ann, endGone)
	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.admit(ann); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("after the end: %v", err)
	}
}

// TestPresentWhileCatching: who is present in a channel is told of streams that are live and of those that catch up, each user once, and of no tap.
func TestPresentWhileCatching(t *testing.T) {
	h := testHub(t, Options{})
	of := func(user string, tapped bool) *stream {
		s := &stream{key: user, caller: messaging.Caller{UserID: messaging.UserID(user)}, subs: map[messaging.ChannelID]struct{}{7: {}}}
		if tapped {
			s.tapped = &messaging.Channel{ID: 7}
		}
		return s
	}
	sh := h.shards[0]
	sh.mu.Lock()
	sh.catching[of("ann", false)] = struct{}{}
	sh.catching[of("root", true)] = struct{}{}
	sh.mu.Unlock()
	if got := h.presentIn(7); len(got) != 1 || got["ann"] == nil || got["ann"].UserID != "ann" {
		t.Errorf("%+v", got)
	}
	if got := h.presentIn(8); len(got) != 0 {
		t.Errorf("of another channel: %+v", got)
	}
	sh.mu.Lock()
	clear(sh.catching)
	sh.mu.Unlock()
}
