package country

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
)

// holderObject is population.get_holder(name).
type holderObject struct {
	run    *run
	holder legislation.Holder
}

// simulationObject is population.simulation, or a clone of it.
type simulationObject struct {
	run *run
	sim legislation.Simulation
}

// Type implements pyeval.Object.
func (*holderObject) Type() *py.Class { return holderClass }

// Type implements pyeval.Object.
func (*simulationObject) Type() *py.Class { return simulationClass }

// Attr implements pyeval.Attrer.
func (o *holderObject) Attr(_ *py.Thread, name string) (py.Value, bool) {
	method := func(f py.GoFunc) (py.Value, bool) { return py.Pure(name, f), true }
	switch name {
	case "variable":
		return o.run.core.variableValue(o.holder.Variable()), true
	case "get_array":
		return method(o.array)
	case "get_known_periods":
		return method(o.knownPeriods)
	case "default_array":
		return method(func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Col(o.holder.DefaultArray()) })
	case "set_input":
		return method(o.setInput)
	case "delete_arrays":
		return method(o.deleteArrays)
	}
	if o.run.core.policy {
		return o.policyAttr(name)
	}
	return py.Value{}, false
}

func (r *run) entry(th *py.Thread, v py.Value) *period.Entry {
	switch e := v.Object().(type) {
	case *entryObject:
		return (*period.Entry)(e)
	case *movingPeriod:
		return (*period.Entry)(e.seen(th))
	}
	return r.sim.Periods().Intern(toPeriod(th, v))
}

func (o *holderObject) array(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var at py.Value
	branch := "" // PolicyEngine names one: its own, which begins with what the others have
	th.Unpack("get_array", args, kws, "period", &at, "branch_name?", &branch)
	c, ok := o.holder.Array(o.run.entry(th, at))
	if !ok {
		return py.None
	}
	return py.Col(c)
}

func (o *holderObject) knownPeriods(*py.Thread, []py.Value, []py.Kw) py.Value {
	known := o.holder.KnownPeriods()
	items := make([]py.Value, len(known))
	for i, e := range known {
		items[i] = entryValue(e)
	}
	return py.Obj(py.NewList(items))
}

func (o *holderObject) setInput(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var at, array py.Value
	th.Unpack("set_input", args, kws, "period", &at, "array", &array)
	raiseIf(th, o.holder.SetInput(o.run.entry(th, at), settled(th, toColumn(th, array))))
	return py.None
}

func (o *holderObject) deleteArrays(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	at := py.None
	th.Unpack("delete_arrays", args, kws, "period?", &at)
	var e *period.Entry
	if !at.IsNone() {
		e = o.run.entry(th, at)
	}
	raiseIf(th, o.holder.Delete(e))
	return py.None
}

// Attr implements pyeval.Attrer.
func (o *simulationObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	method := func(f py.GoFunc) (py.Value, bool) { return py.Pure(name, f), true }
	switch name {
	case "tax_benefit_system":
		system := &systemObject{core: o.run.core, system: o.sim.System()}
		if o.run.ownLaw {
			system.branch, _ = o.sim.(legislation.Forker)
		}
		return py.Obj(system), true
	case "calculate":
		return method(o.calculate(legislation.Plain))
	case "calculate_add":
		return method(o.calculate(legislation.Add))
	case "calculate_divide":
		return method(o.calculate(legislation.Divide))
	case "set_input":
		return method(o.setInput)
	case "get_holder", "get_variable_population", "get_array", "delete_arrays", "get_known_periods":
		return method(o.ofVariable(name))
	case "clone":
		return method(func(*py.Thread, []py.Value, []py.Kw) py.Value {
			clone := o.sim.Clone()
			return py.Obj(runIn(clone).object())
		})
	}
	if p, ok := o.sim.Population(name); ok {
		return py.Obj(o.run.population(p)), true
	}
	if o.run.core.policy {
		return o.policyAttr(th, name)
	}
	return py.Value{}, false
}

// SetAttr makes a branch compute by another system. It ignores the attributes that packages set on simulations for the original's own bookkeeping.
func (o *simulationObject) SetAttr(th *py.Thread, name string, v *py.Value) {
	if name != "tax_benefit_system" || v == nil || !o.run.core.policy {
		return
	}
	system, ok := v.Object().(*systemObject)
	branch, can := o.sim.(legislation.Forker)
	if !ok || !can {
		th.Raise(py.TypeError, "the system of a simulation cannot be a '%s'", py.TypeName(*v))
	}
	if made := system.made(); made != o.sim.System() {
		raiseIf(th, branch.Enact(made))
	}
}

func (o *simulationObject) variable(th *py.Thread, name string) *legislation.Variable {
	v, err := o.sim.System().Lookup(name)
	if err != nil {
		throw(th, err)
	}
	return v
}

