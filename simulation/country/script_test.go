package country_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// suspects are formulas that may give away more of their columns than a tape is told. Each is the body of a function of
// person, period and parameters; x and y are numbers, b truths, s texts, d days, k members of an enumeration, z integers.
var suspects = []string{
	"return x + y * 2 - where(b, x, y)",
	"return x[0] + y",
	"return y * float(x[0])",
	"return y + int(x[0] / 100)",
	"if x.any():\n    return y + 1\nreturn y",
	"if any(x > 100):\n    return x\nreturn y",
	"if (x > y).all():\n    return x * 2\nreturn y * 3",
	"if b[0]:\n    return x\nreturn y",
	"if not b[0] and x[0] > 3:\n    return x - 1\nreturn y - 1",
	"return x[int(z[0]) % 2]",
	"return sum(x) + y",
	"return max(x) + min(y) + len(x)",
	"return np.array([v * 2 if v > 50 else 0 for v in x])",
	"return np.array(list(map(lambda v: v + 1, x)))",
	"return np.fromiter((v * v for v in x), dtype = float)",
	"return {0: x, 1: y}[int(b[0])]",
	"return {0.0: 5, 3.0: 7}.get(float(x[0]), 9) + y",
	"return y + len('{}'.format(x[0]))",
	"return y + len(str(x))",
	"return y + len(f'{float(x[0]):.2f}')",
	"return np.array(sorted(x))",
	"return np.sort(x) + np.argsort(y)",
	"return x.tolist()[0] + y",
	"return y + len(np.unique(x))",
	"return y + len(np.where(x > 100)[0])",
	"return y + x[x > 100].size",
	"return y + x[x > 100].sum()",
	"return y + np.count_nonzero(x > 100)",
	"return np.select([x > 1000, x > 100], [x, y], 3)",
	"return np.piecewise(x, [x < 100, x >= 100], [-1, 1])",
	"return np.vectorize(lambda v, w: v if v > w else w)(x, y)",
	"try:\n    return y + 100 / int(x[0])\nexcept ZeroDivisionError:\n    return y",
	"try:\n    return y + [1, 2, 3][int(z[0])]\nexcept IndexError:\n    return -y",
	"try:\n    return y + x[int(z[0])]\nexcept IndexError:\n    return -y",
	"try:\n    if x[0] > 100:\n        raise ValueError(str(x[0]))\nexcept ValueError as e:\n    return y + len(str(e))\nreturn x",
	"try:\n    return y + int(s[0])\nexcept ValueError:\n    return y - 1",
	"assert x[0] < 1000, 'too much'\nreturn x",
	"if x[0] > 500:\n    raise ValueError('more than %s' % x[0])\nreturn x",
	"return x.astype(int) + y.astype(np.int32) + b.astype(float)",
	"return (x > 100) * y + (x <= 100) * 2 + ~b",
	"return where(k == Kind.high, x, y)",
	"return where(k == Kind.high, Kind.low, Kind.high) == Kind.low",
	"return (k == Kind.high) + (k != Kind.mid) + (k.decode() == Kind.low)",
	"return y + len(k.decode_to_str()[0])",
	"return parameters(period).kind[k] * x",
	"return parameters(period).kind[where((s == '') + (s == '12'), 'low', s)] * x",
	"return parameters(period).tree[k].one + parameters(period).tree[k].two * y",
	"return (np.where(b, Kind.high, 5) == Kind.high) * x",
	"return (np.where(x > 100, Kind.high, None) == Kind.high) * x + y",
	"return (np.where(b, Kind.high, Kind.low) == 5) * x + (np.where(b, 'a', 'b') == Kind.low)",
	"if k[0] == 1:\n    return x\nreturn y",
	"return where(k == k.possible_values.mid, x, 2)",
	"return parameters(period).scale.calc(x) + parameters(period).scale.calc(y, factor = 2)",
	"return parameters(period).scale.calc(x, factor = y + 1, round_base_decimals = 1)",
	"return parameters(period).amounts.calc(x) + parameters(period).single.calc(x)",
	"return parameters(period).scale.bracket_indices(x) + parameters(period).scale.marginal_rates(y)",
	"scale = parameters(period).scale.multiply_thresholds(float(x[0]) + 1, inplace = False)\nreturn scale.calc(y)",
	"scale = MarginalRateTaxScale(name = 'own')\nscale.add_bracket(0, 0.5)\nfirst = scale.calc(x)\nscale.add_bracket(float(y[0]) + 1, 0.9)\nreturn first + scale.calc(x)",
	"scale = MarginalRateTaxScale(name = 'own')\nscale.add_bracket(0, 0.5)\nfirst = scale.calc(x)\nscale.add_bracket(50, 0.9)\nreturn first + scale.calc(x)",
	"return person('x', period.offset(-(int(z[0]) % 3), 'month')) + y",
	"return person('x', period.last_month) + period.start.year + period.start.month",
	"return sum(person('x', period.offset(-i)) for i in range(3))",
	"return person('x', period.this_year, options = [ADD]) + y",
	"return person('w', period, options = [DIVIDE]) + y",
	"return person('x' if b[0] else 'y', period)",
	"return y + (type(x).__name__ == 'ndarray') + isinstance(x, np.ndarray) + (x.dtype == np.float32) + x.ndim + x.shape[0] + x.size",
	"return y + (x is y) + (x is None) + (x[0] == x[0])",
	"return y + hash(float(x[0])) % 7",
	"return y + len({float(v) for v in x} | {1.0, 2.0})",
	"return y + (x[0] in [1.0, 2.0, 300.0]) + (float(x[0]) in {0.0, 5.0})",
	"return cached(float(x[0])) + y",
	"return cached(x[0]) + y",
	"return lazily() + y",
	"seen = []\nfor v in x:\n    if v > 100:\n        break\n    seen.append(v)\nelse:\n    return y\nreturn y + len(seen)",
	"n = 0\nv = float(x[0])\nwhile v > 1 and n < 50:\n    v, n = v / 2, n + 1\nreturn y + n",
	"return y + collatz(int(z[0]) % 20 + 1)",
	"return x + math.floor(y[0]) + math.sqrt(abs(x[0])) + round(float(y[0]), 1) + round(x[0])",
	"return np.round(x, 1) + np.floor(y) + np.ceil(x) + np.trunc(y) + np.abs(x) + np.sign(y)",
	"return np.clip(x, 10, y) + x.clip(0, 200)",
	"return np.cumsum(x) + np.maximum(x, y) + max_(x, 3) + min_(y, 9)",
	"return np.searchsorted(np.array([1, 10, 100]), x) + np.digitize(y, [1, 50])",
	"return np.isin(x, [1, 2, 300]) + np.in1d(y, [3]) * 1",
	"return np.interp(x, [0, 100, 1000], [0, 1, 5]) + y",
	"return np.stack([x, y]).sum(axis = 0) + np.stack([x, y], axis = 1).max(axis = 1)",
	"return np.concatenate([x, y])[:len(x)] + np.tile(x, 2)[len(x):] + np.repeat(x[:1], len(x))",
	"return x[::-1] + y[1:].sum() + x[-1]",
	"v = x.copy()\nv[v > 100] = 7\nv += 1\nv[0] = y[0]\nreturn v",
	"v = x\nw = v\nv = v + 1\nw = w * 2\nreturn v + w",
	"v = np.zeros(len(x))\nw = v\nv += x\nreturn v + w",
	"v = np.ones_like(x)\nv[b] = y[b]\nreturn v * np.full(len(x), x[0]) + np.empty_like(x) * 0 + np.arange(len(x))",
	"v = np.zeros(len(x))\nfor i in range(len(x)):\n    v[i] = x[i] if b[i] else y[i]\nreturn v",
	"return x // 7 + y % 5 + (x + 1) ** 0.5 - (-y) + z // 2 + z % 3",
	"return z + z * 100000 - z // (z + 1)",
	"return x / (y - 100)",
	"return np.divide(x, y, out = np.zeros_like(x), where = y != 0)",
	"return np.nan_to_num(x / y) + np.isnan(y / y) + np.isinf(x / 0.0)",
	"return (s == 'low') * x + (s != 'c') * y",
	"return np.char.startswith(s.astype(str), 'a') * x + y",
	"return np.array([len(t) for t in s]) + x",
	"return (d.astype('datetime64[Y]').astype(int) + 1970) * 1.0 + y",
	"return (np.datetime64(period.start) - d).astype('timedelta64[D]').astype(int) + y",
	"return (datetime64(period.start) < d) * x + y",
	"return where(d > np.datetime64('1990-01-01'), x, y)",
	"return y + d[0].astype(object).year",
	"return y + int(str(d[0])[:4])",
	"return np.busday_count(d.astype('datetime64[D]'), np.datetime64(period.start)) + y",
	"return y + len(person.simulation.get_holder('x').get_known_periods())",
	"return y + len(person.get_holder('x').get_known_periods())",
	"copy = person.simulation.clone()\ncopy.delete_arrays('x', period)\ncopy.set_input('x', period, y + 1)\nreturn copy.calculate('twice', period)",
	"return person('twice', period) + person('thrice', period)",
	"return person('chosen', period) == Kind.high",
	"return y + person.count",
	"return y + (datetime.date.today().year > 2000)",
	"return y + len(person.ids)",
	"return y + len([i for i in person.ids if i == 'ann'])",
	"return None",
	"return 3",
	"return x[0]",
	"return b",
	"return x.mean() + np.mean(y)",
	"return np.average(x, weights = y + 1) + np.dot(x, y)",
	"return y + np.argmax(x) + np.argmin(y)",
	"return np.apply_along_axis(lambda r: r[0] + r[1], 0, np.vstack([x, y]))",
	"return reduce(lambda a, c: a + c, [x, y, z])",
	"return sum([x, y]) + functools.reduce(np.maximum, [x, y])",
	"return not_(b) * x + (b & (x > 1)) + (b | (y > 1)) + (b ^ (x > y)) + np.logical_and(b, x) + np.logical_not(y)",
	"text = 'many' if x[0] > 100 else 'few'\nreturn len(text) + y",
	"return apply_thresholds(x, [10, 100], [1, 2, 3]) + y",
	"return switch(z % 3, {0: x, 1: y, 2: 7})",
	"return concat(s, s) == 'abab'",
	"return x.sum() * 1.0",
	"return np.minimum.reduce([x, y, 5 * x]) + np.maximum.reduce([x, y])",
	"return np.outer(x, y).sum(axis = 1) if hasattr(np, 'outer') else x",
	"return person('x', period) if person('b', period).any() else person('y', period.last_month)",
	"return (x * 1000).astype(np.int16) + z.astype(bool)",
	"return np.where(b)[0].sum() + x",
	"return np.float32(x[0]) + np.int64(z[0]) + np.float64(y[0])",
	"return y + (np.float64(x[0]) * 2 > 100)",
	"return x + np.array([1e10, 2, 3])[:len(x)] * z",
	"return np.array([x[0], z[0], 2.5]).sum() + y",
	"return np.array([b[0], z[0]]).sum() + y",
	"return (z[0] + 30000) * np.int16(1) + y",
	"return (x > 50).astype(np.int16) * z[0] + y",
	"return np.array([1., 2.5, 4.])[k] * x",
	"return np.array([[1., 2.], [3., 4.], [5., 6.]])[k, b.astype(int)] + x",
	"return np.arange(6).reshape(3, 2)[k].sum(axis=1) + x",
}

