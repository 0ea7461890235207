package vector

import "math"

// unchanged gives the operand of a step that computes with a constant and leaves every element as it is, to the last bit. Sums
// of what a law provides for are such steps mostly, once it is known what nobody has.
func (m *specialist) unchanged(s *step) (operand, bool) {
	if s.kind != binaryStep || (m.in[0] < 0) == (m.in[1] < 0) || !s.result.typ.Number() || s.result.typ == Bool {
		return 0, false
	}
	left := m.in[0] < 0 // the constant
	varies, c := m.in[0], m.in[1]
	if left {
		varies, c = c, varies
	}
	k := m.all[^c]
	if m.results[varies] != outlineOf(&s.result) || !k.typ.Number() || !k.constant && k.n != 1 {
		return 0, false
	}
	switch value := k.Float(0); s.op {
	case Add:
		// A zero that is added to a negative one makes it positive.
		return varies, value == 0 && (!s.result.typ.float() || math.Signbit(value) || m.unsigned[varies])
	case Subtract:
		return varies, value == 0 && !math.Signbit(value) && !left
	case Multiply:
		return varies, value == 1
	case Divide:
		return varies, value == 1 && !left
	}
	return 0, false
}

// givesUnsigned tells whether no zero of a result is negative: a sum has none if one of what is added has none.
func (m *specialist) givesUnsigned(s *step) bool {
	switch s.kind {
	case binaryStep:
		return s.op == Add && (m.isUnsigned(m.in[0]) || m.isUnsigned(m.in[1]))
	case castStep:
		return s.from.Number() && !s.from.float()
	}
	return false
}

func (m *specialist) isUnsigned(o operand) bool {
	if o >= 0 {
		t := m.results[o].typ
		return m.unsigned[o] || t.Number() && !t.float()
	}
	c := m.all[^o]
	return c.constant && c.typ.Number() && (c.Float(0) != 0 || !math.Signbit(c.Float(0)))
}
