package country

import (
	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// scaleObject is a scale on a day, or one made by a formula.
type scaleObject legislation.Scale

func scaleValue(s *legislation.Scale) py.Value { return py.Obj((*scaleObject)(s)) }

func (o *scaleObject) scale() *legislation.Scale { return (*legislation.Scale)(o) }

// Type implements pyeval.Object.
func (o *scaleObject) Type() *py.Class { return scaleClasses[o.Kind] }

// makeScale is MarginalRateTaxScale(name=…) and its like.
func makeScale(kind legislation.ScaleKind) func(*py.Thread, *py.Class, []py.Value, []py.Kw) py.Value {
	return func(th *py.Thread, class *py.Class, args []py.Value, kws []py.Kw) py.Value {
		name, option, unit := py.None, py.None, py.None
		th.Unpack(class.Name, args, kws, "name?", &name, "option?", &option, "unit?", &unit)
		text, _ := name.AsString()
		return scaleValue(legislation.NewScale(kind, text))
	}
}

// Attr implements pyeval.Attrer.
func (o *scaleObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	if fn, ok := patched(th, o.Type(), name); ok {
		return py.Obj(&py.Method{Self: py.Obj(o), Func: fn}), true
	}
	switch name {
	case "name":
		return textOrNone(o.Name), true
	case "thresholds":
		return numberList(o.Thresholds), true
	case "rates":
		return numberList(o.Values), o.scale().Rated()
	case "amounts":
		return numberList(o.Values), !o.scale().Rated()
	}
	if o.Own != nil || o.Item != nil {
		if v, ok := o.ownAttr(th, name); ok {
			return v, true
		}
	}
	return boundMethod(o, name)
}

// Method implements pyeval.Methoder.
func (o *scaleObject) Method(name string) py.MethodFunc { return ownScaleMethods[name] }

// boundMethod is a method as an object.
func boundMethod(o py.Methoder, name string) (py.Value, bool) {
	method := o.Method(name)
	if method == nil {
		return py.Value{}, false
	}
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value { return method(th, o, args, kws) }), true
}

// AttrNames implements pyeval.AttrLister.
func (o *scaleObject) AttrNames(*py.Thread) []string {
	names := []string{"name", "thresholds", "rates", "amounts"}
	for name := range scaleMethods {
		names = append(names, name)
	}
	return names
}

// Repr implements pyeval.Reprer.
func (o *scaleObject) Repr(*py.Thread) string { return o.scale().String() }

func numberList(numbers []legislation.Number) py.Value {
	items := make([]py.Value, len(numbers))
	for i, n := range numbers {
		items[i] = py.Col(n.Column())
	}
	return py.Obj(py.NewList(items))
}

