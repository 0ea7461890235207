package country_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"edict/countries"
	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Simulations of derived systems that go beside the scripts of their base must give what they give with every formula run.

// TestHouseholdsBesideTheBase computes households of the embedded legislation with parameters changed and variables
// neutralized, after, before or together with the base.
func TestHouseholdsBesideTheBase(t *testing.T) {
	src, err := country.OpenFS(countries.France(), countries.FrancePackage)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(t.Context(), country.Options{Now: now}, src)
	if err != nil {
		t.Fatal(err)
	}
	base, paths := pkg.System, changeable(pkg.System)
	played, asked, different := 0, 0, 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		h := drawHousehold(r, base)
		h.compute(t, base, engine.Options{Scripted: true, Eager: true})
		var derived *legislation.System
		for k := range 12 {
			i := r.IntN(len(h.inputs))
			h.inputs[i].value = h.draw(r, h.inputs[i].variable)
			if k%2 == 0 {
				derived = drawReformed(r, base, paths, h)
			}
			n, differs := h.compareSides(t, r, base, derived)
			played, asked = played+n, asked+len(h.asked)
			if differs {
				different++
			}
		}
	}
	t.Logf("%d of %d results were played, %d of 360 households have other results", played, asked, different)
	if played < asked/2 || different < 25 {
		t.Errorf("only %d of %d results were played, and %d households have other results", played, asked, different)
	}
}

// drawReformed changes a parameter, and sometimes neutralizes a variable.
func drawReformed(r *rand.Rand, base *legislation.System, paths []string, h *household) *legislation.System {
	derived := drawDerived(r, base, paths)
	if r.IntN(4) > 0 {
		return derived
	}
	name := h.asked[r.IntN(len(h.asked))].variable.Name
	if r.IntN(2) == 0 {
		name = h.inputs[r.IntN(len(h.inputs))].variable.Name
	}
	both, wrong := derived.Derive(&legislation.Reform{Neutralize: []string{name}})
	if len(wrong) > 0 {
		return derived
	}
	return both
}

// compareSides computes a household with a derived system and with its base, one of them led by the other, and compares both
// with every formula run. What is worth a transcript is recorded, sometimes.
func (h *household) compareSides(t *testing.T, r *rand.Rand, base, derived *legislation.System) (played int, different bool) {
	t.Helper()
	sides := []*legislation.System{derived, base}
	if r.IntN(2) == 0 {
		sides = []*legislation.System{base, derived}
	}
	var lead *engine.Simulation
	var results [2][]vector.Column
	for i, system := range sides {
		sim, err := engine.New(t.Context(), system, h.spec, engine.Options{Scripted: true, Transcripts: true, Lead: lead})
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Release()
		if r.IntN(4) > 0 {
			lead = sim
		}
		got, columns, n := h.ask(sim)
		if transcript := sim.Transcript(); transcript != nil && r.IntN(2) == 0 {
			if err := transcript.Record(t.Context(), nil); err != nil {
				t.Fatalf("%s: recording it: %v", derived.Title, err)
			}
		}
		want, ordinary, _ := h.compute(t, system, engine.Options{Forgetful: true})
		for k := range want {
			if got[k] != want[k] || columns[k].Taped() || !columns[k].Same(ordinary[k]) {
				t.Fatalf("%s, derived %t: %s is %v, want %s, %v", derived.Title, system == derived, got[k], columns[k], want[k], ordinary[k])
			}
		}
		if results[i] = ordinary; system == derived {
			played = n
		}
	}
	for k := range results[0] {
		different = different || !results[0][k].Same(results[1][k])
	}
	return played, different
}

