package country

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/numpy"
	"edict/simulation/vector"
)

// populationObject is the first argument of a formula, and everything reached from it:
// person("salary", period), household.members, person.household.first_parent.
type populationObject struct {
	run    *run
	pop    legislation.Population
	moving legislation.MovingPopulation // the same one, if its simulation carries results from month to month
	attrs  map[string]py.Value          // projections and bound methods that were asked for
}

// Type implements pyeval.Object.
func (o *populationObject) Type() *py.Class {
	_, projected := o.pop.(legislation.Projector)
	switch person := o.pop.Entity().IsPerson; {
	case person && projected:
		return projectedClass
	case person:
		return populationClass
	case projected:
		return projectedGroupClass
	}
	return groupPopulationClass
}

// keywords leaves out those that populations took, and ignored, before OpenFisca-Core 31.
func (r *run) keywords(kws []py.Kw) []py.Kw {
	if !r.core.options.LastValues {
		return kws
	}
	known := []string{"variable_name", "period", "options"}
	return slices.DeleteFunc(slices.Clone(kws), func(kw py.Kw) bool { return !slices.Contains(known, kw.Name) })
}

// Call is population(name, period=None, options=None).
func (o *populationObject) Call(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	name, at, options := py.None, py.None, py.None
	if len(args) == 2 && len(kws) == 0 {
		name, at = args[0], args[1]
	} else {
		th.Unpack("population", args, o.run.keywords(kws), "variable_name", &name, "period?", &at, "options?", &options)
	}
	text, ok := name.AsString()
	if !ok {
		th.Raise(py.TypeError, "the name of a variable must be a text, not %s", py.TypeName(name))
	}
	on, along := o.entry(th, &at, text)
	how := optionOf(th, options)
	v, err := o.run.sim.System().Lookup(text)
	raiseIf(th, err)
	if sum, ok := o.ofMembers(th, v, on, how, along); ok {
		return sum
	}
	return o.calculate(th, v.ID, on, how, along)
}

// CallSite is Call where the name is written in the source: its number is found once.
func (o *populationObject) CallSite(th *py.Thread, site *py.Site, args []py.Value, kws []py.Kw) py.Value {
	number, ok := site.Number()
	if !ok {
		number = int(o.run.core.names.Variable(site.Name))
		site.KeepNumber(number)
	}
	id := legislation.VariableID(number)
	var at *py.Value
	options := &py.None
	switch {
	case len(kws) == 0 && len(args) == 2:
		at = &args[1]
	case len(kws) == 0 && len(args) == 3:
		at, options = &args[1], &args[2]
	case len(kws) == 1 && len(args) == 2 && kws[0].Name == "options":
		at, options = &args[1], &kws[0].Value
	default:
		var name py.Value
		period, how := py.None, py.None
		th.Unpack("population", args, o.run.keywords(kws), "variable_name", &name, "period?", &period, "options?", &how)
		at, options = &period, &how
	}
	on, along := o.entry(th, at, site.Name)
	how := legislation.Plain
	if options != &py.None {
		how = optionOf(th, *options)
	}
	if o.run.core.policy {
		if sum, ok := o.ofMembers(th, o.run.sim.System().Variable(id), on, how, along); ok {
			return sum
		}
	}
	return o.calculate(th, id, on, how, along)
}

// calculate asks for a variable on a period, which may move along with the formula's.
func (o *populationObject) calculate(th *py.Thread, id legislation.VariableID, on *period.Entry, how legislation.Option, along bool) py.Value {
	var c vector.Column
	var err error
	if along && o.moving != nil {
		c, err = o.moving.CalculateAlong(id, on, how)
	} else {
		c, err = o.pop.Calculate(id, on, how)
	}
	if err == nil && c.IsArray() {
		return py.Raw(c)
	}
	return columnOf(th, c, err)
}

// entry makes a period of the simulation of whatever a formula gives, and reports whether it moves along with the formula's.
func (o *populationObject) entry(th *py.Thread, at *py.Value, name string) (on *period.Entry, along bool) {
	switch e := at.Object().(type) {
	case *movingPeriod:
		return (*period.Entry)(e), true
	case *entryObject:
		return (*period.Entry)(e), false
	}
	if at.IsNone() {
		th.Raise(py.ValueError, "variable '%s' is asked for without a period: give one, as in %s('%s', period)", name, o.pop.Entity().Key, name)
	}
	return o.run.sim.Periods().Intern(toPeriod(th, *at)), false
}

// HashKey implements pyeval.Hasher: a function that remembers what it gave for a population need not ask again.
func (o *populationObject) HashKey(th *py.Thread) any {
	runOf(th).watch.only(legislation.Nowhere)
	return o
}

