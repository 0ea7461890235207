package engine

import (
	"maps"
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// forkBytes is about what a branch takes for each variable of the system.
const forkBytes = 64

// Fork is what formulas get that ask for a branch: a simulation that begins with what is stored so far and goes on apart. An
// input that is given to it makes it forget what it has computed. The same name gives the same branch, its own name itself.
func (s *Simulation) Fork(name string) (legislation.Simulation, error) {
	if own, _ := s.Branch(); name == own {
		return s, nil
	}
	if known, ok := s.branches[name]; ok {
		return known, nil
	}
	if err := s.memory.Take(forkBytes * int64(len(s.holders))); err != nil {
		return nil, err
	}
	c := s.branch()
	s.holdsOnly(legislation.SameState)
	s.doubt()
	if f, ok := s.mode.(*formulas); ok {
		c.mode = &formulas{c, f.tape}
	}
	c.forked, c.branches, c.inputs = true, nil, maps.Clone(s.inputs)
	for id, periods := range c.inputs {
		c.inputs[id] = slices.Clip(periods)
	}
	c.name, c.origin = name, s
	for _, p := range c.populations {
		if p.members != nil {
			p.members = c.persons
		}
	}
	c.invalidated = maps.Clone(s.invalidated)
	for i, h := range s.holders {
		if h != nil {
			c.holders[i] = h.in(c)
			c.holders[i].store = h.store.clone()
		}
	}
	if s.branches == nil {
		s.branches = make(map[string]*Simulation)
	}
	s.branches[name] = c
	if s.recall != nil && !s.recall.off {
		c.recall = newRecall(c)
		c.recall.mute = true
	}
	return c, nil
}

// Baseline implements legislation.Forker. Branches have that of the simulation that they were made from.
func (s *Simulation) Baseline() (legislation.Simulation, error) {
	if len(s.baselines) == 0 {
		return nil, nil
	}
	for s.origin != nil && len(s.origin.baselines) == len(s.baselines) {
		s = s.origin
	}
	name := "baseline"
	if s.name == name {
		name += " of it"
	}
	_, known := s.branches[name]
	made, err := s.Fork(name)
	if err != nil || known {
		return made, err
	}
	b := made.(*Simulation)
	b.baselines = s.baselines[1:]
	b.DropComputed()
	return b, b.Enact(s.baselines[0])
}

// Branch gives the name of a branch and the simulation that it was made from; of a simulation that is none, the name default and nil.
func (s *Simulation) Branch() (string, legislation.Simulation) {
	if s.origin == nil {
		return "default", nil
	}
	return s.name, s.origin
}

// Branches lists the names of the branches that were made from this simulation and not dropped.
func (s *Simulation) Branches() []string { return slices.Sorted(maps.Keys(s.branches)) }

// DropBranch forgets a branch: the next one of that name begins anew. Whoever has the branch may go on with it.
func (s *Simulation) DropBranch(name string) { delete(s.branches, name) }

// Neutralize implements legislation.Forker. What was computed with the variable stays as it is, until it is dropped.
func (s *Simulation) Neutralize(id legislation.VariableID) error {
	h, err := s.holder(id)
	if err != nil {
		return err
	}
	neutral := *h.variable
	neutral.Neutralized = true
	h.variable = &neutral
	s.doubt()
	return nil
}

// Enact implements legislation.Forker. What was computed by the other system stays as it is, until it is dropped.
func (s *Simulation) Enact(system *legislation.System) error {
	if !s.forked {
		return &legislation.Error{Class: "ValueError", Msg: "a formula cannot change the law of its simulation: get a branch first"}
	}
	s.system, s.law = system, &law{tree: system.Parameters()}
	for id, h := range s.holders {
		if h != nil && !h.variable.Neutralized {
			h.variable = system.Variable(legislation.VariableID(id)) // it may be abolished
		}
	}
	s.recall, s.lead = nil, nil // others know nothing of this law
	s.doubt()
	return nil
}

// DropComputed forgets every value of the simulation that is no input.
func (s *Simulation) DropComputed() {
	s.doubt()
	s.forgetComputed(nil)
}

// DropValue implements legislation.Forker.
func (s *Simulation) DropValue(id legislation.VariableID, at *period.Entry) {
	h, drop := s.holders[id], at.ID
	if h == nil {
		return
	}
	if h.eternal {
		drop = s.eternalID
	}
	if !slices.Contains(h.known, drop) || slices.Contains(s.inputs[id], drop) {
		return
	}
	s.doubt()
	h.known = slices.DeleteFunc(h.known, func(known period.ID) bool { return known == drop })
	h.drop(drop)
}

// InputPeriods lists the periods of a variable whose values are inputs, in the order of their days.
func (s *Simulation) InputPeriods(id legislation.VariableID) []*period.Entry {
	s.holdsOnly(legislation.SameState)
	out := make([]*period.Entry, 0, len(s.inputs[id]))
	for _, at := range s.inputs[id] {
		out = append(out, s.periods.At(at))
	}
	slices.SortStableFunc(out, func(a, b *period.Entry) int { return a.Start.Compare(b.Start) })
	return out
}

func (st *store) clone() *store {
	return &store{index: slices.Clone(st.index), base: st.base, columns: slices.Clone(st.columns), known: slices.Clone(st.known), free: slices.Clone(st.free)}
}

// Inputs lists the variables that have inputs, in the order of their numbers.
func (s *Simulation) Inputs() []legislation.VariableID {
	s.holdsOnly(legislation.SameState)
	return slices.Sorted(maps.Keys(s.inputs))
}

// Given implements legislation.Forker.
func (s *Simulation) Given() []legislation.VariableID {
	if s.given == nil {
		return s.Inputs()
	}
	s.holdsOnly(legislation.SameState)
	return s.given
}

// Give says which variables were given as inputs where others have their values now.
func (s *Simulation) Give(variables []legislation.VariableID) { s.given = variables }

// changed drops what a branch has computed, before a variable of it is given a value: what depends on it must be computed anew, and the rest
// comes out as it was. Variables whose inputs were moved may not: a formula may have deleted what they were moved to. The original keeps
// what it stored before it first stored the variable. That is so of them, unless the variable is one of them or was an input.
func (s *Simulation) changed(id legislation.VariableID) {
	keep := s.given
	if slices.Contains(keep, id) {
		keep = nil
	}
	for at := s; at != nil; at = at.origin {
		if len(at.inputs[id]) > 0 {
			keep = nil
		}
	}
	s.forgetComputed(keep)
}

// forgetComputed drops every value of the simulation that is no input, but of the variables to keep.
func (s *Simulation) forgetComputed(keep []legislation.VariableID) {
	for id, h := range s.holders {
		if h == nil || len(h.known) == 0 || slices.Contains(keep, legislation.VariableID(id)) {
			continue
		}
		inputs := s.inputs[legislation.VariableID(id)]
		h.known = slices.DeleteFunc(h.known, func(at period.ID) bool {
			if slices.Contains(inputs, at) {
				return false
			}
			h.drop(at)
			return true
		})
	}
}

// drop forgets a column; its period is still among those that are known.
func (h *Holder) drop(at period.ID) {
	k := &h.index[at-h.base]
	h.columns[*k-1] = vector.Column{}
	h.free = append(h.free, *k)
	*k = 0
}
