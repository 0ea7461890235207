package country_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"edict/simulation/country"
	"edict/simulation/legislation"
)

// built loads a package of entities.py, variables.py and parameters; entities are those of its system, as Python lists them.
func built(t testing.TB, name, entities string, o country.Options, files map[string]string) (*legislation.System, error) {
	t.Helper()
	all := fstest.MapFS{name + "/__init__.py": {Data: fmt.Appendf(nil, `import os
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from %s import entities
class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__([%s])
        self.add_variables_from_file(os.path.join(os.path.dirname(__file__), "variables.py"))
        self.load_parameters(os.path.join(os.path.dirname(__file__), "parameters"))
`, name, entities)}}
	for path, text := range files {
		all[name+"/"+path] = &fstest.MapFile{Data: []byte(text)}
	}
	src, err := country.OpenFS(all, name)
	if err != nil {
		return nil, err
	}
	pkg, err := country.Load(t.Context(), o, src)
	if err != nil {
		return nil, err
	}
	return pkg.System, nil
}
