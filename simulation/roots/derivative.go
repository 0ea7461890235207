package roots

import (
	"fmt"
	"math"
)

// derivatives returns the Jacobian at the current point, by column.
func (s *search) derivatives() ([][]float64, error) {
	columns := matrix(s.n)
	if s.Jacobian != nil {
		rows, err := s.Jacobian(append([]float64(nil), s.x...))
		if err != nil {
			return nil, err
		}
		return columns, transpose(rows, columns)
	}
	stride := s.n
	if s.Band != nil {
		stride = min(s.Band.Below+s.Band.Above+1, s.n)
	}
	for first := range stride {
		// Unknowns that are a stride apart share no equation: one call serves them all.
		if err := s.difference(columns, first, stride); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

func transpose(rows, columns [][]float64) error {
	if len(rows) != len(columns) {
		return fmt.Errorf("the Jacobian has %d rows for %d equations", len(rows), len(columns))
	}
	for i, row := range rows {
		if len(row) != len(columns) {
			return fmt.Errorf("row %d of the Jacobian has %d columns for %d unknowns", i, len(row), len(columns))
		}
		for j, v := range row {
			columns[j][i] = v
		}
	}
	return nil
}

// difference fills the columns first, first+stride, … by forward differences.
func (s *search) difference(columns [][]float64, first, stride int) error {
	relative := math.Sqrt(max(s.Precision, epsilon))
	moved := append([]float64(nil), s.x...)
	steps := make([]float64, s.n)
	for j := first; j < s.n; j += stride {
		if steps[j] = relative * math.Abs(s.x[j]); steps[j] == 0 {
			steps[j] = relative
		}
		moved[j] = s.x[j] + steps[j]
	}
	f, err := s.at(moved)
	if err != nil {
		return err
	}
	for j := first; j < s.n; j += stride {
		from, to := 0, s.n
		if s.Band != nil {
			from, to = max(0, j-s.Band.Above), min(s.n, j+s.Band.Below+1)
		}
		for i := from; i < to; i++ {
			columns[j][i] = (f[i] - s.f[i]) / steps[j]
		}
	}
	return nil
}
