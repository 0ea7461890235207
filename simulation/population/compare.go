package population

import (
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// differs reports whether values of a variable can be subtracted from each other.
func differs(v *legislation.Variable) bool {
	return v.Type == legislation.Float || v.Type == legislation.Int
}

// difference is what the reform adds to the base, in the width of the legislation.
func difference(base, reform vector.Column) vector.Column {
	switch base.Type() {
	case vector.Float32:
		return each(base.Len(), func(i int) float32 { return float32(reform.Float(i)) - float32(base.Float(i)) })
	case vector.Float64:
		return each(base.Len(), func(i int) float64 { return reform.Float(i) - base.Float(i) })
	case vector.Int32:
		return each(base.Len(), func(i int) int32 { return int32(reform.Int(i) - base.Int(i)) })
	}
	return each(base.Len(), func(i int) int64 { return reform.Int(i) - base.Int(i) })
}

func each[T float32 | float64 | int32 | int64](n int, fn func(int) T) vector.Column {
	out := make([]T, n)
	for i := range out {
		out[i] = fn(i)
	}
	return vector.Of(out)
}

// kept gives the cells of columns that are carried through: those of each person, or of the first member of each group.
func (l *layout) kept(c *chunk, groups *membership) []ids {
	if len(l.keep) == 0 {
		return nil
	}
	rows := c.persons
	if groups != nil {
		rows = len(groups.names)
	}
	var out []ids
	for _, column := range l.keep {
		texts, person := make([][]byte, rows), 0
		for _, s := range c.spans {
			for row := s.from; row < s.to; row++ {
				at := person
				if groups != nil {
					at = int(groups.groupOf[person])
				}
				if texts[at] == nil {
					texts[at] = append([]byte{}, s.cell(row, column).name()...)
				}
				person++
			}
		}
		out = append(out, ids{text: func(row int) []byte { return texts[row] }})
	}
	return out
}
