package legislation

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Entity is a kind of thing that variables are about: the person, or a group of persons such as a household.
type Entity struct {
	Key    string // singular: "household"
	Plural string
	Label  string
	Doc    string
	// IsPerson is true for exactly one entity of a system.
	IsPerson bool
	// Roles are the roles of a group as declared; a role with sub-roles stands for all of them.
	Roles []*Role
	// Flattened lists the roles that persons can really have: sub-roles in the place of their role.
	Flattened []*Role
	// Containing names the group entities whose groups always contain the groups of this one.
	Containing []string
}

// Role is what a person is in a group. Roles are compared by address.
type Role struct {
	Key    string
	Plural string
	Label  string
	Doc    string
	// Max is the largest number of persons with this role in one group, 0 for any number.
	Max      int
	Subroles []*Role
	Entity   *Entity
	// Index is the role's position in Entity.Flattened, -1 for a role with sub-roles.
	Index int
}

// RoleSpec declares a role to [NewGroup].
type RoleSpec struct {
	Key, Plural, Label, Doc string
	Max                     int
	Subroles                []string
}

// NewPerson makes the person entity.
func NewPerson(key, plural, label, doc string) *Entity {
	return &Entity{Key: key, Plural: plural, Label: label, Doc: Dedent(doc), IsPerson: true}
}

// NewGroup makes a group entity. Sub-roles are held by at most one person each.
func NewGroup(key, plural, label, doc string, roles []RoleSpec, containing ...string) *Entity {
	e := &Entity{Key: key, Plural: plural, Label: label, Doc: Dedent(doc), Containing: containing}
	for _, spec := range roles {
		role := &Role{Key: spec.Key, Plural: spec.Plural, Label: spec.Label, Doc: Dedent(spec.Doc), Max: spec.Max, Entity: e, Index: -1}
		e.Roles = append(e.Roles, role)
		for _, key := range spec.Subroles {
			role.Subroles = append(role.Subroles, &Role{Key: key, Max: 1, Entity: e})
		}
		if len(role.Subroles) == 0 {
			e.flatten(role)
			continue
		}
		role.Max = len(role.Subroles)
		for _, sub := range role.Subroles {
			e.flatten(sub)
		}
	}
	return e
}

func (e *Entity) flatten(role *Role) {
	role.Index = len(e.Flattened)
	e.Flattened = append(e.Flattened, role)
}

// Role finds a role or sub-role by key, or returns nil.
func (e *Entity) Role(key string) *Role {
	return e.find(func(r *Role) bool { return r.Key == key })
}

// Constant finds the role that formulas know by an upper-case attribute of the entity: Household.FIRST_PARENT.
func (e *Entity) Constant(name string) *Role {
	return e.find(func(r *Role) bool { return isUpperOf(name, r.Key) })
}

// isUpperOf tells whether a name is a key in upper case; formulas ask for each role that they name, each time they run.
func isUpperOf(name, key string) bool {
	for i := range len(key) {
		b := key[i]
		if b >= utf8.RuneSelf {
			return strings.ToUpper(key) == name
		}
		if 'a' <= b && b <= 'z' {
			b -= 'a' - 'A'
		}
		if i >= len(name) || name[i] != b {
			return false
		}
	}
	return len(name) == len(key)
}

// UniqueRole finds the role or sub-role with that key that at most one person of a group has: household.first_parent.
func (e *Entity) UniqueRole(key string) *Role {
	return e.find(func(r *Role) bool { return r.Key == key && r.Max == 1 })
}

func (e *Entity) find(accept func(*Role) bool) *Role {
	for _, role := range e.Roles {
		for _, sub := range role.Subroles {
			if accept(sub) {
				return sub
			}
		}
		if accept(role) {
			return role
		}
	}
	return nil
}

// Covers tells whether a person with the flattened role held has the role r: the role itself or one of its sub-roles.
func (r *Role) Covers(held *Role) bool {
	if held == r {
		return len(r.Subroles) == 0
	}
	return slices.Contains(r.Subroles, held)
}

// Dedent takes away the blanks that all lines of a text start with, as Python's textwrap.dedent does.
func Dedent(text string) string {
	lines := strings.Split(text, "\n")
	margin, found := "", false
	for i, line := range lines {
		body := strings.TrimLeft(line, " \t")
		if body == "" {
			lines[i] = ""
			continue
		}
		indent := line[:len(line)-len(body)]
		if !found {
			margin, found = indent, true
		}
		margin = commonPrefix(margin, indent)
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, margin)
	}
	return strings.Join(lines, "\n")
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
