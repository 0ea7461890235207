package country

import (
	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/stdlib"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// member is a member of an enumeration. There is one object per member, so that "is" works.
type member struct {
	class *py.Class
	enum  *legislation.Enum
	index int16
	value py.Value
	text  py.Value // its name
}

// Type implements pyeval.Object.
func (m *member) Type() *py.Class { return m.class }

// EnumMember implements legislation.EnumMember.
func (m *member) EnumMember() (*vector.Domain, int) { return m.enum.Domain, int(m.index) }

func (m *member) name() string { return m.enum.Domain.Members[m.index] }

// Attr implements pyeval.Attrer.
func (m *member) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "index":
		return py.Int(int64(m.index)), true
	case "name":
		return m.text, true
	case "value":
		return m.value, true
	}
	return py.Value{}, false
}

// Repr implements pyeval.Reprer.
func (m *member) Repr(*py.Thread) string { return m.class.Name + "." + m.name() }

// Compare implements pyeval.Comparer. Comparing with an array compares every element; there enumerations of one name are the
// same, because OpenFisca-Core loads the files of variables apart from the modules that they are imported as.
func (m *member) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	if op != pysyntax.Eq && op != pysyntax.NotEq {
		return py.Value{}, false
	}
	if c, ok := other.Column(); ok && c.IsArray() {
		return m.compareColumn(th, op, c), true
	}
	same := other.Object() == py.Object(m)
	return py.Bool(same == (op == pysyntax.Eq)), true
}

func (m *member) compareColumn(th *py.Thread, op pysyntax.CompareOp, c vector.Column) py.Value {
	how := vector.Equal
	if op == pysyntax.NotEq {
		how = vector.NotEqual
	}
	var result vector.Column
	var err error
	switch c.Type() {
	case vector.Enum:
		if c.Domain() != m.enum.Domain && c.Domain().Name != m.enum.Domain.Name {
			return py.Col(vector.Const(c.Len(), op == pysyntax.NotEq))
		}
		result, err = th.Rules().Binary(how, c, vector.EnumConst(1, c.Domain(), m.index).As(vector.NumpyScalar))
	case vector.Object:
		if same, ok := m.among(c); ok {
			if how == vector.Equal {
				return py.Col(same)
			}
			result, err = th.Rules().Unary(vector.LogicalNot, same)
			break
		}
		result, err = th.Rules().Binary(how, c, vector.PyObject(m))
	default:
		return py.Col(vector.Const(c.Len(), op == pysyntax.NotEq))
	}
	if err != nil {
		th.Throw(err)
	}
	return py.Col(result)
}

// among returns which elements of an array are the member, if all of them are members.
func (m *member) among(c vector.Column) (vector.Column, bool) {
	if c.Taped() {
		if _, ok := m.among(c.Plain()); !ok {
			return m.among(c.Looked())
		}
		out, err := vector.Record(m, m.amongOf, nil, c)
		return out, err == nil
	}
	if c.Constant() && c.Len() > 0 {
		x, ok := c.Object(0).(*member)
		return vector.Const(c.Len(), x == m), ok
	}
	out := make([]bool, c.Len())
	for i := range out {
		x, ok := c.Object(i).(*member)
		if !ok {
			return vector.Column{}, false
		}
		out[i] = x == m
	}
	return vector.Of(out), true
}

// amongOf is among as it is recorded.
func (m *member) amongOf(_ *vector.Rules, in []vector.Column) (vector.Column, error) {
	if out, ok := m.among(in[0]); ok {
		return out, nil
	}
	return vector.Column{}, errNoMember
}

// enumeration is what an enumeration's class keeps.
type enumeration struct {
	enum    *legislation.Enum
	members []*member
	byName  map[string]*member // aliases included
}

func enumerationOf(c *py.Class) *enumeration {
	e, _ := c.Host.(*enumeration)
	return e
}

// newEnumClass makes class Enum, whose subclasses turn their attributes into members.
func newEnumClass(lenient bool) *py.Class {
	c := py.NewClass("Enum", nil)
	c.Module = "openfisca_core.indexed_enums"
	c.Meta = &py.Metaclass{
		Created: func(th *py.Thread, class *py.Class, names *py.Dict) py.Value {
			made := createEnum(th, class, names)
			enumerationOf(class).enum.Lenient = lenient
			return made
		},
		Attr: enumAttr, Call: enumByValue, Item: enumByName,
		Each: func(_ *py.Thread, class *py.Class, yield func(py.Value) bool) {
			for _, m := range membersOf(class) {
				if !yield(py.Obj(m)) {
					return
				}
			}
		},
		Len: func(_ *py.Thread, class *py.Class) int { return len(membersOf(class)) },
		Contains: func(_ *py.Thread, class *py.Class, v py.Value) bool {
			m, ok := v.Object().(*member)
			return ok && m.class == class
		},
	}
	return c
}

