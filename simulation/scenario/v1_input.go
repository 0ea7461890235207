package scenario

import (
	"fmt"
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// values reads what the members say about their variables.
func (r *reader) values() {
	for _, c := range r.s.entities {
		for i, p := range c.members {
			r.tick(i)
			for k, name := range p.doc.Map.Keys() {
				v, err := r.system.Lookup(name)
				if err != nil || v.Entity.Key != c.entity.Key || name == "id" && !c.keyed || isRole(c.entity, name) {
					continue // what is wrong with it, members has said
				}
				r.variable(c, i, v, p.doc.Map.Ref(k))
			}
		}
	}
}

// variable reads the value of one member: for the scenario's period, or by period.
func (r *reader) variable(c *roster, member int, v *legislation.Variable, value *legislation.Data) {
	in := Input{Variable: v, Period: r.s.Period, under: r.under, member: c.members[member].key}
	if value.Kind != legislation.Mapping {
		r.cell(len(c.members), member, in, value)
		return
	}
	for i, text := range value.Map.Keys() {
		at, err := parsePeriodText(text)
		if err != nil {
			r.refuse(err.Error(), "test_case", c.entity.Plural, in.member, v.Name, text)
			continue
		}
		in.Period, in.written = at, text
		r.cell(len(c.members), member, in, value.Map.Ref(i))
	}
}

// cell notes the value of one of the members of an entity.
func (r *reader) cell(members, member int, in Input, value *legislation.Data) {
	if value.Kind == legislation.Null {
		return
	}
	scalar, err := Convert(in.Variable, *value)
	if err != nil {
		r.note(Problem{Path: in.path(), Msg: err.Error()})
		return
	}
	r.put(members, member, in, scalar)
}

// put notes a value of a member.
func (r *reader) put(members, member int, in Input, scalar vector.Column) {
	if in.Variable.Period == period.Eternity {
		in.Period = period.Eternal
	}
	key := inputKey{in.Variable, in.Period}
	k := r.known.find(key)
	if k == nil {
		var err error
		if k, err = r.known.add(key, in, members); err != nil {
			panic(stopped{err})
		}
	}
	k.cells[member] = scalar
}

// suggest asks the legislation for values, and uses those that nobody gave.
func (r *reader) suggest() error {
	found, err := r.o.Suggest(r.s.normalized(), int(r.s.Period.Start.Year))
	if err != nil {
		return err
	}
	for _, suggestion := range found {
		for _, c := range r.s.entities {
			if c.entity.Plural != suggestion.Entity {
				continue
			}
			i := slices.IndexFunc(c.members, func(p *member) bool { return p.name() == pythonText(suggestion.ID) })
			v, err := r.system.Lookup(suggestion.Variable)
			if i < 0 || err != nil || v.Entity.Key != c.entity.Key {
				return fmt.Errorf("the legislation suggests %s for %s, which is not there", suggestion.Variable, pythonText(suggestion.ID))
			}
			scalar, err := Convert(v, suggestion.Value)
			if err != nil {
				return fmt.Errorf("the legislation suggests a wrong value for %s: %w", suggestion.Variable, err)
			}
			at, err := parsePeriodText(suggestion.Period)
			if err != nil {
				return fmt.Errorf("the legislation suggests %s for a wrong period: %w", suggestion.Variable, err)
			}
			r.put(len(c.members), i, Input{Variable: v, Period: at, under: r.under, member: c.members[i].key}, scalar)
			r.s.Suggestions = append(r.s.Suggestions, suggestion)
		}
	}
	return nil
}

// inputVariables reads variables as lists, one element per member. Everybody is alone in their groups, unless columns say
// otherwise.
func (r *reader) inputVariables(d legislation.Data) {
	s := r.s
	persons := r.personCount(d)
	r.hold(int64(persons) * rosterBytes)
	s.Situation.Spec = loners(persons)
	s.Situation.Spec.Groups = r.groups(d, persons)
	for name, value := range d.Map.All() {
		if r.isColumn(name) {
			continue
		}
		v, err := r.system.Lookup(name)
		if err != nil {
			var known []string
			for _, v := range r.system.Variables() {
				known = append(known, v.Name)
			}
			r.refuse("there is no such variable"+nearest(name, known), "input_variables", name)
			continue
		}
		count := s.Situation.count(v.Entity)
		if value.Kind != legislation.Mapping {
			r.inputColumn(v, s.Period, value, count, "input_variables", name)
			continue
		}
		for text, dated := range value.Map.All() {
			at, err := parsePeriodText(text)
			if err != nil {
				r.refuse(err.Error(), "input_variables", name, text)
				continue
			}
			r.inputColumn(v, at, dated, count, "input_variables", name, text)
		}
	}
}

// personCount is the length of the lists of persons: of the columns, else of the longest list, because whoever is alone is
// the only member of every group.
func (r *reader) personCount(d legislation.Data) int {
	count, columns := 1, 0
	each(d, func(name, _ string, value legislation.Data) {
		if value.Kind != legislation.List {
			return
		}
		count = max(count, len(value.List))
		if r.isColumn(name) {
			columns = max(columns, len(value.List))
		}
	})
	if columns > 0 {
		return columns
	}
	return count
}

// each visits the values of variables, with the period they are for, "" for the scenario's.
func each(d legislation.Data, visit func(name, at string, value legislation.Data)) {
	for name, value := range d.Map.All() {
		if value.Kind != legislation.Mapping {
			visit(name, "", value)
			continue
		}
		for at, dated := range value.Map.All() {
			visit(name, at, dated)
		}
	}
}

func (r *reader) inputColumn(v *legislation.Variable, at period.Period, value legislation.Data, count int, path ...string) {
	if value.Kind == legislation.Null {
		return
	}
	items := []legislation.Data{value}
	if value.Kind == legislation.List {
		items = value.List
	}
	if len(items) != count {
		r.refuse(fmt.Sprintf("Array has not the same length as other variables: %d instead of %d", len(items), count), path...)
		return
	}
	in := Input{Variable: v, Period: at, Path: append(slices.Clip(r.at), path...)}
	for i := range items {
		r.tick(i)
		if value.Kind == legislation.List {
			in.item = int32(i + 1)
		}
		r.cell(count, i, in, &items[i])
	}
}
