package hdf5

import (
	"encoding/binary"
	"fmt"
	"math"
)

// class is the kind of a type of the file.
type class uint8

const (
	classInteger   class = 0
	classFloat     class = 1
	classBits      class = 4
	classText      class = 3
	classCompound  class = 6
	classReference class = 7
	classEnum      class = 8
	classVariable  class = 9
	classArray     class = 10
)

// datatype is how the elements of a dataset are stored.
type datatype struct {
	class  class
	size   int // bytes
	big    bool
	signed bool
	float  floatLayout
	fields []field           // of a compound
	of     *datatype         // of an enumeration, an array, a sequence
	count  int               // elements of an array
	names  map[uint64]string // of an enumeration
	text   bool              // of a sequence: it is one of characters
}

// field is a part of a compound type.
type field struct {
	name   string
	offset int
	of     *datatype
}

// floatLayout is where the parts of a floating-point number are.
type floatLayout struct{ precision, exponentAt, exponentBits, mantissaAt, mantissaBits int }

var floatLayouts = map[floatLayout]bool{
	{16, 10, 5, 0, 10}:  true,
	{32, 23, 8, 0, 23}:  true,
	{64, 52, 11, 0, 52}: true,
}

const (
	maxNesting = 8
	maxFields  = 1 << 16
)

// datatype decodes a type. Shared types are read from where they are.
func (f *File) datatype(m message) (*datatype, error) {
	c := &cursor{f: f, data: m.data}
	if m.shared {
		version, kind := c.u8(), c.u8()
		if version == 1 {
			c.skip(6)
		}
		if version < 1 || version > 3 || version == 3 && kind != 2 {
			return nil, unsupported("a type in a heap of shared messages")
		}
		at := c.address()
		if c.err != nil {
			return nil, c.err
		}
		messages, err := f.header(at)
		if err != nil {
			return nil, err
		}
		for _, m := range messages {
			if m.kind == datatypeMessage && !m.shared {
				return f.datatype(m)
			}
		}
		return nil, damaged("there is no type at address %d", at)
	}
	t := f.decodeType(c, 0)
	return t, c.err
}

// decodeType decodes a type that begins at the cursor.
func (f *File) decodeType(c *cursor, depth int) *datatype {
	head, bits := c.u8(), int(c.number(3))
	t := &datatype{class: class(head & 15), size: int(c.u32())}
	version := head >> 4
	if c.err != nil {
		return t
	}
	if depth > maxNesting || t.size > maxElement || version > 4 {
		c.err = damaged("a type of version %d, %d bytes and %d levels", version, t.size, depth)
		return t
	}
	switch t.class {
	case classInteger, classBits:
		t.big, t.signed = bits&1 != 0, bits&8 != 0
		if at, precision := c.u16(), c.u16(); c.err == nil && (at != 0 || precision != 8*t.size || t.size > 8) {
			c.err = unsupported("an integer of %d bits in %d bytes", precision, t.size)
		}
	case classFloat:
		t.big = bits&1 != 0
		c.skip(2)
		t.float = floatLayout{precision: c.u16(), exponentAt: c.u8(), exponentBits: c.u8(), mantissaAt: c.u8(), mantissaBits: c.u8()}
		c.skip(4)
		if c.err == nil && (!floatLayouts[t.float] || t.float.precision != 8*t.size) {
			c.err = unsupported("a floating-point number of %d bits", t.float.precision)
		}
	case classText:
	case classCompound:
		f.compound(c, t, version, bits&0xFFFF, depth)
	case classEnum:
		t.of = f.decodeType(c, depth+1)
		f.members(c, t, version, bits&0xFFFF)
	case classVariable:
		t.text = bits&15 == 1
		t.of = f.decodeType(c, depth+1)
		if want := 8 + f.offsets; c.err == nil && t.size != want {
			c.err = damaged("a reference to a sequence has %d bytes, not %d", t.size, want)
		}
	case classArray:
		f.array(c, t, version, depth)
	case classReference:
	default: // times, opaque data
	}
	return t
}

