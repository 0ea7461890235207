package country_test

import (
	"testing"
	"testing/fstest"

	"edict/simulation/country"
)

// TestSystemIsMadeOnce: packages of PolicyEngine make their system where its class is, not where a country package has it, and it is that one that is used.
func TestSystemIsMadeOnce(t *testing.T) {
	src, err := country.OpenFS(fstest.MapFS{
		"once_policy/__init__.py": {Data: []byte("from once_policy.system import CountryTaxBenefitSystem\n")},
		"once_policy/system.py": {Data: []byte(`from policyengine_core.entities import build_entity
from policyengine_core.taxbenefitsystems import TaxBenefitSystem
MADE = []
class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        if MADE:
            raise ValueError("a second system")
        MADE.append(True)
        super().__init__([build_entity(key="person", plural="people", label="Person", doc="", is_person=True)])
system = CountryTaxBenefitSystem()
`)},
	}, "once_policy")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := country.Load(t.Context(), country.Options{}, src); err != nil {
		t.Error(err)
	}
}
