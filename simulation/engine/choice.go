package engine

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// choice is one person of each group, or none: the holder of a unique role, or the member at a position. Formulas ask
// for the same ones all the time, and memberships do not change, so they are kept.
type choice struct {
	// person is the index of the chosen one of each group, -1 for none.
	person []int32
	// present tells which groups have one, found lists them; both are only set if some have none.
	present vector.Column
	found   []int32
	partial bool
}

// holderOf chooses the person of each group with a role.
func (p *Population) holderOf(role *legislation.Role) (*choice, error) {
	if c, ok := p.byRole[role]; ok {
		return c, nil
	}
	who, err := p.who(role)
	if err != nil {
		return nil, err
	}
	c := p.choose(func(person int) bool { return who[person] })
	if p.byRole == nil {
		p.byRole = make(map[*legislation.Role]*choice)
	}
	p.byRole[role] = c
	return c, nil
}

// nthMember chooses the person of each group at a position.
func (p *Population) nthMember(n int) *choice {
	position, largest := p.positions()
	if n >= 0 && n < len(p.byPosition) && p.byPosition[n] != nil {
		return p.byPosition[n]
	}
	c := p.choose(func(person int) bool { return int(position[person]) == n })
	if n >= 0 && n < min(largest, keptPositions) {
		for len(p.byPosition) <= n {
			p.byPosition = append(p.byPosition, nil)
		}
		p.byPosition[n] = c
	}
	return c
}

// keptPositions bounds the choices that are kept by position: an entity may have everybody in one group.
const keptPositions = 16

func (p *Population) choose(chosen func(person int) bool) *choice {
	c := &choice{person: make([]int32, p.count)}
	for g := range c.person {
		c.person[g] = -1
	}
	for i, g := range p.groupOf {
		if chosen(i) {
			c.person[g] = int32(i)
		}
	}
	present := make([]bool, p.count)
	for g, i := range c.person {
		if present[g] = i >= 0; present[g] {
			c.found = append(c.found, i)
		}
	}
	c.present, c.partial = vector.Of(present), len(c.found) < p.count
	return c
}

// place gives each group the value of its chosen person, or otherwise, in the type of c.
func (p *Population) place(c, otherwise vector.Column, chosen *choice) (vector.Column, error) {
	if !chosen.partial {
		return c.Gather(chosen.person), nil
	}
	if c.Type() == vector.Enum {
		code := int16(otherwise.Int(0))
		if c.Taped() {
			person := slices.Clone(chosen.person)
			return vector.Record(nil, func(_ *vector.Rules, in []vector.Column) (vector.Column, error) {
				return placeEnum(in[0], code, person), nil
			}, nil, c)
		}
		return placeEnum(c, code, chosen.person), nil
	}
	base, err := p.sim.rules.Full(p.count, otherwise, c.DType())
	if err != nil {
		return base, err
	}
	set, err := p.sim.rules.SetMask(base, chosen.present, c.Gather(chosen.found))
	return set.Compact(), err
}

func placeEnum(c vector.Column, otherwise int16, source []int32) vector.Column {
	codes := make([]int16, len(source))
	for g, i := range source {
		codes[g] = otherwise
		if i >= 0 {
			codes[g] = int16(c.Int(int(i)))
		}
	}
	return vector.Enums(c.Domain(), codes).Compact()
}
