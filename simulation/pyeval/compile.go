package pyeval

import (
	"fmt"

	"edict/simulation/pysyntax"
)

// eval computes an expression, exec runs a statement. They are the compiled form of a tree: closures
// over their parts, with names resolved to slots and constants folded.
type (
	eval func(fr *Frame) Value
	exec func(fr *Frame) ctl
)

// ctl is how a statement ended.
type ctl uint8

const (
	ctlNext ctl = iota
	ctlBreak
	ctlContinue
	ctlReturn // with the value in fr.ret
	ctlRaise  // with the exception in fr.ret, from the only statement of a try
)

// compiler turns the trees of one module into code.
type compiler struct {
	prog   *Program
	module *Module
	scope  *scope
	see    func(e pysyntax.Expr, v Value) // is told what expressions give (observe.go); nil but for observed functions
}

func (c *compiler) fail(n pysyntax.Node, format string, args ...any) {
	p := n.Position()
	exc := newException(SyntaxError)
	err := &pysyntax.Error{
		File: c.module.File, Pos: p, Message: fmt.Sprintf(format, args...), Source: pysyntax.Line(c.module.source, int(p.Line)),
	}
	exc.exc.args, exc.exc.cause = []Value{String(err.Error())}, err
	panic(&raised{exc})
}

func compileModule(prog *Program, m *Module, tree *pysyntax.Module) *code {
	c := &compiler{prog: prog, module: m}
	s := &scope{kind: moduleScope, slots: map[string]int{}, cells: map[int]bool{}}
	s.fn = s
	c.scope = s
	if doc, ok := docstring(tree.Body); ok && !m.frozen {
		m.Set("__doc__", doc)
	}
	body := c.block(tree.Body)
	return &code{name: "<module>", module: m, slots: s.n, cellLocals: s.cellSlots(0), body: body, at: pysyntax.Pos{Line: 1, Col: 1}}
}

func docstring(body []pysyntax.Stmt) (Value, bool) {
	if len(body) == 0 {
		return None, false
	}
	e, ok := body[0].(*pysyntax.ExprStmt)
	if !ok {
		return None, false
	}
	k, ok := e.Value.(*pysyntax.Constant)
	if !ok {
		return None, false
	}
	s, ok := k.Value.(string)
	if !ok {
		return None, false
	}
	return String(s), true
}

// cellSlots lists the slots at or after first that hold cells.
func (s *scope) cellSlots(first int) []int {
	var out []int
	for i := first; i < s.n; i++ {
		if s.cells[i] {
			out = append(out, i)
		}
	}
	return out
}

// function compiles a def, lambda or generator expression. It returns a constructor of the closure.
func (c *compiler) function(n pysyntax.Node, name string, ps *pysyntax.Params, body func(*compiler) exec, inner []pysyntax.Stmt, innerExpr pysyntax.Expr) eval {
	s := c.newFunctionScope(ps, inner, innerExpr)
	defaults, kwDefaults := c.defaults(ps)
	k := &code{name: name, module: c.module, doc: None, at: n.Position()}
	k.setParams(ps)
	k.compile(&compiler{prog: c.prog, module: c.module, scope: s}, body, inner)
	if c.module.made != nil {
		c.module.made[madeAt{k.at, name}] = k
	}
	return c.closure(k, defaults, kwDefaults, c.captures(s.frees))
}

func (c *compiler) defaults(ps *pysyntax.Params) (positional, keyword []eval) {
	keyword = make([]eval, len(ps.KwDefaults))
	for i, e := range ps.KwDefaults {
		if e != nil {
			keyword[i] = c.expr(e)
		}
	}
	return c.exprList(ps.Defaults), keyword
}

// compile makes the body of a function in the scope of c.
func (k *code) compile(c *compiler, body func(*compiler) exec, inner []pysyntax.Stmt) {
	s := c.scope
	if doc, ok := docstring(inner); ok {
		k.doc = doc
	}
	k.body = body(c)
	k.generator = s.generator
	k.slots = s.n
	k.frees = s.frees
	np := len(k.params)
	k.cellLocals = s.cellSlots(np)
	for i := range np {
		if s.cells[i] {
			k.cellParams = append(k.cellParams, i)
		}
	}
}

