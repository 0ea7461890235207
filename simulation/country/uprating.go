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
	slices.SortStableFunc(values, func(a, b legislation.DatedValue) int { return b.Start.Compare(a.Start) })
}

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

// spread is spread(item, given): the metadata of everything below an item get what it is given.
func (c *core) spread(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var item, given py.Value
	th.Unpack("spread", args, kws, "item", &item, "given", &given)
	o, ok := item.Object().(*parameterObject)
	d, isDict := given.Object().(*py.Dict)
	if !ok || !isDict {
		th.Raise(py.TypeError, "expected a parameter and a dict, not %s and %s", py.TypeName(item), py.TypeName(given))
	}
	simple := true
	d.Items(func(k, v py.Value) bool {
		_, named := k.AsString()
		_, column := v.Column()
		_, text := v.AsString()
		simple = named && (column || text)
		return simple
	})
	for _, v := range o.descendants(th, nil) {
		below := v.Object().(*parameterObject)
		switch {
		case below.own() != nil:
			metadata, _ := th.Attr(v, "metadata")
			update, _ := th.Attr(metadata, "update")
			th.Invoke(update, given)
		case simple && below.metadata == nil:
			below.describe(th, d)
		default:
			metadata := below.metadataDict(th)
			d.Items(func(k, v py.Value) bool {
				metadata.Set(k, v)
				return true
			})
		}
	}
	return py.None
}

// describe adds to metadata that Python has not seen yet.
func (o *parameterObject) describe(th *py.Thread, given *py.Dict) {
	info, all := o.item.Info(), legislation.NewOrdered[legislation.Data]()
	for key, v := range info.Metadata.Map.All() {
		all.Set(key, v)
	}
	given.Items(func(k, v py.Value) bool {
		all.Set(th.Str(k), dataOf(th, v))
		return true
	})
	info.Metadata = legislation.Data{Kind: legislation.Mapping, Line: info.Metadata.Line, Map: all}
}
