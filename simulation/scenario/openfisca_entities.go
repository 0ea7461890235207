package scenario

import (
	"slices"

	"edict/platform/heap"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

// entities reads the form with members by id. The first problem ends it, in the order in which the original looks for
// them. Nothing of the situation that it makes is among what it uses again.
type entities struct {
	system    *legislation.System
	byDefault *period.Period
	loose     loose
	spec      engine.Spec
	persons   *legislation.Ordered[legislation.Data]

	ids     heap.Slab[string]            // of the spec
	groupOf heap.Slab[int32]             // of the spec
	roles   heap.Slab[*legislation.Role] // of the spec
	known   inputTable[writtenKey]
	written []writtenPeriod
	holders []int32 // persons that a group names, role by role
	ends    []int   // in holders, by role
}

// writtenKey tells what is known apart by periods as they are written.
type writtenKey struct {
	variable *legislation.Variable
	at       string
}

// writtenPeriod is a period of a document, which is read once however often it is written.
type writtenPeriod struct {
	text, canonical string
	period          period.Period
}

func (w *Workspace) parseEntities(system *legislation.System, doc legislation.Data, byDefault *period.Period, loose loose, memory *heap.Share) (*Situation, error) {
	if doc.Kind != legislation.Mapping {
		return nil, problem(textType("Object"), "error")
	}
	if !all(doc, func(key string) bool { return key == "axes" || system.EntityByPlural(key) != nil }) {
		return nil, unknownKeys(system, doc)
	}
	p, s := &w.entities, &w.situation
	if s.System != nil {
		s = new(Situation) // one is in use
	}
	if s.Spec.Groups == nil {
		s.Spec.Groups = make(map[string]engine.Groups, len(system.Entities()))
	}
	defer p.reset()
	p.system, p.byDefault, p.loose, p.spec.Groups, p.known.memory = system, byDefault, loose, s.Spec.Groups, memory
	if err := p.people(doc); err != nil {
		return nil, err
	}
	s.System, s.Spec, s.Inputs = system, p.spec, p.known.appendInputs(s.Inputs, system)
	s.sort(s.Inputs)
	if axes, ok := doc.Get("axes"); ok {
		return s, s.parseAxes(axes, byDefault)
	}
	return s, nil
}

// reset makes the reader ready for another document.
func (p *entities) reset() {
	*p = entities{known: p.known.emptied(), written: emptied(p.written), holders: emptied(p.holders), ends: emptied(p.ends)}
}

func (p *entities) people(doc legislation.Data) error {
	person := p.system.Person()
	members, _ := doc.Map.Get(person.Plural)
	if members.Kind == legislation.Null || !truth(members) {
		return problem(textNobody(person), person.Plural)
	}
	if members.Kind != legislation.Mapping {
		return problem(textType("Object"), person.Plural)
	}
	p.persons = members.Map
	if err := p.known.memory.Take(int64(members.Map.Len()) * memberBytes); err != nil {
		return err
	}
	if err := p.addPersons(person); err != nil {
		return err
	}
	kinds := p.system.Entities()
	memberships := p.spec.Persons * (len(kinds) - 1)
	p.groupOf.Next, p.roles.Next = memberships, memberships
	_, axes := doc.Get("axes")
	for _, e := range kinds {
		if e.IsPerson {
			continue
		}
		groups, ok := doc.Get(e.Plural)
		switch {
		case ok:
			if err := p.addGroups(e, groups); err != nil {
				return err
			}
		case p.system.OneGroup():
			p.spec.Groups[e.Key] = p.oneGroup(e)
		case axes:
			return problem(textAxesNeed(e), e.Plural)
		default:
			p.spec.Groups[e.Key] = p.ownGroups()
		}
	}
	return nil
}

// memberBytes is what a person takes: ids, groups and roles.
const memberBytes = 128

// ownGroups gives every person a group of its own, of the same name.
func (p *entities) ownGroups() engine.Groups {
	g := engine.Groups{Count: p.spec.Persons, IDs: p.spec.PersonIDs, GroupOf: p.groupOf.Take(p.spec.Persons)}
	for i := range g.GroupOf {
		g.GroupOf[i] = int32(i)
	}
	return g
}

// oneGroup puts everybody into one group, named as its entity.
func (p *entities) oneGroup(e *legislation.Entity) engine.Groups {
	g := engine.Groups{Count: 1, IDs: p.ids.Copy([]string{e.Key}), GroupOf: p.groupOf.Take(p.spec.Persons)}
	clear(g.GroupOf)
	return g
}

func (p *entities) addPersons(e *legislation.Entity) error {
	ids := p.ids.Copy(p.persons.Keys())
	p.spec.Persons, p.spec.PersonIDs = len(ids), ids
	for i, id := range ids {
		member := p.persons.Ref(i)
		if member.Kind != legislation.Mapping {
			return problem(textType("Object"), e.Plural, id)
		}
		if err := p.addVariables(e, id, i, len(ids), member.Map); err != nil {
			return err
		}
	}
	return nil
}

func (p *entities) addGroups(e *legislation.Entity, groups legislation.Data) error {
	if groups.Kind != legislation.Mapping {
		return problem(textType("Object"), e.Plural)
	}
	ids, n := groups.Map.Keys(), p.spec.Persons
	m := membership{entities: p, entity: e, groupOf: p.groupOf.Take(n), roles: p.roles.Take(n)}
	for i := range m.groupOf {
		m.groupOf[i] = -1
	}
	for i, id := range ids {
		group := groups.Map.Ref(i)
		if group.Kind != legislation.Mapping {
			return problem(textType("Object"), e.Plural, id)
		}
		if err := m.assign(i, id, group.Map); err != nil {
			return err
		}
		if err := p.addVariables(e, id, i, len(ids), group.Map); err != nil {
			return err
		}
	}
	all := m.rest(ids)
	p.spec.Groups[e.Key] = engine.Groups{Count: len(all), IDs: all, GroupOf: m.groupOf, Roles: m.roles}
	return nil
}

// membership collects who belongs to the groups of one entity.
type membership struct {
	*entities
	entity  *legislation.Entity
	groupOf []int32 // -1 for persons who are in none yet
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
func (m *membership) assign(index int, id string, group *legislation.Ordered[legislation.Data]) error {
	m.holders, m.ends = m.holders[:0], m.ends[:0]
	for _, role := range m.entity.Roles {
		if at := group.Index(roleName(role)); at >= 0 {
			if err := m.named(group.Ref(at), index, id, roleName(role)); err != nil {
				return err
			}
		}
		m.ends = append(m.ends, len(m.holders))
	}
	from := 0
	for r, role := range m.entity.Roles {
		persons := m.holders[from:m.ends[r]]
		from = m.ends[r]
		if role.Max > 0 && len(persons) > role.Max {
			return problem(textTooMany(role, roleName(role), id, len(persons)), m.entity.Plural, id, roleName(role))
		}
		for k, person := range persons {
			m.roles[person] = role
			if len(role.Subroles) > 0 {
				m.roles[person] = role.Subroles[k]
			}
		}
	}
	return nil
}

// named adds the persons of a role to the holders: a name or a list of them; a number stands for its text.
func (m *membership) named(given *legislation.Data, index int, id, role string) error {
	if isName(given) {
		return m.name(given, index, id, role)
	}
	if given.Kind != legislation.List {
		return problem(textType("Array"), m.entity.Plural, id, role)
	}
	for i := range given.List {
		item := &given.List[i]
		if !isName(item) {
			return problem(textType("String"), m.entity.Plural, id, role, position(i))
		}
		if err := m.name(item, index, id, role); err != nil {
			return err
		}
	}
	return nil
}

func (m *membership) name(item *legislation.Data, index int, id, role string) error {
	name := pythonText(*item)
	person := m.persons.Index(name)
	if person < 0 {
		return problem(textUnknownPerson(name, id, role, m.system.Person().Plural, m.persons.Keys()), m.entity.Plural, id, role)
	}
	if m.groupOf[person] >= 0 {
		return problem(textTwice(name, m.entity.Plural), m.entity.Plural, id, role)
	}
	m.groupOf[person] = int32(index)
	m.holders = append(m.holders, int32(person))
	return nil
}

// isName reports whether a value can stand for a person: a text, or an integer for its text.
func isName(d *legislation.Data) bool {
	_, text := d.Text()
	return text || isWhole(*d)
}

// rest gives persons that no group names a group of their own, in the order of persons, and returns all the names.
func (m *membership) rest(ids []string) []string {
	alone := 0
	for _, group := range m.groupOf {
		if group < 0 {
			alone++
		}
	}
	all := m.ids.Take(len(ids) + alone)
	at := copy(all, ids)
	for person, group := range m.groupOf {
		if group < 0 {
			m.groupOf[person] = int32(at)
			m.roles[person] = m.entity.Flattened[0]
			all[at] = m.spec.PersonIDs[person]
			at++
		}
	}
	return all
}

// addVariables reads what is known about one member.
func (p *entities) addVariables(e *legislation.Entity, id string, index, count int, member *legislation.Ordered[legislation.Data]) error {
	for i, name := range member.Keys() {
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
		value := member.Ref(i)
		if value.Kind == legislation.Mapping {
			err = p.addDated(v, id, index, count, value.Map)
		} else if p.byDefault != nil {
			text := p.byDefault.String()
			err = p.addValue(v, writtenPeriod{text, text, *p.byDefault}, id, index, count, value)
		} else {
			err = problem(textNoPeriod, e.Plural, id, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addDated reads the values of a variable by period.
func (p *entities) addDated(v *legislation.Variable, id string, index, count int, values *legislation.Ordered[legislation.Data]) error {
	for i, text := range values.Keys() {
		at, err := p.period(text)
		if err != nil {
			return problem(textPeriod(text, err), v.Entity.Plural, id, v.Name)
		}
		if err := p.addValue(v, at, id, index, count, values.Ref(i)); err != nil {
			return err
		}
	}
	return nil
}

// fewPeriods is how many periods of a document are remembered: most have one or two.
const fewPeriods = 16

func (p *entities) period(text string) (writtenPeriod, error) {
	for i := range p.written {
		if p.written[i].text == text {
			return p.written[i], nil
		}
	}
	at, err := p.system.ParsePeriod(text)
	if err != nil {
		return writtenPeriod{}, err
	}
	w := writtenPeriod{text, text, at}
	var room [32]byte
	if canonical := at.Append(room[:0]); string(canonical) != text {
		w.canonical = string(canonical)
	}
	if len(p.written) < fewPeriods {
		p.written = append(p.written, w)
	}
	return w, nil
}

// addValue notes the value of one member. What others gave for the period is found by the period as it is written, and
// kept by its canonical text: as in the original, two members who write a period in the same unusual way do not add up,
// the later one counts, and a year from the middle of a month begins with that month.
func (p *entities) addValue(v *legislation.Variable, at writtenPeriod, id string, index, count int, value *legislation.Data) error {
	if value.Kind == legislation.Null {
		return nil
	}
	cell, err := check(v, *value, p.loose)
	if err != nil {
		return problem(err.Error(), v.Entity.Plural, id, v.Name, at.text)
	}
	if v.Type == legislation.Int && !p.system.Wide() && int64(int32(cell.Int(0))) != cell.Int(0) {
		return problem(textTooLarge(v, pythonText(*value)), v.Entity.Plural, id, v.Name, at.text)
	}
	if k := p.known.find(writtenKey{v, at.text}); k != nil {
		k.cells[index] = cell
		return nil
	}
	in := Input{Variable: v, Period: at.period, member: id, written: at.text}
	if at.canonical != at.text {
		in.Path = []string{v.Entity.Plural} // all that the original finds again
		if in.Period, err = p.system.ParsePeriod(at.canonical); err != nil {
			return problem(textPeriod(at.canonical, err), v.Entity.Plural, id, v.Name)
		}
	}
	k, err := p.known.add(writtenKey{v, at.canonical}, in, count)
	if err != nil {
		return err
	}
	k.cells[index] = cell
	return nil
}
