package simapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/jobs"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/population"
	"edict/simulation/scenario"
	"edict/simulation/simapi"
)

// doorRows are requests for earnings_before, whose inputs are given as earnings, or for earnings where a route computes no input, by route: what is sent (below /api of a GET, in its address), and where
// the answer has the value. A route that is new needs a row, or one in closedDoors or readingDoors.
var doorRows = map[string]struct {
	sent string
	at   []string
}{
	"POST /us/calculate":           {`{"household": {"people": {"a": {"earnings": {"2020": 1000}, "earnings_before": {"2020": null}}}}}`, []string{"result", "people", "a", "earnings_before", "2020"}},
	"POST /calculate":              {`{"people": {"a": {"earnings": {"2020": 1000}, "earnings_before": {"2020": null}}}}`, []string{"people", "a", "earnings_before", "2020"}},
	"POST /trace":                  {`{"people": {"a": {"earnings": {"2020": 1000}, "earnings_before": {"2020": null}}}}`, []string{"trace", "earnings_before<2020>", "value", "0"}},
	"POST /api/1/calculate":        {`{"variables": ["earnings_before"], "output_format": "variables", "scenarios": [{"period": "2020", "input_variables": {"earnings": [1000]}}]}`, []string{"value", "0", "earnings_before", "0"}},
	"POST /api/1/simulate":         {`{"scenarios": [{"period": "2020", "input_variables": {"earnings": [1000]}}]}`, []string{"value", "children", "0", "values", "0"}},
	"POST /api/2/why":              {`{"figure": {"variable": "earnings_before"}, "scenarios": [{"period": "2020", "input_variables": {"earnings": [1000]}}]}`, []string{"value", "value"}},
	"GET /api/1/formula/{name}":    {"/api/1/formula/earnings?period=2020&earnings=1000", []string{"value"}},
	"GET /api/2/formula/{rest...}": {"/api/2/formula/2020/earnings?earnings=1000", []string{"values", "earnings"}},
}

// closedDoors reject the package with a sentence.
var closedDoors = map[string]string{
	"POST /api/2/populations": "--x\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n{\"variables\": [\"earnings\"], \"period\": \"2020\"}\r\n--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"p.csv\"\r\n\r\nperson_id,earnings_before\n1,1000\n\r\n--x--\r\n",
}

// readingDoors compute nothing.
var readingDoors = []string{"DELETE /api/2/populations/{id}"}

