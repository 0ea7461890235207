package statistics

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
)

// Sum is an exact sum of floats. The result is rounded once, at the end, so it depends neither on the order of the numbers
// nor on how they were split into sums that are added up later. The zero value is 0.
//
// It is a fixed-point number wide enough for every float64: each limb holds 32 bits of it in a signed 64 bit word, so that
// 2³⁰ numbers can be added before carries have to be moved on.
type Sum struct {
	limbs [limbs]int64
	added int     // since carries were moved on
	extra float64 // infinities and what is not a number
}

const (
	limbBits = 32
	// A float64 is a multiple of 2⁻¹⁰⁷⁴ below 2¹⁰²⁴: 2098 bits, and some for carries.
	limbs    = (1074+1024)/limbBits + 3
	addedMax = 1 << 29
)

// Add adds a number.
func (s *Sum) Add(x float64) {
	bits := math.Float64bits(x)
	exponent := int(bits >> 52 & 0x7ff)
	mantissa := bits & (1<<52 - 1)
	switch exponent {
	case 0x7ff:
		s.extra += x
		return
	case 0:
		exponent = 1 // what is below the normal numbers has no hidden bit
	default:
		mantissa |= 1 << 52
	}
	at := exponent - 1 // of the lowest bit, counted from 2⁻¹⁰⁷⁴
	limb, shift := at/limbBits, at%limbBits
	low, high := mantissa<<shift, uint64(0)
	if shift > 0 {
		high = mantissa >> (64 - shift)
	}
	parts := [3]int64{int64(low & math.MaxUint32), int64(low >> limbBits), int64(high)}
	sign := int64(1)
	if bits>>63 != 0 {
		sign = -1
	}
	for i, p := range parts {
		s.limbs[limb+i] += sign * p
	}
	if s.added++; s.added == addedMax {
		s.carry()
	}
}

// Merge adds another sum.
func (s *Sum) Merge(o Sum) {
	s.carry()
	o.carry()
	for i := range s.limbs {
		s.limbs[i] += o.limbs[i]
	}
	s.extra += o.extra
	s.carry()
}

// carry leaves less than 2³² in every limb but the last.
func (s *Sum) carry() {
	s.added = 0
	for i := range limbs - 1 {
		s.limbs[i+1] += s.limbs[i] >> limbBits
		s.limbs[i] &= math.MaxUint32
	}
}

// Value returns the sum, rounded to the nearest float64.
func (s *Sum) Value() float64 {
	if s.extra != 0 || math.IsNaN(s.extra) {
		return s.extra
	}
	s.carry()
	first, last := 0, limbs // limbs that are not 0: a few for most sums
	for first < limbs && s.limbs[first] == 0 {
		first++
	}
	for last > first && s.limbs[last-1] == 0 {
		last--
	}
	whole, limb := new(big.Int), new(big.Int)
	for i := last - 1; i >= first; i-- {
		whole.Lsh(whole, limbBits)
		whole.Add(whole, limb.SetInt64(s.limbs[i]))
	}
	exact := new(big.Float).SetInt(whole)
	value, _ := exact.SetMantExp(exact, limbBits*first-1074).Float64()
	return value
}

// Append adds the sum to a text of bytes, exactly.
func (s *Sum) Append(out []byte) []byte {
	s.carry()
	first, last := 0, limbs
	for first < limbs && s.limbs[first] == 0 {
		first++
	}
	for last > first && s.limbs[last-1] == 0 {
		last--
	}
	out = append(out, byte(first), byte(last))
	for _, limb := range s.limbs[first:last] {
		out = binary.LittleEndian.AppendUint64(out, uint64(limb))
	}
	return binary.LittleEndian.AppendUint64(out, math.Float64bits(s.extra))
}

var errSum = errors.New("this is no sum")

// Take makes s the sum that a text of bytes begins with, and returns the rest. After an error there is none.
func (s *Sum) Take(data []byte) (rest []byte, err error) {
	*s = Sum{}
	if len(data) < 2 || data[0] > data[1] || data[1] > limbs || len(data) < 2+8*(int(data[1]-data[0])+1) {
		return nil, errSum
	}
	first, last := int(data[0]), int(data[1])
	data = data[2:]
	for i := first; i < last; i++ {
		limb := int64(binary.LittleEndian.Uint64(data))
		if i < limbs-1 && (limb < 0 || limb > math.MaxUint32) || limb > 1<<40 || limb < -1<<40 {
			return nil, errSum
		}
		s.limbs[i] = limb
		data = data[8:]
	}
	s.extra = math.Float64frombits(binary.LittleEndian.Uint64(data))
	return data[8:], nil
}
