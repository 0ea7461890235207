package vector

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

// Join adds what was seen elsewhere.
func (s *Seen) Join(o *Seen) {
	for slot, c := range o.constants {
		s.see(slot, c)
	}
}

// Special makes a program that holds where all columns are constant that were so whenever they were seen; nil if there can
// be none.
func (p *Program) Special(r *Rules, seen *Seen) *Program {
	m := specialist{rules: r, seen: seen, known: make([]operand, p.slots), lengths: make([]int32, p.slots)}
	m.out = listing{slots: p.slots, inputs: p.listing.inputs, lengths: p.listing.lengths}
	for i := range m.known {
		m.known[i].slot = int32(i)
	}
	for i, slot := range p.listing.inputs {
		if slot >= 0 {
			m.lengths[slot] = p.listing.lengths[i]
		}
	}
	for i := range p.steps {
		if s := &p.steps[i]; s.gives() {
			m.lengths[s.slot] = s.result.n
		}
		if s, needed := m.step(p.steps[i]); needed {
			m.out.steps = append(m.out.steps, s)
		}
	}
	if m.lost {
		return nil
	}
	for _, o := range p.listing.results {
		m.out.results = append(m.out.results, m.now(o))
	}
	return m.out.compile()
}

// specialist knows which slots are constant.
type specialist struct {
	rules   *Rules
	seen    *Seen
	known   []operand // by slot: itself, or a constant
	lengths []int32   // by slot, when the tape was recorded
	out     listing
	lost    bool // a constant is as long as nobody knows
}

// now is what has become of an operand.
func (m *specialist) now(o operand) operand {
	if o.slot < 0 {
		return o
	}
	return m.known[o.slot]
}

// step gives a step as far as it is still needed.
func (m *specialist) step(s step) (step, bool) {
	s.a, s.b = m.now(s.a), m.now(s.b)
	rest := make([]operand, len(s.rest))
	for i, o := range s.rest {
		rest[i] = m.now(o)
	}
	s.rest = rest
	if !s.gives() {
		return m.promise(s)
	}
	if c, ok := m.compute(&s); ok {
		m.known[s.slot] = operand{slot: -1, constant: c}
		return s, false
	}
	if was := m.seen.constants[s.slot]; s.key == namedKey("Compact") && was.constant {
		was.n, was.form = s.result.n, s.result.form
		m.known[s.slot] = operand{slot: -1, constant: was}
		return step{kind: constStep, a: s.a, count: 1, result: was}, true
	}
	if s.key == namedKey("Compact") {
		m.known[s.slot] = s.a // it varies
		return s, false
	}
	m.measure(&s)
	return s, true
}

// promise gives a promise, or a question, whose operand may be known by now.
func (m *specialist) promise(s step) (step, bool) {
	if s.a.slot >= 0 || s.kind == askStep {
		return s, true
	}
	var holds bool
	var err error
	switch s.kind {
	case anyStep:
		holds, err = m.rules.Any(s.a.constant)
	case allStep:
		holds, err = m.rules.All(s.a.constant)
	default:
		return s, true
	}
	if err != nil || s.asked == nil && holds != s.holds {
		return s, true // as it is, it will not be kept
	}
	s.kind, s.a.constant = askStep, PyBool(holds)
	return s, s.asked != nil
}

// compute gives the result of a step on constants alone, if that is a constant.
func (m *specialist) compute(s *step) (Column, bool) {
	all := s.operands()
	in := make([]Column, len(all))
	for i, o := range all {
		if o.slot >= 0 {
			return Column{}, false
		}
		in[i] = o.constant
	}
	if s.kind != callStep && s.kind != binaryStep && s.kind != castStep {
		return Column{}, false
	}
	out, err := s.apply(m.rules, in)
	fits := outlineOf(&s.result)
	if err != nil || !out.constant || !fits.fits(&out) || !alike(&out, &s.result) {
		return Column{}, false
	}
	return out, true
}

// measure tells of operands that have become constants which one they are as long as.
func (m *specialist) measure(s *step) {
	all := s.operands()
	like := make([]int8, len(all))
	for i, o := range all {
		like[i] = -1
		if o.slot >= 0 || !o.constant.constant || o.constant.n <= 1 {
			continue
		}
		for k, other := range all {
			if other.slot >= 0 && m.lengths[other.slot] == o.constant.n {
				like[i] = int8(k)
				break
			}
		}
		if like[i] < 0 {
			m.setOperand(s, i, m.filled(o.constant))
		}
	}
	s.like = like
}

func (m *specialist) setOperand(s *step, i int, o operand) {
	switch i {
	case 0:
		s.a = o
	case 1:
		s.b = o
	default:
		s.rest[i-2] = o
	}
}

// filled makes a constant as long as an input that was as long as it is. Should that be one of another entity, lengths
// will not fit together where the entities differ, and the program does not hold there.
func (m *specialist) filled(c Column) operand {
	for i, n := range m.out.lengths {
		if slot := m.out.inputs[i]; n == c.n && slot >= 0 {
			one := c
			one.n = 1
			made := step{
				key: rowFillKey{}, moves: true, count: 2, a: operand{slot: -1, constant: one.As(NumpyScalar)}, b: operand{slot: slot},
				do: fill, slot: m.out.slots, result: outside(c), like: []int8{-1, -1},
			}
			m.out.slots++
			m.lengths = append(m.lengths, c.n)
			m.out.steps = append(m.out.steps, made)
			return operand{slot: made.slot}
		}
	}
	m.lost = true
	return operand{slot: -1, constant: c}
}
