package realtime_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
	"edict/messaging/realtime"
	"edict/platform/fault"
)

// opener opens a stream of the token.
type opener func(f *fixture, token, query string, header ...string) (*client, error)

// refusedAs opens a stream that must not open.
func (f *fixture) refusedAs(open opener, token, query, words string) {
	f.Helper()
	f.refusedWith(open, http.StatusTooManyRequests, token, query, words)
}

func (f *fixture) refusedWith(open opener, status int, token, query, words string) {
	f.Helper()
	_, err := open(f, token, query)
	r := (*refusal)(nil)
	if !errors.As(err, &r) || r.status != status || !strings.Contains(r.body, words) || r.retry != "30" {
		f.Errorf("one more stream of %q: %v, want %d with %q and when to come back", token, err, status, words)
	}
}

// mustOpen opens a stream and waits until it is live.
func (f *fixture) mustOpen(open opener, token, query string) *client {
	f.Helper()
	c, err := open(f, token, query)
	f.ok(err)
	c.want("ready")
	return c
}

// TestStreamsPerUser has a user open as many streams as allowed, whatever token, ticket or device opens them.
func TestStreamsPerUser(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			f := setUp(t, settings{hub: realtime.Options{PerUser: 3, Registerer: registry}})
			first := f.mustOpen(open, "ann", "")
			f.mustOpen(open, "ann@phone/1", "")
			f.mustOpen(open, "ANN/2", "")
			const words = "3 streams of this user are open"
			f.refusedAs(open, "ann", "", words)
			f.refusedAs(open, "ann@desk", "", words)
			f.refusedAs(open, "", "?ticket=ticket-ann", words)
			f.mustOpen(open, "bob", "")
			if got := counterOf(t, registry, "edict_streams_refused_total", "user"); got != 3 {
				t.Errorf("%v refused streams are counted, want 3", got)
			}
			if got := openStreams(t, registry); got != 4 {
				t.Errorf("%v streams are counted as open, want 4", got)
			}
			first.close()
			f.opensAgain(open, "ann")
		})
	}
}

// openStreams is how many streams are counted as open.
func openStreams(t *testing.T, registry *prometheus.Registry) (n float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "edict_streams" {
				n += m.GetGauge().GetValue()
			}
		}
	}
	return n
}

// opensAgain opens a stream as soon as the server has seen that another is gone.
func (f *fixture) opensAgain(open opener, token string) {
	f.Helper()
	for {
		c, err := open(f, token, "")
		if r := (*refusal)(nil); errors.As(err, &r) && r.retry != "" && f.Context().Err() == nil {
			continue
		}
		f.ok(err)
		c.want("ready")
		return
	}
}

// TestStreamsPerAddress has users open as many streams from one address as allowed.
func TestStreamsPerAddress(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			f := setUp(t, settings{hub: realtime.Options{PerAddress: 2, Registerer: registry}})
			first := f.mustOpen(open, "ann", "")
			f.mustOpen(open, "bob", "")
			f.refusedAs(open, "carol", "", "2 streams are open from this address")
			if got := counterOf(t, registry, "edict_streams_refused_total", "address"); got != 1 {
				t.Errorf("%v refused streams are counted, want 1", got)
			}
			f.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
				return d.DialContext(ctx, network, address)
			}
			probe, err := f.dial(t.Context(), "tcp", strings.TrimPrefix(f.url, "http://"))
			if err != nil {
				t.Skip("this system has one loopback address:", err)
			}
			f.ok(probe.Close())
			f.mustOpen(open, "carol", "")
			f.dial = nil
			first.close()
			f.opensAgain(open, "dave")
		})
	}
}

// TestStreamsInAll has users open as many streams as the server has for all of them.
func TestStreamsInAll(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			f := setUp(t, settings{hub: realtime.Options{InAll: 2, Registerer: registry}})
			first := f.mustOpen(open, "ann", "")
			f.mustOpen(open, "bob", "")
			const words = "2 streams are open, which is the most that this server has"
			f.refusedWith(open, http.StatusServiceUnavailable, "carol", "", words)
			f.refusedWith(open, http.StatusServiceUnavailable, "ann@phone", "", words)
			if got := counterOf(t, registry, "edict_streams_refused_total", "server"); got != 2 {
				t.Errorf("%v refused streams are counted, want 2", got)
			}
			first.close()
			f.opensAgain(open, "carol")
		})
	}
}

