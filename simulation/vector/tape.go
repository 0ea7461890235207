package vector

import "slices"

// A tape is what happened to some columns: the operations on them, in order, with everything else that went into them as
// constants. A computation that was run on taped columns is on tape afterwards, and can be played on other columns without
// the code that made it.
//
// A taped column behaves like the column it stands for. Operations on it are written down, and their results are
// taped, too. Where somebody looks at what it holds, that is written down as a promise: the tape holds for columns that
// look the same there. So whatever the code did with what it saw, it does for them too, and a tape is right wherever it
// can be played to its end.

// boxed marks the form of a taped column; its data is a *original.
const boxed Form = 1 << 7

// original is what a taped column stands for.
type original struct {
	inner Column
	tape  *Tape
	slot  int32
	seen  bool // its content is promised
	loose bool // its length depends on what is in other columns, and is not promised
}

// Tape records what happens to taped columns. It belongs to one goroutine.
type Tape struct {
	steps   []*step
	room    []step    // of steps to come
	lists   []operand // those of steps
	columns []Column  // room for those of the step at hand
	slots   int32
	book
	known []Column // what came of steps that are in the book
	// indexes and masks are those of groups and members, by what they hold; there are few.
	indexes  map[string][]int32
	masks    map[string][]bool
	closed   bool
	limit    int
	*rowTape // nil unless the tape is played on columns of other lengths
}

// operand is what goes into a step: the content of a slot, or, if it is negative, a constant by the complement of its number.
type operand int32

type stepKind uint8

const (
	callStep stepKind = iota
	binaryStep
	castStep
	sameStep // a promise: the operand is as result says
	anyStep  // a promise: whether any element is true
	allStep
	lengthStep // a promise: the operand has as many elements as result
)

// step is an operation, or a promise.
type step struct {
	kind  stepKind
	op    Op
	holds bool  // what was promised
	moves bool  // elements, without computing
	picks bool  // as many as the second operand says
	each  bool  // row by row, though nothing of its key says so
	loose bool  // the result may have any length
	from  Type  // of tapes of rows: of what is cast
	slot  int32 // of the result
	dtype DType
	in    []operand
	do    func(r *Rules, in []Column) (Column, error)
	// key tells what do does: calls with the same key do the same. It is comparable; nil if nobody can tell.
	key any
	// result is what came out: what is played must give the same type, form and length.
	result Column
	// Of tapes of rows: what a promise is asked of all rows as; which operand each constant is as long as.
	asked *asked
	like  []int8
}

// NewTape makes a tape that takes so many steps and slots; what happens after that is not recorded.
func NewTape(limit int) *Tape {
	return &Tape{
		limit: limit, book: newBook(constants{each: make(map[Column]operand)}),
		indexes: make(map[string][]int32), masks: make(map[string][]bool),
	}
}

// Input makes a column taped: it becomes the next slot. Objects are not taped but promised.
func (t *Tape) Input(c Column) Column {
	c = c.Plain()
	if t.closed {
		return c
	}
	slot := t.slots
	t.slots++
	if c.typ == Object {
		if t.rowTape != nil {
			t.refuse("an input has objects")
			return c
		}
		t.add(step{kind: sameStep, in: []operand{operand(slot)}, result: c})
		return c
	}
	return t.box(c, slot)
}

// Full tells that not everything was recorded, so that the tape is of no use.
func (t *Tape) Full() bool { return t.closed }

// Close ends the recording. Taped columns stay usable.
func (t *Tape) Close() { t.closed = true }

// Slot gives the slot of a taped column of this tape.
func (t *Tape) Slot(c Column) (int32, bool) {
	if !c.Taped() || c.original().tape != t {
		return 0, false
	}
	return c.original().slot, true
}

// Cut gives what was recorded since the last cut.
func (t *Tape) Cut() Strip {
	s := pack(t.steps, t.all)
	s.slots, t.steps = t.slots, nil
	return s
}

func (t *Tape) add(s step) {
	if len(t.steps) >= t.limit || int(t.slots) >= t.limit {
		t.closed = true
	}
	if t.closed {
		return
	}
	if len(t.room) == cap(t.room) {
		t.room = make([]step, 0, min(2*cap(t.room)+16, 1<<10))
	}
	t.room = append(t.room, s)
	t.steps = push(t.steps, &t.room[len(t.room)-1])
}

// operands gives columns as they go into a step. They are good until the next call, unless they are kept.
func (t *Tape) operands(in []Column) []operand {
	if cap(t.lists)-len(t.lists) < len(in) {
		t.lists = make([]operand, 0, len(in)+min(2*cap(t.lists)+32, 1<<12))
	}
	out := t.lists[len(t.lists) : len(t.lists) : len(t.lists)+len(in)]
	for _, c := range in {
		out = append(out, t.operand(c))
	}
	return out
}

// keep keeps operands.
func (t *Tape) keep(in []operand) { t.lists = t.lists[:len(t.lists)+len(in)] }

func (t *Tape) box(c Column, slot int32) Column {
	out := Column{data: pointerTo(&original{inner: c, tape: t, slot: slot}), n: c.n, tag: tag{typ: c.typ, form: c.form | boxed, unit: c.unit}}
	if c.typ.text() {
		out.bits = c.bits // the width
	}
	return out
}

// Taped tells whether what happens to the column is recorded.
func (c Column) Taped() bool { return c.form&boxed != 0 }

// Plain gives the column itself, to be handed to somebody whom the tape has nothing to do with.
func (c Column) Plain() Column {
	if c.Taped() {
		return c.original().inner
	}
	return c
}

