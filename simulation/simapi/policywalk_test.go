package simapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/simapi"
)

// TestOriginalDoors sends recorded households through every door that computes one, and compares with the original's answers as
// TestOriginalHouseholds does. Households that differ at POST /us/calculate, or its sibling, are left out; so are those that /calculate cannot say.
func TestOriginalDoors(t *testing.T) {
	pkg := originalPackage(t)
	api := simapi.New(simapi.Options{Timeout: 10 * time.Minute, Memory: 4 << 30})
	if err := api.Load(t.Context(), pkg, pkg.System); err != nil {
		t.Fatal(err)
	}
	law, err := api.LawInForce()
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{t: t, h: handler(t, api), law: law, system: pkg.System, values: map[string]int{}, households: map[string]int{}}
	differ := map[string]bool{} // by line
	for key := range differences(t) {
		line, _, _ := strings.Cut(key, " ")
		differ[line] = true
	}
	for line, want := range recordings(t) {
		if want.Answer["error"] == nil && !differ[fmt.Sprint(line)] {
			w.read(line, want)
			w.through()
		}
	}
	for _, door := range doors {
		t.Logf("%-22s %4d requests, %6d values", door.name, w.households[door.name], w.values[door.name])
		if w.households[door.name] == 0 {
			t.Errorf("%s computed none", door.name)
		}
	}
	t.Logf("%d requests of /api/1 and /api/2 were rejected by their form", w.unsaid)
}

// walk is a recorded household on its way through the doors.
type walk struct {
	t                  *testing.T
	h                  http.Handler
	law                *simapi.Law
	system             *legislation.System
	values, households map[string]int
	unsaid             int // requests that a form of scenarios cannot say

	line   int
	want   recorded
	doc    legislation.Data // the household
	policy bool
	axes   bool
	asked  []scenario.Request
}

func (w *walk) read(line int, want recorded) {
	doc, err := scenario.DecodeJSON(want.Household)
	if err != nil {
		w.t.Fatal(err)
	}
	_, axes := doc.Get("axes")
	w.line, w.want, w.doc, w.axes, w.policy = line, want, doc, axes, len(want.Policy) > 2
	w.asked = scenario.Requests(w.system, doc)
}

// doors compute a household; answers false where they cannot say it.
var doors = []struct {
	name    string
	compute func(w *walk) bool
}{
	{"edict calculate", (*walk).command},
	{"POST /calculate", (*walk).calculate},
	{"POST /trace", (*walk).trace},
	{"POST /api/1/calculate", (*walk).scenarios},
	{"POST /api/2/why", (*walk).why},
	{"a watch", (*walk).watch},
	{"a watch, compared", (*walk).compare},
}

func (w *walk) through() {
	for _, door := range doors {
		if door.compute(w) {
			w.households[door.name]++
		}
	}
}

// same compares a value with the original's.
func (w *walk) same(door string, r scenario.Request, got any) {
	w.values[door]++
	want := at(w.want.Answer, []string{r.Entity.Plural, r.Member, r.Variable.Name, r.Period})
	if text := compared(got, want); text != "" {
		w.t.Errorf("%d (%s) %s: %s/%s/%s: %s", w.line, w.want.Kind, door, r.Member, r.Variable.Name, r.Period, text)
	}
}

func (w *walk) failed(door string, what ...any) bool {
	w.t.Errorf("%d (%s) %s: %s", w.line, w.want.Kind, door, fmt.Sprint(what...))
	return false
}

// unsayable reports whether an answer rejects what scenarios cannot say: persons in no group, and whole numbers with a part.
func (w *walk) unsayable(status int, text string) bool {
	if status != http.StatusBadRequest || !strings.Contains(text, "Individual is missing from") && !strings.Contains(text, "must be an integer") {
		return false
	}
	w.unsaid++
	return true
}

// finite reports whether the original's answers are numbers that every form of answer has.
func (w *walk) finite() bool {
	text, _ := json.Marshal(w.want.Answer)
	return !strings.Contains(string(text), `"inf"`) && !strings.Contains(string(text), `"nan"`) && !strings.Contains(string(text), `"-inf"`)
}

