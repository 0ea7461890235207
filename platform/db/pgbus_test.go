package db

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"edict/platform/db/bustest"
	"edict/platform/db/pgtest"
	"edict/platform/fault"
)

// maxUnhinted is the maximum median of delivery times without hints. A machine that is busy with other things delays some of them.
const maxUnhinted = 1500 * time.Millisecond

// say commits notes on one node, one after the other, each when the other node was told of the one before, and returns the median of the
// times that took.
func say(t *testing.T, d *DB, seen *told, texts ...string) (median time.Duration) {
	t.Helper()
	var took []time.Duration
	for _, text := range texts {
		before := len(seen.all())
		began := time.Now()
		if err := d.Write(t.Context(), func(tx *Tx) error { tx.Tell("note", []byte(text)); return nil }); err != nil {
			t.Fatal(err)
		}
		await(t, func() bool { return len(seen.all()) > before })
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[len(took)/2]
}

func counted(from, n int) (texts []string) {
	for i := range n {
		texts = append(texts, strconv.Itoa(from+i))
	}
	return texts
}

// TestHints has a node that does not look by itself be told of what another commits, by either bus.
func TestHints(t *testing.T) {
	nats := bustest.Start(t, "", "")
	for _, bus := range []string{PostgresBus, nats.URL} {
		t.Run(bus[:4], func(t *testing.T) {
			address := pgtest.Address(t)
			a := openRemote(t, address, Options{Bus: bus})
			b := openRemote(t, address, Options{Bus: bus, tailEvery: time.Hour})
			await(t, func() bool { return a.tail.listens.Load() && b.tail.listens.Load() })
			if s, _ := b.Status(); s.Bus != a.tail.bus.name() {
				t.Errorf("the bus is %q", s.Bus)
			}
			var seen told
			seen.follow(b)
			say(t, a, &seen, counted(0, 5)...)
			if got := seen.all(); !slices.Equal(got, counted(0, 5)) || seen.lost != 0 {
				t.Errorf("told %v, %d times lost", got, seen.lost)
			}
			if by := nats.Hints(); (by > 0) != (bus == nats.URL) {
				t.Errorf("%d hints went by NATS", by)
			}
		})
	}
}

// TestHintsFail loses, delays and doubles what NATS carries, and NATS itself: everything arrives in order, once, and in time.
func TestHintsFail(t *testing.T) {
	t.Parallel()
	address := pgtest.Address(t)
	proxy := bustest.NewProxy(t, bustest.Start(t, "", ""))
	a, b := openRemote(t, address, Options{Bus: proxy.URL}), openRemote(t, address, Options{Bus: proxy.URL})
	await(t, func() bool { return a.tail.listens.Load() && b.tail.listens.Load() })
	var seen told
	seen.follow(b)
	want := 0
	for _, f := range []bustest.Faults{{Drop: true}, {Twice: true}, {Delay: 300 * time.Millisecond}, {Twice: true, Delay: 20 * time.Millisecond}} {
		proxy.Set(f)
		before := proxy.Met()
		if took := say(t, a, &seen, counted(want, 8)...); took > maxUnhinted {
			t.Errorf("%+v: %v", f, took)
		}
		want += 8
		await(t, func() bool { return proxy.Met() > before })
	}

	proxy.Refuse(true)
	await(t, func() bool { s, _ := b.Status(); return strings.HasPrefix(s.Bus, "nats, not listening") })
	if took := say(t, a, &seen, counted(want, 8)...); took > maxUnhinted {
		t.Errorf("without a bus: %v", took)
	}
	if err := b.Ready(); err != nil {
		t.Errorf("without a bus: %v", err)
	}
	proxy.Refuse(false)
	await(t, func() bool { s, _ := b.Status(); return s.Bus == "nats" })
	say(t, a, &seen, counted(want+8, 2)...)
	if got := seen.all(); !slices.Equal(got, counted(0, want+10)) || seen.lost != 0 {
		t.Errorf("told %v, %d times lost", got, seen.lost)
	}
}

// TestBusLate starts a node without its bus, which comes later.
func TestBusLate(t *testing.T) {
	proxy := bustest.NewProxy(t, bustest.Start(t, "", ""))
	proxy.Refuse(true)
	d := openRemote(t, pgtest.Address(t), Options{Bus: proxy.URL})
	if s, _ := d.Status(); !strings.HasPrefix(s.Bus, "nats, not listening: others are heard up to 200ms later") {
		t.Errorf("the bus is %q", s.Bus)
	}
	proxy.Refuse(false)
	await(t, func() bool { s, _ := d.Status(); return s.Bus == "nats" })
}

// TestBusOfStores holds that stores on one NATS do not wake each other's nodes, and that all nodes of one do.
func TestBusOfStores(t *testing.T) {
	bus := Options{Bus: bustest.Start(t, "", "").URL}
	one := pgtest.Address(t)
	subject := func(address string) string { return openRemote(t, address, bus).tail.bus.(*natsBus).subject }
	a, b, c := subject(one), subject(one), subject(pgtest.Address(t))
	if a != b || a == c {
		t.Errorf("%s and %s of one store, %s of another", a, b, c)
	}
}

func TestBusRefused(t *testing.T) {
	nats := bustest.Start(t, "edict", "right")
	site := httptest.NewUnstartedServer(nil)
	site.StartTLS()
	defer site.Close()
	secret := bustest.StartTLS(t, site.TLS.Certificates[0]) // which no authority of this machine has signed
	with := func(user string) string { return strings.Replace(nats.URL, "//", "//"+user+"@", 1) }
	address := pgtest.Address(t)
	open := func(bus string) error {
		d, err := OpenPostgres(context.WithoutCancel(t.Context()), address, Options{Bus: bus, Logger: slog.New(slog.DiscardHandler)}, remoteNotes())
		if err == nil {
			d.Close()
		}
		return err
	}
	if err := open(with("edict:right")); err != nil {
		t.Error(err)
	}
	const noBus = "the bus is neither postgres nor a list of NATS addresses"
	for bus, want := range map[string]string{
		"kafka://h":          noBus,
		"nats://":            noBus,
		"nats":               noBus,
		"nats://a,redis://b": noBus,
		"nats://u:p%@h":      noBus,
		nats.URL:             "the bus refused the connection (nats: Authorization Violation); check the user, the password and the certificate of --bus",
		with("edict:wrong"):  "the bus refused the connection",
		secret.URL:           "certificate signed by unknown authority); check the user, the password and the certificate of --bus",
	} {
		err := open(bus)
		if fault.KindOf(err) != fault.Invalid || !strings.Contains(fmt.Sprint(err), want) || strings.Contains(fmt.Sprint(err), "wrong") {
			t.Errorf("%s: %v", bus, err)
		}
	}
	_, err := Open(t.Context(), t.TempDir(), Options{Bus: nats.URL})
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "a data directory has one server") {
		t.Errorf("SQLite: %v", err)
	}
}
