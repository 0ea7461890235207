package vector

import (
	"math"
	"unsafe"
)

// Elements, one at a time.

// Float returns element i of a number, date or enum as a float64.
func (c Column) Float(i int) float64 {
	if c.Taped() {
		c = c.Looked()
	}
	switch c.typ {
	case Float32:
		if c.constant {
			return float64(math.Float32frombits(uint32(c.bits)))
		}
		return float64(elems[float32](c)[i])
	case Float64:
		if c.constant {
			return math.Float64frombits(c.bits)
		}
		return elems[float64](c)[i]
	}
	return float64(c.Int(i))
}

// FloatsFrom gives the elements of a number from one of them on as float64.
func (c Column) FloatsFrom(out []float64, from int) {
	c = c.Looked()
	switch {
	case c.constant:
		for i := range out {
			out[i] = c.Float(0)
		}
	case c.typ == Float32:
		for i, x := range elems[float32](c)[from : from+len(out)] {
			out[i] = float64(x)
		}
	case c.typ == Float64:
		copy(out, elems[float64](c)[from:])
	default:
		for i := range out {
			out[i] = c.Float(from + i)
		}
	}
}

// Int returns element i of a number, date, duration or enum as an int64; floats are truncated as numpy does. It
// returns 0 for text and objects.
func (c Column) Int(i int) int64 {
	if c.Taped() {
		c = c.Looked()
	}
	switch c.typ {
	case Float32, Float64:
		return floatToInt64(c.Float(i))
	case Str, Bytes, Object:
		return 0
	}
	if c.constant {
		return int64(c.bits)
	}
	switch storageType(c.typ) {
	case Bool:
		if elems[bool](c)[i] {
			return 1
		}
		return 0
	case Int16:
		return int64(storage[int16](c)[i])
	case Int32:
		return int64(elems[int32](c)[i])
	}
	return elems[int64](c)[i]
}

// Bool returns the truth of element i: not zero, not empty; objects are true unless nil or false.
func (c Column) Bool(i int) bool {
	switch c.typ {
	case Float32, Float64:
		return c.Float(i) != 0
	case Str, Bytes:
		return c.Text(i) != ""
	case Object:
		v := c.Object(i)
		return v != nil && v != false
	}
	return c.Int(i) != 0
}

// Text returns element i of a Str or Bytes column, the name of the member of an Enum column, else "".
func (c Column) Text(i int) string {
	if c.Taped() {
		c = c.Looked()
	}
	switch {
	case c.typ == Enum:
		d, code := c.Domain(), c.Int(i)
		if code < 0 || int(code) >= len(d.Members) {
			return ""
		}
		return d.Members[code]
	case !c.typ.text():
		return ""
	case c.constant:
		return one[string](c)
	}
	return elems[string](c)[i]
}

// Object returns element i of an Object column, else nil.
func (c Column) Object(i int) any {
	if c.Taped() {
		c = c.Looked()
	}
	switch {
	case c.typ != Object:
		return nil
	case c.constant:
		return one[any](c)
	}
	return elems[any](c)[i]
}

// At returns element i as a numpy scalar, as indexing an array does; i may count from the end. An object comes as a
// Python object.
func (c Column) At(i int) (Column, error) {
	n := c.Len()
	if i < -n || i >= n {
		return Column{}, indexError("index %d is out of bounds for axis 0 with size %d", i, n)
	}
	if i < 0 {
		i += n
	}
	if c.Taped() {
		return recordOne(atKey(i), func(c Column) Column { return c.at(i) }, c), nil
	}
	return c.at(i), nil
}

func (c Column) at(i int) Column {
	out := c
	out.n, out.form, out.constant = 1, NumpyScalar, true
	switch {
	case c.typ == Object:
		return PyObject(c.Object(i))
	case c.constant:
	case c.typ.text():
		out.data = unsafe.Pointer(&elems[string](c)[i])
	case c.typ == Enum:
		out.data, out.bits = unsafe.Pointer(c.Domain()), uint64(c.Int(i))
	case c.typ == Float32:
		out.data, out.bits = nil, bitsOf(elems[float32](c)[i])
	case c.typ == Float64:
		out.data, out.bits = nil, bitsOf(elems[float64](c)[i])
	default:
		out.data, out.bits = nil, uint64(c.Int(i))
	}
	return out
}
