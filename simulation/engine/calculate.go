package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Calculate gives a variable on a period. Plain needs the unit of the variable's definition; Add sums over the units
// that a longer period consists of; Divide gives the share of a shorter one.
func (s *Simulation) Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	return s.mode.Calculate(id, at, how)
}

func (s *Simulation) ask(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	switch how &^ along {
	case legislation.Add:
		return s.calculateAdd(id, at)
	case legislation.Divide:
		return s.calculateDivide(id, at)
	}
	if s.system.Converts() {
		return s.convert(id, at)
	}
	return s.calculate(id, at)
}

func (s *Simulation) calculate(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	if s.reader != nil {
		return s.reader.read(id, at)
	}
	return s.find(id, at)
}

// find answers stored values at once. What is stored was stored under a period that fits the variable, so nothing
// needs to be checked; the stack need not be touched, since nothing can ask on.
func (s *Simulation) find(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	if int(id) < len(s.holders) && s.tracer == nil {
		if h := s.holders[id]; h != nil {
			if c, ok := h.stored(at.ID); ok {
				if len(s.stack) == 0 && len(s.invalidated) > 0 {
					s.purge() // a clone has marks of the original
				}
				return c, nil
			}
		}
	}
	h, err := s.holder(id)
	if err != nil {
		return vector.Column{}, err
	}
	if s.usage.depth >= s.limits.Depth {
		return vector.Column{}, &LimitError{"calculations are nested too deep: a formula may be asking for itself on ever earlier periods, " + h.variable.Name + " among them"}
	}
	if s.tracer != nil {
		if err := s.memory.Take(traceBytes); err != nil {
			return vector.Column{}, err
		}
	}
	s.push(h, at)
	c, err := s.compute(h, at)
	s.pop(h, c, err)
	return c, err
}

// traceBytes is what a calculation takes in a trace.
const traceBytes = 256

func (s *Simulation) push(h *Holder, at *period.Entry) {
	s.stack = append(s.stack, frame{h.variable.ID, at})
	s.active[h.variable.ID]++
	s.usage.depth++
	if s.tracer != nil {
		s.tracer.enter(h.variable.Name, at.Period)
	}
}

func (s *Simulation) pop(h *Holder, c vector.Column, err error) {
	s.stack = s.stack[:len(s.stack)-1]
	s.active[h.variable.ID]--
	s.usage.depth--
	if s.tracer != nil {
		s.tracer.leave(c, err)
	}
	if len(s.stack) > 0 {
		return
	}
	if len(s.invalidated) > 0 {
		s.purge()
	}
	if s.recall != nil {
		s.recall.teach()
	}
}

func (s *Simulation) compute(h *Holder, at *period.Entry) (vector.Column, error) {
	if err := checkPeriod(h.variable, at); err != nil {
		return vector.Column{}, err
	}
	if c, ok := h.Array(at); ok {
		return c, nil
	}
	if s.start != nil && at.Compare(s.start.Period) < 0 {
		return h.DefaultArray(), nil
	}
	if spiral, err := s.checkCycle(h.variable, at); err != nil || spiral {
		if s.reader != nil {
			s.reader.spiral(err)
		}
		return h.DefaultArray(), err
	}
	return s.computeAndStore(h, at)
}

// computeAndStore computes a value, whatever is stored.
func (s *Simulation) computeAndStore(h *Holder, at *period.Entry) (vector.Column, error) {
	c, err := s.runFormula(h, at)
	if err == nil {
		c, err = h.put(at, c)
	}
	if err != nil {
		s.doubt()
		return vector.Column{}, located(err, h.variable, at)
	}
	if s.reader != nil {
		s.reader.end(h, at, c)
	}
	return c, nil
}

// doubt tells a reader that something other than what was read has gone into a value.
func (s *Simulation) doubt() {
	if s.reader != nil {
		s.reader.doubt()
	}
}

// checkPeriod refuses periods that a variable cannot be computed for. Variables by the day are only checked for size:
// a period of another unit fails when the result is stored.
func checkPeriod(v *legislation.Variable, at *period.Entry) error {
	unit := v.Period
	if unit == period.Eternity {
		return nil
	}
	switch unit {
	case period.Year, period.Month, period.Week:
		if at.Unit != unit {
			return &WrongPeriod{v.Name, at.Period, unit}
		}
	}
	if at.Size != 1 {
		return &WrongPeriod{v.Name, at.Period, unit}
	}
	return nil
}

