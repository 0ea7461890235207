package vector

import (
	"errors"
	"fmt"
	"unsafe"
)

// UnpackProgram reads a program.
func UnpackProgram(data string, names References) (p *Program, err error) {
	defer recoverPacked(&err)
	r := unpacker{text: data, names: names}
	return r.listing().compile(), nil
}

// UnpackSeen reads which columns were constant.
func UnpackSeen(data string, names References) (s *Seen, err error) {
	defer recoverPacked(&err)
	r := unpacker{text: data, names: names}
	n := r.count(seenBytes)
	s = &Seen{constants: make(map[int32]Column, n)}
	for range n {
		slot := int32(r.number())
		s.constants[slot] = r.column()
	}
	return s, nil
}

// recoverPacked makes an error of what an unpacker met: a number that is out of range, or a name that nothing has.
func recoverPacked(err *error) {
	switch met := recover().(type) {
	case nil:
	case error:
		*err = errors.Join(errPacked, met)
	default:
		panic(met)
	}
}

// unpacker reads what a packer wrote. It panics with an error at what cannot be.
type unpacker struct {
	text    string
	at      int
	names   References
	columns []Column
	keys    []readKey
}

// readKey is a key and what calls with it do.
type readKey struct {
	key any
	do  func(r *Rules, in []Column) (Column, error)
}

func (r *unpacker) byte() byte {
	b := r.text[r.at]
	r.at++
	return b
}

func (r *unpacker) flag() bool { return r.byte() != 0 }

func (r *unpacker) uvarint() (n uint64) {
	for shift := 0; ; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
}

// count reads how many of something there are that follow, each in so many bytes at least: no more than there is text for, so that a damaged one
// asks for no more memory than that.
func (r *unpacker) count(bytes int) int {
	n := r.uvarint()
	if n > uint64((len(r.text)-r.at)/bytes) {
		panic(errPacked)
	}
	return int(n)
}

// number reads the number of a row, a slot, or something else for which no memory is taken.
func (r *unpacker) number() int {
	n := r.uvarint()
	if n > planned {
		panic(errPacked)
	}
	return int(n)
}

// planned bounds numbers.
const planned = 1 << 22

// What things take at least, in bytes.
const (
	columnBytes = 1 // one that was met before
	inputBytes  = 2
	stepBytes   = 8
	seenBytes   = 1 + columnBytes
)

func (r *unpacker) signed() int32 {
	n := r.uvarint()
	return int32(int64(n>>1) ^ -int64(n&1))
}

func (r *unpacker) string() string {
	n := r.count(1)
	s := r.text[r.at : r.at+n]
	r.at += n
	return s
}

func (r *unpacker) find() any {
	name := r.string()
	x, ok := r.names.Find(name)
	if !ok {
		panic(fmt.Errorf("nothing is named %q", name))
	}
	return x
}

func (r *unpacker) listing() (l listing) {
	l.constants = constants{all: make([]Column, r.count(columnBytes)), each: make(map[Column]operand)}
	for i := range l.all {
		l.all[i] = r.column()
		l.each[l.all[i]] = operand(^i)
	}
	l.slots = int32(r.number())
	n := r.count(inputBytes)
	for range n {
		l.inputs = append(l.inputs, r.within(r.signed(), -1, l.slots))
		l.lengths = append(l.lengths, int32(r.number()))
	}
	steps := make([]step, r.count(stepBytes))
	room := make([]operand, 0, r.count(1))
	l.steps = make([]*step, len(steps))
	for i := range steps {
		l.steps[i] = &steps[i]
		room = r.step(&steps[i], &l, room)
	}
	l.results = r.operands(&l, make([]operand, 0, 16))
	return l
}

// within passes on a number that is in its range.
func (r *unpacker) within(n, least, end int32) int32 {
	if n < least || n >= end {
		panic(errPacked)
	}
	return n
}

// operands reads operands after others, and gives them alone.
func (r *unpacker) operands(l *listing, room []operand) []operand {
	at := len(room)
	for n := r.count(1); n > 0; n-- {
		room = append(room, operand(r.within(r.signed(), -int32(len(l.all)), l.slots)))
	}
	return room[at:len(room):len(room)]
}

