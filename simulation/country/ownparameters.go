package country

import (
	"fmt"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// ownParameter is what the code of a package keeps with a parameter: a class derived from that of the parameter, nil if it has
// none, and attributes.
type ownParameter struct {
	class *py.Class
	attrs *py.Dict
}

// Clone copies it, for the copy of a parameter.
func (o *ownParameter) Clone() any {
	attrs := py.NewDict()
	o.attrs.Items(func(k, v py.Value) bool {
		attrs.Set(k, v)
		return true
	})
	return &ownParameter{o.class, attrs}
}

// own is what the package keeps with the item, nil if it keeps nothing.
func (o *parameterObject) own() *ownParameter {
	own, _ := o.item.Info().Own.(*ownParameter)
	return own
}

func (o *parameterObject) makeOwn() *ownParameter {
	own := o.own()
	if own == nil {
		own = &ownParameter{attrs: py.NewDict()}
		o.item.Info().Own = own
	}
	return own
}

// derived tells that a class of the package defines a name, before that of the parameter does.
func (o *ownParameter) derived(name string) bool {
	if o.class == nil {
		return false
	}
	v, ok := o.class.Lookup(name)
	if !ok {
		return false
	}
	inherited, has := py.BaseObject().Lookup(name)
	return !has || inherited.Object() != v.Object()
}

// setClass is parameter.__class__ = class.
func (o *parameterObject) setClass(th *py.Thread, v py.Value) {
	class, ok := v.Object().(*py.Class)
	if !ok || !class.IsSub(o.baseType()) {
		th.Raise(py.TypeError, "__class__ of a %s must be a class derived from it, not %s", o.baseType().Name, th.Repr(v))
	}
	o.makeOwn().class = class
	o.core.derives = true
}

// setOwn sets an attribute that the parameters of PolicyEngine have besides the others, or one that nobody but the package knows.
func (o *parameterObject) setOwn(th *py.Thread, name string, v *py.Value) {
	if !o.core.policy || v == nil {
		th.Raise(py.AttributeError, "attribute '%s' of a parameter cannot be set", name)
	}
	switch name {
	case "modified", "trace": // they say no
	case "__class__":
		o.setClass(th, *v)
	case "__dict__":
		o.setDict(th, *v)
	case "parent":
		o.parent, _ = v.Object().(*parameterObject)
	case "children":
		o.children = *v
		if _, ok := v.Object().(*childrenObject); ok {
			o.children = py.Value{}
		}
	case "values_list":
		leaf, ok := o.item.(*legislation.Parameter)
		if !ok {
			th.Raise(py.AttributeError, "a %s has no values_list", py.TypeName(py.Obj(o)))
		}
		leaf.Values, o.values = datedValues(th, *v), nil
		if list, ok := v.Object().(*py.List); ok {
			o.values = list
			o.read(list)
		}
	default:
		o.makeOwn().attrs.Set(py.String(name), *v)
	}
}

// sharedNames are the attributes of a parameter that setDict takes over from another one.
var sharedNames = []string{"name", "description", "documentation", "metadata", "children"}

// asDict is parameter.__dict__: what a copy of it is made from.
func (o *parameterObject) asDict(th *py.Thread) *py.Dict {
	d := py.NewDict()
	for _, name := range sharedNames {
		if v, ok := o.BaseAttr(th, name); ok {
			d.Set(py.String(name), v)
		}
	}
	if own := o.own(); own != nil {
		own.attrs.Items(func(k, v py.Value) bool {
			d.Set(k, v)
			return true
		})
	}
	return d
}

// setDict is parameter.__dict__ = that of another one: both have the same children from then on.
func (o *parameterObject) setDict(th *py.Thread, v py.Value) {
	d, ok := v.Object().(*py.Dict)
	if !ok {
		th.Raise(py.TypeError, "__dict__ must be set to a dictionary, not %s", py.TypeName(v))
	}
	d.Items(func(k, v py.Value) bool {
		name, _ := k.AsString()
		children, shares := v.Object().(*childrenObject)
		node, isNode := o.item.(*legislation.ParameterNode)
		if name == "children" && shares && isNode {
			node.Children = children.node.Children
		} else {
			o.SetAttr(th, name, &v)
		}
		return true
	})
}

func datedValues(th *py.Thread, list py.Value) []legislation.DatedValue {
	var out []legislation.DatedValue
	th.Each(list, func(v py.Value) bool {
		d, ok := v.Object().(*datedValue)
		if !ok {
			th.Raise(py.TypeError, "a values_list has ParameterAtInstant, not %s", py.TypeName(v))
		}
		out = append(out, *d.value)
		return true
	})
	return out
}

// makeDated is ParameterAtInstant(name, instant_str, data=None, file_path=None, metadata=None): one value of a list.
func (c *core) makeDated(th *py.Thread, class *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var name, at string
	data, file, metadata := py.None, py.None, py.None
	th.Unpack(class.Name, args, kws, "name", &name, "instant_str", &at, "data?", &data, "file_path?", &file, "metadata?", &metadata)
	values, fields := py.NewDict(), py.NewDict()
	values.Set(py.String(at), data)
	fields.Set(py.String("values"), py.Obj(values))
	built, ok := c.buildParameter(th, name, py.Obj(fields), file).(*legislation.Parameter)
	if !ok || len(built.Values) != 1 {
		th.Raise(py.ValueError, "%s %s: %s is no value of a parameter", class.Name, name, th.Repr(data))
	}
	d := &datedValue{of: &parameterObject{core: c}, value: &built.Values[0]}
	if !metadata.IsNone() {
		d.SetAttr(th, "metadata", &metadata)
	}
	return py.Obj(d)
}

// policyAttr is what the parameters of PolicyEngine have besides those of OpenFisca. Nothing is remembered of a tree while it
// changes, so there is nothing to clear.
func (o *parameterObject) policyAttr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "parent":
		if o.parent == nil {
			return py.None, true
		}
		return py.Obj(o.parent), true
	case "__dict__":
		return py.Obj(o.asDict(th)), true
	case "modified", "trace":
		return py.False, true
	case "_at_instant_cache":
		return py.Obj(py.NewDict()), true
	case "clear_parent_cache", "mark_as_modified":
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.None }), true
	case "get_child":
		return py.Pure(name, o.getChild), true
	case "get_descendants":
		return py.Pure(name, func(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
			return py.Obj(py.NewList(o.everything(th)))
		}), true
	}
	if own := o.own(); own != nil {
		return own.attrs.Get(name)
	}
	return py.Value{}, false
}

