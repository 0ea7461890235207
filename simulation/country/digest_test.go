package country

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

const system = `from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from law import entities

class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__(entities.entities)
`

// TestDigest: packages are told apart by every file of theirs, wherever they are stored, and by nothing that is no part of them.
func TestDigest(t *testing.T) {
	files := map[string]string{
		"law/__init__.py":                 system,
		"law/entities.py":                 "from openfisca_core.entities import build_entity\nPerson = build_entity(key='person', plural='persons', label='', is_person=True)\nentities = [Person]\n",
		"law/parameters/rate.yaml":        "values:\n  2020-01-01:\n    value: 1\n",
		"law/__pycache__/entities.pyc":    "x",
		"law/parameters/.hidden/note.txt": "x",
	}
	base := digestOf(t, files, true)
	if other := digestOf(t, files, false); other != base {
		t.Errorf("as a directory %s, within a project %s", base, other)
	}
	for _, test := range []struct {
		file, text string
		same       bool
	}{
		{"law/__init__.py", system + "# changed\n", false},
		{"law/parameters/rate.yaml", "values:\n  2020-01-01:\n    value: 2\n", false},
		{"law/parameters/more.yaml", "values:\n  2020-01-01:\n    value: 2\n", false},
		{"law/__pycache__/entities.pyc", "y", true},
		{"law/parameters/.hidden/note.txt", "y", true},
	} {
		changed := maps.Clone(files)
		changed[test.file] = test.text
		for _, direct := range []bool{true, false} {
			if got := digestOf(t, changed, direct); (got == base) != test.same {
				t.Errorf("%s changed, opened as a package itself: %v: the digest is the same: %v, want %v", test.file, direct, got == base, test.same)
			}
		}
	}
	embedded := fstest.MapFS{}
	for name, text := range files {
		embedded[name] = &fstest.MapFile{Data: []byte(text)}
	}
	src, err := OpenFS(embedded, "law")
	if err != nil {
		t.Fatal(err)
	}
	if got := digest(t, src); got != base {
		t.Errorf("embedded %s, as a directory %s", got, base)
	}
}

// digestOf stores files, opens the package law in them, by its own directory or by the one it is in, and returns its digest.
func digestOf(t *testing.T, files map[string]string, direct bool) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if direct {
		dir = filepath.Join(dir, "law")
	}
	src, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return digest(t, src)
}

func digest(t *testing.T, src *Source) string {
	t.Helper()
	p, err := Load(t.Context(), Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d
}
