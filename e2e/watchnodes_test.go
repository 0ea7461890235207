package e2e

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
	"edict/platform/db/pgtest"
)

// TestWatchNodes: a run whose node is killed is brought to its end by another, everybody told once; and the key is changed beside both.
func TestWatchNodes(t *testing.T) {
	needSignals(t)
	t.Setenv("EDICT_STORE", pgtest.Address(t))
	key := filepath.Join(t.TempDir(), "watch.key")
	node := func(name string) *Process { return StartBinary(t, "--node", name, "--watch", "--watch-key", key) }
	a, b := node("a"), node("b")
	AwaitReady(t, a.URL)
	AwaitReady(t, b.URL)
	const people, each = 2, 20
	tokens := Tokens(a.Data)
	for i := range people {
		for n := range each {
			call(t, "POST", []string{a.URL, b.URL}[n%2]+watchAPI+"/watches", tokens(t, fmt.Sprint("p", i)), "application/json", watchOf("p", fmt.Sprint(25000+100*n), "Tax"))
		}
	}
	boss := tokens(t, "admin")
	run := runOf(t, call(t, "POST", a.URL+watchAPI+"/runs", boss, "application/json", fmt.Sprintf(decoteRun, false)))
	if err := a.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = a.Wait()
	Run(t, "", "watch", "rotate-key", "--watch-key", key, "--data", b.Data) // while nobody has the run
	awaitRun(t, b.URL, boss, run.ID)
	if run = runOf(t, call(t, "GET", b.URL+watchAPI+"/runs/"+run.ID, boss, "", "")); run.State != "sent" {
		t.Errorf("%+v", run)
	}
	for i := range people {
		checkTold(t, b.URL, tokens(t, fmt.Sprint("p", i)), run.ID, each)
	}
	a = node("a")
	AwaitReady(t, a.URL)
	Run(t, "", "watch", "rotate-key", "--watch-key", key, "--data", b.Data)
	for _, url := range []string{a.URL, b.URL} {
		if list := string(call(t, "GET", url+watchAPI+"/watches", tokens(t, "p0"), "", "")); strings.Count(list, `"id"`) != each {
			t.Errorf("after the key was changed: %s", list)
		}
		call(t, "POST", url+watchAPI+"/watches", boss, "application/json", watchOf("p", "30000", "Tax"))
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
	pushes, configure, came := pushServices(t)
	start := func(version, rate string) *Server {
		wheel(t, links, version, rate)
		Run(t, "", "country", "install", "openfisca-small=="+version, "--data", data)
		server := Start(t, Options{Configure: func(c *cli.Config) {
			c.Server.Watch, c.Server.Data, c.Simulation.Country = true, data, "openfisca-small"
			configure(&c.Push)
		}})
		AwaitReady(t, server.URL)
		return server
	}
	server := start("1.0", "0.25")
	tokens := Tokens(data)
	ada, bob, boss := tokens(t, "ada"), tokens(t, "bob@phone"), tokens(t, "admin")
	call(t, "POST", server.URL+api+"/devices", bob, "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+pushes+`/bob"}}`)
	for _, token := range []string{ada, bob} {
		call(t, "POST", server.URL+watchAPI+"/watches", token, "application/json",
			`{"situation": {"persons": {"p": {"salary": {"2026": 1000}}}}, "period": "2026", "figures": [{"variable": "tax", "label": "Tax"}]}`)
	}
	const run = `{"new": {}, "message": {"en": "{label}: {before} before, {after} after"}, "dry": false}`
	if status := statusFor(t, "POST", server.URL+watchAPI+"/runs", boss, run); status != 400 {
		t.Errorf("a run without a version before is answered with %d", status)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}

	server = start("2.0", "0.5")
	stream := openStream(t, server.URL+api+"/events", ada)
	stream.until("event: ready")
	started := string(call(t, "POST", server.URL+watchAPI+"/runs", boss, "application/json", run))
	if !strings.Contains(started, `"base":{"package":"openfisca-small==1.0"}`) || !strings.Contains(started, `"new":{"package":"openfisca-small==2.0"}`) {
		t.Errorf("the run is %s", started)
	}
	stream.until("event: message")
	if data := stream.until("data: "); !strings.Contains(data, `"text":"Tax: 250 before, 500 after"`) || !strings.Contains(data, `"name":"rate"`) {
		t.Errorf("the stream has %s", data)
	}
	if p := await(t, came); p.path != "/bob" || p.body != `{"event":"wakeup"}` {
		t.Errorf("woken by %+v", p)
	}
}