type scaleMethod func(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value

var scaleMethods = methodsOf(func(f scaleMethod) py.MethodFunc {
	return func(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
		return f(th, self.(*scaleObject).scale(), args, kws)
	}
}, map[string]scaleMethod{
	"add_bracket":     scaleAddBracket,
	"add_tax_scale":   scaleAddScale,
	"bracket_indices": scaleBracketIndices,
	"calc":            scaleCalc,
	"combine_bracket": scaleCombineBracket,
	"copy": func(_ *py.Thread, s *legislation.Scale, _ []py.Value, _ []py.Kw) py.Value {
		return scaleValue(s.Copy())
	},
	"inverse":                  scaleTo((*legislation.Scale).Inverse),
	"marginal_rates":           scaleMarginalRates,
	"multiply_rates":           scaleMultiplyRates,
	"multiply_thresholds":      scaleMultiplyThresholds,
	"rate_from_bracket_indice": scaleRates,
	"rate_from_tax_base":       scaleMarginalRates,
	"threshold_from_tax_base":  scaleThresholds,
	"to_average":               scaleTo((*legislation.Scale).ToAverage),
	"to_dict":                  scaleDict,
	"to_marginal":              scaleTo((*legislation.Scale).ToMarginal),
	"scale_tax_scales":         scaleByFactor,
})

// ownScaleMethods are those methods as scales have them: a package may have put others in their place.
var ownScaleMethods = patchableMethods()

// methodsOf makes methods of functions that take the thing inside an object.
func methodsOf[F any](adapt func(F) py.MethodFunc, table map[string]F) map[string]py.MethodFunc {
	out := make(map[string]py.MethodFunc, len(table))
	for name, f := range table {
		out[name] = adapt(f)
	}
	return out
}

func columnOf(th *py.Thread, c vector.Column, err error) py.Value {
	if err != nil {
		throw(th, err)
	}
	return py.Col(c)
}

// scaleDict is to_dict(): rates or amounts by the text of their threshold.
func scaleDict(th *py.Thread, s *legislation.Scale, _ []py.Value, _ []py.Kw) py.Value {
	d := py.NewDict()
	for i, threshold := range s.Thresholds {
		d.Set(py.String(th.Str(py.Col(threshold.Column()))), py.Col(s.Values[i].Column()))
	}
	return py.Obj(d)
}

// scaleCalc is calc(tax_base, factor=1.0, round_base_decimals=None) of rates and calc(tax_base, right=False) of amounts.
func scaleCalc(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	base, factor, decimals := py.None, py.None, py.None
	var o legislation.CalcOptions
	if s.Rated() {
		th.Unpack("calc", args, kws, "tax_base", &base, "factor?", &factor, "round_base_decimals?", &decimals)
		setFactor(th, &o, factor, decimals)
	} else {
		th.Unpack("calc", args, kws, "tax_base", &base, "right?", &o.Right)
		if number := toColumn(th, base); !number.IsArray() && coreOf(th) != nil && coreOf(th).policy {
			c, err := s.Calc(number.RepeatEach(1), o)
			return th.Index(columnOf(th, c, err), py.Int(0))
		}
	}
	c, err := s.Calc(toColumn(th, base), o)
	return columnOf(th, c, err)
}

func setFactor(th *py.Thread, o *legislation.CalcOptions, factor, decimals py.Value) {
	n, rounds := decimals.AsInt()
	if factor.IsNone() && !rounds {
		return
	}
	room := &struct {
		factor   vector.Column
		decimals int
	}{decimals: int(n)}
	if !factor.IsNone() {
		room.factor = toColumn(th, factor)
		o.Factor = &room.factor
	}
	if rounds {
		o.RoundBaseDecimals = &room.decimals
	}
}

func scaleBracketIndices(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	base, factor, decimals := py.None, py.None, py.None
	th.Unpack("bracket_indices", args, kws, "tax_base", &base, "factor?", &factor, "round_decimals?", &decimals)
	var o legislation.CalcOptions
	setFactor(th, &o, factor, decimals)
	c, err := s.BracketIndices(toColumn(th, base), o)
	return columnOf(th, c, err)
}

func scaleMarginalRates(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	base, factor, decimals := py.None, py.None, py.None
	th.Unpack("marginal_rates", args, kws, "tax_base", &base, "factor?", &factor, "round_base_decimals?", &decimals)
	var o legislation.CalcOptions
	setFactor(th, &o, factor, decimals)
	c, err := s.MarginalRates(toColumn(th, base), o)
	return columnOf(th, c, err)
}

func scaleRates(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	var indices py.Value
	th.Unpack("rate_from_bracket_indice", args, kws, "bracket_indice", &indices)
	c, err := s.RateFromBracketIndice(toColumn(th, indices))
	return columnOf(th, c, err)
}

func scaleThresholds(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	var base py.Value
	th.Unpack("threshold_from_tax_base", args, kws, "tax_base", &base)
	c, err := s.ThresholdFromTaxBase(toColumn(th, base))
	return columnOf(th, c, err)
}

func scaleTo(make func(*legislation.Scale) (*legislation.Scale, error)) scaleMethod {
	return func(th *py.Thread, s *legislation.Scale, _ []py.Value, _ []py.Kw) py.Value {
		made, err := make(s)
		if err != nil {
			throw(th, err)
		}
		return scaleValue(made)
	}
}

func numberOf(th *py.Thread, v py.Value) legislation.Number {
	n, err := legislation.NumberOf(toColumn(th, v))
	if err != nil {
		throw(th, err)
	}
	return n
}

func scaleAddBracket(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	var threshold, value py.Value
	th.Unpack("add_bracket", args, kws, "threshold", &threshold, "rate", &value)
	if err := s.AddBracket(numberOf(th, threshold), numberOf(th, value)); err != nil {
		throw(th, err)
	}
	return py.None
}

func scaleAddScale(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	var other py.Value
	th.Unpack("add_tax_scale", args, kws, "tax_scale", &other)
	o, ok := other.Object().(*scaleObject)
	if !ok {
		th.Raise(py.TypeError, "add_tax_scale needs a scale, not %s", py.TypeName(other))
	}
	if err := s.AddTaxScale(o.scale()); err != nil {
		throw(th, err)
	}
	return py.None
}

func scaleCombineBracket(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	rate, low, high := py.None, py.Int(0), py.False
	th.Unpack("combine_bracket", args, kws, "rate", &rate, "threshold_low?", &low, "threshold_high?", &high)
	if err := s.CombineBracket(numberOf(th, rate), numberOf(th, low), numberOf(th, high)); err != nil {
		throw(th, err)
	}
	return py.None
}

// scaleMultiplyRates is multiply_rates(factor, inplace=True, new_name=None).
func scaleMultiplyRates(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	factor, name, inPlace := py.None, py.None, true
	th.Unpack("multiply_rates", args, kws, "factor", &factor, "inplace?", &inPlace, "new_name?", &name)
	return changeScale(th, s, inPlace, name, func(s *legislation.Scale) error { return s.MultiplyRates(numberOf(th, factor)) })
}

// scaleMultiplyThresholds is multiply_thresholds(factor, decimals=None, inplace=True, new_name=None).
func scaleMultiplyThresholds(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	factor, decimals, name, inPlace := py.None, py.None, py.None, true
	th.Unpack("multiply_thresholds", args, kws, "factor", &factor, "decimals?", &decimals, "inplace?", &inPlace, "new_name?", &name)
	var round *int
	if n, ok := decimals.AsInt(); ok {
		d := int(n)
		round = &d
	}
	return changeScale(th, s, inPlace, name, func(s *legislation.Scale) error { return s.MultiplyThresholds(numberOf(th, factor), round) })
}

func scaleByFactor(th *py.Thread, s *legislation.Scale, args []py.Value, kws []py.Kw) py.Value {
	var factor py.Value
	th.Unpack("scale_tax_scales", args, kws, "factor", &factor)
	return changeScale(th, s, false, py.None, func(s *legislation.Scale) error { return s.MultiplyThresholds(numberOf(th, factor), nil) })
}

// changeScale changes a scale, or a copy of it.
func changeScale(th *py.Thread, s *legislation.Scale, inPlace bool, name py.Value, change func(*legislation.Scale) error) py.Value {
	if !inPlace {
		s = s.Copy()
		if text, ok := name.AsString(); ok {
			s.Name = text
		}
	}
	if err := change(s); err != nil {
		throw(th, err)
	}
	return scaleValue(s)
}

// combineScales is combine_tax_scales(node, combined_tax_scales=None).
func combineScales(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	node, into := py.None, py.None
	th.Unpack("combine_tax_scales", args, kws, "node", &node, "combined_tax_scales?", &into)
	n, ok := node.Object().(*nodeObject)
	if !ok {
		th.Raise(py.TypeError, "combine_tax_scales needs parameters on a day, not %s", py.TypeName(node))
	}
	var sum *legislation.Scale
	if s, ok := into.Object().(*scaleObject); ok {
		sum = s.scale()
	}
	combined, err := legislation.CombineScales(n.node(), sum)
	if err != nil {
		throw(th, err)
	}
	if combined == nil {
		return py.None
	}
	return scaleValue(combined)
}
