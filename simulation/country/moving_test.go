package country_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"

	"pgregory.net/rapid"
)

// monthly loads a package of persons with an input x, a kind, and variables by the month with the given bodies of formulas,
// in force since June 2018: v0, v1 and so on. A second line of a body is what the formula becomes in September 2019.
func monthly(t testing.TB, bodies []string) *legislation.System {
	t.Helper()
	var variables strings.Builder
	variables.WriteString(`
import functools
import numpy as np
from openfisca_core.model_api import *
from openfisca_core.periods import Period
from months.entities import Person
class Kind(Enum):
    low = "low"
    high = "high"
class x(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
class kind(Variable):
    value_type = Enum
    possible_values = Kind
    default_value = Kind.low
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return where(person("x", period) > 2, Kind.high, Kind.low)
def before(person, period):
    return person("x", period.last_month)
@functools.cache
def cached_rate(law):
    return law.rate + law.node.a
@functools.cache
def cached_last(period):
    return (period.last_month, period.this_year)
@functools.cache
def cached_tower(height):
    tower = []
    for _ in range(height):
        tower = [tower, tower]
    tower[0].append(tower)
    return tower
`)
	for i, body := range bodies {
		first, second, dated := strings.Cut(body, "\n")
		fmt.Fprintf(&variables, `class v%d(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula_2018_06(person, period, parameters):
        return %s
`, i, first)
		if dated {
			fmt.Fprintf(&variables, "    def formula_2019_09(person, period, parameters):\n        return %s\n", second)
		}
	}
	system, err := built(t, "months", "entities.Person", country.Options{}, map[string]string{
		"entities.py": `from openfisca_core.entities import build_entity
Person = build_entity(key="person", plural="persons", label="", is_person=True)
`,
		"variables.py":              variables.String(),
		"parameters/rate.yaml":      "values: {2000-01-01: {value: 1}, 2019-04-01: {value: 2}, 2020-02-01: {value: 3}}\n",
		"parameters/still.yaml":     "values: {2000-01-01: {value: 5}}\n",
		"parameters/late.yaml":      "values: {2019-09-01: {value: 5}}\n",
		"parameters/node/a.yaml":    "values: {2000-01-01: {value: 1}, 2019-07-01: {value: 4}}\n",
		"parameters/node/b.yaml":    "values: {2000-01-01: {value: 7}}\n",
		"parameters/node/c.yaml":    "values: {2000-01-01: {value: 7}, 2020-03-01: {value: null}}\n",
		"parameters/kind/low.yaml":  "values: {2000-01-01: {value: 1}}\n",
		"parameters/kind/high.yaml": "values: {2000-01-01: {value: 2}, 2019-11-01: {value: 9}}\n",
		"parameters/scale.yaml": "brackets:\n- threshold: {2000-01-01: {value: 0}}\n  rate: {2000-01-01: {value: 0.5}, 2020-05-01: {value: 0.25}}\n" +
			"- threshold: {2000-01-01: {value: 2}}\n  rate: {2000-01-01: {value: 1}}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	return system
}

// run computes a variable on months of 2018 to 2020, by their number, and describes all that is stored in the end. x is the
// input of each month of 2016 to 2020.
func run(t testing.TB, system *legislation.System, x []int, variable string, months []int, forgetful bool) (stored []string, sim *engine.Simulation) {
	t.Helper()
	sim, err := engine.New(t.Context(), system, engine.Spec{Persons: 2}, engine.Options{Forgetful: forgetful})
	if err != nil {
		t.Fatal(err)
	}
	month := func(year, i int) *period.Entry {
		return sim.Periods().Intern(period.Of(period.Month, period.Instant{Year: int16(year + i/12), Month: int8(i%12) + 1, Day: 1}, 1))
	}
	input, _ := system.Lookup("x")
	for i, value := range x {
		if err := sim.SetInput(input.ID, month(2016, i), vector.Of([]float32{float32(value), float32(value * 2)})); err != nil {
			t.Fatal(err)
		}
	}
	asked, _ := system.Lookup(variable)
	for _, i := range months {
		if _, err := sim.Calculate(asked.ID, month(2018, i), legislation.Plain); err != nil {
			t.Fatalf("%v", err)
		}
	}
	for _, v := range system.Variables() {
		h, err := sim.Holder(v.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range h.KnownPeriods() {
			c, _ := h.Array(at)
			stored = append(stored, v.Name+" "+at.String()+" "+c.String())
		}
	}
	return stored, sim
}

// seeing are expressions that look at the month in every way that formulas have.
var seeing = []string{
	"person('x', period)", "person('x', period.first_month)", "person('x', period.last_month)", "before(person, period)",
	"person('x', period.offset(-12, 'month'))", "person('x', period.offset(-1, 'year'))", "person('x', period.offset(-2))",
	"person('x', period.this_year, options=[ADD])", "person('x', period.last_year, options=[ADD])", "person('x', period.last_3_months, options=[ADD])",
	"person('x', period.last_month.this_year, options=[ADD])", "person('x', period.n_2.first_month)",
	"person('x', period.this_year.first_month)", "person('x', period.this_year.first_month.offset(7, 'month'))",
	"person('x', Period(('month', period.start, 3)).offset(-3), options=[ADD])", "person('x', Period(('year', period.start, 1)).offset(-1), options=[ADD])",
	"person('x', period.start.offset('first-of', 'year').period('month', 2), options=[ADD])",
	"person('x', period.start.offset(-1, 'month').offset('first-of', 'year').period('month'))",
	"person('x', period.start.period('year').offset(-1), options=[ADD])", "person('x', period.start.offset(-1, 'day').offset('first-of', 'month').period('month'))",
	"person('x', period.offset('first-of', 'year'))", "person('x', period.last_month.offset('first-of', 'year'))", "person('x', period.offset('first-of', 'month'))",
	"sum(person('x', month) for month in period.this_year.get_subperiods('month'))", "person('x', str(period))", "person('x', '2019-03')",
	"parameters(period).rate", "parameters(period).still", "parameters(period).node.a", "parameters(period).node['b']", "parameters(period.last_month).rate",
	"parameters(period.start).rate", "parameters(period.this_year).rate", "parameters(period.n_2).node.a", "parameters('2019-05-01').rate", "parameters(period.offset(-1, 'year')).rate",
	"parameters(period.start.offset(-1, 'month')).rate", "parameters(period).scale.calc(person('x', period))", "len(list(parameters(period).node))",
	"('c' in parameters(period).node) * 1", "len(dir(parameters(period).node))", "(1 if hasattr(parameters(period), 'late') else 2)", "getattr(parameters(period).node, 'a')", "parameters(period).kind[person('kind', period)]", "len(parameters(period).node._children)",
	"(parameters(period).rate > 1) * 1", "(parameters(period)._instant_str == '2019-05-01') * 1", "(parameters(period).node._name == 'node') * 1",
	"period.start.year", "period.start.month", "period.start.day", "period.start.offset(1, 'month').month", "period.last_month.start.year", "period.last_month.start.month",
	"(period.start.month < 7) * 1", "(period.start.month == 12) * 1", "(period.start.month != 4) * 1", "(period.start.month >= 3) * 1", "(9 <= period.start.month) * 1",
	"(1 if period.start.month > 5 else 2)", "(period.start.year > 2019) * 1", "(period.last_month.start.month < 6) * 1",
	"period.size", "len(period.unit)", "period.days", "(str(period) == '2019-05') * 1", "(f'{period.start}' == '2019-03-01') * 1", "(period == period.first_month) * 1",
	"(period > period.last_month) * 1", "(period.start > period.last_month.start) * 1", "{period: 3}.get(period)", "len({period.start, period.last_month.start})", "period.start.date.month",
	"period.stop.day", "period.date.month", "period.contains(period.first_day) * 1", "len(period.get_subperiods('day'))", "len([part for part in period])",
	"(period[0] == 'month') * 1", "period[1][1]", "period.start[1]", "period.first_week.start.day", "period.offset(1, 'day').start.day", "period.offset('last-of', 'month').start.day",
	"np.datetime64(period.start).astype(int)", "(np.datetime64(period.start) - np.datetime64('2018-01-01')).astype(int)", "period.size_in_days", "max(period, period.last_month).start.month",
	"(period.last_month.last_month.first_month == period.offset(-2)) * 1", "(repr(period.start)[-3] == '1') * 1", "(parameters(period).still if 'late' in parameters(period) else 11)",
}

// TestMonthsAreTheSame compares all that is stored when runs of formulas are carried from month to month with what is stored
// when every formula runs. The formulas look at their month in all ways; the months are asked for in any order.
func TestMonthsAreTheSame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		bodies := make([]string, rapid.IntRange(1, 4).Draw(r, "variables"))
		for i := range bodies {
			some := rapid.SliceOfN(rapid.SampledFrom(seeing), 1, 3).Draw(r, "expressions")
			for j := range i {
				some = append(some, rapid.SampledFrom([]string{
					"0", fmt.Sprintf("person('v%d', period)", j), fmt.Sprintf("person('v%d', period.last_month)", j), fmt.Sprintf("person('v%d', period.this_year, options=[ADD])", j),
				}).Draw(r, "asked"))
			}
			bodies[i] = strings.Join(some, " + 3 * ")
			if rapid.Bool().Draw(r, "branch") {
				bodies[i] = "(" + bodies[i] + " if person('x', period).max() > 3 else " + rapid.SampledFrom(seeing).Draw(r, "else") + ")"
			}
			if rapid.Bool().Draw(r, "dated") {
				bodies[i] += "\n100 + " + bodies[i] // the same questions, another result
			}
		}
		system := monthly(t, bodies)
		last := fmt.Sprintf("v%d", len(bodies)-1)
		months := rapid.SliceOfN(rapid.IntRange(0, 35), 1, 40).Draw(r, "months")
		if rapid.Bool().Draw(r, "in order") {
			slices.Sort(months)
		}
		x, value := make([]int, 60), 0
		for i := range x {
			if rapid.IntRange(0, 5).Draw(r, "change") == 0 {
				value = rapid.IntRange(0, 4).Draw(r, "x")
			}
			x[i] = value
		}
		want, _ := run(t, system, x, last, months, true)
		for range 2 { // the second time with what the first taught
			if got, _ := run(t, system, x, last, months, false); !slices.Equal(got, want) {
				r.Fatalf("formulas %q: %s", bodies, difference(got, want))
			}
		}
	})
}

