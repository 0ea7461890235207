package legislation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// ScaleKind tells how a scale computes.
type ScaleKind uint8

// The kinds of scale.
const (
	MarginalRate      ScaleKind = iota // each bracket's rate applies to the part of the base inside it
	LinearAverageRate                  // the average rate changes linearly from one threshold to the next
	MarginalAmount                     // the amounts of all brackets that were entered add up
	SingleAmount                       // the amount of the bracket that the base lies in
)

var scaleKindNames = [...]string{"MarginalRateTaxScale", "LinearAverageRateTaxScale", "MarginalAmountTaxScale", "SingleAmountTaxScale"}

// String gives OpenFisca's name of the class.
func (k ScaleKind) String() string { return scaleKindNames[k] }

// Number is a Python number: an int or a float. The difference decides the type of what is computed from it.
type Number struct {
	Float float64
	Int   int64
	IsInt bool
}

// IntNumber makes an int.
func IntNumber(i int64) Number { return Number{Float: float64(i), Int: i, IsInt: true} }

// FloatNumber makes a float.
func FloatNumber(f float64) Number { return Number{Float: f} }

// NumberOf takes the number out of a scalar.
func NumberOf(c vector.Column) (Number, error) {
	switch c.Type() {
	case vector.Bool, vector.Int16, vector.Int32, vector.Int64:
		return IntNumber(c.Int(0)), nil
	case vector.Float32, vector.Float64:
		return FloatNumber(c.Float(0)), nil
	}
	return Number{}, typeError("a scale consists of numbers, but %s is none", c.Repr(0))
}

// Column gives the number as a Python scalar.
func (n Number) Column() vector.Column {
	if n.IsInt {
		return vector.PyInt(n.Int)
	}
	return vector.PyFloat(n.Float)
}

func (n Number) plus(m Number) Number {
	if n.IsInt && m.IsInt {
		return IntNumber(n.Int + m.Int)
	}
	return FloatNumber(n.Float + m.Float)
}

func (n Number) minus(m Number) Number {
	if n.IsInt && m.IsInt {
		return IntNumber(n.Int - m.Int)
	}
	return FloatNumber(n.Float - m.Float)
}

func (n Number) times(m Number) Number {
	if n.IsInt && m.IsInt {
		return IntNumber(n.Int * m.Int)
	}
	return FloatNumber(float64(n.Float * m.Float)) // rounded before anything is added to it
}

// Scale is a list of brackets in order of their thresholds. A scale that comes from a parameter tree is frozen: take a
// Copy or a Fork of it before changing it.
type Scale struct {
	Kind       ScaleKind
	Name       string
	Thresholds []Number
	// Values are the rates or amounts of the brackets.
	Values []Number

	// Item is the scale of the tree that this is a view of, on Day, if a package gave it a class of its own; Own is what code keeps
	// with the scale.
	Item *ParameterScale
	Day  period.Instant
	Own  any

	frozen bool
	shared bool // the brackets belong to another scale
}

// NewScale makes a scale without brackets.
func NewScale(kind ScaleKind, name string) *Scale {
	if name == "" {
		name = "Untitled TaxScale"
	}
	return &Scale{Kind: kind, Name: name}
}

// Copy makes a scale that may be changed.
func (s *Scale) Copy() *Scale {
	return &Scale{Kind: s.Kind, Name: s.Name, Thresholds: slices.Clone(s.Thresholds), Values: slices.Clone(s.Values)}
}

// Fork makes a scale that may be changed, and copies the brackets only if it is. It is what a formula gets that reads a
// scale: some change it in place, which must not change the law.
func (s *Scale) Fork() *Scale {
	return &Scale{Kind: s.Kind, Name: s.Name, Thresholds: s.Thresholds, Values: s.Values, Item: s.Item, Day: s.Day, shared: true}
}

// Rated tells whether the values are rates, not amounts.
func (s *Scale) Rated() bool { return s.Kind == MarginalRate || s.Kind == LinearAverageRate }

