package engine

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// expr is a formula of the recorded cases: a list whose head is the operation. generate.py evaluates the same trees.
type expr []json.RawMessage

var rules = &vector.Rules{Objects: memberMath{}}

var binaryOps = map[string]vector.Op{"+": vector.Add, "-": vector.Subtract, "*": vector.Multiply, "/": vector.Divide,
	"max": vector.Maximum, "min": vector.Minimum, ">": vector.Greater, "==": vector.Equal}

func (e expr) sub(i int) expr {
	var s expr
	if err := json.Unmarshal(e[i], &s); err != nil {
		panic(err)
	}
	return s
}

func (e expr) chain(i int, p legislation.Population) (legislation.Population, error) {
	var steps []string
	if err := json.Unmarshal(e[i], &steps); err != nil {
		return nil, err
	}
	for _, step := range steps {
		next, ok := p.Shortcut(step)
		if !ok {
			return nil, fmt.Errorf("no shortcut %s", step)
		}
		p = next
	}
	return p, nil
}

func (e expr) role(i int, p legislation.Population) *legislation.Role {
	for _, entity := range p.Simulation().System().Entities() {
		if role := entity.Role(str(e[i])); role != nil {
			return role
		}
	}
	return nil
}

// on evaluates a part on the persons of a group.
func (e expr) on(i int, p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	persons, _ := p.Members()
	return e.sub(i).Eval(persons, at, law)
}

// EvalRepeatable tells that the trees are functions of their answers.
func (e expr) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	c, err := e.Eval(p, at, law)
	return c, legislation.Validity{Where: legislation.SameAnswers}, err
}

func (e expr) Eval(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	var none vector.Column
	op := str(e[0])
	if binary, ok := binaryOps[op]; ok {
		a, err := e.sub(1).Eval(p, at, law)
		if err != nil {
			return none, err
		}
		b, err := e.sub(2).Eval(p, at, law)
		if err != nil {
			return none, err
		}
		return rules.Binary(binary, a, b)
	}
	switch op {
	case "c":
		return scalarOf(e[1]), nil
	case "none":
		return none, legislation.ErrNoValue
	case "members":
		return e.on(1, p, at, law)
	case "p", "scale":
		return e.parameter(p, at, law)
	case "clone":
		return e.clone(p, at)
	case "v", "agg", "nb", "has_role", "rank", "from_person", "nth", "project", "partner":
		return e.population(p, at, law)
	case "known":
		h, err := p.Holder(str(e[1]))
		if err != nil {
			return none, err
		}
		return rules.Binary(vector.Add, p.EmptyArray(), vector.PyInt(int64(len(h.KnownPeriods()))))
	}
	return e.other(p, at, law)
}

// clone asks a clone of the simulation, in which another variable has a given value.
func (e expr) clone(p legislation.Population, at *period.Entry) (vector.Column, error) {
	var none vector.Column
	sim := p.Simulation().Clone()
	v, err := sim.System().Lookup(str(e[1]))
	if err != nil {
		return none, err
	}
	h, err := sim.Holder(v.ID)
	if err != nil {
		return none, err
	}
	if string(e[4]) == "true" {
		if err := h.Delete(at); err != nil {
			return none, err
		}
	}
	if err := sim.SetInput(v.ID, at, vector.Const(p.Count(), float32(scalarOf(e[2]).Float(0)))); err != nil {
		return none, err
	}
	asked, err := sim.System().Lookup(str(e[3]))
	if err != nil {
		return none, err
	}
	return sim.Calculate(asked.ID, at, legislation.Plain)
}

func (e expr) other(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	values := make([]vector.Column, len(e))
	for i := 1; i < len(e); i++ {
		var err error
		if values[i], err = e.sub(i).Eval(p, at, law); err != nil {
			return values[i], err
		}
	}
	switch str(e[0]) {
	case "where":
		return rules.Where(values[1], values[2], values[3])
	case "enum":
		return rules.Where(values[1], vector.PyObject(member(1)), vector.PyObject(member(0)))
	case "is":
		codes, err := rules.Cast(values[1], vector.DType{Type: vector.Int16})
		if err != nil {
			return codes, err
		}
		return rules.Binary(vector.Equal, codes, vector.PyInt(1))
	case "year":
		years, err := rules.Cast(values[1], vector.DType{Type: vector.Date, Unit: vector.Year})
		if err == nil {
			years, err = rules.Cast(years, vector.DType{Type: vector.Int64})
		}
		if err != nil {
			return years, err
		}
		return rules.Binary(vector.Add, years, vector.PyInt(1970))
	}
	return vector.Column{}, fmt.Errorf("unknown operation %s", e[0])
}

