package elementary

import "math"

// PowerScalar is ** of two numpy scalars, for which numpy asks the C library: 2^(y log2 x) in 64 bits.
func PowerScalar(x, y float32) float32 {
	if y == 0 || x == 0 || x-x != 0 || y-y != 0 {
		return float32(math.Pow(float64(x), float64(y)))
	}
	sign := 1.0
	if x < 0 {
		switch parity(y) {
		case fraction:
			return nan
		case odds:
			sign = -1
		}
		x = -x
	}
	z := float64(float64(y) * logTwoWide(x)) // rounded on its own: what follows adds to it
	switch {
	case z <= -150:
		return float32(sign * 0)
	case z > 0x1.fffffffd1d571p+6:
		return float32(sign * math.Inf(1))
	}
	return float32(sign * powerOfTwoWide(z))
}

// logTwoWide is the logarithm to base 2 of a positive finite number: x = 2^k m, 1/m and its logarithm from a table.
func logTwoWide(x float32) float64 {
	const least = 0x3f330000 // the least m
	b, e := split(x)
	b -= least
	k := e + int(int32(b)>>23)
	t := &inverse16[b>>19&15]
	m := float64(math.Float32frombits(b&(1<<23-1) + least))
	r := math.FMA(m, t[0], -1)
	r2 := r * r
	y := math.FMA(0x1.27616c9496e0bp-2, r, -0x1.71969a075c67ap-2)
	p := math.FMA(0x1.ec70a6ca7baddp-2, r, -0x1.7154748bef6c8p-1)
	q := math.FMA(0x1.71547652ab82bp0, r, t[1]+float64(k))
	return math.FMA(y, r2*r2, math.FMA(p, r2, q))
}

// powerOfTwoWide is 2^z: z = k/32 + r.
func powerOfTwoWide(z float64) float64 {
	const shift = 0x1.8p+52 / 32
	k := z + shift
	b := math.Float64bits(k)
	r := z - (k - shift)
	s := math.Float64frombits(root32Wide[b&31] + b<<47)
	y := math.FMA(0x1.62e42ff0c52d6p-1, r, 1)
	y = math.FMA(math.FMA(0x1.c6af84b912394p-5, r, 0x1.ebfce50fac4f3p-3), r*r, y)
	return y * s
}

// inverse16 are reciprocals of numbers amid the sixteenths from the least m on, and the logarithms of these numbers.
var inverse16 = [16][2]float64{
	{0x1.661ec79f8f3bep+0, -0x1.efec65b963019p-2},
	{0x1.571ed4aaf883dp+0, -0x1.b0b6832d4fca4p-2},
	{0x1.49539f0f010bp+0, -0x1.7418b0a1fb77bp-2},
	{0x1.3c995b0b80385p+0, -0x1.39de91a6dcf7bp-2},
	{0x1.30d190c8864a5p+0, -0x1.01d9bf3f2b631p-2},
	{0x1.25e227b0b8eap+0, -0x1.97c1d1b3b7afp-3},
	{0x1.1bb4a4a1a343fp+0, -0x1.2f9e393af3c9fp-3},
	{0x1.12358f08ae5bap+0, -0x1.960cbbf788d5cp-4},
	{0x1.0953f419900a7p+0, -0x1.a6f9db6475fcep-5},
	{0x1p+0, 0x0p+0},
	{0x1.e608cfd9a47acp-1, 0x1.338ca9f24f53dp-4},
	{0x1.ca4b31f026aap-1, 0x1.476a9543891bap-3},
	{0x1.b2036576afce6p-1, 0x1.e840b4ac4e4d2p-3},
	{0x1.9c2d163a1aa2dp-1, 0x1.40645f0c6651cp-2},
	{0x1.886e6037841edp-1, 0x1.88e9c2c1b9ff8p-2},
	{0x1.767dcf5534862p-1, 0x1.ce0a44eb17bccp-2},
}

// root32Wide are the bits of 2^(j/32), less j in the place where k is added.
var root32Wide = [32]uint64{
	0x3ff0000000000000, 0x3fefd9b0d3158574, 0x3fefb5586cf9890f, 0x3fef9301d0125b51,
	0x3fef72b83c7d517b, 0x3fef54873168b9aa, 0x3fef387a6e756238, 0x3fef1e9df51fdee1,
	0x3fef06fe0a31b715, 0x3feef1a7373aa9cb, 0x3feedea64c123422, 0x3feece086061892d,
	0x3feebfdad5362a27, 0x3feeb42b569d4f82, 0x3feeab07dd485429, 0x3feea47eb03a5585,
	0x3feea09e667f3bcd, 0x3fee9f75e8ec5f74, 0x3feea11473eb0187, 0x3feea589994cce13,
	0x3feeace5422aa0db, 0x3feeb737b0cdc5e5, 0x3feec49182a3f090, 0x3feed503b23e255d,
	0x3feee89f995ad3ad, 0x3feeff76f2fb5e47, 0x3fef199bdd85529c, 0x3fef3720dcef9069,
	0x3fef5818dcfba487, 0x3fef7c97337b9b5f, 0x3fefa4afa2a490da, 0x3fefd0765b6e4540,
}
