package pyeval

// This file compiles try, with and raise. Python's exceptions are Go's panics here, so each try is a function that recovers.

import (
	"slices"

	"edict/simulation/pysyntax"
)

type handler struct {
	class eval // nil takes everything
	set   assign
	body  exec
	at    pysyntax.Pos
}

// try compiles try/except/else/finally as two layers.
func (c *compiler) try(n *pysyntax.Try) exec {
	run := c.probe(n)
	if run == nil {
		run = c.block(n.Body)
	}
	if len(n.Handlers) > 0 {
		run = c.except(n, run)
	}
	if len(n.Finally) == 0 {
		return run
	}
	final := c.block(n.Finally)
	return func(fr *Frame) ctl { return runFinally(fr, run, final) }
}

// dropped compiles an expression whose value nobody wants. Law is written that makes exceptions, in loops, and does not raise
// them: of one of Python's own only the arguments are evaluated.
func (c *compiler) dropped(e pysyntax.Expr, ordinary eval) eval {
	call, ok := e.(*pysyntax.Call)
	if !ok || c.see != nil || len(call.Keywords) > 0 || !simpleKeywords(call) {
		return ordinary
	}
	name, ok := call.Func.(*pysyntax.Name)
	if !ok || exceptionsByName[name.ID] == nil {
		return ordinary
	}
	fn, class := c.expr(name), Object(exceptionsByName[name.ID])
	args := make([]func(fr *Frame), len(call.Args))
	for i, a := range call.Args {
		args[i] = c.droppedText(a)
	}
	return func(fr *Frame) Value {
		if fn(fr).o != class {
			return ordinary(fr)
		}
		for _, arg := range args {
			arg(fr)
		}
		return None
	}
}

// droppedText compiles an f-string, or any other expression, that nobody reads.
func (c *compiler) droppedText(e pysyntax.Expr) func(fr *Frame) {
	f, ok := e.(*pysyntax.FString)
	if !ok {
		value := c.expr(e)
		return func(fr *Frame) { value(fr) }
	}
	var parts []func(fr *Frame)
	for _, part := range f.Values {
		if _, text := constantOf(part); !text {
			parts = append(parts, c.formatted(part.(*pysyntax.Formatted), func(*Frame, string) {}))
		}
	}
	return func(fr *Frame) {
		for _, part := range parts {
			part(fr)
		}
	}
}

// probe compiles the body of a try with handlers that is x = a[b] alone, so that a host object says what it would raise: a
// panic costs more than all the rest. It gives nil for other bodies.
func (c *compiler) probe(n *pysyntax.Try) exec {
	if len(n.Body) != 1 || len(n.Handlers) == 0 || c.see != nil {
		return nil
	}
	assign, ok := n.Body[0].(*pysyntax.Assign)
	if !ok || len(assign.Targets) != 1 {
		return nil
	}
	name, isName := assign.Targets[0].(*pysyntax.Name)
	item, isItem := assign.Value.(*pysyntax.Subscript)
	if !isName || !isItem {
		return nil
	}
	if _, isSlice := item.Index.(*pysyntax.Slice); isSlice {
		return nil
	}
	obj, key, set, at := c.expr(item.Value), c.expr(item.Index), c.store(name.ID), item.Pos
	return func(fr *Frame) ctl {
		fr.pos = assign.Pos
		o, k := obj(fr), key(fr)
		fr.pos = at
		p, ok := o.o.(Prober)
		if !ok {
			set(fr, fr.th.Index(o, k))
			return ctlNext
		}
		v, class, err := p.Probe(fr.th, k)
		if err != nil {
			fr.ret = Obj(exceptionFor(class, err))
			return ctlRaise
		}
		set(fr, v)
		return ctlNext
	}
}

