package vector

import (
	"math"
	"unicode/utf8"
	"unsafe"
)

// Form tells what a column is to Python. Promotion depends on it.
type Form uint8

// The forms. A zero-dimensional array counts as a NumpyScalar, as it does in numpy's promotion.
const (
	Array Form = iota
	NumpyScalar
	PyScalar
)

// Column is a Python scalar, a numpy scalar or a one-dimensional array. The zero Column is an empty bool array.
//
// Columns are values: copy them freely, compare contents with [Column.Same].
type Column struct {
	// data is, by type: numbers, dates, durations: the first of n elements, nil if constant; Enum: *codes, or the
	// *Domain if constant; Str, Bytes, Object: the first of n elements, or of one if constant; of a taped column: *original.
	data unsafe.Pointer
	// bits is the value of a constant number, date, duration or enum; the width of text, constant or not.
	bits uint64
	n    int32
	tag
}

type tag struct {
	typ      Type
	form     Form
	unit     Unit
	constant bool
}

// codes is an array of enum indexes with its domain.
type codes struct {
	domain *Domain
	index  []int16
}

// Domain is the ordered set of members that enum codes index. Domains are compared by address and never change.
type Domain struct {
	Name    string
	Members []string
	Of      any // whatever its maker wants to find back from a column, such as a class
}

// Element is a Go type that columns store directly.
type Element interface {
	bool | int16 | int32 | int64 | float32 | float64
}

func typeOf[T Element]() Type {
	var zero T
	switch any(zero).(type) {
	case bool:
		return Bool
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case float32:
		return Float32
	}
	return Float64
}

func bitsOf[T Element](v T) uint64 {
	switch v := any(v).(type) {
	case bool:
		if v {
			return 1
		}
		return 0
	case int16:
		return uint64(v)
	case int32:
		return uint64(v)
	case int64:
		return uint64(v)
	case float32:
		return uint64(math.Float32bits(v))
	case float64:
		return math.Float64bits(v)
	}
	return 0
}

func fromBits[T Element](b uint64) (v T) {
	switch p := any(&v).(type) {
	case *bool:
		*p = b != 0
	case *int16:
		*p = int16(b)
	case *int32:
		*p = int32(b)
	case *int64:
		*p = int64(b)
	case *float32:
		*p = math.Float32frombits(uint32(b))
	case *float64:
		*p = math.Float64frombits(b)
	}
	return v
}

// PyBool gives a Python bool.
func PyBool(v bool) Column { return scalar(PyScalar, v) }

// PyInt gives a Python int.
func PyInt(v int64) Column {
	return Column{bits: uint64(v), n: 1, tag: tag{typ: Int64, form: PyScalar, constant: true}}
}

// PyFloat gives a Python float.
func PyFloat(v float64) Column {
	return Column{bits: math.Float64bits(v), n: 1, tag: tag{typ: Float64, form: PyScalar, constant: true}}
}

// PyStr gives a Python str.
func PyStr(s string) Column { return textConst(Str, PyScalar, 1, s) }

// PyStrAt gives a Python str that is kept at an address where it never changes.
func PyStrAt(s *string) Column { return textAt(Str, PyScalar, 1, s) }

// PyBytes gives a Python bytes.
func PyBytes(s string) Column { return textConst(Bytes, PyScalar, 1, s) }

// PyObject gives a Python object that is none of the above.
func PyObject(v any) Column { return ObjectConst(1, v).As(PyScalar) }

// Scalar gives a numpy scalar, such as numpy.float32(v).
func Scalar[T Element](v T) Column { return scalar(NumpyScalar, v) }

func scalar[T Element](f Form, v T) Column {
	return Column{bits: bitsOf(v), n: 1, tag: tag{typ: typeOf[T](), form: f, constant: true}}
}

// Const gives an array of n times v.
func Const[T Element](n int, v T) Column {
	return Column{bits: bitsOf(v), n: int32(n), tag: tag{typ: typeOf[T](), constant: true}}
}

