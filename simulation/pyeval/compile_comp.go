package pyeval

// This file compiles comprehensions and generator expressions.

import (
	"slices"

	"edict/simulation/pysyntax"
)

// comp compiles a comprehension. Lists, sets and dicts are built in place, in slots of the function
// around; a generator expression becomes a function with yield, called at once with its first iterable.
func (c *compiler) comp(n *pysyntax.Comp) eval {
	if n.Kind == pysyntax.Generator {
		return c.generatorExpr(n)
	}
	first := c.expr(n.For[0].Iter)
	inner := c.compScope(n)
	elt := inner.expr(n.Elt)
	var value eval
	if n.Kind == pysyntax.DictComp {
		value = inner.expr(n.Value)
	}
	cells := inner.scope.freshCells()
	every := len(n.For) == 1 && len(n.For[0].Ifs) == 0 // an element for each of the iterable
	loop := func(collect func(fr *Frame, into *compResult)) func(fr *Frame, into *compResult) {
		return inner.compLoops(n, collect)
	}
	switch n.Kind {
	case pysyntax.ListComp:
		run := loop(func(fr *Frame, into *compResult) {
			into.items = Grown(fr.th, into.items, elt(fr))
		})
		return func(fr *Frame) Value {
			into := compResult{first: first(fr)}
			if every {
				into.items = fr.th.roomFor(into.first)
			}
			cells(fr)
			run(fr, &into)
			return Obj(NewList(into.items))
		}
	case pysyntax.SetComp:
		run := loop(func(fr *Frame, into *compResult) { into.set.add(fr.th, elt(fr)) })
		return func(fr *Frame) Value {
			into := compResult{first: first(fr), set: newSet(false)}
			cells(fr)
			run(fr, &into)
			return Obj(into.set)
		}
	}
	run := loop(func(fr *Frame, into *compResult) {
		k := elt(fr)
		fr.th.SetKey(into.dict, k, value(fr))
	})
	build := func(fr *Frame, over Value, d *Dict) *Dict {
		into := compResult{first: over, dict: d}
		cells(fr)
		run(fr, &into)
		return d
	}
	if view := inner.viewOfTable(n, value); view != nil {
		return view.eval(first, build)
	}
	return func(fr *Frame) Value {
		over, d := first(fr), NewDict()
		if every {
			d.entries = make([]entry, 0, fr.th.roomOf(over))
		}
		return Obj(build(fr, over, d))
	}
}

type compResult struct {
	first Value
	items []Value
	set   *Set
	dict  *Dict
}

// compScope gives the targets of a comprehension slots of their own.
func (c *compiler) compScope(n *pysyntax.Comp) *compiler {
	s := &scope{kind: compScope, parent: c.scope, fn: c.scope.fn, slots: map[string]int{}, class: c.scope.class}
	s.shared = mentionedInside(func(visit func(pysyntax.Node) bool) {
		pysyntax.Walk(n, func(x pysyntax.Node) bool {
			if x == pysyntax.Node(n) {
				return true
			}
			return visit(x)
		})
	})
	var b names
	b.seen = map[string]bool{}
	for _, f := range n.For {
		b.targets(f.Target)
	}
	for _, name := range b.bound {
		s.declare(name)
	}
	return &compiler{prog: c.prog, module: c.module, scope: s}
}

// freshCells gives the shared variables of a comprehension new cells each time it runs.
func (s *scope) freshCells() func(fr *Frame) {
	var slots []int
	for _, i := range s.slots {
		if s.fn.cells[i] {
			slots = append(slots, i)
		}
	}
	return func(fr *Frame) {
		for _, i := range slots {
			fr.slots[i] = Value{o: &cell{v: unbound}}
		}
	}
}

// compLoops nests the for and if clauses around what collects an element.
func (c *compiler) compLoops(n *pysyntax.Comp, collect func(*Frame, *compResult)) func(*Frame, *compResult) {
	run := collect
	for i, v := range slices.Backward(n.For) {
		run = c.compLoop(v, i == 0, run)
	}
	return run
}

func (c *compiler) compLoop(f pysyntax.CompFor, first bool, inner func(*Frame, *compResult)) func(*Frame, *compResult) {
	set := c.target(f.Target)
	tests := make([]func(*Frame) bool, len(f.Ifs))
	for i, e := range f.Ifs {
		tests[i] = c.test(e)
	}
	var iter eval
	if !first {
		iter = c.expr(f.Iter)
	}
	return func(fr *Frame, into *compResult) {
		over := into.first
		if !first {
			over = iter(fr)
		}
		fr.th.Each(over, func(v Value) bool {
			fr.th.step()
			set(fr, v)
			for _, test := range tests {
				if !test(fr) {
					return true
				}
			}
			inner(fr, into)
			return true
		})
	}
}

// genexpr is what Python calls the function that a generator expression becomes.
const genexpr = "<genexpr>"

func (c *compiler) generatorExpr(n *pysyntax.Comp) eval {
	first := c.expr(n.For[0].Iter)
	const arg = ".0"
	ps := &pysyntax.Params{Args: []pysyntax.Param{{Pos: n.Pos, Name: arg}}}
	make1 := c.function(n, genexpr, ps, func(sub *compiler) exec {
		return sub.generatorBody(n)
	}, nil, &pysyntax.Comp{Pos: n.Pos, Kind: pysyntax.ListComp, Elt: n.Elt, For: n.For})
	return func(fr *Frame) Value {
		f := make1(fr).o.(*Function)
		floor := fr.th.stack.at()
		w := fr.th.stack.window(f.code.slots)
		w[0] = first(fr)
		v := f.run(fr.th, w)
		fr.th.stack.back(floor)
		return v
	}
}

func (c *compiler) generatorBody(n *pysyntax.Comp) exec {
	c.scope.generator = true
	inner := c.compScope(n)
	elt := inner.expr(n.Elt)
	cells := inner.scope.freshCells()
	run := inner.compLoops(n, func(fr *Frame, _ *compResult) { fr.yield(elt(fr)) })
	return func(fr *Frame) ctl {
		cells(fr)
		run(fr, &compResult{first: fr.slots[0]})
		return ctlNext
	}
}
