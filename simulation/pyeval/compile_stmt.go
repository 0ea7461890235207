package pyeval

import (
	"strings"

	"edict/simulation/pysyntax"
)

// stmt is the one switch over statements; nil means nothing to do.
func (c *compiler) stmt(s pysyntax.Stmt) exec {
	switch n := s.(type) {
	case *pysyntax.ExprStmt:
		return c.exprStmt(n)
	case *pysyntax.Assign:
		return c.assign(n)
	case *pysyntax.AugAssign:
		return c.augAssign(n)
	case *pysyntax.AnnAssign:
		return c.annotated(n)
	case *pysyntax.Return:
		return c.returns(n)
	case *pysyntax.Raise:
		return c.raise(n)
	case *pysyntax.Pass:
		return nil
	case *pysyntax.Break:
		c.inLoop(n, "'break' outside loop")
		return func(*Frame) ctl { return ctlBreak }
	case *pysyntax.Continue:
		c.inLoop(n, "'continue' not properly in loop")
		return func(*Frame) ctl { return ctlContinue }
	case *pysyntax.Import:
		return c.imports(n)
	case *pysyntax.ImportFrom:
		return c.importFrom(n)
	case *pysyntax.Global:
		c.declareGlobals(n)
		return nil
	case *pysyntax.Nonlocal:
		c.checkNonlocals(n)
		return nil
	case *pysyntax.Delete:
		return c.removeAll(n.Targets)
	case *pysyntax.Assert:
		return c.assert(n)
	case *pysyntax.If:
		return c.ifs(n)
	case *pysyntax.While:
		return c.while(n)
	case *pysyntax.For:
		return c.forLoop(n)
	case *pysyntax.Try:
		return c.try(n)
	case *pysyntax.With:
		return c.with(n)
	case *pysyntax.FunctionDef:
		return c.def(n)
	case *pysyntax.ClassDef:
		return c.class(n)
	}
	c.fail(s, "this statement is not supported")
	return nil
}

func (c *compiler) exprStmt(n *pysyntax.ExprStmt) exec {
	if _, constant := constantOf(n.Value); constant {
		return nil
	}
	value, at := c.dropped(n.Value, c.expr(n.Value)), n.Pos
	if back := c.changesArgument(n.Value); back != nil {
		return func(fr *Frame) ctl {
			fr.pos = at
			back(fr, value(fr))
			return ctlNext
		}
	}
	return func(fr *Frame) ctl {
		fr.pos = at
		value(fr)
		return ctlNext
	}
}

// argumentChangers are the functions of numpy that change their first argument.
var argumentChangers = words("at copyto fill_diagonal place put put_along_axis putmask")

// arrayChangers are the methods of arrays that change them.
var arrayChangers = words("fill partition sort")

// changesArgument recognises a statement that calls numpy to change an array, its first argument or out=, or a method that
// changes its array, and puts what comes back where the array came from: arrays never change. It gives nil for other calls.
func (c *compiler) changesArgument(e pysyntax.Expr) assign {
	call, ok := e.(*pysyntax.Call)
	if !ok {
		return nil
	}
	var changed pysyntax.Expr
	for _, k := range call.Keywords {
		if k.Name == "out" {
			changed = k.Value
		}
	}
	if argumentChangers[lastName(call.Func)] && len(call.Args) > 0 {
		changed = call.Args[0]
	}
	fn, ofNumpy := c.expr(call.Func), isNumpyFunction
	if method, ok := call.Func.(*pysyntax.Attribute); ok && arrayChangers[method.Attr] && !c.isGlobal(method.Value) {
		changed, fn, ofNumpy = method.Value, c.expr(method.Value), Value.isArray
	}
	switch changed.(type) {
	case *pysyntax.Name, *pysyntax.Attribute, *pysyntax.Subscript:
	default:
		return nil
	}
	set := c.target(changed)
	return func(fr *Frame, v Value) {
		if v.isArray() && ofNumpy(fn(fr)) {
			set(fr, v)
		}
	}
}

func lastName(e pysyntax.Expr) string {
	switch n := e.(type) {
	case *pysyntax.Name:
		return n.ID
	case *pysyntax.Attribute:
		return n.Attr
	}
	return ""
}

// isNumpyFunction tells numpy's functions, in Go and in Python, from those of packages.
func isNumpyFunction(f Value) bool {
	switch o := f.o.(type) {
	case *Builtin, Elementwise:
		return true
	case *Function:
		return strings.HasPrefix(o.code.module.Name, "_numpy_")
	}
	return false
}