func (e expr) parameter(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	view, err := law.During(at)
	if err != nil {
		return vector.Column{}, err
	}
	value, err := view.Lookup(p.Simulation().System().Names().Path(strings.Split(str(e[1]), ".")...))
	if err != nil {
		return vector.Column{}, err
	}
	if str(e[0]) == "p" {
		law.Record(str(e[1]), view.Day(), *value.Leaf)
		return value.Leaf.Scalar, nil
	}
	base, err := e.sub(2).Eval(p, at, law)
	if err != nil {
		return base, err
	}
	return value.Scale.Calc(base, legislation.CalcOptions{})
}

func (e expr) population(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	switch str(e[0]) {
	case "v":
		asked, err := e.chain(1, p)
		if err != nil {
			return vector.Column{}, err
		}
		when, err := move(at, str(e[3]))
		if err != nil {
			return vector.Column{}, err
		}
		how := map[string]legislation.Option{"add": legislation.Add, "divide": legislation.Divide}[str(e[4])]
		return byName(asked, str(e[2]), when, how)
	case "nb", "has_role":
		asked, err := e.chain(1, p)
		if err != nil {
			return vector.Column{}, err
		}
		if str(e[0]) == "nb" {
			return asked.NbPersons(e.role(2, p))
		}
		return asked.HasRole(e.role(2, p))
	case "agg":
		return e.aggregate(p, at, law)
	}
	return e.place(p, at, law)
}

func (e expr) aggregate(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	group, err := e.chain(1, p)
	if err != nil {
		return vector.Column{}, err
	}
	c, err := e.on(3, group, at, law)
	if err != nil {
		return c, err
	}
	role := e.role(4, p)
	switch str(e[2]) {
	case "sum":
		return group.Sum(c, role)
	case "any":
		return group.Any(c, role)
	case "all":
		return group.All(c, role)
	case "min":
		return group.Min(c, role)
	}
	return group.Max(c, role)
}

func (e expr) place(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	switch str(e[0]) {
	case "rank":
		group, _ := p.Shortcut(str(e[1]))
		criteria, err := e.sub(2).Eval(p, at, law)
		if err != nil {
			return criteria, err
		}
		condition, err := e.sub(3).Eval(p, at, law)
		if err != nil {
			return condition, err
		}
		return p.Rank(group, criteria, condition)
	case "from_person":
		c, err := e.on(1, p, at, law)
		if err != nil {
			return c, err
		}
		return p.ValueFromPerson(c, e.role(2, p), vector.PyInt(0))
	case "nth":
		c, err := e.on(2, p, at, law)
		if err != nil {
			return c, err
		}
		n, _ := strconv.Atoi(string(e[1]))
		return p.ValueNthPerson(n, c, scalarOf(e[3]))
	case "project":
		group, _ := p.Simulation().Population(str(e[1]))
		c, err := e.sub(2).Eval(group, at, law)
		if err != nil {
			return c, err
		}
		return group.Project(c, e.role(3, p))
	}
	c, err := e.sub(1).Eval(p, at, law)
	if err != nil {
		return c, err
	}
	family, _ := p.Shortcut("family")
	return p.ValueFromPartner(c, family, p.Simulation().System().Entity("family").Role("parent"))
}

func move(at *period.Entry, op string) (*period.Entry, error) {
	steps := map[string]func(*period.Entry) (*period.Entry, error){
		"last_month": (*period.Entry).LastMonth, "this_year": (*period.Entry).ThisYear, "first_month": (*period.Entry).FirstMonth,
		"last_year": (*period.Entry).LastYear, "n_2": (*period.Entry).N2, "last_3_months": (*period.Entry).Last3Months,
		"first_day": (*period.Entry).FirstDay, "first_week": (*period.Entry).FirstWeek, "last_week": (*period.Entry).LastWeek,
		"period": func(e *period.Entry) (*period.Entry, error) { return e, nil },
	}
	for step := range strings.SplitSeq(op, ".") {
		var err error
		if n, ok := strings.CutPrefix(step, "offset"); ok {
			count, _ := strconv.Atoi(n)
			at, err = at.Offset(count, at.Unit)
		} else {
			at, err = steps[step](at)
		}
		if err != nil {
			return nil, err
		}
	}
	return at, nil
}

// member is a member of Zone as an object, as a formula may return it.
type member int

func (m member) EnumMember() (*vector.Domain, int) { return zone.Domain, int(m) }

// memberMath does what little arithmetic objects need here.
type memberMath struct{}

func (memberMath) Box(scalar vector.Column) any { return scalar.Object(0) }
func (memberMath) Unbox(v any) vector.Column    { return vector.PyObject(v) }
func (memberMath) Binary(vector.Op, any, any) (any, error) {
	return nil, fmt.Errorf("no arithmetic with objects")
}
func (memberMath) Unary(vector.Op, any) (any, error) {
	return nil, fmt.Errorf("no arithmetic with objects")
}
func (memberMath) Truth(any) (bool, error)      { return true, nil }
func (memberMath) Format(v any) (string, error) { return fmt.Sprint(v), nil }
