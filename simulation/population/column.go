package population

import (
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// column is the values of a variable for the members of one chunk, while they are read.
type column interface {
	// put gives member i the value of a cell. It reports whether that is another value than the member has already.
	put(i int, c cell) (differs bool, err error)
	// fill puts a column of rows, as far as they are plain, and returns the first row that put has to look at. The first
	// of the rows is about member at, or about group groupOf[at].
	fill(b *csvBatch, from, to, column int, groupOf []int32, at int) (row int)
	// vector is the column; it is not used further.
	vector() vector.Column
}

// newColumn makes a column of n defaults. If members are told of more than once, once remembers who has a value.
func newColumn(v *legislation.Variable, wide bool, n int, once bool) column {
	var seen []bool
	if once {
		seen = make([]bool, n)
	}
	switch v.Type {
	case legislation.Bool:
		return newCells(n, v.Default.Bool(0), seen, cell.truth, nil, vector.Of)
	case legislation.Int:
		if wide {
			return newCells(n, v.Default.Int(0), seen, cell.integer, nil, vector.Of)
		}
		return newCells(n, int32(v.Default.Int(0)), seen, cell.narrow, nil, vector.Of)
	case legislation.Date:
		return newCells(n, v.Default.Int(0), seen, cell.date, plainDates, func(d []int64) vector.Column { return vector.Dates(vector.Day, d) })
	case legislation.EnumType:
		return newCells(n, int16(v.Default.Int(0)), seen, func(c cell) (int16, error) { return c.member(v.Enum) }, nil,
			func(d []int16) vector.Column { return vector.Enums(v.Enum.Domain, d) })
	case legislation.String:
		return newCells(n, v.Default.Text(0), seen, cell.string, nil, vector.Strs)
	}
	if wide {
		return newCells(n, v.Default.Float(0), seen, cell.float, plainNumbers, vector.Of)
	}
	return newCells(n, float32(v.Default.Float(0)), seen, func(c cell) (float32, error) {
		f, err := c.float()
		return float32(f), err
	}, plainNumbers, vector.Of)
}

type cells[T comparable] struct {
	values []T
	seen   []bool
	read   func(cell) (T, error)
	// plain reads cells of a column, as many as there is room for, as far as they are plain, and returns how many; may be nil.
	plain  func(out []T, b *csvBatch, from, column int) int
	finish func([]T) vector.Column
}

func newCells[T comparable](n int, byDefault T, seen []bool, read func(cell) (T, error), plain func([]T, *csvBatch, int, int) int, finish func([]T) vector.Column) *cells[T] {
	values := make([]T, n)
	var zero T
	if byDefault != zero {
		for i := range values {
			values[i] = byDefault
		}
	}
	return &cells[T]{values, seen, read, plain, finish}
}

func (c *cells[T]) put(i int, given cell) (differs bool, err error) {
	v, err := c.read(given)
	if err != nil {
		return false, err
	}
	if c.seen != nil {
		if c.seen[i] {
			return c.values[i] != v, nil
		}
		c.seen[i] = true
	}
	c.values[i] = v
	return false, nil
}

func (c *cells[T]) fill(b *csvBatch, from, to, column int, groupOf []int32, at int) int {
	if c.plain == nil {
		return from
	}
	var some [256]T
	for row := from; row < to; {
		out := some[:min(len(some), to-row)]
		if groupOf == nil {
			out = c.values[at+row-from : at+to-from]
		}
		n := c.plain(out, b, row, column)
		if groupOf != nil {
			if agree := c.tell(groupOf[at+row-from:], out[:n]); agree < n {
				return row + agree
			}
		}
		row += n
		if n == len(out) {
			continue
		}
		if start, end := b.extent(row, column); start != end {
			return row
		}
		row++
	}
	return to
}

// tell gives groups the values of their members, and returns how many agree with what was told before.
func (c *cells[T]) tell(groupOf []int32, values []T) int {
	for i, v := range values {
		who := groupOf[i]
		if c.seen[who] && c.values[who] != v {
			return i
		}
		c.values[who], c.seen[who] = v, true
	}
	return len(values)
}

func (c *cells[T]) vector() vector.Column { return c.finish(c.values) }