var now = time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)

// groupSuspects are formulas of households; members are theirs, and x, y, b, k their values.
var groupSuspects = []string{
	"return household.sum(x) + household.sum(y, role = Household.CHILD)",
	"return household.max(x) + household.min(y) * 2",
	"return household.any(b) + household.all(b) * 2 + household.any(x > 100, role = Household.PARENT)",
	"return household.nb_persons() + household.nb_persons(Household.CHILD)",
	"return household.value_from_first_person(x) + household.first_parent('y', period)",
	"return household.value_from_person(x, Household.FIRST_PARENT, default = 7)",
	"return household.value_nth_person(1, x, default = 3)",
	"return household.value_nth_person(1, k, default = Kind.high) == Kind.high",
	"return household.first_parent('kind', period) == Kind.low",
	"return household.second_parent('x', period) + household.sum(members.household('rent', period))",
	"return household.sum(members('x', period) * (members('kind', period) == Kind.high))",
	"return household.sum(household.project(rent) * (x > 50))",
	"return household.sum(members.get_rank(household, x) * y)",
	"return household.sum(members.get_rank(members.household, -x, condition = b) + 1)",
	"return household.reduce(x, np.maximum, 0)",
	"return household.sum(members.has_role(Household.PARENT) * x) + household.max(members_position(household) * y)",
	"if household.sum(x).max() > 500:\n    return rent\nreturn -rent",
	"total = household.sum(x)\nshare = total / where(rent == 0, 1, rent)\nreturn share.clip(0, 9)",
	"return household.sum(members.household('rent', period.last_month)) + household.members('twice', period).sum()",
	"return household.sum(members.value_from_partner(x, members.household, Household.PARENT))",
	"return rent * (household.nb_persons(Household.PARENT) == 2) + household.min(z, role = Household.FIRST_PARENT)",
	"return household.max(x * 0 - 5, role = Household.CHILD)",
	"return household.sum(np.array([v if v > 10 else 0 for v in x]))",
	"return household.sum(where(members.household.first_parent('b', period), x, y))",
}

