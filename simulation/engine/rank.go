package engine

import (
	"cmp"
	"math"
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Rank numbers the persons of each group by increasing criteria from 0, ties in the order of persons; -1 where the
// condition is false.
//
// The original sorts a table with a row per group and a column per position, in which persons who do not count and
// places without a person are infinite. So those come before a person who counts and has no number (NaN), and an
// infinite criterion takes its place among them by position.
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
	if err := numeric("get_rank", criteria); err != nil {
		return criteria, err
	}
	values := make([]float64, persons.count)
	for i := range values {
		values[i] = math.Inf(1)
		if condition.Bool(i) {
			values[i] = criteria.Float(i)
		}
	}
	if p.sim.rows != nil && slices.ContainsFunc(values, math.IsNaN) {
		// Their place depends on the size of the largest group.
		return criteria, p.sim.rows.Whole("get_rank of what is not a number")
	}
	ranks := g.ranks(values)
	for i := range ranks {
		if !condition.Bool(i) {
			ranks[i] = -1
		}
	}
	return vector.Of(ranks), nil
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

func (p *Population) ranks(values []float64) []int64 {
	_, largest := p.positions()
	members := make([][]int32, p.count)
	for i, g := range p.groupOf {
		members[g] = append(members[g], int32(i))
	}
	ranks := make([]int64, len(values))
	for _, group := range members {
		size := len(group)
		slices.SortStableFunc(group, func(a, b int32) int { return compareNaNLast(values[a], values[b]) })
		for rank, i := range group {
			if math.IsNaN(values[i]) {
				rank += largest - size
			}
			ranks[i] = int64(rank)
		}
	}
	return ranks
}

func compareNaNLast(a, b float64) int {
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	}
	return cmp.Compare(a, b)
}
