package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
	"slices"
)

// Projector answers for one population with the values of another: person.household gives every person what its
// household has, household.first_parent gives every household what its first parent has. Projectors chain: what the
// last one answers is projected by each of the ones before it.
type Projector struct {
	// reference is the population that is asked.
	reference *Population
	// target is the group that a person's value is given to; nil if a group's value is given to its persons.
	target *Population
	// role is the role of that person; nil means the first one.
	role   *legislation.Role
	parent *Projector

	shortcuts map[string]*Projector
}

var _ legislation.Projector = (*Projector)(nil)

// Shortcut resolves an attribute of a population: person.<group>, group.first_person, group.<unique role>,
// group.<containing entity>.
func (p *Population) Shortcut(name string) (legislation.Population, bool) {
	if known, ok := p.shortcuts[name]; ok {
		return known, true
	}
	made := p.shortcut(name, nil)
	if made == nil {
		return nil, false
	}
	if p.shortcuts == nil {
		p.shortcuts = make(map[string]*Projector)
	}
	p.shortcuts[name] = made
	return made, true
}

// Shortcut continues the chain from the population that is asked.
func (j *Projector) Shortcut(name string) (legislation.Population, bool) {
	if known, ok := j.shortcuts[name]; ok {
		return known, true
	}
	made := j.reference.shortcut(name, j)
	if made == nil {
		return nil, false
	}
	if j.shortcuts == nil {
		j.shortcuts = make(map[string]*Projector)
	}
	j.shortcuts[name] = made
	return made, true
}

func (p *Population) shortcut(name string, parent *Projector) *Projector {
	if p.entity.IsPerson {
		if group := p.sim.PopulationOf(name); group != nil && !group.entity.IsPerson {
			return &Projector{reference: group, parent: parent}
		}
		return nil
	}
	first := &Projector{reference: p.members, target: p, parent: parent}
	if name == "first_person" {
		return first
	}
	if role := p.entity.UniqueRole(name); role != nil {
		return &Projector{reference: p.members, target: p, role: role, parent: parent}
	}
	if slices.Contains(p.entity.Containing, name) {
		return p.members.shortcut(name, first)
	}
	return nil
}

// Up implements legislation.Projector.
func (j *Projector) Up(c vector.Column) (vector.Column, error) { return j.up(c, nil) }

// up projects a result all the way back to where the chain started.
func (j *Projector) up(c vector.Column, err error) (vector.Column, error) {
	for ; j != nil && err == nil; j = j.parent {
		switch {
		case j.target == nil:
			c, err = j.reference.Project(c, nil)
		case j.role == nil:
			c, err = j.target.ValueFromFirstPerson(c)
		default:
			c, err = j.target.ValueFromPerson(c, j.role, vector.PyInt(0))
		}
	}
	return c, err
}

// The rest asks the reference. What is about the values of its members is projected back.

func (j *Projector) Entity() *legislation.Entity             { return j.reference.Entity() }
func (j *Projector) Count() int                              { return j.reference.Count() }
func (j *Projector) IDs() []string                           { return j.reference.IDs() }
func (j *Projector) Simulation() legislation.Simulation      { return j.reference.Simulation() }
func (j *Projector) Members() (legislation.Population, bool) { return j.reference.Members() }
func (j *Projector) EmptyArray() vector.Column               { return j.reference.EmptyArray() }
func (j *Projector) MembersEntityID() vector.Column          { return j.reference.MembersEntityID() }
func (j *Projector) MembersPosition() vector.Column          { return j.reference.MembersPosition() }
func (j *Projector) MembersRole() []*legislation.Role        { return j.reference.MembersRole() }

func (j *Projector) Holder(name string) (legislation.Holder, error) { return j.reference.Holder(name) }

func (j *Projector) FilledArray(v vector.Column) (vector.Column, error) {
	return j.reference.FilledArray(v)
}

func (j *Projector) Project(c vector.Column, role *legislation.Role) (vector.Column, error) {
	return j.reference.Project(c, role)
}

func (j *Projector) Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	return j.up(j.reference.Calculate(id, at, how))
}

func (j *Projector) CalculateAlong(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	return j.up(j.reference.CalculateAlong(id, at, how))
}

func (j *Projector) HasRole(role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.HasRole(role))
}

func (j *Projector) Sum(c vector.Column, role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.Sum(c, role))
}

func (j *Projector) Any(c vector.Column, role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.Any(c, role))
}

func (j *Projector) All(c vector.Column, role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.All(c, role))
}

func (j *Projector) Min(c vector.Column, role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.Min(c, role))
}

func (j *Projector) Max(c vector.Column, role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.Max(c, role))
}

func (j *Projector) Reduce(c vector.Column, step legislation.Reducer, neutral vector.Column, role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.Reduce(c, step, neutral, role))
}

func (j *Projector) NbPersons(role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.NbPersons(role))
}

func (j *Projector) ValueFromPerson(c vector.Column, role *legislation.Role, otherwise vector.Column) (vector.Column, error) {
	return j.up(j.reference.ValueFromPerson(c, role, otherwise))
}

func (j *Projector) ValueNthPerson(n int, c vector.Column, otherwise vector.Column) (vector.Column, error) {
	return j.up(j.reference.ValueNthPerson(n, c, otherwise))
}

func (j *Projector) ValueFromFirstPerson(c vector.Column) (vector.Column, error) {
	return j.up(j.reference.ValueFromFirstPerson(c))
}

func (j *Projector) ValueFromPartner(c vector.Column, group legislation.Population, role *legislation.Role) (vector.Column, error) {
	return j.up(j.reference.ValueFromPartner(c, group, role))
}

func (j *Projector) Rank(group legislation.Population, criteria, condition vector.Column) (vector.Column, error) {
	return j.up(j.reference.Rank(group, criteria, condition))
}
