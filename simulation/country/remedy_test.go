package country_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"edict/simulation/country"
)

// TestRemedies loads packages that need what is not there: the problem names the place, and what to do about it.
func TestRemedies(t *testing.T) {
	const system = "from openfisca_core.entities import build_entity\nfrom openfisca_core.taxbenefitsystems import TaxBenefitSystem\n" +
		"Person = build_entity(key='person', plural='persons', label='', is_person=True)\n" +
		"class CountryTaxBenefitSystem(TaxBenefitSystem):\n    def __init__(self):\n        super().__init__([Person])\n        self.add_variables_from_file('/land/variables.py')\n"
	for name, c := range map[string]struct{ variables, want string }{
		"another engine": {"from other_engine import Variable\n", "/land/variables.py:1: ModuleNotFoundError: No module named 'other_engine'; packages have OpenFisca-Core"},
		"base functions": {"from openfisca_core.model_api import *\nclass pay(Variable):\n    base_function = missing_value\n",
			"/land/variables.py:3: NameError: name 'missing_value' is not defined; base_function is gone since OpenFisca-Core 31"},
		"a shared class": {"from openfisca_core.populations import Population\nPopulation.total = 1\n", "/land/variables.py:2: TypeError: Population.total cannot be changed"},
		"no constructor": {"from openfisca_core.taxbenefitsystems import TaxBenefitSystem\nclass system(TaxBenefitSystem):\n    def __init__(self):\n        self.load_parameters('/land')\nsystem()\n",
			"/land/variables.py:4: TypeError: the system has no entities yet: its __init__ must call super().__init__(entities) first"},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{"land/__init__.py": {Data: []byte(system)}, "land/variables.py": {Data: []byte(c.variables)}}
			src, err := country.OpenFS(files, "land")
			if err != nil {
				t.Fatal(err)
			}
			if _, err = country.Load(context.Background(), country.Options{}, src); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
