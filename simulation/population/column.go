package population

import (
	"math"
	"slices"

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
	// vector is the column; it is not used further before it is reset.
	vector() vector.Column
	// reset makes it a column of n defaults, in the same storage.
	reset(n int)
}

// newColumn makes an empty column. If members are told of more than once, it remembers who has a value.
func newColumn(v *legislation.Variable, wide, once bool) column {
	switch v.Type {
	case legislation.Bool:
		return newCells(v.Default.Bool(0), once, cell.truth, nil, vector.Of)
	case legislation.Int:
		if wide {
			return newCells(v.Default.Int(0), once, cell.integer, nil, vector.Of)
		}
		return newCells(int32(v.Default.Int(0)), once, cell.narrow, nil, vector.Of)
	case legislation.Date:
		return newCells(v.Default.Int(0), once, cell.date, plainDates, func(d []int64) vector.Column { return vector.Dates(vector.Day, d) })
	case legislation.EnumType:
		return newCells(int16(v.Default.Int(0)), once, func(c cell) (int16, error) { return c.member(v.Enum) }, nil,
			func(d []int16) vector.Column { return vector.Enums(v.Enum.Domain, d) })
	case legislation.String:
		return newCells(v.Default.Text(0), once, cell.string, nil, vector.Strs)
	}
	if wide {
		return newCells(v.Default.Float(0), once, cell.float, plainNumbers, vector.Of)
	}
	return newCells(float32(v.Default.Float(0)), once, func(c cell) (float32, error) {
		f, err := c.float()
		return float32(f), err
	}, plainNumbers, vector.Of)
}

type cells[T comparable] struct {
	values    []T
	seen      []bool // nil if all are told of once
	byDefault T
	read      func(cell) (T, error)
	// plain reads cells of a column, as many as there is room for, as far as they are plain, and returns how many; may be nil.
	plain  func(out []T, b *csvBatch, from, column int) int
	finish func([]T) vector.Column
	some   []T // room for values of members of groups
}

func newCells[T comparable](byDefault T, once bool, read func(cell) (T, error), plain func([]T, *csvBatch, int, int) int, finish func([]T) vector.Column) *cells[T] {
	c := &cells[T]{byDefault: byDefault, read: read, plain: plain, finish: finish}
	if once {
		c.seen = []bool{}
	}
	return c
}

func (c *cells[T]) reset(n int) {
	c.values = append(slices.Grow(c.values[:0], max(n, 1)), c.byDefault)
	for k := 1; k < n; k = len(c.values) {
		c.values = append(c.values, c.values[:min(k, n-k)]...)
	}
	c.values = c.values[:n]
	if c.seen != nil {
		c.seen = slices.Grow(c.seen[:0], n)[:n]
		clear(c.seen)
	}
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
	if _, end := b.extent(from, column); c.plain == nil || end < 0 {
		return from
	}
	return c.fillPlain(b, from, to, column, groupOf, at)
}

func (c *cells[T]) fillPlain(b *csvBatch, from, to, column int, groupOf []int32, at int) int {
	if groupOf != nil && c.some == nil {
		c.some = make([]T, 256)
	}
	for row := from; row < to; {
		out := c.values
		if groupOf == nil {
			out = out[at+row-from : at+to-from]
		} else {
			out = c.some[:min(len(c.some), to-row)]
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
	alike := 0
	if narrow, ok := any(values).([]float32); ok {
		alike = tellAlike(any(c.values).([]float32), c.seen, groupOf, narrow)
	}
	for i, v := range values[alike:] {
		who := groupOf[alike+i]
		if c.seen[who] && c.values[who] != v {
			return alike + i
		}
		c.values[who], c.seen[who] = v, true
	}
	return len(values)
}

// tellAlike is tell as long as members say the same in the same bits. Whether a group was told before is not asked: processors cannot guess that.
func tellAlike(told []float32, seen []bool, groupOf []int32, values []float32) int {
	for i, v := range values {
		who := groupOf[i]
		before := uint32(0)
		if seen[who] {
			before = 1
		}
		if (math.Float32bits(told[who])^math.Float32bits(v))&-before != 0 {
			return i
		}
		told[who], seen[who] = v, true
	}
	return len(values)
}

func (c *cells[T]) vector() vector.Column { return c.finish(c.values) }
