package legislation

import (
	"math"
	"sort"

	"edict/simulation/vector"
)

// machineEpsilon is what a factor is increased by, so that 0 times an infinite threshold is not undefined.
const machineEpsilon = 2.220446049250313e-16

// CalcOptions are the arguments of Calc beyond the base.
type CalcOptions struct {
	// Factor multiplies the thresholds; nil means 1. It has one element, or one per row.
	Factor *vector.Column
	// RoundBaseDecimals rounds thresholds, the part of the base in each bracket, and each bracket's tax; nil does not.
	RoundBaseDecimals *int
	// Right puts a base that equals a threshold into the lower bracket, for scales of single amounts.
	Right bool

	rules *vector.Rules // that say where results find their storage
}

// Calc applies the scale to every row of the base, in 64-bit floats.
func (s *Scale) Calc(base vector.Column, o CalcOptions) (vector.Column, error) {
	if err := checkBase(base); err != nil {
		return vector.Column{}, err
	}
	if o.taped(base) {
		return s.record("calc", base, o)
	}
	switch s.Kind {
	case SingleAmount:
		return s.singleAmount(base, o.Right), nil
	case MarginalAmount:
		return s.marginalAmount(base), nil
	case LinearAverageRate:
		return s.linearAverage(base)
	}
	factors, err := factorsOf(o.Factor, base.Len())
	if err != nil {
		return vector.Column{}, err
	}
	if o.RoundBaseDecimals != nil && len(s.Values) >= pairwiseFrom {
		return s.manyRounded(base, factors, *o.RoundBaseDecimals), nil
	}
	return s.marginal(base, factors, o), nil
}

func (o CalcOptions) taped(base vector.Column) bool {
	return base.Taped() || o.Factor != nil && o.Factor.Taped()
}

func checkBase(base vector.Column) error {
	if !base.Type().Number() {
		return typeError("a scale can be applied to numbers, not to %s", base.DType())
	}
	if !base.IsArray() {
		return typeError("a scale is applied to an array, not to a single number")
	}
	return nil
}

// factors is one factor for all rows, or one for each.
type factors struct {
	one  float64
	rows vector.Column
	many bool
}

func factorsOf(c *vector.Column, n int) (factors, error) {
	if c == nil {
		return factors{one: 1}, nil
	}
	if !c.Type().Number() {
		return factors{}, typeError("the factor of a scale must be a number, not %s", c.DType())
	}
	if c.Constant() && (c.Len() == n || c.Len() == 1) {
		return factors{one: c.Float(0)}, nil
	}
	if c.Len() != n {
		return factors{}, valueError("a factor of %d rows does not fit a base of %d rows", c.Len(), n)
	}
	return factors{rows: *c, many: true}, nil
}

// fill gives the factors of rows, made a little larger.
func (f factors) fill(out []float64, from int) {
	if f.many {
		f.rows.FloatsFrom(out, from)
	}
	for i := range out {
		if !f.many {
			out[i] = f.one
		}
		out[i] += machineEpsilon
	}
}

func (f factors) at(i int) float64 {
	if f.many {
		return f.rows.Float(i)
	}
	return f.one
}

// byRow computes a float64 for every row, once if nothing varies.
func byRow(base vector.Column, f factors, row func(x, factor float64) float64) vector.Column {
	n := base.Len()
	if base.Constant() && !f.many && n > 0 {
		return vector.Const(n, row(base.Float(0), f.one+machineEpsilon))
	}
	out := make([]float64, n)
	if values := vector.Slice[float32](base); values != nil && !f.many {
		for i, x := range values {
			out[i] = row(float64(x), f.one+machineEpsilon)
		}
		return vector.Of(out)
	}
	for i := range out {
		out[i] = row(base.Float(i), f.at(i)+machineEpsilon)
	}
	return vector.Of(out)
}

// clipped is the part of x between two thresholds, as numpy's minimum and maximum compute it: NaN stays NaN.
func clipped(x, low, high float64) float64 {
	part := x
	if high < part || math.IsNaN(high) {
		part = high
	}
	part -= low
	if part < 0 {
		return 0
	}
	return part
}

// threshold is a threshold times the factor. The conversion keeps the product from being fused with what follows, which
// some processors would round differently.
func (s *Scale) threshold(i int, factor float64) float64 {
	if i == len(s.Thresholds) {
		return factor * math.Inf(1)
	}
	return float64(factor * s.Thresholds[i].Float)
}

