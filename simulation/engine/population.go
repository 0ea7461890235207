package engine

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Population is the members of one entity.
type Population struct {
	sim    *Simulation
	entity *legislation.Entity
	count  int
	ids    []string

	// Of group entities only: the persons; of each person, its group and its role (an index of the entity's flattened roles).
	members *Population
	groupOf []int32
	roles   []int16
	// Derived from those when needed.
	position []int32
	largest  int
	sizes    []int32 // of each group
	hasEmpty bool    // a group has nobody
	masks    map[*legislation.Role]mask
	byRole   map[*legislation.Role]*choice
	// byPosition has the members at the first positions.
	byPosition []*choice
	entityID   *vector.Column
	nbPersons  *vector.Column

	shortcuts map[string]*Projector
}

// mask tells who has a role, in both forms that are used.
type mask struct {
	bools  []bool
	column vector.Column
}

var _ legislation.MovingPopulation = (*Population)(nil)

func (p *Population) copyTo(s *Simulation) *Population {
	c := *p
	c.sim, c.shortcuts, c.masks, c.byRole, c.byPosition = s, nil, nil, nil, nil
	return &c
}

// Entity is the kind of the members.
func (p *Population) Entity() *legislation.Entity { return p.entity }

// Count is the number of members.
func (p *Population) Count() int { return p.count }

// IDs are the names of the members, nil if they have none.
func (p *Population) IDs() []string {
	p.sim.holdsOnly(legislation.Nowhere)
	p.sim.recorder.refuse("a formula asks for the names of members")
	return p.ids
}

// Simulation is the simulation that the population belongs to.
func (p *Population) Simulation() legislation.Simulation { return p.sim }

// Members are the persons.
func (p *Population) Members() (legislation.Population, bool) {
	return p.members, !p.entity.IsPerson
}

// Calculate gives a variable of this entity.
func (p *Population) Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	s := p.sim
	if int(id) < len(s.holders) && s.holders[id] != nil && s.holders[id].population == p {
		return s.mode.Calculate(id, at, how) // the holder is looked at anyway, the variable need not be
	}
	if v := s.system.Variable(id); v == nil || v.Entity != p.entity && v.Entity.Key != p.entity.Key {
		return vector.Column{}, p.wrongEntity(id, v)
	}
	return s.mode.Calculate(id, at, how)
}

// CalculateAlong is Calculate for a period that moves along with the formula's.
func (p *Population) CalculateAlong(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	return p.Calculate(id, at, how|along)
}

func (p *Population) wrongEntity(id legislation.VariableID, v *legislation.Variable) error {
	if v == nil {
		return p.sim.system.NotFound(p.sim.system.Names().VariableName(id))
	}
	return valueError("'%s' was asked of %s, but it is a variable of %s", v.Name, p.entity.Plural, v.Entity.Plural)
}

// Holder gives access to what is stored for a variable of this entity.
func (p *Population) Holder(name string) (legislation.Holder, error) {
	v, err := p.sim.system.Lookup(name)
	if err != nil {
		return nil, err
	}
	if v.Entity.Key != p.entity.Key {
		return nil, p.wrongEntity(v.ID, v)
	}
	return p.sim.Holder(v.ID)
}

// EmptyArray is zeros, of the float type in force.
func (p *Population) EmptyArray() vector.Column {
	if p.sim.system.Wide() {
		return vector.Const(p.count, 0.0)
	}
	return vector.Const(p.count, float32(0))
}

// FilledArray is the value for every member, of its natural type.
func (p *Population) FilledArray(v vector.Column) (vector.Column, error) { return v.Spread(p.count) }

// check makes sure that a column has a value for each member.
func (p *Population) check(c vector.Column) (vector.Column, error) {
	if c.Len() != p.count {
		return c, valueError("a column of %d elements was given where each of %d %s needs a value", c.Len(), p.count, p.entity.Plural)
	}
	return c.As(vector.Array), nil
}

