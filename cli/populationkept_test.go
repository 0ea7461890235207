package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/cli"
)

// longLaw is a package that takes long to load, whose formulas do some ten thousand things to a salary, with a scale, a parameter by zone and members
// of an enumeration among them.
var longLaw = map[string]string{
	"__init__.py": "from long_law.system import CountryTaxBenefitSystem\nn = 0\nfor i in range(510_000):\n    n += 1\n",
	"entities.py": "from openfisca_core.entities import build_entity\nPerson = build_entity('person', 'persons', 'A person', is_person=True)\n",
	"system.py": `import os
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from long_law import entities
class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__([entities.Person])
        here = os.path.dirname(__file__)
        self.load_parameters(os.path.join(here, 'parameters'))
        self.add_variables_from_directory(os.path.join(here, 'variables'))
`,
	"parameters/rate.yaml":    "description: A rate\nvalues:\n  2010-01-01:\n    value: 0.01\n",
	"parameters/by_zone.yaml": "description: Rents\nnorth:\n  description: North\n  values:\n    2010-01-01:\n      value: 300\nsouth:\n  description: South\n  values:\n    2010-01-01:\n      value: 500\n",
	"parameters/scale.yaml":   "description: A scale\nbrackets:\n- threshold:\n    2010-01-01:\n      value: 0\n  rate:\n    2010-01-01:\n      value: 0.1\n- threshold:\n    2010-01-01:\n      value: 1000\n  rate:\n    2010-01-01:\n      value: 0.3\n",
	"variables/all.py": `from openfisca_core.model_api import *
from long_law.entities import Person
class Zone(Enum):
    __order__ = "north south"
    north = "North"
    south = "South"
class zone(Variable):
    value_type = Enum
    possible_values = Zone
    default_value = Zone.north
    entity = Person
    definition_period = MONTH
class salary(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
class where(Variable):
    value_type = Enum
    possible_values = Zone
    default_value = Zone.north
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        return select([person("salary", period) > 2500], [Zone.south], Zone.north)
class total(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        x, law = person("salary", period), parameters(period)
        for i in range(4000):
            x = x + law.rate * (x > i)
        away = person("where", period) != person("zone", period)
        return x - law.scale.calc(x) + law.by_zone[person("zone", period)] * away
`,
}

