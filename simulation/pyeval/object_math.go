package pyeval

import (
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// This file is what package vector is told about Python's objects in columns.

// objectMath computes with the elements of object columns by Python's rules.
type objectMath struct{ th *Thread }

// Box implements [vector.ObjectMath].
func (m objectMath) Box(scalar vector.Column) any { return ToAny(m.th.PyScalar(scalar)) }

// Unbox implements [vector.ObjectMath].
func (m objectMath) Unbox(v any) vector.Column {
	x := FromAny(v)
	if c, ok := x.Column(); ok {
		return c
	}
	if h, ok := x.o.(Columner); ok {
		return h.Column(m.th)
	}
	if f, ok := m.number(x); ok {
		return vector.PyFloat(f)
	}
	return vector.PyObject(v)
}

// number is float(x) of a large int, or of an object whose class knows.
func (m objectMath) number(x Value) (f float64, ok bool) {
	if f, ok = x.AsFloat(); ok || !isInstance(x) {
		return f, ok
	}
	_, err := m.th.Try(func() Value {
		v, found := m.th.Special(x, "__float__")
		if found {
			f, ok = v.AsFloat()
		}
		return v
	})
	return f, ok && err == nil
}

var columnOperators = map[vector.Op]binaryOp{
	vector.Add: pysyntax.Add, vector.Subtract: pysyntax.Sub, vector.Multiply: pysyntax.Mult, vector.Divide: pysyntax.Div,
	vector.FloorDivide: pysyntax.FloorDiv, vector.Remainder: pysyntax.Mod, vector.Power: pysyntax.Pow,
	vector.BitAnd: pysyntax.BitAnd, vector.BitOr: pysyntax.BitOr, vector.BitXor: pysyntax.BitXor,
}

var columnComparisons = map[vector.Op]compareOp{
	vector.Equal: pysyntax.Eq, vector.NotEqual: pysyntax.NotEq, vector.Less: pysyntax.Lt, vector.LessEqual: pysyntax.LtE,
	vector.Greater: pysyntax.Gt, vector.GreaterEqual: pysyntax.GtE,
}

// Binary implements [vector.ObjectMath].
func (m objectMath) Binary(op vector.Op, a, b any) (any, error) {
	x, y := FromAny(a), FromAny(b)
	v, err := m.th.Try(func() Value {
		m.th.step()
		if o, ok := columnOperators[op]; ok {
			return m.th.Binary(o, x, y)
		}
		if o, ok := columnComparisons[op]; ok {
			return m.th.Compare(o, x, y)
		}
		return m.choose(op, x, y)
	})
	if err != nil {
		return nil, err
	}
	if _, ok := columnComparisons[op]; ok && v.IsPy() {
		return v.c.Bool(0), nil
	}
	return ToAny(v), nil
}

// shifted is a << b and a >> b of arrays: whole numbers by powers of two, objects one by one.
func (th *Thread) shifted(op binaryOp, a, b vector.Column) Value {
	if a.Type() == vector.Object || b.Type() == vector.Object {
		n := max(a.Len(), b.Len())
		out := make([]any, th.Elements(n, 1))
		xs, ys := th.spread(a, n), th.spread(b, n)
		for i := range out {
			out[i] = ToAny(th.Binary(op, FromAny(xs.Object(i)), FromAny(ys.Object(i))))
		}
		return Value{c: vector.Objects(out)}
	}
	if !whole(a) || !whole(b) {
		th.unsupported(op, Value{c: a}, Value{c: b})
	}
	by := th.Must(th.rules.Binary(vector.Power, vector.PyInt(2), b))
	how := vector.Multiply
	if op == pysyntax.RShift {
		how = vector.FloorDivide
	}
	return Value{c: th.Must(th.rules.Binary(how, a, by))}
}

func whole(c vector.Column) bool {
	return c.Type() == vector.Int16 || c.Type() == vector.Int32 || c.Type() == vector.Int64
}

// spread is a column of objects of that length.
func (th *Thread) spread(c vector.Column, n int) vector.Column {
	return th.Must(th.Must(th.rules.Cast(c, vector.DType{Type: vector.Object})).Spread(n))
}

// choose computes the operations that return one of their operands.
func (m objectMath) choose(op vector.Op, x, y Value) Value {
	switch op {
	case vector.Minimum:
		if m.th.less(y, x) {
			return y
		}
		return x
	case vector.Maximum:
		if m.th.less(x, y) {
			return y
		}
		return x
	case vector.LogicalAnd:
		return Bool(m.th.Truth(x) && m.th.Truth(y))
	case vector.LogicalOr:
		return Bool(m.th.Truth(x) || m.th.Truth(y))
	case vector.LogicalXor:
		return Bool(m.th.Truth(x) != m.th.Truth(y))
	}
	m.th.Raise(TypeError, "numpy.%s does not work on objects", op)
	return Value{}
}

// Unary implements [vector.ObjectMath].
func (m objectMath) Unary(op vector.Op, a any) (any, error) {
	v, err := m.th.Try(func() Value {
		m.th.step()
		switch op {
		case vector.Negative:
			return m.th.Unary(pysyntax.USub, FromAny(a))
		case vector.Positive:
			return m.th.Unary(pysyntax.UAdd, FromAny(a))
		case vector.Invert:
			return m.th.Unary(pysyntax.Invert, FromAny(a))
		case vector.Absolute:
			return builtinAbs(m.th, []Value{FromAny(a)}, nil)
		case vector.LogicalNot:
			return Bool(!m.th.Truth(FromAny(a)))
		}
		m.th.Raise(TypeError, "numpy.%s does not work on objects", op)
		return Value{}
	})
	if err != nil {
		return nil, err
	}
	return ToAny(v), nil
}

// Truth implements [vector.ObjectMath].
func (m objectMath) Truth(v any) (bool, error) {
	r, err := m.th.Try(func() Value { return Bool(m.th.Truth(FromAny(v))) })
	if err != nil {
		return false, err
	}
	return r.c.Bool(0), nil
}

// Format implements [vector.ObjectMath].
func (m objectMath) Format(v any) (string, error) {
	r, err := m.th.Try(func() Value {
		m.th.step()
		return m.th.Made(String(m.th.Str(FromAny(v))))
	})
	if err != nil {
		return "", err
	}
	s, _ := r.AsString()
	return s, nil
}

// PyScalar is the Python value of a numpy scalar, as item() and tolist() give it.
func (th *Thread) PyScalar(c vector.Column) Value {
	switch c.Type() {
	case vector.Bool:
		return Bool(c.Bool(0))
	case vector.Int16, vector.Int32, vector.Int64:
		return Int(c.Int(0))
	case vector.Float32, vector.Float64:
		return Float(c.Float(0))
	case vector.Str:
		return String(c.Text(0))
	case vector.Bytes:
		return BytesValue(c.Text(0))
	case vector.Object:
		return FromAny(c.Object(0))
	}
	if th.prog.DateOf != nil && c.Type() != vector.Enum {
		return th.prog.DateOf(c)
	}
	return Int(c.Int(0))
}
