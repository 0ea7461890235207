package population

import (
	"fmt"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// limits let a simulation of everybody be as large as memory allows.
var limits = engine.Limits{FormulaRuns: 1 << 40, Cells: 1 << 40}

// wide tells whether an input is read in 64 bits: what is shared out over shorter periods is divided as it was written, and
// rounded then.
func (l *layout) wide(in *input) bool {
	return l.system.Wide() || in.variable.Input == legislation.DivideEqual && in.at.Unit != in.variable.Period
}

// newColumn makes an empty column for an input.
func (l *layout) newColumn(in *input) column {
	return newColumn(in.variable, l.wide(in), !in.variable.Entity.IsPerson)
}

// read reads a column of the file.
func (l *layout) read(c *chunk, in *input, values column) (vector.Column, error) {
	v := in.variable
	group := l.membersOf(v.Entity, c)
	count := c.persons
	if group != nil {
		count = len(group.names)
	}
	values.reset(count)
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
				return vector.Column{}, l.badCell(in, s.place(row), given, group, who, err)
			}
		}
	}
	return values.vector(), nil
}

// badCell says what is wrong with a cell: it has no value of the variable, or another one than the group has already.
func (l *layout) badCell(in *input, place string, given cell, group *membership, who int, err error) error {
	v := in.variable
	if err != nil {
		return fmt.Errorf("%s, column %s: %s is no value of %s: %w", place, quoted(in.name), given, v.Name, err)
	}
	return fmt.Errorf("%s, column %s: %s differs from the value of another member of %s %s: a %s has one %s, so give it on one row, or the same on all rows",
		place, quoted(in.name), given, v.Entity.Key, quoted(group.name(who)), v.Entity.Key, v.Name)
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
