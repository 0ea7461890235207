package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"edict/platform/heap"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// roster is the members of one entity in a test case.
type roster struct {
	entity  *legislation.Entity
	keyed   bool // sent as an object by id
	whole   bool // the only group, since the test case lacks the entity
	members []*member
}

// member is a person or a group of a test case.
type member struct {
	id    legislation.Data
	key   string // in paths: the id if the roster is keyed, else the position
	doc   legislation.Data
	roles [][]int // of a group: persons as declared, by the position of their role among those of the entity
}

func (p *member) name() string { return pythonText(p.id) }

// rosterBytes is what a member of a test case takes, with its place in groups.
const rosterBytes = 512

// roster finds the members of an entity: in a list, by id in an object, or one alone.
func (r *reader) roster(e *legislation.Entity, d legislation.Data) *roster {
	c := &roster{entity: e}
	r.hold(int64(max(d.Map.Len(), len(d.List))) * rosterBytes)
	switch {
	case d.Kind == legislation.Null:
	case d.Kind == legislation.Mapping && !r.single(e, d):
		c.keyed = true
		for i, p := range c.room(d.Map.Len()) {
			p.key, p.doc = d.Map.Keys()[i], *d.Map.Ref(i)
			p.id = legislation.DataOf(vector.PyStrAt(&p.key))
			if p.doc.Kind == legislation.Null {
				p.doc.Kind = legislation.Mapping
			}
		}
	case d.Kind == legislation.Mapping:
		p := c.room(1)[0]
		p.key, p.doc = "0", d
	case d.Kind == legislation.List:
		members := c.room(len(d.List))
		c.members = members[:0]
		for i := range d.List {
			if d.List[i].Kind != legislation.Null {
				p := members[i]
				p.key, p.doc = strconv.Itoa(i), d.List[i]
				c.members = append(c.members, p)
			}
		}
	default:
		r.refuse("expected a list of objects or an object by id, got "+KindInWords(d), "test_case", e.Plural)
	}
	return c
}

// room makes members.
func (c *roster) room(n int) []*member {
	members := make([]member, n)
	c.members = make([]*member, n)
	for i := range members {
		c.members[i] = &members[i]
	}
	return c.members
}

// single reports whether an object is one member and not members by id. Ids may be names of variables or roles, so the values decide first: one that
// is neither an object nor null belongs to a single member, and an object without periods is a member.
func (r *reader) single(e *legislation.Entity, d legislation.Data) bool {
	named := false
	for i, key := range d.Map.Keys() {
		switch value := d.Map.Ref(i); {
		case value.Kind != legislation.Mapping && value.Kind != legislation.Null:
			return true
		case value.Kind == legislation.Mapping && !byPeriod(value):
			return false
		}
		_, err := r.system.Lookup(key)
		named = named || key == "id" || err == nil || isRole(e, key)
	}
	return named
}

// byPeriod reports whether an object has values by period: {"2024": 1}. One whose first key only begins as a period does is meant as one.
func byPeriod(d *legislation.Data) bool {
	keys := d.Map.Keys()
	if len(keys) == 0 {
		return false
	}
	if c := keys[0][:min(len(keys[0]), 1)]; c >= "0" && c <= "9" {
		return true
	}
	_, err := parsePeriodText(keys[0])
	return err == nil
}

// members checks ids and the names that members have.
func (r *reader) members(c *roster) {
	ids := keyList[string]{list: make([]string, 0, fewKeys)}
	for i, p := range c.members {
		r.tick(i)
		path := []string{"test_case", c.entity.Plural, p.key}
		if p.doc.Kind != legislation.Mapping {
			r.refuse("expected an object, got "+KindInWords(p.doc), path...)
			r.broken = true
			continue
		}
		r.identify(c, p, i, path)
		if name := p.name(); ids.index(name) >= 0 {
			r.refuse(fmt.Sprintf("%q is the id of another member", name), append(path, "id")...)
		} else {
			ids.add(name)
		}
		for _, key := range p.doc.Map.Keys() {
			v, err := r.system.Lookup(key)
			switch {
			case key == "id" && !c.keyed, isRole(c.entity, key):
			case err != nil:
				r.refuse("Unexpected item: "+c.entity.Key+" has no variable and no role of that name"+r.nearName(c.entity, key), append(path, key)...)
			case v.Entity.Key != c.entity.Key:
				r.refuse(fmt.Sprintf("Unexpected item: variable %q belongs to %s", key, v.Entity.Plural), append(path, key)...)
			}
		}
	}
}

func (r *reader) nearName(e *legislation.Entity, name string) string {
	var known []string
	for _, role := range e.Roles {
		known = append(known, roleName(role))
	}
	for _, v := range r.system.Variables() {
		if v.Entity.Key == e.Key {
			known = append(known, v.Name)
		}
	}
	return nearest(name, known)
}

func (r *reader) identify(c *roster, p *member, position int, path []string) {
	if c.keyed {
		return
	}
	id, sent := p.doc.Map.Get("id")
	switch {
	case !sent:
		p.id = legislation.DataOf(vector.PyInt(int64(position)))
	case id.Kind == legislation.Null:
		r.refuse("Missing value", append(path, "id")...)
	case id.Kind != legislation.Scalar || id.Scalar.Type() != vector.Str && id.Scalar.Type() != vector.Int64:
		r.refuse("expected a string or an integer, got "+KindInWords(id), append(path, "id")...)
	default:
		p.id = id
	}
}

