package simapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"edict/platform/longtest"
	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/simapi"
)

// zeroes are formulas that give zero, and what is told of it: the expression, what it is, and the numbers in it.
var zeroes = []struct{ formula, want string }{
	{`return salary * (age < 18)`, `age < 18 is false: age 40 (age), 18 18`},
	{`return where(age > limit, 0, salary)`, `age > limit is true: age 40 (age), limit 25 {limits.age}`},
	{`return where(age > limit, salary * 0, 0)`, `salary * 0 is 0: salary 100 (salary), 0 0`},
	{`return where(age > limit, 0, 0)`, `age > limit is true: age 40 (age), limit 25 {limits.age}`},
	{`return where(age > limit, person("pension", period), salary)`, `age > limit is true: age 40 (age), limit 25 {limits.age}; person('pension', period) is 0: person('pension', period) 0 (pension)`},
	{`return max_(0, 50 - salary)`, `max_(0, 50 - salary) is 0: 0 0, 50 - salary -50`},
	{`return min_(salary, person("pension", period))`, `person('pension', period) is 0: person('pension', period) 0 (pension)`},
	{`return salary * not_(age > 18)`, `age > 18 is true: age 40 (age), 18 18`},
	{`return salary * (1 - (age > 18))`, `age > 18 is true: age 40 (age), 18 18`},
	{`return salary * ((age < 18) + (age > 64))`, `age < 18 is false: age 40 (age), 18 18; age > 64 is false: age 40 (age), 64 64`},
	{`return salary * ((age < 18) | (age > 64))`, `age < 18 is false: age 40 (age), 18 18; age > 64 is false: age 40 (age), 64 64`},
	{`return salary * (age > 18) * ~(age > 30)`, `age > 30 is true: age 40 (age), 30 30`},
	{`return person("pension", period) + person("gift", period)`, `person('pension', period) + person('gift', period) is 0: person('pension', period) 0 (pension), person('gift', period) 0 (gift)`},
	{`return salary - salary`, `salary - salary is 0: salary 100 (salary), salary 100 (salary)`},
	{"young = age < 18\n        amount = salary * young\n        return round_(amount / 2)", `age < 18 is false: age 40 (age), 18 18`},
	{"if period.start.year > 2020:\n            return salary * 0\n        return salary", `salary * 0 is 0: salary 100 (salary), 0 0; period.start.year > 2020 is true: period.start.year 2024, 2020 2020`},
	{`return select([age < 18, age > 30], [salary, 0])`, `age > 30 is true: age 40 (age), 30 30`},
	{`return salary * 0 if period.start.year > 2020 else salary`, `period.start.year > 2020 is true: period.start.year 2024, 2020 2020; salary * 0 is 0: salary 100 (salary), 0 0`},
	{`return 0`, `0 is 0:`},
	{`return (age < 18) and salary`, ``}, // an array of two has no truth: the formula fails
	{`return salary * logical_and(age > 18, age < 18)`, `age < 18 is false: age 40 (age), 18 18`},
	{`return person("young", period) * salary`, `person('young', period) is false: person('young', period) false (young); young<2024>[0]: age < parameters(period).limits.age is false: age 40 (age), parameters(period).limits.age 25 {limits.age}`},
	{`return person.household.sum(person.household.members("pension", period))`, `person.household.sum(person.household.members('pension', period)) is 0: person.household.members('pension', period) 0 (pension)`},
}

func zeroPackage(formulas ...string) fstest.MapFS {
	files := villagePackage("x0")
	var text strings.Builder
	text.WriteString(`
from numpy import logical_and, select
from openfisca_core.model_api import *
from village.entities import Household, Person
`)
	for _, input := range []string{"salary", "pension", "gift", "age"} {
		kind := map[bool]string{true: "int", false: "float"}[input == "age"]
		fmt.Fprintf(&text, "class %s(Variable):\n    value_type = %s\n    entity = Person\n    definition_period = YEAR\n\n", input, kind)
	}
	text.WriteString("class young(Variable):\n    value_type = bool\n    entity = Person\n    definition_period = YEAR\n\n    def formula(person, period, parameters):\n        age = person(\"age\", period)\n        return age < parameters(period).limits.age\n\n")
	for i, f := range formulas {
		fmt.Fprintf(&text, "class x%d(Variable):\n    value_type = float\n    entity = Person\n    definition_period = YEAR\n\n    def formula(person, period, parameters):\n"+
			"        salary = person(\"salary\", period)\n        age = person(\"age\", period)\n        limit = parameters(period).limits.age\n        %s\n\n", i, f)
	}
	files["village/variables.py"] = &fstest.MapFile{Data: []byte(text.String())}
	files["village/parameters/limits/age.yaml"] = &fstest.MapFile{Data: []byte("description: Limit\nvalues:\n  2000-01-01:\n    value: 21\n  2020-01-01:\n    value: 25\nmetadata:\n  unit: year\n  reference:\n    2020-01-01: {title: Law 7, href: https://law.example/7}\n")}
	init := strings.Replace(string(files["village/__init__.py"].Data), `"variables.py"))`, `"variables.py"))
        self.load_parameters(os.path.join(os.path.dirname(os.path.abspath(__file__)), "parameters"))`, 1)
	files["village/__init__.py"] = &fstest.MapFile{Data: []byte(init)}
	return files
}