// String lists the brackets as YAML would.
func (s *Scale) String() string {
	what := "amount"
	if s.Rated() {
		what = "rate"
	}
	var b strings.Builder
	for i := range s.Thresholds {
		fmt.Fprintf(&b, "  - threshold: %s\n    %s: %s\n", s.Thresholds[i].Column().Repr(0), what, s.Values[i].Column().Repr(0))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (s *Scale) changeable() error {
	if s.frozen {
		return typeError("the scale '%s' belongs to the law and cannot be changed: take a copy() of it first", s.Name)
	}
	if s.shared {
		s.Thresholds, s.Values, s.shared = slices.Clone(s.Thresholds), slices.Clone(s.Values), false
	}
	return nil
}

// AddBracket adds a bracket in its place; a bracket with the same threshold adds up.
func (s *Scale) AddBracket(threshold, value Number) error {
	if err := s.changeable(); err != nil {
		return err
	}
	s.addBracket(threshold, value)
	return nil
}

func (s *Scale) addBracket(threshold, value Number) {
	if i := s.find(threshold); i >= 0 {
		s.Values[i] = s.Values[i].plus(value)
		return
	}
	i := 0
	for i < len(s.Thresholds) && s.Thresholds[i].Float < threshold.Float {
		i++
	}
	s.Thresholds = slices.Insert(s.Thresholds, i, threshold)
	s.Values = slices.Insert(s.Values, i, value)
}

func (s *Scale) find(threshold Number) int {
	return slices.IndexFunc(s.Thresholds, func(t Number) bool { return t.Float == threshold.Float })
}

// CombineBracket adds a rate between two thresholds; a high threshold of zero means without end.
func (s *Scale) CombineBracket(rate, low, high Number) error {
	if err := s.changeable(); err != nil {
		return err
	}
	if err := s.split(low); err != nil {
		return err
	}
	if high.Float != 0 {
		if err := s.split(high); err != nil {
			return err
		}
	}
	last := len(s.Thresholds) - 1
	if high.Float != 0 {
		last = s.find(high) - 1
	}
	for i := s.find(low); i <= last; i++ {
		s.Values[i] = s.Values[i].plus(rate)
	}
	return nil
}

// split makes sure that a bracket starts at a threshold, without changing what the scale computes.
func (s *Scale) split(threshold Number) error {
	if s.find(threshold) >= 0 {
		return nil
	}
	if len(s.Values) == 0 {
		return &Error{"IndexError", "the scale '" + s.Name + "' has no brackets that a rate could be added to: give it one first"}
	}
	s.addBracket(threshold, s.Values[s.bracketOf(threshold)])
	return nil
}

// bracketOf finds the bracket that a threshold would fall into; below all of them it is the last one, as a Python list
// has it for the index -1.
func (s *Scale) bracketOf(threshold Number) int {
	i := 0
	for i < len(s.Thresholds) && s.Thresholds[i].Float <= threshold.Float {
		i++
	}
	if i == 0 {
		return len(s.Values) - 1
	}
	return i - 1
}

// AddTaxScale adds the rates of another scale to this one.
func (s *Scale) AddTaxScale(other *Scale) error {
	for i, low := range other.Thresholds {
		var high Number
		if i+1 < len(other.Thresholds) {
			high = other.Thresholds[i+1]
		}
		if err := s.CombineBracket(other.Values[i], low, high); err != nil {
			return err
		}
	}
	return nil
}

// CombineScales adds up all marginal rate scales among the children of a node; nil if the node has no children.
func CombineScales(n *NodeAt, into *Scale) (*Scale, error) {
	for i, name := range n.Children().Keys() {
		if i == 0 && into == nil {
			into = NewScale(MarginalRate, name)
			into.addBracket(IntNumber(0), IntNumber(0))
		}
		value, _ := n.Children().Get(name)
		if value.Scale == nil || value.Scale.Kind != MarginalRate {
			continue
		}
		if err := into.AddTaxScale(value.Scale); err != nil {
			return nil, err
		}
	}
	return into, nil
}

// MultiplyRates multiplies all rates.
func (s *Scale) MultiplyRates(factor Number) error {
	if err := s.changeable(); err != nil {
		return err
	}
	for i, rate := range s.Values {
		s.Values[i] = rate.times(factor)
	}
	return nil
}

// MultiplyThresholds multiplies all thresholds, and rounds them if decimals is not nil.
func (s *Scale) MultiplyThresholds(factor Number, decimals *int) error {
	if err := s.changeable(); err != nil {
		return err
	}
	for i, threshold := range s.Thresholds {
		moved := threshold.times(factor)
		if decimals != nil && !moved.IsInt {
			moved = FloatNumber(round(moved.Float, *decimals))
		}
		s.Thresholds[i] = moved
	}
	return nil
}

// Inverse gives the scale that leads from net to gross: if net = gross - s(gross), then gross = inverse(net).
func (s *Scale) Inverse() (*Scale, error) {
	one := IntNumber(1)
	inverse := NewScale(s.Kind, s.Name+"'")
	var previous, theta Number
	known := false
	for i, threshold := range s.Thresholds {
		rate := s.Values[i]
		if threshold.Float == 0 {
			previous, theta, known = IntNumber(0), IntNumber(0), true
		}
		if !known {
			return nil, valueError("the scale '%s' cannot be inverted: its first threshold is not 0", s.Name)
		}
		if rate.Float == 1 {
			return nil, &Error{"ZeroDivisionError", "the scale '" + s.Name + "' cannot be inverted: it has a rate of 100 %"}
		}
		net := one.minus(previous).times(threshold).plus(theta)
		inverse.addBracket(net, FloatNumber(1/one.minus(rate).Float))
		theta = rate.minus(previous).times(threshold).plus(theta)
		previous = rate
	}
	return inverse, nil
}

// ToAverage gives the scale of average rates with the same results at the thresholds.
func (s *Scale) ToAverage() (*Scale, error) {
	average := NewScale(LinearAverageRate, s.Name)
	average.addBracket(IntNumber(0), IntNumber(0))
	if len(s.Thresholds) == 0 {
		return average, nil
	}
	if len(s.Thresholds) == 1 {
		return nil, valueError("the scale '%s' has one bracket only, and no average scale", s.Name)
	}
	tax := IntNumber(0)
	for i := 1; i < len(s.Thresholds); i++ {
		tax = tax.plus(s.Values[i-1].times(s.Thresholds[i].minus(s.Thresholds[i-1])))
		if s.Thresholds[i].Float == 0 {
			return nil, &Error{"ZeroDivisionError", "the scale '" + s.Name + "' has a threshold of 0 that is not its first"}
		}
		average.addBracket(s.Thresholds[i], FloatNumber(tax.Float/s.Thresholds[i].Float))
	}
	average.addBracket(FloatNumber(math.Inf(1)), s.Values[len(s.Values)-1])
	return average, nil
}

// ToMarginal gives the scale of marginal rates with the same results at the thresholds.
func (s *Scale) ToMarginal() (*Scale, error) {
	if len(s.Thresholds) < 2 {
		return nil, valueError("the scale '%s' has fewer than two brackets, and no marginal scale", s.Name)
	}
	marginal := NewScale(MarginalRate, s.Name)
	previousTax, previousThreshold := IntNumber(0), IntNumber(0)
	for i := 1; i < len(s.Thresholds); i++ {
		threshold, rate := s.Thresholds[i], s.Values[i]
		if math.IsInf(threshold.Float, 1) {
			continue
		}
		tax := rate.times(threshold)
		width := threshold.minus(previousThreshold).Float
		if width == 0 {
			return nil, &Error{"ZeroDivisionError", "the scale '" + s.Name + "' has a threshold of 0 that is not its first"}
		}
		marginal.addBracket(previousThreshold, FloatNumber(tax.minus(previousTax).Float/width))
		previousTax, previousThreshold = tax, threshold
	}
	marginal.addBracket(previousThreshold, s.Values[len(s.Values)-1])
	return marginal, nil
}

// scaleAt makes the scale of a day: brackets that lack a threshold or a value then are left out.
func (s *ParameterScale) scaleAt(v *View) *Scale {
	kind, key := s.kindAt(v)
	scale := NewScale(kind, s.Name)
	for _, bracket := range s.Brackets {
		threshold, ok := bracketNumber(bracket, "threshold", v)
		value, ok2 := bracketNumber(bracket, key, v)
		if base, based := bracketNumber(bracket, "base", v); based && key != "amount" { // PolicyEngine's packages may have one
			value = value.times(base)
		}
		if ok && ok2 {
			scale.addBracket(threshold, value)
		}
	}
	if s.Own != nil {
		scale.Item, scale.Day = s, v.day
	}
	scale.frozen = true
	return scale
}

func (s *ParameterScale) kindAt(v *View) (ScaleKind, string) {
	if kind, ok := s.Metadata.Get("type"); ok {
		if text, _ := kind.Text(); text == "single_amount" {
			return SingleAmount, "amount"
		}
	}
	for _, c := range []struct {
		kind ScaleKind
		key  string
	}{{MarginalAmount, "amount"}, {LinearAverageRate, "average_rate"}} {
		for _, bracket := range s.Brackets {
			if item, ok := bracket.Children.Get(c.key); ok && item.at(v).Exists() {
				return c.kind, c.key
			}
		}
	}
	return MarginalRate, "rate"
}

func bracketNumber(bracket *ParameterNode, key string, v *View) (Number, bool) {
	item, ok := bracket.Children.Get(key)
	if !ok {
		return Number{}, false
	}
	value := item.at(v)
	if value.Leaf == nil || value.Leaf.Kind != Scalar {
		return Number{}, false
	}
	n, err := NumberOf(value.Leaf.Scalar)
	return n, err == nil
}
