package population

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// What the columns of a file mean:
//
//	person_id                 the name of the person, shown in the output; without it persons are numbered from 1
//	household_id              the household that the person belongs to, for each group entity; without it, or where it
//	                          is empty, the person is alone
//	household_role            what the person is there; without it, or where it is empty, the entity's first role
//	salary                    a variable on the period of the job
//	salary:2017-01, salary@…  a variable on a period of its own
//
// with person and household standing for the keys of the entities. A variable of a group may be told on the row of any
// member, or of all of them.

// layout is the columns of a file and the variables to compute.
type layout struct {
	system   *legislation.System
	personID int // column, -1 for none
	groups   []grouping
	inputs   []input
	outputs  []output
	shown    int // of the outputs, the first ones: others are needed for the report
	tables   []table
	keep     []int // columns that are carried through
	analyst  analyst
	ignored  []string    // columns
	before   *rowsBefore // of a part, nil otherwise
}

// grouping is how persons are put into the groups of an entity.
type grouping struct {
	entity   *legislation.Entity
	id, role int // columns, -1 for none
	roles    map[string]*legislation.Role
	shown    bool // the names of its groups are part of the output
}

// input is a column of values.
type input struct {
	variable *legislation.Variable
	at       period.Period
	column   int
	name     string // of the column
}

// output is a variable to compute.
type output struct {
	variable *legislation.Variable
	at       period.Period
	how      how
	name     string // of the column
}

// how is the way in which a variable is computed for a period that may not be its own.
type how uint8

const (
	asDeclared how = iota
	summed
	divided
)

// table is the output for one entity.
type table struct {
	entity *legislation.Entity
	// ids names the columns that say who a row is about: the member, for persons their groups, and what is carried through.
	ids     []string
	outputs []int // of layout.outputs
}

// layout returns what a header and the variables that are asked for mean in a legislation.
func (j *Job) layout(system *legislation.System, header []string) (*layout, error) {
	l := &layout{system: system, personID: -1}
	if err := j.checkColumns(header); err != nil {
		return nil, err
	}
	if err := j.readHeader(l, header); err != nil {
		return nil, fmt.Errorf("%s: %w", j.Input, err)
	}
	if err := j.addOutputs(l); err != nil {
		return nil, err
	}
	if err := j.addAnalysis(l, header); err != nil {
		return nil, err
	}
	return l, j.checkNames(l)
}

// checkNames makes sure that no file of the output has two columns of the same name.
func (j *Job) checkNames(l *layout) error {
	for _, t := range l.tables {
		s := l.schema(t, j.Reform != nil)
		names := slices.Clone(s.IDs)
		for _, c := range s.Columns {
			names = append(names, c.Name)
		}
		for i, name := range names {
			if slices.Contains(names[:i], name) {
				return fmt.Errorf("the output for %s would have two columns %q: leave it out of %s or %s", t.entity.Plural, Shown(name), j.option("keep"), j.option("variables"))
			}
		}
	}
	return nil
}

func (j *Job) readHeader(l *layout, header []string) error {
	for _, e := range l.system.Entities() {
		if !e.IsPerson {
			l.groups = append(l.groups, grouping{entity: e, id: -1, role: -1, roles: rolesOf(e)})
		}
	}
	if err := checkHeader(j.Input, header); err != nil {
		return err
	}
	for i, name := range header {
		if err := j.column(l, i, name); err != nil {
			return fmt.Errorf("column %s: %w", quoted(name), err)
		}
	}
	for _, name := range j.Keep {
		l.keep = append(l.keep, slices.Index(header, name))
	}
	for _, g := range l.groups {
		if g.role >= 0 && g.id < 0 {
			return fmt.Errorf("column %q needs a column %s that says in which %s the role is held", header[g.role], idName(g.entity), g.entity.Key)
		}
	}
	return l.checkInputs()
}

// columns lists the columns that mean something.
func (l *layout) columns() []int {
	used := append([]int{l.personID, l.analyst.weight, l.analyst.scale}, l.analyst.by...)
	used = append(used, l.keep...)
	used = append(used, l.analyst.replicates...)
	for _, g := range l.groups {
		used = append(used, g.id, g.role)
	}
	for _, in := range l.inputs {
		used = append(used, in.column)
	}
	return slices.DeleteFunc(used, func(i int) bool { return i < 0 })
}