func (p *Population) mustBeGroup(what string) error {
	if p.entity.IsPerson {
		return &legislation.Error{Class: "AttributeError", Msg: "'" + what + "' is asked of a group of persons, not of " + p.entity.Plural + " themselves"}
	}
	return nil
}

// MembersEntityID gives for every person the index of its group.
func (p *Population) MembersEntityID() vector.Column {
	p.sim.recorder.refuse("a formula asks for the numbers of groups")
	if p.entityID == nil {
		ids := make([]int64, len(p.groupOf))
		for i, g := range p.groupOf {
			ids[i] = int64(g)
		}
		c := vector.Of(ids)
		p.entityID = &c
	}
	return *p.entityID
}

// MembersPosition gives for every person its position within its group, in the order of persons.
func (p *Population) MembersPosition() vector.Column {
	if r := p.sim.recorder; r != nil {
		return r.source(source{kind: positionSource, entity: p.entity.Key}, p)
	}
	position, _ := p.positions()
	return vector.Of(append([]int32(nil), position...))
}

// MembersRole gives for every person its role.
func (p *Population) MembersRole() []*legislation.Role {
	p.sim.recorder.refuse("a formula asks for the roles of all members")
	roles := make([]*legislation.Role, len(p.roles))
	for i, r := range p.roles {
		roles[i] = p.entity.Flattened[r]
	}
	return roles
}

// positions gives the position of each person in its group and the size of the largest group.
func (p *Population) positions() ([]int32, int) {
	if p.position == nil {
		p.position = make([]int32, len(p.groupOf))
		p.sizes = make([]int32, p.count)
		for i, g := range p.groupOf {
			p.position[i] = p.sizes[g]
			p.sizes[g]++
			p.largest = max(p.largest, int(p.sizes[g]))
		}
		p.hasEmpty = slices.Contains(p.sizes, 0)
	}
	return p.position, p.largest
}

// roleMask tells which persons have a role of this group entity.
func (p *Population) roleMask(role *legislation.Role) mask {
	if m, ok := p.masks[role]; ok {
		return m
	}
	m := mask{bools: p.whoHas(role, new([]bool))}
	m.column = vector.Of(m.bools).Compact()
	if p.masks == nil {
		p.masks = make(map[*legislation.Role]mask)
	}
	p.masks[role] = m
	return m
}

// whoHas tells, in room, which persons have a role of this group entity.
func (p *Population) whoHas(role *legislation.Role, room *[]bool) []bool {
	*room = slices.Grow((*room)[:0], len(p.roles))[:len(p.roles)]
	out := *room
	covered := make([]bool, len(p.entity.Flattened))
	for i, held := range p.entity.Flattened {
		covered[i] = role.Covers(held)
	}
	for i, r := range p.roles {
		out[i] = covered[r]
	}
	return out
}

// who is the mask of a role as the aggregations want it: nil for everybody.
func (p *Population) who(role *legislation.Role) ([]bool, error) {
	if role == nil {
		return nil, nil
	}
	group := p.sim.PopulationOf(role.Entity.Key)
	if group == nil || group.entity.IsPerson {
		return nil, valueError("'%s' is not a role of an entity of this legislation", role.Key)
	}
	who := group.roleMask(role).bools
	if r := p.sim.recorder; r != nil {
		r.tape.BindMask(who, r.source(source{kind: roleSource, entity: group.entity.Key, role: role}, group))
	}
	return who, nil
}

// HasRole tells which persons have a role, of whatever entity.
func (p *Population) HasRole(role *legislation.Role) (vector.Column, error) {
	if role == nil {
		return vector.Column{}, typeError("has_role needs a role")
	}
	group := p.sim.PopulationOf(role.Entity.Key)
	if group == nil || group.entity.IsPerson {
		return vector.Column{}, valueError("'%s' is not a role of an entity of this legislation", role.Key)
	}
	if r := p.sim.recorder; r != nil {
		return r.source(source{kind: roleSource, entity: group.entity.Key, role: role}, group), nil
	}
	return group.roleMask(role).column, nil
}
