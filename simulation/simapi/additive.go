package simapi

import (
	"fmt"
	"slices"
	"strings"

	"edict/simulation/decomposition"
	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// Formulas that only add are read from their text, without being run: what they add and subtract, for which rows and on
// which period. Each expression means something ([meaning]); what means nothing that is known here ends the reading where
// the sum needs it, and not before.

// term is a variable that a formula adds or subtracts.
type term struct {
	name  string
	minus bool
	hop   decomposition.Hop
	of    *legislation.Entity // the formula asks it for a variable of this entity
}

// meaning is what an expression stands for. One of its kinds is set, or why.
type meaning struct {
	population *rowset               // household, household.members, person.family
	terms      []term                // a sum, not nil
	shifts     []decomposition.Shift // period, period.last_month; not nil
	role       *legislation.Role     // Household.PARENT
	mask       *legislation.Role     // person.has_role(…): 1 for who has it, 0 for others
	text       *string

	members bool   // of terms and mask: there is one for each person in the formula's group, not one for each row of the formula
	why     string // what stands there instead
}

// rowset is a population: the steps that lead to it from the rows of the formula.
type rowset struct {
	entity  *legislation.Entity
	steps   []decomposition.Step
	members bool // what is asked here is answered for each person in the formula's group
}

const (
	// maxTerms bounds the terms of a formula: names that stand for sums of names can multiply.
	maxTerms = 1000
	// maxShown bounds the text of a formula in a reason.
	maxShown = 100
)

// addition reads the text of a formula from top to bottom.
type addition struct {
	system *legislation.System
	entity *legislation.Entity
	names  map[string]meaning
	lines  int // that were read, loops counted
}

// termsOf are the terms that a formula of an entity returns the sum of. Without any, why says what it does besides adding
// and subtracting variables.
func termsOf(system *legislation.System, entity *legislation.Entity, def *pysyntax.FunctionDef) (terms []term, why string) {
	if def.Params == nil || len(def.Params.Args) < 2 || len(def.Decorators) > 0 {
		return nil, "it is not a plain function"
	}
	a := addition{system: system, entity: entity, names: map[string]meaning{
		def.Params.Args[0].Name: {population: &rowset{entity: entity}},
		def.Params.Args[1].Name: {shifts: []decomposition.Shift{}},
	}}
	returned, why := a.block(def.Body)
	switch {
	case why != "":
		return nil, why
	case returned == nil:
		return nil, "it returns nothing"
	case len(returned.terms) > 0 && !returned.members:
		return returned.terms, ""
	case returned.why != "":
		return nil, returned.why
	}
	return nil, "its result is no sum of variables"
}

// block reads statements up to the one that returns; nil if none does.
func (a *addition) block(body []pysyntax.Stmt) (returned *meaning, why string) {
	for _, stmt := range body {
		if a.lines++; a.lines > maxTerms {
			return nil, "it is long"
		}
		switch s := stmt.(type) {
		case *pysyntax.Assign:
			why = a.assign(s)
		case *pysyntax.AugAssign:
			why = a.change(s)
		case *pysyntax.ExprStmt:
			if _, text := s.Value.(*pysyntax.Constant); !text {
				why = unread(s.Value)
			}
		case *pysyntax.For:
			why = a.loop(s)
		case *pysyntax.Return:
			if s.Value == nil {
				return nil, ""
			}
			m := a.read(s.Value)
			return &m, ""
		case *pysyntax.If:
			why = "it goes two ways: if " + shortened(pysyntax.Text(s.Test))
		default:
			why = fmt.Sprintf("its line %d does something else", stmt.Position().Line)
		}
		if why != "" {
			return nil, why
		}
	}
	return nil, ""
}

// unread says that nothing is known of an expression.
func unread(e pysyntax.Expr) string { return shortened(pysyntax.Text(e)) }

func shortened(text string) string {
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return text
}

// assign notes what a name stands for; it refuses an assignment that may change a value under another name.
func (a *addition) assign(s *pysyntax.Assign) (why string) {
	value := a.read(s.Value)
	for _, target := range s.Targets {
		switch target := target.(type) {
		case *pysyntax.Name:
			a.names[target.ID] = value
		case *pysyntax.Tuple:
			for _, e := range target.Elts {
				name, ok := e.(*pysyntax.Name)
				if !ok {
					return unread(target)
				}
				a.names[name.ID] = meaning{why: unread(s.Value)}
			}
		default:
			return "it changes " + unread(target)
		}
	}
	return ""
}

// change reads x += y.
func (a *addition) change(s *pysyntax.AugAssign) (why string) {
	name, ok := s.Target.(*pysyntax.Name)
	if !ok {
		return "it changes " + unread(s.Target)
	}
	a.names[name.ID] = a.binary(&pysyntax.Binary{Pos: s.Pos, Op: s.Op, Left: s.Target, Right: s.Value})
	return ""
}

// loop reads a loop over texts, such as names of variables, one after the other.
func (a *addition) loop(s *pysyntax.For) (why string) {
	target, ok := s.Target.(*pysyntax.Name)
	var items []pysyntax.Expr
	switch l := s.Iter.(type) {
	case *pysyntax.List:
		items = l.Elts
	case *pysyntax.Tuple:
		items = l.Elts
	}
	if !ok || len(items) == 0 || len(items) > maxTerms || len(s.Else) > 0 {
		return "it loops over " + unread(s.Iter)
	}
	for _, item := range items {
		m := a.read(item)
		if m.text == nil {
			return "it loops over " + unread(s.Iter)
		}
		a.names[target.ID] = m
		if returned, why := a.block(s.Body); why != "" || returned != nil {
			return "it loops over " + unread(s.Iter)
		}
	}
	return ""
}

// read tells what an expression means.
func (a *addition) read(e pysyntax.Expr) meaning {
	var m meaning
	switch e := e.(type) {
	case *pysyntax.Constant:
		m = constantMeaning(e)
	case *pysyntax.Name:
		m = a.names[e.ID]
	case *pysyntax.Unary:
		if m = a.read(e.Operand); m.terms == nil || e.Op != pysyntax.UAdd && e.Op != pysyntax.USub {
			return meaning{why: reason(m, e)}
		}
		m.terms = signed(m.terms, e.Op == pysyntax.USub)
	case *pysyntax.Binary:
		m = a.binary(e)
	case *pysyntax.Attribute:
		m = a.attribute(e)
	case *pysyntax.Call:
		m = a.call(e)
	}
	if m.isNothing() && m.why == "" {
		m.why = unread(e)
	}
	return m
}

func (m *meaning) isNothing() bool {
	return m.population == nil && m.terms == nil && m.shifts == nil && m.role == nil && m.mask == nil && m.text == nil
}

// reason is why a whole is no sum: the part that is none, or the whole if the part is known.
func reason(part meaning, whole pysyntax.Expr) string {
	if part.why != "" {
		return part.why
	}
	return unread(whole)
}

func constantMeaning(e *pysyntax.Constant) meaning {
	switch v := e.Value.(type) {
	case string:
		return meaning{text: &v}
	case int64:
		if v == 0 {
			return meaning{terms: []term{}}
		}
	case float64:
		if v == 0 {
			return meaning{terms: []term{}}
		}
	}
	return meaning{}
}

func (a *addition) binary(e *pysyntax.Binary) meaning {
	left, right := a.read(e.Left), a.read(e.Right)
	switch {
	case e.Op == pysyntax.Add || e.Op == pysyntax.Sub:
		if left.terms == nil || right.terms == nil {
			if left.terms == nil {
				return meaning{why: reason(left, e)}
			}
			return meaning{why: reason(right, e)}
		}
		return joined(left, meaning{terms: signed(right.terms, e.Op == pysyntax.Sub), members: right.members}, e)
	case e.Op == pysyntax.Mult && left.terms != nil && right.mask != nil:
		return masked(left, right, e)
	case e.Op == pysyntax.Mult && left.mask != nil && right.terms != nil:
		return masked(right, left, e)
	}
	return meaning{why: unread(e)}
}

// joined is a sum of two sums for the same rows; 0 is one for all rows.
func joined(left, right meaning, e pysyntax.Expr) meaning {
	if len(left.terms) > 0 && len(right.terms) > 0 && left.members != right.members || len(left.terms)+len(right.terms) > maxTerms {
		return meaning{why: unread(e)}
	}
	// Clipped: left may be what a name stands for, and stay so.
	return meaning{terms: append(slices.Clip(left.terms), right.terms...), members: left.members || right.members}
}

// signed returns the terms with the other sign, if they are subtracted.
func signed(terms []term, minus bool) []term {
	if !minus {
		return terms
	}
	out := make([]term, len(terms))
	for i, t := range terms {
		t.minus = !t.minus
		out[i] = t
	}
	return out
}

// masked is a sum for those persons that have a role.
func masked(sum, mask meaning, e pysyntax.Expr) meaning {
	if sum.members != mask.members && len(sum.terms) > 0 {
		return meaning{why: unread(e)}
	}
	return meaning{terms: keep(sum.terms, mask.mask, sum.members), members: sum.members}
}

// keep inserts a role into the steps of terms, after the one that leads to the members if there is one.
func keep(terms []term, role *legislation.Role, members bool) []term {
	at := 0
	if members {
		at = 1
	}
	out := make([]term, len(terms))
	for i, t := range terms {
		t.hop.Steps = slices.Insert(slices.Clone(t.hop.Steps), at, decomposition.Step{Role: role})
		out[i] = t
	}
	return out
}

// attribute reads household.members, person.family, family.first_parent, period.last_month and Household.PARENT.
func (a *addition) attribute(e *pysyntax.Attribute) meaning {
	if name, ok := e.Value.(*pysyntax.Name); ok && a.isFree(name.ID) {
		return meaning{role: a.role(name.ID, e.Attr)}
	}
	of := a.read(e.Value)
	if shift := decomposition.Shifts[e.Attr]; of.shifts != nil && shift != nil {
		return meaning{shifts: append(slices.Clip(of.shifts), shift)}
	}
	if of.population == nil {
		return meaning{why: reason(of, e)}
	}
	return meaning{population: of.population.attribute(a.system, e.Attr)}
}

func (a *addition) isFree(name string) bool { _, bound := a.names[name]; return !bound }

// role finds FoyerFiscal.DECLARANT: a class is named as its entity is, but for underscores and capitals.
func (a *addition) role(class, constant string) *legislation.Role {
	for _, e := range a.system.Entities() {
		if strings.EqualFold(class, strings.ReplaceAll(e.Key, "_", "")) {
			return e.Constant(constant)
		}
	}
	return nil
}

// attribute is the population that an attribute of one is, nil if it is none.
func (p *rowset) attribute(system *legislation.System, name string) *rowset {
	onward := func(entity *legislation.Entity, steps ...decomposition.Step) *rowset {
		return &rowset{entity: entity, steps: append(slices.Clip(p.steps), steps...), members: p.members}
	}
	if p.entity.IsPerson {
		for _, e := range system.Entities() {
			if e.Key == name && !e.IsPerson {
				return onward(e, decomposition.Step{Group: e})
			}
		}
		return nil
	}
	members := decomposition.Step{Members: p.entity}
	if name == "members" && p.isOwn() {
		out := onward(system.Person(), members)
		out.members = true
		return out
	}
	if role := p.entity.UniqueRole(name); role != nil {
		return onward(system.Person(), members, decomposition.Step{Role: role})
	}
	return nil
}

// isOwn tells whether it is the population that the formula is for.
func (p *rowset) isOwn() bool { return !p.members && len(p.steps) == 0 }

// call reads what is asked of a population: a variable, a sum over members, whether somebody has a role.
func (a *addition) call(e *pysyntax.Call) meaning {
	if method, ok := e.Func.(*pysyntax.Attribute); ok {
		of := a.read(method.Value)
		switch {
		case of.population == nil:
		case method.Attr == "sum" || method.Attr == "value_from_person":
			return a.sum(e, of.population, method.Attr == "sum")
		case method.Attr == "has_role":
			return a.hasRole(e, of.population)
		}
	}
	of := a.read(e.Func)
	if of.population == nil {
		return meaning{why: unread(e)}
	}
	return a.variable(e, of.population)
}

// sum reads household.sum(…), over all members or those with a role, and the value of the one person with a role.
func (a *addition) sum(e *pysyntax.Call, of *rowset, optional bool) meaning {
	args, ok := arguments(e, "array", "role")
	if !ok || args[0] == nil || args[1] == nil && !optional || !of.isOwn() {
		return meaning{why: unread(e)}
	}
	summed := a.read(args[0])
	if summed.terms == nil || !summed.members {
		return meaning{why: reason(summed, e)}
	}
	terms := summed.terms
	if args[1] != nil {
		role := a.read(args[1]).role
		if role == nil {
			return meaning{why: unread(e)}
		}
		terms = keep(terms, role, true)
	}
	return meaning{terms: terms}
}

func (a *addition) hasRole(e *pysyntax.Call, of *rowset) meaning {
	args, ok := arguments(e, "role")
	if !ok || args[0] == nil || !of.entity.IsPerson || len(of.steps) > 1 || len(of.steps) == 1 && !of.members {
		return meaning{why: unread(e)}
	}
	return meaning{mask: a.read(args[0]).role, members: of.members}
}

// variable reads household("rent", period), with options or without.
func (a *addition) variable(e *pysyntax.Call, of *rowset) meaning {
	args, ok := arguments(e, "variable_name", "period", "options")
	if !ok || args[0] == nil || args[1] == nil {
		return meaning{why: unread(e)}
	}
	name, at := a.read(args[0]), a.read(args[1])
	t := term{of: of.entity, hop: decomposition.Hop{Shifts: at.shifts, Steps: of.steps}}
	if args[2] != nil {
		t.hop.How, ok = a.option(args[2])
	}
	if !ok || name.text == nil || at.shifts == nil {
		return meaning{why: unread(e)}
	}
	t.name = *name.text
	return meaning{terms: []term{t}, members: of.members}
}

// arguments puts the arguments of a call in the order of its parameters; false if it has others.
func arguments(e *pysyntax.Call, params ...string) ([]pysyntax.Expr, bool) {
	out := make([]pysyntax.Expr, len(params))
	if len(e.Args) > len(params) {
		return nil, false
	}
	copy(out, e.Args)
	for _, k := range e.Keywords {
		i := slices.Index(params, k.Name)
		if i < 0 || out[i] != nil {
			return nil, false
		}
		out[i] = k.Value
	}
	return out, true
}

// option reads [ADD] or [DIVIDE].
func (a *addition) option(e pysyntax.Expr) (legislation.Option, bool) {
	if l, ok := e.(*pysyntax.List); ok && len(l.Elts) == 1 {
		e = l.Elts[0]
	}
	name := ""
	switch e := e.(type) {
	case *pysyntax.Name:
		if a.isFree(e.ID) {
			name = e.ID
		}
	case *pysyntax.Attribute:
		name = e.Attr
	}
	switch name {
	case "ADD":
		return legislation.Add, true
	case "DIVIDE":
		return legislation.Divide, true
	}
	return legislation.Plain, false
}
