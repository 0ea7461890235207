package pyindex_test

import (
	"encoding/json"
	"os"
	"testing"

	"edict/simulation/pyindex"
)

type recorded struct {
	Order        []string
	Ranks        []int
	Pre          []bool
	Wrong        []string
	Allows       map[string][]bool
	Requirements []struct {
		Text, Name string
		Allows     []bool
	}
}

func load(t *testing.T) (recorded, []pyindex.Version) {
	t.Helper()
	text, err := os.ReadFile("testdata/packaging.json")
	if err != nil {
		t.Fatal(err)
	}
	var r recorded
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	versions := make([]pyindex.Version, len(r.Order))
	for i, text := range r.Order {
		if versions[i], err = pyindex.ParseVersion(text); err != nil {
			t.Fatal(err)
		}
	}
	return r, versions
}

// TestVersions: order, pre-releases, ranges and requirements as the package packaging has them (testdata/record.py).
func TestVersions(t *testing.T) {
	r, versions := load(t)
	for i, v := range versions {
		if v.PreRelease() != r.Pre[i] {
			t.Errorf("%s: pre-release is %v", v, v.PreRelease())
		}
		for j, w := range versions {
			if got, want := sign(v.Compare(w)), sign(r.Ranks[i]-r.Ranks[j]); got != want {
				t.Errorf("%s and %s compare to %d, want %d", v, w, got, want)
			}
		}
	}
	for _, text := range r.Wrong {
		if v, err := pyindex.ParseVersion(text); err == nil {
			t.Errorf("%q is read as %v", text, v)
		}
	}
	for text, want := range r.Allows {
		s, err := pyindex.ParseSpecifier(text)
		if err != nil {
			t.Fatal(err)
		}
		compareAllowed(t, text, s, versions, want)
	}
	for _, want := range r.Requirements {
		got, err := pyindex.ParseRequirement(want.Text)
		if err != nil || got.Name != want.Name {
			t.Errorf("%s: %v, %v", want.Text, got, err)
		}
		compareAllowed(t, want.Text, got.Range, versions, want.Allows)
	}
}

func compareAllowed(t *testing.T, text string, s pyindex.Specifier, versions []pyindex.Version, want []bool) {
	t.Helper()
	for i, v := range versions {
		if s.Allows(v) != want[i] {
			t.Errorf("%q allows %s: %v, want %v", text, v, s.Allows(v), want[i])
		}
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func TestWrongRequirements(t *testing.T) {
	for _, text := range []string{"", "==1", "a[x", "a b", "a@https://example.org/a.whl", "a>=", "a>=x", "a~=1", "-a", "a ==1.0,,<"} {
		if r, err := pyindex.ParseRequirement(text); err == nil {
			t.Errorf("%q is read as %v", text, r)
		}
	}
}

// FuzzRequirement: what can be read can be written and read again, and means the same.
func FuzzRequirement(f *testing.F) {
	for _, text := range []string{"openfisca-france", "a>=1.0,<2", "A.b[c]~=1.2 ; extra == 'x'", "a (==1!1.0.post1.*)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := pyindex.ParseRequirement(text)
		if err != nil {
			return
		}
		again, err := pyindex.ParseRequirement(r.String())
		if err != nil || again.String() != r.String() {
			t.Errorf("%q became %q, then %q, %v", text, r, again, err)
		}
	})
}
