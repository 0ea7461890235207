package population

import (
	"context"
	"fmt"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// compute returns the outputs of a chunk.
func (j *Job) compute(ctx context.Context, l *layout, c *chunk, rows legislation.Rows) ([]vector.Column, error) {
	sim, err := engine.New(ctx, l.system, c.spec(l), engine.Options{Limits: limits, Rows: rows, Forgetful: j.afresh})
	if err != nil {
		return nil, err
	}
	for i := range l.inputs {
		if err := l.set(sim, c, &l.inputs[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", j.Input, err)
		}
	}
	out := make([]vector.Column, len(l.outputs))
	for i, o := range l.outputs {
		if out[i], err = o.calculate(sim); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// limits let a simulation of everybody be as large as memory allows.
var limits = engine.Limits{FormulaRuns: 1 << 40, Cells: 1 << 40}

// set reads a column of the file and gives it to the simulation.
func (l *layout) set(sim *engine.Simulation, c *chunk, in *input) error {
	v := in.variable
	group := l.membersOf(v.Entity, c)
	count := c.persons
	if group != nil {
		count = len(group.names)
	}
	// What is shared out over shorter periods is divided as it was written, and rounded then.
	wide := l.system.Wide() || v.Input == legislation.DivideEqual && in.at.Unit != v.Period
	values := newColumn(v, wide, count, group != nil)
	var groupOf []int32
	if group != nil {
		groupOf = group.groupOf
	}
	n := 0
	for _, s := range c.spans {
		for row := s.from; row < s.to; row++ {
			// fill takes the rows it can read at a glance and leaves the first other one to what follows.
			if plain, ok := s.batch.(*csvBatch); ok {
				next := values.fill(plain, row, s.to, in.column, groupOf, n)
				n += next - row
				if row = next; row == s.to {
					break
				}
			}
			who := n
			n++
			given := s.cell(row, in.column)
			if !given.given(v.Type) {
				continue
			}
			if group != nil {
				who = int(groupOf[who])
			}
			if differs, err := values.put(who, given); differs || err != nil {
				return l.badCell(in, s.place(row), given, group, who, err)
			}
		}
	}
	if err := sim.SetInput(v.ID, sim.Periods().Intern(in.at), values.vector()); err != nil {
		return fmt.Errorf("column %q: %w", in.name, err)
	}
	return nil
}

// badCell says what is wrong with a cell: it has no value of the variable, or another one than the group has already.
func (l *layout) badCell(in *input, place string, given cell, group *membership, who int, err error) error {
	v := in.variable
	if err != nil {
		return fmt.Errorf("%s, column %q: %s is no value of %s: %w", place, in.name, given, v.Name, err)
	}
	return fmt.Errorf("%s, column %q: %s is not what another member of %s %q says: a %s has one %s, so let all members say the same, or one of them",
		place, in.name, given, v.Entity.Key, group.names[who], v.Entity.Key, v.Name)
}

// membersOf returns the groups of an entity, nil for persons.
func (l *layout) membersOf(e *legislation.Entity, c *chunk) *membership {
	for i, g := range l.groups {
		if g.entity.Key == e.Key {
			return &c.groups[i]
		}
	}
	return nil
}

func (o *output) calculate(sim *engine.Simulation) (vector.Column, error) {
	c, err := o.values(sim)
	if err != nil {
		return c, err
	}
	return scenario.AsText(o.variable, c)
}

func (o *output) values(sim *engine.Simulation) (vector.Column, error) {
	at := sim.Periods().Intern(o.at)
	switch o.how {
	case summed:
		return sim.Calculate(o.variable.ID, at, legislation.Add)
	case divided:
		return sim.Calculate(o.variable.ID, at, legislation.Divide)
	}
	return sim.CalculateOutput(o.variable.ID, at)
}
