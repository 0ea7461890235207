package simapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"edict/simulation/country"
	"edict/simulation/simapi"
)

// wideServer serves a law in which every one of 300 values reads the parameter p, and records behind requests until the test ends.
func wideServer(t *testing.T, pause time.Duration) (*simapi.API, http.Handler) {
	t.Helper()
	variables := strings.Builder{}
	variables.WriteString("from openfisca_core.model_api import *\nfrom wide.entities import Person\n\nclass x(Variable):\n    value_type = float\n    entity = Person\n    definition_period = YEAR\n")
	for i := range 300 {
		fmt.Fprintf(&variables, "\nclass v%d(Variable):\n    value_type = float\n    entity = Person\n    definition_period = YEAR\n    def formula(person, period, parameters):\n        return person('x', period) * parameters(period).p + %d\n", i, i)
	}
	variables.WriteString("\nclass total(Variable):\n    value_type = float\n    entity = Person\n    definition_period = YEAR\n    def formula(person, period):\n        return sum(person('v' + str(i), period) for i in range(300))\n")
	src, err := country.OpenFS(fstest.MapFS{
		"wide/__init__.py": {Data: []byte(`import os
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from wide import entities
class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__([entities.Person])
        self.add_variables_from_file(os.path.join(os.path.dirname(__file__), "variables.py"))
        self.load_parameters(os.path.join(os.path.dirname(__file__), "parameters"))
`)},
		"wide/entities.py":       {Data: []byte("from openfisca_core.entities import build_entity\nPerson = build_entity(key='person', plural='persons', label='', is_person=True)\n")},
		"wide/variables.py":      {Data: []byte(variables.String())},
		"wide/parameters/p.yaml": {Data: []byte("values: {2000-01-01: {value: 1}}\n")},
	}, "wide")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	api := simapi.New(simapi.Options{})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	api.SetTranscriptPause(pause)
	ctx, stop := context.WithCancel(context.Background())
	var behind sync.WaitGroup
	behind.Go(func() { api.RecordBehind(ctx) })
	t.Cleanup(func() { stop(); behind.Wait() })
	api.AwaitOpen(t)
	return api, handler(t, api)
}

// total asks for the sum of x times p over all values, with and without a reform, and wants it right.
func total(t *testing.T, h http.Handler, x, p int) {
	t.Helper()
	reforms := ""
	want := fmt.Sprintf(`"value":[{"total":[%d.0]}]`, 300*x+299*150)
	if p != 1 {
		reforms = fmt.Sprintf(`"reforms": [{"parameters": {"p": {"2020-01-01": %d}}}], `, p)
		want = fmt.Sprintf(`"value":[{"total":[%d.0]}],"base_%s`, 300*x*p+299*150, want[1:])
	}
	w := send(h, http.MethodPost, "/api/1/calculate", fmt.Sprintf(`{%s"output_format": "variables", "variables": ["total"], "scenarios": [{"period": "2024", "test_case": {"persons": [{"id": "a", "x": %d}]}}]}`, reforms, x))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
		t.Fatalf("x=%d, p=%d: %d %s\nwant %s", x, p, w.Code, w.Body, want)
	}
}

// played counts the simulations that some requests play.
func played(api *simapi.API, requests func()) int64 {
	before, _ := api.Simulations()
	requests()
	after, _ := api.Simulations()
	return after - before
}

// TestReformsAreRecordedBehind: the first request with a reform that reaches everything runs formulas, and is recorded when it was
// answered, so that the second is played; the base is played by both.
func TestReformsAreRecordedBehind(t *testing.T) {
	api, h := wideServer(t, time.Millisecond)
	for x := range 9 {
		total(t, h, x, 1)
	}
	if n := played(api, func() { total(t, h, 10, 3) }); n != 1 {
		t.Errorf("the first request played %d of its sides, want that of the base", n)
	}
	api.AwaitRecorded(t)
	if n := played(api, func() { total(t, h, 11, 3) }); n != 2 || api.Recordings() != 1 {
		t.Errorf("the second request played %d of its sides, after %d recordings", n, api.Recordings())
	}
}

// TestSliderIsNotRecorded: of reforms that are asked for once, as those of a slider are, only the latest waits for being recorded;
// one that is asked for again need not wait.
func TestSliderIsNotRecorded(t *testing.T) {
	api, h := wideServer(t, time.Hour)
	for x := range 9 {
		total(t, h, x, 1)
	}
	for p := range 20 {
		total(t, h, 7, p+2)
	}
	api.AwaitAgain(t)
	recordings := api.Recordings() // before the next request, which is recorded at once
	if n := played(api, func() { total(t, h, 8, 9) }); n != 1 || recordings != 0 {
		t.Errorf("a reform that was asked for once plays %d sides, after %d recordings", n, recordings)
	}
	api.AwaitAgain(t)
	if n := played(api, func() { total(t, h, 9, 9) }); n != 2 || api.Recordings() != 1 {
		t.Errorf("a reform that was asked for twice plays %d sides, after %d recordings", n, api.Recordings())
	}
}

// TestRecordingsTogether: reforms that are asked for by many at once, while some are recorded and more come than are kept, give what they give.
func TestRecordingsTogether(t *testing.T) {
	api, h := wideServer(t, 0)
	for x := range 9 {
		total(t, h, x, 1)
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 60 {
				total(t, h, 2+i%11, 2+(i*7+k)%23)
			}
		})
	}
	all.Wait()
	api.AwaitRecorded(t)
	if api.Recordings() == 0 {
		t.Error("nothing was recorded")
	}
}
