package pyeval

// This file defines the operators of numbers and arrays; ops_object.go has those of everything else.

import (
	"math"
	"math/big"
	"math/bits"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

type (
	binaryOp  = pysyntax.BinaryOp
	compareOp = pysyntax.CompareOp
)

const (
	opEq    = pysyntax.Eq
	opNotEq = pysyntax.NotEq
)

// ArrayOps names numpy's function of an operator; @, << and >> have none here.
var ArrayOps = [...]vector.Op{
	pysyntax.Add: vector.Add, pysyntax.Sub: vector.Subtract, pysyntax.Mult: vector.Multiply, pysyntax.Div: vector.Divide,
	pysyntax.FloorDiv: vector.FloorDivide, pysyntax.Mod: vector.Remainder, pysyntax.Pow: vector.Power,
	pysyntax.BitAnd: vector.BitAnd, pysyntax.BitOr: vector.BitOr, pysyntax.BitXor: vector.BitXor,
}

// specialNames are the methods behind the operators.
var specialNames = [...][3]string{
	pysyntax.Add: {"__add__", "__radd__", "__iadd__"}, pysyntax.Sub: {"__sub__", "__rsub__", "__isub__"},
	pysyntax.Mult: {"__mul__", "__rmul__", "__imul__"}, pysyntax.MatMult: {"__matmul__", "__rmatmul__", "__imatmul__"},
	pysyntax.Div: {"__truediv__", "__rtruediv__", "__itruediv__"}, pysyntax.Mod: {"__mod__", "__rmod__", "__imod__"},
	pysyntax.Pow: {"__pow__", "__rpow__", "__ipow__"}, pysyntax.LShift: {"__lshift__", "__rlshift__", "__ilshift__"},
	pysyntax.RShift: {"__rshift__", "__rrshift__", "__irshift__"}, pysyntax.BitOr: {"__or__", "__ror__", "__ior__"},
	pysyntax.BitXor: {"__xor__", "__rxor__", "__ixor__"}, pysyntax.BitAnd: {"__and__", "__rand__", "__iand__"},
	pysyntax.FloorDiv: {"__floordiv__", "__rfloordiv__", "__ifloordiv__"},
}

// Binary computes a op b.
func (th *Thread) Binary(op binaryOp, a, b Value) Value {
	if a.o == nil && b.o == nil {
		if a.c.Form() == vector.PyScalar && b.c.Form() == vector.PyScalar {
			return th.numbers(op, a, b)
		}
		return th.columns(op, a.c, b.c)
	}
	return th.binaryObjects(op, a, b)
}

// columns computes with at least one numpy operand.
func (th *Thread) columns(op binaryOp, a, b vector.Column) Value {
	switch op {
	case pysyntax.MatMult:
		th.unsupported(op, Value{c: a}, Value{c: b})
	case pysyntax.LShift, pysyntax.RShift:
		return th.shifted(op, a, b)
	}
	c, err := th.rules.Binary(ArrayOps[op], a, b)
	if err != nil {
		if x, y := textOf(a), textOf(b); x.o != nil || y.o != nil {
			return th.Binary(op, x, y)
		}
		th.Throw(err)
	}
	th.madeColumn(c)
	return Value{c: c}
}

// textOf is the str that a numpy scalar of text is, else the column as it is.
func textOf(c vector.Column) Value {
	if c.Type() == vector.Str && c.Form() == vector.NumpyScalar {
		return String(c.Text(0))
	}
	return Value{c: c}
}

func (th *Thread) unsupported(op binaryOp, a, b Value) {
	name := op.String()
	if op == pysyntax.Pow {
		name = "** or pow()"
	}
	th.Raise(TypeError, "unsupported operand type(s) for %s: '%s' and '%s'", name, TypeName(a), TypeName(b))
}

// numbers computes with two Python numbers.
func (th *Thread) numbers(op binaryOp, a, b Value) Value {
	if a.c.Type() == vector.Float64 || b.c.Type() == vector.Float64 {
		return th.floats(op, a.c.Float(0), b.c.Float(0), a, b)
	}
	return th.ints(op, a, b)
}

func (th *Thread) floats(op binaryOp, x, y float64, a, b Value) Value {
	switch op {
	case pysyntax.Add:
		return Float(x + y)
	case pysyntax.Sub:
		return Float(x - y)
	case pysyntax.Mult:
		return Float(x * y)
	case pysyntax.Div:
		if y == 0 {
			th.Raise(ZeroDivisionError, "float division by zero")
		}
		return Float(x / y)
	case pysyntax.FloorDiv:
		if y == 0 {
			th.Raise(ZeroDivisionError, "float floor division by zero")
		}
		q, _ := floatDivMod(x, y)
		return Float(q)
	case pysyntax.Mod:
		if y == 0 {
			th.Raise(ZeroDivisionError, "float modulo")
		}
		_, r := floatDivMod(x, y)
		return Float(r)
	case pysyntax.Pow:
		return th.floatPower(x, y)
	}
	th.unsupported(op, a, b)
	return Value{}
}

// floatDivMod divides as CPython does: the remainder has the sign of the divisor.
func floatDivMod(x, y float64) (quotient, remainder float64) {
	r := math.Mod(x, y)
	q := (x - r) / y
	if r != 0 {
		if (y < 0) != (r < 0) {
			r += y
			q--
		}
	} else {
		r = math.Copysign(0, y)
	}
	if q == 0 {
		return math.Copysign(0, x/y), r
	}
	floor := math.Floor(q)
	if q-floor > 0.5 {
		floor++
	}
	return floor, r
}

func (th *Thread) floatPower(x, y float64) Value {
	if x == 0 && y < 0 {
		th.Raise(ZeroDivisionError, "0.0 cannot be raised to a negative power")
	}
	if x < 0 && y != math.Trunc(y) && !math.IsInf(y, 0) {
		th.Raise(ValueError, "a negative number to a fractional power is complex, which is not supported")
	}
	r := math.Pow(x, y)
	if math.IsInf(r, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		th.Raise(OverflowError, "(34, 'Numerical result out of range')")
	}
	return Float(r)
}

// ints computes with two Python ints of 64 bits (or bools), and goes to big numbers on overflow.
func (th *Thread) ints(op binaryOp, a, b Value) Value {
	x, y := a.c.Int(0), b.c.Int(0)
	switch op {
	case pysyntax.Add:
		if s := x + y; (s > x) == (y > 0) {
			return Int(s)
		}
	case pysyntax.Sub:
		if s := x - y; (s < x) == (y > 0) {
			return Int(s)
		}
	case pysyntax.Mult:
		if p, ok := mulInt(x, y); ok {
			return Int(p)
		}
	case pysyntax.Div:
		return th.divideInts(x, y)
	case pysyntax.FloorDiv, pysyntax.Mod:
		if y == 0 {
			th.Raise(ZeroDivisionError, "integer division or modulo by zero")
		}
		if y != -1 {
			return floorInts(op, x, y)
		}
	case pysyntax.BitAnd, pysyntax.BitOr, pysyntax.BitXor:
		return bitInts(op, x, y, a, b)
	case pysyntax.MatMult:
		th.unsupported(op, a, b)
	}
	return th.bigs(op, big.NewInt(x), big.NewInt(y), a, b)
}

func mulInt(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(abs64(x)), uint64(abs64(y)))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (x < 0) != (y < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

func abs64(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

func floorInts(op binaryOp, x, y int64) Value {
	q, r := x/y, x%y
	if r != 0 && (r < 0) != (y < 0) {
		q--
		r += y
	}
	if op == pysyntax.Mod {
		return Int(r)
	}
	return Int(q)
}

func bitInts(op binaryOp, x, y int64, a, b Value) Value {
	both := a.c.Type() == vector.Bool && b.c.Type() == vector.Bool
	var r int64
	switch op {
	case pysyntax.BitAnd:
		r = x & y
	case pysyntax.BitOr:
		r = x | y
	default:
		r = x ^ y
	}
	if both {
		return Bool(r != 0)
	}
	return Int(r)
}

// divideInts is true division, correctly rounded also beyond 2^53.
func (th *Thread) divideInts(x, y int64) Value {
	if y == 0 {
		th.Raise(ZeroDivisionError, "division by zero")
	}
	const exact = 1 << 53
	if x > -exact && x < exact && y > -exact && y < exact {
		return Float(float64(x) / float64(y))
	}
	f, _ := big.NewRat(x, y).Float64()
	return Float(f)
}

func (th *Thread) bigs(op binaryOp, x, y *big.Int, a, b Value) Value {
	th.WorkOn(x, y)
	z := new(big.Int)
	switch op {
	case pysyntax.Add:
		th.checkBits(max(x.BitLen(), y.BitLen()))
		return BigInt(z.Add(x, y))
	case pysyntax.Sub:
		th.checkBits(max(x.BitLen(), y.BitLen()))
		return BigInt(z.Sub(x, y))
	case pysyntax.Mult:
		th.checkBits(x.BitLen() + y.BitLen())
		return BigInt(z.Mul(x, y))
	case pysyntax.Div:
		if y.Sign() == 0 {
			th.Raise(ZeroDivisionError, "division by zero")
		}
		f, _ := new(big.Rat).SetFrac(x, y).Float64()
		if math.IsInf(f, 0) {
			th.Raise(OverflowError, "integer division result too large for a float")
		}
		return Float(f)
	case pysyntax.FloorDiv, pysyntax.Mod:
		return th.bigFloor(op, x, y)
	case pysyntax.Pow:
		return th.bigPower(x, y)
	case pysyntax.LShift, pysyntax.RShift:
		return th.bigShift(op, x, y)
	case pysyntax.BitAnd:
		return BigInt(z.And(x, y))
	case pysyntax.BitOr:
		return BigInt(z.Or(x, y))
	case pysyntax.BitXor:
		return BigInt(z.Xor(x, y))
	}
	th.unsupported(op, a, b)
	return Value{}
}

func (th *Thread) bigFloor(op binaryOp, x, y *big.Int) Value {
	if y.Sign() == 0 {
		th.Raise(ZeroDivisionError, "integer division or modulo by zero")
	}
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && (r.Sign() < 0) != (y.Sign() < 0) {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	if op == pysyntax.Mod {
		return BigInt(r)
	}
	return BigInt(q)
}

func (th *Thread) bigPower(x, y *big.Int) Value {
	if y.Sign() < 0 {
		if x.Sign() == 0 {
			th.Raise(ZeroDivisionError, "0.0 cannot be raised to a negative power")
		}
		f, _ := new(big.Float).SetInt(x).Float64()
		g, _ := new(big.Float).SetInt(y).Float64()
		return Float(math.Pow(f, g))
	}
	if x.BitLen() > 1 {
		if !y.IsInt64() || y.Int64() > maxBits {
			th.checkBits(maxBits + 1)
		}
		th.checkBits(x.BitLen() * int(y.Int64()))
	}
	return BigInt(new(big.Int).Exp(x, y, nil))
}

func (th *Thread) bigShift(op binaryOp, x, y *big.Int) Value {
	if y.Sign() < 0 {
		th.Raise(ValueError, "negative shift count")
	}
	if op == pysyntax.RShift {
		if !y.IsInt64() || y.Int64() > maxBits {
			y = big.NewInt(maxBits)
		}
		return BigInt(new(big.Int).Rsh(x, uint(y.Int64())))
	}
	if !y.IsInt64() || y.Int64() > maxBits {
		th.checkBits(maxBits + 1)
	}
	th.checkBits(x.BitLen() + int(y.Int64()))
	return BigInt(new(big.Int).Lsh(x, uint(y.Int64())))
}

// AsBig reads an int of any size.
func AsBig(v Value) (*big.Int, bool) {
	if b, ok := v.o.(*bigInt); ok {
		return b.big(), true
	}
	if v.IsPy() && v.c.Type() != vector.Float64 {
		return big.NewInt(v.c.Int(0)), true
	}
	return nil, false
}

var vectorUnary = [...]vector.Op{
	pysyntax.Invert: vector.Invert, pysyntax.Not: vector.LogicalNot, pysyntax.UAdd: vector.Positive, pysyntax.USub: vector.Negative,
}

// Unary computes op a.
func (th *Thread) Unary(op pysyntax.UnaryOp, a Value) Value {
	if op == pysyntax.Not {
		return Bool(!th.Truth(a))
	}
	if a.o != nil {
		return th.unaryObject(op, a)
	}
	if a.IsPy() {
		return th.unaryNumber(op, a)
	}
	c, err := th.rules.Unary(vectorUnary[op], a.c)
	if err != nil {
		th.Throw(err)
	}
	th.madeColumn(c)
	return Value{c: c}
}

func (th *Thread) unaryNumber(op pysyntax.UnaryOp, a Value) Value {
	if a.c.Type() == vector.Float64 {
		switch op {
		case pysyntax.USub:
			return Float(-a.c.Float(0))
		case pysyntax.UAdd:
			return a
		}
		th.badUnary(op, a)
	}
	x := a.c.Int(0)
	switch op {
	case pysyntax.USub:
		if x == math.MinInt64 {
			return BigInt(new(big.Int).Neg(big.NewInt(x)))
		}
		return Int(-x)
	case pysyntax.Invert:
		return Int(^x)
	}
	return Int(x)
}

var unaryNames = [...]string{pysyntax.Invert: "__invert__", pysyntax.Not: "", pysyntax.UAdd: "__pos__", pysyntax.USub: "__neg__"}

func (th *Thread) unaryObject(op pysyntax.UnaryOp, a Value) Value {
	switch o := a.o.(type) {
	case *bigInt:
		switch op {
		case pysyntax.USub:
			return BigInt(new(big.Int).Neg(o.big()))
		case pysyntax.Invert:
			return BigInt(new(big.Int).Not(o.big()))
		}
		return a
	case Unarier:
		if v, ok := o.Unary(th, op); ok {
			return v
		}
	}
	if v, ok := th.Special(a, unaryNames[op]); ok {
		return v
	}
	th.badUnary(op, a)
	return Value{}
}

func (th *Thread) badUnary(op pysyntax.UnaryOp, a Value) {
	th.Raise(TypeError, "bad operand type for unary %s: '%s'", op, TypeName(a))
}
