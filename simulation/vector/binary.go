package vector

import "unsafe"

// block is how many elements are converted or filled at a time when an operand has another type than the computation
// or is a constant beside a varying one: two blocks stay in the first-level cache and on the stack.
const block = 256

// Binary computes a op b. Operands broadcast: same length, or length 1. The result of scalars is a numpy scalar.
func (r *Rules) Binary(op Op, a, b Column) (Column, error) {
	return r.BinaryReuse(op, a, b, false, false)
}

// BinaryReuse computes a op b and may write the result into the storage of an operand that the caller declares free: a
// fresh result that nobody else holds.
func (r *Rules) BinaryReuse(op Op, a, b Column, freeA, freeB bool) (Column, error) {
	if (a.form|b.form)&boxed != 0 {
		return record(step{kind: binaryStep, op: op}, r, a, b)
	}
	var c Column
	if r.Constants(op, &a, &b, &c) {
		return c, nil
	}
	s, err := shapeOf(a, b)
	if err != nil {
		return Column{}, err
	}
	s.freeA, s.freeB, s.pool = freeA, freeB, r.pool()
	if a.typ > Float64 || b.typ > Float64 {
		return r.binaryOther(op, a, b, s)
	}
	t, err := r.compute(op, &a, &b)
	if err != nil {
		return Column{}, err
	}
	if op.logical() {
		if t == Float32 && !r.nep50() {
			a, b = narrow(a), narrow(b)
		}
		return runBool(op, truth(a), truth(b), s), nil // truth may be an operand itself, of whose storage the same is true
	}
	if op.comparison() {
		if s.constant {
			return constColumn(s, Bool, quickCompare(op, t, &a, &b)), nil
		}
		return compareNumbers(op, t, a, b, s), nil
	}
	if t == Int16 && a.unit|b.unit != Generic {
		return r.binaryEight(op, a, b, s)
	}
	if s.constant && op != Power {
		return constBinary(op, t, a, b, s), nil
	}
	if op != Power && t >= Int32 && s.n > few && (a.typ == Bool && b.constant || b.typ == Bool && a.constant) {
		return twoValues(op, t, a, b, s), nil
	}
	switch t {
	case Bool:
		return runBool(op, a, b, s), nil
	case Int16:
		return runInt[int16](op, a, b, s)
	case Int32:
		return runInt[int32](op, a, b, s)
	case Int64:
		return runInt[int64](op, a, b, s)
	case Float32:
		if op == Power {
			return runPower(a, b, s, power32(a, b)), nil
		}
		return runFloat[float32](op, a, b, s), nil
	}
	if op == Power {
		return runPower(a, b, s, power64(a, b)), nil
	}
	return runFloat[float64](op, a, b, s), nil
}

// shape is what a result looks like, whatever its type, and which operand's storage it may take.
type shape struct {
	n            int32
	form         Form
	constant     bool
	freeA, freeB bool
	pool         *Pool
}

func shapeOf(a, b Column) (shape, error) {
	s := shape{n: a.n, form: min(a.form, b.form), constant: a.constant && b.constant}
	if s.form != Array {
		s.form = NumpyScalar
	}
	if a.n != b.n {
		switch {
		case a.n == 1:
			s.n = b.n
		case b.n != 1:
			return s, shapeError(int(a.n), int(b.n))
		}
	}
	return s, nil
}

// constColumn is a constant result of shape s.
func constColumn[T Element](s shape, t Type, v T) Column {
	return Column{bits: bitsOf(v), n: s.n, tag: tag{typ: t, form: s.form, constant: true}}
}

// output gives the storage of a varying result: that of an operand if it is free and of the right type, else new.
func output[T Element](s shape, a, b Column) []T {
	t := typeOf[T]()
	if s.freeA && a.typ == t && !a.constant && a.n == s.n {
		return elems[T](a)
	}
	if s.freeB && b.typ == t && !b.constant && b.n == s.n {
		return elems[T](b)
	}
	return lend[T](s.pool, int(s.n))
}

