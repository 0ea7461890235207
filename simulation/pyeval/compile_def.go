package pyeval

// This file compiles function and class statements.

import (
	"slices"
	"strings"

	"edict/simulation/pysyntax"
)

func (c *compiler) def(n *pysyntax.FunctionDef) exec {
	decorators := c.exprList(n.Decorators)
	fn := c.functionDef(n)
	set, at := c.store(n.Name), n.Pos
	return func(fr *Frame) ctl {
		fr.pos = at
		set(fr, decorate(fr, decorators, func() Value { return fn(fr) }))
		return ctlNext
	}
}

func (c *compiler) functionDef(n *pysyntax.FunctionDef) eval {
	if n.Late() && c.outermost() {
		return c.lateFunction(n)
	}
	body := n.Statements()
	return c.function(n, n.Name, n.Params, func(sub *compiler) exec { return sub.block(body) }, body, nil)
}

// decorate evaluates decorators before the thing, and applies them after, the last first.
func decorate(fr *Frame, decorators []eval, thing func() Value) Value {
	if len(decorators) == 0 {
		return thing()
	}
	ds := evalAll(fr, decorators)
	v := thing()
	for _, d := range slices.Backward(ds) {
		v = fr.th.InvokeKw(d, []Value{v}, nil)
	}
	return v
}

func (c *compiler) class(n *pysyntax.ClassDef) exec {
	c.classKeywords(n)
	decorators, bases := c.exprList(n.Decorators), c.items(n.Bases)
	body, capture := c.classBody(n)
	set, at, module := c.store(n.Name), n.Pos, c.module.Name
	name := n.Name
	return func(fr *Frame) ctl {
		fr.pos = at
		set(fr, decorate(fr, decorators, func() Value {
			bs := bases(fr)
			ns := NewDict()
			ns.Set(String("__module__"), String(module))
			ns.Set(String("__qualname__"), String(name))
			cell := &classCell{}
			fr.th.runClassBody(body, ns, capture(fr), cell)
			return fr.th.newClass(name, bs, ns, module, cell)
		}))
		return ctlNext
	}
}

// classKeywords takes the metaclasses that change nothing here, and refuses other keywords.
func (c *compiler) classKeywords(n *pysyntax.ClassDef) {
	for _, k := range n.Keywords {
		last := ""
		switch v := k.Value.(type) {
		case *pysyntax.Name:
			last = v.ID
		case *pysyntax.Attribute:
			last = v.Attr
		}
		if k.Name != "metaclass" || last != "ABCMeta" && last != "type" {
			c.fail(k, "%s= is not supported in a class statement", k.Name)
		}
	}
}

func (c *compiler) classBody(n *pysyntax.ClassDef) (*code, func(fr *Frame) []*cell) {
	s := &scope{kind: classScope, parent: c.scope, slots: map[string]int{}, cells: map[int]bool{}, class: n.Name}
	s.fn = s
	b := bindings(n.Body)
	s.globals, s.outer = b.globals, b.outers
	for _, name := range b.bound {
		s.slots[mangle(n.Name, name)] = -1
	}
	sub := &compiler{prog: c.prog, module: c.module, scope: s}
	k := &code{name: n.Name, module: c.module, at: n.Pos}
	body := sub.block(n.Body)
	k.body = body
	if doc, ok := docstring(n.Body); ok {
		k.body = func(fr *Frame) ctl {
			fr.ns.Set(String("__doc__"), doc)
			return body(fr)
		}
	}
	k.slots, k.cellLocals, k.frees = s.n, s.cellSlots(0), s.frees
	return k, c.captures(s.frees)
}

func (th *Thread) runClassBody(c *code, ns *Dict, frees []*cell, class *classCell) {
	slots := make([]Value, c.slots)
	for i := range slots {
		slots[i] = unbound
	}
	for _, i := range c.cellLocals {
		slots[i] = Value{o: &cell{v: unbound}}
	}
	fr := &Frame{th: th, code: c, slots: slots, frees: frees, ns: ns, class: class, parent: th.top, pos: c.at}
	if th.depth >= th.limits.Depth {
		th.tooDeep()
	}
	th.depth++
	th.top = fr
	c.body(fr)
	th.top = fr.parent
	th.depth--
}

func (c *compiler) imports(n *pysyntax.Import) exec {
	type one struct {
		name string
		set  assign
		as   bool
	}
	list := make([]one, len(n.Names))
	for i, a := range n.Names {
		list[i] = one{a.Name, c.store(importedName(a)), a.As != ""}
	}
	at := n.Pos
	return func(fr *Frame) ctl {
		fr.pos = at
		for _, it := range list {
			m := fr.th.MustImport(it.name)
			if !it.as {
				top, _, _ := strings.Cut(it.name, ".")
				m = fr.th.MustImport(top)
			}
			it.set(fr, Obj(m))
		}
		return ctlNext
	}
}

func (c *compiler) importFrom(n *pysyntax.ImportFrom) exec {
	at := n.Pos
	if n.Level == 0 && n.Module == "__future__" {
		return nil
	}
	from := c.absoluteName(n)
	if len(n.Names) == 1 && n.Names[0].Name == "*" {
		if c.scope.kind != moduleScope {
			c.fail(n, "import * only allowed at module level")
		}
		into := c.module
		return func(fr *Frame) ctl {
			fr.pos = at
			fr.th.importStar(fr.th.MustImport(from), into)
			return ctlNext
		}
	}
	sets := make([]assign, len(n.Names))
	for i, a := range n.Names {
		sets[i] = c.store(aliasName(a))
	}
	names := n.Names
	return func(fr *Frame) ctl {
		fr.pos = at
		m := fr.th.MustImport(from)
		for i, a := range names {
			sets[i](fr, fr.th.importName(m, a.Name))
		}
		return ctlNext
	}
}

// absoluteName resolves the dots of a relative import.
func (c *compiler) absoluteName(n *pysyntax.ImportFrom) string {
	if n.Level == 0 {
		return n.Module
	}
	parts := strings.Split(c.module.Name, ".")
	up := n.Level
	if c.module.Package {
		up--
	}
	if up >= len(parts) {
		c.fail(n, "attempted relative import beyond top-level package")
	}
	base := strings.Join(parts[:len(parts)-up], ".")
	if n.Module == "" {
		return base
	}
	return base + "." + n.Module
}

// importName takes one name from a module, which may be a submodule not loaded yet.
func (th *Thread) importName(m *Module, name string) Value {
	if v, ok := m.Attr(th, name); ok {
		return v
	}
	full := m.Name + "." + name
	if _, ok := th.prog.aliases[full]; ok {
		return Obj(th.MustImport(full))
	}
	if _, _, _, ok := th.prog.locate(full); ok || th.prog.tables[full] != nil || th.prog.hasTableBelow(full) {
		if m.Package {
			return Obj(th.MustImport(full))
		}
	}
	why := ""
	if !m.loaded.Load() {
		why = " (most likely due to a circular import)"
	} else {
		why = hint(name, m.Names())
	}
	th.Raise(ImportError, "cannot import name '%s' from '%s'%s", name, m.Name, why)
	return Value{}
}
