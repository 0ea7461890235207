package vector

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"
)

// TestRanksAsRecorded compares ranks with what get_rank of OpenFisca-Core 46.0.1 returned for random persons in random groups, with equal
// criteria, infinite ones and some that are no number. Of 40 one is left out: numpy sorts eight and more numbers by instructions that do not
// keep the order of equal ones, where the processor has them.
func TestRanksAsRecorded(t *testing.T) {
	text, err := os.ReadFile("testdata/ranks.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Groups    int
		Of        []int32
		Criteria  []string
		Condition []bool
		Rank      []int64
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatal(len(cases), err)
	}
	for n, c := range cases {
		criteria := make([]float64, len(c.Criteria))
		members := make([]int, c.Groups)
		for i := range criteria {
			if criteria[i], err = strconv.ParseFloat(c.Criteria[i], 64); err != nil {
				t.Fatal(err)
			}
			members[c.Of[i]]++
		}
		got, err := GroupRank(Of(criteria), Of(c.Condition), c.Of, c.Groups, slices.Max(members))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.Rank {
			if got.Int(i) != want {
				t.Errorf("case %d, person %d: %d, want %d (%v)", n, i, got.Int(i), want, c)
			}
		}
	}
}