// finish makes the column of a varying result.
func finish[T Element](s shape, out []T) Column {
	return Column{data: unsafe.Pointer(unsafe.SliceData(out)), n: s.n, tag: tag{typ: typeOf[T](), form: s.form}}
}

// few is how many elements are read at once: a household, for which filling a block would take longer than the operation.
const few = 16

// readFew gives the n elements of an operand as T.
func readFew[T Element](c Column, buf *[few]T, n int32) []T {
	out := buf[:n]
	switch {
	case c.constant:
		v := constAs[T](c)
		for i := range out {
			out[i] = v
		}
	case c.typ == typeOf[T]():
		return elems[T](c)
	default:
		convert(out, c, 0)
	}
	return out
}

// reader hands out an operand as slices of T: its own storage if it is of type T, else block by block.
type reader[T Element] struct {
	col    Column
	direct []T
}

func read[T Element](c Column, buf *[block]T) reader[T] {
	switch {
	case c.constant:
		v := constAs[T](c)
		for i := range buf {
			buf[i] = v
		}
	case c.typ == typeOf[T]():
		return reader[T]{c, elems[T](c)}
	}
	return reader[T]{col: c}
}

func (r *reader[T]) slice(lo, hi int, buf *[block]T) []T {
	if r.direct != nil {
		return r.direct[lo:hi]
	}
	if !r.col.constant {
		convert(buf[:hi-lo], r.col, lo)
	}
	return buf[:hi-lo]
}

func runInt[T signed](op Op, a, b Column, s shape) (Column, error) {
	if op == Power && anyNegative(b) {
		return Column{}, valueError("Integers to negative integer powers are not allowed.")
	}
	if s.constant {
		return constBinary(op, typeOf[T](), a, b, s), nil
	}
	out := output[T](s, a, b)
	if !a.constant && !b.constant && a.typ == b.typ && a.typ == typeOf[T]() {
		intKernel(op, out, elems[T](a), elems[T](b))
		return finish(s, out), nil
	}
	var buf [lanes]T
	if x, y := alongConstant(a, b, s.n, &buf); x != nil {
		if n := wideInts(op, out, x, y); n > 0 {
			intKernel(op, out[n:], after(x, n, len(out)), after(y, n, len(out)))
			return finish(s, out), nil
		}
	}
	if op == Remainder && b.constant && a.typ == typeOf[T]() && remainders(out, elems[T](a), b.Int(0)) {
		return finish(s, out), nil
	}
	if s.n <= few {
		var bufA, bufB [few]T
		intKernel(op, out, readFew(a, &bufA, s.n), readFew(b, &bufB, s.n))
		return finish(s, out), nil
	}
	var bufA, bufB [block]T
	ra, rb := read(a, &bufA), read(b, &bufB)
	for lo := 0; lo < len(out); lo += block {
		hi := min(lo+block, len(out))
		intKernel(op, out[lo:hi], ra.slice(lo, hi, &bufA), rb.slice(lo, hi, &bufB))
	}
	return finish(s, out), nil
}

func anyNegative(c Column) bool {
	if !c.typ.integer() {
		return false
	}
	n := int(c.n)
	if c.constant {
		n = min(n, 1)
	}
	for i := range n {
		if c.Int(i) < 0 {
			return true
		}
	}
	return false
}

func runFloat[T floating](op Op, a, b Column, s shape) Column {
	if s.constant {
		return constBinary(op, typeOf[T](), a, b, s)
	}
	out := output[T](s, a, b)
	if !a.constant && !b.constant && a.typ == b.typ && a.typ == typeOf[T]() {
		floatKernel(op, out, elems[T](a), elems[T](b))
		return finish(s, out)
	}
	var buf [lanes]T
	if x, y := alongConstant(a, b, s.n, &buf); x != nil {
		if n := wide(op, out, x, y); n > 0 {
			floatKernel(op, out[n:], after(x, n, len(out)), after(y, n, len(out)))
			return finish(s, out)
		}
	}
	if s.n <= few {
		var bufA, bufB [few]T
		floatKernel(op, out, readFew(a, &bufA, s.n), readFew(b, &bufB, s.n))
		return finish(s, out)
	}
	var bufA, bufB [block]T
	ra, rb := read(a, &bufA), read(b, &bufB)
	for lo := 0; lo < len(out); lo += block {
		hi := min(lo+block, len(out))
		floatKernel(op, out[lo:hi], ra.slice(lo, hi, &bufA), rb.slice(lo, hi, &bufB))
	}
	return finish(s, out)
}

