package country

import (
	"slices"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// policyAttr is what PolicyEngine's simulations have besides those of OpenFisca.
func (o *simulationObject) policyAttr(th *py.Thread, name string) (py.Value, bool) {
	forker, ok := o.sim.(legislation.Forker)
	if !ok {
		return py.Value{}, false
	}
	switch name {
	case "get_branch":
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			branch, whole := "branch", false
			th.Unpack(name, args, kws, "name?", &branch, "clone_system?", &whole)
			made, err := forker.Fork(branch)
			raiseIf(th, err)
			run := runIn(made)
			run.ownLaw = run.ownLaw || whole && made != o.sim
			return py.Obj(run.object())
		}), true
	case "input_variables":
		var names []py.Value
		for _, id := range forker.Given() {
			names = append(names, py.String(o.run.core.names.VariableName(id)))
		}
		return py.Obj(py.NewList(names)), true
	case "populations":
		d := py.NewDict()
		for _, e := range o.sim.System().Entities() {
			d.Set(py.String(e.Key), py.Obj(o.run.ofEntity(e)))
		}
		return py.Obj(d), true
	case "branch_name":
		name, _ := forker.Branch()
		return py.String(name), true
	case "parent_branch":
		if _, parent := forker.Branch(); parent != nil {
			return py.Obj(runIn(parent).object()), true
		}
		return py.None, true
	case "branches":
		return py.Obj(&branchesObject{o.run, forker}), true
	case "_user_input_keys":
		return py.Obj(&inputKeys{o.run, forker}), true
	case "drop_computed_arrays":
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value {
			forker.DropComputed()
			return py.None
		}), true
	case "_get_visible_branch_names":
		return py.Pure(name, o.visibleBranches), true
	case "baseline":
		made, err := forker.Baseline()
		raiseIf(th, err)
		if made == nil {
			return py.None, true
		}
		return py.Obj(runIn(made).object()), true
	case "dataset":
		return py.None, true // a situation has none
	case "is_over_dataset":
		return py.False, true
	case "_get_exportable_input_periods":
		return py.Pure(name, o.givenPeriods), true
	case "map_result":
		return py.Pure(name, o.mapResult), true
	}
	return py.Value{}, false
}

// neutralize is neutralize_variable(name) of the system of a branch: the variable has its default there from then on. Nothing else of the law can be
// changed by a formula.
func (o *systemObject) neutralize(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	th.Unpack("neutralize_variable", args, kws, "variable_name", &name)
	if o.branch == nil {
		th.Raise(py.NotImplementedError, "a formula cannot change the law: neutralize %s in a branch of get_branch(…, clone_system=True)", name)
	}
	v, err := o.system.Lookup(name)
	if err == nil {
		err = o.branch.Neutralize(v.ID)
	}
	raiseIf(th, err)
	return py.None
}

// policyCalculate is calculate(variable_name, period, map_to=None, decode_enums=False).
func (o *simulationObject) policyCalculate(th *py.Thread, how legislation.Option, args []py.Value, kws []py.Kw) py.Value {
	var name string
	var at py.Value
	to, decode := py.None, false
	th.Unpack("calculate", args, kws, "variable_name", &name, "period", &at, "map_to?", &to, "decode_enums?", &decode)
	v := o.variable(th, name)
	c, err := o.sim.Calculate(v.ID, o.run.entry(th, at), how)
	value := columnOf(th, c, err)
	if decode && v.Type == legislation.EnumType {
		text, _ := th.Attr(value, "decode_to_str")
		value = th.Invoke(text)
	}
	if to.IsNone() {
		return value
	}
	return mapTo(th, value, o.run.ofEntity(v.Entity), o.population(th, to))
}

// visibleBranches lists the names of the branch, of those it was made from, and default.
func (o *simulationObject) visibleBranches(*py.Thread, []py.Value, []py.Kw) py.Value {
	var names []py.Value
	for sim := o.sim; sim != nil; {
		name, parent := sim.(legislation.Forker).Branch()
		names = append(names, py.String(name))
		sim = parent
	}
	return py.Obj(py.NewList(names))
}

// givenPeriods is _get_exportable_input_periods(variable_name, include_computed_variables): the periods of a variable that nothing computes whose
// values were given, or all that are known of any.
func (o *simulationObject) givenPeriods(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	computed := false
	th.Unpack("_get_exportable_input_periods", args, kws, "variable_name", &name, "include_computed_variables", &computed)
	v := o.variable(th, name)
	if computed {
		return o.ofVariable("get_known_periods")(th, []py.Value{py.String(name)}, nil)
	}
	var items []py.Value
	if v.IsInput() {
		for _, at := range o.sim.(legislation.Forker).InputPeriods(v.ID) {
			items = append(items, entryValue(at))
		}
	}
	return py.Obj(py.NewList(items))
}

