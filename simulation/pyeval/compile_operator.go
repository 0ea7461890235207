package pyeval

import (
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// An operand that is a local variable, one of the functions around or a literal is read where it lies instead of through a closure:
// most operands are, and copying values is most of the cost of an operation on one household.

// operand is one side of an operator, or an argument. It is small because a legislation has more of them than fit into the
// caches of a core.
type operand struct {
	eval eval  // nil of a local variable and a literal
	slot int32 // of a local variable; freeSlot and down of those of the functions around; or -1
	// computed says that eval ends in compute, so that Thread.fresh tells about its value.
	computed bool
	*literal
}

// freeSlot stands for the first variable of the functions around, the numbers below it for the next ones.
const freeSlot = -2

// literal is the value of one, or else the name of a local variable.
type literal struct {
	value Value
	name  string
}

func (c *compiler) operand(e pysyntax.Expr) operand {
	if c.see != nil {
		return operand{slot: -1, eval: c.expr(e)}
	}
	if v, ok := constantOf(e); ok {
		return operand{slot: -1, literal: &literal{value: v}}
	}
	if n, ok := e.(*pysyntax.Name); ok {
		name := mangle(c.scope.class, n.ID)
		switch v := c.scope.lookup(name); v.kind {
		case varSlot:
			return operand{slot: int32(v.slot), literal: &literal{name: name}}
		case varFree:
			return operand{slot: int32(freeSlot - v.slot), eval: c.expr(e)}
		}
	}
	n, ok := e.(*pysyntax.Binary)
	return operand{slot: -1, eval: c.expr(e), computed: ok && !aside(n.Op)}
}

// aside tells the operators that [compiler.operate] does not compile.
func aside(op binaryOp) bool {
	return op == pysyntax.MatMult || op == pysyntax.LShift || op == pysyntax.RShift
}

// free tells of an operand that was evaluated just now whether its storage may take the result: it holds an array that
// nobody else has seen.
func (o *operand) free(th *Thread) bool { return o.computed && th.fresh }

func (c *compiler) operands(es []pysyntax.Expr) []operand {
	out := make([]operand, len(es))
	for i, e := range es {
		out[i] = c.operand(e)
	}
	return out
}

// into puts the value of the operand into a slot.
func (o *operand) into(fr *Frame, w *Value) {
	switch {
	case o.slot >= 0:
		*w = fr.slots[o.slot]
		if w.isUnbound() {
			fr.unboundLocal(o.name)
		}
	case o.eval != nil:
		if o.slot <= freeSlot {
			if *w = fr.frees[freeSlot-o.slot].v; !w.isUnbound() {
				return
			}
		}
		*w = o.eval(fr)
	default:
		*w = o.value
	}
}

// at gives the value of the operand where it lies, or else in room. It is to be read before anything else is evaluated.
func (o *operand) at(fr *Frame, room *Value) *Value {
	switch {
	case o.slot >= 0:
		if v := &fr.slots[o.slot]; !v.isUnbound() {
			return v
		}
		fr.unboundLocal(o.name)
	case o.slot <= freeSlot:
		if v := &fr.frees[freeSlot-o.slot].v; !v.isUnbound() {
			return v
		}
	case o.eval == nil:
		return &o.value
	}
	*room = o.eval(fr)
	return room
}

// uncallable is a number, or an array, that is to be called. It cannot be, which is found when the arguments are evaluated.
type uncallable struct{ value Value }

// Type implements Object.
func (u uncallable) Type() *Class { return typeOf(u.value) }

// callee evaluates what is to be called.
func (o *operand) callee(fr *Frame) Object {
	if o.slot >= 0 {
		if f := fr.slots[o.slot].o; f != nil {
			if _, none := f.(*unboundMark); !none {
				return f
			}
		}
	}
	var v Value
	o.into(fr, &v)
	if v.o == nil {
		return uncallable{v}
	}
	return v.o
}

// operator is a binary operator or a comparison, with numpy's name of it.
type operator struct {
	vector  vector.Op
	compare bool
	binary  binaryOp
	order   compareOp
}

func (c *compiler) binary(n *pysyntax.Binary) eval {
	op := n.Op
	if aside(op) {
		left, right := c.expr(n.Left), c.expr(n.Right)
		return func(fr *Frame) Value { return fr.th.Binary(op, left(fr), right(fr)) }
	}
	return c.operate(n.Left, n.Right, operator{vector: ArrayOps[op], binary: op})
}

func (c *compiler) compareOne(op compareOp, l, r pysyntax.Expr) eval {
	left, right := c.operand(l), c.operand(r)
	switch op {
	case pysyntax.Is, pysyntax.IsNot:
		is := op == pysyntax.Is
		return func(fr *Frame) Value {
			var a, b Value
			left.into(fr, &a)
			right.into(fr, &b)
			return Bool(Same(a, b) == is)
		}
	case pysyntax.In, pysyntax.NotIn:
		in := op == pysyntax.In
		return func(fr *Frame) Value {
			var a, b Value
			left.into(fr, &a)
			right.into(fr, &b)
			return Bool(fr.th.Contains(b, a) == in)
		}
	}
	ordinary := c.operate(l, r, operator{vector: ArrayComparisons[op], compare: true, order: op})
	if special := c.comparePath(op, l, right, ordinary); special != nil {
		return special
	}
	return ordinary
}

// comparePath compiles name.a.b.c == 7 and its like for a local variable, whose value may want to know; nil if it is
// something else.
func (c *compiler) comparePath(op compareOp, l pysyntax.Expr, right operand, ordinary eval) eval {
	if right.slot >= 0 || right.eval != nil {
		return nil
	}
	number, isInt := right.value.AsInt()
	if !isInt {
		return nil
	}
	path, base := c.chain(l)
	name, ok := base.(*pysyntax.Name)
	if !ok || len(path) < 2 {
		return nil
	}
	v := c.scope.lookup(mangle(c.scope.class, name.ID))
	if v.kind != varSlot {
		return nil
	}
	slot := v.slot
	return func(fr *Frame) Value {
		if o, ok := fr.slots[slot].o.(PathComparer); ok {
			if is, ok := o.ComparePath(fr.th, path, op, number); ok {
				return Bool(is)
			}
		}
		return ordinary(fr)
	}
}

// operate compiles an operator for the kinds of its operands. Columns go straight to numpy's
// operation.
func (c *compiler) operate(l, r pysyntax.Expr, op operator) eval {
	left, right := c.operand(l), c.operand(r)
	i, j := int(left.slot), int(right.slot)
	switch {
	case i >= 0 && j >= 0:
		return func(fr *Frame) Value {
			a, b := &fr.slots[i], &fr.slots[j]
			if a.isUnbound() || b.isUnbound() {
				fr.unboundOperand(&left, &right)
			}
			return compute(fr.th, op, a, b, false, false)
		}
	case i >= 0 && right.eval == nil:
		b := right.value
		return func(fr *Frame) Value {
			a := &fr.slots[i]
			if a.isUnbound() {
				fr.unboundLocal(left.name)
			}
			return compute(fr.th, op, a, &b, false, false)
		}
	case left.eval != nil && j >= 0:
		first := left.eval
		return func(fr *Frame) Value {
			a := first(fr)
			b := &fr.slots[j]
			if b.isUnbound() {
				fr.unboundLocal(right.name)
			}
			return compute(fr.th, op, &a, b, left.free(fr.th), false)
		}
	case left.eval != nil && right.eval == nil:
		first, b := left.eval, right.value
		return func(fr *Frame) Value {
			a := first(fr)
			return compute(fr.th, op, &a, &b, left.free(fr.th), false)
		}
	}
	return func(fr *Frame) Value {
		var a, b Value
		left.into(fr, &a)
		freeA := left.free(fr.th)
		right.into(fr, &b)
		return compute(fr.th, op, &a, &b, freeA, right.free(fr.th))
	}
}

func (fr *Frame) unboundOperand(left, right *operand) {
	if fr.slots[left.slot].isUnbound() {
		fr.unboundLocal(left.name)
	}
	fr.unboundLocal(right.name)
}

// compute applies an operation to arrays at once, and leaves the rest to Python's rules. An operand that is free may be
// overwritten. Thread.fresh tells afterwards whether the result is: numbers that were computed here have storage of their
// own, while what Python code returns may be held elsewhere.
func compute(th *Thread, op operator, a, b *Value, freeA, freeB bool) Value {
	var out Value
	if a.o == nil && b.o == nil && (a.c.IsArray() || b.c.IsArray()) {
		if th.fresh = false; th.rules.Constants(op.vector, &a.c, &b.c, &out.c) {
			return out
		}
		var err error
		if out.c, err = th.rules.BinaryReuse(op.vector, a.c, b.c, freeA, freeB); err != nil {
			th.Throw(err)
		}
		th.fresh = a.c.Type().Number() && b.c.Type().Number()
		th.madeColumn(out.c)
		return out
	}
	if op.compare {
		if out, ok := th.compareQuickly(op.order, a, b); ok {
			th.fresh = false
			return out
		}
		out = th.Compare(op.order, *a, *b)
	} else {
		out = th.Binary(op.binary, *a, *b)
	}
	th.fresh = false
	return out
}

// compareQuickly compares two texts, and asks an operand that has comparisons of its own: in most cases that is what Compare comes to.
func (th *Thread) compareQuickly(op compareOp, a, b *Value) (v Value, ok bool) {
	if a.o == nil {
		if host, is := b.o.(Comparer); is {
			return host.Compare(th, mirrored[op], *a)
		}
		return v, false
	}
	if s, is := a.o.(Str); is && op <= opNotEq {
		if t, is := b.o.(Str); is {
			return Bool((s == t) == (op == opEq)), true
		}
	}
	if host, is := a.o.(Comparer); is {
		return host.Compare(th, op, *b)
	}
	return v, false
}