func compareNumbers(op Op, t Type, a, b Column, s shape) Column {
	switch t {
	case Bool:
		return runBool(op, a, b, s)
	case Int16:
		return runCompare[int16](op, a, b, s)
	case Int32:
		return runCompare[int32](op, a, b, s)
	case Int64:
		return runCompare[int64](op, a, b, s)
	case Float32:
		return runCompare[float32](op, a, b, s)
	}
	return runCompare[float64](op, a, b, s)
}

func runCompare[T number](op Op, a, b Column, s shape) Column {
	if s.constant {
		return constColumn(s, Bool, compareOp(op, constAs[T](a), constAs[T](b)))
	}
	out := lend[bool](s.pool, int(s.n))
	if !a.constant && !b.constant && a.typ == b.typ && a.typ == typeOf[T]() {
		compareLoop(op, out, elems[T](a), elems[T](b))
		return finish(s, out)
	}
	var buf [lanes]T
	if x, y := alongConstant(a, b, s.n, &buf); x != nil {
		if n := wideCompare(op, out, x, y); n > 0 {
			compareLoop(op, out[n:], after(x, n, len(out)), after(y, n, len(out)))
			return finish(s, out)
		}
	}
	if s.n <= few {
		var bufA, bufB [few]T
		compareLoop(op, out, readFew(a, &bufA, s.n), readFew(b, &bufB, s.n))
		return finish(s, out)
	}
	var bufA, bufB [block]T
	ra, rb := read(a, &bufA), read(b, &bufB)
	for lo := 0; lo < len(out); lo += block {
		hi := min(lo+block, len(out))
		compareLoop(op, out[lo:hi], ra.slice(lo, hi, &bufA), rb.slice(lo, hi, &bufB))
	}
	return finish(s, out)
}

// runBool computes with two bool columns.
func runBool(op Op, a, b Column, s shape) Column {
	if s.constant {
		return constColumn(s, Bool, boolOp(op, uint8(a.bits), uint8(b.bits)) != 0)
	}
	out := output[bool](s, a, b)
	var bufA, bufB [block]bool
	ra, rb := read(a, &bufA), read(b, &bufB)
	if ra.direct != nil && rb.direct != nil {
		boolLoop(op, bytesOf(out), bytesOf(ra.direct), bytesOf(rb.direct))
		return finish(s, out)
	}
	for lo := 0; lo < len(out); lo += block {
		hi := min(lo+block, len(out))
		boolLoop(op, bytesOf(out[lo:hi]), bytesOf(ra.slice(lo, hi, &bufA)), bytesOf(rb.slice(lo, hi, &bufB)))
	}
	return finish(s, out)
}

func bytesOf(b []bool) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// Into computes what a op= b does to a: the result has a's type and length, and only casts within a kind are allowed.
func (r *Rules) Into(op Op, a, b Column) (Column, error) {
	if (a.form|b.form)&boxed != 0 {
		return record(step{key: intoKey(op)}, r, a, b)
	}
	out, err := r.Binary(op, a, b)
	if err != nil || a.form != Array {
		return out, err
	}
	if out.n != a.n {
		return Column{}, valueError("non-broadcastable output operand with shape (%d,) doesn't match the broadcast shape (%d,)", a.n, out.n)
	}
	if out.DType() == a.DType() {
		return out, nil
	}
	if !sameKind(out.typ, a.typ) {
		return Column{}, typeError("Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting rule 'same_kind'", op, out.DType(), a.DType())
	}
	return r.Cast(out, a.DType())
}

func sameKind(from, to Type) bool {
	if !from.Number() || !to.Number() {
		return from == to || to == Object || to == Duration && from.integer()
	}
	return kinds[from] <= kinds[to]
}