func difference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return got[i] + ", want " + want[i]
		}
	}
	return fmt.Sprintf("%d columns, want %d", len(got), len(want))
}

// TestMonthsAreCarried counts how often formulas are evaluated in the 24 months of 2019 and 2020, while x never changes.
func TestMonthsAreCarried(t *testing.T) {
	months := make([]int, 24)
	for i := range months {
		months[i] = i + 12
	}
	for _, c := range []struct {
		body string
		want int64
	}{
		{"person('x', period)", 1},
		{"person('x', period) + before(person, period)", 1},
		{"person('x', period.last_3_months, options=[ADD])", 1},
		{"person('x', Period(('month', period.start, 3)).offset(-3), options=[ADD])", 1},
		{"person('x', period) * parameters(period).still", 1},
		{"person('x', period)\nperson('x', period) + 1", 2},
		{"person('x', period) * parameters(period).rate", 3},
		{"person('x', period) * parameters(period).node.b", 1},
		{"person('x', period) * parameters(period.start).node['a']", 2},
		{"parameters(period).scale.calc(person('x', period))", 2},
		{"person('x', period.this_year, options=[ADD])", 2},
		{"person('x', period) * period.start.year", 2},
		{"person('x', period) * (period.start.month < 7)", 4},
		{"person('x', period) * (period.start.month == 12)", 4},
		{"person('x', period) * period.start.month", 24},
		{"person('x', period) * period.days", 24},
		{"person('x', period.last_month.this_year, options=[ADD])", 24},
		{"parameters(period.last_month).rate", 24},
	} {
		_, sim := run(t, monthly(t, []string{c.body}), make([]int, 60), "v0", months, false)
		if got := sim.Evaluated(); got != c.want {
			t.Errorf("%s: %d evaluated, want %d", c.body, got, c.want)
		}
	}
}

// TestMonthsAndCaches has formulas that call functions under functools.cache: what those read, and the periods that they give,
// belong to whoever calls them.
func TestMonthsAndCaches(t *testing.T) {
	bodies := []string{
		"cached_rate(parameters(period))", "cached_rate(parameters(period)) + 10", "person('x', cached_last(period)[0]) + len(cached_tower(60))",
		"person('v0', period) + person('v1', period) + person('v2', period)",
	}
	system := monthly(t, bodies)
	x := make([]int, 60)
	for i := range x {
		x[i] = i / 7
	}
	months := []int{12, 13, 14, 15, 16, 17, 24, 25, 26, 27}
	want, _ := run(t, monthly(t, bodies), x, "v3", months, true)
	run(t, system, nil, "v3", []int{27, 12, 26, 13}, false) // leaves what it computed in the caches, and numbers periods in its own way
	for range 2 {
		if got, _ := run(t, system, x, "v3", months, false); !slices.Equal(got, want) {
			t.Error(difference(got, want))
		}
	}
}
