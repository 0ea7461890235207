package engine

import (
	"fmt"
	"slices"

	"edict/simulation/vector"
)

// Axis makes a variable of one member run from Min to Max in Count steps.
type Axis struct {
	Min, Max float64
	Count    int
	// Index is the member, within one copy of the situation, whose value varies.
	Index int
}

// Axes are the dimensions of a grid of situations. The axes of one dimension vary together; dimensions vary
// independently of each other.
type Axes [][]Axis

// Cells is the number of situations: the product of the counts of the dimensions.
func (a Axes) Cells(most int) (int, error) {
	cells := 1
	for _, parallel := range a {
		if len(parallel) == 0 {
			return 0, fmt.Errorf("a dimension of axes has no axis")
		}
		for _, axis := range parallel {
			if axis.Count < 1 {
				return 0, fmt.Errorf("an axis has %d steps, and needs at least 1", axis.Count)
			}
			if axis.Count != parallel[0].Count {
				return 0, fmt.Errorf("axes that vary together need the same number of steps, not %d and %d", parallel[0].Count, axis.Count)
			}
		}
		if cells > most/parallel[0].Count {
			return 0, fmt.Errorf("the axes make more than %d situations", most)
		}
		cells *= parallel[0].Count
	}
	return cells, nil
}

// Values gives the values of an axis in every cell. With one dimension it is linspace; with several it is a grid in
// which the first dimension varies faster than the second, and each one after them faster still.
func (a Axes) Values(dimension, parallel int) []float64 {
	axis := a[dimension][parallel]
	if len(a) == 1 {
		return linspace(axis.Min, axis.Max, axis.Count)
	}
	cells, _ := a.Cells(1 << 62)
	values := make([]float64, cells)
	for cell := range values {
		step := float64(a.coordinate(dimension, cell))
		if axis.Count > 1 {
			values[cell] = axis.Min + float64(step*(axis.Max-axis.Min))/float64(axis.Count-1)
		} else {
			values[cell] = axis.Min
		}
	}
	return values
}

// coordinate is the step of a dimension in a cell: numpy's meshgrid, flattened, counts the second dimension slowest, then
// the first, then the others in order.
func (a Axes) coordinate(dimension, cell int) int {
	order := make([]int, len(a))
	for i := range order {
		order[i] = i
	}
	order[0], order[1] = 1, 0
	for _, o := range slices.Backward(order) {
		count := a[o][0].Count
		if o == dimension {
			return cell % count
		}
		cell /= count
	}
	return 0
}

func linspace(from, to float64, n int) []float64 {
	values := make([]float64, n)
	if n == 1 {
		values[0] = from
		return values
	}
	parts := float64(n - 1)
	delta := to - from
	step := delta / parts
	for i := range values {
		if step == 0 {
			values[i] = float64(float64(i)/parts*delta) + from
		} else {
			values[i] = float64(float64(i)*step) + from
		}
	}
	values[n-1] = to
	return values
}

// Along puts the values of an axis into a column of a replicated situation: member Index of every copy gets the value of
// its cell, cast to the column's type. The column has a multiple of as many elements as there are values.
func (x Axis) Along(c vector.Column, values []float64, rules *vector.Rules) (vector.Column, error) {
	if len(values) == 0 || c.Len()%len(values) != 0 {
		return c, fmt.Errorf("%d values of an axis do not fit %d members", len(values), c.Len())
	}
	step := c.Len() / len(values)
	if x.Index < 0 || x.Index >= step {
		return c, fmt.Errorf("an axis varies member %d, but there are %d", x.Index, step)
	}
	chosen := make([]bool, c.Len())
	for i := x.Index; i < len(chosen); i += step {
		chosen[i] = true
	}
	return rules.SetMask(c, vector.Of(chosen), vector.Of(values))
}