func (f *File) compound(c *cursor, t *datatype, version, count, depth int) {
	for range count {
		before := len(c.data)
		m := field{name: c.text()}
		if version < 3 {
			c.skip((8 - (before-len(c.data))%8) % 8)
			m.offset = int(c.u32())
		} else {
			m.offset = int(c.number(bytesFor(uint64(t.size))))
		}
		times := 1
		if version == 1 {
			rank := c.u8()
			c.skip(11)
			for i := range 4 {
				if n := int(c.u32()); i < rank {
					times *= max(n, 1)
				}
			}
		}
		m.of = f.decodeType(c, depth+1)
		if times > 1 {
			m.of = &datatype{class: classArray, size: times * m.of.size, of: m.of, count: times}
		}
		if c.err != nil {
			return
		}
		if m.offset > t.size || m.of.size > t.size-m.offset {
			c.err = damaged("field %q lies beyond its record", m.name)
			return
		}
		t.fields = append(t.fields, m)
	}
}

// bytesFor is the number of bytes that a number needs.
func bytesFor(n uint64) int {
	bytes := 1
	for n >>= 8; n > 0; n >>= 8 {
		bytes++
	}
	return bytes
}

func (f *File) members(c *cursor, t *datatype, version, count int) {
	names := make([]string, 0, min(count, 256))
	for range count {
		before := len(c.data)
		names = append(names, c.text())
		if version < 3 {
			c.skip((8 - (before-len(c.data))%8) % 8)
		}
		if c.err != nil {
			return
		}
	}
	if t.of.class != classInteger {
		c.err = damaged("an enumeration that is not of integers")
		return
	}
	t.names = make(map[uint64]string, len(names))
	for _, name := range names {
		t.names[uint64(t.of.integer(c.take(t.of.size)))] = name
	}
}

func (f *File) array(c *cursor, t *datatype, version, depth int) {
	rank := c.u8()
	if version < 3 {
		c.skip(3)
	}
	t.count = 1
	for range rank {
		n := int(c.u32())
		if n > maxElement || t.count > maxElement/max(n, 1) {
			c.err = damaged("an array of more than %d elements", maxElement)
			return
		}
		t.count *= n
	}
	if version < 3 {
		c.skip(4 * rank)
	}
	t.of = f.decodeType(c, depth+1)
	if c.err == nil && t.of.size*t.count != t.size {
		c.err = damaged("an array of %d elements of %d bytes has %d bytes", t.count, t.of.size, t.size)
	}
}

// integer decodes a whole number. Unsigned numbers above the largest int64 wrap; [Column.Read] checks for them.
func (t *datatype) integer(b []byte) int64 {
	var n uint64
	for i := range b {
		at := i
		if !t.big {
			at = len(b) - 1 - i
		}
		n = n<<8 | uint64(b[at])
	}
	if t.signed && len(b) > 0 && len(b) < 8 {
		shift := 64 - 8*len(b)
		return int64(n<<shift) >> shift
	}
	return int64(n)
}

// decimal decodes a floating-point number exactly.
func (t *datatype) decimal(b []byte) float64 {
	order := binary.ByteOrder(binary.LittleEndian)
	if t.big {
		order = binary.BigEndian
	}
	switch len(b) {
	case 2:
		return half(order.Uint16(b))
	case 4:
		return float64(math.Float32frombits(order.Uint32(b)))
	}
	return math.Float64frombits(order.Uint64(b))
}

// half is a number of 16 bits.
func half(n uint16) float64 {
	sign, exponent, mantissa := 1.0, int(n>>10&31), float64(n&1023)
	if n&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(mantissa, -24)
	case 31:
		if mantissa != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+mantissa, exponent-25)
}

// truth reports whether the type is h5py's for truth values: an enumeration of FALSE and TRUE.
func (t *datatype) truth() bool {
	return t.class == classEnum && len(t.names) == 2 && t.names[0] == "FALSE" && t.names[1] == "TRUE"
}

// String names the type for messages.
func (t *datatype) String() string {
	switch t.class {
	case classInteger, classBits:
		return fmt.Sprintf("an integer of %d bits", 8*t.size)
	case classFloat:
		return fmt.Sprintf("a floating-point number of %d bits", 8*t.size)
	case classText:
		return fmt.Sprintf("a text of %d bytes", t.size)
	case classCompound:
		return "a record"
	case classReference:
		return "a reference"
	case classEnum:
		return "an enumeration"
	case classVariable:
		if t.text {
			return "a text of any length"
		}
		return "a sequence of any length"
	case classArray:
		return "an array"
	}
	return "an unknown type"
}
