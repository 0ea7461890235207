package pyeval

// This file defines generators: run in place by a consumer that takes everything, as a coroutine otherwise.

import "iter"

// Generator is what calling a function with yield gives.
//
// Consumers that take all elements run the body in place with [Thread.Each]; next() and the like start a
// coroutine. Either way the body runs on a value stack of its own while it is suspended.
type Generator struct {
	fn    *Function
	fr    *Frame
	state generatorState
	stack *valueStack // once it is a coroutine
	next  func() (Value, bool)
	stop  func()
	sent  Value
	exc   *Instance // thrown into it
	ret   Value
	place int // among the thread's coroutines

	frozen bool
}

type generatorState uint8

const (
	fresh generatorState = iota
	suspended
	running
	finished
)

func newGenerator(th *Thread, f *Function, slots []Value) Value {
	room := &struct {
		g  Generator
		fr Frame
	}{}
	room.fr = Frame{th: th, code: f.code, slots: slots, frees: f.frees, class: f.class, pos: f.code.at}
	room.g = Generator{fn: f, fr: &room.fr, ret: None}
	return Obj(&room.g)
}

// Type implements [Object].
func (*Generator) Type() *Class { return generatorType }

// enter makes the generator's frame the active one, inside of that of the caller, to which [Thread.leave] goes back.
func (g *Generator) enter(th *Thread) (caller *Frame, depth int) {
	th.mayChange(g.frozen, Obj(g))
	if g.state == running {
		th.Raise(ValueError, "generator already executing")
	}
	if th.depth >= th.limits.Depth {
		th.tooDeep()
	}
	caller, depth = th.top, th.depth
	g.state = running
	g.fr.th, g.fr.parent = th, caller
	th.top = g.fr
	th.depth++
	return caller, depth
}

func (th *Thread) leave(caller *Frame, depth int) { th.top, th.depth = caller, depth }

// Each implements [Iterable]: a fresh generator runs in place.
func (g *Generator) Each(th *Thread, yield func(Value) bool) {
	if g.state != fresh {
		for {
			v, ok := g.Next(th)
			if !ok || !yield(v) {
				return
			}
		}
	}
	m := th.mark()
	caller, depth := g.enter(th)
	g.fr.yield = func(v Value) Value {
		th.top = caller
		more := yield(v)
		th.top = g.fr
		if !more {
			panic(&generatorEnd{g})
		}
		return None
	}
	g.runBody()
	th.leave(caller, depth)
	th.stack.cut(&m)
	th.handling = m.handling
}

// generatorEnd unwinds a generator whose consumer wants no more.
type generatorEnd struct{ g *Generator }

func (g *Generator) runBody() {
	defer func() {
		g.state = finished
		if r := recover(); r != nil {
			if end, ok := r.(*generatorEnd); ok && end.g == g {
				return
			}
			panic(r)
		}
	}()
	if g.fn.code.body(g.fr) == ctlReturn {
		g.ret = g.fr.ret
	}
}

// Next implements [Iterator].
func (g *Generator) Next(th *Thread) (v Value, more bool) {
	th.mayChange(g.frozen, Obj(g))
	if g.state == finished {
		return Value{}, false
	}
	if g.state == fresh {
		g.start(th)
	}
	g.switchTo(th, func() bool {
		v, more = g.next()
		return more
	})
	return v, more
}

// switchTo runs the coroutine, by f, on the generator's own stack. An exception passes through with the
// frames as they were, for the traceback.
func (g *Generator) switchTo(th *Thread, f func() (more bool)) {
	outer, depth := g.enter(th)
	caller := th.stack
	th.stack = *g.stack
	more := false
	defer func() {
		*g.stack, th.stack = th.stack, caller
		g.state = suspended
		if !more {
			g.state = finished
			th.forgetCoroutine(g)
		}
	}()
	more = f()
	th.leave(outer, depth)
}

// generatorBytes is what a generator takes, coroutineBytes the stacks of one that is suspended.
const (
	generatorBytes = 256
	coroutineBytes = 8 << 10
)

// start makes the coroutine. The thread closes it when its outermost call returns, if nobody did.
func (g *Generator) start(th *Thread) {
	th.Alloc(coroutineBytes)
	g.sent, g.stack = None, new(valueStack)
	g.next, g.stop = iter.Pull(iter.Seq[Value](g.coroutine))
	g.state = suspended
	g.place = len(th.coroutines)
	th.coroutines = append(th.coroutines, g)
}

func (g *Generator) coroutine(yield func(Value) bool) {
	g.fr.yield = func(v Value) Value {
		if !yield(v) {
			panic(&generatorEnd{g})
		}
		g.throwPending()
		sent := g.sent
		g.sent = None
		return sent
	}
	g.throwPending()
	g.runBody()
}

// throwPending raises what throw() left.
func (g *Generator) throwPending() {
	if exc := g.exc; exc != nil {
		g.exc = nil
		panic(&raised{exc})
	}
}

func (th *Thread) forgetCoroutine(g *Generator) {
	last := len(th.coroutines) - 1
	if g.place <= last && th.coroutines[g.place] == g {
		th.coroutines[g.place] = th.coroutines[last]
		th.coroutines[g.place].place = g.place
		th.coroutines = th.coroutines[:last]
	}
}

// closeCoroutines ends the generators that were left suspended.
func (th *Thread) closeCoroutines() {
	for len(th.coroutines) > 0 {
		th.coroutines[len(th.coroutines)-1].close(th)
	}
}

// close ends a generator that is suspended.
func (g *Generator) close(th *Thread) {
	if g.state == suspended {
		g.switchTo(th, func() bool {
			g.stop()
			return false
		})
	}
	g.state = finished
}

// generatorTable are the methods of generators.
func generatorTable() Table {
	return Table{
		"close": Pure("close", func(th *Thread, args []Value, _ []Kw) Value {
			g, _ := Self[*Generator](th, "close", args)
			g.close(th)
			return None
		}),
		"send": Pure("send", func(th *Thread, args []Value, _ []Kw) Value {
			g, _ := Self[*Generator](th, "send", args)
			v := th.OnlyArg("send", args[1:])
			if g.state == fresh && !v.IsNone() {
				th.Raise(TypeError, "can't send non-None value to a just-started generator")
			}
			g.sent = v
			if g.state == fresh {
				g.start(th)
			}
			return th.nextOrStop(g)
		}),
		"throw": Pure("throw", func(th *Thread, args []Value, _ []Kw) Value {
			g, _ := Self[*Generator](th, "throw", args)
			exc := th.exceptionFrom(th.OnlyArg("throw", args[1:]))
			if g.state == finished {
				panic(&raised{exc})
			}
			g.exc = exc
			return th.nextOrStop(g)
		}),
	}
}

func (th *Thread) nextOrStop(g *Generator) Value {
	v, ok := g.Next(th)
	if !ok {
		exc := newException(StopIteration)
		if !g.ret.IsNone() {
			exc.exc.args = []Value{g.ret}
		}
		exc.attrs.set("value", g.ret)
		panic(&raised{exc})
	}
	return v
}