// wanderings are bodies of formulas that what the law says sends elsewhere, or that see more than what they ask for. Each
// is the formula of b on a month; a changed parameter is p, x an input, and a a formula that reads nothing of the law.
var wanderings = map[string]string{
	"a number":                "return person('a', period) * parameters(period).p",
	"a branch":                "return person('a', period) if parameters(period).p > 1 else person('x', period)",
	"another order":           "first, second = ('a', 'x') if parameters(period).p > 1 else ('x', 'a')\nreturn person(first, period) - 2 * person(second, period)",
	"fewer":                   "asked = ['a', 'x', 'c'][:int(parameters(period).p)]\nreturn sum(person(name, period) for name in asked) + 0 * person('x', period)",
	"another period":          "return person('a', period.offset(-int(parameters(period).p), 'month'))",
	"itself, earlier":         "return person('x', period) + (person('b', period.last_month) if period.start.year > 2018 else 0) * parameters(period).p",
	"itself, spiralling":      "return person('x', period) + person('d', period.last_month) * parameters(period).p",
	"a sum":                   "return person('a', period.this_year, options=[ADD]) * parameters(period).p",
	"a sum of what changes":   "return person('e', period.this_year, options=[ADD]) + person('e', period)",
	"a share":                 "return person('y', period, options=[DIVIDE]) * parameters(period).p",
	"what is stored":          "known = person.get_holder('x').get_known_periods()\nreturn len(known) + parameters(period).p + person('a', period)",
	"what is stored changed":  "person('e', period)\nknown = person.get_holder('e').get_known_periods()\nreturn len(known) + person.get_holder('e').get_array(period)",
	"what is stored same":     "known = person.get_holder('x').get_known_periods()\nreturn len(known) + person('a', period) + person('e', period)",
	"what others stored":      "return person('f', period) + person('e', period)",
	"the simulation":          "return person.simulation.calculate('e', period) + person('a', period)",
	"the law by the back":     "return person('x', period) + person.simulation.tax_benefit_system.parameters(period).p",
	"a clone":                 "other = person.simulation.clone()\nreturn other.calculate('e', period) + person('a', period)",
	"an error that is caught": "try:\n    return person('g', period)\nexcept ValueError:\n    return person('x', period)",
	"an error":                "if parameters(period).p > 1.5:\n    raise ValueError('too much')\nreturn person('x', period)",
	"nothing":                 "return None if parameters(period).p > 1 else person('a', period)",
	"a scale":                 "return parameters(period).scale.calc(person('x', period)) * parameters(period).p",
	"a node by a column":      "return parameters(period).node[where(person('x', period) > 1, 'low', 'high')] + person('e', period)",
	"a cache":                 "return person('x', period) * rate(parameters(period).node)",
	"what never changes":      "return person('h', period) + person('e', period)",
	"another day of the law":  "return person('x', period) * parameters(period.this_year.start).p",
}

const wanderingVariables = `import functools
import numpy as np
from openfisca_core.model_api import *
from wander.entities import Person

@functools.cache
def rate(node):
    return node.low * 3

class x(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

class y(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    def formula(person, period, parameters):
        return person('x', period.first_month) * parameters(period).p

class a(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return person('x', period) * 2 + 1

class c(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return person('x', period.last_month) + person('a', period)

class d(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        return person('b', period.last_month) + person('x', period) * parameters(period).p

class e(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        return person('a', period) * parameters(period).p

class f(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return len(person.get_holder('e').get_known_periods()) + person('x', period)

class g(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        if parameters(period).p > 1.2:
            raise ValueError('no')
        return person('x', period) * 3

class h(Variable):
    value_type = float
    entity = Person
    definition_period = ETERNITY
    def formula(person, period, parameters):
        return person('x', period) * parameters(period).p

class top(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return person('a', period) + person('b', period) + person('c', period.last_month) + person('b', period.last_month)

class b(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
`

