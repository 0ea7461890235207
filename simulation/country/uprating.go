package country

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// What PolicyEngine does with a hundred thousand parameters when a package is loaded, where Python would take seconds: the same numbers, in the same order.

// rise is by how much an index is above what it was on a day, from another day on.
type rise struct {
	start period.Instant
	ratio float64
}

// riseKey is an index as it is now, and the day.
type riseKey struct {
	of    *legislation.Parameter
	first *legislation.DatedValue
	count int
	since period.Instant
}

// uprate is uprate(parameter, index, last, value): from each day after the last on which the index has a value, the parameter has the value times what the
// index rose by. False where something is not as simple as that; then nothing has changed.
func (c *core) uprate(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var parameter, index, last, value py.Value
	th.Unpack("uprate", args, kws, "parameter", &parameter, "index", &index, "last", &last, "value", &value)
	o, leaf := plainLeaf(th, parameter)
	start, ok := plainNumber(value)
	if leaf == nil || !ok {
		return py.False
	}
	rises, ok := c.risesOf(th, index, toInstant(th, last))
	if !ok {
		return py.False
	}
	o.mayChange(th)
	o.values = nil
	values := make([]legislation.DatedValue, len(leaf.Values), len(leaf.Values)+len(rises))
	copy(values, leaf.Values)
	for _, r := range rises {
		scalar := legislation.DataOf(vector.PyFloat(start * r.ratio))
		values = append(values, legislation.DatedValue{Start: r.start, Value: scalar})
	}
	sortValues(values)
	leaf.Values = values
	return py.True
}

// sortValues puts the newest first; of the same day those that were added later come later.
func sortValues(values []legislation.DatedValue) {
	slices.SortStableFunc(values, newestFirst)
}

func newestFirst(a, b legislation.DatedValue) int { return b.Start.Compare(a.Start) }

// plainLeaf is a parameter that no class of the package's own changes, as Python left it.
func plainLeaf(th *py.Thread, v py.Value) (*parameterObject, *legislation.Parameter) {
	o, ok := v.Object().(*parameterObject)
	if !ok || o.own() != nil || o.fixed(th) {
		return nil, nil
	}
	leaf, ok := o.item.(*legislation.Parameter)
	if ok {
		o.sync(th)
	}
	return o, leaf
}

// plainNumber is a number that a float holds exactly.
func plainNumber(v py.Value) (float64, bool) {
	c, ok := v.Column()
	if !ok || c.IsArray() || c.Form() != vector.PyScalar {
		return 0, false
	}
	switch c.Type() {
	case vector.Int64:
		n := c.Int(0)
		return float64(n), -1<<53 <= n && n <= 1<<53
	case vector.Float64:
		return c.Float(0), true
	}
	return 0, false
}

// risesOf lists what an index rose by since a day. Thousands of parameters go by the same index.
func (c *core) risesOf(th *py.Thread, index py.Value, since period.Instant) ([]rise, bool) {
	_, leaf := plainLeaf(th, index)
	if leaf == nil || len(leaf.Values) == 0 {
		return nil, false
	}
	key := riseKey{leaf, &leaf.Values[0], len(leaf.Values), since}
	if known, ok := c.rises[key]; ok {
		return known, true
	}
	before, ok := plainNumber(valueOf(leaf.ValueAt(since)))
	if !ok || before == 0 {
		return nil, false
	}
	var rises []rise
	for _, v := range slices.Backward(leaf.Values) {
		if v.Start.Month == 0 || v.Start.Day == 0 {
			return nil, false
		}
		if !since.Before(v.Start) {
			continue
		}
		now, ok := plainNumber(valueOf(leaf.ValueAt(v.Start)))
		if !ok {
			return nil, false
		}
		rises = append(rises, rise{v.Start, now / before})
	}
	c.rises[key] = rises
	return rises, true
}