// TestPolicyEngineDoors: a package whose own code prepares inputs is computed by every route with the same inputs, or rejected with a sentence that
// names what works.
func TestPolicyEngineDoors(t *testing.T) {
	queue, err := jobs.Open(jobs.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = queue.Close(context.Background()) })
	p := policyPackage(t)
	api := simapi.New(simapi.Options{Country: "us", Headline: "earnings_and_dues", Populations: simapi.PopulationOptions{Queue: queue, Open: true}})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	h, tried := handler(t, api), 0
	for _, s := range api.Services() {
		for _, route := range s.Routes {
			name := route.Method + " " + route.Path
			row, open := doorRows[name]
			body, closed := closedDoors[name]
			switch {
			case open:
				tried++
				target, body := route.Path, row.sent
				if route.Method == http.MethodGet {
					target, body = row.sent, ""
				}
				w := send(h, route.Method, target, body, "Content-Type", "application/json")
				if got := inside(decode(t, w), row.at...); w.Code != http.StatusOK || got != 1000.0 {
					t.Errorf("%s: %v of %d %s", name, got, w.Code, w.Body)
				}
			case closed:
				tried++
				w := send(h, route.Method, route.Path, body, "Content-Type", "multipart/form-data; boundary=x")
				if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "POST /us/calculate") {
					t.Errorf("%s: %d %s", name, w.Code, w.Body)
				}
			case slices.Contains(readingDoors, name), route.Method == http.MethodGet && !strings.Contains(route.Path, "formula"):
			default:
				t.Errorf("%s: does it compute? It needs a row in doorRows, closedDoors or readingDoors", name)
			}
		}
	}
	if tried != len(doorRows)+len(closedDoors) {
		t.Errorf("%d of %d routes were tried", tried, len(doorRows)+len(closedDoors))
	}
	for _, path := range []string{"/variables", "/parameters", "/spec", "/api/1/graph?variable=earnings", "/api/2/catalogue", "/api/2/search?q=earnings"} {
		if w := send(h, http.MethodGet, path, ""); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// inside is what a document has at a path of keys and positions.
func inside(v any, path ...string) any {
	for _, step := range path {
		if list, ok := v.([]any); ok {
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(list) {
				return nil
			}
			v = list[i]
			continue
		}
		m, _ := v.(map[string]any)
		v = m[step]
	}
	return v
}

// TestPreparedReforms: a reform has the law of the package for its baseline, at every door that takes one.
func TestPreparedReforms(t *testing.T) {
	h := policyServer(t)
	const people = `{"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "former_tax": {"2020": null}}}}`
	const reform = `{"gov.rate.NORTH": {"2020-01-01.2020-12-31": 0.5}}`
	const scenarios = `"scenarios": [{"period": "2020", "test_case": {"people": [{"id": "a", "wage": 1000, "age": 30}]}}], "reforms": [{"parameters": ` + reform + `}]`
	want := inside(decode(t, send(h, http.MethodPost, "/us/calculate", `{"household": `+people+`, "policy": `+reform+`}`)), "result", "people", "a", "former_tax", "2020")
	if want == inside(decode(t, send(h, http.MethodPost, "/us/calculate", `{"household": `+people+`}`)), "result", "people", "a", "former_tax", "2020") {
		t.Fatalf("%v with the reform and without it", want)
	}
	w := send(h, http.MethodPost, "/api/1/calculate", `{"variables": ["former_tax"], "output_format": "variables", `+scenarios+`}`)
	if got := inside(decode(t, w), "value", "0", "former_tax", "0"); got != want {
		t.Errorf("%v, want %v: %s", got, want, w.Body)
	}
	w = send(h, http.MethodPost, "/api/2/why", `{"figure": {"variable": "former_tax"}, `+scenarios+`}`)
	if got := inside(decode(t, w), "value", "value"); got != want {
		t.Errorf("%v, want %v: %s", got, want, w.Body)
	}
}

// TestUnpreparedSimulations: whatever makes a simulation of inputs as they are fails closed, reforms included. Households are prepared by what all
// their doors share (TestPreparedHouseholds).
func TestUnpreparedSimulations(t *testing.T) {
	p := policyPackage(t)
	derived, wrong := p.System.Derive(&legislation.Reform{Neutralize: []string{"wage"}})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	dir := t.TempDir()
	input := filepath.Join(dir, "p.csv")
	if err := os.WriteFile(input, []byte("person_id,earnings_before\n1,1000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, system := range []*legislation.System{p.System, derived} {
		job := population.Job{System: system, Input: input, Output: filepath.Join(dir, "out.csv"), Variables: []string{"earnings"}, Period: period.OfYear(2020)}
		part := job
		part.Part = &population.Part{Index: 1, Of: 1}
		for name, compute := range map[string]func() error{
			"a simulation": func() error {
				_, err := engine.New(t.Context(), system, engine.Spec{Persons: 1}, engine.Options{})
				return err
			},
			"a plan": func() error {
				_, err := new(engine.Executor).Play(t.Context(), nil, system, engine.Spec{Persons: 1}, nil, nil)
				return err
			},
			"a population": func() error { _, err := job.Run(t.Context()); return err },
			"a part":       func() error { _, err := part.RunPart(t.Context()); return err },
		} {
			if err := compute(); err == nil {
				t.Errorf("%s is computed", name)
			} else if _, ok := errors.AsType[*legislation.Unprepared](err); !ok {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestPreparedHouseholds: whatever makes a simulation of a household prepares its inputs, reforms included.
func TestPreparedHouseholds(t *testing.T) {
	p := policyPackage(t)
	derived, wrong := p.System.Derive(&legislation.Reform{Neutralize: []string{"wage"}})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	api := simapi.New(simapi.Options{})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	law, err := api.LawInForce()
	if err != nil {
		t.Fatal(err)
	}
	household := simapi.Household{Document: json.RawMessage(`{"people": {"a": {"earnings": {"2020": 1000}}}}`), Period: "2020", Figures: []simapi.HouseholdFigure{{Variable: "earnings_before"}}}
	for _, system := range []*legislation.System{p.System, derived} {
		doc, err := scenario.DecodeJSON([]byte(doorRows["POST /calculate"].sent))
		if err != nil {
			t.Fatal(err)
		}
		if err := scenario.Calculate(t.Context(), system, doc, engine.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := string(scenario.AppendJSON(nil, doc)); !strings.Contains(got, `"earnings_before":{"2020":1000.0}`) {
			t.Errorf("a situation: %s", got)
		}
	}
	if got, err := law.Figures(t.Context(), household); err != nil || got[0] != 1000 {
		t.Errorf("a watch: %v %v", got, err)
	}
	for _, times := range []int{1, 3} { // each alone, and all together
		err := simapi.Compare(t.Context(), law, law, slices.Repeat([]simapi.Household{household}, times), func(_ int, before, after []float64, err error) {
			if err != nil || before[0] != 1000 || after[0] != 1000 {
				t.Errorf("a run of %d: %v %v %v", times, before, after, err)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// policyPackage is a package that is named as PolicyEngine's are.
func policyPackage(t *testing.T) *country.Package {
	t.Helper()
	const from = "../yamltest/testdata/policyengine/feature_policy"
	dir := filepath.Join(t.TempDir(), "policyengine_us")
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(dir, name), 0o755))
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(string(text), "feature_policy", "policyengine_us")), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	src, err := country.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
