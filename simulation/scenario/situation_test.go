package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// village is a small system: persons in households of up to two parents, a head and any number of children.
func village(t testing.TB) *legislation.System {
	t.Helper()
	person := legislation.NewPerson("person", "persons", "", "")
	household := legislation.NewGroup("household", "households", "", "", []legislation.RoleSpec{
		{Key: "parent", Plural: "parents", Max: 2, Subroles: []string{"first_parent", "second_parent"}},
		{Key: "child", Plural: "children"},
		{Key: "guest"},
	})
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person, household)
	if err != nil {
		t.Fatal(err)
	}
	housing := legislation.NewEnum("Housing", []string{"tenant", "owner"}, []string{"Tenant", "Owner"}, nil)
	tenant := vector.EnumConst(1, housing.Domain, 0)
	unit := func(u period.Unit) *period.Unit { return &u }
	add := func(d legislation.Definition) {
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	add(legislation.Definition{Name: "salary", Type: legislation.Float, Entity: person, Period: unit(period.Month), Input: legislation.DivideEqual})
	add(legislation.Definition{Name: "age", Type: legislation.Int, Entity: person, Period: unit(period.Month)})
	add(legislation.Definition{Name: "birth", Type: legislation.Date, Entity: person, Period: unit(period.Eternity)})
	add(legislation.Definition{Name: "working", Type: legislation.Bool, Entity: person, Period: unit(period.Month)})
	add(legislation.Definition{Name: "name", Type: legislation.String, Entity: person, Period: unit(period.Eternity)})
	add(legislation.Definition{Name: "code", Type: legislation.String, MaxLength: 5, Entity: person, Period: unit(period.Eternity)})
	add(legislation.Definition{Name: "rent", Type: legislation.Float, Entity: household, Period: unit(period.Month), Input: legislation.Dispatch})
	add(legislation.Definition{Name: "status", Type: legislation.EnumType, Enum: housing, Default: &tenant, Entity: household, Period: unit(period.Month)})
	salary := b.Variable("salary").ID
	add(legislation.Definition{Name: "income", Type: legislation.Float, Entity: household, Period: unit(period.Month), Formulas: []legislation.NamedFormula{
		{Name: "formula", Formula: legislation.FormulaFunc(func(p legislation.Population, at *period.Entry, _ legislation.Law) (vector.Column, error) {
			members, _ := p.Members()
			c, err := members.Calculate(salary, at, legislation.Plain)
			if err != nil {
				return c, err
			}
			return p.Sum(c, nil)
		})},
	}})
	b.Describe("village", "", legislation.Source{}, legislation.Package{Name: "village", Version: "1.2"})
	return b.Build()
}

