package decomposition

import (
	"fmt"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

// Hop is how a formula comes from its own rows and period to those of a variable that it asks for.
type Hop struct {
	// Shifts are what it makes of its period first.
	Shifts []Shift
	// How it asks for the variable there, whose own periods are of Unit.
	How  legislation.Option
	Unit period.Unit
	// Steps lead from the rows of the formula's entity to those of the variable.
	Steps []Step
}

// Shift makes a period of another one.
type Shift func(period.Period) (period.Period, error)

// Shifts are the attributes of periods that are periods.
var Shifts = map[string]Shift{
	"first_month":   period.Period.FirstMonth,
	"last_3_months": period.Period.Last3Months,
	"last_month":    period.Period.LastMonth,
	"last_year":     period.Period.LastYear,
	"n_2":           period.Period.N2,
	"this_year":     period.Period.ThisYear,
}

// Step leads from rows of one entity to those of another. One of the three is set.
type Step struct {
	// Members leads from the groups of an entity to the persons in them.
	Members *legislation.Entity
	// Group leads from persons to their groups, which count once for each of them.
	Group *legislation.Entity
	// Role keeps of the persons those with a role.
	Role *legislation.Role
}

// maxPeriods bounds the periods that hops lead to.
const maxPeriods = 1000

// Periods are those that hops lead to from a period, each as often as it counts: what is summed up is asked for piece by
// piece. Nothing leads on from the share of a period.
func Periods(at period.Period, hops []Hop) ([]period.Period, error) {
	all := []period.Period{at}
	for _, h := range hops {
		var next []period.Period
		for _, p := range all {
			reached, err := h.reach(p)
			if err != nil {
				return nil, err
			}
			if next = append(next, reached...); len(next) > maxPeriods {
				return nil, fmt.Errorf("it is asked for on more than %d periods", maxPeriods)
			}
		}
		all = next
	}
	return all, nil
}

func (h *Hop) reach(p period.Period) ([]period.Period, error) {
	p, err := h.shift(p)
	switch {
	case err != nil:
		return nil, err
	case h.How == legislation.Add:
		return p.Subperiods(h.Unit)
	case h.How == legislation.Divide:
		return nil, fmt.Errorf("a share of it is asked for (DIVIDE)")
	}
	return []period.Period{p}, nil
}

func (h *Hop) shift(p period.Period) (period.Period, error) {
	for _, shift := range h.Shifts {
		var err error
		if p, err = shift(p); err != nil {
			return p, err
		}
	}
	return p, nil
}

// weights tells how often each row of the entity that hops lead to counts, if each row of the first entity counts once.
func weights(sim *engine.Simulation, from *legislation.Entity, hops []Hop) ([]float64, error) {
	w := make([]float64, sim.PopulationOf(from.Key).Count())
	for i := range w {
		w[i] = 1
	}
	for _, h := range hops {
		for _, s := range h.Steps {
			var err error
			if w, err = s.weights(sim, w); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

func (s *Step) weights(sim *engine.Simulation, w []float64) ([]float64, error) {
	switch {
	case s.Members != nil:
		groups := sim.PopulationOf(s.Members.Key).MembersEntityID()
		out := make([]float64, sim.Persons().Count())
		for person := range out {
			out[person] = w[groups.Int(person)]
		}
		return out, nil
	case s.Group != nil:
		group := sim.PopulationOf(s.Group.Key)
		groups, out := group.MembersEntityID(), make([]float64, group.Count())
		for person, counts := range w {
			out[groups.Int(person)] += counts
		}
		return out, nil
	}
	has, err := sim.Persons().HasRole(s.Role)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(w))
	for person, counts := range w {
		if has.Bool(min(person, has.Len()-1)) {
			out[person] = counts
		}
	}
	return out, nil
}