func (w *walk) command() bool {
	if w.policy || w.axes || !w.finite() {
		return false
	}
	doc, _ := scenario.DecodeJSON(w.want.Household)
	if err := scenario.Calculate(w.t.Context(), w.system, doc, engine.Options{}); err != nil {
		return w.failed("edict calculate", err)
	}
	return w.filled("edict calculate", scenario.AppendJSON(nil, doc))
}

// filled compares a document with its nulls filled in.
func (w *walk) filled(door string, text []byte) bool {
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		return w.failed(door, err)
	}
	for _, r := range w.asked {
		w.same(door, r, at(got, []string{r.Entity.Plural, r.Member, r.Variable.Name, r.Period}))
	}
	return true
}

func (w *walk) calculate() bool {
	if w.policy || w.axes || !w.finite() {
		return false
	}
	a := send(w.h, http.MethodPost, "/calculate", string(w.want.Household))
	if a.Code != http.StatusOK {
		return w.failed("POST /calculate", a.Body)
	}
	return w.filled("POST /calculate", a.Body.Bytes())
}

func (w *walk) trace() bool {
	if w.policy || w.axes || !w.finite() {
		return false
	}
	a := send(w.h, http.MethodPost, "/trace", string(w.want.Household))
	if a.Code != http.StatusOK {
		return w.failed("POST /trace", a.Body)
	}
	var got struct {
		Trace map[string]struct{ Value []any }
		Who   map[string][]string `json:"entitiesDescription"`
	}
	if err := json.Unmarshal(a.Body.Bytes(), &got); err != nil {
		return w.failed("POST /trace", err)
	}
	for _, r := range w.asked {
		row := slices.Index(got.Who[r.Entity.Plural], r.Member)
		if step, ok := got.Trace[r.Variable.Name+"<"+r.Period+">"]; ok && row < len(step.Value) {
			w.same("POST /trace", r, step.Value[row])
		}
	}
	return true
}

// scenario is the household as a test case of /api/1, without what it asks for.
func (w *walk) scenario() map[string]any {
	entities := map[string]any{}
	for plural, members := range w.doc.Map.All() {
		if plural == "axes" {
			continue
		}
		list := []any{}
		for id, member := range members.Map.All() {
			m := map[string]any{"id": id}
			for key, value := range member.Map.All() {
				if value.Kind != legislation.Mapping {
					m[key] = json.RawMessage(scenario.AppendJSON(nil, value))
					continue
				}
				given := map[string]json.RawMessage{}
				for on, v := range value.Map.All() {
					if v.Kind != legislation.Null {
						given[on] = scenario.AppendJSON(nil, v)
					}
				}
				if len(given) > 0 {
					m[key] = given
				}
			}
			list = append(list, m)
		}
		entities[plural] = list
	}
	return map[string]any{"period": w.asked[0].Period, "test_case": entities}
}

// reforms are those of the policy.
func (w *walk) reforms() []any {
	return []any{map[string]any{"parameters": w.want.Policy}}
}

func (w *walk) scenarios() bool {
	if w.axes || len(w.asked) == 0 || !w.finite() {
		return false
	}
	byPeriod := map[string][]scenario.Request{}
	for _, r := range w.asked {
		byPeriod[r.Period] = append(byPeriod[r.Period], r)
	}
	for _, on := range slices.Sorted(maps.Keys(byPeriod)) {
		if !w.onPeriod(on, byPeriod[on]) {
			return false
		}
	}
	return true
}

