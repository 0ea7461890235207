package country

import (
	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// draft is a legislation that Python code is building: the engine's side of a TaxBenefitSystem.
type draft struct {
	core    *core
	builder *legislation.Builder
	system  *legislation.System // once it is built
}

// Type implements pyeval.Object.
func (d *draft) Type() *py.Class { return d.core.draftClass }

// makeDraft is Draft(entities, wide, carries): wide says that the package declares floats of 64 bits, carries that inputs hold
// until the next one. Of several entities of persons the first is theirs, as in OpenFisca-Core; the others would never have members, and are left out.
func (c *core) makeDraft(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var list py.Value
	wide, carries := false, false
	th.Unpack("Draft", args, kws, "entities", &list, "wide", &wide, "carries?", &carries)
	c.carries = carries
	var entities []*legislation.Entity
	hasPersons := false
	th.Each(list, func(v py.Value) bool {
		e, ok := v.Object().(*entityObject)
		if !ok {
			th.Raise(py.TypeError, "expected an entity, got %s", th.Repr(v))
		}
		if !e.IsPerson || !hasPersons {
			entities = append(entities, e.Entity)
		}
		hasPersons = hasPersons || e.IsPerson
		return true
	})
	b, err := legislation.NewBuilder(c.names, c.profile(wide), entities...)
	raiseIf(th, err)
	return py.Obj(&draft{core: c, builder: b})
}

// build ends the draft.
func (d *draft) build(th *py.Thread) *legislation.System {
	if d.system == nil {
		d.core.link(th, d.builder.Changed())
		d.core.flush(th)
		d.system = d.builder.Build()
	}
	return d.system
}

// open returns the builder, which is there until the draft is built.
func (d *draft) open(th *py.Thread) *legislation.Builder {
	if d.system != nil {
		th.Raise(py.RuntimeError, "this legislation is in use and cannot change any more: write a reform")
	}
	return d.builder
}

// Attr implements pyeval.Attrer.
func (d *draft) Attr(_ *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "variables":
		return py.Obj(&variablesObject{d.core, d.builder}), true
	case "parameters":
		if d.system == nil { // until it is built, code that asks for it may change it
			return py.Obj(d.core.parameter(d.builder.OwnParameters())), true
		}
		return py.Obj(d.core.parameter(d.builder.Parameters())), true
	}
	method, ok := draftMethods[name]
	if !ok {
		return py.Value{}, false
	}
	return py.Func(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value { return method(d, th, args, kws) }), true
}

// SetAttr implements pyeval.AttrSetter.
func (d *draft) SetAttr(th *py.Thread, name string, v *py.Value) {
	if name != "parameters" || v == nil {
		th.Raise(py.AttributeError, "attribute '%s' cannot be set", name)
	}
	d.open(th).SetParameters(d.core.nodeOf(th, *v))
}

var draftMethods = map[string]func(d *draft, th *py.Thread, args []py.Value, kws []py.Kw) py.Value{
	"add_variable":        defineBy((*legislation.Builder).AddVariable),
	"annualize_variable":  (*draft).annualize,
	"merge_parameters":    (*draft).merge,
	"modify_parameters":   (*draft).modify,
	"neutralize_variable": (*draft).neutralize,
	"parameters_at":       (*draft).parametersAt,
	"reform":              (*draft).reform,
	"replace_variable":    defineBy((*legislation.Builder).ReplaceVariable),
	"update_variable":     defineBy((*legislation.Builder).UpdateVariable),
}

// defineBy is the three ways to give a variable to a legislation. What is wrong with a variable is
// reported with all other problems when the package is loaded.
func defineBy(add func(*legislation.Builder, legislation.Definition) (*legislation.Variable, error)) func(*draft, *py.Thread, []py.Value, []py.Kw) py.Value {
	return func(d *draft, th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var class py.Value
		th.Unpack("add_variable", args, kws, "variable", &class)
		b := d.open(th)
		var made *legislation.Variable
		_, err := th.Try(func() py.Value {
			def := d.core.definition(th, class)
			v, err := add(b, def)
			if err != nil {
				throw(th, err)
			}
			made = v
			return py.None
		})
		if err != nil {
			d.core.problem(th, d.core.placeOf(class), err)
		}
		return d.core.variableValue(made)
	}
}

func (d *draft) neutralize(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	th.Unpack("neutralize_variable", args, kws, "variable_name", &name)
	raiseIf(th, d.open(th).NeutralizeVariable(name))
	return py.None
}

func (d *draft) annualize(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	during := py.None
	th.Unpack("annualize_variable", args, kws, "variable_name", &name, "period?", &during)
	if during.IsNone() {
		raiseIf(th, d.open(th).AnnualizeVariable(name, nil))
		return py.None
	}
	within := toPeriod(th, during)
	raiseIf(th, d.open(th).AnnualizeVariable(name, &within))
	return py.None
}

func (d *draft) merge(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var root py.Value
	th.Unpack("merge_parameters", args, kws, "parameters", &root)
	raiseIf(th, d.open(th).MergeParameters(d.core.nodeOf(th, root)))
	return py.None
}

func (d *draft) modify(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var modifier py.Value
	th.Unpack("modify_parameters", args, kws, "modifier_function", &modifier)
	raiseIf(th, d.open(th).ModifyParameters(func(root *legislation.ParameterNode) (*legislation.ParameterNode, error) {
		v := th.Invoke(modifier, py.Obj(d.core.parameter(root)))
		o, ok := v.Object().(*parameterObject)
		if !ok {
			th.Raise(py.ValueError, "modifier_function must return a ParameterNode, not %s", py.TypeName(v))
		}
		d.core.flush(th)
		return d.core.nodeOf(th, py.Obj(o)), nil
	}))
	return py.None
}

func (d *draft) parametersAt(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var at py.Value
	th.Unpack("get_parameters_at_instant", args, kws, "instant", &at)
	return d.core.parameter(d.builder.Parameters()).Call(th, []py.Value{at}, nil)
}

// reform is the draft of a reform of this legislation, which is complete from now on.
func (d *draft) reform(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var key string
	th.Unpack("reform", args, kws, "key", &key)
	return py.Obj(&draft{core: d.core, builder: d.build(th).Reform(key)})
}
