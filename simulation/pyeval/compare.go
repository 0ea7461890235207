package pyeval

import (
	"math/big"
	"strings"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// ArrayComparisons names numpy's function of a comparison.
var ArrayComparisons = [...]vector.Op{
	pysyntax.Eq: vector.Equal, pysyntax.NotEq: vector.NotEqual, pysyntax.Lt: vector.Less, pysyntax.LtE: vector.LessEqual,
	pysyntax.Gt: vector.Greater, pysyntax.GtE: vector.GreaterEqual,
}

// mirrored is the comparison with its operands exchanged.
var mirrored = [...]compareOp{
	pysyntax.Eq: pysyntax.Eq, pysyntax.NotEq: pysyntax.NotEq, pysyntax.Lt: pysyntax.Gt, pysyntax.LtE: pysyntax.GtE,
	pysyntax.Gt: pysyntax.Lt, pysyntax.GtE: pysyntax.LtE,
}

var compareNames = [...]string{
	pysyntax.Eq: "__eq__", pysyntax.NotEq: "__ne__", pysyntax.Lt: "__lt__", pysyntax.LtE: "__le__",
	pysyntax.Gt: "__gt__", pysyntax.GtE: "__ge__",
}

// Compare computes a op b for any comparison; on arrays the result is an array.
func (th *Thread) Compare(op compareOp, a, b Value) Value {
	switch op {
	case pysyntax.Is, pysyntax.IsNot:
		if a.o == nil && b.o == nil {
			th.OfData("whether two arrays are the same", a.c)
		}
		return Bool(Same(a, b) == (op == pysyntax.Is))
	case pysyntax.In:
		return Bool(th.Contains(b, a))
	case pysyntax.NotIn:
		return Bool(!th.Contains(b, a))
	}
	if a.o == nil && b.o == nil {
		if a.c.Form() == vector.PyScalar && b.c.Form() == vector.PyScalar {
			return Bool(compareNumbers(op, a.c, b.c))
		}
		return th.compareColumns(op, a.c, b.c)
	}
	return th.compareObjects(op, a, b)
}

func (th *Thread) compareColumns(op compareOp, a, b vector.Column) Value {
	c, err := th.rules.Binary(ArrayComparisons[op], a, b)
	if err != nil {
		th.Throw(err)
	}
	th.madeColumn(c)
	return Value{c: c}
}

func compareNumbers(op compareOp, a, b vector.Column) bool {
	if a.Type() != vector.Float64 && b.Type() != vector.Float64 {
		return ordered(op, cmp3(a.Int(0), b.Int(0)))
	}
	if a.Type() == vector.Float64 && b.Type() == vector.Float64 || exactFloat(a) && exactFloat(b) {
		x, y := a.Float(0), b.Float(0)
		if x != x || y != y {
			return op == pysyntax.NotEq
		}
		return ordered(op, cmp3(x, y))
	}
	return ordered(op, bigFloat(a).Cmp(bigFloat(b)))
}

// exactFloat says that a number converts to float64 without loss (and is not NaN or infinite if a float).
func exactFloat(c vector.Column) bool {
	if c.Type() == vector.Float64 {
		f := c.Float(0)
		return f != f || f-f != 0 || f < 1<<53 && f > -1<<53
	}
	i := c.Int(0)
	return i < 1<<53 && i > -1<<53
}

func bigFloat(c vector.Column) *big.Float {
	if c.Type() == vector.Float64 {
		f := c.Float(0)
		if f != f {
			f = 0
		}
		return new(big.Float).SetPrec(128).SetFloat64(f)
	}
	return new(big.Float).SetPrec(128).SetInt64(c.Int(0))
}

func cmp3[T int64 | float64 | int](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func ordered(op compareOp, c int) bool {
	switch op {
	case pysyntax.Eq:
		return c == 0
	case pysyntax.NotEq:
		return c != 0
	case pysyntax.Lt:
		return c < 0
	case pysyntax.LtE:
		return c <= 0
	case pysyntax.Gt:
		return c > 0
	}
	return c >= 0
}

func (th *Thread) compareObjects(op compareOp, a, b Value) Value {
	if v, ok := th.compareBuiltin(op, a, b); ok {
		return v
	}
	if !arrayFirst(a, b) {
		if v, ok := th.compareHost(op, a, b); ok {
			return v
		}
	}
	if v, ok := th.compareArray(op, a, b); ok {
		return v
	}
	switch op {
	case pysyntax.Eq:
		return Bool(Same(a, b))
	case pysyntax.NotEq:
		return Bool(!Same(a, b))
	}
	th.Raise(TypeError, "'%s' not supported between instances of '%s' and '%s'", op, TypeName(a), TypeName(b))
	return Value{}
}

func (th *Thread) compareHost(op compareOp, a, b Value) (Value, bool) {
	if h, ok := a.o.(Comparer); ok {
		if v, ok := h.Compare(th, op, b); ok {
			return v, true
		}
	}
	if v, ok := th.special1(a, compareNames[op], b); ok {
		return v, true
	}
	if h, ok := b.o.(Comparer); ok {
		if v, ok := h.Compare(th, mirrored[op], a); ok {
			return v, true
		}
	}
	if v, ok := th.special1(b, compareNames[mirrored[op]], a); ok {
		return v, true
	}
	if op == pysyntax.NotEq {
		if v, ok := th.special1(a, "__eq__", b); ok {
			return Bool(!th.Truth(v)), true
		}
	}
	return Value{}, false
}

// compareArray compares an array with text, a list or an object, element by element.
func (th *Thread) compareArray(op compareOp, a, b Value) (Value, bool) {
	numpyA := a.o == nil && a.c.Form() != vector.PyScalar
	numpyB := b.o == nil && b.c.Form() != vector.PyScalar
	if !numpyA && !numpyB {
		return Value{}, false
	}
	if (a.IsNone() || b.IsNone()) && !a.IsArray() && !b.IsArray() {
		return Value{}, false
	}
	x, okx := th.AsColumn(a)
	y, oky := th.AsColumn(b)
	if !okx || !oky {
		return Value{}, false
	}
	return th.compareColumns(op, x, y), true
}

// compareBuiltin knows text, sequences, sets, dicts and big numbers.
func (th *Thread) compareBuiltin(op compareOp, a, b Value) (Value, bool) {
	switch x := a.o.(type) {
	case Str:
		if y, ok := b.o.(Str); ok {
			th.Work(min(len(x), len(y)))
			return Bool(ordered(op, strings.Compare(string(x), string(y)))), true
		}
	case Bytes:
		if y, ok := b.o.(Bytes); ok {
			th.Work(min(len(x), len(y)))
			return Bool(ordered(op, strings.Compare(string(x), string(y)))), true
		}
	case *List:
		if y, ok := b.o.(*List); ok {
			return th.compareItems(op, x.items, y.items), true
		}
	case *Tuple:
		if y, ok := b.o.(*Tuple); ok {
			return th.compareItems(op, x.items, y.items), true
		}
	case *Set, dictView:
		if isSetLike(a) && isSetLike(b) {
			return Bool(th.compareSets(op, th.toSet(a), th.toSet(b))), true
		}
	case *Dict:
		if y, ok := b.o.(*Dict); ok && (op == pysyntax.Eq || op == pysyntax.NotEq) {
			return Bool(th.equalDicts(x, y) == (op == pysyntax.Eq)), true
		}
	}
	return compareBig(op, a, b)
}

func compareBig(op compareOp, a, b Value) (Value, bool) {
	_, ba := a.o.(*bigInt)
	_, bb := b.o.(*bigInt)
	if !ba && !bb {
		return Value{}, false
	}
	if x, y, ok := bigPair(a, b); ok {
		return Bool(ordered(op, x.Cmp(y))), true
	}
	x, okx := a.AsFloat()
	y, oky := b.AsFloat()
	if !okx || !oky {
		return Value{}, false
	}
	if x != x || y != y {
		return Bool(op == pysyntax.NotEq), true
	}
	return Bool(ordered(op, cmp3(x, y))), true
}

func (th *Thread) compareItems(op compareOp, x, y []Value) Value {
	if (op == pysyntax.Eq || op == pysyntax.NotEq) && len(x) != len(y) {
		return Bool(op == pysyntax.NotEq)
	}
	th.Nest(1)
	v := th.compareInOrder(op, x, y)
	th.Nest(-1)
	return v
}

func (th *Thread) compareInOrder(op compareOp, x, y []Value) Value {
	for i := range min(len(x), len(y)) {
		th.step()
		if th.Equal(x[i], y[i]) {
			continue
		}
		switch op {
		case pysyntax.Eq:
			return False
		case pysyntax.NotEq:
			return True
		}
		return th.Compare(op, x[i], y[i])
	}
	return Bool(ordered(op, cmp3(len(x), len(y))))
}

func (th *Thread) compareSets(op compareOp, x, y *Set) bool {
	switch op {
	case pysyntax.Eq:
		return x.d.Len() == y.d.Len() && x.subset(th, y)
	case pysyntax.NotEq:
		return x.d.Len() != y.d.Len() || !x.subset(th, y)
	case pysyntax.LtE:
		return x.subset(th, y)
	case pysyntax.Lt:
		return x.d.Len() < y.d.Len() && x.subset(th, y)
	case pysyntax.GtE:
		return y.subset(th, x)
	}
	return y.d.Len() < x.d.Len() && y.subset(th, x)
}

func (th *Thread) equalDicts(x, y *Dict) bool {
	if x.Len() != y.Len() {
		return false
	}
	th.Nest(1)
	equal := true
	x.Items(func(k, v Value) bool {
		th.step()
		other, ok := y.get(th.keyIn(y, k))
		equal = ok && th.Equal(v, other)
		return equal
	})
	th.Nest(-1)
	return equal
}

// Equal is a == b as a truth, with identity first as containers do.
func (th *Thread) Equal(a, b Value) bool {
	if a.o != nil && b.o != nil && identical(a.o, b.o) {
		return true
	}
	return th.Truth(th.Compare(pysyntax.Eq, a, b))
}

func (th *Thread) less(a, b Value) bool { return th.Truth(th.Compare(pysyntax.Lt, a, b)) }

// Contains is `v in c`.
func (th *Thread) Contains(c, v Value) bool {
	switch o := c.o.(type) {
	case Str:
		s, ok := v.AsString()
		if !ok {
			th.Raise(TypeError, "'in <string>' requires string as left operand, not %s", TypeName(v))
		}
		th.Work(len(o))
		return strings.Contains(string(o), s)
	case Bytes:
		if s, ok := v.o.(Bytes); ok {
			th.Work(len(o))
			return strings.Contains(string(o), string(s))
		}
	case *List:
		return th.among(o.items, v)
	case *Tuple:
		return th.among(o.items, v)
	case *Dict:
		_, ok := o.get(th.keyIn(o, v))
		return ok
	case *Class:
		if o.Meta != nil && o.Meta.Contains != nil {
			return o.Meta.Contains(th, o, v)
		}
	case Container:
		return o.Contains(th, v)
	case *Instance:
		if r, ok := th.special1(c, "__contains__", v); ok {
			return th.Truth(r)
		}
	}
	found := false
	th.Each(c, func(x Value) bool {
		th.step()
		found = th.Equal(v, x)
		return !found
	})
	return found
}

// among looks for a value in the items of a sequence.
func (th *Thread) among(items []Value, v Value) bool {
	text, isText := v.o.(Str)
	for i := range items {
		th.step()
		if other, ok := items[i].o.(Str); ok && isText {
			th.Work(min(len(other), len(text)))
			if other == text {
				return true
			}
		} else if th.Equal(v, items[i]) {
			return true
		}
	}
	return false
}

// Truth is Python's bool(v).
func (th *Thread) Truth(v Value) bool {
	switch o := v.o.(type) {
	case nil:
		return th.truthColumn(v.c)
	case Str:
		return o != ""
	case Bytes:
		return o != ""
	case *List:
		return len(o.items) > 0
	case *Tuple:
		return len(o.items) > 0
	case *Dict:
		return o.Len() > 0
	case singleton:
		return o.class != noneType
	case *bigInt, *Class, *Function:
		return true
	case Truther:
		return o.Truth(th)
	case Lener:
		return o.Len(th) > 0
	case *Instance:
		return th.truthInstance(v)
	}
	return true
}

func (th *Thread) truthInstance(v Value) bool {
	if r, ok := th.Special(v, "__bool__"); ok {
		return th.Truth(r)
	}
	if r, ok := th.Special(v, "__len__"); ok {
		return th.Truth(r)
	}
	return true
}

func (th *Thread) truthColumn(c vector.Column) bool {
	if th.rows != nil && c.Len() <= 1 {
		th.OfData("the truth of an array", c)
	}
	if c.Len() == 1 {
		if c.Type() == vector.Object {
			return th.Truth(FromAny(c.Object(0)))
		}
		return c.Bool(0)
	}
	if c.Len() > 1 {
		th.Raise(ValueError, "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
	}
	return false
}
