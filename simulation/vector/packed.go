package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"
)

// A program is packed to be played by later processes of the same build. What it refers to and does not hold, which is the law, has names.

// References names what programs refer to: domains of enumerations, objects, and operations that other packages have recorded.
type References interface {
	// Name names a domain, an object or the key of an operation; false if it has no name.
	Name(x any) (string, bool)
	// Find gives the domain or the object of a name.
	Find(name string) (any, bool)
	// Operation gives the key of a name, and what calls with it do.
	Operation(name string) (key any, do func(r *Rules, in []Column) (Column, error), ok bool)
}

var errPacked = errors.New("the packed data is damaged")

// Pack writes down a program, as far as its results depend on it. It is an error if it refers to something without a name.
func (p *Program) Pack(names References) ([]byte, error) {
	w := packer{names: names, columns: map[Column]uint64{}, keys: map[any]uint64{}}
	w.listing(p.listing)
	return w.out, w.err
}

// Pack writes down which columns of a program were constant.
func (s *Seen) Pack(names References) ([]byte, error) {
	w := packer{names: names, columns: map[Column]uint64{}}
	w.count(len(s.constants))
	for slot, c := range s.constants {
		w.count(int(slot))
		w.column(c)
	}
	return w.out, w.err
}

// packer writes columns and keys where they are met first, and numbers of them from then on.
type packer struct {
	names   References
	columns map[Column]uint64
	keys    map[any]uint64
	out     []byte
	err     error
}

func (w *packer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *packer) count(n int)    { w.out = binary.AppendUvarint(w.out, uint64(n)) }
func (w *packer) signed(n int32) { w.out = binary.AppendVarint(w.out, int64(n)) }

func (w *packer) text(s string) {
	w.count(len(s))
	w.out = append(w.out, s...)
}

// named writes the name of something.
func (w *packer) named(x any) {
	name, ok := w.names.Name(x)
	if !ok {
		w.fail(fmt.Errorf("there is no name for %v, a %T", x, x))
	}
	w.text(name)
}

// listing writes the steps that are needed, the constants that those have, and what goes in and comes out.
func (w *packer) listing(l listing) {
	c := compiler{listing: l, program: &Program{}}
	c.findUses()
	constants := &constantNumbers{number: make([]int32, len(l.all))}
	var steps []*step
	for _, s := range l.steps {
		if c.needs(s) {
			steps = append(steps, s)
			constants.see(s.in)
		}
	}
	constants.see(l.results)
	w.count(len(constants.order))
	for _, i := range constants.order {
		w.column(l.all[i])
	}
	w.count(int(l.slots))
	w.count(len(l.inputs))
	for i, slot := range l.inputs {
		w.signed(slot)
		w.count(int(l.lengths[i]))
	}
	w.count(len(steps))
	operands := 0
	for _, s := range steps {
		operands += len(s.in)
	}
	w.count(operands)
	for _, s := range steps {
		w.step(s, constants)
	}
	w.operands(l.results, constants)
}

// constantNumbers gives constants that are used new numbers.
type constantNumbers struct {
	number []int32 // by the old one; 0 for none, else one more than the new one
	order  []int32
}

func (k *constantNumbers) see(in []operand) {
	for _, o := range in {
		if o < 0 && k.number[^o] == 0 {
			k.order = append(k.order, int32(^o))
			k.number[^o] = int32(len(k.order))
		}
	}
}

func (w *packer) operands(in []operand, k *constantNumbers) {
	w.count(len(in))
	for _, o := range in {
		if o < 0 {
			o = operand(^(k.number[^o] - 1))
		}
		w.signed(int32(o))
	}
}

// Flags of a step.
const (
	holdsFlag = 1 << iota
	movesFlag
	picksFlag
	eachFlag
	looseFlag
	askedFlag
	askedAllFlag
	askedToldFlag
)

