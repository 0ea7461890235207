package stdlib

import (
	"regexp"

	"edict/simulation/image"
)

// DescribeTo tells a codec of the types of this package that modules may hold.
func DescribeTo(c *image.Codec) {
	c.Hold(Date{}, Delta{}, enumAuto{}, (*enumMembers)(nil), (*rePattern)(nil))
	image.Stand(c, func(re *regexp.Regexp) (string, error) { return re.String(), nil }, func(re *regexp.Regexp, text *string) { *re = *regexp.MustCompile(*text) })
}
