package roots

import "math"

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		// The conversion keeps the compiler from fusing product and sum, which some processors would round differently.
		sum += float64(a[i] * b[i])
	}
	return sum
}

func product(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] * b[i]
	}
	return out
}

// The range in which squares neither vanish nor overflow.
const (
	tinySquare = 1e-150
	hugeSquare = 1e150
)

// norm is the Euclidean length, without overflow.
func norm(x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		if math.IsNaN(v) {
			return math.NaN()
		}
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || math.IsInf(largest, 1) {
		return largest
	}
	if largest > tinySquare && largest < hugeSquare {
		return math.Sqrt(dot(x, x))
	}
	sum := 0.0
	for _, v := range x {
		sum += square(v / largest)
	}
	return largest * math.Sqrt(sum)
}

// householder factorizes a matrix given by columns, which it overwrites: q (by column) is orthogonal, r (by row) upper
// triangular. Reflections are chosen so that nothing cancels, so diagonal elements of r have the sign opposite to
// what was there.
func householder(a, q, r [][]float64) {
	n := len(a)
	for j := range n {
		size := math.Copysign(norm(a[j][j:]), a[j][j])
		if size != 0 {
			reflect(a, j, size)
		}
		for k := range j {
			r[k][j], r[j][k] = a[j][k], 0
		}
		r[j][j] = -size
	}
	for j := range n {
		clear(q[j])
		q[j][j] = 1
	}
	for k := n - 1; k >= 0; k-- {
		for j := k; j < n; j++ {
			mirror(a[k], q[j], k)
		}
	}
}

// reflect makes the part of column j below the diagonal the vector of a reflection that takes the column to
// the j-th axis, and mirrors the columns to its right.
func reflect(a [][]float64, j int, size float64) {
	for i := j; i < len(a); i++ {
		a[j][i] /= size
	}
	a[j][j]++
	for k := j + 1; k < len(a); k++ {
		mirror(a[j], a[k], j)
	}
}

// mirror reflects x by the vector w, both from k on. A vector that begins with zero stands for no reflection.
func mirror(w, x []float64, k int) {
	if w[k] == 0 {
		return
	}
	t := dot(w[k:], x[k:]) / w[k]
	for i := k; i < len(x); i++ {
		x[i] -= float64(t * w[i])
	}
}

// rotation turns a plane by an angle.
type rotation struct{ cos, sin float64 }

// rotationOf turns (a, b) onto the first axis.
func rotationOf(a, b float64) rotation {
	switch {
	case b == 0:
		return rotation{1, 0}
	case math.Abs(a) >= math.Abs(b):
		tan := b / a
		cos := 1 / math.Sqrt(1+tan*tan)
		return rotation{cos, cos * tan}
	}
	cotan := a / b
	sin := 1 / math.Sqrt(1+cotan*cotan)
	return rotation{sin * cotan, sin}
}

// apply turns two vectors from element k on.
func (g rotation) apply(a, b []float64, k int) {
	for i := k; i < len(a); i++ {
		a[i], b[i] = float64(g.cos*a[i])+float64(g.sin*b[i]), float64(g.cos*b[i])-float64(g.sin*a[i])
	}
}

// applyTo turns two elements of a vector.
func (g rotation) applyTo(v []float64, i, j int) {
	v[i], v[j] = float64(g.cos*v[i])+float64(g.sin*v[j]), float64(g.cos*v[j])-float64(g.sin*v[i])
}

// rankOne replaces the matrix QR by Q(R + u v'), factorized again, and turns qtf with it: rotations first gather u in its
// last element, which fills the last row of R, then clear what they filled in. u is overwritten.
func rankOne(q, r [][]float64, qtf, u, v []float64) {
	last := len(u) - 1
	spill := make([]float64, len(u)) // the last row of R, which the rotations fill
	copy(spill, r[last])
	turn := func(g rotation, i int) {
		g.apply(q[i], q[last], 0)
		g.applyTo(qtf, i, last)
	}
	for i := last - 1; i >= 0; i-- {
		if u[i] == 0 {
			continue
		}
		g := rotationOf(u[last], u[i])
		u[last] = float64(g.cos*u[last]) + float64(g.sin*u[i])
		g.sin = -g.sin // u[i] is turned away, u[last] takes all
		g.apply(r[i], spill, i)
		turn(g, i)
	}
	for j := range spill {
		spill[j] += float64(u[last] * v[j])
	}
	for i := range last {
		if spill[i] == 0 {
			continue
		}
		g := rotationOf(r[i][i], spill[i])
		g.apply(r[i], spill, i)
		spill[i] = 0
		turn(g, i)
	}
	copy(r[last], spill)
}