func (c *compiler) assign(n *pysyntax.Assign) exec {
	value, at := c.expr(n.Value), n.Pos
	if len(n.Targets) == 1 {
		if name, ok := n.Targets[0].(*pysyntax.Name); ok {
			if v := c.scope.lookupStore(mangle(c.scope.class, name.ID)); v.kind == varSlot {
				i := v.slot
				return func(fr *Frame) ctl {
					fr.pos = at
					fr.slots[i] = value(fr)
					return ctlNext
				}
			}
		}
		set := c.target(n.Targets[0])
		return func(fr *Frame) ctl {
			fr.pos = at
			set(fr, value(fr))
			return ctlNext
		}
	}
	sets := make([]assign, len(n.Targets))
	for i, t := range n.Targets {
		sets[i] = c.target(t)
	}
	return func(fr *Frame) ctl {
		fr.pos = at
		v := value(fr)
		for _, set := range sets {
			set(fr, v)
		}
		return ctlNext
	}
}

// augAssign evaluates the parts of its target once.
func (c *compiler) augAssign(n *pysyntax.AugAssign) exec {
	op, value, at := n.Op, c.expr(n.Value), n.Pos
	switch t := n.Target.(type) {
	case *pysyntax.Attribute:
		obj, name := c.expr(t.Value), mangle(c.scope.class, t.Attr)
		return func(fr *Frame) ctl {
			fr.pos = at
			o := obj(fr)
			v := fr.th.inPlace(op, fr.th.GetAttr(o, name), value(fr))
			fr.th.setAttr(o, name, &v)
			return ctlNext
		}
	case *pysyntax.Subscript:
		return c.augSubscript(n, t, op, value)
	}
	get, set := c.expr(n.Target), c.target(n.Target)
	return func(fr *Frame) ctl {
		fr.pos = at
		old := get(fr)
		set(fr, fr.th.inPlace(op, old, value(fr)))
		return ctlNext
	}
}

func (c *compiler) augSubscript(n *pysyntax.AugAssign, t *pysyntax.Subscript, op binaryOp, value eval) exec {
	obj, key, at := c.expr(t.Value), c.expr(t.Index), n.Pos
	var back assign
	switch t.Value.(type) {
	case *pysyntax.Name, *pysyntax.Attribute, *pysyntax.Subscript:
		back = c.target(t.Value)
	}
	return func(fr *Frame) ctl {
		fr.pos = at
		o, k := obj(fr), key(fr)
		v := fr.th.inPlace(op, fr.th.Index(o, k), value(fr))
		if back != nil && (o.isArray() || o.isChosenBy(k)) {
			back(fr, fr.th.storeElement(o, k, v))
			return ctlNext
		}
		fr.th.setIndex(o, k, &v)
		return ctlNext
	}
}

func (c *compiler) returns(n *pysyntax.Return) exec {
	if c.scope.fn.kind != functionScope {
		c.fail(n, "'return' outside function")
	}
	if n.Value == nil {
		return func(fr *Frame) ctl {
			fr.ret = None
			return ctlReturn
		}
	}
	value, at := c.operand(n.Value), n.Pos
	return func(fr *Frame) ctl {
		fr.pos = at
		value.into(fr, &fr.ret)
		return ctlReturn
	}
}

func (c *compiler) raise(n *pysyntax.Raise) exec {
	at := n.Pos
	if n.Exc == nil {
		return func(fr *Frame) ctl {
			fr.pos = at
			if fr.th.handling == nil {
				fr.th.Raise(RuntimeError, "No active exception to reraise")
			}
			panic(&raised{fr.th.handling})
		}
	}
	exc := c.expr(n.Exc)
	cause := func(*Frame) Value { return None }
	if n.Cause != nil {
		cause = c.expr(n.Cause)
	}
	hasCause := n.Cause != nil
	return func(fr *Frame) ctl {
		fr.pos = at
		fr.th.raise(exc(fr), cause(fr), hasCause)
		return ctlNext
	}
}

func (c *compiler) inLoop(n pysyntax.Node, message string) {
	if c.scope.fn.loops == 0 {
		c.fail(n, "%s", message)
	}
}

func (c *compiler) declareGlobals(n *pysyntax.Global) {
	for _, name := range n.Names {
		if c.scope.fn.kind == functionScope {
			c.slot(name).lazy = true
		}
	}
}

func (c *compiler) checkNonlocals(n *pysyntax.Nonlocal) {
	for _, name := range n.Names {
		if c.scope.fn.kind == moduleScope || c.scope.free(name).kind != varFree {
			c.fail(n, "no binding for nonlocal '%s' found", name)
		}
	}
}

