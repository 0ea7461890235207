package hdf5

import (
	"bytes"
	"fmt"
	"math"
)

// Kind is the kind of values of a column.
type Kind uint8

// The kinds of values.
const (
	Unreadable Kind = iota // of a type that [Column.Read] cannot decode
	Integer
	Float
	Truth
	Text
)

// Values are the decoded values of a range of rows; the slice of their kind holds them.
type Values struct {
	Kind   Kind
	Ints   []int64 // of Integer and, as 0 and 1, of Truth
	Floats []float64
	Texts  []string
}

// Column is one column of a dataset.
type Column struct {
	Name string // of the field; "" where the dataset is the column
	Kind Kind
	Rows int

	of     *Dataset
	offset int // bytes from the beginning of a row
	typ    *datatype
}

// Columns lists the columns of a dataset: of an array of one dimension the array itself, of records their fields, of a matrix its columns. A field that
// is an array is one column for each element, named NAME[0], NAME[1], …, or NAME if there is only one.
func (d *Dataset) Columns() []*Column {
	width := d.width()
	if d.of.class == classCompound && width == 1 {
		var all []*Column
		for _, m := range d.of.fields {
			all = append(all, d.split(m.name, m.offset, m.of)...)
		}
		return all
	}
	all := make([]*Column, 0, min(width, 1<<20))
	for i := range min(width, 1<<20) {
		all = append(all, d.column("", i*d.of.size, d.of))
	}
	return all
}

func (d *Dataset) split(name string, offset int, t *datatype) []*Column {
	if t.class != classArray {
		return []*Column{d.column(name, offset, t)}
	}
	var all []*Column
	for i := range min(t.count, maxFields) {
		part := fmt.Sprintf("%s[%d]", name, i)
		if t.count == 1 {
			part = name
		}
		all = append(all, d.split(part, offset+i*t.of.size, t.of)...)
		if len(all) > maxFields {
			break
		}
	}
	return all
}

func (d *Dataset) column(name string, offset int, t *datatype) *Column {
	return &Column{Name: name, Kind: t.kind(), Rows: d.rows(), of: d, offset: offset, typ: t}
}

func (t *datatype) kind() Kind {
	switch {
	case t.truth():
		return Truth
	case t.class == classInteger, t.class == classBits:
		return Integer
	case t.class == classFloat:
		return Float
	case t.class == classText, t.class == classEnum, t.class == classVariable && t.text:
		return Text
	}
	return Unreadable
}

// Type names the type of the column for messages.
func (c *Column) Type() string { return c.typ.String() }

// Read decodes n rows from row from on, counted from 0.
func (c *Column) Read(from, n int) (Values, error) {
	v := Values{Kind: c.Kind}
	raw, err := c.of.raw(from, n)
	if err != nil {
		return v, err
	}
	row := c.of.width() * c.of.of.size
	heaps := make(heaps)
	for i := range n {
		b := raw[i*row+c.offset:][:c.typ.size]
		switch c.Kind {
		case Integer:
			whole := c.typ.integer(b)
			if whole < 0 && !c.typ.signed {
				return v, fmt.Errorf("%s, row %d: %d is more than the largest integer, %d", c.where(), from+i+1, uint64(whole), math.MaxInt64)
			}
			v.Ints = append(v.Ints, whole)
		case Truth:
			v.Ints = append(v.Ints, c.typ.of.integer(b))
		case Float:
			v.Floats = append(v.Floats, c.typ.decimal(b))
		case Text:
			text, err := c.text(b, heaps)
			if err != nil {
				return v, fmt.Errorf("%s, row %d: %w", c.where(), from+i+1, err)
			}
			v.Texts = append(v.Texts, text)
		default:
			return v, fmt.Errorf("%s holds %s, which is not supported: store integers, floating-point numbers, truth values or texts", c.where(), c.typ)
		}
	}
	return v, nil
}

func (c *Column) where() string {
	if c.Name == "" {
		return c.of.path
	}
	return c.of.path + ", column " + c.Name
}

// text decodes a text. Trailing zero bytes are padding.
func (c *Column) text(b []byte, heaps heaps) (string, error) {
	switch c.typ.class {
	case classEnum:
		if name, ok := c.typ.names[uint64(c.typ.of.integer(b))]; ok {
			return name, nil
		}
		return "", fmt.Errorf("%d is no member of the enumeration", c.typ.of.integer(b))
	case classVariable:
		found, err := heaps.sequence(c.of.f, b)
		return string(bytes.TrimRight(found, "\x00")), err
	}
	return string(bytes.TrimRight(b, "\x00")), nil
}

// heaps are the heaps of sequences that were read, by their addresses.
type heaps map[uint64]map[int][]byte

// sequence is what a reference to a sequence leads to: its length in elements, the address of a heap, and the number of an object there.
func (h heaps) sequence(f *File, reference []byte) ([]byte, error) {
	c := cursor{f: f, data: reference}
	n, address, index := int(c.u32()), c.address(), int(c.u32())
	if c.err != nil || n == 0 || address == 0 || address == undefined {
		return nil, c.err
	}
	objects, ok := h[address]
	if !ok {
		var err error
		if objects, err = f.heap(address); err != nil {
			return nil, err
		}
		if len(h) >= 256 {
			clear(h)
		}
		h[address] = objects
	}
	object, ok := objects[index]
	if !ok || n > len(object) {
		return nil, damaged("object %d of the heap at address %d has %d bytes, not %d", index, address, len(object), n)
	}
	return object[:n], nil
}

// heap reads the objects of a global heap.
func (f *File) heap(address uint64) (map[int][]byte, error) {
	c, err := f.at(address, 8+f.lengths)
	if err != nil {
		return nil, err
	}
	c.expect("GCOL")
	c.skip(4)
	size := c.length()
	head := 8 + f.lengths
	if c.err == nil && (size < uint64(head) || size > maxChunk) {
		return nil, damaged("a heap of %d bytes", size)
	}
	if c.err != nil {
		return nil, c.err
	}
	if c, err = f.at(address+uint64(head), int(size)-head); err != nil {
		return nil, err
	}
	objects := make(map[int][]byte)
	for len(c.data) >= head {
		index := c.u16()
		c.skip(6)
		n := c.length()
		if index == 0 { // the rest is free
			break
		}
		if n > uint64(len(c.data)) {
			return nil, damaged("an object of %d bytes in a heap of %d", n, size)
		}
		objects[index] = c.take(int(n))
		c.skip(min(int(-n&7), len(c.data)))
	}
	return objects, c.err
}