// Looked gives the column itself, to be looked at: if it is taped its content is promised.
func (c Column) Looked() Column {
	if !c.Taped() {
		return c
	}
	b := c.original()
	if b.tape.rowTape != nil {
		b.tape.refuse("a formula reads the values of the rows")
	}
	if !b.seen && !b.tape.closed {
		b.seen = true
		b.tape.add(step{kind: sameStep, in: []operand{operand(b.slot)}, result: b.inner})
	}
	return b.inner
}

// operand gives a column as it goes into a step. What another tape recorded that has ended is a constant to this one.
func (t *Tape) operand(c Column) operand {
	if t.varies(c) {
		return operand(c.original().slot)
	}
	return t.constant(c.Plain())
}

// tapeOf gives the tape of columns, nil if none of them is taped any more. Columns of two tapes end both: neither knows
// what comes of them.
func tapeOf(cs ...Column) *Tape {
	var t *Tape
	for _, c := range cs {
		if !c.Taped() {
			continue
		}
		b := c.original()
		switch {
		case b.seen || b.tape.closed || b.tape == t:
		case t == nil:
			t = b.tape
		default:
			t.Close()
			b.tape.Close()
			return nil
		}
	}
	return t
}

// Record applies a pure function to columns, of which some are taped: it is recorded, to be applied to others. The
// function sees the columns themselves and does not keep the slice. It must depend on nothing else that changes.
//
// Calls with the same key, which is comparable and of a type of the caller's own, do the same; nil stands for no other.
func Record(key any, do func(r *Rules, in []Column) (Column, error), r *Rules, in ...Column) (Column, error) {
	if t := tapeOf(in...); t == nil || t.rowTape == nil {
		for _, c := range in {
			c.Len() // the function is written for columns of these lengths
		}
	}
	return record(step{moves: true, key: key, do: do}, r, in...)
}

func record(s step, r *Rules, in ...Column) (Column, error) {
	t := tapeOf(in...)
	number := int32(0)
	if s.kind == callStep && s.do == nil {
		s.do = doing(s.key)
	}
	if t != nil {
		s.in = t.operands(in)
		if number = t.numberOf(&s, s.in); number != 0 {
			if k, ok := t.noted(number); ok {
				return t.known[k], nil
			}
		}
	}
	plain := t.plain(in)
	out, err := s.apply(r, plain)
	if t == nil {
		return out, err
	}
	t.columns = plain
	if err != nil || out.typ == Object && !s.moves {
		// What follows from an error depends on what is in the operands; only their makers can compute with objects.
		for _, c := range in {
			c.Looked()
		}
		return out, err
	}
	s.result, s.slot = out, t.slots
	if t.rowTape != nil {
		if !t.takes(&s, in) {
			return out, nil
		}
		s.result, s.from, s.like = outside(out), in[0].typ, lengthsFrom(in)
	}
	s.loose = s.picks && t.varies(in[1]) || slices.ContainsFunc(in, t.loose)
	if s.key == namedKey("SetMask") {
		s.loose = t.loose(in[0]) // whatever is put there
	}
	t.keep(s.in)
	t.add(s)
	t.slots++
	c := t.box(out, s.slot)
	c.original().loose = s.loose
	if number != 0 {
		t.note(number, int32(len(t.known)))
		t.known = push(t.known, c)
	}
	return c, nil
}

// plain gives columns themselves, for the step at hand.
func (t *Tape) plain(in []Column) []Column {
	var out []Column
	if t != nil {
		out, t.columns = t.columns[:0], nil // a step may lead to others
	}
	for _, c := range in {
		out = append(out, c.Plain())
	}
	return out
}

// varies tells whether a column is taped on this tape, and its content not promised.
func (t *Tape) varies(c Column) bool {
	return c.Taped() && c.original().tape == t && !c.original().seen
}

// loose tells whether the length of a column is not promised.
func (t *Tape) loose(c Column) bool { return t.varies(c) && c.original().loose }

// measure promises the length of a taped column, if that depends on anything.
func (c Column) measure() {
	b := c.original()
	if !b.loose || b.tape.closed {
		return
	}
	if b.tape.rowTape != nil {
		b.tape.refuse("a formula asks how many rows were picked")
		return
	}
	b.loose = false
	if !b.seen {
		b.tape.add(step{kind: lengthStep, in: []operand{operand(b.slot)}, result: Column{n: b.inner.n}})
	}
}

// recordOne records an operation that cannot fail on a column of that length.
func recordOne(key any, do func(c Column) Column, c Column) Column {
	c.Len()
	out, _ := record(step{moves: true, key: key, do: func(_ *Rules, in []Column) (Column, error) { return do(in[0]), nil }}, nil, c)
	return out
}

// recordKeyed is recordOne of an operation that its key tells.
func recordKeyed(key any, c Column) Column {
	c.Len()
	out, _ := record(step{moves: true, key: key}, nil, c)
	return out
}

// promise records what a test on a taped column said.
func promise(kind stepKind, c Column, holds bool, err error) (bool, error) {
	t := tapeOf(c)
	if t == nil {
		return holds, err
	}
	if err != nil {
		c.Looked()
		return holds, err
	}
	t.add(step{kind: kind, in: []operand{t.operand(c)}, holds: holds})
	return holds, nil
}

func (s *step) apply(r *Rules, in []Column) (Column, error) {
	switch s.kind {
	case binaryStep:
		return r.Binary(s.op, in[0], in[1])
	case castStep:
		return r.Cast(in[0], s.dtype)
	}
	return s.do(r, in)
}
