package simapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
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

// doorBodies are requests that every law with these variables computes, by route. A route that is new needs a row, or one in openDoors.
var doorBodies = map[string]string{
	"POST /calculate":              `{"people": {"a": {"earnings_before": {"2020": 1000}, "earnings": {"2020": null}}}}`,
	"POST /trace":                  `{"people": {"a": {"earnings_before": {"2020": 1000}, "earnings": {"2020": null}}}}`,
	"POST /api/1/calculate":        `{"variables": ["earnings"], "output_format": "variables", "scenarios": [{"period": "2020", "input_variables": {"earnings_before": [1000]}}]}`,
	"POST /api/1/simulate":         `{"scenarios": [{"period": "2020", "input_variables": {"earnings_before": [1000]}}]}`,
	"POST /api/2/why":              `{"figure": {"variable": "earnings"}, "scenarios": [{"period": "2020", "input_variables": {"earnings_before": [1000]}}]}`,
	"POST /api/2/populations":      "--x\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n{\"variables\": [\"earnings\"], \"period\": \"2020\"}\r\n--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"p.csv\"\r\n\r\nperson_id,earnings_before\n1,1000\n\r\n--x--\r\n",
	"GET /api/1/formula/{name}":    "/api/1/formula/earnings?period=2020&earnings_before=1000",
	"GET /api/2/formula/{rest...}": "/api/2/formula/2020/earnings?earnings_before=1000",
}

// openDoors only read the law, or prepare inputs.
var openDoors = []string{"POST /us/calculate", "DELETE /api/2/populations/{id}"}

// TestPolicyEngineDoors: a package whose own code prepares inputs is computed by its own route alone. Every other route rejects it with a sentence
// that names what works.
func TestPolicyEngineDoors(t *testing.T) {
	queue, err := jobs.Open(jobs.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = queue.Close(context.Background()) })
	p := policyPackage(t)
	api := simapi.New(simapi.Options{Country: "us", Populations: simapi.PopulationOptions{Queue: queue, Open: true}})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	h, tried := handler(t, api), 0
	for _, s := range api.Services() {
		for _, route := range s.Routes {
			name := route.Method + " " + route.Path
			body, closed := doorBodies[name]
			if slices.Contains(openDoors, name) || !closed && route.Method == http.MethodGet && !strings.Contains(route.Path, "formula") {
				continue
			}
			if !closed {
				t.Errorf("%s: does it compute? It needs a row in doorBodies or in openDoors", name)
				continue
			}
			tried++
			target, kind := route.Path, "application/json"
			if route.Method == http.MethodGet {
				target, body = body, ""
			} else if strings.HasPrefix(body, "--x") {
				kind = "multipart/form-data; boundary=x"
			}
			w := send(h, route.Method, target, body, "Content-Type", kind)
			if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "POST /us/calculate") {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
		}
	}
	if tried != len(doorBodies) {
		t.Errorf("%d of %d routes were tried", tried, len(doorBodies))
	}
	for _, path := range []string{"/variables", "/parameters", "/spec", "/api/1/graph?variable=earnings", "/api/2/catalogue", "/api/2/search?q=earnings"} {
		if w := send(h, http.MethodGet, path, ""); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestUnpreparedSimulations: what routes and commands stand on fails closed, reforms included, whatever a caller forgets.
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
	api := simapi.New(simapi.Options{})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	law, err := api.LawInForce()
	if err != nil {
		t.Fatal(err)
	}
	household := simapi.Household{Document: json.RawMessage(`{"people": {"a": {"wage": {"2020": 1}}}}`), Period: "2020", Figures: []simapi.HouseholdFigure{{Variable: "wage"}}}
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
			"a situation": func() error {
				doc, err := scenario.DecodeJSON([]byte(doorBodies["POST /calculate"]))
				return errors.Join(err, scenario.Calculate(t.Context(), system, doc, engine.Options{}))
			},
			"a population": func() error { _, err := job.Run(t.Context()); return err },
			"a part":       func() error { _, err := part.RunPart(t.Context()); return err },
			"a watch":      func() error { _, err := law.Figures(t.Context(), household); return err },
			"a run": func() (failed error) {
				err := simapi.Compare(t.Context(), law, law, []simapi.Household{household}, func(_ int, _, _ []float64, err error) { failed = err })
				return errors.Join(failed, err)
			},
			"steps": func() (failed error) {
				err := simapi.Differences(t.Context(), law, law, []simapi.Household{household}, []int{0}, func(_ int, _ []simapi.Step, err error) { failed = err })
				return errors.Join(failed, err)
			},
		} {
			if err := compute(); err == nil {
				t.Errorf("%s is computed", name)
			} else if _, ok := errors.AsType[*legislation.Unprepared](err); !ok {
				t.Errorf("%s: %v", name, err)
			}
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
