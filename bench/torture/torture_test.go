package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"edict/bench/torture/history"
	"edict/platform/longtest"
)

// TestKills is the short form of "make torture".
func TestKills(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a killed process cannot be told from one that ended by itself on Windows")
	}
	torture(t, "-kills", longtest.Pick("4", "12"))
}

// TestPowerCuts is the same with power cuts.
func TestPowerCuts(t *testing.T) { torture(t, "-how", "power", "-kills", longtest.Pick("4", "8")) }

// TestLyingDisk: on a disk that only reports it has synced, what is acknowledged and announced is lost. The torture has to see it,
// and to come to an end when all users's requests begin to fail.
func TestLyingDisk(t *testing.T) {
	v := newPowered(t.TempDir(), 1)
	v.lying = true
	h, failed := newLife(v, 1, 0).live(t.Context(), 20)
	if broken := history.Check(h); len(broken) == 0 && failed == nil {
		t.Error("nobody noticed that what was acknowledged is gone")
	} else {
		t.Log(failed, broken)
	}
}

func torture(t *testing.T, args ...string) {
	t.Helper()
	o, err := parse(append(args, "-keep", os.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), o, t.Output()); err != nil {
		t.Error(err)
	}
}

// TestConnections: callers made for one request each leave no connection behind, however often a request is repeated.
func TestConnections(t *testing.T) {
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	gate := newGate()
	gate.open(server.URL)
	for range 10 {
		if err := newCaller(gate, "", "", "").call(t.Context(), "GET", "/channels", "", "", nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections for requests one after the other", n)
	}
}

// TestKeptHistory: a broken promise is told, its history is kept, and the file shows the same again.
func TestKeptHistory(t *testing.T) {
	rec := history.NewRecorder(1, channels, users)
	rec.Add(&history.Publish{Span: history.Span{Begin: 1, End: 2}, Outcome: history.Acknowledged, Channel: "all", Key: "k", ID: "1"})
	rec.Add(&history.Fetch{Span: history.Span{Begin: 3, End: 4}, Channel: "all"})
	o := options{seed: 1, keep: t.TempDir()}
	if err := keep(rec.History(), o, 2); err == nil || !strings.Contains(err.Error(), "edict-history-1-2.json") {
		t.Fatal(err)
	}
	o.check = filepath.Join(o.keep, "edict-history-1-2.json")
	if err := run(context.Background(), o, t.Output()); err == nil || !strings.HasPrefix(err.Error(), "kept: channel all: k (1) was there at 2 and is not at 3") {
		t.Errorf("the file shows %v", err)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-kills", "0"}, {"-kills", "2", "-lives", "3"}, {"-how", "gently"}, {"-nodes", "1"}, {"-nodes", "3", "-how", "power"},
		{"-nodes", "3", "-only", "no such fault"}, {"-only", faults[0].name}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
	o, err := parse([]string{"-kills", "101"})
	if err != nil || o.lives != 3 || o.seed == 0 {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestPlan: a life has every fault at least once, or with -only one of them as often as asked.
func TestPlan(t *testing.T) {
	for only, want := range map[string]int{"": len(faults) + 3, faults[len(faults)-1].name: 4} {
		torment := &torment{random: newLife(nil, 1, 0).random(0), only: only}
		if got := torment.plan(4); len(got) != want || only != "" && got[0].name != only {
			t.Errorf("only %q: %d faults, want %d", only, len(got), want)
		}
	}
}