// policyAttr is what PolicyEngine's holders have besides those of OpenFisca.
func (o *holderObject) policyAttr(name string) (py.Value, bool) {
	forker, ok := o.run.sim.(legislation.Forker)
	if !ok {
		return py.Value{}, false
	}
	switch name {
	case "_memory_storage":
		return py.Obj(&storageObject{o}), true
	case "_disk_storage":
		return py.None, true
	case "_get_array_from_storage":
		return py.Pure(name, o.array), true
	case "get_input_periods":
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value {
			var items []py.Value
			for _, at := range forker.InputPeriods(o.holder.Variable().ID) {
				items = append(items, entryValue(at))
			}
			return py.Obj(py.NewList(items))
		}), true
	case "get_known_branch_periods":
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value {
			var items []py.Value
			for _, at := range o.holder.KnownPeriods() {
				items = append(items, py.NewTuple([]py.Value{py.String("default"), entryValue(at)})) // a branch begins with what the others have
			}
			return py.Obj(py.NewList(items))
		}), true
	case "_stores_user_input":
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var at py.Value
			branch := ""
			th.Unpack(name, args, kws, "period", &at, "branch_name?", &branch)
			return py.Bool(slices.Contains(forker.InputPeriods(o.holder.Variable().ID), o.run.entry(th, at)))
		}), true
	}
	return py.Value{}, false
}

// branchesObject is simulation.branches: a dict of those that were made from it.
type branchesObject struct {
	run *run
	of  legislation.Forker
}

// Type implements pyeval.Object.
func (o *branchesObject) Type() *py.Class { return o.run.core.childrenClass }

// Contains implements pyeval.Container.
func (o *branchesObject) Contains(th *py.Thread, key py.Value) bool {
	return slices.Contains(o.of.Branches(), th.Str(key))
}

// Item implements pyeval.Indexer.
func (o *branchesObject) Item(th *py.Thread, key py.Value) py.Value {
	if !o.Contains(th, key) {
		th.Raise(py.KeyError, "%s", th.Str(key))
	}
	made, err := o.of.Fork(th.Str(key))
	raiseIf(th, err)
	return py.Obj(runIn(made).object())
}

// SetItem implements pyeval.ItemSetter: a branch can be dropped.
func (o *branchesObject) SetItem(th *py.Thread, key py.Value, v *py.Value) {
	if v != nil {
		th.Raise(py.TypeError, "branches are made by get_branch")
	}
	if !o.Contains(th, key) {
		th.Raise(py.KeyError, "%s", th.Str(key))
	}
	o.of.DropBranch(th.Str(key))
}

// Attr implements pyeval.Attrer.
func (o *branchesObject) Attr(_ *py.Thread, name string) (py.Value, bool) {
	if name != "get" && name != "pop" {
		return py.Value{}, false
	}
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		key, otherwise := py.None, py.None
		th.Unpack(name, args, kws, "key", &key, "default?", &otherwise)
		if !o.Contains(th, key) {
			return otherwise
		}
		found := o.Item(th, key)
		if name == "pop" {
			o.of.DropBranch(th.Str(key))
		}
		return found
	}), true
}

// inputKeys is simulation._user_input_keys: a set of (variable, branch, period). A branch begins with the inputs of the one it was
// made from, so all are those of default, which every branch can see.
type inputKeys struct {
	run *run
	of  legislation.Forker
}

// Type implements pyeval.Object.
func (o *inputKeys) Type() *py.Class { return o.run.core.childrenClass }

// Len implements pyeval.Lener.
func (o *inputKeys) Len(*py.Thread) int { return len(o.of.Inputs()) }

// Contains implements pyeval.Container.
func (o *inputKeys) Contains(th *py.Thread, key py.Value) bool {
	parts, ok := key.Object().(*py.Tuple)
	if !ok || len(parts.Items()) != 3 || th.Str(parts.Items()[1]) != "default" {
		return false
	}
	v, err := o.run.sim.System().Lookup(th.Str(parts.Items()[0]))
	return err == nil && slices.Contains(o.of.InputPeriods(v.ID), o.run.entry(th, parts.Items()[2]))
}

// Each implements pyeval.Iterable.
func (o *inputKeys) Each(_ *py.Thread, yield func(py.Value) bool) {
	for _, id := range o.of.Inputs() {
		name := py.String(o.run.core.names.VariableName(id))
		for _, at := range o.of.InputPeriods(id) {
			if !yield(py.NewTuple([]py.Value{name, py.String("default"), entryValue(at)})) {
				return
			}
		}
	}
}

// mapResult is map_result(values, source_entity, target_entity, how=None).
func (o *simulationObject) mapResult(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	values, from, to, how := py.None, py.None, py.None, py.None
	th.Unpack("map_result", args, kws, "values", &values, "source_entity", &from, "target_entity", &to, "how?", &how)
	source, target := o.population(th, from), o.population(th, to)
	text, _ := how.AsString()
	switch {
	case how.IsNone() || text == "sum":
		return mapTo(th, values, source, target)
	case text == "mean" && !source.pop.Entity().IsPerson && target.pop.Entity().IsPerson:
		return source.shared(th, values)
	}
	method, ok := populationMethods[text]
	if !ok || !source.pop.Entity().IsPerson {
		th.Raise(py.ValueError, "Not a valid function.")
	}
	return method(th, target, []py.Value{values}, nil)
}

// population finds one by the key of its entity.
func (o *simulationObject) population(th *py.Thread, key py.Value) *populationObject {
	p, ok := o.sim.Population(th.Str(key))
	if !ok {
		th.Raise(py.KeyError, "%s", th.Str(key))
	}
	return o.run.population(p)
}
