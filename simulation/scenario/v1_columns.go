package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Columns of input_variables that are no variables say who is in which group: for famille, idfam has the number of each
// person's group and quifam the number of their role in it. Numbers of roles go through the roles of the entity in order,
// as many for each as it may have holders: of a famille 0 and 1 are the parents, 2 and above the children. A role may also
// be written by its name. Without a column of roles they go by the order of persons.

// columnNames are the names of the two columns of an entity, made of the first three letters of its key.
func columnNames(e *legislation.Entity) (id, role string) {
	short := e.Key[:min(3, len(e.Key))]
	return "id" + short, "qui" + short
}

// isColumn reports whether a name is that of such a column, and not of a variable.
func (r *reader) isColumn(name string) bool {
	if _, err := r.system.Lookup(name); err == nil {
		return false
	}
	return slices.ContainsFunc(r.system.Entities(), func(e *legislation.Entity) bool {
		id, role := columnNames(e)
		return !e.IsPerson && (name == id || name == role)
	})
}

// groups reads the columns of every entity that has some.
func (r *reader) groups(d legislation.Data, persons int) map[string]engine.Groups {
	found := map[string]engine.Groups{}
	for _, e := range r.system.Entities() {
		id, role := columnNames(e)
		if e.IsPerson || !r.isColumn(id) {
			continue
		}
		ids, given := d.Map.Get(id)
		roles, ranked := d.Map.Get(role)
		switch {
		case !given && ranked:
			r.refuse("Missing value: "+role+" needs it", "input_variables", id)
		case given:
			c := columnReader{reader: r, entity: e, persons: persons}
			if g, ok := c.groups(ids, roles, ranked); ok {
				found[e.Key] = g
			}
		}
	}
	return found
}

// columnReader reads the two columns of an entity.
type columnReader struct {
	*reader
	entity  *legislation.Entity
	persons int
}

func (c *columnReader) groups(ids, roles legislation.Data, ranked bool) (engine.Groups, bool) {
	before := len(c.wrong)
	idName, roleName := columnNames(c.entity)
	numbers := c.column(ids, idName)
	g := engine.Groups{GroupOf: make([]int32, c.persons), Roles: make([]*legislation.Role, c.persons)}
	for i, d := range numbers {
		n, ok := whole(d)
		if !ok || n >= int64(c.persons) {
			c.refuse(fmt.Sprintf("Value must be the number of one of the %s, from 0, and there are at most as many as persons", c.entity.Plural), "input_variables", idName, strconv.Itoa(i))
			continue
		}
		g.GroupOf[i] = int32(n)
		g.Count = max(g.Count, int(n)+1)
	}
	ranks := make([]legislation.Data, len(numbers))
	if ranked {
		ranks = c.column(roles, roleName)
	}
	if len(c.wrong) > before {
		return g, false
	}
	g.IDs = loners(g.Count).PersonIDs
	c.assign(&g, ranks, ranked)
	return g, len(c.wrong) == before
}

// column is a list with an element per person.
func (c *columnReader) column(d legislation.Data, name string) []legislation.Data {
	items := []legislation.Data{d}
	if d.Kind == legislation.List {
		items = d.List
	}
	if len(items) != c.persons {
		c.refuse(fmt.Sprintf("Array has not the same length as other variables: %d instead of %d", len(items), c.persons), "input_variables", name)
		return nil
	}
	return items
}

// whole is a number from 0 without a fraction.
func whole(d legislation.Data) (int64, bool) {
	if d.Kind != legislation.Scalar || d.Scalar.Type() != vector.Int64 || d.Scalar.Int(0) < 0 {
		return 0, false
	}
	return d.Scalar.Int(0), true
}

// assign gives every person a role, and checks how many there are of each.
func (c *columnReader) assign(g *engine.Groups, ranks []legislation.Data, ranked bool) {
	idName, qui := columnNames(c.entity)
	met, held := make([]int, g.Count), map[heldRole]int{}
	for person, group := range g.GroupOf {
		rank := ranks[person]
		if !ranked {
			rank = legislation.DataOf(vector.PyInt(int64(met[group])))
		}
		met[group]++
		role := c.role(rank)
		if role == nil {
			c.refuse(fmt.Sprintf("Value must be the number or the name of a role of %s", c.entity.Key), "input_variables", qui, strconv.Itoa(person))
			continue
		}
		key := heldRole{int(group), role}
		if role.Max > 0 && held[key] >= role.Max {
			c.refuse(fmt.Sprintf("A %q must have at most %d %q", c.entity.Key, role.Max, roleName(role)), "input_variables", qui, strconv.Itoa(person))
		}
		g.Roles[person] = heldBy(role, rank, held[key])
		held[key]++
	}
	for group, n := range met {
		if n == 0 {
			c.refuse(fmt.Sprintf("number %d of the %s has no members: number them from 0, without gaps", group, c.entity.Plural), "input_variables", idName)
		}
	}
}

type heldRole struct {
	group int
	role  *legislation.Role
}

// role finds a role by number or name.
func (c *columnReader) role(d legislation.Data) *legislation.Role {
	if name, ok := d.Text(); ok {
		i := slices.IndexFunc(c.entity.Roles, func(r *legislation.Role) bool { return r.Key == name || r.Plural == name })
		if i < 0 {
			return nil
		}
		return c.entity.Roles[i]
	}
	n, ok := whole(d)
	for _, role := range c.entity.Roles {
		if ok && (role.Max == 0 || n < int64(role.Max)) {
			return role
		}
		n -= int64(role.Max)
	}
	return nil
}

// heldBy is the role or the sub-role that a person has: the number says which of the sub-roles, else they go in order.
func heldBy(role *legislation.Role, rank legislation.Data, earlier int) *legislation.Role {
	if n, ok := whole(rank); ok && len(role.Subroles) > 0 {
		for _, before := range role.Entity.Roles {
			if before == role {
				break
			}
			n -= int64(before.Max)
		}
		return held(role, int(n))
	}
	return held(role, min(earlier, max(len(role.Subroles)-1, 0)))
}