func (c *compiler) assert(n *pysyntax.Assert) exec {
	test, at := c.condition(n.Test), n.Pos
	var msg eval
	if n.Msg != nil {
		msg = c.expr(n.Msg)
	}
	return func(fr *Frame) ctl {
		fr.pos = at
		if test.holds(fr) {
			return ctlNext
		}
		exc := newException(AssertionError)
		if msg != nil {
			exc.exc.args = []Value{msg(fr)}
		}
		panic(&raised{exc})
	}
}

func (c *compiler) ifs(n *pysyntax.If) exec {
	test, body, at := c.condition(n.Test), c.block(n.Body), n.Pos
	if len(n.Else) == 0 {
		return func(fr *Frame) ctl {
			fr.pos = at
			if test.holds(fr) {
				return body(fr)
			}
			return ctlNext
		}
	}
	other := c.block(n.Else)
	return func(fr *Frame) ctl {
		fr.pos = at
		if test.holds(fr) {
			return body(fr)
		}
		return other(fr)
	}
}

// loopBody compiles the body of a loop.
func (c *compiler) loopBody(body []pysyntax.Stmt) exec {
	c.scope.fn.loops++
	x := c.block(body)
	c.scope.fn.loops--
	return x
}

func (c *compiler) while(n *pysyntax.While) exec {
	test, body, at := c.test(n.Test), c.loopBody(n.Body), n.Pos
	other := c.block(n.Else)
	return func(fr *Frame) ctl {
		for {
			fr.pos = at
			fr.th.step()
			if !test(fr) {
				return other(fr)
			}
			switch body(fr) {
			case ctlBreak:
				return ctlNext
			case ctlReturn:
				return ctlReturn
			}
		}
	}
}

// forLoop runs its body once per element. The element loop is in [Thread.Each] so that a generator
// can run in place; one that has a name and that the loop may leave early is taken element by element
// instead, because it may be continued elsewhere.
func (c *compiler) forLoop(n *pysyntax.For) exec {
	iter, at := c.expr(n.Iter), n.Pos
	set, body := c.target(n.Target), c.loopBody(n.Body)
	other := c.block(n.Else)
	leaves := leavesEarly(n.Body) && mayHaveName(n.Iter)
	return func(fr *Frame) ctl {
		fr.pos = at
		th := fr.th
		over := iter(fr)
		if _, isGenerator := over.o.(*Generator); isGenerator && leaves {
			over = Obj(&iterator{next: over.o.(*Generator).Next})
		}
		ended := ctlNext
		each := func(v Value) bool {
			fr.pos = at
			th.step()
			set(fr, v)
			switch r := body(fr); r {
			case ctlBreak, ctlReturn:
				ended = r
				return false
			}
			return true
		}
		th.Each(over, each)
		switch ended {
		case ctlBreak:
			return ctlNext
		case ctlReturn:
			return ctlReturn
		}
		return other(fr)
	}
}

// mayHaveName tells whether the value of an expression can be reached again. A generator that a call
// just made cannot, so leaving its loop ends it, as CPython's reference counts do.
func mayHaveName(e pysyntax.Expr) bool {
	switch n := e.(type) {
	case *pysyntax.Comp:
		return false
	case *pysyntax.Call:
		name, ok := n.Func.(*pysyntax.Name)
		return ok && name.ID == "iter"
	}
	return true
}

// leavesEarly tells whether a loop body can end its loop.
func leavesEarly(body []pysyntax.Stmt) bool {
	found := false
	pysyntax.WalkAll(body, func(n pysyntax.Node) bool {
		switch n.(type) {
		case *pysyntax.Break, *pysyntax.Return, *pysyntax.Yield, *pysyntax.YieldFrom:
			found = true
		case *pysyntax.FunctionDef, *pysyntax.ClassDef, *pysyntax.Lambda:
			return false
		}
		return true
	})
	return found
}

// annotated is a declaration with a type, which is not evaluated: the class only keeps the names of
// its own, in order, in __annotations__.
func (c *compiler) annotated(n *pysyntax.AnnAssign) exec {
	var assign exec
	if n.Value != nil {
		assign = c.assign(&pysyntax.Assign{Pos: n.Pos, Targets: []pysyntax.Expr{n.Target}, Value: n.Value})
	}
	name, ok := n.Target.(*pysyntax.Name)
	if !ok || c.scope.kind != classScope {
		return assign
	}
	return func(fr *Frame) ctl {
		known, ok := fr.ns.Get("__annotations__")
		if !ok {
			known = Obj(NewDict())
			fr.ns.Set(String("__annotations__"), known)
		}
		known.o.(*Dict).Set(String(name.ID), None)
		if assign == nil {
			return ctlNext
		}
		return assign(fr)
	}
}
