package elementary

import "math"

// Sin is numpy.sin. Beyond 117435.992, where the reduction of [circle] loses digits, numpy asks the C library.
func Sin(x float32) float32 {
	if !(math.Abs(float64(x)) <= 117435.9921875) {
		return circleLarge(x, 0)
	}
	return circle(x, 0)
}

// Cos is numpy.cos, by the C library beyond 71476.0625.
func Cos(x float32) float32 {
	if !(math.Abs(float64(x)) <= 71476.0625) {
		return circleLarge(x, 1)
	}
	return circle(x, 1)
}

// circle is the sine of x, or of x and more quadrants: x = k pi/2 + r, then sine or cosine of r by the parity of k.
func circle(x float32, more int) float32 {
	k := fma(x, 0x1.45f306p-1, rint) - rint
	// pi/2 in three parts: near its multiples most digits of x cancel, and the last part has those that remain.
	r := fma(k, -0x1.921fb0p+00, x)
	r = fma(k, -0x1.5110b4p-22, r)
	r = fma(k, -0x1.846988p-48, r)
	r2 := float32(r * r)
	quadrant := int(k) + more
	var y float32
	if quadrant&1 == 0 {
		y = fma(0x1.7d3bbcp-19, r2, -0x1.a06bbap-13)
		y = fma(y, r2, 0x1.11119ap-07)
		y = fma(y, r2, -0x1.555556p-03)
		y = fma(fma(y, r2, 0), r, r) // the 0 makes a zero positive, so that the sine of -0 is -0
	} else {
		y = fma(0x1.98e616p-16, r2, -0x1.6c06dcp-10)
		y = fma(y, r2, 0x1.55553cp-05)
		y = fma(y, r2, -0x1p-01)
		y = fma(y, r2, 1)
	}
	if quadrant&2 != 0 {
		return 0 - y
	}
	return y
}

// circleLarge is [circle] in 64 bits, as the C library does it for large x: the fraction of x 4/pi from as many digits of
// 4/pi as matter.
func circleLarge(x float32, more int) float32 {
	if x-x != 0 {
		return nan
	}
	b := math.Float32bits(x)
	digits := inversePi4[b>>26&15:]
	m := (b&(1<<23-1) | 1<<23) << (b >> 23 & 7)
	// Three products of 32 bits; above the first and below the last there is nothing that counts.
	f := uint64(m*digits[0])<<32 | uint64(m)*uint64(digits[8])>>32
	f += uint64(m) * uint64(digits[4])
	n := int((f + 1<<61) >> 62)
	r := float64(int64(f-uint64(n)<<62)) * 0x1.921FB54442D18p-62
	if b>>31 != 0 {
		r, n = -r, -n
	}
	n += more
	r2 := r * r
	var y float64
	if n&1 == 0 {
		y = math.FMA(r2, -0x1.994eb3774cf24p-13, 0x1.1107605230bc4p-7)
		y = math.FMA(r*r2*r2, y, math.FMA(r*r2, -0x1.555545995a603p-3, r))
	} else {
		y = math.FMA(r2, 0x1.99343027bf8c3p-16, -0x1.6c087e89a359dp-10)
		y = math.FMA(r2*r2*r2, y, math.FMA(r2*r2, 0x1.55553e1068f19p-5, math.FMA(r2, -0x1.ffffffd0c621cp-2, 1)))
	}
	if n&2 != 0 {
		y = -y
	}
	return float32(y)
}

// inversePi4 is 4/pi to 192 bits, 32 bits from each 8 on.
var inversePi4 = [24]uint32{
	0x000000a2, 0x0000a2f9, 0x00a2f983, 0xa2f9836e, 0xf9836e4e, 0x836e4e44, 0x6e4e4415, 0x4e441529,
	0x441529fc, 0x1529fc27, 0x29fc2757, 0xfc2757d1, 0x2757d1f5, 0x57d1f534, 0xd1f534dd, 0xf534ddc0,
	0x34ddc0db, 0xddc0db62, 0xc0db6295, 0xdb629599, 0x6295993c, 0x95993c43, 0x993c4390, 0x3c439041,
}
