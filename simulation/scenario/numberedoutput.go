package scenario

import (
	"slices"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// HasTestCase tells whether the scenario came as a test case, which answers can be put into.
func (s *Scenario) HasTestCase() bool { return s.entities != nil }

// normalized is the test case with every entity as a list and every member with its id and roles. It is made once, when
// everybody is in their groups.
func (s *Scenario) normalized() legislation.Data {
	if s.normal.Kind == legislation.Mapping {
		return s.normal
	}
	out := mapping()
	for _, c := range s.entities {
		members := make([]legislation.Data, len(c.members))
		for i := range c.members {
			members[i] = s.member(c, c.members[i], false)
		}
		out.Set(c.entity.Plural, legislation.Data{Kind: legislation.List, List: members})
	}
	s.normal = legislation.Data{Kind: legislation.Mapping, Map: out}
	return s.normal
}

// member is a member with its id (unless it stands before it as a key), its roles as they were understood, and its
// variables as they were sent.
func (s *Scenario) member(c *cast, p *player, keyed bool) legislation.Data {
	m := mapping()
	if !keyed {
		m.Set("id", p.id)
	}
	persons := s.entities[slices.IndexFunc(s.entities, func(c *cast) bool { return c.entity.IsPerson })]
	for _, role := range c.entity.Roles {
		holders := p.roles[role]
		if len(holders) == 0 {
			continue
		}
		ids := make([]legislation.Data, len(holders))
		for i, h := range holders {
			ids[i] = persons.members[h].id
		}
		if role.Max == 1 && role.Plural == "" {
			m.Set(role.Key, ids[0])
		} else {
			m.Set(roleName(role), legislation.Data{Kind: legislation.List, List: ids})
		}
	}
	for key, value := range p.doc.Map.All() {
		if _, ok := m.Get(key); !ok && !isRole(c.entity, key) && (key != "id" || c.keyed) {
			m.Set(key, value)
		}
	}
	return legislation.Data{Kind: legislation.Mapping, Map: m}
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
		testCase.Set(c.entity.Plural, s.repairedCast(c))
	}
	out.Set("test_case", legislation.Data{Kind: legislation.Mapping, Map: testCase})
	return legislation.Data{Kind: legislation.Mapping, Map: out}
}

func (s *Scenario) repairedCast(c *cast) legislation.Data {
	if !c.keyed {
		members := make([]legislation.Data, len(c.members))
		for i, p := range c.members {
			members[i] = s.member(c, p, false)
		}
		return legislation.Data{Kind: legislation.List, List: members}
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
	out := mapping()
	for plural, d := range sent.Map.All() {
		at := slices.IndexFunc(s.entities, func(c *cast) bool { return c.entity.Plural == plural })
		out.Set(plural, s.filled(s.entities[at], d, results))
	}
	return legislation.Data{Kind: legislation.Mapping, Map: out}
}

// filled copies an entity in the form it came.
func (s *Scenario) filled(c *cast, d legislation.Data, results []Result) legislation.Data {
	byKey := map[string]legislation.Data{}
	for i, p := range c.members {
		byKey[p.key] = p.with(c.entity, i, results)
	}
	switch {
	case c.keyed:
		out := mapping()
		for id := range d.Map.All() {
			out.Set(id, byKey[id])
		}
		return legislation.Data{Kind: legislation.Mapping, Map: out}
	case d.Kind == legislation.List:
		out := make([]legislation.Data, len(d.List))
		for i := range d.List {
			out[i] = byKey[strconv.Itoa(i)]
		}
		return legislation.Data{Kind: legislation.List, List: out}
	}
	return byKey["0"]
}

func (p *player) with(e *legislation.Entity, index int, results []Result) legislation.Data {
	m := mapping()
	for key, value := range p.doc.Map.All() {
		m.Set(key, value)
	}
	for _, r := range results {
		if r.Variable.Entity.Key != e.Key || index >= len(r.Values) {
			continue
		}
		if r.Period == "" {
			m.Set(r.Variable.Name, r.Values[index])
			continue
		}
		dated := mapping()
		if before, ok := m.Get(r.Variable.Name); ok && before.Kind == legislation.Mapping {
			for at, value := range before.Map.All() {
				dated.Set(at, value)
			}
		}
		dated.Set(r.Period, r.Values[index])
		m.Set(r.Variable.Name, legislation.Data{Kind: legislation.Mapping, Map: dated})
	}
	return legislation.Data{Kind: legislation.Mapping, Map: m}
}
