package pyeval

// This file defines what the audit knows of names and attributes, and finds those that nothing defines.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"edict/simulation/pysyntax"
)

// resolve finds what a name holds. It is not known of parameters, local variables and names that functions assign.
func (a *auditor) resolve(name string) (v Value, known bool) {
	for _, s := range slices.Backward(a.scopes) {
		if s.globals[name] {
			break
		}
		if s.bound[name] {
			v, known = s.known[name]
			return v, known
		}
	}
	g, ok := a.module.globals[name]
	if ok && !g.v.isUnbound() {
		return g.v, true
	}
	if ok && g.lazy {
		return Value{}, false
	}
	if v := a.module.starred(name); !ok && !v.isUnbound() {
		return v, true
	}
	if b, ok := builtins[name]; ok {
		return b, true
	}
	return unbound, true
}

func (a *auditor) name(n *pysyntax.Name) (v Value, known bool) {
	v, known = a.resolve(n.ID)
	switch {
	case !known:
		return v, false
	case v.isUnbound():
		if !strings.HasPrefix(n.ID, "__") {
			a.tell(n.Pos, Finding{Message: fmt.Sprintf("NameError: name '%s' is not defined%s", n.ID, hint(n.ID, a.module.Names()))})
		}
		return v, false
	}
	a.use(n.Pos, v)
	return v, true
}

// use notes that a function needs a value.
func (a *auditor) use(at pysyntax.Pos, v Value) {
	switch o := v.o.(type) {
	case absent:
		a.tell(at, Finding{Message: "NotImplementedError: " + o.refusal()})
	case *Function:
		a.calls.add(a.place(), o)
	case *Method:
		a.use(at, o.Func)
	}
}

// attribute follows a.b.c as long as it is known what that is.
func (a *auditor) attribute(n *pysyntax.Attribute) (v Value, known bool) {
	switch base := n.Value.(type) {
	case *pysyntax.Name:
		v, known = a.resolve(base.ID)
		if known && v.isUnbound() {
			return a.name(base)
		}
	case *pysyntax.Attribute:
		v, known = a.attribute(base)
	default:
		a.exprs(n.Value)
	}
	if !known {
		a.arrayAttribute(n)
		return v, false
	}
	switch v.o.(type) {
	case *Module, *Builtin, Elementwise, absent:
	case *Class:
		if !isBuiltinClass(v.o.(*Class)) {
			return Value{}, false
		}
	default:
		return Value{}, false
	}
	return a.member(n, v)
}

// isBuiltinClass tells that a class is written in Go and has the attributes that it has, whoever asks.
func isBuiltinClass(c *Class) bool {
	return c.Meta == nil && (c.Module == "builtins" || c.Module == "datetime" || c.Module == "numpy")
}

func (a *auditor) member(n *pysyntax.Attribute, of Value) (v Value, known bool) {
	v, err := a.th.Try(func() Value { return a.th.GetAttr(of, n.Attr) })
	if err != nil {
		if raised, ok := errors.AsType[*Error](err); ok && raised.Exception != nil {
			a.tell(n.Pos, Finding{Message: raised.Class + ": " + raised.Message})
		}
		return v, false
	}
	a.use(n.Pos, v)
	return v, true
}

func (a *auditor) imports(n *pysyntax.Import) {
	for _, alias := range n.Names {
		m, ok := a.load(n.Pos, alias.Name)
		if ok && alias.As == "" {
			m, ok = a.load(n.Pos, importedName(alias))
		}
		a.bindKnown(importedName(alias), Obj(m), ok)
	}
}

func (a *auditor) importFrom(n *pysyntax.ImportFrom) {
	var from string
	c := &compiler{prog: a.th.prog, module: a.module}
	if _, err := a.th.Try(func() Value { from = c.absoluteName(n); return None }); err != nil || from == "__future__" {
		return
	}
	m, ok := a.load(n.Pos, from)
	for _, alias := range n.Names {
		if alias.Name == "*" {
			continue
		}
		var v Value
		if ok {
			var err error
			if v, err = a.th.Try(func() Value { return a.th.importName(m, alias.Name) }); err != nil {
				a.failed(n.Pos, err)
				a.bindKnown(aliasName(alias), Value{}, false)
				continue
			}
		}
		a.bindKnown(aliasName(alias), v, ok)
	}
}

func (a *auditor) load(at pysyntax.Pos, name string) (*Module, bool) {
	m, err := a.th.Import(name)
	if err != nil {
		a.failed(at, err)
	}
	return m, err == nil
}

func (a *auditor) failed(at pysyntax.Pos, err error) {
	if raised, ok := errors.AsType[*Error](err); ok && raised.Exception != nil {
		a.tell(at, Finding{Message: raised.Class + ": " + raised.Message})
	}
}

func (a *auditor) bindKnown(name string, v Value, known bool) {
	s := a.scopes[len(a.scopes)-1]
	delete(s.arrays, name)
	if delete(s.known, name); known {
		s.known[name] = v
	}
}

// bind notes that names hold something that is not known.
func (a *auditor) bind(targets ...pysyntax.Expr) {
	names := &names{seen: map[string]bool{}}
	names.targets(targets...)
	for _, name := range names.bound {
		a.bindKnown(name, Value{}, false)
	}
	a.targets(targets...)
}

// callGraph tells which functions formulas may reach by the names that are known.
type callGraph struct {
	formulas []codePlace
	calls    map[codePlace][]codePlace
}

// codePlace is where a function begins.
type codePlace struct {
	module *Module
	line   int32
}

func newCallGraph() *callGraph { return &callGraph{calls: map[codePlace][]codePlace{}} }

func (g *callGraph) add(from codePlace, to *Function) {
	g.calls[from] = append(g.calls[from], codePlace{to.code.module, int32(to.code.at.Line)})
}

func (g *callGraph) fromFormulas() map[codePlace]bool {
	reached := map[codePlace]bool{}
	for next := g.formulas; len(next) > 0; next = next[1:] {
		if !reached[next[0]] {
			reached[next[0]] = true
			next = append(next, g.calls[next[0]]...)
		}
	}
	return reached
}