// closure makes a function each time it runs.
func (c *compiler) closure(k *code, defaults, kwDefaults []eval, capture func(fr *Frame) []*cell) eval {
	return func(fr *Frame) Value {
		f := &Function{code: k, name: k.name, frees: capture(fr), class: fr.class}
		if len(defaults) > 0 {
			f.defaults = evalAll(fr, defaults)
		}
		if len(kwDefaults) > 0 {
			f.kwDefaults = make([]Value, len(kwDefaults))
			for i, d := range kwDefaults {
				f.kwDefaults[i] = unbound
				if d != nil {
					f.kwDefaults[i] = d(fr)
				}
			}
		}
		return Obj(f)
	}
}

func evalAll(fr *Frame, es []eval) []Value {
	out := make([]Value, len(es))
	for i, e := range es {
		out[i] = e(fr)
	}
	return out
}

func (k *code) setParams(ps *pysyntax.Params) {
	for _, a := range ps.Args {
		k.params = append(k.params, a.Name)
	}
	k.args, k.posOnly, k.kwOnly = len(ps.Args), ps.PosOnly, len(ps.KwOnly)
	if ps.Star != nil {
		k.star = true
		k.params = append(k.params, ps.Star.Name)
	}
	for _, a := range ps.KwOnly {
		k.params = append(k.params, a.Name)
	}
	if ps.StarStar != nil {
		k.starStar = true
		k.params = append(k.params, ps.StarStar.Name)
	}
	k.simple = len(k.params) == k.args
}

func (c *compiler) newFunctionScope(ps *pysyntax.Params, body []pysyntax.Stmt, expr pysyntax.Expr) *scope {
	s := &scope{kind: functionScope, parent: c.scope, slots: map[string]int{}, cells: map[int]bool{}, class: c.scope.class}
	s.fn = s
	s.shared = mentionedInside(func(visit func(pysyntax.Node) bool) {
		pysyntax.WalkAll(body, visit)
		if expr != nil {
			pysyntax.Walk(expr, visit)
		}
	})
	var all code
	all.setParams(ps)
	for _, p := range all.params {
		s.declare(p)
	}
	b := bindings(body)
	if expr != nil {
		b.inside(expr)
	}
	s.globals, s.outer = b.globals, b.outers
	for _, name := range b.bound {
		if !b.globals[name] && !b.outers[name] {
			s.declare(name)
		}
	}
	return s
}

// captures takes the cells a closure needs from the frame that makes it.
func (c *compiler) captures(frees []string) func(fr *Frame) []*cell {
	if len(frees) == 0 {
		return func(*Frame) []*cell { return nil }
	}
	from := make([]variable, len(frees))
	for i, name := range frees {
		from[i] = c.scope.lookupCell(name)
	}
	return func(fr *Frame) []*cell {
		out := make([]*cell, len(from))
		for i, v := range from {
			if v.kind == varFree {
				out[i] = fr.frees[v.slot]
			} else {
				out[i] = fr.slots[v.slot].o.(*cell)
			}
		}
		return out
	}
}

// lookupCell resolves a name that a nested function shares; class bodies are transparent.
func (s *scope) lookupCell(name string) variable {
	for at := s; ; at = at.parent {
		if i, ok := at.slots[name]; ok && at.kind != classScope && !at.outer[name] && !at.globals[name] {
			return variable{varCell, i}
		}
		if at == s.fn {
			return at.free(name)
		}
	}
}

// block compiles statements into one.
func (c *compiler) block(body []pysyntax.Stmt) exec {
	var list []exec
	for _, s := range body {
		if x := c.stmt(s); x != nil {
			list = append(list, x)
		}
	}
	switch len(list) {
	case 0:
		return func(*Frame) ctl { return ctlNext }
	case 1:
		return list[0]
	case 2:
		a, b := list[0], list[1]
		return func(fr *Frame) ctl {
			if r := a(fr); r != ctlNext {
				return r
			}
			return b(fr)
		}
	}
	return func(fr *Frame) ctl {
		for _, x := range list {
			if r := x(fr); r != ctlNext {
				return r
			}
		}
		return ctlNext
	}
}
