package scenario

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// HasTestCase reports whether the scenario came as a test case, which answers can be put into.
func (s *Scenario) HasTestCase() bool { return s.entities != nil }

// normalized is the test case with every entity as a list and every member with its id and roles. It is made once, when
// everybody is in their groups.
func (s *Scenario) normalized() legislation.Data {
	if s.normal.Kind == legislation.Mapping {
		return s.normal
	}
	out := s.slabs.object(len(s.entities))
	for _, c := range s.entities {
		out.Map.Set(c.entity.Plural, s.listed(c))
	}
	s.normal = out
	return s.normal
}

// listed is an entity as a list of its members, each with its id.
func (s *Scenario) listed(c *roster) legislation.Data {
	members := s.slabs.list(len(c.members))
	for i, p := range c.members {
		members.List[i] = s.member(c, p, false)
	}
	return members
}

// member is a member with its id (unless it stands before it as a key), its roles as they were understood, and its
// variables as they were sent.
func (s *Scenario) member(c *roster, p *member, keyed bool) legislation.Data {
	m := s.slabs.object(1 + len(p.roles) + p.doc.Map.Len())
	if !keyed {
		m.Map.Set("id", p.id)
	}
	for i, holders := range p.roles {
		if len(holders) == 0 {
			continue
		}
		ids := s.slabs.list(len(holders))
		for k, h := range holders {
			ids.List[k] = s.persons().members[h].id
		}
		if role := c.entity.Roles[i]; role.Max == 1 && role.Plural == "" {
			m.Map.Set(role.Key, ids.List[0])
		} else {
			m.Map.Set(roleName(role), ids)
		}
	}
	for i, key := range p.doc.Map.Keys() {
		if m.Map.Index(key) < 0 && !isRole(c.entity, key) && (key != "id" || c.keyed) {
			m.Map.Set(key, *p.doc.Map.Ref(i))
		}
	}
	return m
}

func (s *Scenario) persons() *roster {
	return s.entities[slices.IndexFunc(s.entities, func(c *roster) bool { return c.entity.IsPerson })]
}

// Repaired is the scenario as it was understood: the period in its usual form, ids and groups filled in, axes as lists
// of lists. Suggestions are not part of it.
func (s *Scenario) Repaired() legislation.Data {
	out := mapping()
	out.Set("period", legislation.DataOf(vector.PyStr(s.Period.String())))
	if axes, ok := s.Sent.Get("axes"); ok && len(axes.List) > 0 {
		dimensions := make([]legislation.Data, len(axes.List))
		for i, d := range axes.List {
			if d.Kind != legislation.List {
				d = legislation.Data{Kind: legislation.List, List: []legislation.Data{d}}
			}
			dimensions[i] = d
		}
		out.Set("axes", legislation.Data{Kind: legislation.List, List: dimensions})
	}
	if plain, ok := s.Sent.Get("input_variables"); ok {
		out.Set("input_variables", plain)
	}
	if s.entities == nil {
		return legislation.Data{Kind: legislation.Mapping, Map: out}
	}
	testCase := mapping()
	for _, c := range s.entities {
		testCase.Set(c.entity.Plural, s.repairedRoster(c))
	}
	out.Set("test_case", legislation.Data{Kind: legislation.Mapping, Map: testCase})
	return legislation.Data{Kind: legislation.Mapping, Map: out}
}

func (s *Scenario) repairedRoster(c *roster) legislation.Data {
	if !c.keyed {
		return s.listed(c)
	}
	byID := mapping()
	for _, p := range c.members {
		byID.Set(p.name(), s.member(c, p, true))
	}
	return legislation.Data{Kind: legislation.Mapping, Map: byID}
}

// Result is a computed variable on a period. Values has an element per member of its entity.
type Result struct {
	Variable *legislation.Variable
	Period   string // "" for what does not depend on time
	Values   []legislation.Data
}

// TestCase is the test case as it was sent, with results put into the members of their entities.
func (s *Scenario) TestCase(results []Result) legislation.Data {
	sent, _ := s.Sent.Get("test_case")
	out := s.slabs.object(sent.Map.Len())
	for i, plural := range sent.Map.Keys() {
		at := slices.IndexFunc(s.entities, func(c *roster) bool { return c.entity.Plural == plural })
		out.Map.Set(plural, s.filled(s.entities[at], sent.Map.Ref(i), results))
	}
	return out
}

// filled copies an entity in the form it came.
func (s *Scenario) filled(c *roster, d *legislation.Data, results []Result) legislation.Data {
	switch {
	case c.keyed:
		out := s.slabs.object(d.Map.Len())
		for i, id := range d.Map.Keys() {
			out.Map.Set(id, s.with(c, i, results))
		}
		return out
	case d.Kind == legislation.List:
		out, member := s.slabs.list(len(d.List)), 0
		for i := range d.List {
			if d.List[i].Kind != legislation.Null {
				out.List[i] = s.with(c, member, results)
				member++
			}
		}
		return out
	case d.Kind == legislation.Mapping:
		return s.with(c, 0, results)
	}
	return legislation.Data{}
}

// with is a member as it was sent, with what was computed for it.
func (s *Scenario) with(c *roster, member int, results []Result) legislation.Data {
	mine := func(r *Result) bool { return r.Variable.Entity.Key == c.entity.Key && member < len(r.Values) }
	more := 0
	for i := range results {
		if mine(&results[i]) {
			more++
		}
	}
	m := s.slabs.copied(c.members[member].doc.Map, more)
	for _, r := range results {
		if !mine(&r) {
			continue
		}
		value := r.Values[member]
		if r.Period != "" {
			before, _ := m.Get(r.Variable.Name)
			value = s.slabs.copied(before.Map, 1)
			value.Map.Set(r.Period, r.Values[member])
		}
		m.Map.Set(r.Variable.Name, value)
	}
	return m
}
