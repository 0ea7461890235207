package vector

// Table is a two-dimensional array, row by row. Flat is an array of Rows*Cols elements; a constant Flat is a constant
// table. Element-wise operations on tables are operations on Flat.
type Table struct {
	Flat       Column
	Rows, Cols int
}

// NewTable gives the table of a flat array, which must have rows*cols elements.
func NewTable(flat Column, rows, cols int) (Table, error) {
	if rows < 0 || cols < 0 || flat.Len() != rows*cols {
		return Table{}, valueError("cannot reshape array of size %d into shape (%d,%d)", flat.Len(), rows, cols)
	}
	return Table{flat.As(Array), rows, cols}, nil
}

// Stack is numpy.stack(cs, axis): each column becomes a row, or a column of the table if axis is 1.
func (r *Rules) Stack(cs []Column, axis int) (Table, error) {
	if len(cs) == 0 {
		return Table{}, valueError("need at least one array to stack")
	}
	for _, c := range cs {
		if c.Len() != cs[0].Len() {
			return Table{}, valueError("all input arrays must have the same shape")
		}
	}
	flat, err := r.Concat(cs...)
	if err != nil {
		return Table{}, err
	}
	t := Table{flat, len(cs), int(cs[0].n)}
	if axis == 1 || axis == -1 {
		return t.Transpose(), nil
	}
	return t, nil
}

// Transpose is t.T.
func (t Table) Transpose() Table {
	flat := t.Flat.Gather(indexes(t.Rows*t.Cols, func(i int) int { return i%t.Rows*t.Cols + i/t.Rows }))
	return Table{flat, t.Cols, t.Rows}
}

// Row is t[i], sharing storage; i may count from the end.
func (t Table) Row(i int) (Column, error) {
	i, err := wrap(i, t.Rows, 0)
	if err != nil {
		return Column{}, err
	}
	return t.Flat.Range(i*t.Cols, (i+1)*t.Cols), nil
}

// Col is t[:, j]; j may count from the end.
func (t Table) Col(j int) (Column, error) {
	j, err := wrap(j, t.Cols, 1)
	if err != nil {
		return Column{}, err
	}
	return t.Flat.Stride(j, t.Rows*t.Cols, t.Cols), nil
}

func wrap(i, n, axis int) (int, error) {
	if i < -n || i >= n {
		return 0, indexError("index %d is out of bounds for axis %d with size %d", i, axis, n)
	}
	if i < 0 {
		i += n
	}
	return i, nil
}

// At is t[rows, cols]: the element at each pair of indexes, which broadcast. Two scalars give a numpy scalar.
func (t Table) At(rows, cols Column) (Column, error) {
	if (t.Flat.form|rows.form|cols.form)&boxed != 0 {
		height, width := t.Rows, t.Cols
		return record(step{do: func(_ *Rules, in []Column) (Column, error) { return Table{in[0], height, width}.At(in[1], in[2]) }}, nil, t.Flat, rows, cols)
	}
	s, err := shapeOf(rows, cols)
	if err != nil {
		return Column{}, err
	}
	if !rows.typ.Indexes() || !cols.typ.Indexes() {
		return Column{}, indexError("arrays used as indices must be of integer (or boolean) type")
	}
	index := make([]int32, s.n)
	for k := range index {
		i, err := wrap(int(rows.Int(k)), t.Rows, 0)
		if err != nil {
			return Column{}, err
		}
		j, err := wrap(int(cols.Int(k)), t.Cols, 1)
		if err != nil {
			return Column{}, err
		}
		if index[k] = int32(i*t.Cols + j); s.form != Array {
			return t.Flat.at(int(index[k])), nil
		}
	}
	return t.Flat.Gather(index), nil
}

// BinaryTables computes t op u for tables of the same shape.
func (r *Rules) BinaryTables(op Op, t, u Table) (Table, error) {
	if t.Rows != u.Rows || t.Cols != u.Cols {
		return Table{}, valueError("operands could not be broadcast together with shapes (%d,%d) (%d,%d)", t.Rows, t.Cols, u.Rows, u.Cols)
	}
	flat, err := r.Binary(op, t.Flat, u.Flat)
	return Table{flat, t.Rows, t.Cols}, err
}

// Widen broadcasts a column to the shape of t: as every row, or, as c[:, newaxis], as every column.
func (t Table) Widen(c Column, newAxis bool) (Table, error) {
	n := t.Cols
	if newAxis {
		n = t.Rows
	}
	spread, err := c.Spread(n)
	switch {
	case err != nil:
		return Table{}, valueError("operands could not be broadcast together with shapes (%d,%d) (%d,)", t.Rows, t.Cols, c.n)
	case newAxis:
		return Table{spread.RepeatEach(t.Cols), t.Rows, t.Cols}, nil
	}
	return Table{spread.Tile(t.Rows), t.Rows, t.Cols}, nil
}

// Reduce is t.sum(axis), t.min(axis) or t.max(axis), op being Add, Minimum or Maximum. Along axis 0 numpy adds row after
// row; along axis 1 it sums each row as it sums an array.
func (r *Rules) Reduce(op Op, t Table, axis int) (Column, error) {
	if t.Flat.Taped() {
		height, width := t.Rows, t.Cols
		return record(step{do: func(r *Rules, in []Column) (Column, error) { return r.Reduce(op, Table{in[0], height, width}, axis) }}, r, t.Flat)
	}
	if axis == 1 || axis == -1 {
		return r.reduceRows(op, t)
	}
	if t.Rows == 0 && op != Add {
		return Column{}, valueError("zero-size array to reduction operation %s which has no identity", op)
	}
	if t.Rows == 0 {
		return Zeros(t.Cols, t.Flat.DType()), nil
	}
	flat := t.Flat
	if op == Add && flat.typ.Number() && !flat.typ.float() {
		flat = castTo[int64](flat, Int64)
	}
	result := flat.Range(0, t.Cols)
	for i := 1; i < t.Rows; i++ {
		var err error
		if result, err = r.Binary(op, result, flat.Range(i*t.Cols, (i+1)*t.Cols)); err != nil {
			return Column{}, err
		}
	}
	return result, nil
}

func (r *Rules) reduceRows(op Op, t Table) (Column, error) {
	cells := make([]Column, t.Rows)
	for i := range cells {
		row := t.Flat.Range(i*t.Cols, (i+1)*t.Cols)
		var err error
		switch op {
		case Add:
			cells[i], err = r.Sum(row)
		default:
			cells[i], err = r.fold(op, row)
		}
		if err != nil {
			return Column{}, err
		}
	}
	if len(cells) == 0 {
		return Zeros(0, t.Flat.DType()), nil
	}
	return join(cells[0].DType(), cells), nil
}