// Of gives the array of the values; it owns data from now on.
func Of[T Element](data []T) Column { return raw(typeOf[T](), Generic, data) }

// raw makes an array of t from its storage.
func raw[T Element](t Type, u Unit, data []T) Column {
	c := Column{n: int32(len(data)), tag: tag{typ: t, unit: u}}
	if len(data) == 1 {
		c.bits, c.constant = bitsOf(data[0]), true
		return c
	}
	c.data = unsafe.Pointer(unsafe.SliceData(data))
	return c
}

// Dates gives an array of datetime64[u] from counts of u since 1970; it owns data from now on.
func Dates(u Unit, data []int64) Column { return raw(Date, u, data) }

// DateScalar gives numpy.datetime64(v, u).
func DateScalar(u Unit, v int64) Column { return timeConst(Date, u, 1, v).As(NumpyScalar) }

// DurationScalar gives numpy.timedelta64(v, u).
func DurationScalar(u Unit, v int64) Column { return timeConst(Duration, u, 1, v).As(NumpyScalar) }

// DateConst gives an array of n times the same date.
func DateConst(n int, u Unit, v int64) Column { return timeConst(Date, u, n, v) }

func timeConst(t Type, u Unit, n int, v int64) Column {
	return Column{bits: uint64(v), n: int32(n), tag: tag{typ: t, unit: u, constant: true}}
}

// Enums gives an array of members of d by index; it owns data from now on.
func Enums(d *Domain, data []int16) Column {
	if len(data) == 1 {
		return EnumConst(1, d, data[0])
	}
	return Column{data: unsafe.Pointer(&codes{d, data}), n: int32(len(data)), tag: tag{typ: Enum}}
}

// EnumConst gives an array of n times the same member of d.
func EnumConst(n int, d *Domain, code int16) Column {
	return Column{data: unsafe.Pointer(d), bits: uint64(code), n: int32(n), tag: tag{typ: Enum, constant: true}}
}

// Strs gives an array of text as wide as its longest element; it owns data from now on.
func Strs(data []string) Column { return texts(DType{Type: Str}, data) }

// Texts gives an array of text or bytes of the given type, which must be wide enough, or has Width 0 for as wide as
// needed; it owns data from now on.
func Texts(d DType, data []string) Column { return texts(d, data) }

func texts(d DType, data []string) Column {
	width := int(d.Width)
	if width == 0 {
		width = 1
		for _, s := range data {
			width = max(width, textWidth(d.Type, s))
		}
	}
	return Column{
		data: unsafe.Pointer(unsafe.SliceData(data)), bits: uint64(width), n: int32(len(data)),
		tag: tag{typ: d.Type, constant: len(data) == 1},
	}
}

// StrConst gives an array of n times the same text.
func StrConst(n int, s string) Column { return textConst(Str, Array, n, s) }

// BytesConst gives an array of n times the same bytes; width 0 means as wide as s.
func BytesConst(n, width int, s string) Column {
	c := textConst(Bytes, Array, n, s)
	if width > 0 {
		c.bits = uint64(width)
	}
	return c
}

func textConst(t Type, f Form, n int, s string) Column { return textAt(t, f, n, &s) }

func textAt(t Type, f Form, n int, s *string) Column {
	width := uint64(max(textWidth(t, *s), 1))
	return Column{data: unsafe.Pointer(s), bits: width, n: int32(n), tag: tag{typ: t, form: f, constant: true}}
}

func textWidth(t Type, s string) int {
	if t == Bytes {
		return len(s)
	}
	return utf8.RuneCountInString(s)
}

// Objects gives an array of Python objects; it owns data from now on.
func Objects(data []any) Column {
	return Column{
		data: unsafe.Pointer(unsafe.SliceData(data)), n: int32(len(data)),
		tag: tag{typ: Object, constant: len(data) == 1},
	}
}

// ObjectConst gives an array of n times the same object.
func ObjectConst(n int, v any) Column {
	return Column{data: unsafe.Pointer(&v), n: int32(n), tag: tag{typ: Object, constant: true}}
}