// marginal adds up the taxes of the brackets, one bracket after the other for some rows at a time.
func (s *Scale) marginal(base vector.Column, f factors, o CalcOptions) vector.Column {
	n := base.Len()
	constant := base.Constant() && !f.many && n > 0
	if constant {
		n = 1
	}
	out := o.rules.Floats(n)
	r := rounderOf(o.RoundBaseDecimals)
	if !f.many && !r.rounds {
		s.plain(out, base, f)
		return spread(out, base.Len(), constant)
	}
	var room [4][64]float64
	for from := 0; from < n; from += len(room[0]) {
		rows := min(len(room[0]), n-from)
		x, factor, low, high := room[0][:rows], room[1][:rows], room[2][:rows], room[3][:rows]
		base.FloatsFrom(x, from)
		f.fill(factor, from)
		s.bounds(low, factor, 0, r)
		for i, rate := range s.Values {
			s.bounds(high, factor, i+1, r)
			addTaxes(out[from:from+rows], x, low, high, rate.Float, r)
			low, high = high, low
		}
	}
	return spread(out, base.Len(), constant)
}

// spread is rows as a column, or n times the first of them.
func spread(rows []float64, n int, constant bool) vector.Column {
	if constant {
		return vector.Const(n, rows[0])
	}
	return vector.Of(rows)
}

// bounds gives a threshold times factors, rounded if asked for.
func (s *Scale) bounds(out, factor []float64, threshold int, r rounder) {
	last := math.NaN() // mostly all rows have the same factor
	bound := 0.0
	for i, f := range factor {
		if f != last {
			last, bound = f, r.round(s.threshold(threshold, f))
		}
		out[i] = bound
	}
}

// addTaxes adds the tax of a bracket, of which the part of the base in it and the tax are rounded if asked for.
func addTaxes(out, x, low, high []float64, rate float64, r rounder) {
	nothing := !math.IsInf(rate, 0) && !math.IsNaN(rate) // is the tax on nothing
	for i, x := range x {
		part := clipped(x, low[i], high[i])
		if part == 0 && nothing {
			continue
		}
		out[i] += r.round(float64(rate * r.round(part)))
	}
}

// manyRounded is marginal for so many brackets that numpy adds their taxes in another order.
func (s *Scale) manyRounded(base vector.Column, f factors, decimals int) vector.Column {
	r := rounderOf(&decimals)
	taxes := make([]float64, len(s.Values))
	return byRow(base, f, func(x, factor float64) float64 {
		for i, rate := range s.Values {
			part := clipped(x, r.round(s.threshold(i, factor)), r.round(s.threshold(i+1, factor)))
			taxes[i] = r.round(float64(rate.Float * r.round(part)))
		}
		return pairwiseSum(taxes)
	})
}

// rounder rounds as numpy does: scale up, round half to even, scale down.
type rounder struct {
	power  float64 // what numbers are scaled by
	rounds bool
	down   bool // to tens and hundreds
}

// rounderOf rounds to so many decimals, not at all if it is nil.
func rounderOf(decimals *int) rounder {
	if decimals == nil {
		return rounder{}
	}
	return rounder{math.Pow10(max(*decimals, -*decimals)), true, *decimals < 0}
}

func (r rounder) round(x float64) float64 {
	switch {
	case !r.rounds:
		return x
	case r.down:
		return math.RoundToEven(x/r.power) * r.power
	}
	return math.RoundToEven(x*r.power) / r.power
}

func round(x float64, decimals int) float64 { return rounderOf(&decimals).round(x) }

// pairwiseFrom is how many terms pairwiseSum adds in another order than theirs.
const pairwiseFrom = 8

// pairwiseSum adds as numpy does: in order below 8 terms, in 8 lanes from there on.
func pairwiseSum(v []float64) float64 {
	n := len(v)
	if n < pairwiseFrom {
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		return sum
	}
	if n > 128 {
		half := n / 2
		half -= half % 8
		return pairwiseSum(v[:half]) + pairwiseSum(v[half:])
	}
	var lane [8]float64
	copy(lane[:], v[:8])
	i := 8
	for ; i+8 <= n; i += 8 {
		for k := range lane {
			lane[k] += v[i+k]
		}
	}
	sum := ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]))
	for ; i < n; i++ {
		sum += v[i]
	}
	return sum
}

func (s *Scale) allInts() bool {
	for _, v := range s.Values {
		if !v.IsInt {
			return false
		}
	}
	return true
}

// amounts makes a column of what a row chooses among the brackets' values: int64 if all of them are, else float64.
func (s *Scale) amounts(base vector.Column, choose func(x float64) Number) vector.Column {
	n := base.Len()
	if s.allInts() {
		return chosen(base, n, func(x float64) int64 { return choose(x).Int })
	}
	return chosen(base, n, func(x float64) float64 { return choose(x).Float })
}

func chosen[T vector.Element](base vector.Column, n int, choose func(x float64) T) vector.Column {
	if base.Constant() && n > 0 {
		return vector.Const(n, choose(base.Float(0)))
	}
	out := make([]T, n)
	for i := range out {
		out[i] = choose(base.Float(i))
	}
	return vector.Of(out)
}