// runFormula gives the result of the formula in force as a column of the variable's type, or the default.
func (s *Simulation) runFormula(h *Holder, at *period.Entry) (vector.Column, error) {
	v := h.variable
	if len(v.Formulas) > 0 && !at.Start.Valid() {
		return vector.Column{}, valueError("%s has formulas, which need a date: ask for it on a day, a month or a year, not on %s", v.Name, at)
	}
	formula := v.FormulaAt(at.Start)
	if s.reader != nil {
		s.reader.begin(h, at, formula)
	}
	if v.DefinedFor != "" {
		return s.runWhereDefined(h, at, formula)
	}
	return s.runOrMissing(h, at, formula)
}

// runOrMissing runs a formula; without one the value is missing.
func (s *Simulation) runOrMissing(h *Holder, at *period.Entry, formula *legislation.DatedFormula) (vector.Column, error) {
	if formula == nil {
		return h.missing(at)
	}
	if err := s.spend(); err != nil {
		return vector.Column{}, err
	}
	return s.repeatOrRun(h, at, formula)
}

func (s *Simulation) spend() error {
	s.usage.runs++
	if s.usage.runs > s.limits.FormulaRuns {
		return &LimitError{"the simulation needs more formulas than it may run"}
	}
	return s.ctx.Err()
}

// CalculateOutput asks for a variable in the way that it declares for outputs.
func (s *Simulation) CalculateOutput(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	return s.mode.Output(id, at)
}

func (s *Simulation) output(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	v, err := s.variable(id)
	if err != nil {
		return vector.Column{}, err
	}
	switch v.Output {
	case legislation.OutputAdd:
		return s.calculateAdd(id, at)
	case legislation.OutputDivide:
		return s.calculateDivide(id, at)
	case legislation.OutputByRules:
		c, where, err := v.CustomOutput(s, id, at)
		s.holdsOnly(where)
		s.doubt()
		return c, err
	}
	return s.ask(id, at, legislation.Plain)
}

// calculateAdd adds up as Python's sum does: 0 plus the first, plus the second, each in the type of what came before.
func (s *Simulation) calculateAdd(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	v, err := s.variable(id)
	if err != nil {
		return vector.Column{}, err
	}
	if v.Period.Weight() > at.Unit.Weight() {
		return vector.Column{}, valueError("%s cannot be summed over %s: it is defined by the %s. Use the DIVIDE option to get a share of it", v.Name, at, v.Period)
	}
	if v.Period == period.Eternity {
		return vector.Column{}, valueError("%s never changes and cannot be summed over %s", v.Name, at)
	}
	subs, err := at.Subperiods(v.Period)
	if err != nil {
		return vector.Column{}, valueError("%v", err)
	}
	sum := vector.PyInt(0)
	for i, sub := range subs {
		c, err := s.calculate(id, sub)
		if err != nil {
			return vector.Column{}, err
		}
		if sum, err = s.rules.BinaryReuse(vector.Add, sum, c, i > 1, false); err != nil {
			return vector.Column{}, err
		}
	}
	return sum, nil
}

func (s *Simulation) calculateDivide(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	v, err := s.variable(id)
	if err != nil {
		return vector.Column{}, err
	}
	if v.Period.Weight() < at.Unit.Weight() || at.Size > 1 {
		return vector.Column{}, valueError("%s cannot be divided for %s: it is defined by the %s. Use the ADD option to sum over the period", v.Name, at, v.Period)
	}
	if v.Period == period.Eternity || at.Size != 1 {
		return vector.Column{}, valueError("%s cannot be divided for %s: what never changes has no share of a period", v.Name, at)
	}
	whole, err := at.First(v.Period)
	if err != nil {
		return vector.Column{}, valueError("%v", err)
	}
	parts, err := whole.SizeIn(at.Unit)
	if err != nil {
		return vector.Column{}, valueError("%v", err)
	}
	c, err := s.calculate(id, whole)
	if err != nil {
		return vector.Column{}, err
	}
	return s.rules.Binary(vector.Divide, c, vector.PyInt(int64(parts)))
}
