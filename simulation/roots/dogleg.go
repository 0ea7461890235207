package roots

import "math"

// dogleg minimizes |R p - b| among the steps p no longer, once scaled, than delta: Newton's step if it is short
// enough, else a point on the way from the steepest descent's minimum to it.
func dogleg(r [][]float64, scale, b []float64, delta float64) []float64 {
	newton := backSubstitute(r, b)
	length := norm(product(scale, newton))
	if length <= delta {
		return newton
	}
	down := make([]float64, len(b))
	for j := range down {
		sum := 0.0
		for i := 0; i <= j; i++ {
			sum += float64(r[i][j] * b[i])
		}
		down[j] = sum / scale[j]
	}
	slope := norm(down)
	descent, share := 0.0, delta/length // of the steepest descent its length, of Newton's step its share
	if slope != 0 {
		for j := range down {
			down[j] = down[j] / slope / scale[j]
		}
		image := make([]float64, len(b))
		for i := range image {
			image[i] = dot(r[i][i:], down[i:])
		}
		size := norm(image)
		descent = slope / size / size
		share = 0
		if descent < delta {
			share = shareOfNewton(norm(b), slope, length, descent, delta)
		}
	}
	step := make([]float64, len(b))
	rest := (1 - share) * min(descent, delta)
	for j := range step {
		step[j] = float64(rest*down[j]) + float64(share*newton[j])
	}
	return step
}

// shareOfNewton returns how far along the second leg the border of the region of trust lies.
func shareOfNewton(bnorm, slope, length, descent, delta float64) float64 {
	part, inside := delta/length, descent/delta
	t := bnorm / slope * (bnorm / length) * inside
	t = t - part*square(inside) + math.Sqrt(square(t-part)+(1-square(part))*(1-square(inside)))
	return part * (1 - square(inside)) / t
}

// backSubstitute solves R x = b. A zero on the diagonal counts as something small beside its column.
func backSubstitute(r [][]float64, b []float64) []float64 {
	n := len(b)
	x := make([]float64, n)
	for j := n - 1; j >= 0; j-- {
		pivot := r[j][j]
		if pivot == 0 {
			for i := 0; i <= j; i++ {
				pivot = max(pivot, math.Abs(r[i][j]))
			}
			if pivot *= epsilon; pivot == 0 {
				pivot = epsilon
			}
		}
		x[j] = (b[j] - dot(r[j][j+1:], x[j+1:])) / pivot
	}
	return x
}
