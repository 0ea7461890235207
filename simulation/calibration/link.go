package calibration

import "math"

// link is the function F that makes ratios, and the function G whose derivative it is.
type link struct {
	ratio    func(u float64) (ratio, slope float64)
	integral func(u float64) float64
}

// linkOf returns the functions of a method (Deville and Särndal 1992, cases 1, 2, 6 and 7).
func linkOf(method Method, low, high float64) link {
	switch method {
	case Raking:
		return link{func(u float64) (float64, float64) { e := math.Exp(u); return e, e }, math.Exp}
	case Logit:
		return logit(low, high)
	case Truncated:
		return truncated(low, high)
	}
	return link{func(u float64) (float64, float64) { return 1 + u, 1 }, func(u float64) float64 { return u + u*u/2 }}
}

// logit keeps ratios strictly between the bounds.
func logit(low, high float64) link {
	a := (high - low) / ((1 - low) * (high - 1))
	// share is (1−L)e^{Au} / (U−1 + (1−L)e^{Au}), without overflow.
	share := func(u float64) float64 {
		if u > 0 {
			return (1 - low) / ((high-1)*math.Exp(-a*u) + 1 - low)
		}
		e := math.Exp(a * u)
		return (1 - low) * e / (high - 1 + (1-low)*e)
	}
	return link{
		func(u float64) (float64, float64) {
			q := share(u)
			return low + (high-low)*q, (high - low) * a * q * (1 - q)
		},
		func(u float64) float64 {
			if u > 0 {
				return low*u + (high-low)/a*(a*u+math.Log((high-1)*math.Exp(-a*u)+1-low))
			}
			return low*u + (high-low)/a*math.Log(high-1+(1-low)*math.Exp(a*u))
		},
	}
}

// truncated is linear between the bounds and constant beyond.
func truncated(low, high float64) link {
	inner := func(u float64) float64 { return u + u*u/2 }
	return link{
		func(u float64) (float64, float64) {
			switch r := 1 + u; {
			case r <= low:
				return low, 0
			case r >= high:
				return high, 0
			default:
				return r, 1
			}
		},
		func(u float64) float64 {
			switch r := 1 + u; {
			case r <= low:
				return inner(low-1) + low*(r-low)
			case r >= high:
				return inner(high-1) + high*(r-high)
			}
			return inner(u)
		},
	}
}
