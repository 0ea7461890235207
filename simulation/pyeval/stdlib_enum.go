package pyeval

import "strings"

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
		"__repr__": Func("__repr__", func(th *Thread, args []Value, _ []Kw) Value {
			m, _ := self[*Instance](th, "__repr__", args)
			return String("<" + m.class.Name + "." + attrText(m, "name") + ": " + th.Repr(attrOf(m, "value")) + ">")
		}),
		"__str__": Func("__str__", func(th *Thread, args []Value, _ []Kw) Value {
			m, _ := self[*Instance](th, "__str__", args)
			return String(m.class.Name + "." + attrText(m, "name"))
		}),
	})
	base.Module, base.Meta = "enum", meta
	return Table{
		"Enum":   Obj(base),
		"auto":   Func("auto", func(*Thread, []Value, []Kw) Value { return Obj(enumAuto{}) }),
		"unique": Func("unique", func(th *Thread, args []Value, _ []Kw) Value { return th.one("unique", args) }),
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
		if strings.HasPrefix(name, "_") || !isMember(v) {
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

// isMember leaves methods, properties and nested classes alone.
func isMember(v Value) bool {
	switch v.o.(type) {
	case *Function, *Builtin, *property, *Property, *staticMethod, *classMethod, *Class:
		return false
	}
	return true
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
