package country

import (
	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// baseFunctions are the values of base_function, which variables had before OpenFisca-Core 31.
var baseFunctions = py.Table{
	"missing_value":                       unsupported("missing_value"),
	"permanent_default_value":             unsupported("permanent_default_value"),
	"requested_period_default_value":      unsupported("requested_period_default_value"),
	"requested_period_last_or_next_value": unsupported("requested_period_last_or_next_value"),
	"requested_period_last_value":         unsupported("requested_period_last_value"),
}

var baseRules = map[string]legislation.MissingRule{
	"missing_value":                       legislation.NoValue,
	"permanent_default_value":             legislation.DefaultValue,
	"requested_period_default_value":      legislation.DefaultValue,
	"requested_period_last_or_next_value": legislation.NearestValue,
	"requested_period_last_value":         legislation.LastValue,
}

// base reads the attribute base_function, where there is one.
func (r *definitionReader) base(v py.Value) {
	if !r.core.options.LastValues {
		r.unexpected = append(r.unexpected, "base_function")
		return
	}
	for name, function := range baseFunctions {
		if v.Object() == function.Object() {
			rule := baseRules[name]
			r.def.Missing = &rule
			return
		}
	}
	r.fail("base_function must be one of OpenFisca-Core's, not %s", r.th.Repr(v))
}

// missing chooses the rule for a variable without base_function where it has no value: its last one, unless it is a number.
func (r *definitionReader) missing() {
	d := &r.def
	if !r.core.options.LastValues || d.Missing != nil || d.Type == legislation.NoType {
		return
	}
	independent := d.Type != legislation.Int && d.Type != legislation.Float
	if d.SizeIndependent != nil {
		independent = *d.SizeIndependent
	}
	if independent {
		rule := legislation.LastValue
		d.Missing = &rule
	}
}
