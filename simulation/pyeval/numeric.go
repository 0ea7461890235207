package pyeval

// This file defines the methods of int and float, and rounding.

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// intTable are the methods of int and bool.
func intTable() Table {
	return Table{
		"as_integer_ratio": Pure("as_integer_ratio", func(th *Thread, args []Value, _ []Kw) Value {
			return NewTuple([]Value{args[0], Int(1)})
		}),
		"bit_length": Pure("bit_length", func(th *Thread, args []Value, _ []Kw) Value {
			if b, ok := args[0].o.(*bigInt); ok {
				return Int(int64(b.big().BitLen()))
			}
			return Int(int64(bits.Len64(uint64(abs64(args[0].c.Int(0))))))
		}),
		"bit_count": Pure("bit_count", func(_ *Thread, args []Value, _ []Kw) Value {
			n := 0
			if b, ok := args[0].o.(*bigInt); ok {
				for _, word := range b.big().Bits() {
					n += bits.OnesCount(uint(word))
				}
				return Int(int64(n))
			}
			return Int(int64(bits.OnesCount64(uint64(abs64(args[0].c.Int(0))))))
		}),
		"conjugate":   Pure("conjugate", func(th *Thread, args []Value, _ []Kw) Value { return th.ToInt(args[0]) }),
		"denominator": NewProperty(func(*Thread, Value) Value { return Int(1) }),
		"imag":        NewProperty(func(*Thread, Value) Value { return Int(0) }),
		"is_integer":  Pure("is_integer", func(*Thread, []Value, []Kw) Value { return True }),
		"numerator":   NewProperty(func(th *Thread, v Value) Value { return th.ToInt(v) }),
		"real":        NewProperty(func(th *Thread, v Value) Value { return th.ToInt(v) }),
	}
}

// floatTable are the methods of float.
func floatTable() Table {
	return Table{
		"as_integer_ratio": Pure("as_integer_ratio", func(th *Thread, args []Value, _ []Kw) Value {
			f := args[0].c.Float(0)
			if f-f != 0 {
				th.Raise(ValueError, "cannot convert %s to integer ratio", th.Repr(args[0]))
			}
			r := new(big.Rat).SetFloat64(f)
			return NewTuple([]Value{BigInt(new(big.Int).Set(r.Num())), BigInt(new(big.Int).Set(r.Denom()))})
		}),
		"hex": Pure("hex", func(_ *Thread, args []Value, _ []Kw) Value {
			return String(floatHex(args[0].c.Float(0)))
		}),
		"imag": NewProperty(func(*Thread, Value) Value { return Float(0) }),
		"is_integer": Pure("is_integer", func(_ *Thread, args []Value, _ []Kw) Value {
			f := args[0].c.Float(0)
			return Bool(f == math.Trunc(f) && !math.IsInf(f, 0))
		}),
		"real": NewProperty(func(_ *Thread, v Value) Value { return v }),
	}
}

// Round is Python's round(): half to even, an int without digits.
func (th *Thread) Round(x Value, digits Value) Value {
	if x.o == nil && !x.IsPy() || x.IsArray() {
		n := 0
		if !digits.IsNone() {
			n = int(th.ToIndex(digits, "round"))
		}
		c, err := th.rules.Round(x.c, n)
		if err != nil {
			th.Throw(err)
		}
		if digits.IsNone() && !c.IsArray() {
			return th.ToInt(Value{c: c})
		}
		return Value{c: c}
	}
	if x.IsPy() && typeOf(x) == FloatType {
		if digits.IsNone() {
			return th.FloatToInt(math.RoundToEven(x.c.Float(0)))
		}
		return Float(roundFloat(x.c.Float(0), int(th.ToIndex(digits, "round"))))
	}
	if z, ok := AsBig(x); ok {
		if digits.IsNone() || th.ToIndex(digits, "round") >= 0 {
			return th.ToInt(x)
		}
		return roundBig(z, -th.ToIndex(digits, "round"))
	}
	if f, ok := th.Attr(x, "__round__"); ok {
		if digits.IsNone() {
			return th.InvokeKw(f, nil, nil)
		}
		return th.InvokeKw(f, []Value{digits}, nil)
	}
	th.Raise(TypeError, "type %s doesn't define __round__ method", TypeName(x))
	return Value{}
}

// roundFloat rounds the exact decimal value, as CPython does, not the value times a power of ten.
func roundFloat(f float64, digits int) float64 {
	if f-f != 0 || f == 0 || digits > 323 {
		return f
	}
	if digits < -308 {
		return 0
	}
	if digits >= 0 {
		r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
		return r
	}
	exact := new(big.Rat).SetFloat64(f)
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil))
	q := new(big.Rat).Quo(exact, unit)
	n := roundHalfEven(q)
	r, _ := new(big.Rat).Mul(new(big.Rat).SetInt(n), unit).Float64()
	return math.Copysign(r, f)
}

func roundHalfEven(q *big.Rat) *big.Int {
	two := big.NewInt(2)
	num := new(big.Int).Mul(q.Num(), two)
	num.Add(num, q.Denom())
	den := new(big.Int).Mul(q.Denom(), two)
	n, rem := new(big.Int).DivMod(num, den, new(big.Int))
	if rem.Sign() == 0 && n.Bit(0) == 1 {
		n.Sub(n, big.NewInt(1))
	}
	return n
}

func roundBig(z *big.Int, zeros int64) Value {
	if zeros > 10_000 {
		return Int(0)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(zeros), nil)
	n := roundHalfEven(new(big.Rat).SetFrac(z, unit))
	return BigInt(n.Mul(n, unit))
}

// floatHex writes a float as float.hex does: 13 digits behind the point, an exponent without zeros in front.
func floatHex(f float64) string {
	sign, size := "", math.Abs(f)
	if math.Signbit(f) && !math.IsNaN(f) {
		sign = "-"
	}
	bits := math.Float64bits(size)
	exponent, fraction := int(bits>>52)-1023, bits&(1<<52-1)
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return sign + "inf"
	case size == 0:
		return sign + "0x0.0p+0"
	case exponent == -1023:
		return fmt.Sprintf("%s0x0.%013xp-1022", sign, fraction)
	}
	return fmt.Sprintf("%s0x1.%013xp%+d", sign, fraction, exponent)
}
