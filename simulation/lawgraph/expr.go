package lawgraph

import (
	"strconv"
	"strings"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// expr reads an expression.
func (r *reader) expr(f *frame, e pysyntax.Expr) value {
	r.step(1)
	switch e := e.(type) {
	case nil:
		return unknown
	case *pysyntax.Constant:
		return only(constant{v: e.Value, at: origin{f.of.file, e.Pos}})
	case *pysyntax.Name:
		return r.lookup(f, e.ID)
	case *pysyntax.Attribute:
		return r.attribute(f, r.expr(f, e.Value), e.Attr, e)
	case *pysyntax.Call:
		return r.callExpr(f, e)
	case *pysyntax.Subscript:
		return r.index(f, r.expr(f, e.Value), r.expr(f, e.Index), e)
	case *pysyntax.Binary:
		return r.operate(f, e.Op, r.expr(f, e.Left), r.expr(f, e.Right), e.Pos)
	case *pysyntax.Compare:
		return r.compare(f, e)
	case *pysyntax.Unary:
		return r.unary(f, e)
	case *pysyntax.Bool:
		return r.either(f, e.Values...)
	case *pysyntax.IfExp:
		return r.ifElse(f, e)
	case *pysyntax.List:
		return r.display(f, e.Elts)
	case *pysyntax.Tuple:
		return r.display(f, e.Elts)
	case *pysyntax.Set:
		return r.display(f, e.Elts)
	case *pysyntax.Dict:
		return r.dict(f, e)
	case *pysyntax.Comp:
		return r.comprehension(f, e)
	case *pysyntax.FString:
		return r.fstring(f, e)
	case *pysyntax.Lambda:
		return only(&closure{name: "lambda", params: e.Params, result: e.Body, file: f.of.file, line: e.Line, module: f.of.module, around: f})
	case *pysyntax.Walrus:
		v := r.expr(f, e.Value)
		f.env[e.Target.ID] = v
		return v
	case *pysyntax.Starred:
		return joinAll(r.items(r.expr(f, e.Value)))
	case *pysyntax.Yield:
		f.yield(r.expr(f, e.Value))
	case *pysyntax.YieldFrom:
		for _, v := range r.items(r.expr(f, e.Value)) {
			f.yield(v)
		}
	case *pysyntax.Slice:
		r.expr(f, e.Lower)
		r.expr(f, e.Upper)
		r.expr(f, e.Step)
	}
	return unknown
}

func (f *frame) yield(v value) {
	if f.yields == nil {
		f.yields = &sequence{}
	}
	f.yields.items = append(f.yields.items, v)
}

func (r *reader) either(f *frame, es ...pysyntax.Expr) value {
	var out value
	for _, e := range es {
		out = join(out, r.expr(f, e))
	}
	return out
}

func (r *reader) ifElse(f *frame, e *pysyntax.IfExp) value {
	switch truth(r.expr(f, e.Test)) {
	case yes:
		return r.expr(f, e.Body)
	case no:
		return r.expr(f, e.Else)
	}
	return r.either(f, e.Body, e.Else)
}

func (r *reader) unary(f *frame, e *pysyntax.Unary) value {
	v := r.expr(f, e.Operand)
	r.whole(f, v, e.Operand)
	switch e.Op {
	case pysyntax.Not:
		if t := truth(v); t != perhaps {
			return only(constant{v: t == no})
		}
	case pysyntax.USub:
		if c, ok := one[int64](v); ok {
			return only(constant{v: -c})
		}
	}
	return unknown
}

// display is [a, *b, c] and its like.
func (r *reader) display(f *frame, es []pysyntax.Expr) value {
	s := &sequence{}
	for _, e := range es {
		if star, ok := e.(*pysyntax.Starred); ok {
			s.items = append(s.items, r.items(r.expr(f, star.Value))...)
		} else {
			s.items = append(s.items, r.expr(f, e))
		}
	}
	return only(s)
}

func (r *reader) dict(f *frame, e *pysyntax.Dict) value {
	m := &mapping{}
	for _, it := range e.Items {
		v := r.expr(f, it.Value)
		if it.Key != nil {
			m.set(r.expr(f, it.Key), v)
			continue
		}
		for _, a := range v {
			if other, ok := a.(*mapping); ok {
				m.entries = append(m.entries, other.entries...)
			}
		}
	}
	return only(m)
}

// comprehension reads its element once for every element it goes through, in a scope of its own.
func (r *reader) comprehension(f *frame, e *pysyntax.Comp) value {
	inner := &frame{of: f.of, around: f, env: map[string]value{}, site: f.site}
	s, m := &sequence{}, &mapping{}
	var turn func(loops []pysyntax.CompFor)
	turn = func(loops []pysyntax.CompFor) {
		if len(loops) == 0 {
			if v := r.expr(inner, e.Elt); e.Kind == pysyntax.DictComp {
				m.set(v, r.expr(inner, e.Value))
			} else {
				s.items = append(s.items, v)
			}
			return
		}
		items := r.items(r.expr(inner, loops[0].Iter))
		if len(items) > maxLoop {
			items = []value{joinAll(items)}
		}
		for _, v := range items {
			r.assign(inner, loops[0].Target, v)
			if r.passes(inner, loops[0].Ifs) {
				turn(loops[1:])
			}
		}
	}
	turn(e.For)
	if e.Kind == pysyntax.DictComp {
		return only(m)
	}
	return only(s)
}

// passes reports whether an element may pass the conditions of a comprehension.
func (r *reader) passes(f *frame, conditions []pysyntax.Expr) bool {
	for _, c := range conditions {
		if truth(r.expr(f, c)) == no {
			return false
		}
	}
	return true
}

// attribute is v.name; at is the expression, whose last word is the name.
func (r *reader) attribute(f *frame, v value, name string, at pysyntax.Node) value {
	var out value
	for _, a := range v {
		out = join(out, r.attributeOf(f, a, name, at))
	}
	if len(out) == 0 {
		return unknown
	}
	return out
}

func (r *reader) attributeOf(f *frame, a atom, name string, at pysyntax.Node) value {
	switch a := a.(type) {
	case population:
		switch {
		case name == "members" || r.projects[name]:
			return only(population{})
		case name == "simulation":
			return only(simulation{})
		}
		return only(method{a, name})
	case simulation:
		switch {
		case name == "tax_benefit_system":
			return only(system{})
		case r.projects[name]:
			return only(population{})
		}
		return only(method{a, name})
	case system:
		if name == "parameters" {
			return only(law{})
		}
		return only(method{a, name})
	case law:
		return r.child(f, item{ParameterItem: r.system.Parameters().Root}, name, at)
	case item:
		return r.child(f, a, name, at)
	case native:
		return r.member(a, name)
	case constant, *sequence, *mapping:
		return only(method{a, name})
	}
	return unknown
}

// member is an attribute of a module, a class or a member of an enumeration.
func (r *reader) member(a native, name string) value {
	switch o := a.Object.(type) {
	case *py.Module:
		if v, ok := o.Get(name); ok {
			return r.convert(v)
		}
		return r.module(o.Name + "." + name)
	case *py.Class:
		if v, ok := o.Member(name); ok {
			return r.convert(v)
		}
	case legislation.EnumMember:
		if domain, i := o.EnumMember(); name == "name" {
			return only(constant{v: domain.Members[i]})
		}
	}
	return unknown
}

// index is v[key].
func (r *reader) index(f *frame, v, key value, at *pysyntax.Subscript) value {
	var out value
	for _, a := range v {
		for _, k := range key {
			out = join(out, r.indexOf(f, a, k, at))
		}
	}
	if len(out) == 0 {
		return unknown
	}
	return out
}

func (r *reader) indexOf(f *frame, a, key atom, at *pysyntax.Subscript) value {
	if n, ok := key.(native); ok {
		if member, ok := n.Object.(legislation.EnumMember); ok {
			domain, i := member.EnumMember()
			key = constant{v: domain.Members[i]}
		}
	}
	switch a := a.(type) {
	case item:
		switch k := key.(type) {
		case constant:
			if name, ok := keyText(k); ok {
				return r.child(f, a, name, at)
			}
		}
		return r.rows(f, a, at.Value)
	case *sequence:
		if c, ok := key.(constant); ok {
			if i, isInt := c.v.(int64); isInt {
				return nth(a, i)
			}
		}
		if _, slice := at.Index.(*pysyntax.Slice); slice {
			return only(&sequence{items: a.items})
		}
		return joinAll(a.items)
	case *mapping:
		return a.get(key)
	case moduleNames:
		if c, ok := key.(constant); ok {
			name, _ := c.v.(string)
			if v, ok := a.of.Global(name); ok {
				return r.convert(v)
			}
		}
	case method: // simulation.populations["household"]
		if _, ok := a.of.(simulation); ok && a.name == "populations" {
			return only(population{})
		}
	}
	return unknown
}

func nth(s *sequence, i int64) value {
	if i < 0 {
		i += int64(len(s.items))
	}
	if i < 0 || i >= int64(len(s.items)) {
		return unknown
	}
	return s.items[i]
}

// keyText is a constant as the name of a child.
func keyText(c constant) (string, bool) {
	switch v := c.v.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	}
	return "", false
}