// step reads a step. Its operands go into room, which is returned as it is after that.
func (r *unpacker) step(s *step, l *listing, room []operand) []operand {
	s.kind, s.op = stepKind(r.byte()), Op(r.byte())
	flags := r.byte()
	s.holds, s.moves, s.picks = flags&holdsFlag != 0, flags&movesFlag != 0, flags&picksFlag != 0
	s.each, s.loose, s.from = flags&eachFlag != 0, flags&looseFlag != 0, Type(r.byte())
	if flags&askedFlag != 0 {
		s.asked = &asked{all: flags&askedAllFlag != 0, told: flags&askedToldFlag != 0, side: r.byte()}
	}
	s.in = r.operands(l, room)
	switch s.kind {
	case callStep:
		k := r.key()
		s.key, s.do = k.key, k.do
	case castStep:
		s.dtype = DType{Type: Type(r.byte()), Unit: Unit(r.byte())}
		s.dtype.Width = r.signed()
	}
	s.slot = r.within(int32(r.number()), 0, l.slots+1) // a promise has none
	s.result = r.column()
	if n := r.count(1); n > 0 {
		s.like = make([]int8, n)
		for i := range s.like {
			s.like[i] = int8(r.byte())
		}
	}
	return room[:len(room)+len(s.in)]
}

func (r *unpacker) column() Column {
	if n := r.number(); n > 0 {
		return r.columns[n-1]
	}
	c := Column{tag: tag{typ: Type(r.byte()), form: Form(r.byte()), unit: Unit(r.byte()), constant: r.flag()}}
	c.n, c.bits = int32(r.number()), r.uvarint()
	if r.flag() {
		r.elements(&c)
	}
	r.columns = append(r.columns, c)
	return c
}

// elements reads the storage of a column.
func (r *unpacker) elements(c *Column) {
	n := storedIn(c)
	if n > len(r.text)-r.at {
		panic(errPacked)
	}
	switch {
	case c.typ.text():
		texts := make([]string, n)
		for i := range texts {
			texts[i] = r.string()
		}
		c.data = unsafe.Pointer(unsafe.SliceData(texts))
	case c.typ == Object:
		objects := make([]any, n)
		for i := range objects {
			objects[i] = r.find()
		}
		c.data = unsafe.Pointer(unsafe.SliceData(objects))
	case c.typ == Enum && c.constant:
		c.data = unsafe.Pointer(r.find().(*Domain))
	case c.typ == Enum:
		index := &codes{r.find().(*Domain), make([]int16, n)}
		r.numbers(unsafe.Pointer(unsafe.SliceData(index.index)), 2*n)
		c.data = unsafe.Pointer(index)
	case c.typ.Number() || c.typ.time():
		words := make([]uint64, (n*elementSize(storageType(c.typ))+7)/8)
		c.data = unsafe.Pointer(unsafe.SliceData(words))
		r.numbers(c.data, n*elementSize(storageType(c.typ)))
	default:
		panic(errPacked)
	}
}

// numbers reads so many bytes.
func (r *unpacker) numbers(to unsafe.Pointer, n int) {
	copy(unsafe.Slice((*byte)(to), n), r.text[r.at:r.at+n])
	r.at += n
}

func (r *unpacker) key() readKey {
	if n := r.number(); n > 0 {
		return r.keys[n-1]
	}
	k := r.newKey()
	if k.do == nil {
		k.do = doing(k.key)
	}
	if k.do == nil {
		panic(errPacked)
	}
	r.keys = append(r.keys, k)
	return k
}

func (r *unpacker) newKey() readKey {
	switch r.byte() {
	case asKeys:
		return readKey{key: asKey(r.byte())}
	case unaryKeys:
		return readKey{key: unaryKey(r.byte())}
	case intoKeys:
		return readKey{key: intoKey(r.byte())}
	case roundKeys:
		return readKey{key: roundKey(r.signed())}
	case clipKeys:
		return readKey{key: clipKey{r.flag(), r.flag()}}
	case selectKeys:
		return readKey{key: selectKey(r.signed())}
	case searchKeys:
		return readKey{key: searchKey(r.flag())}
	case digitizeKeys:
		return readKey{key: digitizeKey(r.flag())}
	case busDaysKeys:
		var k busDaysKey
		for i := range k.mask {
			k.mask[i] = r.flag()
		}
		return readKey{key: k}
	case namedKeys:
		return readKey{key: namedKey(r.string())}
	case fillKeys:
		return readKey{key: rowFillKey{}}
	case gatherKeys:
		return readKey{key: rowGatherKey{}}
	case groupKeys:
		k := rowGroupKey{masked: r.flag()}
		k.what = r.string()
		return readKey{key: k}
	case placeKeys:
		return readKey{key: rowPlaceKey{}}
	case rankKeys:
		return readKey{key: rowRankKey{}}
	}
	name := r.string()
	key, do, ok := r.names.Operation(name)
	if !ok {
		panic(fmt.Errorf("no operation is named %q", name))
	}
	return readKey{key, do}
}
