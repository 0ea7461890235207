package lawgraph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"edict/simulation/country"
	"edict/simulation/lawgraph"
	"edict/simulation/period"
)

const entities = `
from openfisca_core.entities import build_entity

Person = build_entity(key="person", plural="persons", label="A person", is_person=True)
Household = build_entity(key="household", plural="households", label="A household",
    roles=[{"key": "parent", "plural": "parents", "label": "Parents", "max": 2, "subroles": ["first_parent", "second_parent"]},
           {"key": "child", "plural": "children", "label": "Children"}])
entities = [Household, Person]
`

const system = `
import os
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from toy import entities

class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__(entities.entities)
        here = os.path.dirname(os.path.abspath(__file__))
        self.add_variables_from_directory(os.path.join(here, "variables"))
        self.load_parameters(os.path.join(here, "parameters"))
`

const head = `
from openfisca_core.model_api import *
from openfisca_core.periods import MONTH
from toy.entities import Household, Person

`

const inputs = `
class Zone(Enum):
    near = "Near the town"
    far = "Far from it"

NAMES = ["b", "c"]
TABLE = {2020: ["a"], 2021: ["b", "c"]}

def helper(population, period, names):
    return sum(population(name, period) for name in names)

def rate(parameters, period):
    return parameters(period).taxes.rate

def compute_late(person, period):
    return person("late", period)

`

const scale = `
description: A scale
brackets:
- threshold: {2020-01-01: {value: 0}}
  rate: {2020-01-01: {value: 0.1}}
`