const suspectPackage = `
import datetime
import functools
import math
from functools import reduce
import numpy as np
from numpy import datetime64
from openfisca_core.model_api import *
from openfisca_core.taxscales import MarginalRateTaxScale
from suspects.entities import Person, Household
def members_position(household):
    return household.members_position
class Kind(Enum):
    low = "low"
    mid = "mid"
    high = "high"
@functools.cache
def cached(v):
    return v * 2 + 1
loaded = None
def lazily():
    global loaded
    if loaded is None:
        loaded = 17
    return loaded
def collatz(n):
    return 0 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
class kind(Variable):
    value_type = Enum
    possible_values = Kind
    default_value = Kind.low
    entity = Person
    definition_period = MONTH
class chosen(Variable):
    value_type = Enum
    possible_values = Kind
    default_value = Kind.low
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return select([person("x", period) > 300, person("b", period)], [Kind.high, Kind.mid], Kind.low)
class twice(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return person("x", period) * 2
class thrice(Variable):
    value_type = int
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return person("twice", period) + person("x", period)
class halved(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    set_input = set_input_divide_by_period
def shown(simulation, variable_name, period):
    return simulation.calculate(variable_name, period) + 1
class output(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    calculate_output = shown
    def formula(person, period):
        return person("halved", period) + person("x", period)
`

