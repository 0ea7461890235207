package country

import (
	"slices"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// The values of a parameter and the children of a node, as Python sees and changes them.

// datedValue is one entry of values_list.
type datedValue struct {
	of    *parameterObject
	value *legislation.DatedValue
	start py.Object // its day as a text, once it was asked for: code that loads asks again and again
}

// Type implements pyeval.Object.
func (o *datedValue) Type() *py.Class { return o.of.core.datedClass }

// Attr implements pyeval.Attrer.
func (o *datedValue) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "instant_str":
		if o.start != nil {
			return py.Obj(o.start), true
		}
		text := py.String(o.value.StartText())
		if runOf(th) == nil { // simulations share it
			o.start = text.Object()
		}
		return text, true
	case "value":
		return valueOf(&o.value.Value), true
	case "metadata":
		metadata := o.value.Metadata()
		return valueOf(&metadata), true
	}
	return py.Value{}, false
}

// SetAttr implements pyeval.AttrSetter.
func (o *datedValue) SetAttr(th *py.Thread, name string, v *py.Value) {
	if v == nil || name != "value" && name != "metadata" {
		th.Raise(py.AttributeError, "attribute '%s' of a value of a parameter cannot be set", name)
	}
	o.of.core.written++
	if o.of.done { // its law is in force
		own := *o.value
		o.value = &own
	}
	d := dataOf(th, *v)
	if name == "value" {
		o.value.Value = d
	} else {
		o.value.SetMetadata(d)
	}
}

// childrenObject is the dict of a node's children.
type childrenObject struct {
	core  *core
	node  *legislation.ParameterNode
	owner *parameterObject
}

// Type implements pyeval.Object.
func (o *childrenObject) Type() *py.Class { return o.core.childrenClass }

// Item implements pyeval.Indexer.
func (o *childrenObject) Item(th *py.Thread, key py.Value) py.Value {
	child, ok := o.node.Children.Get(th.Str(key))
	if !ok {
		th.Raise(py.KeyError, "%s", th.Str(key))
	}
	return py.Obj(o.owner.child(th, child))
}

// SetItem implements pyeval.ItemSetter.
func (o *childrenObject) SetItem(th *py.Thread, key py.Value, v *py.Value) {
	o.owner.mayChange(th)
	name := th.Str(key)
	if v != nil {
		o.node.Children.Set(name, o.core.itemOf(th, *v))
		return
	}
	if !o.node.Children.Delete(name) {
		th.Raise(py.KeyError, "%s", name)
	}
}

// Contains implements pyeval.Container.
func (o *childrenObject) Contains(th *py.Thread, key py.Value) bool {
	_, ok := o.node.Children.Get(th.Str(key))
	return ok
}

// Each implements pyeval.Iterable.
func (o *childrenObject) Each(_ *py.Thread, yield func(py.Value) bool) {
	for _, name := range slices.Clone(o.node.Children.Keys()) {
		if !yield(py.String(name)) {
			return
		}
	}
}

// Len implements pyeval.Lener.
func (o *childrenObject) Len(*py.Thread) int { return o.node.Children.Len() }

// Attr returns the methods of a dict that make sense here.
func (o *childrenObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "pop":
		return py.Func(name, o.pop), true
	case "update":
		return py.Func(name, o.update), true
	case "get":
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			key, otherwise := py.None, py.None
			th.Unpack(name, args, kws, "key", &key, "default?", &otherwise)
			if o.Contains(th, key) {
				return o.Item(th, key)
			}
			return otherwise
		}), true
	case "items", "keys", "values", "copy":
		v, ok := th.Attr(py.Obj(o.dict(th)), name)
		return v, ok
	}
	return py.Value{}, false
}

func (o *childrenObject) dict(th *py.Thread) *py.Dict {
	d := py.NewDict()
	for name, child := range o.node.Children.All() {
		d.Set(py.String(name), py.Obj(o.owner.child(th, child)))
	}
	return d
}

func (o *childrenObject) pop(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	key, otherwise := py.None, py.Value{}
	given := len(args)+len(kws) > 1
	th.Unpack("pop", args, kws, "key", &key, "default?", &otherwise)
	if given && !o.Contains(th, key) {
		return otherwise
	}
	v := o.Item(th, key)
	o.owner.mayChange(th)
	o.node.Children.Delete(th.Str(key))
	return v
}

func (o *childrenObject) update(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var other py.Value
	th.Unpack("update", args, kws, "other", &other)
	o.owner.mayChange(th)
	switch from := other.Object().(type) {
	case *childrenObject:
		for name, child := range from.node.Children.All() {
			o.node.Children.Set(name, child)
		}
	case *py.Dict:
		from.Items(func(k, v py.Value) bool {
			o.SetItem(th, k, &v)
			return true
		})
	default:
		th.Raise(py.TypeError, "update needs a dict, not %s", py.TypeName(other))
	}
	return py.None
}
