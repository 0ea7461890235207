package legislation

import (
	"edict/simulation/image"
	"edict/simulation/period"
)

// DescribeTo tells a codec of the types of this package.
func DescribeTo(c *image.Codec) {
	image.Check(c, func(o *Ordered[Data]) error {
		o.ready()
		return nil
	})
	c.Leave(Ordered[Data]{}, "late")
	c.Leave(Ordered[ParameterItem]{}, "late")
	c.Hold(map[string]string(nil), (*Parameter)(nil), (*ParameterNode)(nil), (*ParameterScale)(nil), annualFormula{})
	c.Leave(memory{}, "made")
	c.Leave(Tree{}, "views", "derivation", "readers", "parents")
	image.After(c, func(t *Tree) { t.views.Store(&map[period.Instant]*View{}) })
}
