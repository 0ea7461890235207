package pyeval

// This file compiles the expressions that are no call, operator, comprehension or name.

import (
	"math/big"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

func (c *compiler) exprList(es []pysyntax.Expr) []eval {
	out := make([]eval, len(es))
	for i, e := range es {
		out[i] = c.expr(e)
	}
	return out
}

func (c *compiler) expr(e pysyntax.Expr) eval {
	if c.see != nil {
		return c.observed(e, c.exprOf(e))
	}
	return c.exprOf(e)
}

// exprOf is the one switch over expressions.
func (c *compiler) exprOf(e pysyntax.Expr) eval {
	if v, ok := constantOf(e); ok {
		return func(*Frame) Value { return v }
	}
	switch n := e.(type) {
	case *pysyntax.Name:
		return c.load(n.ID)
	case *pysyntax.Unary:
		return c.unary(n)
	case *pysyntax.Binary:
		return c.binary(n)
	case *pysyntax.Bool:
		return c.boolean(n)
	case *pysyntax.Compare:
		return c.compare(n)
	case *pysyntax.Attribute:
		return c.attribute(n)
	case *pysyntax.Subscript:
		return c.subscript(n)
	case *pysyntax.Slice:
		slice := c.slice(n)
		return func(fr *Frame) Value {
			s := slice(fr)
			return Obj(&s)
		}
	case *pysyntax.Call:
		return c.call(n)
	case *pysyntax.List:
		items := c.items(n.Elts)
		return func(fr *Frame) Value { return Obj(NewList(items(fr))) }
	case *pysyntax.Tuple:
		items := c.items(n.Elts)
		return func(fr *Frame) Value { return NewTuple(items(fr)) }
	case *pysyntax.Set:
		items := c.items(n.Elts)
		return func(fr *Frame) Value { return Obj(fr.th.NewSet(items(fr))) }
	case *pysyntax.Dict:
		return c.dict(n)
	case *pysyntax.Comp:
		return c.comp(n)
	case *pysyntax.Lambda:
		return c.function(n, "<lambda>", n.Params, func(sub *compiler) exec {
			value := sub.expr(n.Body)
			return func(fr *Frame) ctl {
				fr.ret = value(fr)
				return ctlReturn
			}
		}, nil, n.Body)
	case *pysyntax.Walrus:
		value, set := c.expr(n.Value), c.store(n.Target.ID)
		return func(fr *Frame) Value {
			v := value(fr)
			set(fr, v)
			return v
		}
	case *pysyntax.Yield:
		return c.yield(n)
	case *pysyntax.YieldFrom:
		return c.yieldFrom(n)
	case *pysyntax.FString:
		return c.fstring(n)
	case *pysyntax.IfExp:
		test, body, other := c.test(n.Test), c.expr(n.Body), c.expr(n.Else)
		return func(fr *Frame) Value {
			if test(fr) {
				return body(fr)
			}
			return other(fr)
		}
	}
	c.fail(e, "this expression is not allowed here")
	return nil
}

// constantOf gives the value of a literal, or of - and + of a literal number.
func constantOf(e pysyntax.Expr) (Value, bool) {
	switch n := e.(type) {
	case *pysyntax.Constant:
		return literalValue(n.Value), true
	case *pysyntax.Unary:
		v, ok := constantOf(n.Operand)
		if !ok || !v.IsPy() || n.Op != pysyntax.USub && n.Op != pysyntax.UAdd {
			return Value{}, false
		}
		return (*Thread)(nil).unaryNumber(n.Op, v), true
	case *pysyntax.Binary:
		return foldBinary(n)
	}
	return Value{}, false
}

// foldBinary computes + - * of literal numbers; what could raise is left to run time.
func foldBinary(n *pysyntax.Binary) (Value, bool) {
	if n.Op != pysyntax.Add && n.Op != pysyntax.Sub && n.Op != pysyntax.Mult {
		return Value{}, false
	}
	a, ok := constantOf(n.Left)
	if !ok || !a.IsPy() {
		return Value{}, false
	}
	b, ok := constantOf(n.Right)
	if !ok || !b.IsPy() {
		return Value{}, false
	}
	if !foldable(a) || !foldable(b) {
		return Value{}, false
	}
	return (*Thread)(nil).numbers(n.Op, a, b), true
}

// foldable keeps folding away from numbers that could overflow.
func foldable(v Value) bool {
	i := v.c.Int(0)
	return v.c.Type() == vector.Float64 || i < 1<<31 && i > -1<<31
}

func literalValue(x any) Value {
	switch v := x.(type) {
	case bool:
		return Bool(v)
	case int64:
		return Int(v)
	case *big.Int:
		return BigInt(v)
	case float64:
		return Float(v)
	case string:
		return String(v)
	case pysyntax.Bytes:
		return BytesValue(string(v))
	case pysyntax.Ellipsis:
		return EllipsisValue
	}
	return None
}

// condition is an expression whose truth is wanted.
type condition struct {
	value operand
	test  func(fr *Frame) bool // of not, and, or; else nil
}

func (c *compiler) condition(e pysyntax.Expr) condition {
	if u, ok := e.(*pysyntax.Unary); ok && u.Op == pysyntax.Not {
		inner := c.condition(u.Operand)
		return condition{test: func(fr *Frame) bool { return !inner.holds(fr) }}
	}
	if b, ok := e.(*pysyntax.Bool); ok && c.see == nil {
		return condition{test: c.testAll(b)}
	}
	return condition{value: c.operand(e)}
}

func (t *condition) holds(fr *Frame) bool {
	if t.test != nil {
		return t.test(fr)
	}
	var room Value
	v := t.value.at(fr, &room)
	if v.o == nil && v.c.Len() == 1 && v.c.Type().Number() {
		return v.c.Bool(0)
	}
	return fr.th.Truth(*v)
}

// test compiles a condition of its own.
func (c *compiler) test(e pysyntax.Expr) func(fr *Frame) bool {
	t := c.condition(e)
	if t.test != nil {
		return t.test
	}
	return t.holds
}

// testAll compiles a and b, or a or b, where only the truth of it is wanted.
func (c *compiler) testAll(n *pysyntax.Bool) func(fr *Frame) bool {
	tests, or := make([]condition, len(n.Values)), n.Or
	for i, v := range n.Values {
		tests[i] = c.condition(v)
	}
	return func(fr *Frame) bool {
		for i := range tests {
			if tests[i].holds(fr) == or {
				return or
			}
		}
		return !or
	}
}

func (c *compiler) unary(n *pysyntax.Unary) eval {
	if n.Op == pysyntax.Not {
		test := c.test(n.Operand)
		return func(fr *Frame) Value { return Bool(!test(fr)) }
	}
	op, operand := n.Op, c.expr(n.Operand)
	return func(fr *Frame) Value { return fr.th.Unary(op, operand(fr)) }
}

func (c *compiler) boolean(n *pysyntax.Bool) eval {
	values, or := c.exprList(n.Values), n.Or
	last := len(values) - 1
	return func(fr *Frame) Value {
		for _, value := range values[:last] {
			v := value(fr)
			if fr.th.Truth(v) == or {
				return v
			}
		}
		return values[last](fr)
	}
}

func (c *compiler) compare(n *pysyntax.Compare) eval {
	if len(n.Ops) == 1 {
		return c.compareOne(n.Ops[0], n.Left, n.Rights[0])
	}
	ops, left, rights := n.Ops, c.expr(n.Left), c.exprList(n.Rights)
	return func(fr *Frame) Value {
		a := left(fr)
		for i, right := range rights {
			b := right(fr)
			v := fr.th.Compare(ops[i], a, b)
			if i == len(rights)-1 || !fr.th.Truth(v) {
				return v
			}
			a = b
		}
		return True
	}
}

func (c *compiler) subscript(n *pysyntax.Subscript) eval {
	at := n.Pos
	if part, ok := n.Index.(*pysyntax.Slice); ok && c.see == nil {
		obj, slice := c.expr(n.Value), c.slice(part)
		return func(fr *Frame) Value {
			o, s := obj(fr), slice(fr)
			fr.pos = at
			if v, ok := fr.th.section(o, &s); ok {
				return v
			}
			whole := s
			return fr.th.Index(o, Obj(&whole))
		}
	}
	base, key := c.operand(n.Value), c.operand(n.Index)
	return func(fr *Frame) Value {
		var o, k Value
		base.into(fr, &o)
		key.into(fr, &k)
		fr.pos = at
		return fr.th.Index(o, k)
	}
}

func (c *compiler) slice(n *pysyntax.Slice) func(*Frame) Slice {
	part := func(e pysyntax.Expr) eval {
		if e == nil {
			return func(*Frame) Value { return None }
		}
		return c.expr(e)
	}
	lower, upper, step := part(n.Lower), part(n.Upper), part(n.Step)
	return func(fr *Frame) Slice { return Slice{lower(fr), upper(fr), step(fr)} }
}

// items compiles the elements of a display, with *x spread out.
func (c *compiler) items(elts []pysyntax.Expr) func(fr *Frame) []Value {
	starred := false
	parts := make([]eval, len(elts))
	spread := make([]bool, len(elts))
	for i, e := range elts {
		if s, ok := e.(*pysyntax.Starred); ok {
			starred, spread[i] = true, true
			e = s.Value
		}
		parts[i] = c.expr(e)
	}
	if !starred {
		return func(fr *Frame) []Value {
			fr.th.Alloc(ValueBytes * len(parts))
			return evalAll(fr, parts)
		}
	}
	return func(fr *Frame) []Value {
		var out []Value
		for i, p := range parts {
			v := p(fr)
			if spread[i] {
				items := fr.th.Collect(v)
				fr.th.AllocMany(len(out)+len(items), ValueBytes)
				out = append(out, items...)
			} else {
				out = append(out, v)
			}
		}
		return out
	}
}

func (c *compiler) dict(n *pysyntax.Dict) eval {
	keys, values := make([]eval, len(n.Items)), make([]eval, len(n.Items))
	for i, item := range n.Items {
		if item.Key != nil {
			keys[i] = c.expr(item.Key)
		}
		values[i] = c.expr(item.Value)
	}
	return func(fr *Frame) Value {
		d := NewDictFor(len(values))
		for i, value := range values {
			if keys[i] == nil {
				fr.th.toDict(value(fr)).each(func(k, v Value) { fr.th.SetKey(d, k, v) })
				continue
			}
			k := keys[i](fr)
			fr.th.SetKey(d, k, value(fr))
		}
		return Obj(d)
	}
}

// fstring compiles the parts of an f-string to one text.
func (c *compiler) fstring(n *pysyntax.FString) eval {
	parts := make([]func(fr *Frame), len(n.Values))
	for i, v := range n.Values {
		parts[i] = c.fstringPart(v)
	}
	return func(fr *Frame) Value {
		return String(fr.th.Written(func() {
			for _, p := range parts {
				p(fr)
			}
		}))
	}
}

func (c *compiler) fstringPart(e pysyntax.Expr) func(fr *Frame) {
	f, ok := e.(*pysyntax.Formatted)
	if !ok {
		v, _ := constantOf(e)
		text, _ := v.AsString()
		return func(fr *Frame) { fr.th.Write(text) }
	}
	return c.formatted(f, func(fr *Frame, text string) { fr.th.Write(text) })
}

// formatted compiles {value} in an f-string; what becomes of it is done with the text.
func (c *compiler) formatted(f *pysyntax.Formatted, use func(fr *Frame, text string)) func(fr *Frame) {
	value, conversion := c.expr(f.Value), f.Conversion
	var spec eval
	if f.Spec != nil {
		spec = c.fstring(f.Spec)
	}
	return func(fr *Frame) {
		v := value(fr)
		text, isText := v.o.(Str)
		if !isText || conversion == 'r' || conversion == 'a' || spec != nil {
			text = Str(fr.formatted(v, conversion, spec))
		}
		use(fr, string(text))
	}
}

func (fr *Frame) formatted(v Value, conversion byte, spec eval) string {
	switch conversion {
	case 'r':
		v = String(fr.th.Repr(v))
	case 's':
		v = String(fr.th.Str(v))
	case 'a':
		v = String(ascii(fr.th.Repr(v)))
	}
	format := ""
	if spec != nil {
		format, _ = spec(fr).AsString()
	}
	return fr.th.Format(v, format)
}

func (c *compiler) yield(n *pysyntax.Yield) eval {
	c.inGenerator(n)
	value := func(*Frame) Value { return None }
	if n.Value != nil {
		value = c.expr(n.Value)
	}
	return func(fr *Frame) Value { return fr.yield(value(fr)) }
}

func (c *compiler) yieldFrom(n *pysyntax.YieldFrom) eval {
	c.inGenerator(n)
	value := c.expr(n.Value)
	return func(fr *Frame) Value {
		v := value(fr)
		fr.th.Each(v, func(x Value) bool {
			fr.yield(x)
			return true
		})
		if g, ok := v.o.(*Generator); ok {
			return g.ret
		}
		return None
	}
}

func (c *compiler) inGenerator(n pysyntax.Node) {
	if c.scope.kind == compScope {
		c.fail(n, "'yield' inside a comprehension")
	}
	if c.scope.fn.kind != functionScope {
		c.fail(n, "'yield' outside function")
	}
	c.scope.fn.generator = true
}
