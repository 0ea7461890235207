package population

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// short gives a float32 that is no whole number, from 1 to 2²³, with the fewest decimals that give it back, and of those the ones nearest to it: the
// eight digits before the point, and those behind it, of which enoughDecimals count. The latter are 0 for any other, and where two texts are equally good.
//
// With up to seven decimals such a float times a power of ten is exact as a float64: 24 bits of the one, 17 of the fives in the other. So
// is half of the distance to the next float32, and what lies nearer than that reads back as the float. Whole numbers in this range are
// floats themselves, so that none lies nearer, and what is before the point is never rounded.
func short(f float32) (before, behind uint64) {
	exponent := exponentOf(f)
	if exponent < 0 || exponent > 22 {
		return 0, 0
	}
	a := math.Abs(float64(f))
	whole := uint32(a)
	if float64(whole) == a { // a power of two too, below which floats are nearer to each other
		return 0, 0
	}
	power, half := enoughPowers[exponent], halves[exponent]
	v := a * power
	digits := uint32(v)
	below := v - float64(digits/10*10)
	off := 5 - math.Abs(below-5) // from the nearest number with a decimal less
	if off == half || v-float64(digits) == 0.5 {
		return 0, 0
	}
	// At most one of those is near enough. If there is none the nearest with all of them is. Processors cannot guess which.
	next, near := uint32(0), uint32(0)
	if below > 5 {
		next = 1
	}
	if off < half {
		near = 1
	}
	shorter := (digits/10 + next) * 10
	digits = shorter&-near | uint32(v+0.5)&(near-1)
	return eightOf(whole), eightOf(digits - whole*uint32(power))
}

func exponentOf(f float32) int { return int(math.Float32bits(f)>>23&0xff) - 127 }

// shorts is short of some values.
type shorts struct{ before, behind [64]uint64 }

func (s *shorts) fill(values []float32) {
	for i := manyShort(s.before[:], s.behind[:], values); i < len(values); i++ {
		s.before[i], s.behind[i] = short(values[i])
	}
}

// appendDigits writes a float32 of which short gives the digits.
func appendDigits(out []byte, f float32, before, behind uint64) []byte {
	decimals := enoughDecimals[exponentOf(f)]
	if f < 0 {
		out = append(out, '-')
	}
	n := len(out)
	out = slices.Grow(out, 24)[:n+24]
	skip := bits.TrailingZeros64(before) &^ 7
	binary.LittleEndian.PutUint64(out[n:], (before|zeros)>>skip)
	n += 8 - skip/8
	out[n] = '.'
	binary.LittleEndian.PutUint64(out[n+1:], (behind|zeros)>>(64-8*decimals))
	return out[:n+1+decimals-bits.LeadingZeros64(behind)/8] // without zeros at the end
}

// eightOf gives the eight digits of a number below 10⁸, the first lowest, without what digits have in common.
func eightOf(n uint32) uint64 {
	w := uint64(n/10000) | uint64(n%10000)<<32
	hundreds := w * 10486 >> 20 & 0x0000007f0000007f
	w = hundreds | (w-hundreds*100)<<16
	tens := w * 103 >> 10 & 0x000f000f000f000f
	return tens | (w-tens*10)<<8
}

// halves is, by exponent, half of the distance to the next float, in units of the last decimal of enoughDecimals.
var halves = func() (all [32]float64) {
	for e := range enoughDecimals {
		all[e] = math.Ldexp(1, e-24) * powersOfTen[enoughDecimals[e]]
	}
	return all
}()

// enoughDecimals is, by exponent, how many decimals tell all floats apart.
var enoughDecimals = func() (enough [23]int) {
	for e := range enough {
		for math.Ldexp(1, e-23)*powersOfTen[enough[e]] < 1 {
			enough[e]++
		}
	}
	return enough
}()

// enoughPowers is, by exponent, the power of ten that has enoughDecimals zeros.
var enoughPowers = func() (all [32]float64) {
	for e, n := range enoughDecimals {
		all[e] = powersOfTen[n]
	}
	return all
}()
