package country

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// variableObject is a variable of a system, as reforms and formulas look at it.
type variableObject struct {
	core     *core
	variable *legislation.Variable
}

// Type implements pyeval.Object.
func (o *variableObject) Type() *py.Class { return o.core.variableClass }

func (c *core) variableValue(v *legislation.Variable) py.Value {
	if v == nil {
		return py.None
	}
	return py.Obj(&variableObject{c, v})
}

// Attr implements pyeval.Attrer.
func (o *variableObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	v := o.variable
	switch name {
	case "name", "__name__":
		return py.String(v.Name), true
	case "label":
		return textOrNone(v.Label), true
	case "unit":
		return textOrNone(v.Unit), true
	case "documentation":
		return textOrNone(v.Documentation), true
	case "definition_period":
		return py.String(v.Period.String()), true
	case "entity":
		return py.Obj(&entityObject{v.Entity}), true
	case "is_neutralized":
		return py.Bool(v.Neutralized), true
	case "value_type":
		return o.core.valueTypes[v.Type], true
	case "default_value":
		return py.Col(v.Default.As(vector.PyScalar)), true
	case "possible_values":
		if v.Enum == nil {
			return py.None, true
		}
		return py.Obj(v.Enum.Domain.Of.(*py.Class)), true
	case "formulas":
		d := py.NewDict()
		for _, f := range v.Formulas {
			fn := py.None
			if p, ok := f.Formula.(*formula); ok {
				fn = py.Obj(p.fn)
			}
			d.Set(py.String(f.Start.String()), fn)
		}
		return py.Obj(d), true
	case "get_formula":
		return py.Pure(name, o.formulaAt), true
	case "uprating":
		return textOrNone(v.Uprating), true
	case "defined_for":
		return textOrNone(v.DefinedFor), true
	case "is_input_variable":
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Bool(v.IsInput()) }), true
	case "end":
		if v.End == (period.Instant{}) {
			return py.None, true
		}
		return dateValue(th, v.End), true
	case "reference":
		return referencesOf(v), true
	case "is_period_size_independent":
		return py.Bool(v.SizeIndependent), true
	case "dtype", "json_type":
		return o.ofType(th, name), true
	case "quantity_type":
		if o.core.policy {
			return py.String(map[bool]string{false: "flow", true: "stock"}[v.Stock]), true
		}
	}
	return o.declared(name)
}

// ofType is what variables of one type have in common.
func (o *variableObject) ofType(th *py.Thread, name string) py.Value {
	m, err := th.Import("openfisca_core.variables")
	if err != nil {
		th.Throw(err)
	}
	all, _ := m.Get("VALUE_TYPES")
	return th.Index(th.Index(all, o.core.valueTypes[o.variable.Type]), py.String(name))
}

// declared is an attribute that the class of a variable has, or None if it has none and might.
func (o *variableObject) declared(name string) (py.Value, bool) {
	_, usual := variableAttributes[name]
	if !usual && o.core.policy {
		_, usual = policyAttributes[name]
	}
	class, ok := o.variable.Declared.(*py.Class)
	if !ok || !usual {
		return py.None, usual
	}
	v, ok := class.Lookup(name)
	if !ok {
		v = py.None
	}
	return v, true
}

// SetAttr implements pyeval.AttrSetter: code of PolicyEngine's packages chooses indexes while they are loaded.
func (o *variableObject) SetAttr(th *py.Thread, name string, v *py.Value) {
	if v == nil || name != "uprating" || !o.core.policy || runOf(th) != nil {
		th.Raise(py.AttributeError, "attribute '%s' of a variable cannot be set: write a reform with update_variable", name)
	}
	o.variable.Uprating, _ = v.AsString()
}

// formulaAt is variable.get_formula(period): the formula in force when the period begins, the oldest without a period, or None.
func (o *variableObject) formulaAt(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	at := py.None
	th.Unpack("get_formula", args, kws, "period?", &at)
	var found *legislation.DatedFormula
	switch {
	case !at.IsNone():
		found = o.variable.FormulaAt(toInstant(th, at))
	case len(o.variable.Formulas) > 0:
		found = &o.variable.Formulas[0]
	}
	if found != nil {
		if p, ok := found.Formula.(*formula); ok {
			return py.Obj(p.fn)
		}
	}
	return py.None
}

func referencesOf(v *legislation.Variable) py.Value {
	if len(v.References) == 0 {
		return py.None
	}
	items := make([]py.Value, len(v.References))
	for i, r := range v.References {
		items[i] = py.String(r)
	}
	return py.Obj(py.NewList(items))
}