// suspectSystem loads a package in which each suspect is a variable: v0, v1 and so on.
func suspectSystem(t testing.TB) *legislation.System {
	t.Helper()
	var text strings.Builder
	text.WriteString(suspectPackage)
	for name, kind := range map[string]string{"x": "float", "y": "float", "b": "bool", "s": "str", "d": "date", "z": "int"} {
		fmt.Fprintf(&text, "class %s(Variable):\n    value_type = %s\n    entity = Person\n    definition_period = MONTH\n", name, kind)
	}
	text.WriteString("class w(Variable):\n    value_type = float\n    entity = Person\n    definition_period = YEAR\n")
	for i, body := range suspects {
		fmt.Fprintf(&text, "class v%d(Variable):\n    value_type = float\n    entity = Person\n    definition_period = MONTH\n    def formula(person, period, parameters):\n", i)
		text.WriteString("        x, y, b, s, d, z = (person(name, period) for name in 'xybsdz')\n        k = person('kind', period)\n")
		for line := range strings.SplitSeq(body, "\n") {
			text.WriteString("        " + line + "\n")
		}
	}
	text.WriteString("class rent(Variable):\n    value_type = float\n    entity = Household\n    definition_period = MONTH\n")
	for i, body := range groupSuspects {
		fmt.Fprintf(&text, "class h%d(Variable):\n    value_type = float\n    entity = Household\n    definition_period = MONTH\n    def formula(household, period, parameters):\n", i)
		text.WriteString("        members = household.members\n        x, y, b, z, k = (members(name, period) for name in ('x', 'y', 'b', 'z', 'kind'))\n        rent = household('rent', period)\n")
		for line := range strings.SplitSeq(body, "\n") {
			text.WriteString("        " + line + "\n")
		}
	}
	system, err := built(t, "suspects", "entities.Household, entities.Person", country.Options{Now: now}, map[string]string{
		"entities.py": `from openfisca_core.entities import build_entity
Person = build_entity(key='person', plural='persons', label='', is_person=True)
Household = build_entity(key='household', plural='households', label='', roles=[
    {'key': 'parent', 'plural': 'parents', 'max': 2, 'subroles': ['first_parent', 'second_parent']}, {'key': 'child', 'plural': 'children'}])
`,
		"variables.py":                  text.String(),
		"parameters/kind/low.yaml":      "values: {2000-01-01: {value: 1}}\n",
		"parameters/kind/mid.yaml":      "values: {2000-01-01: {value: 1.5}}\n",
		"parameters/kind/high.yaml":     "values: {2000-01-01: {value: 2}, 2020-03-01: {value: 9}}\n",
		"parameters/tree/low/one.yaml":  "values: {2000-01-01: {value: 1}}\n",
		"parameters/tree/low/two.yaml":  "values: {2000-01-01: {value: 2}}\n",
		"parameters/tree/mid/one.yaml":  "values: {2000-01-01: {value: 3}}\n",
		"parameters/tree/mid/two.yaml":  "values: {2000-01-01: {value: 4}}\n",
		"parameters/tree/high/one.yaml": "values: {2000-01-01: {value: 5}}\n",
		"parameters/tree/high/two.yaml": "values: {2000-01-01: {value: 6}}\n",
		"parameters/scale.yaml": "brackets:\n- threshold: {2000-01-01: {value: 0}}\n  rate: {2000-01-01: {value: 0.5}, 2020-05-01: {value: 0.25}}\n" +
			"- threshold: {2000-01-01: {value: 200}}\n  rate: {2000-01-01: {value: 1}}\n",
		"parameters/amounts.yaml": "brackets:\n- threshold: {2000-01-01: {value: 0}}\n  amount: {2000-01-01: {value: 5}}\n" +
			"- threshold: {2000-01-01: {value: 100}}\n  amount: {2000-01-01: {value: 6}}\n",
		"parameters/single.yaml": "metadata: {type: single_amount}\nbrackets:\n- threshold: {2000-01-01: {value: 0}}\n  amount: {2000-01-01: {value: 5}}\n" +
			"- threshold: {2000-01-01: {value: 100}}\n  amount: {2000-01-01: {value: 6}}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	return system
}

// people are the inputs of a simulation.
type people map[string]vector.Column

func drawPeople(r *rand.Rand, system *legislation.System, n int) people {
	amounts := []float32{0, 1, 2, 3, 50, 99.5, 100, 250, 300, 1200, -4, float32(math.Copysign(0, -1)), float32(math.NaN())}
	if r.IntN(4) > 0 {
		amounts = amounts[:len(amounts)-1]
	}
	kind, _ := system.Lookup("kind")
	draw := func() []float32 { return sampled(r, n, amounts) }
	return people{
		"x": vector.Of(draw()), "y": vector.Of(draw()), "w": vector.Of(draw()), "halved": vector.Of(draw()),
		"b": vector.Of(sampled(r, n, []bool{true, false})), "z": vector.Of(sampled(r, n, []int32{0, 1, 2, 3, 7, 40000})),
		"s":    vector.Strs(sampled(r, n, []string{"12", "low", "high", "mid"})),
		"d":    vector.Dates(vector.Day, sampled(r, n, []int64{0, 7304, 7305, 12000, 18262, 20000})),
		"kind": vector.Enums(kind.Enum.Domain, sampled(r, n, []int16{0, 1, 2})),
	}
}

// near returns people like others, but for one input.
func (p people) near(r *rand.Rand, system *legislation.System, n int) people {
	out, other := people{}, drawPeople(r, system, n)
	changed := []string{"x", "y", "b", "z", "s", "d", "kind", "w", "halved"}[r.IntN(9)]
	for name, c := range p {
		if out[name] = c; name == changed {
			out[name] = other[name]
		}
	}
	return out
}

func sampled[T any](r *rand.Rand, n int, from []T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = from[r.IntN(len(from))]
	}
	return out
}

var suspectNames = [][]string{{"ann", "bob", "cid"}, {"x", "y", "z"}}

// households puts every three persons into a household: two parents and a child.
func households(system *legislation.System, n int, ids []string) engine.Spec {
	g := engine.Groups{Count: (n + 2) / 3}
	roles := system.Entity("household").Flattened
	for i := range n {
		g.GroupOf = append(g.GroupOf, int32(i/3))
		g.Roles = append(g.Roles, roles[i%3])
	}
	spec := engine.Spec{Persons: n, Groups: map[string]engine.Groups{"household": g}}
	if n <= len(ids) {
		spec.PersonIDs = ids[:n]
	}
	return spec
}

// compute returns what variables are, or their errors.
func (p people) compute(t *testing.T, system *legislation.System, n int, o engine.Options, ids []string, asked []string) (out []string, columns []vector.Column, played int) {
	sim, err := engine.New(t.Context(), system, households(system, n, ids), o)
	if err != nil {
		t.Fatal(err)
	}
	months := []*period.Entry{}
	for _, m := range []int8{2, 3} {
		months = append(months, sim.Periods().Intern(period.Of(period.Month, period.Instant{Year: 2020, Month: m, Day: 1}, 1)))
	}
	year := sim.Periods().Intern(period.Of(period.Year, period.Instant{Year: 2020, Month: 1, Day: 1}, 1))
	note := func(what string, c vector.Column, err error) {
		if err != nil {
			c, what = vector.Column{}, what+": "+err.Error()
		}
		out, columns = append(out, what), append(columns, c)
		if sim.Replayed() > 0 && c.Len() > 0 {
			played++
		}
	}
	for _, name := range []string{"x", "y", "b", "z", "s", "d", "kind", "w", "halved"} {
		v, _ := system.Lookup(name)
		at := months[1]
		if name == "w" || name == "halved" {
			at = year
		}
		note(name, vector.Column{}, sim.SetInput(v.ID, at, p[name]))
	}
	rent, _ := system.Lookup("rent")
	first, err := p["w"].At(0)
	if err != nil {
		t.Fatal(err)
	}
	rents, err := first.Spread((n + 2) / 3)
	note("rent", vector.Column{}, errors.Join(err, sim.SetInput(rent.ID, months[1], rents)))
	for _, name := range asked {
		v, _ := system.Lookup(name)
		for _, at := range months {
			c, err := sim.CalculateOutput(v.ID, at)
			note(name+" on "+at.String(), c, err)
		}
	}
	sim.Release()
	return out, columns, played
}

// compareScripted computes with scripts and without; it gives how many results were played and how many are errors.
func (p people) compareScripted(t *testing.T, system *legislation.System, n int, ids []string, asked ...string) (played, errors int) {
	t.Helper()
	got, results, played := p.compute(t, system, n, engine.Options{Scripted: true, Eager: true}, ids, asked)
	want, ordinary, _ := p.compute(t, system, n, engine.Options{Forgetful: true}, ids, asked)
	for i := range want {
		if got[i] != want[i] || results[i].Taped() || !results[i].Same(ordinary[i]) {
			t.Errorf("%v for %v: %s is %v, want %s, %v", asked, p, got[i], results[i], want[i], ordinary[i])
		}
		if strings.Contains(want[i], ":") {
			errors++
		}
	}
	return played, errors
}

// TestSuspectsFromScripts computes each suspect for one household after the other, and all of them together.
func TestSuspectsFromScripts(t *testing.T) {
	system := suspectSystem(t)
	bodies := make(map[string]string)
	var all []string
	for prefix, list := range map[string][]string{"v": suspects, "h": groupSuspects} {
		for i, body := range list {
			name := fmt.Sprint(prefix, i)
			bodies[name] = body
			all = append(all, name)
		}
	}
	slices.Sort(all)
	useless := 0
	for _, name := range all {
		if !suspectPlays(t, system, name, bodies[name]) {
			useless++
		}
	}
	if useless > 2 { // those that ask for names
		t.Errorf("%d of %d suspects are hardly ever played", useless, len(all))
	}
	var wg sync.WaitGroup
	for g, n := range []int{2, 4, 90} {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 2))
			p := drawPeople(r, system, n)
			for range 20 {
				p = p.near(r, system, n)
				p.compareScripted(t, system, n, suspectNames[r.IntN(2)], all...)
			}
		})
	}
	wg.Wait()
}

// suspectPlays compares what comes of one suspect, and reports whether it was played now and then.
func suspectPlays(t *testing.T, system *legislation.System, name, body string) bool {
	t.Helper()
	seed := fnv.New64a()
	seed.Write([]byte(body))
	r := rand.New(rand.NewPCG(seed.Sum64(), 1))
	played, errors, rounds := 0, 0, 12
	for _, n := range []int{1, 3, 5} {
		p := drawPeople(r, system, n)
		for range rounds {
			p = p.near(r, system, n)
			k, e := p.compareScripted(t, system, n, suspectNames[r.IntN(2)], name, "output", "chosen")
			played, errors = played+k, errors+e
		}
	}
	if t.Failed() {
		t.Fatalf("it is %s:\n%s", name, body)
	}
	if errors > 4*rounds {
		t.Fatalf("mostly errors from %s:\n%s", name, body)
	}
	if played < rounds {
		t.Logf("%d of %d played: %s", played, rounds*3*6, strings.ReplaceAll(body, "\n", "; "))
	}
	return played >= rounds
}