func (s *Scale) singleAmount(base vector.Column, right bool) vector.Column {
	return s.amounts(base, func(x float64) Number {
		entered := sort.Search(len(s.Thresholds), func(i int) bool {
			if right {
				return s.Thresholds[i].Float >= x
			}
			return s.Thresholds[i].Float > x
		})
		if entered == 0 || math.IsNaN(x) || !right && math.IsInf(x, 1) {
			return IntNumber(0)
		}
		return s.Values[entered-1]
	})
}

func (s *Scale) marginalAmount(base vector.Column) vector.Column {
	return s.amounts(base, func(x float64) Number {
		sum := IntNumber(0)
		for i, amount := range s.Values {
			if clipped(x, s.threshold(i, 1), s.threshold(i+1, 1)) > 0 {
				sum = sum.plus(amount)
			}
		}
		return sum
	})
}

// BracketIndices gives for every row the bracket that the base lies in, -1 below the first.
func (s *Scale) BracketIndices(base vector.Column, o CalcOptions) (vector.Column, error) {
	if err := checkBase(base); err != nil {
		return vector.Column{}, err
	}
	if len(s.Thresholds) == 0 || base.Len() == 0 {
		return vector.Column{}, &Error{"EmptyArgumentError", "the scale '" + s.Name + "' has no brackets, or its base no rows"}
	}
	if o.taped(base) {
		return s.record("indices", base, o)
	}
	f, err := factorsOf(o.Factor, base.Len())
	if err != nil {
		return vector.Column{}, err
	}
	indices := byRow(base, f, func(x, factor float64) float64 {
		count := 0
		for i := range s.Thresholds {
			threshold := s.threshold(i, factor)
			if o.RoundBaseDecimals != nil {
				threshold = round(threshold, *o.RoundBaseDecimals)
			}
			if x-threshold >= 0 {
				count++
			}
		}
		return float64(count - 1)
	})
	return chosen(indices, indices.Len(), func(x float64) int64 { return int64(x) }), nil
}

// MarginalRates gives for every row the rate of the bracket that the base lies in; below the first it is the last one,
// as an index of -1 means in Python.
func (s *Scale) MarginalRates(base vector.Column, o CalcOptions) (vector.Column, error) {
	indices, err := s.BracketIndices(base, o)
	if err != nil {
		return vector.Column{}, err
	}
	return s.pick("value", indices)
}

// ThresholdFromTaxBase gives for every row the threshold of the bracket that the base lies in.
func (s *Scale) ThresholdFromTaxBase(base vector.Column) (vector.Column, error) {
	indices, err := s.BracketIndices(base, CalcOptions{})
	if err != nil {
		return vector.Column{}, err
	}
	return s.pick("threshold", indices)
}

// RateFromBracketIndice gives for every row the rate of the bracket with that index.
func (s *Scale) RateFromBracketIndice(indices vector.Column) (vector.Column, error) {
	return s.pick("value", indices)
}

// pick gives for every row the threshold, or the value, with that index.
func (s *Scale) pick(what string, indices vector.Column) (vector.Column, error) {
	if indices.Taped() {
		return s.record("pick "+what, indices, CalcOptions{})
	}
	numbers := s.Values
	if what == "threshold" {
		numbers = s.Thresholds
	}
	for i := range indices.Len() {
		if k := indices.Int(i); k >= int64(len(numbers)) || k < -int64(len(numbers)) {
			return vector.Column{}, &Error{"IndexError", "the scale '" + s.Name + "' has no bracket with the index " + indices.Format(i)}
		}
	}
	ints := true
	for _, n := range numbers {
		ints = ints && n.IsInt
	}
	at := func(x float64) Number { return numbers[(int(x)+len(numbers))%len(numbers)] }
	if ints {
		return chosen(indices, indices.Len(), func(x float64) int64 { return at(x).Int }), nil
	}
	return chosen(indices, indices.Len(), func(x float64) float64 { return at(x).Float }), nil
}

// linearAverage keeps the type arithmetic of the original: with one bracket the base is multiplied in its own type.
func (s *Scale) linearAverage(base vector.Column) (vector.Column, error) {
	var rules *vector.Rules
	switch len(s.Values) {
	case 0:
		return vector.Column{}, valueError("the scale '%s' has no brackets on that day", s.Name)
	case 1:
		return rules.Binary(vector.Multiply, base, s.Values[0].Column())
	}
	average := chosen(base, base.Len(), func(x float64) float64 {
		for i := 0; i+1 < len(s.Values); i++ {
			low, high := s.Thresholds[i].Float, s.Thresholds[i+1].Float
			if x >= low && x < high {
				slope := (s.Values[i+1].Float - s.Values[i].Float) / (high - low)
				return s.Values[i].Float + float64((x-low)*slope)
			}
		}
		return 0
	})
	return rules.Binary(vector.Multiply, base, average)
}
