package numpy

import "edict/simulation/image"

// DescribeTo tells a codec of the types of this package that modules may hold.
func DescribeTo(c *image.Codec) {
	c.Hold(dtypeObject{}, (*ufuncObject)(nil), (*cubeObject)(nil), (*tableObject)(nil), (*vectorized)(nil))
}
