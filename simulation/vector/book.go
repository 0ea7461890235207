package vector

import (
	"math"
	"math/bits"
	"reflect"
	"slices"
)

// push is append to a list that may become long. It doubles: append grows long lists by a quarter, so that those it leaves behind come to four
// times the last one.
func push[T any](list []T, one T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(len(list), 16))
	}
	return append(list, one)
}

// constants are columns with numbers.
type constants struct {
	all  []Column
	each map[Column]operand
}

func (k *constants) constant(c Column) operand {
	o, ok := k.each[c]
	if !ok {
		o = operand(^len(k.all))
		k.all = push(k.all, c)
		k.each[c] = o
	}
	return o
}

// stepKey is what a step does.
type stepKey struct {
	kind  stepKind
	op    Op
	dtype DType
	key   any
}

// book gives the same number to steps that do the same.
type book struct {
	constants
	ways    map[stepKey]int32       // numbers of what is done
	numbers numbering               // of that and the operands after it
	spelled map[constantKey]operand // texts and objects
	notes   []int32                 // by number: one more than what was noted of it
}

func newBook(k constants) book {
	return book{constants: k, ways: make(map[stepKey]int32), spelled: make(map[constantKey]operand)}
}

// numberOf gives what a step does to operands a number, 0 if nobody can tell.
func (b *book) numberOf(s *step, in []operand) int32 {
	if s.kind == callStep && s.key == nil {
		return 0
	}
	n := -1 - int32(s.op)
	if s.kind != binaryStep {
		q := stepKey{s.kind, s.op, s.dtype, s.key}
		var ok bool
		if n, ok = b.ways[q]; !ok {
			n = -1 - math.MaxUint8 - int32(len(b.ways)) - 1
			b.ways[q] = n
		}
	}
	for i := 0; i < len(in); i += 2 {
		two := entry{after: n, a: b.spelledAlike(s, in[i]), b: nothing}
		if i+1 < len(in) {
			two.b = b.spelledAlike(s, in[i+1])
		}
		n = b.numbers.number(two)
	}
	return n
}

// note keeps something, which is not negative, about what has a number.
func (b *book) note(number, what int32) {
	if missing := int(number) + 1 - len(b.notes); missing > 0 {
		b.notes = append(b.notes, make([]int32, missing)...)
	}
	b.notes[number] = what + 1
}

// noted gives what was noted about a number.
func (b *book) noted(number int32) (what int32, ok bool) {
	if int(number) >= len(b.notes) || b.notes[number] == 0 {
		return 0, false
	}
	return b.notes[number] - 1, true
}

// constantKey is a text, or an object, as far as a step depends on it.
type constantKey struct {
	text   string
	object any
	tag    tag
	bits   uint64
}

// spelledAlike gives texts that say the same, and objects that are the same where a step only moves them, the same constant: each lies
// elsewhere, as a formula wrote it.
func (b *book) spelledAlike(s *step, o operand) operand {
	if o >= 0 || b.all[^o].n != 1 {
		return o
	}
	c := b.all[^o]
	k := constantKey{tag: c.tag, bits: c.bits}
	switch {
	case c.typ.text():
		k.text = c.Text(0)
	case c.typ == Object && s.moves && reflect.ValueOf(c.Object(0)).Kind() == reflect.Pointer:
		k.object = c.Object(0)
	default:
		return o
	}
	first, ok := b.spelled[k]
	if !ok {
		b.spelled[k], first = o, o
	}
	return first
}

// entry is one or two operands after what is done, or after a list of others.
type entry struct {
	after int32
	a, b  operand
}

// nothing stands for no operand.
const nothing operand = math.MinInt32

// numbering gives entries numbers from 1 on. It does one thing for two operands of each step, so it is simpler than a map.
type numbering struct {
	entries []entry // by number, less one
	table   []int32 // numbers by hash, 0 for none: as long as a power of two, at most three quarters full
	shift   uint8
}

// number gives an entry its number.
func (p *numbering) number(one entry) int32 {
	if 4*len(p.entries) >= 3*len(p.table) {
		p.grow()
	}
	at := one.hash() >> p.shift
	for p.table[at] != 0 {
		if n := p.table[at]; p.entries[n-1] == one {
			return n
		}
		at = (at + 1) & uint64(len(p.table)-1)
	}
	p.entries = push(p.entries, one)
	p.table[at] = int32(len(p.entries))
	return p.table[at]
}

func (e entry) hash() uint64 {
	const spread, further = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	return ((uint64(uint32(e.after))<<32|uint64(uint32(e.a)))*further ^ uint64(uint32(e.b))) * spread
}

func (p *numbering) grow() {
	p.table = make([]int32, max(4*len(p.table), 256))
	p.shift = uint8(64 - bits.TrailingZeros(uint(len(p.table))))
	for i, one := range p.entries {
		at := one.hash() >> p.shift
		for p.table[at] != 0 {
			at = (at + 1) & uint64(len(p.table)-1)
		}
		p.table[at] = int32(i + 1)
	}
}