func (c *compiler) except(n *pysyntax.Try, body exec) exec {
	handlers := make([]handler, len(n.Handlers))
	for i, h := range n.Handlers {
		handlers[i].at = h.Pos
		if h.Type != nil {
			handlers[i].class = c.expr(h.Type)
		}
		if h.Name != "" {
			handlers[i].set = c.store(h.Name)
		}
		handlers[i].body = c.block(h.Body)
	}
	other := c.block(n.Else)
	return func(fr *Frame) ctl {
		r, exc := tryBody(fr, body)
		if exc == nil {
			if r != ctlNext {
				return r
			}
			return other(fr)
		}
		return handle(fr, handlers, exc)
	}
}

// tryBody runs a body and returns the exception it raised.
func tryBody(fr *Frame, body exec) (r ctl, exc *Instance) {
	th := fr.th
	m := th.mark()
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(*raised)
			if !ok {
				panic(p)
			}
			th.recovered(e.exc, m)
			exc = e.exc
		}
	}()
	if r = body(fr); r == ctlRaise {
		return r, fr.ret.o.(*Instance)
	}
	return r, nil
}

func handle(fr *Frame, handlers []handler, exc *Instance) ctl {
	th := fr.th
	for _, h := range handlers {
		if h.class != nil {
			fr.pos = h.at
			if !th.matches(exc, h.class(fr)) {
				continue
			}
		}
		th.checkCaught()
		before := th.handling
		th.handling = exc
		if h.set != nil {
			h.set(fr, Obj(exc))
		}
		r := h.body(fr)
		if h.set != nil {
			h.set(fr, unbound)
		}
		th.handling = before
		return r
	}
	panic(&raised{exc})
}

// runFinally runs the final statements however the body ends. A generator that is closed unwinds
// through here too; only a stopped run does not.
func runFinally(fr *Frame, body, final exec) ctl {
	r, p := endOf(fr, body)
	ret := fr.ret
	if f := final(fr); f != ctlNext {
		return f
	}
	if p != nil {
		panic(p)
	}
	fr.ret = ret
	return r
}

func endOf(fr *Frame, body exec) (r ctl, ended any) {
	th := fr.th
	m := th.mark()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *raised:
			th.recovered(p.exc, m)
			ended = p
		case *generatorEnd:
			th.stack.cut(&m)
			th.handling = m.handling
			ended = p
		default:
			panic(p)
		}
	}()
	return body(fr), nil
}

// with compiles its items from the inside out.
func (c *compiler) with(n *pysyntax.With) exec {
	type item struct {
		context eval
		set     assign
	}
	items := make([]item, len(n.Items))
	for i, it := range n.Items {
		items[i].context = c.expr(it.Context)
		if it.Target != nil {
			items[i].set = c.target(it.Target)
		}
	}
	run := c.block(n.Body)
	at := n.Pos
	for _, item := range slices.Backward(items) {
		it, inner := item, run
		run = func(fr *Frame) ctl {
			fr.pos = at
			return withItem(fr, it.context(fr), it.set, inner)
		}
	}
	return run
}

func withItem(fr *Frame, manager Value, set assign, body exec) ctl {
	th := fr.th
	enter, ok := th.Attr(manager, "__enter__")
	if !ok {
		th.Raise(TypeError, "'%s' object does not support the context manager protocol", TypeName(manager))
	}
	exit := th.GetAttr(manager, "__exit__")
	v := th.InvokeKw(enter, nil, nil)
	if set != nil {
		set(fr, v)
	}
	r, ended := endOf(fr, body)
	ret := fr.ret
	e, isExc := ended.(*raised)
	if !isExc {
		th.InvokeKw(exit, []Value{None, None, None}, nil)
		if ended != nil {
			panic(ended)
		}
		fr.ret = ret
		return r
	}
	before := th.handling
	th.handling = e.exc
	swallow := th.InvokeKw(exit, []Value{Obj(e.exc.class), Obj(e.exc), None}, nil)
	th.handling = before
	if !th.Truth(swallow) {
		panic(e)
	}
	th.checkCaught()
	return ctlNext
}
