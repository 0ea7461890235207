package scenario

import (
	"slices"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// repair puts every person who is in no group of an entity into one.
//
// Between entities that have a role for adults (the first) and one for others, a person follows the people with whom
// they are in another group: as an adult, if they are one there and there is room, else as a child. If none of those is
// placed yet a new group is made, which the others then join. Persons who are nowhere form one new group together: the
// first as many as there is room for are its adults, but nobody who is none by the legislation, unless all are none. In
// all other entities everybody gets a group of their own, with its first role. New ids are the key of the entity and a
// number.
func (r *reader) repair() error {
	persons := r.persons()
	for _, c := range r.s.entities {
		if c.entity.IsPerson {
			continue
		}
		var nowhere []int
		for person := range persons.members {
			if g, _ := c.find(person); g >= 0 {
				continue
			}
			if !c.familiar() {
				c.join(c.grow(), person, true)
			} else if !r.s.follow(c, person) {
				nowhere = append(nowhere, person)
			}
		}
		if err := r.together(c, nowhere); err != nil {
			return err
		}
	}
	return nil
}

// together puts persons into one new group.
func (r *reader) together(c *roster, people []int) error {
	if len(people) == 0 {
		return nil
	}
	adults := slices.Repeat([]bool{true}, len(people))
	if r.o.Adult != nil && !r.s.Period.IsEternal() {
		persons := r.persons()
		for i, person := range people {
			var err error
			if adults[i], err = r.o.Adult(r.s.member(persons, persons.members[person], false), int(r.s.Period.Start.Year)); err != nil {
				return err
			}
		}
	}
	group, none := c.grow(), !slices.Contains(adults, true)
	for i, person := range people {
		c.join(group, person, adults[i] || none)
	}
	return nil
}

// familiar reports whether an entity has adults, of whom there is a largest number, and others.
func (c *roster) familiar() bool {
	roles := c.entity.Roles
	return len(roles) > 1 && roles[0].Max > 0 && roles[len(roles)-1].Max == 0
}

// find returns the group that a person is in, and whether as an adult; -1 if in none.
func (c *roster) find(person int) (group int, adult bool) {
	for i, g := range c.members {
		for at, holders := range g.roles {
			if slices.Contains(holders, person) {
				return i, c.entity.Roles[at].Max > 0
			}
		}
	}
	return -1, false
}

// grow adds an empty group and returns its index.
func (c *roster) grow() int {
	id := ""
	for n := 1; id == "" || slices.ContainsFunc(c.members, func(p *member) bool { return p.name() == id }); n++ {
		id = c.entity.Key + "_" + strconv.Itoa(n)
	}
	c.members = append(c.members, &member{
		id: legislation.DataOf(vector.PyStr(id)), key: id,
		doc: legislation.Data{Kind: legislation.Mapping}, roles: make([][]int, len(c.entity.Roles)),
	})
	return len(c.members) - 1
}

// join puts a person into a group: as an adult while there is room, else with the first role that has no limit.
func (c *roster) join(group, person int, adult bool) {
	g := c.members[group]
	for i, role := range c.entity.Roles {
		if role.Max > 0 && !adult {
			continue
		}
		if role.Max == 0 || len(g.roles[i]) < role.Max {
			g.roles[i] = append(g.roles[i], person)
			return
		}
	}
	last := len(c.entity.Roles) - 1
	g.roles[last] = append(g.roles[last], person)
}

// follow puts a person where those are with whom they form another group.
func (s *Scenario) follow(c *roster, person int) bool {
	for _, other := range s.entities {
		if other == c || other.entity.IsPerson || !other.familiar() {
			continue
		}
		group, adult := other.find(person)
		if group < 0 {
			continue
		}
		for _, holders := range other.members[group].roles {
			for _, companion := range holders {
				if at, _ := c.find(companion); at >= 0 && companion != person {
					c.join(at, person, adult)
					return true
				}
			}
		}
		c.join(c.grow(), person, adult)
		return true
	}
	return false
}