func serve(t testing.TB, files fstest.MapFS) http.Handler {
	t.Helper()
	return serveWith(t, files, simapi.Options{})
}

func serveWith(t testing.TB, files fstest.MapFS, o simapi.Options) http.Handler {
	t.Helper()
	src, err := country.OpenFS(files, "village")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	api := simapi.New(o)
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	return handler(t, api)
}

const forty = `{"figure": {"variable": "%s", "index": %d}, "depth": %d, "path": [%s], "scenarios": [{"period": 2024, "test_case": {
	"persons": [{"id": "a", "salary": 100, "age": 40}, {"id": "b", "salary": 7, "age": 12}], "households": [{"heads": ["a"], "others": ["b"]}]}}]}`

// TestZeroes: what made a value zero is told with the numbers in it, for the row that is asked for.
func TestZeroes(t *testing.T) {
	var formulas []string
	for _, z := range zeroes {
		formulas = append(formulas, z.formula)
	}
	h := serve(t, zeroPackage(formulas...))
	for i, z := range zeroes {
		w := send(h, http.MethodPost, "/api/2/why", fmt.Sprintf(forty, fmt.Sprint("x", i), 0, 0, ""))
		if z.want == "" {
			if w.Code != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d %s", z.formula, w.Code, w.Body)
			}
			continue
		}
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", z.formula, w.Code, w.Body)
		}
		if got := told(decode(t, w)["value"].(map[string]any)["because"]); got != z.want {
			t.Errorf("%s\n  tells %s\n  want  %s", z.formula, got, z.want)
		}
	}
	w := send(h, http.MethodPost, "/api/2/why", fmt.Sprintf(forty, "x0", 1, 0, ""))
	if n := decode(t, w)["value"].(map[string]any); n["value"] != 7.0 || n["because"] != nil || n["id"] != "b" {
		t.Errorf("of the other row: %v", n)
	}
}

// TestWhyAgain: a figure is explained in the same way when earlier requests have told what formulas give, also where formulas ask for
// themselves and would give something else if they were run once more.
func TestWhyAgain(t *testing.T) {
	h := serve(t, zeroPackage(`return salary + 1 + person("x1", period) / limit`, `return person("x0", period.last_year) / limit`, `return person("x0", period) + person("x1", period) + limit`))
	var want string
	for i := range 4 {
		w := send(h, http.MethodPost, "/api/2/why", fmt.Sprintf(forty, "x2", 0, 5, ""))
		if i == 0 {
			want = w.Body.String()
		}
		if got := w.Body.String(); w.Code != http.StatusOK || got != want || strings.Count(got, `"limits.age"`) < 2 {
			t.Errorf("request %d: %d %s\nat first %s", i, w.Code, got, want)
		}
	}
}

