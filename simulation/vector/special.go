package vector

import (
	"maps"
	"slices"
)

// Most of a law is about what hardly anybody has: of the columns that a program computes for some thousand rows, most are
// the same for all of them, and the same again for the next ones. A special program takes that for granted: it makes sure
// of what the others follow from, and leaves out whatever is then known. Where a column is not what it was, the program
// does not hold, and the one that it was made of has to be played.

// Seen is which columns were constant whenever a program was played.
type Seen struct {
	constants map[int32]Column // by slot; that varied once: no constant
}

// see notes what a column was.
func (s *Seen) see(slot int32, c Column) {
	if s.constants == nil {
		s.constants = make(map[int32]Column)
	}
	was, known := s.constants[slot]
	c.form = Array
	switch {
	case !c.constant || c.typ == Object:
		s.constants[slot] = Column{}
	case !known:
		s.constants[slot] = c
	default:
		if was.n = c.n; was.constant && !was.Same(c) {
			s.constants[slot] = Column{}
		}
	}
}

// Join adds what was seen elsewhere, which is not used after that.
func (s *Seen) Join(o *Seen) {
	if s.constants == nil {
		s.constants = o.constants
		return
	}
	for slot, c := range o.constants {
		s.see(slot, c)
	}
}

// Special makes a program that holds where all columns are constant that were so whenever they were seen; nil if there can
// be none.
func (p *Program) Special(r *Rules, seen *Seen) *Program {
	m := specialist{rules: r, seen: seen, worth: p.worth(seen), known: make([]operand, p.slots), results: make([]outline, p.slots), unsigned: make([]bool, p.slots)}
	m.out = listing{slots: p.slots, inputs: p.listing.inputs, lengths: p.listing.lengths, steps: make([]*step, 0, len(p.steps))}
	m.book = newBook(constants{slices.Clone(p.all), maps.Clone(p.each)})
	for i := range m.known {
		m.known[i] = operand(i)
	}
	for i, slot := range p.listing.inputs {
		if slot >= 0 {
			m.results[slot] = outline{n: p.listing.lengths[i], typ: Object} // of a type that nobody needs to know
		}
	}
	for _, s := range p.steps {
		if s.gives() {
			m.results[s.slot] = outlineOf(&s.result)
		}
		if s := m.step(s); s != nil {
			m.out.steps = append(m.out.steps, s)
		}
	}
	if m.lost {
		return nil
	}
	for _, o := range p.listing.results {
		m.out.results = append(m.out.results, m.now(o))
	}
	m.out.constants = m.constants
	return m.out.compile()
}

// worth tells, by slot, of which columns it spares a step to know that they are constant. Any other would only be a reason for a program not to hold: a zero
// among zeros that is negative, where something else is chosen for nearly all rows.
func (p *Program) worth(seen *Seen) []bool {
	constant, worth := make([]bool, p.slots), make([]bool, p.slots)
	for _, s := range p.steps {
		varying := -1 // an operand
		known := 0
		for i, o := range s.in {
			if o < 0 || constant[o] {
				known++
			} else {
				varying = i
			}
		}
		switch {
		case s.gives() && s.key == namedKey("Compact"):
			constant[s.slot] = known > 0 || seen.constants[s.slot].constant
			continue
		case varying < 0 && s.gives():
			constant[s.slot] = true
		case varying >= 0 && !(s.kind == binaryStep && known > 0):
			continue
		}
		for _, o := range s.in {
			if o >= 0 {
				worth[o] = true
			}
		}
	}
	return worth
}

// specialist knows which slots are constant.
type specialist struct {
	rules   *Rules
	seen    *Seen
	worth   []bool    // by slot: whether a step is spared if it is constant
	known   []operand // by slot: itself, a constant, or one that is the same
	results []outline // by slot, when the tape was recorded
	book
	in      []operand // of the step at hand
	columns []Column  // that those are
	// unsigned tells by slot whether its zeros are not negative.
	unsigned []bool
	out      listing
	lost     bool // a constant is as long as nobody knows
}

// now is what has become of an operand.
func (m *specialist) now(o operand) operand {
	if o < 0 {
		return o
	}
	return m.known[o]
}

// step gives a step as far as it is still needed, nil if it is not. It changes none.
func (m *specialist) step(s *step) *step {
	m.in = m.in[:0]
	for _, o := range s.in {
		m.in = append(m.in, m.now(o))
	}
	if !s.gives() {
		return m.promise(s)
	}
	if c, ok := m.compute(s); ok {
		m.known[s.slot] = m.constant(c)
		return nil
	}
	if s.key == namedKey("Compact") {
		return m.compact(s)
	}
	o, ok := m.settle(s)
	if !ok {
		o, ok = m.unchanged(s)
	}
	if ok {
		m.known[s.slot] = o
		return nil
	}
	m.unsigned[s.slot] = m.givesUnsigned(s)
	if number := m.numberOf(s, m.in); number != 0 {
		if slot, ok := m.noted(number); ok {
			m.known[s.slot] = operand(slot)
			return nil
		}
		m.note(number, s.slot)
	}
	if slices.Equal(m.in, s.in) {
		return s
	}
	changed := m.changed(s)
	m.measure(changed)
	return changed
}

