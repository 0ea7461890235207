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
	c, err := n.ask(sim, v, at)
	if err != nil {
		return nil, &LeafError{Variable: v, Period: at, Err: err}
	}
	figures := make([]float64, cells)
	count := sim.PopulationOf(v.Entity.Key).Count()
	members := count / cells
	for i := range count {
		f := c.Float(min(i, c.Len()-1))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, &LeafError{Variable: v, Period: at, Err: &NonFinite{Member: i % members, Value: f}}
		}
		if n.Minus {
			f = -f
		}
		figures[i/members] += f
	}
	return figures, nil
}

func (n *Node) ask(sim *engine.Simulation, v *legislation.Variable, at period.Period) (vector.Column, error) {
	on := sim.Periods().Intern(at)
	if n.How == legislation.Plain {
		return sim.CalculateOutput(v.ID, on)
	}
	return sim.Calculate(v.ID, on, n.How)
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