// told writes conditions in short.
func told(because any) string {
	var out []string
	conditions, _ := because.([]any)
	for _, c := range conditions {
		c := c.(map[string]any)
		text := fmt.Sprintf("%s is %s:", c["text"], number(c["is"]))
		if of, ok := c["of"]; ok {
			text = fmt.Sprintf("%s: %s", of, text)
		}
		sides, _ := c["sides"].([]any)
		for i, s := range sides {
			s := s.(map[string]any)
			text += map[bool]string{true: " ", false: ", "}[i == 0] + fmt.Sprintf("%s %s", s["text"], number(s["value"]))
			if v, ok := s["variable"]; ok {
				text += fmt.Sprintf(" (%s)", v)
			}
			if p, ok := s["parameter"]; ok {
				text += fmt.Sprintf(" {%s}", p)
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func number(v any) string { return string(mustMarshal(v)) }

// TestWhyTree: a branch has its parameters with day and reference, and is opened by its path.
func TestWhyTree(t *testing.T) {
	h := serve(t, zeroPackage(`return salary * (age > limit) + person("young", period)`))
	n := decode(t, send(h, http.MethodPost, "/api/2/why", fmt.Sprintf(forty, "x0", 1, 1, "")))["value"].(map[string]any)
	want := []any{map[string]any{
		"name": "limits.age", "label": "Limit", "instant": "2024-01-01", "value": 25.0, "since": "2020-01-01", "unit": "year",
		"references": []any{map[string]any{"title": "Law 7", "href": "https://law.example/7"}},
	}}
	if !reflect.DeepEqual(n["parameters"], want) {
		t.Errorf("%v", n["parameters"])
	}
	var branches []string
	for _, b := range n["branches"].([]any) {
		b := b.(map[string]any)
		branches = append(branches, fmt.Sprint(b["variable"], b["index"], b["id"], b["value"], b["origin"], b["cut"]))
	}
	if got := strings.Join(branches, " "); got != "salary1b7input<nil> age1b12input<nil> young1btrueformuladepth" {
		t.Error(got)
	}
	opened := decode(t, send(h, http.MethodPost, "/api/2/why", fmt.Sprintf(forty, "x0", 1, 1, `"x0", "young<2024>[1]"`)))["value"].(map[string]any)
	if opened["variable"] != "young" || opened["value"] != true || len(opened["branches"].([]any)) != 1 {
		t.Errorf("%v", opened)
	}
	for path, want := range map[string]string{
		`"x0", "young[0]"`: "asked for young as young<2024>[1]", `"x0[0]"`: "begins with the figure itself", `"x0", "age", "age"`: "has no branches",
		`"x0", "young<soon>"`: "not a period", `"x0", "young[x]"`: "a step of a path is", `"x0", ""`: "a step of a path is",
	} {
		w := send(h, http.MethodPost, "/api/2/why", fmt.Sprintf(forty, "x0", 1, 1, path))
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, want)
		}
	}
}

// whyReforms are ways to change the law, each as the reforms of a request.
var whyReforms = []string{
	`[]`,
	`[{"parameters": {"impot_revenu.decote.taux": {"2015-01-01": 0.3}, "impot_revenu.bareme.brackets[1].rate": {"2014-01-01.2024-12-31": 0.2}}}]`,
	`[{"neutralize": ["rsa", "ip_net"]}]`,
	`["allocation_unique"]`,
	`["tranche_superieure", {"parameters": {"impot_revenu.bareme.brackets[2].threshold": {"2020-01-01": 20000}}, "neutralize": ["decote"]}]`,
	`[{"base": "allocation_unique", "parameters": {"impot_revenu.decote.celibataire": {"2014-01-01": 2000}}}]`,
}

// withReforms is a server of a legislation with reforms, as "serve" is with --reform and --set.
func withReforms(t *testing.T, reforms string) http.Handler {
	t.Helper()
	p, err := france()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := scenario.DecodeJSON([]byte(reforms))
	if err != nil {
		t.Fatal(err)
	}
	var steps []legislation.Step
	for _, item := range doc.List {
		step := legislation.Step{}
		if key, ok := item.Text(); ok {
			step.Key = key
		} else if step.Data, _ = legislation.ReadReform(item); step.Data.Base != "" {
			steps = append(steps, legislation.Step{Key: step.Data.Base})
			step.Data.Base = ""
		}
		steps = append(steps, step)
	}
	system, err := p.Catalogue(p.System).Compose(t.Context(), steps)
	if err != nil {
		t.Fatal(err)
	}
	api := simapi.New(simapi.Options{})
	if err := api.Load(t.Context(), p, system); err != nil {
		t.Fatal(err)
	}
	return handler(t, api)
}

// TestWhyAgrees: every number of a tree is that of /trace, and every branch is one of the dependencies there: of the law as it
// is, with reforms as data, by key, and with variables that are neutralized. A tree of a request with reforms is that of a
// server with them.
func TestWhyAgrees(t *testing.T) {
	h := server(t, simapi.Options{})
	reformed := map[string]http.Handler{}
	for _, reforms := range whyReforms {
		reformed[reforms] = withReforms(t, reforms)
	}
	compared := 0
	longtest.Checks(t, 20, 100)
	rapid.Check(t, func(t *rapid.T) {
		year := rapid.IntRange(2014, 2025).Draw(t, "period")
		reforms := rapid.SampledFrom(whyReforms).Draw(t, "reforms")
		testCase := household(t)
		post := func(h http.Handler, path string, body any) map[string]any {
			w := send(h, http.MethodPost, path, string(mustMarshal(body)))
			var out map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != http.StatusOK {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			return out
		}
		request := map[string]any{"figure": map[string]any{"variable": "revdisp"}, "depth": 20, "scenarios": []any{map[string]any{"period": year, "test_case": testCase}}}
		served := post(reformed[reforms], "/api/2/why", request)
		request["reforms"] = json.RawMessage(reforms)
		explained := post(h, "/api/2/why", request)
		if !reflect.DeepEqual(served, explained) {
			t.Errorf("%s: a request with reforms is answered\n%v\na server with them answers\n%v", reforms, explained, served)
		}
		situation := modern(testCase, explained["suggestions"].([]any), year)
		situation["menages"].(map[string]any)["g0"].(map[string]any)["revdisp"] = map[string]any{fmt.Sprint(year): nil}
		c := whyComparison{t: t, server: reformed[reforms], steps: post(reformed[reforms], "/trace", situation)["trace"].(map[string]any)}
		c.compare(explained["value"].(map[string]any))
		compared += c.compared
	})
	if compared < longtest.Pick(200, 1000) {
		t.Errorf("only %d numbers were compared", compared)
	}
}

// whyComparison compares a tree with the steps of a trace, and counts the numbers.
type whyComparison struct {
	t        *rapid.T
	server   http.Handler
	steps    map[string]any
	compared int
}

// compare compares a branch and those below.
func (c *whyComparison) compare(n map[string]any) {
	at := fmt.Sprint(n["period"])
	step, ok := c.steps[fmt.Sprintf("%s<%s>", n["variable"], at)].(map[string]any)
	if !ok {
		c.t.Fatalf("the trace has no %s<%s>", n["variable"], at)
	}
	c.value(n, at, n["value"], step["value"].([]any))
	others, _ := n["others"].(map[string]any)
	for at, value := range others {
		c.value(n, at, value, c.steps[fmt.Sprintf("%s<%s>", n["variable"], at)].(map[string]any)["value"].([]any))
	}
	parameters, _ := n["parameters"].([]any)
	for _, p := range parameters {
		p := p.(map[string]any)
		value, ok := step["parameters"].(map[string]any)[fmt.Sprintf("%s<%s>", p["name"], p["instant"])]
		if rows, isRows := value.([]any); isRows && reflect.TypeOf(p["value"]) != reflect.TypeOf(value) {
			value = rows[int(n["index"].(float64))]
		}
		if brackets, isList := p["value"].([]any); isList && !ok {
			c.scale(p["name"].(string), p["instant"].(string), brackets)
		} else if !ok || !reflect.DeepEqual(value, p["value"]) {
			c.t.Errorf("%s of %s is %v, in the trace %v", p["name"], n["variable"], p["value"], value)
		}
		c.compared++
	}
	branches, _ := n["branches"].([]any)
	for _, b := range branches {
		c.compare(b.(map[string]any))
	}
}

// value compares one number with the rows of a step.
func (c *whyComparison) value(n map[string]any, at string, value any, rows []any) {
	want := rows[int(n["index"].(float64))]
	a, number := value.(float64)
	b, _ := want.(float64)
	if number && float32(a) != float32(b) || !number && n["variable"] != "date_naissance" && !reflect.DeepEqual(value, want) {
		c.t.Errorf("%s<%s>[%v] is %v, in the trace %v", n["variable"], at, n["index"], value, want)
	}
	c.compared++
}

// scale compares the brackets of a scale, which traces do not have, with those that /parameter has on the day.
func (c *whyComparison) scale(name, day string, brackets []any) {
	var page struct{ Brackets map[string]map[string]float64 }
	if err := json.Unmarshal(send(c.server, http.MethodGet, "/parameter/"+name, "").Body.Bytes(), &page); err != nil {
		c.t.Fatal(err)
	}
	latest := ""
	for start := range page.Brackets {
		if start <= day && start > latest {
			latest = start
		}
	}
	want := map[float64]float64{}
	for threshold, value := range page.Brackets[latest] {
		at, err := strconv.ParseFloat(threshold, 64)
		if err != nil {
			c.t.Fatal(err)
		}
		want[at] = value
	}
	got := map[float64]float64{}
	for _, b := range brackets {
		b := b.(map[string]any)
		for part, value := range b {
			if part != "threshold" {
				got[b["threshold"].(float64)] = value.(float64)
			}
		}
	}
	if len(got) == 0 || !reflect.DeepEqual(got, want) {
		c.t.Errorf("%s on %s is %v, its page has %v", name, day, got, want)
	}
}

// TestWhyBounded: however wide a tree is, its answer has a bound and says what was left out.
func TestWhyBounded(t *testing.T) {
	h := serve(t, villageOfMany())
	var persons, members strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&persons, `{"id": "p%d", "salary": %d},`, i, i+1)
		fmt.Fprintf(&members, `"p%d",`, i)
	}
	body := fmt.Sprintf(`{"figure": {"variable": "total"}, "depth": 20, "scenarios": [{"period": 2024, "test_case": {"persons": [%s], "households": [{"others": [%s]}]}}]}`,
		strings.TrimSuffix(persons.String(), ","), strings.TrimSuffix(members.String(), ","))
	w := send(h, http.MethodPost, "/api/2/why", body)
	n := decode(t, w)["value"].(map[string]any)
	if w.Body.Len() > 200_000 || len(n["branches"].([]any)) != 200 || n["more"] != 2800.0 {
		t.Errorf("%d bytes, %d branches, %v more", w.Body.Len(), len(n["branches"].([]any)), n["more"])
	}
	w = send(h, http.MethodPost, "/api/2/why", strings.Replace(body, `"total"`, `"deep0"`, 1))
	if w.Code != http.StatusOK || w.Body.Len() > 200_000 || !strings.Contains(w.Body.String(), `"cut":"size"`) {
		t.Errorf("%d, %d bytes", w.Code, w.Body.Len())
	}
}

// villageOfMany has a sum over members, and variables that each ask for forty more.
func villageOfMany() fstest.MapFS {
	files := villagePackage("total")
	var text strings.Builder
	text.WriteString("from openfisca_core.model_api import *\nfrom village.entities import Household, Person\n\n")
	text.WriteString("class salary(Variable):\n    value_type = float\n    entity = Person\n    definition_period = YEAR\n\n")
	text.WriteString("class total(Variable):\n    value_type = float\n    entity = Household\n    definition_period = YEAR\n\n    def formula(household, period):\n        return household.sum(household.members(\"salary\", period))\n\n")
	for level := range 3 {
		for i := range []int{1, 40, 1600}[level] {
			name := fmt.Sprint("deep", i)
			if level > 0 {
				name = fmt.Sprintf("deep%d_%d", level, i)
			}
			fmt.Fprintf(&text, "class %s(Variable):\n    value_type = float\n    entity = Household\n    definition_period = YEAR\n    label = \"%s\"\n\n    def formula(household, period):\n        total = 1\n", name, strings.Repeat("long ", 20))
			if level < 2 {
				for k := range 40 {
					fmt.Fprintf(&text, "        total = total + household(\"deep%d_%d\", period)\n", level+1, i*40+k)
				}
			}
			text.WriteString("        return total\n\n")
		}
	}
	files["village/variables.py"] = &fstest.MapFile{Data: []byte(text.String())}
	return files
}

// FuzzWhy: whatever is sent, the answer is a figure's tree or a refusal that says what is wrong.
func FuzzWhy(f *testing.F) {
	for _, seed := range []string{
		fmt.Sprintf(forty, "x0", 1, 1, `"x0"`), fmt.Sprintf(forty, "x0", 9, -1, `"<>[]"`), fmt.Sprintf(forty, "x0", 0, 3, `"x0<2024>[0]", "age[1]"`),
		`{}`, `{"figure": null}`, `{"figure": {"variable": ["x"]}, "scenarios": [[]]}`, `[`,
	} {
		f.Add(seed)
	}
	h := serve(f, zeroPackage(`return salary * (age > limit) + person("young", period)`))
	f.Fuzz(func(t *testing.T, body string) {
		w := send(h, http.MethodPost, "/api/2/why", body)
		var out map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		switch w.Code {
		case http.StatusOK, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		default:
			t.Errorf("%q: %d %s", body, w.Code, w.Body)
		}
	})
}

// TestWhyOrigins: a value that one person gives is the default of another who says nothing, in either form of a household.
func TestWhyOrigins(t *testing.T) {
	h := server(t, simapi.Options{})
	const body = `{"scenarios": [{"period": "2024", "test_case": {"individus": [{"id": "ada", "salaire_imposable": 30000}, {"id": "bob"}],
"familles": [{"parents": ["ada", "bob"]}], "foyers_fiscaux": [{"declarants": ["ada", "bob"]}], "menages": [{"personne_de_reference": "ada", "conjoint": "bob"}]}}],
"figure": {"variable": "salaire_imposable", "period": "2024-01", "index": %d}}`
	for row, want := range []string{"input", "default"} {
		value, _ := decode(t, send(h, http.MethodPost, "/api/2/why", fmt.Sprintf(body, row)))["value"].(map[string]any)
		if value["origin"] != want {
			t.Errorf("person %d: %v, want %s", row, value, want)
		}
	}
}