// optionOf reads options=[ADD] and its like. What is not a list of options has no meaning: packages
// are known to pass the parameters here.
func optionOf(th *py.Thread, v py.Value) legislation.Option {
	if v.IsNone() {
		return legislation.Plain
	}
	var items []py.Value
	switch o := v.Object().(type) {
	case *py.List:
		items = o.Items()
	case *py.Tuple:
		items = o.Items()
	case py.Str:
		items = []py.Value{v}
	}
	add, divide := false, false
	for i := range items {
		text, _ := items[i].AsString()
		add, divide = add || text == "add", divide || text == "divide"
	}
	switch {
	case add && divide:
		th.Raise(py.ValueError, "Options config.ADD and config.DIVIDE are incompatible")
	case add:
		return legislation.Add
	case divide:
		return legislation.Divide
	}
	return legislation.Plain
}

// Attr implements pyeval.Attrer.
func (o *populationObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	if v, ok := o.attrs[name]; ok {
		return v, true
	}
	if v, ok := boundMethod(o, name); ok {
		o.attrs[name] = v
		return v, true
	}
	if p, ok := o.pop.Shortcut(name); ok {
		v := py.Obj(o.run.population(p))
		o.attrs[name] = v
		return v, true
	}
	return o.property(th, name)
}

// Method implements pyeval.Methoder.
func (o *populationObject) Method(name string) py.MethodFunc { return populationMethods[name] }

func (o *populationObject) property(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "count":
		return th.RowCount(o.pop.Count()), true
	case "entity":
		return py.Obj(&entityObject{o.pop.Entity()}), true
	case "ids":
		th.NeedsAll("the names of all members")
		items := make([]py.Value, len(o.pop.IDs()))
		for i, id := range o.pop.IDs() {
			items[i] = py.String(id)
		}
		return py.Obj(py.NewList(items)), true
	case "members":
		p, ok := o.pop.Members()
		if !ok {
			return py.Value{}, false
		}
		v := py.Obj(o.run.population(p))
		o.attrs[name] = v
		return v, true
	case "members_entity_id":
		th.NeedsAll("members_entity_id")
		return py.Col(o.pop.MembersEntityID()), true
	case "members_position":
		return py.Col(o.pop.MembersPosition()), true
	case "reference_entity", "transform_and_bubble_up":
		if projector, ok := o.pop.(legislation.Projector); ok {
			return o.projectorAttr(projector, name), true
		}
	case "_holders":
		if o.run.core.policy {
			return py.Obj(o.holders(th)), true
		}
	case "simulation":
		runOf(th).watch.only(legislation.SameState)
		return py.Obj(o.run.object()), true
	}
	return py.Value{}, false
}

// projectorAttr is what projectors have besides populations: the population behind, and what is computed of that for those in front.
func (o *populationObject) projectorAttr(p legislation.Projector, name string) py.Value {
	if name == "reference_entity" {
		return py.Obj(o.run.ofEntity(p.Entity()))
	}
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var result py.Value
		th.Unpack(name, args, kws, "result", &result)
		c, err := p.Up(toColumn(th, result))
		return columnOf(th, c, err)
	})
}

// AttrNames implements pyeval.AttrLister, for hints.
func (o *populationObject) AttrNames(*py.Thread) []string {
	names := []string{"count", "entity", "ids", "members", "simulation"}
	for name := range populationMethods {
		names = append(names, name)
	}
	for _, e := range o.pop.Simulation().System().Entities() {
		names = append(names, e.Key)
		for _, r := range e.Flattened {
			names = append(names, r.Key)
		}
	}
	return names
}

// Repr implements pyeval.Reprer.
func (o *populationObject) Repr(*py.Thread) string {
	return "<population of " + o.pop.Entity().Plural + ">"
}