// TestRevokedMeanwhile: a token that is revoked while its stream is opened opens none, and neither does a ticket.
func TestRevokedMeanwhile(t *testing.T) {
	for name, open := range transports {
		for query, token := range map[string]string{"": "ann", "?ticket=ticket-ann": ""} {
			f := setUp(t, settings{})
			f.admitted = func() { f.revoke("ann") }
			_, err := open(f, token, query)
			if r := (*refusal)(nil); !errors.As(err, &r) || r.status != http.StatusUnauthorized {
				t.Errorf("%s, token %q: %v", name, token, err)
			}
		}
	}
}

// counterOf returns a counter whose only label has the value.
func counterOf(t *testing.T, registry *prometheus.Registry, name, value string) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && m.GetLabel()[0].GetValue() == value {
				return m.GetCounter().GetValue()
			}
		}
	}
	t.Fatalf("there is no %s", name)
	return 0
}

// elsewhere is two nodes besides that of the test, with two streams of ann's phone.
type elsewhere struct {
	entered, left chan messaging.UserID
	refuses       error
}

func (e *elsewhere) Connected(user messaging.UserID, device string) bool {
	return user == "ann" && (device == "" || device == "phone")
}

func (e *elsewhere) Nodes() int      { return 3 }
func (e *elsewhere) Users() []string { return []string{"ann", "eve"} }

func (e *elsewhere) Streams(user messaging.UserID) map[string]int {
	if user == "ann" {
		return map[string]int{"phone": 2}
	}
	return nil
}

func (e *elsewhere) Entered(_ context.Context, user messaging.UserID) error {
	e.entered <- user
	return e.refuses
}

func (e *elsewhere) Left(user messaging.UserID, _ messaging.Position) { e.left <- user }

// TestStreamsElsewhere: streams of other nodes count for the limit of a user and make devices connected; an address has its share of this node; others
// are told who comes and goes, and a stream of which they cannot be told does not open.
func TestStreamsElsewhere(t *testing.T) {
	others := &elsewhere{entered: make(chan messaging.UserID, 100), left: make(chan messaging.UserID, 100)}
	open := transports["SSE"]
	f := setUp(t, settings{hub: realtime.Options{PerUser: 3, PerAddress: 10, Elsewhere: others, Departures: others}})
	if !f.hub.Connected("ann", "phone") || f.hub.Connected("ann", "desk") || f.hub.Connected("bob", "") {
		t.Error("who is connected to other nodes is not told")
	}
	first := f.mustOpen(open, "ann", "")
	if who := <-others.entered; who != "ann" {
		t.Errorf("the others were told of %s", who)
	}
	f.refusedAs(open, "ann", "", "3 streams of this user are open")
	first.close()
	if who := <-others.left; who != "ann" {
		t.Errorf("the others were told that %s left", who)
	}
	for range 3 {
		f.mustOpen(open, "bob", "")
	}
	f.refusedAs(open, "cal", "", "streams are open from this address") // a third of 10

	others.refuses = fault.New(fault.Unavailable, "the store is away")
	gone := make(departures, 1)
	alone := setUp(t, settings{hub: realtime.Options{Elsewhere: others, Departures: gone}})
	if _, err := open(alone, "dan", ""); err == nil {
		t.Error("a stream opened that the others could not be told of")
	}
	<-gone
	if alone.hub.Connected("dan", "") {
		t.Error("a stream that did not open makes its user connected")
	}
}

// TestHistoryLost: when the store has lost what came last, streams end with a code that says so, and cursors from before are refused.
func TestHistoryLost(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, settings{})
			c, err := open(f, "ann", "")
			f.ok(err)
			cursor := c.want("ready").ID
			f.hub.Announce([]messaging.Event{{Epoch: 7}})
			if g := c.want("end"); !strings.Contains(g.end, "4011") {
				t.Errorf("the stream ended with %q", g.end)
			}
			r := (*refusal)(nil)
			if _, err := open(f, "ann", "?cursor="+cursor); !errors.As(err, &r) || r.status != http.StatusConflict || !strings.Contains(r.body, "another history") {
				t.Errorf("a cursor from before: %v", err)
			}
			f.mustOpen(open, "ann", "")
		})
	}
}