// everything lists what is below, parents before children.
func (o *parameterObject) everything(th *py.Thread) []py.Value {
	return o.descendants(th, make([]py.Value, 0, countBelow(o.item)))
}

func countBelow(item legislation.ParameterItem) (n int) {
	switch item := item.(type) {
	case *legislation.ParameterNode:
		for _, child := range item.Children.All() {
			n += 1 + countBelow(child)
		}
	case *legislation.ParameterScale:
		for _, bracket := range item.Brackets {
			n += 1 + countBelow(bracket)
		}
	}
	return n
}

// descendants adds everything below.
func (o *parameterObject) descendants(th *py.Thread, all []py.Value) []py.Value {
	switch item := o.item.(type) {
	case *legislation.ParameterNode:
		for _, child := range item.Children.All() {
			c := o.child(th, child)
			all = c.descendants(th, append(all, py.Obj(c)))
		}
	case *legislation.ParameterScale:
		for _, bracket := range item.Brackets {
			c := o.child(th, bracket)
			all = c.descendants(th, append(all, py.Obj(c)))
		}
	}
	return all
}

// getChild is get_child(path): names with dots between them, brackets of scales by number.
func (o *parameterObject) getChild(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var path string
	th.Unpack("get_child", args, kws, "path", &path)
	for step := range strings.SplitSeq(path, ".") {
		name, index, bracketed := strings.Cut(step, "[")
		next := o.step(th, name)
		if next != nil && bracketed {
			next = next.bracket(th, strings.TrimSuffix(index, "]"))
		}
		if next == nil {
			th.Raise(py.ValueError, "Could not find the parameter %s (failed at %s).", path, name)
		}
		o = next
	}
	return py.Obj(o)
}

func (o *parameterObject) step(th *py.Thread, name string) *parameterObject {
	n, ok := o.item.(*legislation.ParameterNode)
	if !ok {
		return nil
	}
	child, ok := n.Children.Get(name)
	if !ok {
		return nil
	}
	return o.child(th, child)
}

func (o *parameterObject) bracket(th *py.Thread, index string) *parameterObject {
	s, ok := o.item.(*legislation.ParameterScale)
	i, err := strconv.Atoi(index)
	if !ok || err != nil || i < 0 || i >= len(s.Brackets) {
		return nil
	}
	return o.child(th, s.Brackets[i])
}

// fixed tells that nothing is kept with the object: a formula asks, which others may do at the same time.
func (o *parameterObject) fixed(th *py.Thread) bool { return o.loose || runOf(th) != nil }

// mayChange refuses to change parameters that others compute with.
func (o *parameterObject) mayChange(th *py.Thread) {
	if leaf, ok := o.item.(*legislation.Parameter); ok && o.copy != nil {
		own, err := o.copy.Own(leaf, o.above())
		raiseIf(th, err)
		o.item = own
		return
	}
	if o.inForce {
		th.Raise(py.NotImplementedError, "a formula cannot change the law: write a reform that sets %s", o.item.Info().Name)
	}
}

// above is everything that the item lies in, the root first.
func (o *parameterObject) above() []legislation.ParameterItem {
	if o.parent == nil {
		return nil
	}
	return append(o.parent.above(), o.parent.item)
}

