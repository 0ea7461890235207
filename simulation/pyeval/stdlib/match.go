package stdlib

// This file finds rows of tables that have the same values, for pandas.

import (
	"math"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// rowKeys reads columns whose rows are compared with each other.
type rowKeys struct{ columns []vector.Column }

func keysOf(th *py.Thread, v py.Value) rowKeys {
	var k rowKeys
	for _, item := range th.Collect(v) {
		c, ok := th.AsColumn(item)
		if !ok {
			th.Raise(py.TypeError, "expected arrays, not %s", py.TypeName(item))
		}
		k.columns = append(k.columns, c.Plain())
	}
	return k
}

func (k rowKeys) len() int {
	if len(k.columns) == 0 {
		return 0
	}
	return k.columns[0].Len()
}

// row is what a row is known by: texts as they are, everything else as a number; of more than three columns the rest is chained.
func (k rowKeys) row(i int) (key [4]any) {
	for j, c := range k.columns {
		if j < len(key)-1 {
			key[j] = cellOf(c, i)
		} else {
			key[len(key)-1] = [2]any{key[len(key)-1], cellOf(c, i)}
		}
	}
	return key
}

// absentCell is what every missing value is known by.
type absentCell struct{}

func cellOf(c vector.Column, i int) any {
	switch c.Type() {
	case vector.Str, vector.Bytes:
		return c.Text(i)
	case vector.Object:
		return objectCell(py.FromAny(c.Object(i)))
	case vector.Date, vector.Duration, vector.Enum:
		return float64(c.Int(i))
	}
	f := c.Float(i)
	switch {
	case math.IsNaN(f):
		return absentCell{}
	case math.Abs(f) >= 1<<53 && c.Type() != vector.Float32 && c.Type() != vector.Float64:
		return c.Int(i) // a float is not this number alone
	}
	return f
}

func objectCell(v py.Value) any {
	if text, ok := v.AsString(); ok {
		return text
	}
	f, ok := v.AsFloat()
	switch {
	case v.IsNone() || ok && math.IsNaN(f):
		return absentCell{}
	case ok:
		return f
	}
	return v.Object()
}

// rowBytes is what a row takes in a map by its values.
const rowBytes = 160

// matchRows is match(left, right): for every row of the left the rows of the right that have the same values, as two lists of places; -1
// where there is none.
func matchRows(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var left, right py.Value
	th.Unpack("match", args, kws, "left", &left, "right", &right)
	l, r := keysOf(th, left), keysOf(th, right)
	th.AllocMany(l.len(), rowBytes)
	found := map[[4]any][]int64{}
	for i := range l.len() {
		found[l.row(i)] = nil
	}
	th.AllocMany(r.len(), 8)
	for j := range r.len() {
		key := r.row(j)
		if places, ok := found[key]; ok {
			found[key] = append(places, int64(j))
		}
	}
	var from, to []int64
	for i := range l.len() {
		places := found[l.row(i)]
		if len(places) == 0 {
			places = []int64{-1}
		}
		th.Elements(len(places), 2)
		for _, j := range places {
			from, to = append(from, int64(i)), append(to, j)
		}
	}
	return py.NewTuple([]py.Value{py.Raw(vector.Of(from)), py.Raw(vector.Of(to))})
}

// rowCodes is codes(columns): a number for each row, the same for rows with the same values, counted in the order in which they come
// first; and the rows where they do.
func rowCodes(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var columns py.Value
	th.Unpack("codes", args, kws, "columns", &columns)
	k := keysOf(th, columns)
	th.AllocMany(k.len(), rowBytes)
	seen := map[[4]any]int64{}
	codes, firsts := make([]int64, th.Elements(k.len(), 1)), []int64{}
	var last [4]any
	for i := range codes {
		key := k.row(i)
		if i > 0 && key == last { // tables often have what is the same together
			codes[i] = codes[i-1]
			continue
		}
		code, ok := seen[key]
		if !ok {
			code = int64(len(seen))
			seen[key] = code
			firsts = append(firsts, int64(i))
		}
		codes[i], last = code, key
	}
	return py.NewTuple([]py.Value{py.Raw(vector.Of(codes)), py.Raw(vector.Of(firsts))})
}
