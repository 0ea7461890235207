package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// values reads what the members say about their variables.
func (r *reader) values() {
	for _, c := range r.s.entities {
		for i, p := range c.members {
			for name, value := range p.doc.Map.All() {
				v, err := r.system.Lookup(name)
				if err != nil || name == "id" && !c.keyed || isRole(c.entity, name) {
					continue
				}
				r.variable(c, i, v, value, "test_case", c.entity.Plural, p.key, name)
			}
		}
	}
}

// variable reads the value of one member: for the scenario's period, or by period.
func (r *reader) variable(c *cast, member int, v *legislation.Variable, value legislation.Data, path ...string) {
	if value.Kind != legislation.Mapping {
		r.cell(c, member, v, r.s.Period, value, path)
		return
	}
	for text, dated := range value.Map.All() {
		path := append(slices.Clone(path), text)
		at, err := ParsePeriod(legislation.DataOf(vector.PyStr(text)))
		if err != nil {
			r.refuse(err.Error(), path...)
			continue
		}
		r.cell(c, member, v, at, dated, path)
	}
}

func (r *reader) cell(c *cast, member int, v *legislation.Variable, at period.Period, value legislation.Data, path []string) {
	if value.Kind == legislation.Null {
		return
	}
	scalar, err := Convert(v, value)
	if err != nil {
		r.refuse(err.Error(), path...)
		return
	}
	r.put(c, member, v, at, scalar, path)
}

// put notes a value of a member; the others have the default until they say otherwise.
func (r *reader) put(c *cast, member int, v *legislation.Variable, at period.Period, scalar vector.Column, path []string) {
	if v.Period == period.Eternity {
		at = period.Eternal
	}
	key := inputKey{v, at}
	k, ok := r.s.known[key]
	if !ok {
		k = &known{Input: Input{Variable: v, Period: at, Path: append(slices.Clone(r.at), path...)}}
		for range c.members {
			k.cells = append(k.cells, v.Default)
		}
		r.s.known[key] = k
		r.s.order = append(r.s.order, key)
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
			i := slices.IndexFunc(c.members, func(p *player) bool { return p.name() == pythonText(suggestion.ID) })
			v, err := r.system.Lookup(suggestion.Variable)
			if i < 0 || err != nil {
				return fmt.Errorf("the legislation suggests %s for %s, which is not there", suggestion.Variable, pythonText(suggestion.ID))
			}
			scalar, err := Convert(v, suggestion.Value)
			if err != nil {
				return fmt.Errorf("the legislation suggests a wrong value for %s: %w", suggestion.Variable, err)
			}
			at, err := ParsePeriod(legislation.DataOf(vector.PyStr(suggestion.Period)))
			if err != nil {
				return fmt.Errorf("the legislation suggests %s for a wrong period: %w", suggestion.Variable, err)
			}
			r.put(c, i, v, at, scalar, []string{"test_case", c.entity.Plural, c.members[i].key, v.Name})
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
			at, err := ParsePeriod(legislation.DataOf(vector.PyStr(text)))
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
	lonely := &cast{entity: v.Entity, members: make([]*player, count)}
	for i, item := range items {
		where := path
		if value.Kind == legislation.List {
			where = append(slices.Clone(path), strconv.Itoa(i))
		}
		r.cell(lonely, i, v, at, item, where)
	}
}