// onPeriod asks for what is asked on one period: a list has no others.
func (w *walk) onPeriod(on string, asked []scenario.Request) bool {
	const door = "POST /api/1/calculate"
	var variables []any
	for _, r := range asked {
		if v := map[string]any{"name": r.Variable.Name, "period": on}; !slices.ContainsFunc(variables, func(other any) bool { return reflect.DeepEqual(other, v) }) {
			variables = append(variables, v)
		}
	}
	request := map[string]any{"variables": variables, "output_format": "variables", "scenarios": []any{w.scenario()}}
	if w.policy {
		request["reforms"] = w.reforms()
	}
	body, _ := json.Marshal(request)
	a := send(w.h, http.MethodPost, door[5:], string(body))
	var got struct {
		Value []map[string][]any
		Error any
	}
	if w.unsayable(a.Code, a.Body.String()) {
		return false
	}
	if err := json.Unmarshal(a.Body.Bytes(), &got); err != nil || a.Code != http.StatusOK {
		return w.failed(door, a.Code, " ", err, got.Error)
	}
	for _, r := range asked {
		if list := got.Value[0][r.Variable.Name]; w.row(r) < len(list) {
			w.same(door, r, list[w.row(r)])
		} else {
			return w.failed(door, r.Variable.Name, list)
		}
	}
	return true
}

// row is the position of a member.
func (w *walk) row(r scenario.Request) int {
	members, _ := w.doc.Get(r.Entity.Plural)
	return slices.Index(members.Map.Keys(), r.Member)
}

// figures are those of the requests that every door can say: numbers of a period of the variable.
func (w *walk) figures() (of []scenario.Request) {
	for _, r := range w.asked {
		at, err := w.system.ParsePeriod(r.Period)
		if err == nil && at.Unit == r.Variable.Period && at.Size == 1 && (r.Variable.Type == legislation.Float || r.Variable.Type == legislation.Int) {
			of = append(of, r)
		}
	}
	return of
}

func (w *walk) why() bool {
	const door = "POST /api/2/why"
	of := w.figures()
	if w.axes || len(of) == 0 || !w.finite() {
		return false
	}
	for i := range min(2, len(of)) {
		r := of[(w.line+i*len(of)/2)%len(of)]
		request := map[string]any{"figure": map[string]any{"variable": r.Variable.Name, "period": r.Period, "index": w.row(r)}, "scenarios": []any{w.scenario()}}
		if w.policy {
			request["reforms"] = w.reforms()
		}
		body, _ := json.Marshal(request)
		a := send(w.h, http.MethodPost, door[5:], string(body))
		var got struct{ Value struct{ Value any } }
		if w.unsayable(a.Code, a.Body.String()) {
			return false
		}
		if err := json.Unmarshal(a.Body.Bytes(), &got); err != nil || a.Code != http.StatusOK {
			return w.failed(door, a.Body)
		}
		w.same(door, r, got.Value.Value)
	}
	return true
}

// household is that of a watch, with the figures of one period.
func (w *walk) household() (simapi.Household, []scenario.Request) {
	of := w.figures()
	if len(of) == 0 {
		return simapi.Household{}, nil
	}
	h := simapi.Household{Document: w.want.Household, Period: of[0].Period}
	of = slices.DeleteFunc(of, func(r scenario.Request) bool { return r.Period != h.Period })
	for _, r := range of {
		h.Figures = append(h.Figures, simapi.HouseholdFigure{Variable: r.Variable.Name, Index: w.row(r)})
	}
	return h, of
}

func (w *walk) watch() bool {
	h, of := w.household()
	if w.policy || w.axes || len(of) == 0 || !w.finite() {
		return false
	}
	got, err := w.law.Figures(w.t.Context(), h)
	if err != nil {
		return w.failed("a watch", err)
	}
	for i, r := range of {
		w.same("a watch", r, got[i])
	}
	return true
}

func (w *walk) compare() bool {
	const door = "a watch, compared"
	h, of := w.household()
	if !w.policy || w.axes || len(of) == 0 || !w.finite() {
		return false
	}
	text, _ := json.Marshal(w.reforms())
	reformed, err := w.law.Reformed(w.t.Context(), text)
	if err != nil {
		return w.failed(door, err)
	}
	// Two of a shape are computed together.
	err = simapi.Compare(w.t.Context(), w.law, reformed, []simapi.Household{h, h}, func(_ int, _, after []float64, err error) {
		if err != nil {
			w.failed(door, err)
			return
		}
		for i, r := range of {
			w.same(door, r, after[i])
		}
	})
	if err != nil {
		return w.failed(door, err)
	}
	return true
}
