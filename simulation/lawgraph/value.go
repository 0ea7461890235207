package lawgraph

import (
	"reflect"
	"slices"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// value is what an expression may stand for: alternatives, because a reader takes every branch. It has none before it is
// known to have one.
type value []atom

// atom is one of the types below.
type atom any

type (
	// constant is a literal, or what was computed of literals: a string, an int64, a float64, a bool or nil.
	constant struct {
		v  any
		at origin
	}
	// pattern is a text of which parts are not known; they are stars.
	pattern struct {
		text string
		at   origin
	}
	// sequence is a list, a tuple, a set or what a generator gives.
	sequence struct{ items []value }
	// mapping is a dict.
	mapping struct{ entries []entry }
	// population is the first argument of a formula, or a projection of it.
	population struct{}
	// simulation and system are what a population belongs to.
	simulation struct{}
	system     struct{}
	// law is the third argument of a formula.
	law struct{}
	// item is a part of the parameters, under the path that leads to it, which need not be its name; rows says that it is one of
	// several, by row.
	item struct {
		legislation.ParameterItem
		path string
		rows bool
	}
	// closure is a function that a reader can follow.
	closure struct {
		name   string
		params *pysyntax.Params
		body   []pysyntax.Stmt
		result pysyntax.Expr // of a lambda
		file   *File
		line   int32
		module *py.Function // whose module it is of
		around *frame       // that it was made in, nil for those of modules
		first  []value      // arguments that it was given beforehand
	}
	// native is an object of the package: a module, a class, a function that cannot be followed.
	native struct{ py.Object }
	// method is an attribute that will be called.
	method struct {
		of   atom
		name string
	}
	// moduleNames is globals().
	moduleNames struct{ of *py.Function }
	// opaque is everything else: columns, periods, numbers that depend on them.
	opaque struct{}
)

// entry is one of a mapping.
type entry struct {
	key   any // of a constant; nil as well for a key that is not known
	value value
}

// origin is where a literal stands.
type origin struct {
	file *File
	pos  pysyntax.Pos
}

var unknown = value{opaque{}}

func only(a atom) value { return value{a} }

// maxAlternatives bounds those of a value; with more it is not known.
const maxAlternatives = 2000

// join is what is one of two values.
func join(a, b value) value {
	if len(a) == 0 {
		return b
	}
	out := slices.Clip(a)
	for _, x := range b {
		if !slices.ContainsFunc(out, func(y atom) bool { return same(x, y) }) {
			out = append(out, x)
		}
	}
	if len(out) > maxAlternatives {
		return unknown
	}
	return out
}

func joinAll(values []value) value {
	if len(values) == 0 {
		return unknown
	}
	var out value
	for _, v := range values {
		out = join(out, v)
	}
	return out
}

// same compares atoms: those that hold parts by address.
func same(a, b atom) bool {
	switch x := a.(type) {
	case method:
		y, ok := b.(method)
		return ok && x.name == y.name && same(x.of, y.of)
	case native:
		y, ok := b.(native)
		return ok && reflect.TypeOf(x.Object).Comparable() && x.Object == y.Object
	}
	if _, other := b.(native); other {
		return false
	}
	if _, other := b.(method); other {
		return false
	}
	return a == b
}

// maxItems bounds the tables of modules that are looked into.
const maxItems = 2000

// convert is a value of the package's modules.
func (r *reader) convert(v py.Value) value {
	if v.IsNone() {
		return only(constant{v: nil})
	}
	if v.IsPy() {
		return scalar(v)
	}
	switch o := v.Object().(type) {
	case nil:
		return unknown
	case py.Str:
		return only(constant{v: string(o)})
	case *py.List:
		return r.convertAll(o.Items())
	case *py.Tuple:
		return r.convertAll(o.Items())
	case *py.Set:
		return r.convertAll(o.Items())
	case *py.Dict:
		return r.convertDict(o)
	case *py.Function:
		return r.function(o)
	case *py.Method:
		return r.convert(o.Func)
	default:
		return only(native{o})
	}
}

func scalar(v py.Value) value {
	c, _ := v.Column()
	switch c.Type().String() {
	case "bool":
		return only(constant{v: c.Bool(0)})
	case "int64":
		return only(constant{v: c.Int(0)})
	}
	return unknown
}

func (r *reader) convertAll(items []py.Value) value {
	if len(items) > maxItems {
		return unknown
	}
	r.step(len(items))
	s := &sequence{items: make([]value, len(items))}
	for i, v := range items {
		s.items[i] = r.convert(v)
	}
	return only(s)
}

func (r *reader) convertDict(d *py.Dict) value {
	if d.Len() > maxItems {
		return unknown
	}
	r.step(d.Len())
	m := &mapping{}
	d.Items(func(k, v py.Value) bool {
		m.set(r.convert(k), r.convert(v))
		return true
	})
	return only(m)
}

// function is a function of a module as one that can be followed, if its text is there.
func (r *reader) function(fn *py.Function) value {
	file, line := fn.Where()
	f, b, ok := r.sources.Find(legislation.Source{File: file, Line: line})
	def, isFunction := b.Stmt.(*pysyntax.FunctionDef)
	if !ok || !isFunction || def.Name != fn.Name() {
		return only(native{fn})
	}
	return only(&closure{name: def.Name, params: def.Params, body: def.Body, file: f, line: def.Line, module: fn})
}

// set adds an entry.
func (m *mapping) set(key, v value) {
	for _, k := range key {
		c, known := k.(constant)
		if !known {
			c.v = nil
		}
		i := slices.IndexFunc(m.entries, func(e entry) bool { return e.key == c.v })
		if i < 0 {
			m.entries = append(m.entries, entry{c.v, v})
		} else {
			m.entries[i].value = join(m.entries[i].value, v)
		}
	}
}

// get is the value of a key, of any if the key is not known.
func (m *mapping) get(key atom) value {
	var out value
	c, known := key.(constant)
	for _, e := range m.entries {
		if !known || e.key == nil || e.key == c.v {
			out = join(out, e.value)
		}
	}
	return out
}

// items are the elements that a loop over a value goes through.
func (r *reader) items(v value) []value {
	var out []value
	for _, a := range v {
		switch a := a.(type) {
		case *sequence:
			out = append(out, a.items...)
		case *mapping:
			for _, e := range a.entries {
				out = append(out, only(constant{v: e.key}))
			}
		case item:
			out = append(out, r.childNames(a)...)
		case native:
			out = append(out, r.elements(a)...)
		default:
			out = append(out, unknown)
		}
	}
	r.step(len(out))
	return out
}

// elements are the members of an enumeration.
func (r *reader) elements(a native) []value {
	class, ok := a.Object.(*py.Class)
	if !ok || len(class.Members()) == 0 {
		return []value{unknown}
	}
	var out []value
	for _, m := range class.Members() {
		out = append(out, r.convert(m))
	}
	return out
}

func (r *reader) childNames(a item) []value {
	node, ok := a.ParameterItem.(*legislation.ParameterNode)
	if !ok {
		return []value{unknown}
	}
	var out []value
	for name := range node.Children.All() {
		out = append(out, only(constant{v: name}))
	}
	return out
}
