package countries_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"edict/countries"
)

// TestSample: the sample is the same everywhere, says that it is synthetic, and has the published figures it was made from.
func TestSample(t *testing.T) {
	var text bytes.Buffer
	if err := countries.WriteSample(&text); err != nil {
		t.Fatal(err)
	}
	const want = "efd8b732ff580869892eb4309845119fbddb72346d3dff7cee986386ae4e350c"
	if got := fmt.Sprintf("%x", sha256.Sum256(text.Bytes())); got != want {
		t.Errorf("another sample: %s", got)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	kinds, tenants, wages := map[string]int{}, 0, []int{}
	households, persons := 0, len(rows)-1
	for _, row := range rows[1:] {
		if name := column(row, "individu_id"); name[:10] != "synthetic-" {
			t.Fatalf("%s does not say that it is synthetic", name)
		}
		if w, _ := strconv.Atoi(column(row, "salaire_imposable")); w > 0 {
			wages = append(wages, w/12)
		}
		if column(row, "menage_role") != "personne_de_reference" {
			continue
		}
		households++
		kinds[column(row, "type_menage")]++
		if rent, _ := strconv.Atoi(column(row, "loyer")); rent > 0 {
			tenants++
		}
	}
	slices.Sort(wages)
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within {
			t.Errorf("%s: %.3f, published %.3f", what, got, want)
		}
	}
	if households != countries.SampleHouseholds {
		t.Errorf("%d households", households)
	}
	share := func(n int) float64 { return float64(n) / float64(households) }
	near("persons per household", share(persons), 2.15, 0.03)
	near("living alone", share(kinds["personne_seule"]), 0.386, 0.01)
	near("couples with children", share(kinds["couple_avec_enfants"]), 0.239, 0.01)
	near("lone parents", share(kinds["famille_monoparentale"]), 0.101, 0.01)
	near("tenants", share(tenants), 0.40, 0.01)
	near("first decile of wages", float64(wages[len(wages)/10]), 1436, 30)
	near("median of wages", float64(wages[len(wages)/2]), 2091, 30)
	near("ninth decile of wages", float64(wages[len(wages)*9/10]), 4162, 100)
}