// child is a child of a node; a leaf or scale is read.
func (r *reader) child(f *frame, a item, name string, at pysyntax.Node) value {
	node, ok := a.ParameterItem.(*legislation.ParameterNode)
	if !ok {
		return only(method{a, name})
	}
	child, ok := node.Children.Get(name)
	switch {
	case !ok && strings.HasPrefix(name, "_"), a.rows && !ok:
		r.parameter(f, a, at)
		return unknown
	case !ok:
		return only(method{a, name})
	}
	below := item{child, below(a.path, name), a.rows}
	if _, inner := child.(*legislation.ParameterNode); !inner && !a.rows {
		r.parameter(f, below, at)
	}
	return only(below)
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// rows is a node indexed with a column: any of its children.
func (r *reader) rows(f *frame, a item, at pysyntax.Expr) value {
	node, ok := a.ParameterItem.(*legislation.ParameterNode)
	if !ok {
		return unknown
	}
	if !a.rows {
		r.parameter(f, a, at)
	}
	var out value
	for name, child := range node.Children.All() {
		if len(out) == maxRows {
			break
		}
		out = append(out, item{child, below(a.path, name), true})
	}
	return out
}

// maxRows bounds the children of an indexed node that are followed: they are alike.
const maxRows = 50

// whole notes the nodes of parameters that are handed to something that cannot be followed.
func (r *reader) whole(f *frame, v value, at pysyntax.Node) {
	for _, a := range v {
		if it, ok := a.(item); ok && !it.rows {
			if _, node := it.ParameterItem.(*legislation.ParameterNode); node {
				r.parameter(f, it, at)
			}
		}
	}
}
