package legislation

import (
	"strings"
	"testing"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// TestSystemCopy: a copy has other values and leaves the system as it was, of a system that reforms were applied to as well; a copy of a copy has
// what both changed, and one in use stays what it is.
func TestSystemCopy(t *testing.T) {
	base := reformSystem(t)
	reformed, err := set(base, "other.rate=0.75")
	if err != nil {
		t.Fatal(err)
	}
	day := period.Instant{Year: 2020, Month: 1, Day: 1}
	change := func(c *SystemCopy, path string, value float64) error {
		at, err := c.Root().locate(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Own(c.Now(at.parameter), at.way)
		if err != nil {
			return err
		}
		return p.Update(day, nil, DataOf(vector.PyFloat(value)))
	}
	before := valueOn(t, base, "tax.rate", "2020-01-01")
	for _, s := range []*System{base, reformed} {
		c := s.Copy()
		if err := change(c, "tax.rate", 0.125); err != nil {
			t.Fatal(err)
		}
		if err := change(c, "tax.rate", 0.25); err != nil { // one that is changed already
			t.Fatal(err)
		}
		made := c.System()
		if err := change(c, "tax.rate", 0.5); err == nil || !strings.Contains(err.Error(), "in use") {
			t.Errorf("a copy in use was changed: %v", err)
		}
		again := made.Copy()
		if err := change(again, "tax.scale.brackets[0].rate", 0.5); err != nil {
			t.Fatal(err)
		}
		for _, other := range []*System{made, again.System()} {
			if got := valueOn(t, other, "tax.rate", "2020-01-01"); got != "0.25" {
				t.Errorf("the copy has %s", got)
			}
			if got, want := valueOn(t, other, "other.rate", "2020-01-01"), valueOn(t, s, "other.rate", "2020-01-01"); got != want {
				t.Errorf("what was not changed is %s, was %s", got, want)
			}
		}
		if valueOn(t, again.System(), "tax.scale", "2020-01-01") == valueOn(t, made, "tax.scale", "2020-01-01") {
			t.Error("the copy of the copy has the scale of the copy")
		}
		if got := valueOn(t, s, "tax.rate", "2020-01-01"); got != before {
			t.Errorf("the system itself has %s, had %s", got, before)
		}
	}
}
