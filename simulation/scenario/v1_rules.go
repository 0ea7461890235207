package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"edict/simulation/legislation"
)

// rules checks how many there are of each role, and the rules of the legislation, which are those of a year.
func (r *reader) rules() {
	r.counts()
	if r.s.entities == nil || r.o.Check == nil || r.s.Period.IsEternal() {
		return
	}
	breaches, err := r.o.Check(r.s.normalized(), int(r.s.Period.Start.Year))
	if len(r.wrong) == 0 {
		r.failed = err // else it may have met what is wrong
	}
	for _, b := range breaches {
		r.breach(b)
	}
}

// breach reports a broken rule at the place of the person; without a person, at that of the role.
func (r *reader) breach(b Breach) {
	persons := r.persons()
	for _, c := range r.s.entities {
		if c.entity.Plural != b.Entity {
			continue
		}
		for _, g := range c.members {
			if g.name() != pythonText(b.ID) {
				continue
			}
			path := []string{"test_case", c.entity.Plural, g.key, b.Role}
			for i, holders := range g.roles {
				at := slices.IndexFunc(holders, func(p int) bool { return persons.members[p].name() == pythonText(b.Person) })
				if sent, _ := g.doc.Get(b.Role); roleName(c.entity.Roles[i]) == b.Role && at >= 0 && sent.Kind == legislation.List {
					path = append(path, strconv.Itoa(at))
				}
			}
			r.refuse(b.Message, path...)
		}
	}
}

// counts checks how many there are of each role.
func (r *reader) counts() {
	for _, c := range r.s.entities {
		if c.entity.IsPerson {
			continue
		}
		for _, g := range c.members {
			for i, role := range c.entity.Roles {
				n, name := len(g.roles[i]), roleName(role)
				path := []string{"test_case", c.entity.Plural, g.key, name}
				if role.Max > 0 && n > role.Max {
					r.refuse(fmt.Sprintf("A %q must have at most %d %q, got %d", c.entity.Key, role.Max, name, n), path...)
				}
			}
		}
	}
}
