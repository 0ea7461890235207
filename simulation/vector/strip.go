package vector

import "slices"

// Strip is a piece of a tape, packed to be played: a household's numbers are few, and what is read for each step counts.
// It never changes.
type Strip struct {
	moves     []move
	constants []Column
	calls     []call
	slots     int32 // that there are at its end
	objects   bool  // some of what it computes are objects
}

// move is a step. Its operands are slots, or constants if they are negative.
type move struct {
	kind  stepKind
	op    Op
	holds bool
	like  outline
	a, b  int32
	more  int32 // in calls
}

// outline is what a result must be like.
type outline struct {
	n    int32
	typ  Type
	form Form
	unit Unit
}

// call is what does not fit into a move.
type call struct {
	// do does not keep its operands: they are those of the next call, too.
	do    func(r *Rules, in []Column) (Column, error)
	dtype DType
	in    []int32
	// result is what was promised, or, of enumerations and text, what came out.
	result Column
}

// fits tells whether a column has the outline.
func (o outline) fits(c *Column) bool {
	return c.typ == o.typ && c.form == o.form && c.unit == o.unit && (o.n == c.n || o.n == anyLength)
}

// anyLength is that of a result whose length depends on what is in the operands, as that of a mask does.
const anyLength = -1

func outlineOf(c *Column) outline { return outline{c.n, c.typ, c.form, c.unit} }

// pack makes a strip of steps, whose constants are those that they use of some.
func pack(steps []*step, constants []Column) Strip {
	s := Strip{moves: make([]move, len(steps))}
	known := make(map[operand]int32)
	place := func(o operand) int32 {
		if o >= 0 {
			return int32(o)
		}
		at, ok := known[o]
		if !ok {
			at = int32(^len(s.constants))
			s.constants = append(s.constants, constants[^o])
			known[o] = at
		}
		return at
	}
	for i, st := range steps {
		s.objects = s.objects || st.result.typ == Object
		m := move{kind: st.kind, op: st.op, holds: st.holds, like: outlineOf(&st.result), a: place(st.in[0]), more: -1}
		if st.loose {
			m.like.n = anyLength
		}
		if len(st.in) > 1 {
			m.b = place(st.in[1])
		}
		if st.needsCall() {
			m.more = int32(len(s.calls))
			s.calls = append(s.calls, st.call(place))
		}
		s.moves[i] = m
	}
	return s
}

// needsCall tells whether something of a step does not fit into its move.
func (st *step) needsCall() bool {
	return st.kind == callStep || st.kind == castStep || st.resultMatters()
}

// resultMatters tells whether the result itself is to be compared.
func (st *step) resultMatters() bool {
	return st.kind == sameStep || st.kind == constStep || st.result.typ == Enum || st.result.typ.text()
}

// call gives what of a step does not fit into its move.
func (st *step) call(place func(operand) int32) call {
	c := call{do: st.do, dtype: st.dtype}
	if st.resultMatters() {
		c.result = st.result
	}
	if st.kind == callStep {
		c.in = make([]int32, len(st.in))
		for i, o := range st.in {
			c.in[i] = place(o)
		}
	}
	return c
}

// Len is the number of steps.
func (s *Strip) Len() int { return len(s.moves) }

// Bytes is about what the strip takes.
func (s *Strip) Bytes() int64 {
	bytes := int64(len(s.moves)) * 24
	for i := range s.constants {
		bytes += 24 + s.constants[i].bytes()
	}
	for i := range s.calls {
		bytes += 160 + 4*int64(len(s.calls[i].in)) + s.calls[i].result.bytes() // with what the function holds
	}
	return bytes
}

func (c Column) bytes() int64 {
	if c.constant {
		return 0
	}
	return int64(c.n) * int64(elementSize(c.typ))
}

// Slots is the number of slots that are filled once the strip was played.
func (s *Strip) Slots() int { return int(s.slots) }

// Objects tells whether the strip is to be played by rules that compute with objects.
func (s *Strip) Objects() bool { return s.objects }

// Equal tells whether two strips do the same, as far as it can be told: the same steps on the same slots and constants.
func (s *Strip) Equal(o *Strip) bool {
	return s.slots == o.slots && slices.Equal(s.moves, o.moves) &&
		slices.EqualFunc(s.constants, o.constants, Column.Same) &&
		slices.EqualFunc(s.calls, o.calls, func(a, b call) bool {
			return a.dtype == b.dtype && slices.Equal(a.in, b.in) && a.result.Same(b.result)
		})
}

// Play does to the columns in slots what was recorded, and appends the results. It is false if they are not such as the
// tape was recorded for; then what was appended is of no use.
func (s *Strip) Play(r *Rules, slots []Column) ([]Column, bool) {
	var operands []Column // of the call at hand
	for i := range s.moves {
		m := &s.moves[i]
		var out Column
		var err error
		switch m.kind {
		case binaryStep:
			out, err = r.Binary(m.op, *s.at(m.a, slots), *s.at(m.b, slots))
		case castStep:
			out, err = r.Cast(*s.at(m.a, slots), s.calls[m.more].dtype)
		case callStep:
			c := &s.calls[m.more]
			operands = operands[:0]
			for _, place := range c.in {
				operands = append(operands, *s.at(place, slots))
			}
			out, err = c.do(r, operands)
		default:
			if !s.keeps(m, r, *s.at(m.a, slots)) {
				return slots, false
			}
			continue
		}
		if err != nil || !m.like.fits(&out) || m.more >= 0 && !alike(&out, &s.calls[m.more].result) {
			return slots, false
		}
		slots = append(slots, out)
	}
	return slots, len(slots) == int(s.slots)
}

func (s *Strip) at(place int32, slots []Column) *Column {
	if place >= 0 {
		return &slots[place]
	}
	return &s.constants[^place]
}

// keeps tells whether a promise is kept.
func (s *Strip) keeps(m *move, r *Rules, c Column) bool {
	var holds bool
	var err error
	switch m.kind {
	case anyStep:
		holds, err = r.Any(c)
	case allStep:
		holds, err = r.All(c)
	case lengthStep:
		return c.n == m.like.n
	default:
		return c.Same(s.calls[m.more].result)
	}
	return err == nil && holds == m.holds
}

// alike tells whether enumerations, or texts, that are alike otherwise are of one domain or width.
func alike(c, was *Column) bool {
	return (c.typ != Enum || c.Domain() == was.Domain()) && (!c.typ.text() || c.bits == was.bits)
}
