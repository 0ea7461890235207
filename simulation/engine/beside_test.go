package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// TestRecordedBesideTheBase asks what was recorded of systems in which a variable is neutralized, beside the scripts of the
// system in which it is not. Parameters that change are tested where formulas tell what they read, in country.
func TestRecordedBesideTheBase(t *testing.T) {
	law := testLaw(t)
	played, asked := 0, 0
	for _, c := range recordedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			base := eager(c.system(t, law))
			r := rand.New(rand.NewPCG(6, uint64(len(c.Name))))
			for _, v := range c.Variables {
				derived, wrong := base.Derive(&legislation.Reform{Neutralize: []string{v.Name}})
				if len(wrong) > 0 {
					t.Fatal(wrong)
				}
				for range 3 {
					calls := c.calls(t, func(in vector.Column) vector.Column { return varied(r, in) })
					if r.IntN(3) == 0 {
						calls = slices.DeleteFunc(calls, func(action) bool { return r.IntN(5) == 0 })
					}
					replayed(t, base, c.spec(base), Options{MaxSpiralLoops: c.Loops}, calls)
					asked += len(calls)
					played += replayed(t, derived, c.spec(base), Options{MaxSpiralLoops: c.Loops}, calls)
				}
			}
		})
	}
	t.Logf("%d of %d calls were answered beside the base", played, asked)
	if played < asked/8 {
		t.Errorf("only %d of %d calls were answered beside the base", played, asked)
	}
}
