package main

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// TestFind: countries with tests are run, extensions with tests too, on their country, whether that has tests or not.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"tested/openfisca_tested/__init__.py":        "class CountryTaxBenefitSystem: pass",
		"tested/tests/a.yaml":                        "",
		"untested/openfisca_untested/__init__.py":    "class CountryTaxBenefitSystem: pass",
		"one/src/openfisca_one/__init__.py":          "",
		"one/src/openfisca_one/variables.py":         "from openfisca_tested.entities import Person",
		"one/tests/a.yaml":                           "",
		"two/src/openfisca_two/__init__.py":          "",
		"two/src/openfisca_two/variables.py":         "from openfisca_untested.entities import Person",
		"two/tests/a.yaml":                           "",
		"quiet/src/openfisca_quiet/__init__.py":      "",
		"quiet/src/openfisca_quiet/variables.py":     "from openfisca_tested.entities import Person",
		"foreign/src/openfisca_foreign/__init__.py":  "",
		"foreign/src/openfisca_foreign/variables.py": "from openfisca_elsewhere.entities import Person",
		"foreign/tests/a.yaml":                       "",
		"no/package.txt":                             "",
		"file.txt":                                   "",
	} {
		name := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	projects, err := find(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, p := range projects {
		got[p.pkg] = p.base
		if p.base != "" && filepath.Base(p.country) != p.base[len("openfisca_"):] {
			t.Errorf("%s is run on %s", p.pkg, p.country)
		}
	}
	want := map[string]string{"openfisca_tested": "", "openfisca_one": "openfisca_tested", "openfisca_two": "openfisca_untested"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