type populationMethod func(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value

var populationMethods = methodsOf(func(f populationMethod) py.MethodFunc {
	return func(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
		return f(th, self.(*populationObject), args, kws)
	}
}, map[string]populationMethod{
	"all": aggregate("all", legislation.Population.All),
	"any": aggregate("any", legislation.Population.Any),
	"empty_array": func(_ *py.Thread, o *populationObject, _ []py.Value, _ []py.Kw) py.Value {
		return py.Col(o.pop.EmptyArray())
	},
	"filled_array":            populationFilled,
	"get_holder":              populationHolder,
	"get_rank":                populationRank,
	"has_role":                populationHasRole,
	"max":                     aggregate("max", legislation.Population.Max),
	"min":                     aggregate("min", legislation.Population.Min),
	"nb_persons":              populationCount,
	"project":                 aggregate("project", legislation.Population.Project),
	"reduce":                  populationReduce,
	"sum":                     aggregate("sum", legislation.Population.Sum),
	"value_from_first_person": populationFirst,
	"value_from_partner":      populationPartner,
	"value_from_person":       populationFrom,
	"value_nth_person":        populationNth,
})

// aggregate is a method (array, role=None).
func aggregate(name string, f func(legislation.Population, vector.Column, *legislation.Role) (vector.Column, error)) populationMethod {
	return func(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
		array, role := py.None, py.None
		if len(kws) == 0 && len(args) == 1 {
			array = args[0]
		} else {
			th.Unpack(name, args, kws, "array", &array, "role?", &role)
		}
		c, err := f(o.pop, toColumn(th, array), roleOf(th, role))
		return columnOf(th, c, err)
	}
}

func populationHasRole(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	var role py.Value
	th.Unpack("has_role", args, kws, "role", &role)
	c, err := o.pop.HasRole(roleOf(th, role))
	return columnOf(th, c, err)
}

func populationCount(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	role := py.None
	th.Unpack("nb_persons", args, kws, "role?", &role)
	c, err := o.pop.NbPersons(roleOf(th, role))
	return columnOf(th, c, err)
}

func populationFilled(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	value, dtype := py.None, py.None
	th.Unpack("filled_array", args, kws, "value", &value, "dtype?", &dtype)
	var one vector.Column
	if m, ok := value.Object().(*member); ok {
		one = toColumn(th, py.Obj(m))
	} else {
		one = numpy.Element(th, value)
	}
	c, err := o.pop.FilledArray(one)
	if err != nil || dtype.IsNone() {
		return columnOf(th, c, err)
	}
	astype, _ := th.Attr(py.Col(c), "astype")
	return th.Invoke(astype, dtype)
}

func populationHolder(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	var name string
	th.Unpack("get_holder", args, kws, "variable_name", &name)
	h, err := o.pop.Holder(name)
	if err != nil {
		throw(th, err)
	}
	return py.Obj(&holderObject{o.run, h})
}

// populationRank is get_rank(entity, criteria, condition=True).
func populationRank(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	group, criteria, condition := py.None, py.None, py.True
	th.Unpack("get_rank", args, kws, "entity", &group, "criteria", &criteria, "condition?", &condition)
	g, ok := group.Object().(*populationObject)
	if !ok {
		th.Raise(py.TypeError, "get_rank needs a population such as person.household, not %s", py.TypeName(group))
	}
	if _, ok := condition.Object().(*populationObject); ok {
		condition = py.True // as numpy takes every object that is no list
	}
	c, err := o.pop.Rank(g.pop, toColumn(th, criteria), toColumn(th, condition))
	return columnOf(th, c, err)
}

// populationReduce is reduce(array, reducer, neutral_element, role=None).
func populationReduce(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	array, reducer, neutral, role := py.None, py.None, py.None, py.None
	th.Unpack("reduce", args, kws, "array", &array, "reducer", &reducer, "neutral_element", &neutral, "role?", &role)
	step := func(sofar, next vector.Column) (vector.Column, error) {
		return toColumn(th, th.Invoke(reducer, py.Col(sofar), py.Col(next))), nil
	}
	c, err := o.pop.Reduce(toColumn(th, array), step, toColumn(th, neutral), roleOf(th, role))
	return columnOf(th, c, err)
}

func populationFirst(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	var array py.Value
	th.Unpack("value_from_first_person", args, kws, "array", &array)
	c, err := o.pop.ValueFromFirstPerson(toColumn(th, array))
	return columnOf(th, c, err)
}

func populationFrom(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	array, role, otherwise := py.None, py.None, py.Int(0)
	th.Unpack("value_from_person", args, kws, "array", &array, "role", &role, "default?", &otherwise)
	c, err := o.pop.ValueFromPerson(toColumn(th, array), roleOf(th, role), toColumn(th, otherwise))
	return columnOf(th, c, err)
}

func populationNth(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	n, array, otherwise := 0, py.None, py.Int(0)
	th.Unpack("value_nth_person", args, kws, "n", &n, "array", &array, "default?", &otherwise)
	c, err := o.pop.ValueNthPerson(n, toColumn(th, array), toColumn(th, otherwise))
	return columnOf(th, c, err)
}

// populationPartner is value_from_partner(array, entity, role).
func populationPartner(th *py.Thread, o *populationObject, args []py.Value, kws []py.Kw) py.Value {
	var array, group, role py.Value
	th.Unpack("value_from_partner", args, kws, "array", &array, "entity", &group, "role", &role)
	g, ok := group.Object().(*populationObject)
	if !ok {
		th.Raise(py.TypeError, "value_from_partner needs a population such as person.household, not %s", py.TypeName(group))
	}
	c, err := o.pop.ValueFromPartner(toColumn(th, array), g.pop, roleOf(th, role))
	return columnOf(th, c, err)
}
