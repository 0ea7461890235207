package scenario

import (
	"slices"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// entities reads the form with members by id. The first problem ends it, in the order in which the original looks for
// them.
type entities struct {
	system    *legislation.System
	byDefault *period.Period
	loose     loose
	spec      engine.Spec
	persons   map[string]int
	buffer    []*known
	byKey     map[writtenKey]*known
	written   []writtenPeriod
}

// known is what is said about a variable on a period.
type known struct {
	Input
	cells []vector.Column
}

// writtenKey finds what is known by the period as it was written.
type writtenKey struct {
	variable *legislation.Variable
	at       string
}

// writtenPeriod is a period of a document, which is read once however often it is written.
type writtenPeriod struct {
	text, canonical string
	period          period.Period
}

func parseEntities(system *legislation.System, doc legislation.Data, byDefault *period.Period, loose loose) (*Situation, error) {
	if doc.Kind != legislation.Mapping {
		return nil, problem(textType("Object"), "error")
	}
	if !all(doc, func(key string) bool { return key == "axes" || system.EntityByPlural(key) != nil }) {
		return nil, unknownKeys(system, doc)
	}
	p := &entities{system: system, byDefault: byDefault, loose: loose, byKey: map[writtenKey]*known{}}
	if err := p.people(doc); err != nil {
		return nil, err
	}
	s := &Situation{System: system, Spec: p.spec, Inputs: make([]Input, 0, len(p.buffer))}
	for _, k := range p.buffer {
		k.Values = assemble(k.Variable, system.Wide(), k.cells)
		s.Inputs = append(s.Inputs, k.Input)
	}
	s.sort(s.Inputs)
	if axes, ok := doc.Get("axes"); ok {
		return s, s.parseAxes(axes, byDefault)
	}
	return s, nil
}

func (p *entities) people(doc legislation.Data) error {
	person := p.system.Person()
	members, _ := doc.Map.Get(person.Plural)
	if members.Kind == legislation.Null || !truth(members) {
		return problem(textNobody(person), person.Plural)
	}
	if err := p.addPersons(person, members); err != nil {
		return err
	}
	p.spec.Groups = map[string]engine.Groups{}
	_, axes := doc.Get("axes")
	for _, e := range p.system.Entities() {
		if e.IsPerson {
			continue
		}
		groups, ok := doc.Get(e.Plural)
		switch {
		case ok:
			if err := p.addGroups(e, groups); err != nil {
				return err
			}
		case axes:
			return problem(textAxesNeed(e), e.Plural)
		default:
			p.spec.Groups[e.Key] = ownGroups(p.spec.PersonIDs)
		}
	}
	return nil
}

// ownGroups gives every person a group of its own, of the same name.
func ownGroups(ids []string) engine.Groups {
	g := engine.Groups{Count: len(ids), IDs: ids, GroupOf: make([]int32, len(ids))}
	for i := range g.GroupOf {
		g.GroupOf[i] = int32(i)
	}
	return g
}

func (p *entities) addPersons(e *legislation.Entity, members legislation.Data) error {
	if members.Kind != legislation.Mapping {
		return problem(textType("Object"), e.Plural)
	}
	ids := slices.Clone(members.Map.Keys())
	p.spec.Persons, p.spec.PersonIDs = len(ids), ids
	p.persons = make(map[string]int, len(ids))
	for i, id := range ids {
		p.persons[id] = i
	}
	for i, id := range ids {
		member, _ := members.Map.Get(id)
		if member.Kind != legislation.Mapping {
			return problem(textType("Object"), e.Plural, id)
		}
		if err := p.addVariables(e, id, i, len(ids), member); err != nil {
			return err
		}
	}
	return nil
}

func (p *entities) addGroups(e *legislation.Entity, groups legislation.Data) error {
	if groups.Kind != legislation.Mapping {
		return problem(textType("Object"), e.Plural)
	}
	m := &membership{entities: p, entity: e, ids: slices.Clone(groups.Map.Keys())}
	m.groupOf = slices.Repeat([]int32{-1}, p.spec.Persons)
	m.roles = make([]*legislation.Role, p.spec.Persons)
	for i, id := range groups.Map.Keys() {
		group, _ := groups.Map.Get(id)
		if group.Kind != legislation.Mapping {
			return problem(textType("Object"), e.Plural, id)
		}
		if err := m.assign(i, id, group); err != nil {
			return err
		}
		if err := p.addVariables(e, id, i, groups.Map.Len(), group); err != nil {
			return err
		}
	}
	m.rest()
	p.spec.Groups[e.Key] = engine.Groups{Count: len(m.ids), IDs: m.ids, GroupOf: m.groupOf, Roles: m.roles}
	return nil
}

// membership collects who belongs to the groups of one entity.
type membership struct {
	*entities
	entity  *legislation.Entity
	ids     []string
	groupOf []int32
	roles   []*legislation.Role
}

// roleName is what a role is called in a document.
func roleName(r *legislation.Role) string {
	if r.Plural != "" {
		return r.Plural
	}
	return r.Key
}

func isRole(e *legislation.Entity, name string) bool {
	return slices.ContainsFunc(e.Roles, func(r *legislation.Role) bool { return roleName(r) == name })
}

// assign puts the persons that a group names into it. The names are checked role by role before the numbers are.
func (m *membership) assign(index int, id string, group legislation.Data) error {
	holders := make([][]int, len(m.entity.Roles))
	for r, role := range m.entity.Roles {
		given, ok := group.Map.Get(roleName(role))
		if !ok {
			continue
		}
		persons, err := m.named(given, index, id, roleName(role))
		if err != nil {
			return err
		}
		holders[r] = persons
	}
	for r, role := range m.entity.Roles {
		if role.Max > 0 && len(holders[r]) > role.Max {
			return problem(textTooMany(role, roleName(role), id, len(holders[r])), m.entity.Plural, id, roleName(role))
		}
		for k, person := range holders[r] {
			m.roles[person] = role
			if len(role.Subroles) > 0 {
				m.roles[person] = role.Subroles[k]
			}
		}
	}
	return nil
}

// named reads the persons of a role: a name or a list of them; a number stands for its text.
func (m *membership) named(given legislation.Data, index int, id, role string) ([]int, error) {
	list := given.List
	if isName(given) {
		list = []legislation.Data{given}
	} else if given.Kind != legislation.List {
		return nil, problem(textType("Array"), m.entity.Plural, id, role)
	}
	persons := make([]int, len(list))
	for i, item := range list {
		if !isName(item) {
			return nil, problem(textType("String"), m.entity.Plural, id, role, position(i))
		}
		name := pythonText(item)
		person, ok := m.persons[name]
		if !ok {
			return nil, problem(textUnknownPerson(name, id, role, m.system.Person().Plural), m.entity.Plural, id, role)
		}
		if m.groupOf[person] >= 0 {
			return nil, problem(textTwice(name, m.entity.Plural), m.entity.Plural, id, role)
		}
		m.groupOf[person] = int32(index)
		persons[i] = person
	}
	return persons, nil
}

// isName tells whether a value can stand for a person: a text, or an integer for its text.
func isName(d legislation.Data) bool {
	_, text := d.Text()
	return text || isWhole(d)
}

// rest gives persons that no group names a group of their own, in the order of persons.
func (m *membership) rest() {
	for person, group := range m.groupOf {
		if group < 0 {
			m.groupOf[person] = int32(len(m.ids))
			m.roles[person] = m.entity.Flattened[0]
			m.ids = append(m.ids, m.spec.PersonIDs[person])
		}
	}
}

// addVariables reads what is known about one member.
func (p *entities) addVariables(e *legislation.Entity, id string, index, count int, member legislation.Data) error {
	for name, value := range member.Map.All() {
		if isRole(e, name) {
			continue
		}
		v, err := p.system.Lookup(name)
		if err != nil {
			return notFound(textUnknownVariable(name, p.system), e.Plural, id, name)
		}
		if v.Entity.Key != e.Key {
			return problem(textOtherEntity(v, e), e.Plural, id, name)
		}
		if value.Kind != legislation.Mapping {
			if p.byDefault == nil {
				return problem(textNoPeriod, e.Plural, id, name)
			}
			text := p.byDefault.String()
			if err := p.addValue(v, writtenPeriod{text, text, *p.byDefault}, id, index, count, value); err != nil {
				return err
			}
			continue
		}
		for text, dated := range value.Map.All() {
			at, err := p.period(text)
			if err != nil {
				return problem(textPeriod(text, err), e.Plural, id, name)
			}
			if err := p.addValue(v, at, id, index, count, dated); err != nil {
				return err
			}
		}
	}
	return nil
}

// fewPeriods is how many periods of a document are remembered: most have one or two.
const fewPeriods = 16

func (p *entities) period(text string) (writtenPeriod, error) {
	for _, w := range p.written {
		if w.text == text {
			return w, nil
		}
	}
	at, err := p.system.ParsePeriod(text)
	if err != nil {
		return writtenPeriod{}, err
	}
	w := writtenPeriod{text, at.String(), at}
	if len(p.written) < fewPeriods {
		p.written = append(p.written, w)
	}
	return w, nil
}

// addValue notes the value of one member. What others gave for the period is found by the period as it is written, and
// kept by its canonical text: as in the original, two members who write a period in the same unusual way do not add up,
// the later one counts, and a year from the middle of a month begins with that month.
func (p *entities) addValue(v *legislation.Variable, at writtenPeriod, id string, index, count int, value legislation.Data) error {
	if value.Kind == legislation.Null {
		return nil
	}
	path := []string{v.Entity.Plural, id, v.Name, at.text}
	cell, err := check(v, value, p.loose)
	if err != nil {
		return problem(err.Error(), path...)
	}
	k, seen := p.byKey[writtenKey{v, at.text}]
	if !seen {
		in := Input{Variable: v, Period: at.period, Path: path}
		if at.canonical != at.text {
			in.Path = path[:1] // all that the original finds again
			if in.Period, err = p.system.ParsePeriod(at.canonical); err != nil {
				return problem(textPeriod(at.canonical, err), path[:3]...)
			}
		}
		k = &known{Input: in, cells: slices.Repeat([]vector.Column{v.Default}, count)}
	}
	k.cells[index] = cell
	if seen {
		return nil
	}
	canonical := writtenKey{v, at.canonical}
	if old, ok := p.byKey[canonical]; ok {
		*old = *k
	} else {
		p.byKey[canonical] = k
		p.buffer = append(p.buffer, k)
	}
	return nil
}
