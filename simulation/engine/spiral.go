package engine

import (
	"fmt"
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// A variable that asks for itself on the same period, directly or through others, is a cycle: an error of the
// legislation. One that asks for itself on other periods may do so a few times ("loops"); then it is a spiral, and the
// innermost call gets the default. Everything between the outermost and the innermost call was computed from that
// default. Those values are used until the outermost calculation of all has ended, and forgotten then.

// checkCycle looks for the variable among the calculations under way, of which the current one is the last.
func (s *Simulation) checkCycle(v *legislation.Variable, at *period.Entry) (spiral bool, err error) {
	if s.active[v.ID] == 1 {
		return false, nil
	}
	before := 0
	for i, f := range s.stack[:len(s.stack)-1] {
		if f.variable != v.ID {
			continue
		}
		if f.at == at {
			return false, s.cycle(v, at, i)
		}
		before++
	}
	if before < s.maxLoops {
		return false, nil
	}
	s.invalidate(v.ID)
	return true, nil
}

// invalidate marks the calculations under way, from the last one back to the occurrence of the variable that started
// the spiral.
func (s *Simulation) invalidate(id legislation.VariableID) {
	seen := 0
	for _, f := range slices.Backward(s.stack) {
		s.invalidated[f] = struct{}{}
		if f.variable != id {
			continue
		}
		if seen++; seen > s.maxLoops {
			return
		}
	}
}

// purge forgets what the marked calculations stored, and whatever is stored for periods inside theirs. The marks are
// replaced, not cleared: a clone may still hold them.
func (s *Simulation) purge() {
	marked := s.invalidated
	s.invalidated = make(map[frame]struct{})
	for f := range marked {
		// A mark that a clone left may be the first that the original hears of the variable.
		if h, err := s.holder(f.variable); err == nil {
			h.forget(f.at)
		}
	}
}

func (s *Simulation) cycle(v *legislation.Variable, at *period.Entry, from int) error {
	var path []string
	for _, f := range s.stack[from:] {
		path = append(path, fmt.Sprintf("%s on %s", s.system.Variable(f.variable).Name, f.at))
	}
	return &CycleError{v.Name, at.Period, path}
}