func parse(t *testing.T, text string) legislation.Data {
	t.Helper()
	d, err := legislation.ParseYAML("situation.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// describe tells who is where and what is stored, one line per fact.
func describe(t *testing.T, sim *engine.Simulation) string {
	t.Helper()
	var b strings.Builder
	for _, p := range sim.Populations() {
		b.WriteString(p.Entity().Plural + " " + strings.Join(p.IDs(), ",") + "\n")
		for i, r := range p.MembersRole() {
			b.WriteString("  " + sim.Persons().IDs()[i] + " " + r.Key + " of " + p.IDs()[p.MembersEntityID().Int(i)] + "\n")
		}
	}
	for _, v := range sim.System().Variables() {
		h, err := sim.Holder(v.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range h.KnownPeriods() {
			c, _ := h.Array(at)
			b.WriteString(v.Name + " " + at.String() + " " + c.String() + "\n")
		}
	}
	return b.String()
}

func TestSituations(t *testing.T) {
	system := village(t)
	month := period.OfMonth(2020, 1)
	for _, c := range []struct{ name, doc, want string }{
		{"nothing", `{}`, "persons 0\nhouseholds \n"},
		{"variables", `{salary: "12 * 100", age: [30], rent: {2020-02: 5}, status: owner}`, `
persons 0
salary 2020-01 [1200.]
age 2020-01 [30]
rent 2020-02 [5.]
status 2020-01 ['owner']`},
		{"lists", `{salary: {2020: [1200, 2400.0]}, birth: ["1980-01-01", "1990-01-01"], working: [true, false]}`, `
persons 0,1
birth ETERNITY ['1980-01-01' '1990-01-01']
working 2020-01 [ True False]`},
		{"short", `{person: {salary: 100, age: 3.9}, household: {parents: person, rent: 10}, ignored: 1}`, `
persons person
households household
  person first_parent of household
salary 2020-01 [100.]
age 2020-01 [3]
rent 2020-01 [10.]`},
		{"plural", `
persons: {a: {salary: {2020-01: 1, 2020-02: null}}, b: {salary: {2020-01: 2}, name: {ETERNITY: bob}}, 3: {}}
households: {h: {parents: [b, a], guest: 3}}`, `
persons a,b,3
households h
  a second_parent of h
  b first_parent of h
  3 guest of h
salary 2020-01 [1. 2. 0.]
name ETERNITY ['' 'bob' '']`},
		{"left out", `
persons: {a: {}, b: {}, c: {}}
households: {h: {parents: [b], rent: {2020-01: 7}}}`, `
households h,a,c
  a first_parent of a
  b first_parent of h
  c first_parent of c
rent 2020-01 [7. 7. 7.]`},
		{"small periods first", `
persons: {a: {salary: {2020: 1200, 2020-01: 100, 2020-02: 0}}}`, `
households a
  a first_parent of a
salary 2020-01 [100.]
salary 2020-02 [0.]
salary 2020-03 [110.]`},
		{"a year from the middle of a month", `
persons: {a: {salary: {"year:2020-01-15": 1200}}}`, `salary 2020-01 [100.]`},
		{"a month by its week", `
persons: {a: {age: {"month:2020-W02": 7}}}`, `age 2020-01 [7]`},
		{"an enumeration along an axis", `
persons: {a: {}}
households: {h: {parents: [a]}}
axes: [[{name: status, period: 2020-01, min: 0, max: 1, count: 2, remark: ignored}]]`, `status 2020-01 ['tenant'  'owner']`},
		{"truths in words", `{salary: "True", age: "True"}`, "salary 2020-01 [1.]\nage 2020-01 [1]"},
		{"unusual spelling", `
persons: {a: {age: {"month:2020-01": 1}}, b: {age: {"month:2020-01": 2}}}`, `age 2020-01 [0 2]`},
		{"axes", `
persons: {a: {}, b: {salary: {2020-01: 9}}}
households: {h: {parents: [a, b]}}
axes: [[{name: salary, min: 0, max: 10, count: 3, period: 2020-01}]]`, `
persons a0,b1,a2,b3,a4,b5
households h0,h1,h2
salary 2020-01 [ 0.  9.  5.  9. 10.  9.]`},
		{"two dimensions", `
persons: {a: {}}
households: {h: {parents: [a]}}
axes:
  - [{name: salary, min: 0, max: 1, count: 2, period: 2020-01}]
  - [{name: rent, min: 0, max: 20, count: 3, period: 2020-01}]`, `
salary 2020-01 [0. 1. 0. 1. 0. 1.]
rent 2020-01 [ 0.  0. 10. 10. 20. 20.]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ParseSituation(system, parse(t, c.doc), &month)
			if err != nil {
				t.Fatal(err)
			}
			sim, err := s.Simulation(context.Background(), engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := describe(t, sim)
			for line := range strings.Lines(strings.TrimSpace(c.want) + "\n") {
				if !strings.Contains("\n"+got, "\n"+strings.TrimSuffix(line, "\n")) {
					t.Errorf("no line %q in\n%s", line, got)
				}
			}
		})
	}
}

// TestNamesOfMembers: ids of persons and groups may be names of variables and roles.
func TestNamesOfMembers(t *testing.T) {
	system := village(t)
	for name, template := range map[string]string{
		"values":       `{"period": "2020-01", "test_case": {"persons": {"A": {"salary": 100}, "B": {"age": 3}}, "households": {"H": {"parents": ["A"], "children": ["B"], "rent": 5}}}}`,
		"by period":    `{"period": "2020-01", "test_case": {"persons": {"A": {"salary": {"2020-01": 100}}, "B": {"birth": {"ETERNITY": "2001-02-03"}}}, "households": {"H": {"parents": ["A"], "children": ["B"], "rent": {"2020-01": 5}}}}}`,
		"nothing said": `{"period": "2020-01", "test_case": {"persons": {"A": {}, "B": {}}, "households": {"H": {"parents": ["A"], "children": ["B"]}}}}`,
		"one of null":  `{"period": "2020-01", "test_case": {"persons": {"A": {"salary": 1}, "B": null}, "households": {"H": {"parents": ["A"], "children": ["B"]}}}}`,
	} {
		told := map[string]string{}
		for _, ids := range [][3]string{{"x1", "x2", "x3"}, {"salary", "age", "rent"}, {"id", "birth", "parents"}, {"guest", "salary", "id"}} {
			text := strings.NewReplacer(`"A"`, `"`+ids[0]+`"`, `"B"`, `"`+ids[1]+`"`, `"H"`, `"`+ids[2]+`"`).Replace(template)
			parsed, err := ParseScenarios(system, []legislation.Data{parse(t, text)}, ScenarioOptions{})
			if err != nil {
				t.Errorf("%s: %v: %v", name, ids, err)
				continue
			}
			s := parsed[0].Situation
			if got := s.Spec.PersonIDs; !slices.Equal(got, ids[:2]) {
				t.Errorf("%s: %v: the persons are %q", name, ids, got)
			}
			told[fmt.Sprint(len(s.Inputs), s.Spec.Groups["household"].GroupOf, s.Shape())] = text
		}
		if len(told) != 1 {
			t.Errorf("%s: names make a difference: %q", name, told)
		}
	}
	// One member alone is still written without an id.
	alone, err := ParseScenarios(system, []legislation.Data{parse(t, `{"period": "2020-01", "test_case": {"persons": {"id": "a", "salary": {"2020-01": 100}}, "households": {"parents": ["a"]}}}`)}, ScenarioOptions{})
	if err != nil || alone[0].Situation.Spec.PersonIDs[0] != "a" {
		t.Errorf("%v", err)
	}
}

// TestRelease reads situations in the place of others: simulations of those stay what they are, and each is what it is alone.
func TestRelease(t *testing.T) {
	system := village(t)
	docs := []string{
		`{persons: {a: {salary: {2020-01: 1}, name: {ETERNITY: ann}}, b: {salary: {2020-01: 2, 2020-02: 3}}}, households: {h: {parents: [b, a], rent: {2020-01: 4}}}}`,
		`{persons: {x: {age: {2020-01: 7}}}}`,
		`{persons: {a: {}, b: {name: {ETERNITY: bob}}, c: {working: {2020-01: true}}}, households: {h: {parents: [b, a]}, g: {guest: c, status: {2020-01: owner}}}}`,
	}
	simulation := func(doc string, giveBack bool) *engine.Simulation {
		w := Borrow()
		s, err := w.ParseEntities(nil, system, parse(t, doc))
		if err != nil {
			t.Fatal(err)
		}
		sim, err := s.Simulation(context.Background(), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if giveBack {
			w.GiveBack()
		}
		return sim
	}
	var sims []*engine.Simulation
	for i := range 4 * len(docs) {
		sims = append(sims, simulation(docs[i%len(docs)], true))
	}
	for i, sim := range sims {
		if got, want := describe(t, sim), describe(t, simulation(docs[i%len(docs)], false)); got != want {
			t.Errorf("document %d is now\n%s\nwant\n%s", i%len(docs), got, want)
		}
	}
}

func TestProblems(t *testing.T) {
	system := village(t)
	for _, c := range []struct{ doc, path, msg string }{
		{`[]`, "error", "Invalid type: must be of type 'Object'."},
		{`{dogs: {}}`, "dogs", "Some entities in the situation are not defined in the loaded tax and benefit system. These entities are not found: dogs. The defined entities are: persons, households."},
		{`{persons: {}}`, "persons", "No person found. At least one person must be defined to run a simulation."},
		{`{persons: []}`, "persons", "No person found."},
		{`{persons: [a]}`, "persons", "Invalid type: must be of type 'Object'."},
		{`{persons: {a: 1}}`, "persons/a", "Invalid type: must be of type 'Object'."},
		{`{persons: {a: {}}, households: 1}`, "households", "Invalid type: must be of type 'Object'."},
		{`{persons: {a: {}}, households: {h: {parents: {}}}}`, "households/h/parents", "Invalid type: must be of type 'Array'."},
		{`{persons: {a: {}}, households: {h: {parents: [[]]}}}`, "households/h/parents/0", "Invalid type: must be of type 'String'."},
		{`{persons: {a: {}}, households: {h: {parents: [b]}}}`, "households/h/parents", "Unexpected value: b. b has been declared in h parents, but has not been declared in persons."},
		{`{persons: {a: {}}, households: {h: {parents: [a, a]}}}`, "households/h/parents", "a has been declared more than once in households"},
		{`{persons: {a: {}, b: {}, c: {}}, households: {h: {parents: [a, b, c]}}}`, "households/h/parents", "There can be at most 2 parents in a household. 3 were declared in 'h'."},
		{`{persons: {a: {rent: {2020-01: 1}}}}`, "persons/a/rent", "You tried to compute the variable 'rent' for the entity 'persons'; however the variable 'rent' is defined for 'households'."},
		{`{persons: {a: {height: {2020-01: 1}}}}`, "persons/a/height", "You tried to calculate or to set a value for variable 'height', but it was not found in the loaded tax and benefit system (village@1.2)."},
		{`{persons: {a: {age: 1}}}`, "persons/a/age", "Can't deal with type: expected object."},
		{`{persons: {a: {age: {soon: 1}}}}`, "persons/a/age", "Expected a period (eg. '2017', 'month:2017-01', 'week:2017-W01-1:3', ...); got: 'soon'."},
		{`{persons: {a: {age: {2020-02-30: 1}}}}`, "persons/a/age", "Unable to parse string [2020-02-30]"},
		{`{persons: {a: {age: {"month:2021-W53": 1}}}}`, "persons/a/age", "Unable to parse string [2021-W53]"},
		{`{persons: {a: {age: {"2020-1": 1}}}}`, "persons/a/age", "Unable to parse string [2020-1]"},
		{`{persons: {a: {age: {"2020-8": 1}}}}`, "persons/a/age", "Expected a period"},
		{`{persons: {a: {age: {"0000": 1}}}}`, "persons/a/age", "year 0 is out of range"},
		{`{persons: {a: {age: {"0001": 1}}}}`, "persons/a/age", "got: '1'."},
		{`{persons: {a: {age: {"year:2020": 1}}}}`, "persons", `Unable to set a value for variable "age" for year-long period "2020".`},
		{`{persons: {a: {salary: {2020-01: "__import__('os')"}}}}`, "persons/a/salary/2020-01", "Expression __import__('os') has forbidden control characters."},
		{`{persons: {a: {salary: {2020-01: "1:2"}}}}`, "persons/a/salary/2020-01", "Expression 1:2 has forbidden control characters."},
		{`{persons: {a: {birth: {ETERNITY: [1]}}}}`, "persons/a/birth/ETERNITY", "Can't deal with date: '[1]'."},
		{`{persons: {a: {name: {ETERNITY: [x]}}}}`, "persons/a/name/ETERNITY", "Can't deal with value: expected type string, received '['x']'."},
		{`{persons: {a: {code: {ETERNITY: é}}}}`, "persons/a/code/ETERNITY", "Can't deal with value: expected type string, received 'é'."},
		{`{persons: {a: {}}, households: {h: {parents: ["x\ny"]}}}`, "households/h/parents", "Unexpected value: x y."},
		{`{persons: {a: {}}, households: {h: {status: {2020-01: 1e20}}}}`, "households/h/status/2020-01", "'1e20' is not a known value"},
		{`{persons: {a: {}}, households: {h: {parents: [a]}}, axes: [[{name: status, period: 2020-01, min: 0, max: 2, count: 2}]]}`, "axes/0/0/max", "'status' varies by the number of its values, from min 0 to max 1."},
		{`{persons: {a: {}}, households: {h: {parents: [a]}}, axes: [[{name: age, period: ETERNITY, min: 0, max: 2, count: 2}]]}`, "persons", "Unable to set a value for variable age for ETERNITY."},
		{`{persons: {a: {age: {2020-01: old}}}}`, "persons/a/age/2020-01", "Can't deal with value: expected type integer, received 'old'."},
		{`{persons: {a: {salary: {2020-01: {}}}}}`, "persons/a/salary/2020-01", "Can't deal with value: expected type number, received '{}'."},
		{`{persons: {a: {salary: {2020-01: [1, 2]}}}}`, "persons/a/salary/2020-01", "Can't deal with value: expected type number, received '[1, 2]'."},
		{`{persons: {a: {age: {2020-01: "9**99"}}}}`, "persons/a/age/2020-01", "Can't deal with value: '9**99', it's too large for type 'integer'."},
		{`{persons: {a: {birth: {ETERNITY: never}}}}`, "persons/a/birth/ETERNITY", "Can't deal with date: 'never'."},
		{`{persons: {a: {}}, households: {h: {parents: [a], status: {2020-01: squatter}}}}`, "households/h/status/2020-01", "'squatter' is not a known value for 'status'. Possible values are ['tenant', 'owner']."},
		{`{persons: {a: {age: {2020: 1}}}}`, "persons/a/age/2020", `Unable to set a value for variable "age" for year-long period "2020". "age" can only be set for one month at a time.`},
		{`{persons: {a: {age: {ETERNITY: 1}}}}`, "persons/a/age/ETERNITY", "Unable to set a value for variable age for ETERNITY. age is only defined for months."},
		{`{persons: {a: {}}, axes: [[{}]]}`, "households", "We could not find any specified households."},
		{`{persons: {a: {}}, households: {}, axes: [[{name: salary, period: 2020-01, min: 0, max: 1, count: 0}]]}`, "axes/0/0/count", "Expected a whole number"},
		{`{persons: {a: {}}, households: {}, axes: [[{name: salary, period: 2020-01, min: 0, max: 1, count: 2, index: 1}]]}`, "axes/0/0/index", "Expected a whole number from 0 to 0."},
		{`{persons: {a: {}}, households: {}, axes: [[{name: salary, period: 2020-01, min: 0, max: 1, count: 2}, {name: salary, period: 2020-02, min: 0, max: 1, count: 3}]]}`, "axes", "the same number of steps"},
	} {
		s, err := ParseEntities(system, parse(t, c.doc))
		if err == nil {
			_, err = s.Simulation(context.Background(), engine.Options{})
		}
		ps, ok := AsProblems(err)
		if !ok {
			t.Errorf("%s gives %v", c.doc, err)
			continue
		}
		if got := strings.Join(ps[0].Path, "/"); got != c.path || !strings.HasPrefix(ps[0].Msg, c.msg) && !strings.Contains(ps[0].Msg, c.msg) {
			t.Errorf("%s\n got %s: %s\nwant %s: %s", c.doc, got, ps[0].Msg, c.path, c.msg)
		}
	}
}

func TestCalculate(t *testing.T) {
	doc, err := DecodeJSON([]byte(`{"persons": {"a": {"salary": {"2020-01": 100.1}, "birth": {"ETERNITY": null}}, "b": {"salary": {"2020-01": 0.2}}},
		"households": {"h": {"parents": ["a", "b"], "income": {"2020-01": null, "2020-02": null}, "status": {"2020-01": null}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := Calculate(context.Background(), village(t), doc, engine.Options{}); err != nil {
		t.Fatal(err)
	}
	want := `{"persons":{"a":{"salary":{"2020-01":100.1},"birth":{"ETERNITY":"1970-01-01"}},"b":{"salary":{"2020-01":0.2}}},` +
		`"households":{"h":{"parents":["a","b"],"income":{"2020-01":100.299995,"2020-02":0.0},"status":{"2020-01":"tenant"}}}}`
	if got := string(AppendJSON(nil, doc)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTree(t *testing.T) {
	ps := Problems{{Path: []string{"a", "0"}, Msg: "x"}, {Path: []string{"a", "1", "b"}, Msg: "y"}, {Path: []string{"a", "0", "c"}, Msg: "below"}, {Path: []string{"a", "1"}, Msg: "whole"}}
	if got, want := string(AppendJSON(nil, ps.Tree())), `{"a":{"0":"x","1":"whole"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzSituation(f *testing.F) {
	system := village(f)
	f.Add(`{"persons": {"a": {"salary": {"2020": "12*3"}}}, "households": {"h": {"parents": ["a"]}}, "axes": [[{"name": "salary", "period": "2020-01", "min": 0, "max": 1, "count": 2}]]}`)
	f.Add(`{"salary": [1, 2], "age": {"2020-01": [1, 2.5]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := DecodeJSON([]byte(text))
		if err != nil {
			return
		}
		month := period.OfMonth(2020, 1)
		s, err := ParseSituation(system, doc, &month)
		if err != nil {
			if _, ok := AsProblems(err); !ok {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if cells, _ := s.Cells(); cells > 1000 {
			return
		}
		if _, err := s.Simulation(context.Background(), engine.Options{}); err != nil {
			if _, ok := AsProblems(err); !ok {
				t.Fatalf("%T %v", err, err)
			}
		}
	})
}