// TestWanderingsBesideTheBase changes what such formulas read.
func TestWanderingsBesideTheBase(t *testing.T) {
	played := 0
	for name, body := range wanderings {
		t.Run(name, func(t *testing.T) {
			base, err := built(t, "wander", "entities.Person", country.Options{Now: now}, map[string]string{
				"entities.py":               "from openfisca_core.entities import build_entity\nPerson = build_entity(key='person', plural='persons', label='', is_person=True)\n",
				"variables.py":              wanderingVariables + "        " + strings.ReplaceAll(body, "\n", "\n        ") + "\n",
				"parameters/p.yaml":         "values: {2000-01-01: {value: 1}}\n",
				"parameters/node/low.yaml":  "values: {2000-01-01: {value: 1}}\n",
				"parameters/node/high.yaml": "values: {2000-01-01: {value: 2}}\n",
				"parameters/scale.yaml":     "brackets:\n- threshold: {2000-01-01: {value: 0}}\n  rate: {2000-01-01: {value: 0.5}}\n",
			})
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(5, uint64(len(name))))
			h := &household{spec: engine.Spec{Persons: 2}}
			at := func(month int) period.Period {
				return period.Of(period.Month, period.Instant{Year: 2020, Month: int8(month), Day: 1}, 1)
			}
			for month := range 4 {
				v, _ := base.Lookup("x")
				h.inputs = append(h.inputs, given{v, at(month + 1), vector.Of([]float32{float32(month), 2})})
			}
			for _, asked := range []string{"top 3", "e 4", "b 2", "top 4", "b 3"} {
				v, _ := base.Lookup(strings.Fields(asked)[0])
				h.asked = append(h.asked, wanted{v, at(int(asked[len(asked)-1] - '0'))})
			}
			h.compute(t, base, engine.Options{Scripted: true, Eager: true})
			for _, set := range []string{"p=1", "p=2", "p=0", "p=3@2020-03-01", "p=1.3@2020-02-01..2020-02-29", "node.low=4", "node.high=3", "scale.brackets[0].rate=0.7"} {
				reform, err := legislation.ParseSet(set)
				if err != nil {
					t.Fatal(err)
				}
				derived, wrong := base.Derive(reform)
				if len(wrong) > 0 {
					t.Fatal(wrong)
				}
				derived.Title = fmt.Sprint(name, " ", set)
				for range 3 {
					i := r.IntN(len(h.inputs))
					h.inputs[i].value = vector.Of([]float32{float32(r.IntN(5)), float32(r.IntN(3))})
					n, _ := h.compareSides(t, r, base, derived)
					played += n
				}
			}
		})
	}
	if all := len(wanderings) * 8 * 3 * 5; played < all/2 {
		t.Errorf("only %d of %d results were played", played, all)
	}
}

