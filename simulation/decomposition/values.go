package decomposition

import (
	"fmt"
	"math"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Values are the figures of a tree: one per simulation and copy of the situation in it.
type Values map[*Node][]float64

// Calculate computes the tree in a simulation that holds the situation a number of times (the cells of its axes), and
// adds the figures to those of earlier simulations. The figure of a leaf is the sum over all members of the variable's
// entity in one copy, with its sign; the figure of an inner node is the sum of its children's.
func (n *Node) Calculate(sim *engine.Simulation, at period.Period, cells int, into Values) error {
	if len(n.Children) == 0 {
		figures, err := n.leaf(sim, at, cells)
		into[n] = append(into[n], figures...)
		return err
	}
	sums := make([]float64, cells)
	for _, c := range n.Children {
		if err := c.Calculate(sim, at, cells, into); err != nil {
			return err
		}
		figures := into[c]
		for i, f := range figures[len(figures)-cells:] {
			sums[i] += f
		}
	}
	into[n] = append(into[n], sums...)
	return nil
}

func (n *Node) leaf(sim *engine.Simulation, at period.Period, cells int) ([]float64, error) {
	v, err := sim.System().Lookup(n.Code)
	if err != nil {
		return nil, err
	}
	var counts []float64
	if len(n.Hops) > 0 {
		if counts, err = weights(sim, n.From, n.Hops); err != nil {
			return nil, err
		}
	}
	columns, err := n.ask(sim, v, at)
	if err != nil {
		return nil, &LeafError{Variable: v, Period: at, Err: err}
	}
	figures := make([]float64, cells)
	for _, c := range columns {
		if err := n.add(c, sim.PopulationOf(v.Entity.Key).Count(), counts, figures); err != nil {
			return nil, &LeafError{Variable: v, Period: at, Err: err}
		}
	}
	return figures, nil
}

// add adds a column of a leaf to the figures of the copies.
func (n *Node) add(c vector.Column, count int, counts, figures []float64) error {
	members := count / len(figures)
	for i := range count {
		f := c.Float(min(i, c.Len()-1))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return &NonFinite{Member: i % members, Value: f}
		}
		if n.Minus {
			f = -f
		}
		if counts != nil {
			f *= counts[i]
		}
		figures[i/members] += f
	}
	return nil
}

// ask computes a leaf, on every period that the hops lead to.
func (n *Node) ask(sim *engine.Simulation, v *legislation.Variable, at period.Period) ([]vector.Column, error) {
	if len(n.Hops) == 0 {
		c, err := sim.CalculateOutput(v.ID, sim.Periods().Intern(at))
		return []vector.Column{c}, err
	}
	// The last hop is asked for as the formula does, so that its sum is the formula's.
	before, last := n.Hops[:len(n.Hops)-1], &n.Hops[len(n.Hops)-1]
	periods, err := Periods(at, before)
	if err != nil {
		return nil, err
	}
	columns := make([]vector.Column, len(periods))
	for i, p := range periods {
		if p, err = last.shift(p); err != nil {
			return nil, err
		}
		if columns[i], err = sim.Calculate(v.ID, sim.Periods().Intern(p), last.How); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

// NonFinite says that the value of a member is no number that can be shown.
type NonFinite struct {
	Member int // among those of the variable's entity, in one copy of the situation
	Value  float64
}

func (e *NonFinite) Error() string {
	return fmt.Sprintf("is %v for member %d, which is no number that can be shown", e.Value, e.Member)
}

// LeafError says which leaf could not be computed.
type LeafError struct {
	Variable *legislation.Variable
	Period   period.Period
	Err      error
}

func (e *LeafError) Error() string {
	return fmt.Sprintf("%s on %s: %v", e.Variable.Name, e.Period, e.Err)
}

func (e *LeafError) Unwrap() error { return e.Err }
