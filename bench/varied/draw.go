package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// drawer makes random but plausible requests for a legislation: entities and roles give the households; types, names and
// periods of variables without formulas the inputs.
type drawer struct {
	system   *legislation.System
	r        *rand.Rand
	from, to int
	ages     []*legislation.Variable // given for each person: dates of birth
	inputs   []*legislation.Variable
	asked    []*legislation.Variable
}

// form is a request without its numbers.
type form struct {
	adults, kids int
	year         int
	inputs       []dated
	questions    []dated
}

// dated is a variable on a period.
type dated struct {
	*legislation.Variable
	when string
}

var (
	birth = regexp.MustCompile(`(?i)birth|naissance`)
	age   = regexp.MustCompile(`(?i)^age($|_)`)
	minor = regexp.MustCompile(`(?i)enf|child|depend|charge`)
)

func newDrawer(system *legislation.System, r *rand.Rand, from, to int) *drawer {
	d := &drawer{system: system, r: r, from: from, to: to}
	for _, v := range system.Variables() {
		switch {
		case len(v.Formulas) > 0:
			d.asked = append(d.asked, v)
		case birth.MatchString(v.Name):
			d.ages = append(d.ages, v)
		case v.Type != legislation.String:
			d.inputs = append(d.inputs, v)
		}
	}
	return d
}

// askOnly makes the requests ask for these variables and no others.
func (d *drawer) askOnly(names []string) error {
	d.asked = nil
	for _, name := range names {
		v, err := d.system.Lookup(name)
		if err != nil {
			return err
		}
		d.asked = append(d.asked, v)
	}
	return nil
}

// form draws a household's shape, what is known of it and what is asked.
func (d *drawer) form() form {
	f := form{adults: 1 + d.r.IntN(2), kids: max(0, d.r.IntN(5)-1), year: d.from + d.r.IntN(d.to-d.from+1)}
	known := slices.Clone(d.ages)
	for range 3 + d.r.IntN(12) {
		known = append(known, d.inputs[d.r.IntN(len(d.inputs))])
	}
	for _, v := range known {
		f.inputs = append(f.inputs, dated{v, d.given(v, f.year)})
	}
	for range 1 + d.r.IntN(2) {
		v := d.asked[d.r.IntN(len(d.asked))]
		f.questions = append(f.questions, dated{v, d.within(v, f.year)})
	}
	return f
}

// given is a period that an input is given for: a whole year now and then, if the variable spreads it.
func (d *drawer) given(v *legislation.Variable, year int) string {
	if v.Period == period.Eternity {
		return "ETERNITY"
	}
	if v.Input != 0 && d.r.IntN(10) < 6 {
		return fmt.Sprint(year)
	}
	return d.within(v, year)
}

// within is a period of a variable in a year.
func (d *drawer) within(v *legislation.Variable, year int) string {
	switch v.Period {
	case period.Month:
		return fmt.Sprintf("%d-%02d", year, 1+d.r.IntN(12))
	case period.Day:
		return fmt.Sprintf("%d-%02d-%02d", year, 1+d.r.IntN(12), 1+d.r.IntN(28))
	}
	return fmt.Sprint(year)
}

// member holds the variables of a person or a group.
type member map[string]any

// fill makes a request of a form, with other numbers each time.
func (d *drawer) fill(f form) []byte {
	document := make(map[string]map[string]member)
	var people []string
	for i := range f.adults + f.kids {
		people = append(people, fmt.Sprint("p", i))
	}
	for _, e := range d.system.Entities() {
		members := make(map[string]member)
		if e.IsPerson {
			for _, p := range people {
				members[p] = member{}
			}
		} else {
			members["g"] = gather(e, people, f.adults)
		}
		document[e.Plural] = members
	}
	for _, in := range f.inputs {
		d.put(document[in.Entity.Plural], in, people, f)
	}
	for _, q := range f.questions {
		for _, m := range document[q.Entity.Plural] {
			add(m, q, nil)
		}
	}
	text, err := json.Marshal(document)
	if err != nil {
		panic(err) // maps, texts and numbers only
	}
	return text
}

// gather puts all persons into one group: adults into the first role with room, the others into one for children.
func gather(e *legislation.Entity, people []string, adults int) member {
	group := member{}
	for i, p := range people {
		for _, role := range e.Roles {
			key, room := role.Plural, role.Max
			if key == "" {
				key = role.Key
			}
			if len(role.Subroles) > 0 {
				room = len(role.Subroles)
			}
			held, _ := group[key].([]string)
			if len(e.Roles) > 1 && (i >= adults) != minor.MatchString(role.Key) || room > 0 && len(held) >= room {
				continue
			}
			group[key] = append(held, p)
			break
		}
	}
	return group
}

// put gives an input to its members. All persons have dates of birth and ages; few children have other inputs.
func (d *drawer) put(members map[string]member, in dated, people []string, f form) {
	if !in.Entity.IsPerson {
		add(members["g"], in, d.value(in, false, f.year))
		return
	}
	for i, p := range people {
		kid := i >= f.adults
		if kid && in.Type != legislation.Date && !age.MatchString(in.Name) && d.r.IntN(10) < 8 {
			continue
		}
		add(members[p], in, d.value(in, kid, f.year))
	}
}

// add gives a member a value, nil for a question, unless it has one.
func add(m member, v dated, value any) {
	periods, ok := m[v.Name].(member)
	if !ok {
		periods = member{}
		m[v.Name] = periods
	}
	if _, known := periods[v.when]; !known {
		periods[v.when] = value
	}
}

// value draws a value of the type of a variable.
func (d *drawer) value(v dated, kid bool, year int) any {
	years := 18 + d.r.IntN(70)
	if kid {
		years = d.r.IntN(18)
	}
	switch {
	case age.MatchString(v.Name):
		return years
	case v.Type == legislation.EnumType:
		return v.Enum.Domain.Members[d.r.IntN(v.Enum.Len())]
	case v.Type == legislation.Bool:
		return d.r.IntN(4) == 0
	case v.Type == legislation.Date:
		if !birth.MatchString(v.Name) {
			years = d.r.IntN(12)
		}
		return fmt.Sprintf("%d-%02d-%02d", year-years, 1+d.r.IntN(12), 1+d.r.IntN(28))
	case v.Type == legislation.Int:
		return [...]int{0, 1, 2, 3, 12, 40, 1000, 20000}[d.r.IntN(8)]
	}
	amount := [...]float64{0, 1, 1, 2, 4, 10}[d.r.IntN(6)] * d.r.Float64() * 900
	if len(v.when) == len("2022") {
		amount *= 12
	}
	return float64(int(amount*100)) / 100
}
