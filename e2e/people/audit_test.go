package people_test

import (
	"encoding/json"
	"slices"
	"testing"

	"edict/e2e"
)

// TestAdminReadsOfServices: what admins read of runs and populations is in the audit trail, once however often it is read; a caller who is turned away leaves
// no line, and there is no read that is only for admins without one.
func TestAdminReadsOfServices(t *testing.T) {
	t.Parallel()
	server := e2e.WithWatches(e2e.Start)(t, e2e.Options{})
	e2e.AwaitReady(t, server.URL)
	tokens := e2e.Tokens(server.Data)
	boss, ada := tokens(t, "admin"), tokens(t, "ada")
	reads := map[string]string{
		"watch.listRuns": e2e.WatchAPI + "/runs", "watch.readRun": e2e.WatchAPI + "/runs/r1", "watch.followRun": e2e.WatchAPI + "/runs/r1/events",
		"simulation.populations2": "/api/2/populations", "simulation.population2": "/api/2/populations/p1", "simulation.populationReport2": "/api/2/populations/p1/report",
		"simulation.populationRows2": "/api/2/populations/p1/rows", "simulation.populationEvents2": "/api/2/populations/p1/events",
	}
	for _, path := range reads {
		for range 2 {
			e2e.StatusFor(t, "GET", server.URL+path, boss, "")
		}
		if got := e2e.StatusFor(t, "GET", server.URL+path, ada, ""); got != 403 {
			t.Errorf("%s is answered %d to a user", path, got)
		}
	}
	var trail struct {
		Entries []struct{ Act, By, Detail string }
	}
	if err := json.Unmarshal(e2e.Call(t, "GET", server.URL+"/auth/audit?size=100", boss, "", ""), &trail); err != nil {
		t.Fatal(err)
	}
	for act := range reads {
		n := 0
		for _, e := range trail.Entries {
			if e.Act == act && e.By == "admin" {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s has %d lines", act, n)
		}
	}
	if slices.ContainsFunc(trail.Entries, func(e struct{ Act, By, Detail string }) bool { return e.By == "ada" }) {
		t.Errorf("%+v", trail.Entries)
	}
}
