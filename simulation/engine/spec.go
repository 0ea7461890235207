package engine

import (
	"fmt"
	"slices"
	"strconv"

	"edict/simulation/legislation"
)

// Spec describes the populations of a simulation.
type Spec struct {
	// Persons is the number of persons.
	Persons int
	// PersonIDs are their names; nil if they have none.
	PersonIDs []string
	// Groups has the population of each group entity by its key. An entity that is missing has one group per person,
	// who holds its first role.
	Groups map[string]Groups
}

// Groups describes the groups of one entity and who belongs to them.
type Groups struct {
	Count int
	IDs   []string
	// GroupOf gives for each person the index of its group.
	GroupOf []int32
	// Roles gives for each person its role; nil gives everybody the first role.
	Roles []*legislation.Role
	// Held, if not nil, is used in place of Roles: their places among the flattened roles of the entity. It is borrowed.
	Held []int16
	// Sound has the caller vouch that groups and roles exist: GroupOf and Held are not looked through.
	Sound bool
}

// Replicate describes the same situation the given number of times, one copy after the other; ids get a number.
func (s Spec) Replicate(times int) Spec {
	out := Spec{Persons: s.Persons * times, PersonIDs: numbered(s.PersonIDs, times), Groups: make(map[string]Groups, len(s.Groups))}
	for key, g := range s.Groups {
		r := Groups{Count: g.Count * times, IDs: numbered(g.IDs, times)}
		r.GroupOf = make([]int32, 0, len(g.GroupOf)*times)
		if g.Roles != nil {
			r.Roles = make([]*legislation.Role, 0, len(g.Roles)*times)
		}
		for t := range times {
			for _, group := range g.GroupOf {
				r.GroupOf = append(r.GroupOf, group+int32(t*g.Count))
			}
			r.Roles = append(r.Roles, g.Roles...)
		}
		if g.Held != nil {
			r.Held = slices.Repeat(g.Held, times)
		}
		out.Groups[key] = r
	}
	return out
}

func numbered(ids []string, times int) []string {
	if ids == nil {
		return nil
	}
	out := make([]string, 0, len(ids)*times)
	for i := range len(ids) * times {
		out = append(out, ids[i%len(ids)]+strconv.Itoa(i))
	}
	return out
}

// memberBytes is what a member takes: its role and its place in groups, and the columns of the formula that is running.
const memberBytes = 64

// members is how many members the populations of so many entities have together.
func (s Spec) members(entities int) int64 {
	n := int64(s.Persons) * int64(entities-len(s.Groups)) // those that are missing have a group per person
	for _, g := range s.Groups {
		n += int64(g.Count)
	}
	return n
}

// populate makes the populations.
func (s *Simulation) populate(spec Spec) error {
	if spec.Persons < 0 || spec.PersonIDs != nil && len(spec.PersonIDs) != spec.Persons {
		return fmt.Errorf("%d persons cannot have %d names", spec.Persons, len(spec.PersonIDs))
	}
	if err := s.memory.Take(spec.members(len(s.system.Entities())) * memberBytes); err != nil {
		return err
	}
	for _, entity := range s.system.Entities() {
		p := &Population{sim: s, entity: entity}
		if entity.IsPerson {
			p.count, p.ids = spec.Persons, spec.PersonIDs
			s.persons = p
		}
		s.populations = append(s.populations, p)
	}
	for _, p := range s.populations {
		if p.entity.IsPerson {
			continue
		}
		groups, ok := spec.Groups[p.entity.Key]
		if !ok {
			groups = alone(spec)
		}
		if err := p.assign(groups); err != nil {
			return fmt.Errorf("%s: %w", p.entity.Plural, err)
		}
	}
	for key := range spec.Groups {
		if e := s.system.Entity(key); e == nil || e.IsPerson {
			return fmt.Errorf("there is no group entity '%s' in this legislation", key)
		}
	}
	return nil
}

// alone puts every person into a group of its own.
func alone(spec Spec) Groups {
	g := Groups{Count: spec.Persons, IDs: spec.PersonIDs, GroupOf: make([]int32, spec.Persons)}
	for i := range g.GroupOf {
		g.GroupOf[i] = int32(i)
	}
	return g
}

func (p *Population) assign(g Groups) error {
	persons := p.sim.persons.count
	switch {
	case len(g.GroupOf) != persons:
		return fmt.Errorf("%d persons are assigned, but there are %d", len(g.GroupOf), persons)
	case g.Roles != nil && len(g.Roles) != persons:
		return fmt.Errorf("%d persons have a role, but there are %d", len(g.Roles), persons)
	case g.Held != nil && len(g.Held) != persons:
		return fmt.Errorf("%d persons hold a role, but there are %d", len(g.Held), persons)
	case g.IDs != nil && len(g.IDs) != g.Count:
		return fmt.Errorf("%d groups cannot have %d names", g.Count, len(g.IDs))
	case len(p.entity.Flattened) == 0:
		return fmt.Errorf("the entity has no roles")
	}
	p.members, p.count, p.ids, p.groupOf = p.sim.persons, g.Count, g.IDs, g.GroupOf
	if g.Sound && g.Held != nil {
		p.roles = g.Held
		return nil
	}
	for i, group := range g.GroupOf {
		if group < 0 || int(group) >= g.Count {
			return fmt.Errorf("person %d is in group %d, but there are %d groups", i, group, g.Count)
		}
	}
	if g.Held != nil {
		return p.hold(g.Held)
	}
	p.roles = make([]int16, persons)
	for i, role := range g.Roles {
		if role == nil || role.Entity != p.entity || role.Index < 0 {
			return fmt.Errorf("person %d has a role that is not one of the entity's", i)
		}
		p.roles[i] = int16(role.Index)
	}
	return nil
}

// hold gives persons roles by their places among the flattened ones.
func (p *Population) hold(roles []int16) error {
	for i, role := range roles {
		if role < 0 || int(role) >= len(p.entity.Flattened) {
			return fmt.Errorf("person %d has a role that is not one of the entity's", i)
		}
	}
	p.roles = roles
	return nil
}