// Type returns the element type.
func (c Column) Type() Type { return c.typ }

// Form tells whether c is an array, a numpy scalar or a Python scalar.
func (c Column) Form() Form { return c.form &^ boxed }

// IsArray reports whether c is an array.
func (c Column) IsArray() bool { return c.form&^boxed == Array }

// Len returns the number of elements, 1 for scalars.
func (c Column) Len() int {
	if c.form&boxed != 0 {
		c.measure()
	}
	return int(c.n)
}

// Constant reports whether c keeps one value for all its elements. Every column of length 1 does.
func (c Column) Constant() bool { return c.constant }

// DType returns the full numpy type.
func (c Column) DType() DType {
	d := DType{Type: c.typ, Unit: c.unit}
	if c.typ.text() {
		d.Width = int32(c.bits)
	}
	return d
}

// Domain returns the domain of an enum column, else nil.
func (c Column) Domain() *Domain {
	switch {
	case c.typ != Enum:
		return nil
	case c.Taped():
		return c.original().inner.Domain()
	case c.constant:
		return (*Domain)(c.data)
	}
	return (*codes)(c.data).domain
}

// As returns c in another form. A column becomes a scalar only if its length is 1; the caller sees to it.
func (c Column) As(f Form) Column {
	if c.Taped() {
		return c.tapeAs(f)
	}
	c.form = f
	return c
}

// Spread returns the array of n elements that numpy's broadcasting makes of c: c itself if it has n elements and is an
// array, n times its value if its length is 1, else a ValueError.
func (c Column) Spread(n int) (Column, error) {
	if c.Taped() {
		if c.original().tape.rowTape != nil && int(c.n) == n && !c.original().loose {
			return c.As(Array), nil
		}
		return record(step{moves: true, key: spreadKey(n), do: func(_ *Rules, in []Column) (Column, error) { return in[0].Spread(n) }}, nil, c)
	}
	switch {
	case int(c.n) == n:
		c.form = Array
	case c.n == 1:
		c.form, c.n = Array, int32(n)
	default:
		return Column{}, shapeError(int(c.n), n)
	}
	return c, nil
}

func shapeError(n, m int) *Error {
	return valueError("operands could not be broadcast together with shapes (%d,) (%d,)", n, m)
}

// elems views the n elements of a column that is not constant as its storage type.
func elems[T any](c Column) []T {
	c.mustBePlain()
	return unsafe.Slice((*T)(c.data), int(c.n))
}

// mustBePlain guards the storage of taped columns, which is not that of their type.
func (c Column) mustBePlain() {
	if c.form&boxed != 0 {
		panic("vector: a taped column where its elements are needed")
	}
}

func (c Column) original() *original { return (*original)(c.data) }

func pointerTo(b *original) unsafe.Pointer { return unsafe.Pointer(b) }

// one views the stored element of a constant text or object.
func one[T any](c Column) T { return *(*T)(c.data) }

func (c Column) index(i int) int {
	if c.constant {
		return 0
	}
	return i
}

// storage views the elements of a varying column of T's storage: T's own type, int64 for Date and Duration, int16 for Enum.
func storage[T Element](c Column) []T {
	if c.typ == Enum {
		c.mustBePlain()
		index := (*codes)(c.data).index
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(index))), len(index))
	}
	return elems[T](c)
}

// Slice returns the n elements of a column whose storage is T: T's own type, int64 for Date and Duration, int16 for
// Enum; nil if it is another. The slice is read-only; it is shared with c unless c is constant.
func Slice[T Element](c Column) []T {
	c = c.Looked()
	if storageType(c.typ) != typeOf[T]() {
		return nil
	}
	if !c.constant {
		return storage[T](c)
	}
	out := make([]T, c.n)
	v := fromBits[T](c.bits)
	for i := range out {
		out[i] = v
	}
	return out
}

func storageType(t Type) Type {
	switch t {
	case Date, Duration:
		return Int64
	case Enum:
		return Int16
	}
	return t
}
