package country

import (
	"errors"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// dataOf turns a Python literal (dict, list, tuple, scalar, date, None) into data.
func dataOf(th *py.Thread, v py.Value) legislation.Data {
	switch o := v.Object().(type) {
	case *py.Dict:
		return mappingOf(th, o)
	case *py.List:
		return listOf(th, o.Items())
	case *py.Tuple:
		return listOf(th, o.Items())
	}
	if v.IsNone() {
		return legislation.Data{}
	}
	c, ok := v.Column()
	if !ok {
		return legislation.DataOf(vector.PyStr(th.Str(v))) // dates read as ISO days
	}
	if !c.IsArray() && c.Form() == vector.NumpyScalar {
		c = c.As(vector.PyScalar)
	}
	return legislation.DataOf(c)
}

func mappingOf(th *py.Thread, d *py.Dict) legislation.Data {
	m := legislation.NewOrdered[legislation.Data]()
	d.Items(func(k, v py.Value) bool {
		m.Set(th.Str(k), dataOf(th, v))
		return true
	})
	return legislation.Data{Kind: legislation.Mapping, Map: m}
}

func listOf(th *py.Thread, items []py.Value) legislation.Data {
	list := make([]legislation.Data, len(items))
	for i, v := range items {
		list[i] = dataOf(th, v)
	}
	return legislation.Data{Kind: legislation.List, List: list}
}

// valueOf turns data into a Python value, new at each call.
func valueOf(d *legislation.Data) py.Value {
	switch d.Kind {
	case legislation.Scalar:
		return py.Col(d.Scalar)
	case legislation.List:
		items := make([]py.Value, len(d.List))
		for i := range d.List {
			items[i] = valueOf(&d.List[i])
		}
		return py.Obj(py.NewList(items))
	case legislation.Mapping:
		out := py.NewDict()
		for i, k := range d.Map.Keys() {
			out.Set(py.String(k), valueOf(d.Map.Ref(i)))
		}
		return py.Obj(out)
	}
	return py.None
}

// settled gives an array of objects the type of its elements, if they are texts, numbers or days: what is stored has a type.
func settled(th *py.Thread, c vector.Column) vector.Column {
	if c.Type() != vector.Object || !c.IsArray() {
		return c
	}
	if c.Taped() && isMember(c.Plain()) {
		same, _ := vector.Record(settledKey, firstIsMember, nil, c)
		return same
	}
	var items []py.Value
	for i := range c.Len() {
		x, err := c.At(i)
		if err != nil {
			th.Throw(err)
		}
		v := py.Col(x)
		if _, ok := v.Column(); !ok {
			return c // a member of an enumeration, most likely: the first tells
		}
		items = append(items, v)
	}
	return th.ToArray(items)
}

type memberKey string

// settledKey is that of firstIsMember.
const settledKey memberKey = "settled"

// firstIsMember gives a column whose first element is a member of an enumeration as it is; any other is an error.
func firstIsMember(_ *vector.Rules, in []vector.Column) (vector.Column, error) {
	if !isMember(in[0]) {
		return in[0], errNoMember
	}
	return in[0], nil
}

var errNoMember = errors.New("the first element is no member of an enumeration")

// isMember reports whether the first element of an array of objects is a member of an enumeration.
func isMember(c vector.Column) bool {
	if c.Len() == 0 {
		return false
	}
	_, ok := c.Object(0).(*member)
	return ok
}

// toColumn makes a column of an array, a scalar or a list.
func toColumn(th *py.Thread, v py.Value) vector.Column {
	if c, ok := v.Column(); ok {
		return c
	}
	if m, ok := v.Object().(*member); ok {
		return vector.EnumConst(1, m.enum.Domain, m.index).As(vector.NumpyScalar)
	}
	if h, ok := v.Object().(py.Columner); ok {
		return h.Column(th)
	}
	return th.ToArray(th.Collect(v))
}
