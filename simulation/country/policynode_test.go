package country_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// nodePolicy has formulas that give a node of the law attributes which others read, and one that computes in a branch.
const nodePolicy = `from pathlib import Path
from policyengine_core.entities import build_entity
from policyengine_core.model_api import *
from policyengine_core.periods import instant
from policyengine_core.taxbenefitsystems import TaxBenefitSystem
Person = build_entity(key="person", plural="people", label="Person", doc="", is_person=True)
class x(Yearly):
    pass
class other(Yearly):
    def formula(person, period, parameters):
        return parameters(period).gov.rate * 2 + 0 * person("x", period)
class sets(Yearly):
    def formula(person, period, parameters):
        parameters(period).gov.extra = person("x", period)
        return 0 * person("x", period)
class reads(Yearly):
    def formula(person, period, parameters):
        return person("sets", period) + parameters(period).gov.extra + person("other", period)
class looks(Yearly):
    def formula(person, period, parameters):
        return 0 * person("other", period) + (1 if hasattr(parameters(period).gov, "extra") else 0)
class later(Yearly):
    def formula(person, period, parameters):
        return person("sets", period) + person("looks", period)
class branched(Yearly):
    def formula(person, period, parameters):
        branch = person.simulation.get_branch("b")
        branch.set_input("x", period, person("x", period) + 7)
        law = person.simulation.tax_benefit_system.parameters(period)
        return branch.calculate("other", period) + branch.calculate("x", period) + law.gov.rate
kept = []
class writes(Yearly):
    def formula(person, period, parameters):
        for entry in kept:
            entry.value = 100
        return parameters(period).gov.rate + parameters(period).gov.more + 0 * person("x", period)
class Tier(Enum):
    LOW = "low"
    HIGH = "high"
class tier(Yearly):
    def formula(person, period, parameters):
        x = person("x", period)
        return select([x > 5.5, x <= 5.5], [Tier.HIGH, Tier.LOW]) == Tier.HIGH
class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__([Person])
        self.add_variables(x, other, sets, reads, looks, later, branched, writes, tier)
        self.load_parameters(Path(__file__).parent / "parameters")
        gov = self.parameters.gov
        gov.more.update(start=instant("2021-01-01"), value=20)
        values = gov.rate.values_list
        values[0].value = 3
        kept.append(values[0])
        kept.append(gov.more.values_list[0])
system = CountryTaxBenefitSystem()
`

// TestAttributesOfTheLaw: what formulas of a PolicyEngine package add to a node, and what they compute in branches, is the same whether other simulations
// came before or not, with formulas or by scripts; so is the law where they write to values that were kept while it was loaded.
func TestAttributesOfTheLaw(t *testing.T) {
	src, err := country.OpenFS(fstest.MapFS{
		"node_policy/__init__.py":              {Data: []byte(strings.ReplaceAll(nodePolicy, "(Yearly):", "(Variable):\n    value_type, entity, definition_period = float, Person, YEAR"))},
		"node_policy/parameters/gov/rate.yaml": {Data: []byte("values:\n  2020-01-01: 2\n")},
		"node_policy/parameters/gov/more.yaml": {Data: []byte("values:\n  2020-01-01: 10\n")},
	}, "node_policy")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	played := map[string]int{}
	for i, value := range []float32{5, 5, 6, 5, 5, 6, 7} {
		compare := func(name string, want float32) {
			t.Helper()
			got, calls := asked(t, pkg.System, value, name, engine.Options{Scripted: i > 3, Eager: true})
			if played[name] += calls; got != want {
				t.Errorf("%s of %v is %v, want %v", name, value, got, want)
			}
		}
		compare("other", 6)
		compare("looks", 0)
		compare("reads", value+6)
		compare("later", 1)
		compare("branched", value+7+6+3)
		compare("tier", max(0, min(value-5, 1)))
		compare("writes", 3+20) // what was kept of the law is not the law any more
	}
	for _, name := range []string{"other", "looks", "reads", "later", "tier"} {
		if played[name] < 2*2 { // an input and a result, twice
			t.Errorf("scripts answered %d calls for %s", played[name], name)
		}
	}
}

// asked computes a variable of a new simulation, and counts the calls that a script answered.
func asked(t *testing.T, system *legislation.System, value float32, name string, o engine.Options) (result float32, played int) {
	t.Helper()
	o.Prepared = true
	sim, err := engine.New(t.Context(), system, engine.Spec{Persons: 2}, o)
	if err != nil {
		t.Fatal(err)
	}
	year := sim.Periods().Intern(period.Of(period.Year, period.Instant{Year: 2024, Month: 1, Day: 1}, 1))
	x, _ := system.Lookup("x")
	if err := sim.SetInput(x.ID, year, vector.Of([]float32{value, 1})); err != nil {
		t.Fatal(err)
	}
	v, err := system.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sim.Calculate(v.ID, year, legislation.Plain)
	if err != nil {
		t.Fatal(err)
	}
	return float32(c.Float(0)), sim.Replayed()
}
