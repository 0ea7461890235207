package country

import (
	"fmt"
	"slices"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/policyengine"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// What PolicyEngine's packages have beyond OpenFisca's. A package speaks that dialect once it imports policyengine_core.

// policyTable is what module _edict has for policyengine_core.
func (c *core) policyTable() py.Table {
	return py.Table{
		"add_values":          py.Func("add_values", addValues),
		"items_with":          py.Pure("items_with", c.itemsWith),
		"is_variable":         py.Pure("is_variable", isVariable),
		"mapped":              py.Pure("mapped", mappedVariable),
		"parameter_paths":     py.Pure("parameter_paths", c.parameterPaths),
		"parameters_with":     py.Pure("parameters_with", c.parametersWith),
		"policyengine":        py.Func("policyengine", c.policyEngine),
		"setting":             py.Pure("setting", c.setting),
		"spread":              py.Func("spread", c.spread),
		"uprate":              py.Func("uprate", c.uprate),
		"variable_population": py.Pure("variable_population", variablePopulation),
		"visit_with":          py.Pure("visit_with", c.visitWith),
	}
}

// policyEngine chooses the dialect: numpy 2's arithmetic and the attributes that variables may have.
func (c *core) policyEngine(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
	c.policy = true
	c.options.NEP50, c.program.NEP50 = true, true
	th.Rules().NEP50 = true
	return py.None
}

// made is the system of a package: PolicyEngine's packages make one when they are imported, where its class is.
func (c *core) made(th *py.Thread, class py.Value) py.Value {
	if of, ok := class.Object().(*py.Class); ok && c.policy {
		if m := c.program.Module(of.Module); m != nil {
			system, _ := m.Get("system")
			if i, ok := system.Object().(*py.Instance); ok && i.Type() == of {
				return system
			}
		}
	}
	return th.Invoke(class)
}

// profile says how the formulas of the package compute.
func (c *core) profile(wide bool) legislation.Profile {
	p := legislation.Profile{Wide: wide || c.options.Wide, LenientPeriods: c.options.LenientPeriods || c.policy, Rules: &vector.Rules{NEP50: c.options.NEP50}, Language: c}
	if c.policy {
		p.Unprepared = policyengine.Remedy(c.sources[0].Name, "")
		p.Converts, p.OneGroup, p.SpiralLoops, p.TestMargin = true, true, 10, 1e-3
	}
	return p
}

// policyAttributes are the attributes that variables of PolicyEngine have besides the others.
var policyAttributes = map[string]func(*definitionReader, py.Value){
	"adds":                              func(r *definitionReader, v py.Value) { r.adds = v },
	"category":                          ignored,
	"defined_for":                       (*definitionReader).definedFor,
	"exhaustive_parameter_dependencies": ignored,
	"hidden_input":                      ignored,
	"index_in_module":                   ignored,
	"max_value":                         ignored,
	"metadata":                          ignored,
	"min_value":                         ignored,
	"module_name":                       ignored,
	"quantity_type":                     (*definitionReader).quantity,
	"reference":                         (*definitionReader).anyReference,
	"requires_computation_after":        ignored,
	"subtracts":                         func(r *definitionReader, v py.Value) { r.subtracts = v },
	"uprating":                          func(r *definitionReader, v py.Value) { r.def.Uprating = r.text("uprating", v) },
}

// ignored is an attribute for other programs, or one that changes no value.
func ignored(*definitionReader, py.Value) {}

// definedFor reads the name of a variable, or a member of an enumeration whose value is one.
func (r *definitionReader) definedFor(v py.Value) {
	if m, ok := v.Object().(*member); ok {
		v, _ = r.th.Attr(py.Obj(m), "value")
	}
	r.def.DefinedFor = r.text("defined_for", v)
}

func (r *definitionReader) quantity(v py.Value) {
	kind := r.text("quantity_type", v)
	if kind != "stock" && kind != "flow" {
		r.fail("quantity_type must be stock or flow, not %s", r.th.Repr(v))
	}
	stock := kind == "stock"
	r.def.Stock = &stock
}

// anyReference reads addresses, with or without titles.
func (r *definitionReader) anyReference(v py.Value) {
	switch o := v.Object().(type) {
	case *py.Dict:
		if href, ok := o.Get("href"); ok {
			r.anyReference(href)
		}
	case *py.List:
		for _, item := range o.Items() {
			r.anyReference(item)
		}
	case *py.Tuple:
		for _, item := range o.Items() {
			r.anyReference(item)
		}
	default:
		r.def.References = append(r.def.References, r.text("reference", v))
	}
}

// policy completes a definition by the rules of PolicyEngine: a number is a flow, what has another type or no unit is a stock;
// inputs for longer periods are divided or repeated accordingly; sums are formulas.
func (r *definitionReader) policy() {
	d := &r.def
	if d.Stock == nil && d.Type != legislation.NoType {
		stock := d.Type != legislation.Float || d.Unit == "/1"
		d.Stock = &stock
	}
	switch {
	case d.Period != nil && (*d.Period == period.Day || *d.Period == period.Eternity):
		d.Input, d.CustomInput = legislation.AsGiven, nil
	case d.Input == legislation.AsGiven && d.Stock != nil:
		d.Input = legislation.DivideEqual
		if *d.Stock {
			d.Input = legislation.Dispatch
		}
	}
	if r.core.carries && d.Output == legislation.AsDefined {
		rule := legislation.LatestInput
		d.Missing = &rule
	}
	if r.adds.Object() != nil || r.subtracts.Object() != nil {
		r.sum()
	}
}

// sum gives a variable with adds or subtracts its formula, unless it has one of its own.
func (r *definitionReader) sum() {
	if slices.ContainsFunc(r.def.Formulas, func(f legislation.NamedFormula) bool { return f.Name == "formula" }) {
		r.fail("it has a formula, and adds or subtracts: one of them is enough")
	}
	m, err := r.th.Import("policyengine_core.commons.formulas")
	if err != nil {
		r.th.Throw(err)
	}
	maker, _ := m.Get("_added")
	terms := func(v py.Value) py.Value {
		if v.Object() == nil {
			return py.None
		}
		return v
	}
	fn := r.th.Invoke(maker, terms(r.adds), terms(r.subtracts)).Object().(*py.Function)
	r.def.Formulas = append(r.def.Formulas, legislation.NamedFormula{Name: "formula", Formula: &formula{fn, 3}, Source: r.def.Source})
}

// asked reads the population that a function was given, and the name of a variable.
func asked(th *py.Thread, v py.Value) *populationObject {
	o, ok := v.Object().(*populationObject)
	if !ok {
		th.Raise(py.TypeError, "expected a population, not %s", py.TypeName(v))
	}
	return o
}

func isVariable(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var population py.Value
	var name string
	th.Unpack("is_variable", args, kws, "population", &population, "name", &name)
	_, err := asked(th, population).run.sim.System().Lookup(name)
	return py.Bool(err == nil)
}

// variablePopulation is the population whose variable a name is.
func variablePopulation(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var population py.Value
	var name string
	th.Unpack("variable_population", args, kws, "population", &population, "name", &name)
	o := asked(th, population)
	v, err := o.run.sim.System().Lookup(name)
	raiseIf(th, err)
	return py.Obj(o.run.ofEntity(v.Entity))
}

// ofEntity is the population of an entity.
func (r *run) ofEntity(e *legislation.Entity) *populationObject {
	p, _ := r.sim.Population(e.Key)
	return r.population(p)
}

// mappedVariable is a variable of whatever entity for the members of a population: those of persons summed by group, that of
// a group for each of its persons, that of a group for another shared among its persons.
func mappedVariable(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var population, at py.Value
	var name string
	th.Unpack("mapped", args, kws, "population", &population, "name", &name, "period", &at)
	o := asked(th, population)
	v, err := o.run.sim.System().Lookup(name)
	raiseIf(th, err)
	from := o.run.ofEntity(v.Entity)
	on, along := o.entry(th, &at, name)
	value := from.calculate(th, v.ID, on, legislation.Plain, along)
	return mapTo(th, value, from, o)
}

// mapTo gives the values of one population to another.
func mapTo(th *py.Thread, value py.Value, from, to *populationObject) py.Value {
	call := func(o *populationObject, name string, args ...py.Value) py.Value {
		return populationMethods[name](th, o, args, nil)
	}
	a, b := from.pop.Entity(), to.pop.Entity()
	switch {
	case a.Key == b.Key:
		return value
	case a.IsPerson:
		return call(to, "sum", value)
	case b.IsPerson:
		return call(from, "project", value)
	}
	return call(to, "sum", from.shared(th, value))
}

// shared gives each person an equal share of what its group has.
func (o *populationObject) shared(th *py.Thread, value py.Value) py.Value {
	persons := populationMethods["nb_persons"](th, o, nil, nil)
	c, err := th.Rules().Binary(vector.Divide, toColumn(th, value), toColumn(th, persons))
	return populationMethods["project"](th, o, []py.Value{columnOf(th, c, err)}, nil)
}

// ofMembers asks the persons for their variable and sums it by group, as PolicyEngine's groups do; false if it is no variable of
// persons or the population no group.
func (o *populationObject) ofMembers(th *py.Thread, v *legislation.Variable, on *period.Entry, how legislation.Option, along bool) (py.Value, bool) {
	if !o.run.core.policy || v == nil || !v.Entity.IsPerson || o.pop.Entity().IsPerson {
		return py.Value{}, false
	}
	persons := o.run.ofEntity(v.Entity)
	c, err := o.pop.Sum(toColumn(th, persons.calculate(th, v.ID, on, how, along)), nil)
	return columnOf(th, c, err), true
}

// addValues is add_values(parameter, [(start, value), …]): the values of days that have one already come after it.
func addValues(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var parameter, list py.Value
	th.Unpack("add_values", args, kws, "parameter", &parameter, "values", &list)
	o, ok := parameter.Object().(*parameterObject)
	leaf, isLeaf := (*legislation.Parameter)(nil), false
	if ok {
		leaf, isLeaf = o.item.(*legislation.Parameter)
	}
	if !isLeaf {
		th.Raise(py.TypeError, "expected a Parameter, got %s", py.TypeName(parameter))
	}
	o.mayChange(th)
	o.sync(th)
	o.values = nil
	values := slices.Clip(leaf.Values) // they may be those of a copy, too
	th.Each(list, func(v py.Value) bool {
		pair, ok := v.Object().(*py.Tuple)
		if !ok || len(pair.Items()) != 2 {
			th.Raise(py.TypeError, "expected a day and a value, got %s", th.Repr(v))
		}
		values = append(values, legislation.DatedValue{
			Start: toInstant(th, pair.Items()[0]), Value: dataOf(th, pair.Items()[1]),
		})
		return true
	})
	if len(values) > len(leaf.Values) || !slices.IsSortedFunc(values, newestFirst) {
		leaf.Values = slices.Clone(values)
		sortValues(leaf.Values)
	}
	return py.None
}

// parametersWith lists the parameters below a node whose metadata have a key.
func (c *core) parametersWith(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var found []py.Value
	c.eachParameter(th, "parameters_with", args, kws, func(_ string, v py.Value) { found = append(found, v) })
	return py.Obj(py.NewList(found))
}

// itemsWith lists everything below a node whose metadata have a key, parents before children.
func (c *core) itemsWith(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var root py.Value
	var key string
	th.Unpack("items_with", args, kws, "root", &root, "key", &key)
	var found []py.Value
	for item := range c.nodeOf(th, root).Descendants() {
		if c.hasMetadata(item, key) {
			found = append(found, py.Obj(c.parameter(item)))
		}
	}
	return py.Obj(py.NewList(found))
}

// visitWith calls a function with every node and scale below a node whose metadata have a key when it is reached, parents before children.
func (c *core) visitWith(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var root, visit py.Value
	var key string
	th.Unpack("visit_with", args, kws, "root", &root, "key", &key, "visit", &visit)
	for item := range c.nodeOf(th, root).Descendants() {
		if _, leaf := item.(*legislation.Parameter); !leaf && c.hasMetadata(item, key) {
			th.Invoke(visit, py.Obj(c.parameter(item)))
		}
	}
	return py.None
}

// parameterPaths lists them with their paths, which differ from their names in copies.
func (c *core) parameterPaths(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var found []py.Value
	c.eachParameter(th, "parameter_paths", args, kws, func(path string, v py.Value) {
		found = append(found, py.NewTuple([]py.Value{py.String(path), v}))
	})
	return py.Obj(py.NewList(found))
}

func (c *core) eachParameter(th *py.Thread, function string, args []py.Value, kws []py.Kw, visit func(path string, v py.Value)) {
	var root py.Value
	var key string
	th.Unpack(function, args, kws, "root", &root, "key", &key)
	var walk func(path string, item legislation.ParameterItem)
	walk = func(path string, item legislation.ParameterItem) {
		switch item := item.(type) {
		case *legislation.Parameter:
			if c.hasMetadata(item, key) {
				visit(path, py.Obj(c.parameter(item)))
			}
		case *legislation.ParameterNode:
			for name, child := range item.Children.All() {
				walk(strings.TrimPrefix(path+"."+name, "."), child)
			}
		case *legislation.ParameterScale:
			for i, bracket := range item.Brackets {
				walk(fmt.Sprintf("%s[%d]", path, i), bracket)
			}
		}
	}
	walk("", c.nodeOf(th, root))
}

// hasMetadata looks at what Python code may have changed, else at what the file says: most parameters are never looked at.
func (c *core) hasMetadata(item legislation.ParameterItem, key string) bool {
	if o, ok := c.items[item]; ok && o.metadata != nil {
		_, has := o.metadata.Get(key)
		return has
	}
	m := item.Info().Metadata.Map
	if m == nil {
		return false
	}
	_, has := m.Get(key)
	return has
}
