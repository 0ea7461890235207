package population

import (
	"math"
	"strconv"
)

// appendShort writes a float32 that is no whole number, from 1 to 2²³, with the fewest decimals that give it back, and of those the ones nearest to
// it. It writes nothing and is false for any other, and where two texts are equally good.
//
// With up to seven decimals such a float times a power of ten is exact as a float64: 24 bits of the one, 17 of the fives in the other. So
// is half of the distance to the next float32, and what lies nearer than that reads back as the float. Whole numbers in this range are
// floats themselves, so that none lies nearer, and what is before the point is never rounded.
func appendShort(out []byte, f float32) ([]byte, bool) {
	bits := math.Float32bits(f)
	exponent := int(bits>>23&0xff) - 127
	if exponent < 0 || exponent > 22 || bits&(1<<23-1) == 0 { // below a power of two floats are nearer to each other
		return out, false
	}
	a := math.Abs(float64(f))
	whole := uint32(a)
	if float64(whole) == a {
		return out, false
	}
	half := 0x1p-24 * float64(uint32(1)<<exponent)
	digits, decimals := uint32(0), enoughDecimals[exponent]
	for k := decimals; k > 0; k-- {
		v := a * powersOfTen[k]
		nearest := float64(int64(v + 0.5))
		off := math.Abs(v - nearest)
		if off > half*powersOfTen[k] {
			break
		}
		if off == half*powersOfTen[k] || off == 0.5 {
			return out, false
		}
		digits, decimals = uint32(int64(nearest)-int64(whole)*int64(powersOfTen[k])), k
	}
	if f < 0 {
		out = append(out, '-')
	}
	out = strconv.AppendUint(out, uint64(whole), 10)
	out = append(out, ".0000000"[:1+decimals]...)
	for i := len(out) - 1; digits > 0; i-- {
		out[i] += byte(digits % 10)
		digits /= 10
	}
	return out, true
}

// enoughDecimals is, by exponent, how many decimals tell all floats apart.
var enoughDecimals = func() (enough [23]int) {
	for e := range enough {
		for math.Ldexp(1, e-23)*powersOfTen[enough[e]] < 1 {
			enough[e]++
		}
	}
	return enough
}()