// child is the object of an item below this one.
func (o *parameterObject) child(th *py.Thread, item legislation.ParameterItem) *parameterObject {
	if o.fixed(th) {
		if leaf, ok := item.(*legislation.Parameter); ok && o.copy != nil {
			item = o.copy.Now(leaf)
		}
		return &parameterObject{core: o.core, item: item, parent: o, loose: true, inForce: o.inForce, law: o.law, copy: o.copy}
	}
	c := o.core.parameter(item)
	if c.parent == nil {
		c.parent = o
	}
	return c
}

// derivedFrom makes an object of a class that a package derived from one of parameters: empty, and then what its __init__ says, if
// it has one; false if the class is not derived.
func (c *core) derivedFrom(th *py.Thread, class, base *py.Class, empty func() legislation.ParameterItem, args []py.Value, kws []py.Kw) (py.Value, bool) {
	if class == base {
		return py.Value{}, false
	}
	init, _ := class.Lookup("__init__")
	if _, ok := init.Object().(*py.Function); !ok {
		o := base.New(th, base, args, kws).Object().(*parameterObject)
		o.setClass(th, py.Obj(class))
		return py.Obj(o), true
	}
	o := c.parameter(empty())
	o.setClass(th, py.Obj(class))
	th.InvokeKw(init, append([]py.Value{py.Obj(o)}, args...), kws)
	return py.Obj(o), true
}

func emptyParameter() legislation.ParameterItem {
	p := &legislation.Parameter{}
	p.Metadata = legislation.Data{Kind: legislation.Mapping}
	return p
}

// link puts, in the place of parameters of a package's own class that read their values from another one, that other one.
func (c *core) link(th *py.Thread, root *legislation.ParameterNode) {
	if !c.derives || root == nil {
		return
	}
	var walk func(o *parameterObject)
	walk = func(o *parameterObject) {
		node, ok := o.item.(*legislation.ParameterNode)
		if !ok {
			return
		}
		for _, name := range node.Children.Keys() {
			item, _ := node.Children.Get(name)
			child := o.child(th, item)
			child.parent = o
			_, leaf := item.(*legislation.Parameter)
			if own := child.own(); leaf && own != nil && own.derived("values_list") {
				node.Children.Set(name, c.readFrom(th, child))
				continue
			}
			walk(child)
		}
	}
	walk(c.parameter(root))
}

// readFrom is the parameter whose values_list another one gives as its own.
func (c *core) readFrom(th *py.Thread, o *parameterObject) legislation.ParameterItem {
	list, _ := th.Attr(py.Obj(o), "values_list")
	if made, ok := list.Object().(*py.List); ok && made == c.listed.list {
		return c.listed.of
	}
	p := legislation.CloneParameter(o.item).(*legislation.Parameter)
	p.Own, p.Values = nil, datedValues(th, list)
	return p
}

// ownAttr is an attribute that code gave to a scale, or gives to all scales of a class of a package when they are asked for a day.
func (o *scaleObject) ownAttr(th *py.Thread, name string) (py.Value, bool) {
	if attrs, ok := o.Own.(*py.Dict); ok {
		return attrs.Get(name)
	}
	c := coreOf(th)
	if o.Item == nil || c == nil {
		return py.Value{}, false
	}
	item := &parameterObject{core: c, item: o.Item, loose: true, inForce: true}
	made, _ := th.Attr(py.Obj(item), "_get_at_instant")
	scale, ok := th.Invoke(made, instantValue(o.Day)).Object().(*scaleObject)
	if !ok {
		return py.Value{}, false
	}
	o.Own = scale.Own
	attrs, ok := o.Own.(*py.Dict)
	if !ok {
		return py.Value{}, false
	}
	return attrs.Get(name)
}

// SetAttr implements pyeval.AttrSetter: a scale may be given attributes that it does not have.
func (o *scaleObject) SetAttr(th *py.Thread, name string, v *py.Value) {
	c := coreOf(th)
	if v != nil && c != nil && c.policy && o.setBrackets(th, name, *v) {
		return
	}
	if _, has := o.Attr(th, name); v == nil || c == nil || !c.policy || has && o.Own == nil {
		th.Raise(py.AttributeError, "attribute '%s' of a scale cannot be set", name)
	}
	if o.Own == nil {
		o.Own = py.NewDict()
	}
	o.Own.(*py.Dict).Set(py.String(name), *v)
}

// setBrackets is scale.thresholds = […], and the same of rates and amounts.
func (o *scaleObject) setBrackets(th *py.Thread, name string, v py.Value) bool {
	if name != "thresholds" && name != "rates" && name != "amounts" {
		return false
	}
	var numbers []legislation.Number
	th.Each(v, func(item py.Value) bool {
		numbers = append(numbers, numberOf(th, item))
		return true
	})
	if name == "thresholds" {
		o.Thresholds = numbers
	} else {
		o.Values = numbers
	}
	return true
}

// String names a parameter in messages.
func (o *parameterObject) String() string {
	return fmt.Sprintf("%s %s", o.Type().Name, o.item.Info().Name)
}
