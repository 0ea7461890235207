package pyeval

// This file compiles names: their reading, their writing and their deletion, by the place that scope.go gave them.

import "edict/simulation/pysyntax"

// load compiles the reading of a name.
func (c *compiler) load(name string) eval {
	name = mangle(c.scope.class, name)
	v := c.scope.lookup(name)
	switch v.kind {
	case varSlot:
		i := v.slot
		return func(fr *Frame) Value {
			if x := fr.slots[i]; !x.isUnbound() {
				return x
			}
			return fr.unboundLocal(name)
		}
	case varCell:
		i := v.slot
		return func(fr *Frame) Value {
			if x := fr.slots[i].o.(*cell).v; !x.isUnbound() {
				return x
			}
			return fr.unboundLocal(name)
		}
	case varFree:
		i := v.slot
		return func(fr *Frame) Value {
			if x := fr.frees[i].v; !x.isUnbound() {
				return x
			}
			fr.th.Raise(NameError, "cannot access free variable '%s' where it is not associated with a value in enclosing scope", name)
			return Value{}
		}
	case varClass:
		global := c.loadGlobal(name)
		k := key{kind: 's', s: name}
		return func(fr *Frame) Value {
			if x, ok := fr.ns.get(k); ok {
				return x
			}
			return global(fr)
		}
	}
	return c.loadGlobal(name)
}

func (fr *Frame) unboundLocal(name string) Value {
	fr.th.Raise(UnboundLocalError, "cannot access local variable '%s' where it is not associated with a value", name)
	return Value{}
}

func (c *compiler) loadGlobal(name string) eval {
	g := c.slot(name)
	otherwise := &builtinName{name: name, module: c.module}
	otherwise.value, otherwise.is = builtins[name]
	return func(fr *Frame) Value {
		x := g.v
		if g.lazy || fr.th.memos != nil {
			x = g.load(fr.th)
		}
		if x.isUnbound() {
			return otherwise.get(fr)
		}
		return x
	}
}

// builtinName is a name that a module does not have. It lies apart from the code that looks for it in the module, which has to be small.
type builtinName struct {
	name   string
	value  Value
	is     bool // there is one of that name
	module *Module
}

func (n *builtinName) get(fr *Frame) Value {
	if !n.is {
		fr.noName(n.module, n.name)
	}
	return n.value
}

// noName raises NameError with the nearest name in sight.
func (fr *Frame) noName(m *Module, name string) {
	known := m.Names()
	for n := range builtins {
		known = append(known, n)
	}
	if fr.code != nil {
		known = append(append(known, fr.code.params...), fr.code.frees...)
	}
	fr.th.Raise(NameError, "name '%s' is not defined%s", name, hint(name, known))
}

// assign puts a value where a target says.
type assign func(fr *Frame, v Value)

// store compiles the writing of a name.
func (c *compiler) store(name string) assign {
	name = mangle(c.scope.class, name)
	v := c.scope.lookupStore(name)
	i := v.slot
	switch v.kind {
	case varSlot:
		return func(fr *Frame, x Value) { fr.slots[i] = x }
	case varCell:
		return func(fr *Frame, x Value) { fr.slots[i].o.(*cell).v = x }
	case varFree:
		return func(fr *Frame, x Value) {
			cl := fr.frees[i]
			fr.th.mayChange(cl.frozen, x)
			cl.v = x
		}
	case varClass:
		k, kv := key{kind: 's', s: name}, String(name)
		return func(fr *Frame, x Value) {
			if x.isUnbound() {
				fr.ns.remove(k)
				return
			}
			fr.ns.put(k, kv, x)
		}
	}
	g := c.slot(name)
	if c.scope.fn.kind == functionScope {
		g.lazy = true
	}
	return func(fr *Frame, x Value) { g.store(fr.th, x) }
}

// lookupStore resolves a name that is written here: := inside a comprehension writes in the function
// around it.
func (s *scope) lookupStore(name string) variable {
	if s.kind == classScope && !s.globals[name] && !s.outer[name] {
		return variable{kind: varClass}
	}
	if s.kind == compScope && s.fn.kind == classScope {
		if _, own := s.slots[name]; !own {
			return variable{kind: varClass}
		}
	}
	return s.lookup(name)
}

// target compiles what an assignment writes to.
func (c *compiler) target(e pysyntax.Expr) assign {
	switch t := e.(type) {
	case *pysyntax.Name:
		return c.store(t.ID)
	case *pysyntax.Attribute:
		obj, name := c.expr(t.Value), mangle(c.scope.class, t.Attr)
		return func(fr *Frame, v Value) { fr.th.setAttr(obj(fr), name, &v) }
	case *pysyntax.Subscript:
		return c.subscriptTarget(t)
	case *pysyntax.Tuple:
		return c.unpack(t.Elts)
	case *pysyntax.List:
		return c.unpack(t.Elts)
	}
	c.fail(e, "cannot assign to this expression")
	return nil
}