// settle tells what comes of a truth and a constant, if that is the same for false and true, or the truth itself.
func (m *specialist) settle(s *step) (operand, bool) {
	if s.kind != binaryStep || (m.in[0] < 0) == (m.in[1] < 0) {
		return 0, false
	}
	truth := 0
	if m.in[0] < 0 {
		truth = 1
	}
	of := m.results[m.in[truth]]
	if of.typ != Bool {
		return 0, false
	}
	var in [2]Column
	var out [2]Column
	in[1-truth] = m.all[^m.in[1-truth]]
	for i, is := range []bool{false, true} {
		in[truth] = Const(int(of.n), is).As(of.form)
		c, err := s.apply(m.rules, in[:])
		if err != nil || !c.constant || !outlineOf(&s.result).fits(&c) {
			return 0, false
		}
		out[i] = c
	}
	if out[0] == out[1] {
		return m.constant(out[0]), true
	}
	return m.in[truth], out[0] == Const(int(of.n), false).As(of.form) && out[1] == in[truth]
}

// changed is a step of the operands at hand.
func (m *specialist) changed(s *step) *step {
	c := *s
	c.in = slices.Clone(m.in)
	return &c
}

// compact takes for granted that a column is the constant that it was.
func (m *specialist) compact(s *step) *step {
	was := m.seen.constants[s.slot]
	if !was.constant || !m.worth[s.slot] {
		m.known[s.slot] = m.in[0] // it varies, or may as well
		return nil
	}
	was.n, was.form = s.result.n, s.result.form
	m.known[s.slot] = m.constant(was)
	return &step{kind: constStep, in: slices.Clone(m.in), result: was}
}

// promise gives a promise, or a question, whose operand may be known by now.
func (m *specialist) promise(s *step) *step {
	if s.kind == askStep {
		return s
	}
	now := m.changed(s)
	if now.in[0] >= 0 {
		return now
	}
	var holds bool
	var err error
	switch c := m.all[^now.in[0]]; s.kind {
	case anyStep:
		holds, err = m.rules.Any(c)
	case allStep:
		holds, err = m.rules.All(c)
	default:
		return now
	}
	if err != nil || s.asked == nil && holds != s.holds {
		return now // as it is, it will not be kept
	}
	if s.asked == nil {
		return nil
	}
	now.kind, now.in[0] = askStep, m.constant(PyBool(holds))
	return now
}

// compute gives the result of a step on constants alone, if that is a constant.
func (m *specialist) compute(s *step) (Column, bool) {
	m.columns = m.columns[:0]
	for _, o := range m.in {
		if o >= 0 {
			return Column{}, false
		}
		m.columns = append(m.columns, m.all[^o])
	}
	if s.kind != callStep && s.kind != binaryStep && s.kind != castStep {
		return Column{}, false
	}
	out, err := s.apply(m.rules, m.columns)
	fits := outlineOf(&s.result)
	if err != nil || !out.constant || !fits.fits(&out) || !alike(&out, &s.result) {
		return Column{}, false
	}
	return out, true
}

// measure tells of operands that have become constants which one they are as long as.
func (m *specialist) measure(s *step) {
	s.like = make([]int8, len(s.in))
	for i, o := range s.in {
		s.like[i] = -1
		if o >= 0 || !m.all[^o].constant || m.all[^o].n <= 1 {
			continue
		}
		c := m.all[^o]
		for k, other := range s.in {
			if other >= 0 && m.results[other].n == c.n {
				s.like[i] = int8(k)
				break
			}
		}
		if s.like[i] < 0 {
			s.in[i] = m.filled(c)
		}
	}
}

// filled makes a constant as long as an input that was as long as it is. Should that be one of another entity, lengths
// will not fit together where the entities differ, and the program does not hold there.
func (m *specialist) filled(c Column) operand {
	for i, n := range m.out.lengths {
		if slot := m.out.inputs[i]; n == c.n && slot >= 0 {
			one := c
			one.n = 1
			made := &step{
				key: rowFillKey{}, moves: true, in: []operand{m.constant(one.As(NumpyScalar)), operand(slot)},
				do: doing(rowFillKey{}), slot: m.out.slots, result: outside(c), like: []int8{-1, -1},
			}
			m.out.slots++
			m.results = append(m.results, outlineOf(&c))
			m.out.steps = append(m.out.steps, made)
			return operand(made.slot)
		}
	}
	m.lost = true
	return m.constant(c)
}