func parameter(value string) *fstest.MapFile {
	return file("description: A rate\nvalues:\n  2020-01-01:\n    value: " + value + "\n")
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func variable(name, entity, rest string) string {
	return fmt.Sprintf("class %s(Variable):\n    value_type = float\n    entity = %s\n    definition_period = MONTH\n    label = %q\n%s\n", name, entity, name, rest)
}

// load makes a package of a few variables and one, probe, whose formula has a body.
func load(t *testing.T, body string) *country.Package {
	t.Helper()
	text := head + inputs
	for _, name := range []string{"a", "b", "c", "late", "car_1", "car_2"} {
		text += variable(name, "Person", "")
	}
	text += variable("rent", "Household", "")
	body = "\n    def formula(household, period, parameters):\n        " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n        ") + "\n"
	text += variable("probe", "Household", body)
	source, err := country.OpenFS(fstest.MapFS{
		"toy/__init__.py": file(system), "toy/entities.py": file(entities), "toy/variables/all.py": file(text),
		"toy/parameters/taxes/rate.yaml": parameter("0.2"), "toy/parameters/taxes/scale.yaml": file(scale),
		"toy/parameters/zones/near.yaml": parameter("1"), "toy/parameters/zones/far.yaml": parameter("2"),
	}, "toy")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(context.Background(), country.Options{}, source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(uses []lawgraph.Use) string {
	out := []string{}
	for _, u := range uses {
		name := u.Name
		if u.Node {
			name += "[]"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func facts(t *testing.T, p *country.Package) *lawgraph.Facts {
	t.Helper()
	v, err := p.System.Lookup("probe")
	if err != nil {
		t.Fatal(err)
	}
	return lawgraph.New(p, p.System).Facts(p.System, &v.Formulas[0])
}

// TestFacts: what formulas ask for, in the ways that packages write them.
func TestFacts(t *testing.T) {
	for _, c := range []struct{ name, body, variables, parameters, dynamic string }{
		{"literal", `return household("rent", period)`, "rent", "", ""},
		{"members", `return household.sum(household.members("a", period))`, "a", "", ""},
		{"projections", `return household.first_parent("a", period) + household.members.household("rent", period)`, "a rent", "", ""},
		{"keyword", `return household(variable_name="rent", period=period, options=[ADD])`, "rent", "", ""},
		{"docstring", "\"\"\"a\"\"\"\nreturn 0", "", "", ""},
		{"a text that names nothing", "x = 'a'\nreturn 0", "", "", ""},
		{"name", "x = 'a'\nreturn household.members(x, period)", "a", "", ""},
		{"loop", "total = 0\nfor x in ['a', 'b']:\n    total += household.members(x, period)\nreturn total", "a b", "", ""},
		{"comprehension", "return sum([household.members(x, period) for x in NAMES])", "b c", "", ""},
		{"table by year", "return sum(household.members(x, period) for y in range(2020, period.start.year) for x in TABLE[y])", "a b c", "", ""},
		{"table by a year that is known", "return sum(household.members(x, period) for x in TABLE[2020])", "a", "", ""},
		{"text put together", "return sum(household.members(f'car_{i}', period) for i in range(1, 3))", "car_1 car_2", "", ""},
		{"format", "return household.members('car_{}'.format(1), period) + household.members('car_%s' % 2, period)", "car_1 car_2", "", ""},
		{"zip and enumerate", "for i, (x, y) in enumerate(zip(['a'], ['b'])):\n    household.members(x, period)\nreturn 0", "a", "", ""},
		{"branches", "if period.start.year > 2020:\n    x = 'a'\nelse:\n    x = 'b'\nreturn household.members(x, period)", "a b", "", ""},
		{"a branch that is known", "x = None\nif x is None:\n    return household.members('a', period)\nreturn household.members('b', period)", "a", "", ""},
		{"helper", "return helper(household.members, period, ['a', 'c'])", "a c", "", ""},
		{"helper by its name", "return globals()['compute_' + 'late'](household.members, period)", "late", "", ""},
		{"inner function", "def own(x):\n    return household.members(x, period)\nreturn own('a') + (lambda: own('b'))()", "a b", "", ""},
		{"map", "return sum(map(lambda x: household.members(x, period), NAMES))", "b c", "", ""},
		{"list that grows", "xs = ['a']\nxs.append('b')\nxs += ['c']\nreturn sum(household.members(x, period) for x in xs)", "a b c", "", ""},
		{"simulation", "return household.simulation.calculate('rent', period)", "rent", "", ""},
		{"holder", "return household.get_holder('rent').get_array(period)", "rent", "", ""},
		{"parameter", "return parameters(period).taxes.rate", "", "taxes.rate", ""},
		{"alias", "p = parameters(period).taxes\nreturn p.rate + p.scale.calc(household('rent', period))", "rent", "taxes.rate taxes.scale", ""},
		{"parameter by name", "return parameters(period).taxes['rate']", "", "taxes.rate", ""},
		{"getattr", "return getattr(parameters(period).taxes, 'ra' + 'te')", "", "taxes.rate", ""},
		{"parameter of a helper", "return rate(parameters, period)", "", "taxes.rate", ""},
		{"by row", "return parameters(period).zones[household('rent', period)]", "rent", "zones[]", ""},
		{"member of an enumeration", "return parameters(period).zones[Zone.near]", "", "zones.near", ""},
		{"loop over an enumeration", "return sum(parameters(period).zones[z.name] for z in Zone)", "", "zones.far zones.near", ""},
		{"node as a whole", "return len(list(parameters(period).zones._children))", "", "zones[]", ""},
		{"system", "return household.simulation.tax_benefit_system.get_parameters_at_instant(period).taxes.rate", "", "taxes.rate", ""},
		{"pattern", "return household.members(f'car_{period.start.year}', period)", "", "", "car_*"},
		{"not known", "return household.members(str(household('rent', period)), period)", "rent", "", "*"},
		{"handed on", "f = household.unheard_of\nreturn [f][period.start.month](household)", "", "", ""},
		{"handed to what is not known", "f = TABLE.get\nreturn household('rent', period).f(household)", "rent", "", "!"},
		{"recursion", "def again(n):\n    return again(n - 1)\nreturn again(3) + household('rent', period)", "rent", "", ""},
		{"while", "x = 'a'\nwhile period:\n    household.members(x, period)\n    x = 'b'\nreturn 0", "a b", "", ""},
		{"try", "try:\n    return household('rent', period)\nexcept ValueError:\n    return household.members('a', period)", "a rent", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := facts(t, load(t, c.body))
			var dynamic []string
			for _, d := range f.Dynamic {
				text := d.Pattern
				if text == "" {
					text = "!"
				}
				dynamic = append(dynamic, text)
			}
			if got := names(f.Variables); got != c.variables {
				t.Errorf("variables %q, want %q", got, c.variables)
			}
			if got := names(f.Parameters); got != c.parameters {
				t.Errorf("parameters %q, want %q", got, c.parameters)
			}
			if got := strings.Join(dynamic, " "); got != c.dynamic {
				t.Errorf("dynamic %q, want %q", got, c.dynamic)
			}
		})
	}
}

// TestPlaces: a name is found in the text that is shown; what a helper asks for stands where it is called.
func TestPlaces(t *testing.T) {
	p := load(t, `
x = "a"
p = parameters(period  # a comment with . in it
    ).taxes
é = household.members(x, period); return é + p.rate + parameters(')').taxes . scale.calc(0) + rate(parameters, period)
`)
	v, _ := p.System.Lookup("probe")
	g := lawgraph.New(p, p.System)
	file, b, _ := g.Sources.Find(v.Formulas[0].Source)
	lines := strings.Split(file.Dedented(b), "\n")
	f := g.Facts(p.System, &v.Formulas[0])
	var got []string
	for _, u := range slices.Concat(f.Variables, f.Parameters) {
		for _, at := range u.Places {
			line := []rune(lines[at.Line-1])
			got = append(got, fmt.Sprintf("%s: %d %s%s", u.Name, at.Line, string(line[at.Column-1:at.Column-1+at.Length]), at.Through.Text))
			if at.Through.Text != "" && !strings.HasPrefix(string(line[at.Column-1:]), at.Through.Text+"(") {
				t.Errorf("the call of %s is not at column %d of %q", at.Through.Text, at.Column, string(line))
			}
		}
	}
	want := []string{"a: 2 a", "taxes.rate: 5 rate", "taxes.rate: 5 rate", "taxes.scale: 5 scale"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q\n%s", got, want, strings.Join(lines, "\n"))
	}
}

// TestBounded: a formula that multiplies ends, and says that it was not followed to its end.
func TestBounded(t *testing.T) {
	f := facts(t, load(t, "x = 0\n"+strings.Repeat("for i in range(400):\n    pass\n", 3)+
		"for i in range(400):\n    for j in range(400):\n        for k in range(400):\n            x = household('rent', period)\nreturn x"))
	if names(f.Variables) != "rent" || len(f.Dynamic) != 1 || !strings.Contains(f.Dynamic[0].Reason, "too long") {
		t.Errorf("got %+v", f)
	}
}

// TestTurnedAround: consumers and readers are the inverse, complete with what was seen, and follow reforms.
func TestTurnedAround(t *testing.T) {
	ctx := context.Background()
	p := load(t, "return household('rent', period) + parameters(period).zones[household.members(f'car_{period.start.year}', period)] + parameters(period).taxes.rate")
	g := lawgraph.New(p, p.System)
	if err := g.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	edges := func(list []lawgraph.Edge) string {
		out := []string{}
		for _, e := range list {
			text := e.Name
			for _, m := range []struct {
				on   bool
				mark string
			}{{e.Static, "+"}, {e.Seen, "*"}, {e.Node, "[]"}} {
				if m.on {
					text += m.mark
				}
			}
			out = append(out, text)
		}
		return strings.Join(out, " ")
	}
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	probe, _ := p.System.Lookup("probe")
	check("consumers", edges(g.Consumers(p.System, "rent")), "probe+")
	check("consumers", edges(g.Consumers(p.System, "car_1")), "")
	check("readers", edges(g.Readers(p.System, "taxes.rate")), "probe+")
	check("readers by row", edges(g.Readers(p.System, "zones.near")), "probe+[]")
	g.Saw(probe, []string{"car_1", "rent"}, []string{"zones", "zones._name"})
	check("seen", edges(g.Inputs(p.System, probe)), "car_1* rent+*")
	check("seen", edges(g.Parameters(p.System, probe)), "taxes.rate+ zones+*[]")
	check("consumers", edges(g.Consumers(p.System, "car_1")), "probe*")

	accounts := map[string]lawgraph.Account{"taxes.rate": lawgraph.Told, "zones.near": lawgraph.Told, "taxes.other": lawgraph.Warned, "zones._name": lawgraph.OfNode}
	for name, want := range accounts {
		if got := g.Account(p.System, probe, period.Instant{Year: 2024, Month: 1, Day: 1}, name, true); got != want {
			t.Errorf("%s: got account %d, want %d", name, got, want)
		}
	}

	b := p.System.Reform("without")
	if err := b.NeutralizeVariable("probe"); err != nil {
		t.Fatal(err)
	}
	reformed := b.Build()
	neutral, _ := reformed.Lookup("probe")
	check("neutralized", edges(g.Inputs(reformed, neutral)), "")
	check("consumers of a reform", edges(g.Readers(reformed, "taxes.rate")), "")
	check("consumers of the base", edges(g.Readers(p.System, "taxes.rate")), "probe+")

	annual := p.System.Reform("annual")
	if err := annual.AnnualizeVariable("probe", nil); err != nil {
		t.Fatal(err)
	}
	yearly := annual.Build()
	made, _ := yearly.Lookup("probe")
	check("made annual", edges(g.Inputs(yearly, made)), "probe+ rent+")
	check("consumers of what was made annual", edges(g.Consumers(yearly, "rent")), "probe+")
}

var _ lawgraph.Package = (*country.Package)(nil)