// subscriptTarget writes an element. Arrays never change, so an array with the new element is put
// back where the array came from.
func (c *compiler) subscriptTarget(t *pysyntax.Subscript) assign {
	obj, key := c.memo(t.Value), c.expr(t.Index)
	var back assign
	switch t.Value.(type) {
	case *pysyntax.Name, *pysyntax.Attribute, *pysyntax.Subscript:
		back = c.target(t.Value)
	}
	return func(fr *Frame, v Value) {
		o, k := obj(fr), key(fr)
		if back != nil && (o.isArray() || o.isChosenBy(k)) {
			back(fr, fr.th.storeElement(o, k, v))
			return
		}
		fr.th.setIndex(o, k, &v)
	}
}

// memo compiles an expression that is about to be added to: a dict that a name of the module holds is the calculation's own.
func (c *compiler) memo(e pysyntax.Expr) eval {
	get := c.expr(e)
	if !c.isGlobal(e) {
		return get
	}
	return func(fr *Frame) Value { return fr.th.ownMemo(get(fr)) }
}

// isGlobal tells that an expression in a function is a name of the module.
func (c *compiler) isGlobal(e pysyntax.Expr) bool {
	name, ok := e.(*pysyntax.Name)
	return ok && c.scope.fn.kind == functionScope && c.scope.lookup(mangle(c.scope.class, name.ID)).kind == varGlobal
}

// unpack compiles a, b, *c = value.
func (c *compiler) unpack(elts []pysyntax.Expr) assign {
	star := -1
	parts := make([]assign, len(elts))
	for i, e := range elts {
		if s, ok := e.(*pysyntax.Starred); ok {
			if star >= 0 {
				c.fail(e, "multiple starred expressions in assignment")
			}
			star = i
			e = s.Value
		}
		parts[i] = c.target(e)
	}
	if star >= 0 {
		return func(fr *Frame, v Value) { unpackStar(fr, parts, star, v) }
	}
	return func(fr *Frame, v Value) {
		items := fr.th.Collect(v)
		if len(items) != len(parts) {
			fr.wrongCount(len(parts), len(items), "")
		}
		for i, p := range parts {
			p(fr, items[i])
		}
	}
}

func (fr *Frame) wrongCount(want, got int, atLeast string) {
	if got > want {
		fr.th.Raise(ValueError, "too many values to unpack (expected %d)", want)
	}
	fr.th.Raise(ValueError, "not enough values to unpack (expected %s%d, got %d)", atLeast, want, got)
}

func unpackStar(fr *Frame, parts []assign, star int, v Value) {
	items := fr.th.Collect(v)
	after := len(parts) - star - 1
	if len(items) < star+after {
		fr.wrongCount(star+after, len(items), "at least ")
	}
	items = append([]Value(nil), items...)
	for i := range star {
		parts[i](fr, items[i])
	}
	rest := items[star : len(items)-after]
	parts[star](fr, Obj(NewList(append([]Value(nil), rest...))))
	for i := range after {
		parts[star+1+i](fr, items[len(items)-after+i])
	}
}

// remove compiles del target.
func (c *compiler) remove(e pysyntax.Expr) exec {
	switch t := e.(type) {
	case *pysyntax.Name:
		get, set := c.load(t.ID), c.store(t.ID)
		return func(fr *Frame) ctl {
			get(fr)
			set(fr, unbound)
			return ctlNext
		}
	case *pysyntax.Attribute:
		obj, name := c.expr(t.Value), mangle(c.scope.class, t.Attr)
		return func(fr *Frame) ctl {
			fr.th.setAttr(obj(fr), name, nil)
			return ctlNext
		}
	case *pysyntax.Subscript:
		obj, key := c.expr(t.Value), c.expr(t.Index)
		return func(fr *Frame) ctl {
			fr.th.setIndex(obj(fr), key(fr), nil)
			return ctlNext
		}
	case *pysyntax.Tuple:
		return c.removeAll(t.Elts)
	case *pysyntax.List:
		return c.removeAll(t.Elts)
	}
	c.fail(e, "cannot delete this expression")
	return nil
}

func (c *compiler) removeAll(es []pysyntax.Expr) exec {
	parts := make([]exec, len(es))
	for i, e := range es {
		parts[i] = c.remove(e)
	}
	return func(fr *Frame) ctl {
		for _, p := range parts {
			p(fr)
		}
		return ctlNext
	}
}
