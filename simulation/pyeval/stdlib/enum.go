package stdlib

// This file defines module enum: members by name and value, in the order they were written; equal values are one member.

import (
	"strings"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// enumMembers is what the class of an enumeration keeps.
type enumMembers struct {
	order  []py.Value
	values []py.Value
	byName map[string]py.Value
}

type enumAuto struct{}

// Type implements [py.Object].
func (enumAuto) Type() *py.Class { return py.BaseObject() }

func enumTable() py.Table {
	meta := &py.Metaclass{
		Created:  createEnum,
		Call:     enumByValue,
		Item:     enumByName,
		Each:     func(_ *py.Thread, c *py.Class, yield func(py.Value) bool) { eachMember(c, yield) },
		Len:      func(_ *py.Thread, c *py.Class) int { return len(membersOf(c).order) },
		Contains: func(_ *py.Thread, c *py.Class, v py.Value) bool { return contains(membersOf(c).order, v) },
	}
	base := py.NewClass("Enum", py.Table{
		"__repr__": py.Pure("__repr__", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			m, _ := py.Self[*py.Instance](th, "__repr__", args)
			return py.String("<" + m.Type().Name + "." + attrText(m, "name") + ": " + th.Repr(attrOf(m, "value")) + ">")
		}),
		"__str__": py.Pure("__str__", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			m, _ := py.Self[*py.Instance](th, "__str__", args)
			return py.String(m.Type().Name + "." + attrText(m, "name"))
		}),
	})
	base.Module, base.Meta = "enum", meta
	return py.Table{
		"Enum":   py.Obj(base),
		"auto":   py.Pure("auto", func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Obj(enumAuto{}) }),
		"unique": py.Pure("unique", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value { return th.OnlyArg("unique", args) }),
	}
}

func attrOf(i *py.Instance, name string) py.Value {
	v, ok := i.Get(name)
	if !ok {
		return py.None
	}
	return v
}

func attrText(i *py.Instance, name string) string {
	s, _ := attrOf(i, name).AsString()
	return s
}

func membersOf(c *py.Class) *enumMembers {
	if m, ok := c.Host.(*enumMembers); ok {
		return m
	}
	return &enumMembers{}
}

func eachMember(c *py.Class, yield func(py.Value) bool) {
	for _, v := range membersOf(c).order {
		if !yield(v) {
			return
		}
	}
}

func contains(vs []py.Value, v py.Value) bool {
	for _, x := range vs {
		if py.Same(x, v) {
			return true
		}
	}
	return false
}

// createEnum turns the plain attributes of a new class into members.
func createEnum(th *py.Thread, c *py.Class, names *py.Dict) py.Value {
	members := &enumMembers{byName: map[string]py.Value{}}
	c.Host = members
	last := int64(0)
	names.Items(func(k, v py.Value) bool {
		name, _ := k.AsString()
		if !EnumMember(c.Name, name, v) {
			return true
		}
		if _, ok := v.Object().(enumAuto); ok {
			v = py.Int(last + 1)
		}
		if n, ok := v.AsInt(); ok {
			last = n
		}
		m := members.member(th, c, name, v)
		members.byName[name] = m
		c.Set(name, m)
		return true
	})
	return py.Obj(c)
}

// EnumMember reports whether an attribute of an enumeration is a member: methods, properties, nested classes, and names
// such as _x_, __x__ and, in class C, __x are not.
func EnumMember(class, name string, v py.Value) bool {
	return !py.IsMethod(v) && (!strings.HasPrefix(name, "_") || !strings.HasSuffix(name, "_") && !strings.HasPrefix(name, "_"+strings.TrimLeft(class, "_")+"__"))
}

// member finds the member of a value, or makes it.
func (e *enumMembers) member(th *py.Thread, c *py.Class, name string, v py.Value) py.Value {
	for i, known := range e.values {
		if th.Equal(known, v) {
			return e.order[i]
		}
	}
	m := py.NewInstance(c)
	m.Set("name", py.String(name))
	m.Set("value", v)
	e.order, e.values = append(e.order, py.Obj(m)), append(e.values, v)
	return py.Obj(m)
}

// enumByValue is Colour(1).
func enumByValue(th *py.Thread, c *py.Class, args []py.Value, kws []py.Kw) py.Value {
	if len(args)+len(kws) > 1 && c.Host == nil {
		return NewEnum(th, c, args, kws)
	}
	var v py.Value
	th.Unpack(c.Name, args, kws, "value", &v)
	e := membersOf(c)
	for i, known := range e.values {
		if py.Same(e.order[i], v) || th.Equal(known, v) {
			return e.order[i]
		}
	}
	th.Raise(py.ValueError, "%s is not a valid %s", th.Repr(v), c.Name)
	return py.Value{}
}

// enumByName is Colour["RED"].
func enumByName(th *py.Thread, c *py.Class, k py.Value) py.Value {
	name, _ := k.AsString()
	m, ok := membersOf(c).byName[name]
	if !ok {
		th.RaiseKey(k)
	}
	return m
}

// NewEnum is Enum("Colour", names): a subclass of an enumeration without members. The names are text with spaces or commas, a
// list of names or of pairs with values, or a dict; names alone count from start.
func NewEnum(th *py.Thread, base *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var name string
	var names py.Value
	module, qualname, start := py.None, py.None, py.Int(1)
	th.Unpack(base.Name, args, kws, "value", &name, "names", &names, "module?", &module, "qualname?", &qualname, "start?", &start)
	return th.NewType(name, []py.Value{py.Obj(base)}, enumNames(th, names, start))
}

func enumNames(th *py.Thread, names, next py.Value) *py.Dict {
	if d, ok := names.Object().(*py.Dict); ok {
		return th.CopyDict(d)
	}
	items := enumItems(th, names)
	d := py.NewDict()
	for _, item := range items {
		if _, ok := item.AsString(); ok {
			th.SetKey(d, item, next)
			next = th.Binary(pysyntax.Add, next, py.Int(1))
			continue
		}
		pair := th.Collect(item)
		if len(pair) != 2 {
			th.Raise(py.ValueError, "a member of an enumeration is a name, or a name and a value")
		}
		th.SetKey(d, pair[0], pair[1])
	}
	return d
}

func enumItems(th *py.Thread, names py.Value) []py.Value {
	text, ok := names.AsString()
	if !ok {
		return th.Collect(names)
	}
	var items []py.Value
	for name := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
		items = append(items, py.String(name))
	}
	return items
}
