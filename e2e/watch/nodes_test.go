package watch_test

// Watches on several nodes, and across two versions of a country package.

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"edict/cli"
	"edict/e2e"
	"edict/platform/db/pgtest"
)

// TestWatchNodes: a run whose node is killed is brought to its end by another, everybody told once; and the key is changed beside both.
func TestWatchNodes(t *testing.T) {
	e2e.NeedSignals(t)
	t.Setenv("EDICT_STORE", pgtest.Address(t))
	key := filepath.Join(t.TempDir(), "watch.key")
	node := func(name string) *e2e.Process {
		return e2e.StartBinary(t, "--node", name, "--watch", "--watch-key", key)
	}
	a, b := node("a"), node("b")
	e2e.AwaitReady(t, a.URL)
	e2e.AwaitReady(t, b.URL)
	const people, each = 2, 20
	tokens := e2e.Tokens(a.Data)
	for i := range people {
		for n := range each {
			e2e.Call(t, "POST", []string{a.URL, b.URL}[n%2]+e2e.WatchAPI+"/watches", tokens(t, fmt.Sprint("p", i)), "application/json", e2e.WatchOf("p", fmt.Sprint(25000+100*n), "Tax"))
		}
	}
	boss := tokens(t, "admin")
	run := e2e.ReadRun(t, e2e.Call(t, "POST", a.URL+e2e.WatchAPI+"/runs", boss, "application/json", fmt.Sprintf(e2e.DecoteRun, false)))
	if err := a.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = a.Wait()
	e2e.Run(t, "", "watch", "rotate-key", "--watch-key", key, "--data", b.Data) // while nobody has the run
	e2e.AwaitRun(t, b.URL, boss, run.ID)
	if run = e2e.ReadRun(t, e2e.Call(t, "GET", b.URL+e2e.WatchAPI+"/runs/"+run.ID, boss, "", "")); run.State != "sent" {
		t.Errorf("%+v", run)
	}
	for i := range people {
		checkTold(t, b.URL, tokens(t, fmt.Sprint("p", i)), run.ID, each)
	}
	a = node("a")
	e2e.AwaitReady(t, a.URL)
	e2e.Run(t, "", "watch", "rotate-key", "--watch-key", key, "--data", b.Data)
	for _, url := range []string{a.URL, b.URL} {
		if list := string(e2e.Call(t, "GET", url+e2e.WatchAPI+"/watches", tokens(t, "p0"), "", "")); strings.Count(list, `"id"`) != each {
			t.Errorf("after the key was changed: %s", list)
		}
		e2e.Call(t, "POST", url+e2e.WatchAPI+"/watches", boss, "application/json", e2e.WatchOf("p", "30000", "Tax"))
	}
}

// wheel writes a wheel of a small law with a rate into a directory.
func wheel(t *testing.T, dir, version, rate string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "openfisca_small-"+version+"-py3-none-any.whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	for name, text := range map[string]string{
		"openfisca_small/__init__.py": `import os
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from openfisca_small.entities import Person
class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__([Person])
        self.add_variables_from_file(os.path.join(os.path.dirname(__file__), "variables.py"))
        self.load_parameters(os.path.join(os.path.dirname(__file__), "parameters"))
`,
		"openfisca_small/entities.py": `from openfisca_core.entities import build_entity
Person = build_entity(key="person", plural="persons", label="", is_person=True)
`,
		"openfisca_small/variables.py": `from openfisca_core.model_api import *
from openfisca_small.entities import Person
class salary(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
class tax(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    def formula(person, period, parameters):
        return person("salary", period) * parameters(period).rate
`,
		"openfisca_small/parameters/rate.yaml":               "values:\n  2000-01-01: " + rate + "\n",
		"openfisca_small-" + version + ".dist-info/METADATA": "Name: openfisca-small\nVersion: " + version + "\n",
	} {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWatchVersions: a server that is started with the next version of its package compares it with the one before, which is left out of the
// run; the message comes on a stream, and as a wake-up.
func TestWatchVersions(t *testing.T) {
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	t.Setenv("PIP_NO_INDEX", "1")
	links, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	t.Setenv("PIP_FIND_LINKS", links)
	pushes, configure, came := e2e.StartPushServices(t)
	start := func(version, rate string) *e2e.Server {
		wheel(t, links, version, rate)
		e2e.Run(t, "", "country", "install", "openfisca-small=="+version, "--data", data)
		server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
			c.Server.Watch, c.Server.Data, c.Simulation.Country = true, data, "openfisca-small"
			configure(&c.Push)
		}})
		e2e.AwaitReady(t, server.URL)
		return server
	}
	server := start("1.0", "0.25")
	tokens := e2e.Tokens(data)
	ada, bob, boss := tokens(t, "ada"), tokens(t, "bob@phone"), tokens(t, "admin")
	e2e.Call(t, "POST", server.URL+e2e.MessageAPI+"/devices", bob, "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+pushes+`/bob"}}`)
	for _, token := range []string{ada, bob} {
		e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/watches", token, "application/json",
			`{"situation": {"persons": {"p": {"salary": {"2026": 1000}}}}, "period": "2026", "figures": [{"variable": "tax", "label": "Tax"}]}`)
	}
	const run = `{"new": {}, "message": {"en": "{label}: {before} before, {after} after"}, "dry": false}`
	if status := e2e.StatusFor(t, "POST", server.URL+e2e.WatchAPI+"/runs", boss, run); status != 400 {
		t.Errorf("a run without a version before is answered with %d", status)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}

	server = start("2.0", "0.5")
	stream := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", ada)
	stream.Until("event: ready")
	started := string(e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/runs", boss, "application/json", run))
	if !strings.Contains(started, `"base":{"package":"openfisca-small==1.0"}`) || !strings.Contains(started, `"new":{"package":"openfisca-small==2.0"}`) {
		t.Errorf("the run is %s", started)
	}
	stream.Until("event: message")
	if data := stream.Until("data: "); !strings.Contains(data, `"text":"Tax: 250 before, 500 after"`) || !strings.Contains(data, `"name":"rate"`) {
		t.Errorf("the stream has %s", data)
	}
	if p := e2e.AwaitPush(t, came); p.Path != "/bob" || p.Body != `{"event":"wakeup"}` {
		t.Errorf("woken by %+v", p)
	}
}
