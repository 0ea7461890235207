package calibration

import "math"

// matrix is square and symmetric. It holds the lower triangle.
type matrix struct{ rows [][]float64 }

func newMatrix(n int) *matrix {
	m := &matrix{make([][]float64, n)}
	for i := range m.rows {
		m.rows[i] = make([]float64, n)
	}
	return m
}

func (m *matrix) clear() {
	for _, row := range m.rows {
		clear(row)
	}
}

// pivots chooses independent columns of a Gram matrix with a diagonal of 1, in their order. A column is dropped if the chosen ones before it
// explain all but a share of its norm; factors are its coefficients by chosen column.
func (m *matrix) pivots(share float64) (chosen, dropped []int, factors [][]float64) {
	for j := range m.rows {
		right := make([]float64, len(chosen))
		for i, c := range chosen {
			right[i] = m.rows[j][c]
		}
		coefficients := m.cholesky(chosen).solve(right)
		rest := m.rows[j][j]
		for i := range right {
			rest -= coefficients[i] * right[i]
		}
		if rest > share {
			chosen = append(chosen, j)
			continue
		}
		dropped, factors = append(dropped, j), append(factors, coefficients)
	}
	for i := range factors {
		factors[i] = append(factors[i], make([]float64, len(chosen)-len(factors[i]))...)
	}
	return chosen, dropped, factors
}

// lower is a triangle L with LL' equal to a part of a matrix.
type lower [][]float64

// cholesky factors the rows and columns of some indices. Pivots are kept above rounding.
func (m *matrix) cholesky(indices []int) lower {
	l := make(lower, len(indices))
	for i := range l {
		l[i] = make([]float64, i+1)
		for j := range i + 1 {
			sum := m.rows[indices[i]][indices[j]]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(max(sum, 1e-15*m.rows[indices[i]][indices[i]], math.SmallestNonzeroFloat64))
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	return l
}

func (l lower) solve(right []float64) []float64 {
	x := make([]float64, len(right))
	for i := range l {
		sum := right[i]
		for k := range i {
			sum -= l[i][k] * x[k]
		}
		x[i] = sum / l[i][i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		sum := x[i]
		for k := i + 1; k < len(l); k++ {
			sum -= l[k][i] * x[k]
		}
		x[i] = sum / l[i][i]
	}
	return x
}

// solve finds the step with m·step = right on some indices, and returns right'step. The step is 0 elsewhere.
func (m *matrix) solve(indices []int, right, step []float64) (slope float64) {
	clear(step)
	some := make([]float64, len(indices))
	for i, j := range indices {
		some[i] = right[j]
	}
	for i, x := range m.cholesky(indices).solve(some) {
		step[indices[i]] = x
		slope += x * some[i]
	}
	return slope
}