// writeLongLaw makes a working directory with the package and three files for it.
func writeLongLaw(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range longLaw {
		file := filepath.Join(dir, "long_law", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, persons := range map[string]int{"one.csv": 12_500, "other.csv": 12_500, "few.csv": 600} {
		r := rand.New(rand.NewPCG(uint64(len(file)), 3))
		rows := []byte("person_id,salary,zone\n")
		for i := range persons {
			rows = fmt.Appendf(rows, "%d,%.2f,%s\n", i, r.Float64()*5000, []string{"north", "south"}[r.IntN(2)])
		}
		if err := os.WriteFile(file, rows, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// keptFiles lists what a cache keeps of populations.
func keptFiles(t *testing.T, cache string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cache, "*.kept"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestPopulationsByKeptPlans: jobs that ask what an earlier one asked give what formulas give, for other rows too, and so do parts; another law has a
// plan of its own. For few persons a plan is kept from the second such job on.
func TestPopulationsByKeptPlans(t *testing.T) {
	writeLongLaw(t)
	compute := func(input, cache string, more ...string) string {
		t.Helper()
		args := append(strings.Fields("population compute --quiet --country long_law --variables total --period 2020-01 --output out.csv --input "+input+" --cache "+cache), more...)
		if status, _, stderr := run(t, args...); status != 0 {
			t.Fatalf("%v: status %d\n%s", args, status, stderr)
		}
		text, err := os.ReadFile("out.csv")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	one, other, changed := compute("one.csv", "off"), compute("other.csv", "off"), compute("other.csv", "off", "--set", "rate=0.02")
	if one == other || other == changed {
		t.Fatal("what is to differ does not")
	}
	var before os.FileInfo
	for i, c := range []struct {
		input, want string
		set         []string
		kept        int // files, after it
	}{{"one.csv", one, nil, 1}, {"one.csv", one, nil, 1}, {"other.csv", other, nil, 1}, {"other.csv", changed, []string{"--set", "rate=0.02"}, 2}, {"other.csv", changed, []string{"--set", "rate=0.02"}, 2}} {
		if compute(c.input, "cache", c.set...) != c.want {
			t.Errorf("job %d: other numbers than without a cache", i+1)
		}
		if files := keptFiles(t, "cache"); len(files) != c.kept {
			t.Errorf("job %d: kept %v, want %d", i+1, files, c.kept)
		}
		if now, err := os.Stat(keptFiles(t, "cache")[0]); err != nil || i == 1 && !os.SameFile(before, now) {
			t.Errorf("job %d: what was asked before was recorded once more (%v)", i+1, err)
		} else {
			before = now
		}
	}
	few := compute("few.csv", "off")
	var sizes []int64
	for i := range 3 {
		if compute("few.csv", "fresh") != few {
			t.Errorf("few persons, job %d: other numbers than without a cache", i+1)
		}
		if files := keptFiles(t, "fresh"); len(files) != 1 {
			t.Fatalf("few persons, job %d: kept %v", i+1, files)
		}
		info, err := os.Stat(keptFiles(t, "fresh")[0])
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	if sizes[1] < 10*sizes[0] || sizes[2] != sizes[1] {
		t.Errorf("what is kept of a question about few persons has %d bytes", sizes)
	}
	if err := os.Mkdir("parts", 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		part := fmt.Sprint(i + 1)
		compute("other.csv", "cache", "--part", part+"/3", "--output", "parts/"+part+".csv")
	}
	if status, _, stderr := run(t, "population", "merge", "--quiet", "--output", "out.csv", "parts"); status != 0 {
		t.Fatal(stderr)
	}
	if merged, err := os.ReadFile("out.csv"); err != nil || string(merged) != other {
		t.Errorf("parts have other numbers (%v)", err)
	}
}

// TestPopulationsOfServersByKeptPlans: servers of different laws that share a cache give the numbers of their own.
func TestPopulationsOfServersByKeptPlans(t *testing.T) {
	writeLongLaw(t)
	for _, set := range [][]string{nil, {"rate=0.02"}, nil} {
		args := strings.Fields("population compute --quiet --country long_law --variables total --period 2020-01 --output out.csv --input one.csv --cache off")
		for _, change := range set {
			args = append(args, "--set", change)
		}
		if status, _, stderr := run(t, args...); status != 0 {
			t.Fatal(stderr)
		}
		want, err := os.ReadFile("out.csv")
		if err != nil {
			t.Fatal(err)
		}
		if got := rowsOverHTTP(t, set, `{"variables": ["total"], "period": "2020-01"}`); got != string(want) {
			t.Errorf("with %v the server has other numbers", set)
		}
	}
	for _, c := range []struct {
		options string
		kept    int
	}{
		{`{"period": "2020-01", "tolerance": 5, "variables": ["total"]}`, 2}, // the same question
		{`{"variables": ["total"], "period": "2020-01", "set": ["rate=0.03"]}`, 3},
		{`{"variables": ["total"], "period": "2020-01", "set": ["rate=0.03"], "tolerance": 5}`, 3},
	} {
		rowsOverHTTP(t, nil, c.options)
		if kept := keptFiles(t, "cache"); len(kept) != c.kept {
			t.Errorf("after %s: kept %v, want %d: a plan for each law", c.options, kept, c.kept)
		}
	}
}

// rowsOverHTTP gives the rows of a population that a server of the package computes itself.
func rowsOverHTTP(t *testing.T, set []string, options string) string {
	t.Helper()
	cfg := cli.DefaultConfig()
	cfg.Server.Listen, cfg.Server.Data = "127.0.0.1:0", filepath.Join(t.TempDir(), "data")
	cfg.Simulation.Country, cfg.Simulation.Cache, cfg.Simulation.Set, cfg.Simulation.Populations = "long_law", "cache", set, "open"
	server := cli.NewServer(cfg, &cli.Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: t.Output(), Now: time.Now})
	if err := server.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	}()
	for status := 0; status != http.StatusOK; time.Sleep(5 * time.Millisecond) { // until the legislation is there
		status, _ = textAt(t, server.URL()+"/readyz")
	}
	contentType, body := populationForm(t, "one.csv", options)
	resp, err := http.Post(server.URL()+"/api/2/populations", contentType, body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	here := server.URL() + resp.Header.Get("Location")
	if _, events := textAt(t, here+"/events"); !strings.Contains(events, `"state":"done"`) { // which end with the population
		t.Fatal(resp.Status, events)
	}
	_, rows := textAt(t, here+"/rows")
	return rows
}

// populationForm is what a population is sent as.
func populationForm(t *testing.T, file, options string) (contentType string, body io.Reader) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	part, _ := form.CreateFormFile("file", file)
	_, _ = part.Write(text)
	_ = form.WriteField("options", options)
	_ = form.Close()
	return form.FormDataContentType(), &out
}

// textAt gives what is at an address.
func textAt(t *testing.T, url string) (status int, text string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}
