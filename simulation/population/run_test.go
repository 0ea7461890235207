package population

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"edict/simulation/legislation"
)

// oneByOne is a source whose rows cannot be taken together.
type oneByOne struct{ source }

type hiddenBatch struct{ batch }

func (s oneByOne) next() (batch, error) {
	b, err := s.source.next()
	if err != nil {
		return nil, err
	}
	return hiddenBatch{b}, nil
}

// TestRunsCutAsSingleRows holds rows that are put into their groups some hundred at a time to rows one by one: same chunks, same
// groups, same roles, same errors.
func TestRunsCutAsSingleRows(t *testing.T) {
	taken := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		file, size := randomRows(rng), 50+rng.IntN(900)
		together, first := cutAll(t, file, size, false)
		single, second := cutAll(t, file, size, true)
		if fmt.Sprint(first) != fmt.Sprint(second) {
			t.Fatalf("file %d: together %v, one by one %v", seed, first, second)
		}
		if !reflect.DeepEqual(together, single) {
			t.Fatalf("file %d: rows that are taken together are cut otherwise", seed)
		}
		if first == nil {
			taken++
		}
	}
	if taken < 10 || taken == 60 {
		t.Errorf("%d of 60 files are cut: neither all nor hardly any should be", taken)
	}
}

// randomRows makes a file of households with numbers, some of which have something that needs a look.
func randomRows(rng *rand.Rand) string {
	var out strings.Builder
	out.WriteString("household_id,household_role\n")
	odd := []float64{0, 0, 0.0005, 0.003}[rng.IntN(4)]
	roles := []string{"adult", "child", "", "0", "children"}[:2+rng.IntN(4)]
	for row, id := 0, rng.IntN(3); row < 4000; row++ {
		if rng.IntN(3) > 0 {
			id += 1 + rng.IntN(2)
		}
		name, role := fmt.Sprint(id), roles[rng.IntN(len(roles))]
		if rng.Float64() < odd {
			switch rng.IntN(5) {
			case 0:
				name = ""
			case 1:
				name = `"` + name + `"`
			case 2:
				role = `"` + role + `"`
			case 3:
				name = fmt.Sprint(id / 2)
			case 4:
				role = "aunt"
			}
		}
		fmt.Fprintf(&out, "%s,%s\n", name, role)
	}
	return out.String()
}

// pieces is what a chunk says of its groups.
type pieces struct {
	persons, first int
	groups         []membership
}

func cutAll(t *testing.T, file string, size int, single bool) ([]pieces, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "persons.csv")
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	object, err := Directories{}.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openCSV(object)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if single {
		s = oneByOne{s}
	}
	e := &legislation.Entity{Key: "household"}
	for i, key := range []string{"adult", "child"} {
		e.Roles = append(e.Roles, &legislation.Role{Key: key, Plural: []string{"adults", "children"}[i], Index: i})
	}
	e.Flattened = e.Roles
	l := &layout{personID: -1, groups: []grouping{{entity: e, id: 0, role: 1, roles: rolesOf(e), shown: true}}}
	var out []pieces
	how := cutting{size: size, workers: 1, expect: func(float64) {}, formulas: func() bool { return false }}
	err = l.cut(s, how, func(c *chunk) error {
		out = append(out, pieces{c.persons, c.first, c.groups})
		return nil
	})
	return out, err
}