// attach reads who is in which group, and what to do with those who are in none.
func (r *reader) attach() {
	persons := r.persons()
	index := make(map[string]int, len(persons.members))
	for i, p := range persons.members {
		index[p.name()] = i
	}
	r.missing = make([][]string, len(persons.members))
	attached := make([]bool, len(persons.members))
	for _, c := range r.s.entities {
		if c.entity.IsPerson {
			continue
		}
		if c.whole = r.system.OneGroup() && !r.mentions(c.entity); c.whole {
			c.gather(len(persons.members))
			continue
		}
		clear(attached)
		for _, g := range c.members {
			r.roles(c, g, index, attached)
		}
		for i := range persons.members {
			if !attached[i] {
				r.missing[i] = append(r.missing[i], c.entity.Plural)
			}
		}
	}
	if r.o.Repair && len(r.wrong) == 0 {
		r.failed = r.repair()
	}
}

// mentions reports whether a test case has members of an entity.
func (r *reader) mentions(e *legislation.Entity) bool {
	testCase, _ := r.s.Sent.Get("test_case")
	_, ok := testCase.Get(e.Plural)
	return ok
}

// gather makes one group of all persons, with the entity's key as its id and their first role.
func (c *roster) gather(persons int) {
	g := c.room(1)[0]
	g.id, g.key = legislation.DataOf(vector.PyStr(c.entity.Key)), c.entity.Key
	g.doc, g.roles = legislation.Data{Kind: legislation.Mapping}, make([][]int, len(c.entity.Roles))
	for person := range persons {
		g.roles[0] = append(g.roles[0], person)
	}
}

// unattached reports the persons who are in no group of some entity, but for those with whom something else is wrong:
// a message about the whole person would hide it.
func (r *reader) unattached() {
	persons := r.persons()
	for i, kinds := range r.missing {
		if len(kinds) == 0 || r.o.Repair {
			continue
		}
		path := []string{"test_case", persons.entity.Plural, persons.members[i].key}
		whole := append(slices.Clone(r.at), path...)
		deeper := slices.ContainsFunc(r.wrong, func(p Problem) bool {
			return len(p.Path) > len(whole) && slices.Equal(p.Path[:len(whole)], whole)
		})
		if !deeper {
			r.refuse(fmt.Sprintf("Individual is missing from %s: give %q a role there, or send validate: true to see it repaired",
				strings.Join(kinds, " & "), persons.members[i].name()), path...)
		}
	}
}

// roles reads the persons that a group names.
func (r *reader) roles(c *roster, g *member, index map[string]int, attached []bool) {
	g.roles = make([][]int, len(c.entity.Roles))
	for at, role := range c.entity.Roles {
		name := roleName(role)
		d, ok := g.doc.Get(name)
		if !ok {
			continue
		}
		ids := []legislation.Data{d}
		if d.Kind == legislation.List {
			ids = d.List
		}
		g.roles[at] = make([]int, 0, len(ids))
		for i, id := range ids {
			r.tick(i)
			steps := [...]string{"test_case", c.entity.Plural, g.key, name, strconv.Itoa(i)}
			path := steps[:4]
			if d.Kind == legislation.List {
				path = steps[:]
			}
			if id.Kind == legislation.Null {
				continue
			}
			person, known := index[pythonText(id)]
			switch {
			case id.Kind != legislation.Scalar:
				r.refuse("expected the id of a person, got "+KindInWords(id), path...)
			case !known:
				r.refuse(noPerson(pythonText(id), slices.Sorted(maps.Keys(index))), path...)
			case attached[person]:
				r.refuse(fmt.Sprintf("%q is already in one of the %s", pythonText(id), c.entity.Plural), path...)
			default:
				attached[person] = true
				g.roles[at] = append(g.roles[at], person)
			}
		}
	}
}

// noPerson says that an id is nobody's, and which are somebody's.
func noPerson(id string, known []string) string {
	const shown = 5
	near, more := nearest(id, known), ""
	if len(known) > shown {
		known, more = known[:shown], ", …"
	}
	return fmt.Sprintf("%q is not the id of a person, which is one of %s%s%s", id, strings.Join(known, ", "), more, near)
}

// spec describes the populations.
func (r *reader) spec() {
	s := r.s
	persons := r.persons()
	spec := engine.Spec{Persons: len(persons.members), PersonIDs: persons.names(), Groups: make(map[string]engine.Groups, len(s.entities)-1)}
	memberships := spec.Persons * (len(s.entities) - 1)
	groupOf, roles := heap.Slab[int32]{Next: memberships}, heap.Slab[*legislation.Role]{Next: memberships}
	for _, c := range s.entities {
		if c.entity.IsPerson {
			continue
		}
		g := engine.Groups{Count: len(c.members), IDs: c.names(), GroupOf: groupOf.Take(spec.Persons), Roles: roles.Take(spec.Persons)}
		for i, group := range c.members {
			for at, holders := range group.roles {
				for k, person := range holders {
					if c.whole {
						k = 0
					}
					g.GroupOf[person], g.Roles[person] = int32(i), held(c.entity.Roles[at], k)
				}
			}
		}
		spec.Groups[c.entity.Key] = g
	}
	s.Situation.Spec = spec
}

// names are the ids of the members.
func (c *roster) names() []string {
	if len(c.members) == 0 {
		return nil
	}
	names := make([]string, len(c.members))
	for i, p := range c.members {
		names[i] = p.name()
	}
	return names
}

// held is the role of the holder at a position: a role with sub-roles stands for them one after the other.
func held(role *legislation.Role, position int) *legislation.Role {
	if position < len(role.Subroles) {
		return role.Subroles[position]
	}
	return role
}