func membersOf(class *py.Class) []*member {
	if e := enumerationOf(class); e != nil {
		return e.members
	}
	return nil
}

// createEnum makes members of the attributes, in the order they were written. An attribute whose
// value a member has already is another name of that member.
func createEnum(th *py.Thread, class *py.Class, names *py.Dict) py.Value {
	e := &enumeration{byName: map[string]*member{}}
	var order, labels []string
	names.Items(func(k, v py.Value) bool {
		name, _ := k.AsString()
		if !stdlib.EnumMember(class.Name, name, v) {
			return true
		}
		for _, m := range e.members {
			if equal(th, m.value, v) {
				e.byName[name] = m
				return true
			}
		}
		m := &member{class: class, index: int16(len(e.members)), value: v, text: py.String(name)}
		e.members = append(e.members, m)
		e.byName[name] = m
		order, labels = append(order, name), append(labels, th.Str(v))
		return true
	})
	e.enum = legislation.NewEnum(class.Name, order, labels, class)
	for _, m := range e.members {
		m.enum = e.enum
	}
	class.Host = e
	return py.Obj(class)
}

func enumAttr(th *py.Thread, class *py.Class, name string) (py.Value, bool) {
	e := enumerationOf(class)
	if e == nil {
		return py.Value{}, false
	}
	if m, ok := e.byName[name]; ok {
		return py.Obj(m), true
	}
	switch name {
	case "encode":
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var v py.Value
			th.Unpack(name, args, kws, "array", &v)
			return py.Col(encode(th, e.enum, v))
		}), true
	case "names":
		return stringArray(e.enum.Domain.Members), true
	case "__members__", "_member_map_":
		d := py.NewDict()
		for _, m := range e.members {
			d.Set(py.String(m.name()), py.Obj(m))
		}
		return py.Obj(d), true
	case "_member_names_":
		names := make([]py.Value, len(e.members))
		for i, m := range e.members {
			names[i] = m.text
		}
		return py.Obj(py.NewList(names)), true
	}
	return py.Value{}, false
}

func stringArray(texts []string) py.Value {
	return py.Col(vector.Strs(append([]string(nil), texts...)))
}

// encode makes an enum column of a list or an array of names, indexes or members.
func encode(th *py.Thread, e *legislation.Enum, v py.Value) vector.Column {
	c, err := e.Encode(toColumn(th, v), th.Rules())
	if err != nil {
		throw(th, err)
	}
	return c
}

// enumByValue is Class(value), or Enum("Class", names).
func enumByValue(th *py.Thread, class *py.Class, args []py.Value, kws []py.Kw) py.Value {
	if len(args)+len(kws) > 1 && len(membersOf(class)) == 0 {
		return stdlib.NewEnum(th, class, args, kws)
	}
	var v py.Value
	th.Unpack(class.Name, args, kws, "value", &v)
	for _, m := range membersOf(class) {
		if v.Object() == py.Object(m) || equal(th, m.value, v) {
			return py.Obj(m)
		}
	}
	th.Raise(py.ValueError, "%s is not a valid %s", th.Repr(v), class.Name)
	return py.Value{}
}

// enumByName is Class["name"].
func enumByName(th *py.Thread, class *py.Class, key py.Value) py.Value {
	name, ok := key.AsString()
	if e := enumerationOf(class); ok && e != nil {
		if m, found := e.byName[name]; found {
			return py.Obj(m)
		}
	}
	th.Raise(py.KeyError, "%s", name)
	return py.Value{}
}

func equal(th *py.Thread, a, b py.Value) bool { return th.Truth(th.Compare(pysyntax.Eq, a, b)) }

// makeEnumArray is EnumArray(codes, possible_values).
func makeEnumArray(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var codes, enum py.Value
	th.Unpack("EnumArray", args, kws, "input_array", &codes, "possible_values", &enum)
	class, ok := enum.Object().(*py.Class)
	if !ok || enumerationOf(class) == nil {
		th.Raise(py.TypeError, "EnumArray: possible_values is an Enum, not %s", py.TypeName(enum))
	}
	return py.Col(encode(th, enumerationOf(class).enum, codes))
}