func (o *simulationObject) calculate(how legislation.Option) py.GoFunc {
	return func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		if o.run.core.policy {
			return o.policyCalculate(th, how, args, kws)
		}
		var name string
		var at py.Value
		th.Unpack("calculate", args, kws, "variable_name", &name, "period", &at)
		c, err := o.sim.Calculate(o.variable(th, name).ID, o.run.entry(th, at), how)
		return columnOf(th, c, err)
	}
}

func (o *simulationObject) setInput(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	var at, value py.Value
	th.Unpack("set_input", args, kws, "variable_name", &name, "period", &at, "value", &value)
	raiseIf(th, o.sim.SetInput(o.variable(th, name).ID, o.run.entry(th, at), settled(th, toColumn(th, value))))
	return py.None
}

// ofVariable is the methods that take the name of a variable and maybe a period.
func (o *simulationObject) ofVariable(method string) py.GoFunc {
	return func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var name string
		at := py.None
		th.Unpack(method, args, kws, "variable_name", &name, "period?", &at)
		v := o.variable(th, name)
		if method == "get_variable_population" {
			p, _ := o.sim.Population(v.Entity.Key)
			return py.Obj(o.run.population(p))
		}
		h, err := o.sim.Holder(v.ID)
		if err != nil {
			throw(th, err)
		}
		holder := &holderObject{o.run, h}
		switch method {
		case "get_array":
			return holder.array(th, []py.Value{at}, nil)
		case "delete_arrays":
			return holder.deleteArrays(th, []py.Value{at}, nil)
		case "get_known_periods":
			return holder.knownPeriods(th, nil, nil)
		}
		return py.Obj(holder)
	}
}

// systemObject is simulation.tax_benefit_system: a system that no longer changes, but for what is neutralized in a branch.
type systemObject struct {
	core   *core
	system *legislation.System
	branch legislation.Forker      // nil if it is not the system of a branch alone
	copy   *legislation.SystemCopy // nil if it is none that a formula has made
}

// made is the system, which a copy then is for good.
func (o *systemObject) made() *legislation.System {
	if o.copy != nil {
		return o.copy.System()
	}
	return o.system
}

// Type implements pyeval.Object.
func (o *systemObject) Type() *py.Class { return o.core.systemClass }

// Variables implements variables.
func (o *systemObject) Variables() []*legislation.Variable { return o.system.Variables() }

// Variable implements variables.
func (o *systemObject) Variable(name string) *legislation.Variable {
	v, _ := o.system.Lookup(name)
	return v
}

// Attr implements pyeval.Attrer.
func (o *systemObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "variables":
		return py.Obj(&variablesObject{o.core, o}), true
	case "get_variable":
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var key string
			mustExist := false
			th.Unpack(name, args, kws, "variable_name", &key, "check_existence?", &mustExist)
			v, err := o.system.Lookup(key)
			if err != nil && mustExist {
				throw(th, err)
			}
			return o.core.variableValue(v)
		}), true
	case "get_parameters_at_instant":
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var at py.Value
			th.Unpack(name, args, kws, "instant", &at)
			view, err := o.made().Parameters().On(toInstant(th, at))
			raiseIf(th, err)
			return nodeValue(view.Root())
		}), true
	case "neutralize_variable":
		if runOf(th) != nil {
			return py.Pure(name, o.neutralize), true
		}
	case "clone":
		if r := runOf(th); r != nil && o.core.policy {
			r.watch.only(legislation.SameState)
			return py.Func(name, func(*py.Thread, []py.Value, []py.Kw) py.Value {
				return py.Obj(&systemObject{core: o.core, system: o.system, copy: o.made().Copy()})
			}), true
		}
	case "parameters":
		if r := runOf(th); r != nil && o.core.policy {
			r.watch.only(legislation.SameState)
			return py.Obj(o.tree()), true
		}
	}
	return o.given(th, name)
}

// tree is the parameters of the system, which a formula asks for.
func (o *systemObject) tree() *parameterObject {
	p := &parameterObject{core: o.core, loose: true, inForce: true, copy: o.copy}
	if o.copy != nil {
		p.item = o.copy.Root()
	} else {
		p.law = o.system.Parameters()
		p.item = p.law.Root
	}
	return p
}

// given is an attribute that the code of a PolicyEngine package gave to its system. What formulas note in it is the run's own: it is a copy,
// and so are the tables in it.
func (o *systemObject) given(th *py.Thread, name string) (py.Value, bool) {
	r := runOf(th)
	if r == nil || !o.core.policy || o.core.object == nil {
		return py.Value{}, false
	}
	if v, ok := r.kept[name]; ok {
		return v, true
	}
	v, ok := o.core.object.Get(name)
	if !ok {
		return py.Value{}, false
	}
	v = th.Loosened(v)
	if r.kept == nil {
		r.kept = map[string]py.Value{}
	}
	r.kept[name] = v
	return v, true
}
