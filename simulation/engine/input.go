package engine

import (
	"slices"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Input is a value given for a period.
type Input struct {
	At    *period.Entry
	Value vector.Column
}

// SetInputs stores several inputs of a variable, those for short periods first, so that what is said of a year adds to
// what is said of its months. Inputs of the same length are stored in the order in which they are given.
func (s *Simulation) SetInputs(id legislation.VariableID, inputs []Input) error {
	ordered := slices.Clone(inputs)
	slices.SortStableFunc(ordered, func(a, b Input) int { return strings.Compare(a.At.SizeKey(), b.At.SizeKey()) })
	for _, in := range ordered {
		if err := s.SetInput(id, in.At, in.Value); err != nil {
			return err
		}
	}
	return nil
}

// SetInput stores an input by the rule of the variable: for its own period as it is, for a longer one divided or
// dispatched. Inputs of a variable that is neutral then are ignored.
func (h *Holder) SetInput(at *period.Entry, c vector.Column) error {
	if len(h.sim.stack) > 0 {
		h.sim.doubt() // what a formula stores is no input of the simulation
	}
	if at.Unit == period.Eternity && !h.eternal {
		return &PeriodMismatch{h.variable.Name, at.Period, h.variable.Period}
	}
	if h.variable.Neutralized {
		return nil
	}
	if h.sim.forked {
		h.sim.changed(h.variable.ID)
	}
	if own := h.sim.system.Converts() && at.Unit == h.variable.Period && at.Size == 1; own {
		return h.setOwn(at, c)
	}
	switch h.variable.Input {
	case legislation.Dispatch:
		return h.dispatch(at, c)
	case legislation.DivideEqual:
		return h.divide(at, c)
	case legislation.InputByRules:
		where, err := h.variable.CustomInput(h, at, c)
		h.sim.holdsOnly(where)
		h.sim.doubt()
		return err
	}
	return h.setOwn(at, c)
}

// setOwn stores an input for a period of the variable.
func (h *Holder) setOwn(at *period.Entry, c vector.Column) error {
	c, err := h.toArray(c)
	if err == nil {
		err = h.give(at, c)
	}
	return err
}

// give stores an input that has the variable's type.
func (h *Holder) give(at *period.Entry, c vector.Column) error {
	if h.variable.Neutral(at.Period) {
		return nil
	}
	if _, err := h.put(at, c); err != nil {
		return err
	}
	h.note(at)
	return nil
}

// toArray makes an array of the variable's type and length; a single value must be the only one.
func (h *Holder) toArray(c vector.Column) (vector.Column, error) {
	c = c.As(vector.Array)
	if c.Len() != h.population.count {
		return c, valueError("a value of %d elements was given for %s, but there are %d %s", c.Len(), h.variable.Name, h.population.count, h.population.entity.Plural)
	}
	if h.variable.Type == legislation.EnumType {
		return h.variable.Enum.Encode(c, h.sim.rules)
	}
	cast, err := h.typed(c)
	if err != nil {
		return c, valueError("%s takes values of type %s, and %s is not one: %v", h.variable.Name, h.variable.Type, c.DType(), err)
	}
	return cast, nil
}

// subperiods walks over the periods of the variable from the start of a longer one to its end.
func (h *Holder) subperiods(at *period.Entry, visit func(sub *period.Entry) error) error {
	if h.eternal {
		return valueError("%s never changes: it is set once, not for %s", h.variable.Name, at)
	}
	after, err := at.Start.Offset(int(at.Size), at.Unit)
	if err != nil {
		return valueError("%v", err)
	}
	sub := h.sim.periods.Intern(period.Of(h.variable.Period, at.Start, 1))
	for sub.Start.Before(after) {
		if err := visit(sub); err != nil {
			return err
		}
		if sub, err = sub.Offset(1, h.variable.Period); err != nil {
			return valueError("%v", err)
		}
	}
	return nil
}

// dispatch gives every sub-period the value. Those that have one keep it, and it becomes the value of the following ones.
func (h *Holder) dispatch(at *period.Entry, c vector.Column) error {
	c, err := h.toArray(c)
	if err != nil {
		return err
	}
	return h.subperiods(at, func(sub *period.Entry) error {
		if known, ok := h.stored(sub.ID); ok {
			c = known
			return nil
		}
		return h.give(sub, c)
	})
}

// divide gives every sub-period without a value an equal share of what the others leave.
func (h *Holder) divide(at *period.Entry, c vector.Column) error {
	c = c.As(vector.Array)
	rest, missing := c.Codes(), 0
	err := h.subperiods(at, func(sub *period.Entry) error {
		known, ok := h.stored(sub.ID)
		if !ok {
			missing++
			return nil
		}
		var err error
		rest, err = h.sim.rules.Into(vector.Subtract, rest, known.Codes())
		return err
	})
	if err != nil {
		return err
	}
	if missing == 0 {
		return h.checkDivided(at, c, rest)
	}
	share, err := h.sim.rules.Binary(vector.Divide, rest, vector.PyInt(int64(missing)))
	if err == nil && c.Type() == vector.Enum {
		share, err = h.sim.rules.Cast(share, vector.DType{Type: vector.Int16})
	}
	if err != nil {
		return err
	}
	if share, err = h.toArray(share); err != nil {
		return err
	}
	return h.subperiods(at, func(sub *period.Entry) error {
		if _, ok := h.stored(sub.ID); ok {
			return nil
		}
		return h.give(sub, share)
	})
}

func (h *Holder) checkDivided(at *period.Entry, c, rest vector.Column) error {
	nonzero, err := h.sim.rules.Any(rest)
	if err != nil || !nonzero {
		return err
	}
	return valueError("%s has values for all of %s already, and they do not add up to %s", h.variable.Name, at, c.String())
}
