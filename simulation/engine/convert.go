package engine

import (
	"slices"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// What PolicyEngine's legislation may rely on beyond OpenFisca's: variables on periods of another unit, variables that are
// defined for some members only, and inputs that hold until the next one.

// convert answers for a variable by the month on a year, or by the year on a month: a flow by its sum or its share, a stock by
// what it is in the last month, or in the year. Everything else is calculated as it is asked for.
func (s *Simulation) convert(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	v, err := s.variable(id)
	if err != nil {
		return vector.Column{}, err
	}
	switch {
	case v.Period == period.Month && at.Unit == period.Year:
		if !v.Stock {
			return s.calculateAdd(id, at)
		}
		months, err := at.Subperiods(period.Month)
		if err != nil || len(months) == 0 {
			return vector.Column{}, valueError("%s has no months for %s: %v", at, v.Name, err)
		}
		at = months[len(months)-1]
	case v.Period == period.Year && at.Unit == period.Month:
		if !v.Stock {
			return s.calculateDivide(id, at)
		}
		if at, err = at.ThisYear(); err != nil {
			return vector.Column{}, valueError("%v", err)
		}
	}
	return s.calculate(id, at)
}

// runWhereDefined gives the default to the members that the variable is not defined for. If it is defined for nobody its
// formula does not run.
func (s *Simulation) runWhereDefined(h *Holder, at *period.Entry, formula *legislation.DatedFormula) (vector.Column, error) {
	defined, err := s.definedFor(h, at)
	if err != nil {
		return vector.Column{}, err
	}
	somebody, err := s.rules.Any(defined)
	if err != nil {
		return vector.Column{}, err
	}
	if s.rows != nil {
		somebody = s.question(false, somebody)
	}
	if !somebody {
		return h.DefaultArray(), nil
	}
	c, err := s.runOrMissing(h, at, formula)
	if err != nil {
		return vector.Column{}, err
	}
	if defined.Constant() && !defined.Taped() {
		return c, nil // everybody
	}
	if c, err = s.rules.Where(defined, c.Codes(), h.DefaultArray().Codes()); err != nil {
		return vector.Column{}, err
	}
	if h.variable.Type == legislation.EnumType {
		return h.variable.Enum.Encode(c, s.rules)
	}
	return h.cast(c)
}

// definedFor tells for which members a variable is defined: those for whom the variable that it names is above 0.
func (s *Simulation) definedFor(h *Holder, at *period.Entry) (vector.Column, error) {
	by, err := s.system.Lookup(h.variable.DefinedFor)
	if err != nil {
		return vector.Column{}, err
	}
	c, err := s.ask(by.ID, at, legislation.Plain)
	if err != nil {
		return vector.Column{}, err
	}
	if c, err = s.mapped(c, s.PopulationOf(by.Entity.Key), h.population); err != nil {
		return vector.Column{}, err
	}
	return s.rules.Binary(vector.Greater, c, vector.PyInt(0))
}

// mapped gives the values of one population to another: those of persons are summed by group, those of a group are given to
// its persons, and those of a group that another group shall have are shared among its persons first.
func (s *Simulation) mapped(c vector.Column, from, to *Population) (vector.Column, error) {
	switch {
	case from == to:
		return c, nil
	case from.entity.IsPerson:
		return to.Sum(c, nil)
	case to.entity.IsPerson:
		return from.Project(c, nil)
	}
	persons, err := from.NbPersons(nil)
	if err != nil {
		return c, err
	}
	if c, err = s.rules.Binary(vector.Divide, c, persons); err != nil {
		return c, err
	}
	if c, err = from.Project(c, nil); err != nil {
		return c, err
	}
	return to.Sum(c, nil)
}

// latestInput is what a variable is for a period without a value: its latest input that began by then, uprated if it has an
// index. Only inputs count, so that it does not matter what was asked for before.
func (h *Holder) latestInput(at *period.Entry) (vector.Column, bool, error) {
	if h.sim.reader != nil {
		h.sim.reader.peek(h.variable.ID)
	}
	var last *period.Entry
	for _, id := range h.sim.inputs[h.variable.ID] {
		known := h.sim.periods.At(id)
		if !at.Start.Before(known.Start) && (last == nil || last.Start.Before(known.Start)) {
			last = known
		}
	}
	if last == nil || h.variable.Uprating == "" && h.variable.Missing != legislation.LatestInput {
		return vector.Column{}, false, nil
	}
	c, ok := h.stored(last.ID)
	if !ok || h.variable.Uprating == "" || !last.Start.Before(at.Start) {
		return c, ok, nil
	}
	c, err := h.uprated(c, last.Start, at.Start)
	return c, true, err
}

// uprated raises a value as much as the index of the variable rose. An index holds still where it has no value.
func (h *Holder) uprated(c vector.Column, from, to period.Instant) (vector.Column, error) {
	s := h.sim
	s.doubt() // the index goes into it
	item, _ := s.system.Parameters().Root.Find(strings.Split(h.variable.Uprating, ".")...)
	index, ok := item.(*legislation.Parameter)
	if !ok {
		return c, valueError("%s is uprated by the parameter %s, which does not exist", h.variable.Name, h.variable.Uprating)
	}
	before, after := index.FlatAt(from), index.FlatAt(to)
	if before == nil || after == nil || before.Float(0) == 0 {
		return c, nil
	}
	c, err := s.rules.Binary(vector.Multiply, c, vector.PyFloat(after.Float(0)/before.Float(0)))
	if err != nil {
		return c, err
	}
	return h.typed(c)
}

// note remembers that the value of a period is an input, if that may matter.
func (h *Holder) note(at *period.Entry) {
	if !h.sim.system.Converts() {
		return
	}
	id, known := at.ID, h.sim.inputs[h.variable.ID]
	if h.eternal {
		id = h.sim.eternalID // as it is stored
	}
	if slices.Contains(known, id) {
		return
	}
	if h.sim.inputs == nil {
		h.sim.inputs = make(map[legislation.VariableID][]period.ID)
	}
	h.sim.inputs[h.variable.ID] = append(known, id)
}
