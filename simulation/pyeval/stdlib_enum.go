package pyeval

import (
	"strings"

	"edict/simulation/pysyntax"
)

// Module enum: members by name and value, in the order they were written; equal values are one member.

// enumMembers is what the class of an enumeration keeps.
type enumMembers struct {
	order  []Value
	values []Value
	byName map[string]Value
}

type enumAuto struct{}

// Type implements [Object].
func (enumAuto) Type() *Class { return objectType }

func enumTable() Table {
	linkTypes()
	meta := &Metaclass{
		Created:  createEnum,
		Call:     enumByValue,
		Item:     enumByName,
		Each:     func(_ *Thread, c *Class, yield func(Value) bool) { eachMember(c, yield) },
		Len:      func(_ *Thread, c *Class) int { return len(membersOf(c).order) },
		Contains: func(_ *Thread, c *Class, v Value) bool { return contains(membersOf(c).order, v) },
	}
	base := NewClass("Enum", Table{
		"__repr__": Pure("__repr__", func(th *Thread, args []Value, _ []Kw) Value {
			m, _ := self[*Instance](th, "__repr__", args)
			return String("<" + m.class.Name + "." + attrText(m, "name") + ": " + th.Repr(attrOf(m, "value")) + ">")
		}),
		"__str__": Pure("__str__", func(th *Thread, args []Value, _ []Kw) Value {
			m, _ := self[*Instance](th, "__str__", args)
			return String(m.class.Name + "." + attrText(m, "name"))
		}),
	})
	base.Module, base.Meta = "enum", meta
	return Table{
		"Enum":   Obj(base),
		"auto":   Pure("auto", func(*Thread, []Value, []Kw) Value { return Obj(enumAuto{}) }),
		"unique": Pure("unique", func(th *Thread, args []Value, _ []Kw) Value { return th.one("unique", args) }),
	}
}

func attrOf(i *Instance, name string) Value {
	v, ok := i.Get(name)
	if !ok {
		return None
	}
	return v
}

func attrText(i *Instance, name string) string {
	s, _ := attrOf(i, name).AsString()
	return s
}

func membersOf(c *Class) *enumMembers {
	if m, ok := c.Host.(*enumMembers); ok {
		return m
	}
	return &enumMembers{}
}

func eachMember(c *Class, yield func(Value) bool) {
	for _, v := range membersOf(c).order {
		if !yield(v) {
			return
		}
	}
}

func contains(vs []Value, v Value) bool {
	for _, x := range vs {
		if same(x, v) {
			return true
		}
	}
	return false
}

// createEnum turns the plain attributes of a new class into members.
func createEnum(th *Thread, c *Class, names *Dict) Value {
	members := &enumMembers{byName: map[string]Value{}}
	c.Host = members
	last := int64(0)
	names.each(func(k, v Value) {
		name, _ := k.AsString()
		if !EnumMember(c.Name, name, v) {
			return
		}
		if _, ok := v.o.(enumAuto); ok {
			v = Int(last + 1)
		}
		if n, ok := v.AsInt(); ok {
			last = n
		}
		m := members.member(th, c, name, v)
		members.byName[name] = m
		c.Set(name, m)
	})
	return Obj(c)
}

// EnumMember reports whether an attribute of an enumeration is a member: methods, properties, nested classes, and names
// such as _x_, __x__ and, in class C, __x are not.
func EnumMember(class, name string, v Value) bool {
	switch v.o.(type) {
	case *Function, *Builtin, *property, *Property, *staticMethod, *classMethod, *Class:
		return false
	}
	return !strings.HasPrefix(name, "_") || !strings.HasSuffix(name, "_") && !strings.HasPrefix(name, "_"+strings.TrimLeft(class, "_")+"__")
}

// member finds the member of a value, or makes it.
func (e *enumMembers) member(th *Thread, c *Class, name string, v Value) Value {
	for i, known := range e.values {
		if th.equal(known, v) {
			return e.order[i]
		}
	}
	m := NewInstance(c)
	m.Set("name", String(name))
	m.Set("value", v)
	e.order, e.values = append(e.order, Obj(m)), append(e.values, v)
	return Obj(m)
}

// enumByValue is Colour(1).
func enumByValue(th *Thread, c *Class, args []Value, kws []Kw) Value {
	if len(args)+len(kws) > 1 && c.Host == nil {
		return th.NewEnum(c, args, kws)
	}
	var v Value
	th.Unpack(c.Name, args, kws, "value", &v)
	e := membersOf(c)
	for i, known := range e.values {
		if same(e.order[i], v) || th.equal(known, v) {
			return e.order[i]
		}
	}
	th.Raise(ValueError, "%s is not a valid %s", th.Repr(v), c.Name)
	return Value{}
}

// enumByName is Colour["RED"].
func enumByName(th *Thread, c *Class, k Value) Value {
	name, _ := k.AsString()
	m, ok := membersOf(c).byName[name]
	if !ok {
		th.keyError(k)
	}
	return m
}

// NewEnum is Enum("Colour", names): a subclass of an enumeration without members. The names are text with spaces or commas, a
// list of names or of pairs with values, or a dict; names alone count from start.
func (th *Thread) NewEnum(base *Class, args []Value, kws []Kw) Value {
	var name string
	var names Value
	module, qualname, start := None, None, Int(1)
	th.Unpack(base.Name, args, kws, "value", &name, "names", &names, "module?", &module, "qualname?", &qualname, "start?", &start)
	return th.newClass(name, []Value{Obj(base)}, th.enumNames(names, start), th.callerModule(), &classCell{})
}

func (th *Thread) enumNames(names, next Value) *Dict {
	if d, ok := names.o.(*Dict); ok {
		return d.copy()
	}
	items := th.enumItems(names)
	d := NewDict()
	for _, item := range items {
		if _, ok := item.AsString(); ok {
			th.SetKey(d, item, next)
			next = th.Binary(pysyntax.Add, next, Int(1))
			continue
		}
		pair := th.Collect(item)
		if len(pair) != 2 {
			th.Raise(ValueError, "a member of an enumeration is a name, or a name and a value")
		}
		th.SetKey(d, pair[0], pair[1])
	}
	return d
}

func (th *Thread) enumItems(names Value) []Value {
	text, ok := names.AsString()
	if !ok {
		return th.Collect(names)
	}
	var items []Value
	for name := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
		items = append(items, String(name))
	}
	return items
}
