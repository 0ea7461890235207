package watch_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// Who may do what with watches: the status that each kind of caller is answered with, by route. A stranger has no watch, and is asked about
// that of the owner; an admin who is asked about it is a stranger, too.
var watchPolicies = map[string]struct {
	path, body                       string
	anonymous, stranger, owner, boss int
}{
	"POST /watches":          {"/watches", e2e.WatchOf("p", "30000", "Tax"), 401, 201, 201, 201},
	"GET /watches":           {"/watches", "", 401, 200, 200, 200},
	"GET /watches/{id}":      {"/watches/WATCH", "", 401, 404, 200, 404},
	"PATCH /watches/{id}":    {"/watches/WATCH", `{"renew": true}`, 401, 404, 200, 404},
	"DELETE /watches/{id}":   {"/watches/WATCH", "", 401, 404, 204, 404},
	"POST /runs":             {"/runs", fmt.Sprintf(e2e.DecoteRun, true), 401, 403, 403, 202},
	"GET /runs":              {"/runs", "", 401, 403, 403, 200},
	"GET /runs/{id}":         {"/runs/RUN", "", 401, 403, 403, 200},
	"GET /runs/{id}/events":  {"/runs/RUN/events", "", 401, 403, 403, 200},
	"POST /runs/{id}/send":   {"/runs/RUN/send", "", 401, 403, 403, 202},
	"POST /runs/{id}/cancel": {"/runs/RUN/cancel", "", 401, 403, 403, 200},
}

// TestWatchPolicies asks every route of watches as everybody. A route without a row fails, as does one that the document does not describe.
func TestWatchPolicies(t *testing.T) {
	t.Parallel()
	server := e2e.WithWatches(e2e.Start)(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.WatchRuns = 100 }})
	documented := map[string]bool{}
	for _, o := range e2e.Operations(t, server.URL, e2e.WatchAPI) {
		route := o.Method + " " + strings.TrimPrefix(o.Path, e2e.WatchAPI)
		if documented[route] = true; o.Summary == "" || o.Description == "" || o.Policy == "" || len(o.Responses) == 0 {
			t.Errorf("%s is not described: %+v", route, o)
		}
		if _, ok := watchPolicies[route]; !ok {
			t.Errorf("%s has no row in the table", route)
		}
	}
	tokens := e2e.Tokens(server.Data)
	ada, bob, boss := tokens(t, "ada"), tokens(t, "bob"), tokens(t, "admin")
	for route, row := range watchPolicies {
		if !documented[route] {
			t.Errorf("%s is not in the document", route)
		}
		method, _, _ := strings.Cut(route, " ")
		for _, c := range []struct {
			name, token string
			want        int
		}{{"anonymous", "", row.anonymous}, {"stranger", bob, row.stranger}, {"admin", boss, row.boss}, {"owner", ada, row.owner}} {
			watch := e2e.ReadRun(t, e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/watches", ada, "application/json", e2e.WatchOf("p", "30000", "Tax")))
			path := strings.Replace(row.path, "WATCH", watch.ID, 1)
			if strings.Contains(path, "RUN") {
				run := e2e.ReadRun(t, e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/runs", boss, "application/json", fmt.Sprintf(e2e.DecoteRun, true)))
				e2e.AwaitRun(t, server.URL, boss, run.ID)
				path = strings.Replace(path, "RUN", run.ID, 1)
			}
			if got := e2e.StatusFor(t, method, server.URL+e2e.WatchAPI+path, c.token, row.body); got != c.want {
				t.Errorf("%s as %s: %d, want %d", route, c.name, got, c.want)
			}
			tidy(t, server.URL, boss)
			for _, token := range []string{ada, bob, boss} {
				removeWatches(t, server.URL, token)
			}
		}
	}
}

// tidy ends all runs.
func tidy(t *testing.T, url, boss string) {
	t.Helper()
	var list struct{ Runs []e2e.WatchRun }
	if err := json.Unmarshal(e2e.Call(t, "GET", url+e2e.WatchAPI+"/runs", boss, "", ""), &list); err != nil {
		t.Fatal(err)
	}
	for _, run := range list.Runs {
		e2e.AwaitRun(t, url, boss, run.ID)
		e2e.StatusFor(t, "POST", url+e2e.WatchAPI+"/runs/"+run.ID+"/cancel", boss, "")
	}
}

// removeWatches deletes what a caller watches.
func removeWatches(t *testing.T, url, token string) {
	t.Helper()
	var list struct{ Watches []struct{ ID string } }
	if err := json.Unmarshal(e2e.Call(t, "GET", url+e2e.WatchAPI+"/watches", token, "", ""), &list); err != nil {
		t.Fatal(err)
	}
	for _, w := range list.Watches {
		e2e.Call(t, "DELETE", url+e2e.WatchAPI+"/watches/"+w.ID, token, "", "")
	}
}