func idName(e *legislation.Entity) string   { return e.Key + "_id" }
func roleName(e *legislation.Entity) string { return e.Key + "_role" }

// column finds out what a column is.
func (j *Job) column(l *layout, i int, name string) error {
	if isIndex(name) {
		return nil
	}
	if name == idName(l.system.Person()) {
		l.personID = i
		return nil
	}
	for k, g := range l.groups {
		switch name {
		case idName(g.entity):
			l.groups[k].id = i
			return nil
		case roleName(g.entity):
			l.groups[k].role = i
			return nil
		}
	}
	bare, when, dated := cutPeriod(name)
	v, err := l.system.Lookup(bare)
	if err != nil {
		if j.carries(name) {
			return nil
		}
		if j.IgnoreUnknown {
			l.ignored = append(l.ignored, name)
			return nil
		}
		return j.unknown(bare)
	}
	at, err := inputPeriod(v, j.Period, when, dated)
	if err != nil {
		return err
	}
	l.inputs = append(l.inputs, input{v, at, i, name})
	return nil
}

// carries reports whether a column is there for the report or to be carried through, and need be no variable.
func (j *Job) carries(name string) bool {
	a := j.Analysis
	return slices.Contains(j.Keep, name) || slices.Contains(j.Extra, name) || a != nil && (name == a.Weight || name == a.Equivalence || slices.Contains(a.By, name) || a.Replication.is(name))
}

func (j *Job) unknown(name string) error {
	hint := meant(name, j.names())
	if hint == "" {
		hint = "."
	}
	return fmt.Errorf("there is no variable of that name in this legislation%s Drop the column, or leave unknown columns out with %s", hint, j.option("ignore-unknown"))
}

// names are the names that a column may have.
func (j *Job) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range j.System.Entities() {
			if !yield(idName(e)) || !e.IsPerson && !yield(roleName(e)) {
				return
			}
		}
		for _, v := range j.System.Variables() {
			if !yield(v.Name) {
				return
			}
		}
	}
}

func (l *layout) checkInputs() error {
	for i, in := range l.inputs {
		for _, before := range l.inputs[:i] {
			if in.variable == before.variable && in.at == before.at {
				return fmt.Errorf("columns %s and %s both give %s for %s: keep one", quoted(before.name), quoted(in.name), in.variable.Name, in.at)
			}
		}
	}
	// What is said of months is stored before what is said of their year, which then means the rest.
	slices.SortStableFunc(l.inputs, func(a, b input) int { return strings.Compare(a.at.SizeKey(), b.at.SizeKey()) })
	return nil
}

func (j *Job) addOutputs(l *layout) error {
	if len(j.Variables) == 0 {
		return fmt.Errorf("%s: no variable is asked for", j.option("variables"))
	}
	var all wrongs
	for _, name := range j.Variables {
		o, err := j.output(l.system, name)
		switch {
		case err != nil:
			all.add(fmt.Errorf("%s: %w", j.option("variables"), err))
		case slices.ContainsFunc(l.outputs, func(other output) bool { return other.name == o.name }):
			all.add(fmt.Errorf("%s: %s is requested twice: name it once", j.option("variables"), Shown(name)))
		default:
			l.outputs = append(l.outputs, o)
		}
	}
	if err := all.join(); err != nil {
		return err
	}
	l.shown = len(l.outputs)
	for _, e := range l.system.Entities() {
		t := table{entity: e, ids: []string{idName(e)}}
		for i, o := range l.outputs {
			if o.variable.Entity.Key == e.Key {
				t.outputs = append(t.outputs, i)
			}
		}
		if t.outputs == nil {
			continue
		}
		for i, g := range l.groups {
			if e.IsPerson && g.id >= 0 {
				t.ids = append(t.ids, idName(g.entity))
			}
			l.groups[i].shown = g.shown || e == g.entity || e.IsPerson && g.id >= 0
		}
		t.ids = append(t.ids, j.Keep...)
		l.tables = append(l.tables, t)
	}
	return nil
}
