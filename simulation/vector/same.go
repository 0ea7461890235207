package vector

import (
	"bytes"
	"slices"
	"unsafe"
)

// Compact returns c as a constant if all its elements have the same bits, else c.
func (c Column) Compact() Column {
	if c.Taped() && c.original().tape.rowTape != nil {
		// Much of what is computed is the same for everybody at hand, and what follows from that is, too.
		return recordKeyed(namedKey("Compact"), c)
	}
	if c.constant || c.n == 0 || c.Taped() {
		return c
	}
	same := false
	switch storageType(c.typ) {
	case Bool:
		same = allSame(storage[bool](c))
	case Int16:
		same = allSame(storage[int16](c))
	case Int32, Float32:
		same = allSame(elems[uint32](c))
	case Int64, Float64:
		same = allSame(elems[uint64](c))
	case Str, Bytes:
		texts := elems[string](c)
		same = !slices.ContainsFunc(texts, func(t string) bool { return t != texts[0] })
	}
	if !same {
		return c
	}
	first := c.at(0)
	first.n, first.form = c.n, c.form
	return first
}

// allSame compares the bytes of elements with those of their neighbours.
func allSame[T Element | uint32 | uint64](vs []T) bool {
	size := int(unsafe.Sizeof(vs[0]))
	all := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(vs))), len(vs)*size)
	return bytes.Equal(all[size:], all[:len(all)-size])
}

// Same reports whether c and d have the same type, form, length, and the same bits element by element. Objects are the
// same if Go's == says so; those that it cannot compare are not.
func (c Column) Same(d Column) bool {
	c, d = c.Looked(), d.Looked()
	if c == d && c.typ != Object {
		return true
	}
	if c.DType() != d.DType() || c.form != d.form || c.n != d.n || c.Domain() != d.Domain() {
		return false
	}
	n := int(c.n)
	switch {
	case c.constant && d.constant:
		n = min(n, 1)
	case !c.constant && !d.constant && storageType(c.typ) < Str:
		return sameStorage(c, d)
	}
	for i := range n {
		if !sameElement(c, d, i) {
			return false
		}
	}
	return true
}

// sameStorage compares the elements of two varying columns of one type, neither text nor objects, by their bits.
func sameStorage(c, d Column) bool {
	switch storageType(c.typ) {
	case Bool:
		return slices.Equal(storage[bool](c), storage[bool](d))
	case Int16:
		return slices.Equal(storage[int16](c), storage[int16](d))
	case Int32, Float32:
		return slices.Equal(elems[uint32](c), elems[uint32](d))
	}
	return slices.Equal(elems[uint64](c), elems[uint64](d))
}

// sameObject is Go's ==, and false for objects that Go cannot compare.
func sameObject(a, b any) (same bool) {
	defer func() { _ = recover() }()
	return a == b
}

func sameElement(c, d Column, i int) bool {
	switch {
	case c.typ == Object:
		return sameObject(c.Object(i), d.Object(i))
	case c.typ.text():
		return c.Text(i) == d.Text(i)
	}
	return c.at(c.index(i)).bits == d.at(d.index(i)).bits
}
