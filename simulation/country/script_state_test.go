package country_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// states are packages that keep something from one call to the next. Each is what stands before the variables, the body of
// the rule of an input, that of the formula of a, and that of the rule of its output.
var states = map[string][4]string{
	"count in output":       {"count = 0", "", "return x + 1", "global count\ncount += 1\nreturn a + count"},
	"count in formula":      {"count = 0", "", "global count\ncount += 1\nreturn x + count", "return a"},
	"input for the formula": {"last = 0", "global last\nlast = 7", "return x + last", "return a"},
	"array for the formula": {"last = 0", "global last\nlast = array", "return x + (last if isinstance(last, int) else last[0])", "return a"},
	"iterator":              {"numbers = iter(range(100000))", "", "return x + next(numbers)", "return a"},
	"generator":             {"numbers = (i * i for i in range(100000))", "", "return x + next(numbers)", "return a"},
	"dict":                  {"memo = {}", "", "memo[len(memo)] = 1\nreturn x + len(memo)", "return a"},
	"list":                  {"memo = []", "", "memo.append(1)\nreturn x + len(memo)", "return a"},
	"default":               {"def f(v, memo = []):\n    memo.append(v)\n    return len(memo)", "", "return x + f(1)", "return a"},
	"function":              {"def f():\n    f.calls = getattr(f, 'calls', 0) + 1\n    return f.calls", "", "return x + f()", "return a"},
	"class":                 {"class C:\n    n = 0\n    def __init__(self):\n        C.n += 1", "", "C()\nreturn x + C.n", "return a"},
	"instance":              {"class C:\n    n = 0\nc = C()", "", "c.n += 1\nreturn x + c.n", "return a"},
	"closure":               {"def make():\n    n = 0\n    def f():\n        nonlocal n\n        n += 1\n        return n\n    return f\nf = make()", "", "return x + f()", "return a"},
	"cache of an array":     {"@functools.cache\ndef f(k):\n    return [k]", "", "return x + len(f(float(x[0])))", "return a"},
	"cache of a population": {"@functools.cache\ndef f(person, period):\n    return person('x', period)", "", "return f(person, period) * 2", "return a"},
	"attribute of a node":   {"", "", "node = parameters(period).node\nnode.mine = x\nreturn parameters(period).node.mine + node.a", "return a"},
	"attribute of a person": {"", "", "person.mine = x\nreturn person.mine + 1", "return a"},
	"scale of the law":      {"", "", "scale = parameters(period).scale\nscale.add_bracket(50, 0.7)\nreturn scale.calc(x)", "return a"},
	"today":                 {"", "", "return x + datetime.datetime.now().month", "return a"},
	"refused input":         {"", "if array[0] > 5:\n    raise ValueError('too much')", "return x", "return a"},
}

func stateSystem(t *testing.T, parts [4]string) (*legislation.System, error) {
	indented := func(by, body string) string { return by + strings.ReplaceAll(body, "\n", "\n"+by) + "\n" }
	variables := "import datetime\nimport functools\nimport numpy as np\nfrom openfisca_core.model_api import *\nfrom states.entities import Person\n" + parts[0] +
		"\ndef rule(holder, period, array):\n" + indented("    ", cmp.Or(parts[1], "pass")) +
		"\ndef shown(simulation, variable_name, period):\n    a = simulation.calculate(variable_name, period)\n" + indented("    ", parts[3]) + `
class x(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
` + map[bool]string{true: "    set_input = rule\n"}[parts[1] != ""] + `class a(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
` + map[bool]string{true: "    calculate_output = shown\n"}[parts[3] != "return a"] + `    def formula(person, period, parameters):
        x = person("x", period)
` + indented("        ", parts[2])
	return built(t, "states", "entities.Person", country.Options{Now: now}, map[string]string{
		"entities.py":            "from openfisca_core.entities import build_entity\nPerson = build_entity(key='person', plural='persons', label='', is_person=True)\n",
		"variables.py":           variables,
		"parameters/node/a.yaml": "values: {2000-01-01: {value: 1}}\n",
		"parameters/scale.yaml":  "brackets:\n- threshold: {2000-01-01: {value: 0}}\n  rate: {2000-01-01: {value: 0.5}}\n",
	})
}

// stateRun does the same in simulation after simulation of a system, and describes what each gives.
func stateRun(t *testing.T, system *legislation.System, o engine.Options) (out []string, played int) {
	for k := range 8 {
		sim, err := engine.New(t.Context(), system, engine.Spec{Persons: 2}, o)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := system.Lookup("x")
		a, _ := system.Lookup("a")
		for m := range 3 {
			at := sim.Periods().Intern(period.Of(period.Month, period.Instant{Year: 2020, Month: int8(m + 1), Day: 1}, 1))
			err := sim.SetInput(x.ID, at, vector.Of([]float32{float32(k), float32(m)}))
			c, asked := sim.CalculateOutput(a.ID, at)
			again, _ := sim.Calculate(a.ID, at, legislation.Plain)
			out = append(out, fmt.Sprint(err, asked, c.String(), again.String()))
		}
		played += sim.Replayed()
	}
	return out, played
}

// TestStatesWithScripts wants simulations with scripts, one after the other, to give what those without give: two copies of
// each package are used, so that neither sees what the other keeps.
func TestStatesWithScripts(t *testing.T) {
	for name, parts := range states {
		t.Run(name, func(t *testing.T) {
			var all [2][]string
			for i, o := range []engine.Options{{Scripted: true, Eager: true}, {Forgetful: true}} {
				system, err := stateSystem(t, parts)
				if err != nil {
					t.Fatal(err)
				}
				var played int
				all[i], played = stateRun(t, system, o)
				t.Logf("%d played; %s", played, all[i][len(all[i])-1])
			}
			for k := range all[0] {
				if all[0][k] != all[1][k] {
					t.Fatalf("simulation %d, month %d: with scripts\n%s\nwithout\n%s", k/3, k%3+1, all[0][k], all[1][k])
				}
			}
		})
	}
}