// wide is a law of a thousand values, of which p reaches 250 and q one, and a household that is asked for their sum.
func wide(t *testing.T) (*legislation.System, *household) {
	t.Helper()
	text := strings.Builder{}
	text.WriteString("from openfisca_core.model_api import *\nfrom wide.entities import Person\n\nclass x(Variable):\n    value_type = float\n    entity = Person\n    definition_period = MONTH\n")
	const variables, reached = 1000, 250
	for i := range variables {
		body := "person('x', period)"
		if i == 0 {
			body += " + parameters(period).q"
		} else if i <= reached {
			body += " * parameters(period).p"
		}
		fmt.Fprintf(&text, "\nclass v%d(Variable):\n    value_type = float\n    entity = Person\n    definition_period = MONTH\n    def formula(person, period, parameters):\n        return %s + %d\n", i, body, i)
	}
	fmt.Fprintf(&text, "\nclass total(Variable):\n    value_type = float\n    entity = Person\n    definition_period = MONTH\n    def formula(person, period):\n        return sum(person('v' + str(i), period) for i in range(%d))\n", variables)
	base, err := built(t, "wide", "entities.Person", country.Options{Now: now}, map[string]string{
		"entities.py":       "from openfisca_core.entities import build_entity\nPerson = build_entity(key='person', plural='persons', label='', is_person=True)\n",
		"variables.py":      text.String(),
		"parameters/p.yaml": "values: {2000-01-01: {value: 1}}\n",
		"parameters/q.yaml": "values: {2000-01-01: {value: 1}}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	at := period.Of(period.Month, period.Instant{Year: 2020, Month: 1, Day: 1}, 1)
	x, _ := base.Lookup("x")
	total, _ := base.Lookup("total")
	h := &household{spec: engine.Spec{Persons: 2}, inputs: []given{{x, at, vector.Of([]float32{1, 2})}}, asked: []wanted{{total, at}}}
	return base, h
}

// derivedBy is a system with a parameter set.
func derivedBy(t *testing.T, base *legislation.System, set string) *legislation.System {
	t.Helper()
	reform, err := legislation.ParseSet(set)
	if err != nil {
		t.Fatal(err)
	}
	derived, wrong := base.Derive(reform)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return derived
}

// TestWideChangesAreRecorded: a change that reaches hundreds of values, less than a third, goes beside the base a few times and gets a script of
// its own when it is asked often; one that reaches little never does.
func TestWideChangesAreRecorded(t *testing.T) {
	base, h := wide(t)
	h.compute(t, base, engine.Options{Scripted: true, Eager: true})
	for set, want := range map[string]string{"p=3": "bbbbbbbRbbbb", "q=3": "bbbbbbbbbbbb"} {
		derived := derivedBy(t, base, set)
		how := ""
		for i := range want {
			h.inputs[0].value = vector.Of([]float32{float32(i), 7})
			got, _, played := h.compute(t, derived, engine.Options{Scripted: true})
			if right, _, _ := h.compute(t, derived, engine.Options{Forgetful: true}); got[0] != right[0] {
				t.Fatalf("%s, household %d: %s, want %s", set, i, got[0], right[0])
			}
			if played > 0 {
				how += "b" // by a script, its own or that of the base
			} else {
				how += "R" // recorded
			}
		}
		if how != want {
			t.Errorf("%s: households are computed as %s, want %s", set, how, want)
		}
	}
}

// TestTranscripts: what is asked of a derived system for the first time is worth a transcript where a change reaches much and the base has
// a script. Once that is recorded, nothing is.
func TestTranscripts(t *testing.T) {
	base, h := wide(t)
	derived, little, everywhere := derivedBy(t, base, "p=3"), derivedBy(t, base, "q=3"), derivedBy(t, base, "p=2")
	neutral, wrong := base.Derive(&legislation.Reform{Neutralize: []string{"x"}}) // which reaches everything
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	o := engine.Options{Scripted: true, Transcripts: true}
	// times asks a system about a household, and gives how often that was worth a transcript, and the transcript.
	times := func(system *legislation.System, x ...float32) (int, *engine.Transcript) {
		t.Helper()
		h.inputs[0].value = vector.Of(x)
		sim, err := engine.New(t.Context(), system, h.spec, o)
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Release()
		_, got, _ := h.ask(sim)
		_, want, _ := h.compute(t, system, engine.Options{Forgetful: true})
		if !got[1].Same(want[1]) {
			t.Fatalf("%s: %v, want %v", system.Title, got[1], want[1])
		}
		r := sim.Transcript()
		if r == nil {
			return 0, nil
		}
		return r.Times, r
	}
	wants := func(what string, system *legislation.System, want int) *engine.Transcript {
		t.Helper()
		got, r := times(system, float32(want)+3, 7)
		if got != want {
			t.Fatalf("%s: %d, want %d", what, got, want)
		}
		return r
	}
	wants("no script of the base", derived, 0)
	h.compute(t, base, engine.Options{Scripted: true, Eager: true})
	wants("the base", base, 0)
	wants("little is reached", little, 0)
	for what, system := range map[string]*legislation.System{"much": everywhere, "everything": neutral} {
		first := wants(what+", first", system, 1)
		again := wants(what+", second", system, 2)
		wants(what+", third", system, 0)
		if first.System() != system || again.Record(t.Context(), nil) != nil {
			t.Errorf("%s: it was not recorded", what)
		}
		wants(what+", recorded", system, 0)
		if _, _, played := h.compute(t, system, o); played == 0 {
			t.Errorf("%s: it is not played", what)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, r := times(derived, 1, 2); r == nil || r.Record(stopped, nil) == nil {
		t.Errorf("a recording goes on when its time is over")
	}
}