func (w *packer) step(s *step, constants *constantNumbers) {
	flags := byte(0)
	for i, is := range []bool{s.holds, s.moves, s.picks, s.each, s.loose, s.asked != nil, s.asked != nil && s.asked.all, s.asked != nil && s.asked.told} {
		if is {
			flags |= 1 << i
		}
	}
	w.out = append(w.out, byte(s.kind), byte(s.op), flags, byte(s.from))
	if s.asked != nil {
		w.out = append(w.out, s.asked.side)
	}
	w.operands(s.in, constants)
	switch s.kind {
	case callStep:
		w.key(s.key)
	case castStep:
		w.out = append(w.out, byte(s.dtype.Type), byte(s.dtype.Unit))
		w.signed(s.dtype.Width)
	}
	w.count(int(s.slot))
	w.column(s.result)
	w.count(len(s.like))
	for _, k := range s.like {
		w.out = append(w.out, byte(k))
	}
}

// column writes a constant, or what is known of others.
func (w *packer) column(c Column) {
	if n, ok := w.columns[c]; ok {
		w.count(int(n))
		return
	}
	w.columns[c] = uint64(len(w.columns) + 1)
	w.count(0)
	w.out = append(w.out, byte(c.typ), byte(c.form), byte(c.unit), flagOf(c.constant))
	w.count(int(c.n))
	w.out = binary.AppendUvarint(w.out, c.bits)
	w.out = append(w.out, flagOf(c.data != nil))
	if c.data != nil {
		w.elements(c)
	}
}

// elements writes what the storage of a column holds.
func (w *packer) elements(c Column) {
	n := storedIn(&c)
	switch {
	case c.typ.text():
		for i := range n {
			w.text(c.Text(i))
		}
		return
	case c.typ == Object:
		for i := range n {
			w.named(c.Object(i))
		}
		return
	case c.typ == Enum:
		w.named(c.Domain())
		if c.constant {
			return
		}
	}
	w.out = append(w.out, unsafe.Slice((*byte)(storageOf(&c)), n*elementSize(storageType(c.typ)))...)
}

// storedIn is how many elements the storage of a column has.
func storedIn(c *Column) int {
	if c.constant {
		return 1
	}
	return int(c.n)
}

// storageOf is where the numbers of an array are.
func storageOf(c *Column) unsafe.Pointer {
	if c.typ == Enum {
		return unsafe.Pointer(unsafe.SliceData((*codes)(c.data).index))
	}
	return c.data
}

func flagOf(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// Kinds of keys.
const (
	foreignKeys = iota
	asKeys
	unaryKeys
	intoKeys
	roundKeys
	clipKeys
	selectKeys
	searchKeys
	digitizeKeys
	busDaysKeys
	namedKeys
	fillKeys
	gatherKeys
	groupKeys
	placeKeys
	rankKeys
)

func (w *packer) key(key any) {
	if key == nil {
		w.fail(errors.New("a step has no operation"))
		return
	}
	if n, ok := w.keys[key]; ok {
		w.count(int(n))
		return
	}
	w.keys[key] = uint64(len(w.keys) + 1)
	w.count(0)
	kind := func(k byte, more ...byte) { w.out = append(append(w.out, k), more...) }
	switch k := key.(type) {
	case asKey:
		kind(asKeys, byte(k))
	case unaryKey:
		kind(unaryKeys, byte(k))
	case intoKey:
		kind(intoKeys, byte(k))
	case roundKey:
		kind(roundKeys)
		w.signed(int32(k))
	case clipKey:
		kind(clipKeys, flagOf(k.low), flagOf(k.high))
	case selectKey:
		kind(selectKeys)
		w.signed(int32(k))
	case searchKey:
		kind(searchKeys, flagOf(bool(k)))
	case digitizeKey:
		kind(digitizeKeys, flagOf(bool(k)))
	case busDaysKey:
		kind(busDaysKeys)
		for _, day := range k.mask {
			w.out = append(w.out, flagOf(day))
		}
	case namedKey:
		kind(namedKeys)
		w.text(string(k))
	case rowFillKey:
		kind(fillKeys)
	case rowGatherKey:
		kind(gatherKeys)
	case rowGroupKey:
		kind(groupKeys, flagOf(k.masked))
		w.text(k.what)
	case rowPlaceKey:
		kind(placeKeys)
	case rowRankKey:
		kind(rankKeys)
	default:
		kind(foreignKeys)
		w.named(key)
	}
}
