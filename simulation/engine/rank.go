package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Rank numbers the persons of each group by increasing criteria from 0, ties in the order of persons; -1 where the
// condition is false.
func (p *Population) Rank(group legislation.Population, criteria, condition vector.Column) (vector.Column, error) {
	g, err := p.groupBehind(group)
	if err != nil {
		return criteria, err
	}
	persons := p.sim.persons
	if criteria, err = criteria.Spread(persons.count); err == nil {
		condition, err = condition.Spread(persons.count)
	}
	if err != nil {
		return criteria, err
	}
	if criteria, err = numbers("get_rank", criteria); err != nil {
		return criteria, err
	}
	if p.sim.rows != nil {
		// The place of what is not a number depends on the size of the largest group.
		if strange, err := p.sim.rules.CountsNaN(criteria, condition); err != nil || strange {
			return criteria, p.sim.rows.Whole("get_rank of what is not a number")
		}
	}
	p.sim.recorder.bind(g)
	_, largest := g.positions()
	return vector.GroupRank(criteria, condition, g.groupOf, g.count, largest)
}

// groupBehind finds the population of groups that person.<group> projects.
func (p *Population) groupBehind(group legislation.Population) (*Population, error) {
	switch g := group.(type) {
	case *Population:
		if err := g.mustBeGroup("get_rank"); err != nil {
			return nil, err
		}
		return g, nil
	case *Projector:
		return p.groupBehind(g.reference)
	}
	return nil, typeError("get_rank needs a group of persons")
}
