package yamltest

import (
	"fmt"
	"slices"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// comparison compares what was computed with what is expected.
type comparison struct {
	rules    *vector.Rules
	absolute *float64
	relative *float64
	wide     bool
}

// floats is the type in which numbers are compared.
func (c comparison) floats() vector.DType {
	if c.wide {
		return vector.DType{Type: vector.Float64}
	}
	return vector.DType{Type: vector.Float32}
}

// differ says how a result differs from what is expected, "" if it is near enough. A result of one element, or an
// expectation of one, stands for all.
func (c comparison) differ(got vector.Column, want legislation.Data) (string, error) {
	switch got.Type() {
	case vector.Enum:
		// As in the original, the value of one member is a number; its name, which fails there, is understood here.
		if !got.IsArray() && !slices.ContainsFunc(elements(want), isNoNumber) {
			return c.differNumbers(got.Codes(), want)
		}
		return differTexts(got, want, func(i int) string { return got.Text(i) })
	case vector.Date:
		return c.differDates(got, want)
	}
	if s, ok := want.Text(); ok {
		value, ok, err := scenario.Evaluate(s)
		if err != nil {
			return "", fmt.Errorf("the expected value %q has no value: %w", s, err)
		}
		if ok {
			want = legislation.DataOf(value)
		}
	}
	if isText(want) || want.Kind == legislation.List && len(want.List) > 0 && isText(want.List[0]) {
		return differTexts(got, want, got.Format)
	}
	return c.differNumbers(got, want)
}

func isText(d legislation.Data) bool {
	_, ok := d.Text()
	return ok
}

func isNoNumber(d legislation.Data) bool { return d.Kind != legislation.Scalar || isText(d) }

func elements(want legislation.Data) []legislation.Data {
	if want.Kind == legislation.List {
		return want.List
	}
	return []legislation.Data{want}
}

// pair returns the number of comparisons that two lengths make, and an error if they do not fit.
func pair(got, want int) (int, error) {
	if got != want && got != 1 && want != 1 {
		return 0, fmt.Errorf("%d values are expected, and there are %d", want, got)
	}
	if got == 0 || want == 0 {
		return 0, nil
	}
	return max(got, want), nil
}

func differTexts(got vector.Column, want legislation.Data, text func(int) string) (string, error) {
	list := elements(want)
	n, err := pair(got.Len(), len(list))
	if err != nil {
		return "", err
	}
	for i := range n {
		w, g := list[i%len(list)], text(i%got.Len())
		if s, ok := w.Text(); !ok || s != g {
			return fmt.Sprintf("expected %s, got %s%s", show(w), g, member(i, n)), nil
		}
	}
	return "", nil
}

func (c comparison) differDates(got vector.Column, want legislation.Data) (string, error) {
	list := elements(want)
	n, err := pair(got.Len(), len(list))
	if err != nil {
		return "", err
	}
	for i := range n {
		w, g := list[i%len(list)], i%got.Len()
		day, err := c.day(w)
		if err != nil {
			return "", fmt.Errorf("the expected value %s is not a date", show(w))
		}
		if day.Int(0) != got.Int(g) {
			return fmt.Sprintf("expected %s, got %s%s", show(w), got.Format(g), member(i, n)), nil
		}
	}
	return "", nil
}

func (c comparison) day(d legislation.Data) (vector.Column, error) {
	s, ok := d.Text()
	if !ok {
		if d.Kind != legislation.Scalar {
			return vector.Column{}, fmt.Errorf("not a date")
		}
		return vector.DateScalar(vector.Day, d.Scalar.Int(0)), nil
	}
	date, err := vector.ParseDate(s)
	if err != nil {
		return date, err
	}
	return c.rules.Cast(date, vector.DType{Type: vector.Date, Unit: vector.Day})
}

// differNumbers compares in 32-bit floats, or in 64-bit ones if that is the profile. Whether the expectation is one number or a list decides, as in numpy, in which
// precision the margins are applied, and so does whether the result is that of one member.
func (c comparison) differNumbers(got vector.Column, want legislation.Data) (string, error) {
	target, err := c.target(want)
	if err != nil {
		return "", err
	}
	value, err := c.rules.Cast(got, c.floats())
	if err != nil {
		return "", err
	}
	difference, err := c.rules.Binary(vector.Subtract, target, value)
	if err != nil {
		return "", err
	}
	if difference, err = c.rules.Unary(vector.Absolute, difference); err != nil {
		return "", err
	}
	absolute := c.absolute
	if absolute == nil && c.relative == nil {
		absolute = new(float64)
	}
	if absolute != nil {
		near, err := c.within(difference, vector.PyFloat(*absolute))
		if err != nil || near >= 0 {
			return c.describe(near, value, target, difference, fmt.Sprintf("margin %v", *absolute)), err
		}
	}
	if c.relative == nil {
		return "", nil
	}
	allowed, err := c.rules.Binary(vector.Multiply, vector.PyFloat(*c.relative), target)
	if err == nil {
		allowed, err = c.rules.Unary(vector.Absolute, allowed)
	}
	if err != nil {
		return "", err
	}
	far, err := c.within(difference, allowed)
	if err != nil || far >= 0 {
		return c.describe(far, value, target, difference, fmt.Sprintf("relative margin %v", *c.relative)), err
	}
	return "", nil
}

// within returns the first element that is not within the margin, -1 if all are.
func (c comparison) within(difference, margin vector.Column) (int, error) {
	near, err := c.rules.Binary(vector.LessEqual, difference, margin)
	if err != nil {
		return 0, err
	}
	for i := range near.Len() {
		if !near.Bool(i) {
			return i, nil
		}
	}
	return -1, nil
}

func (c comparison) target(want legislation.Data) (vector.Column, error) {
	list := elements(want)
	floats := make([]float64, len(list))
	for i, d := range list {
		switch {
		case d.Kind == legislation.Scalar && d.Scalar.Type().Number():
			floats[i] = d.Scalar.Float(0)
		default:
			return vector.Column{}, fmt.Errorf("%s is expected, which is not a number", show(d))
		}
	}
	target, err := c.rules.Cast(vector.Of(floats), c.floats())
	if err != nil {
		return target, err
	}
	if want.Kind != legislation.List {
		target = target.As(vector.NumpyScalar)
	}
	return target, nil
}

func (c comparison) describe(i int, value, target, difference vector.Column, margin string) string {
	n := difference.Len()
	return fmt.Sprintf("expected %s, got %s, difference %s, %s%s",
		target.Format(i%target.Len()), value.Format(i%value.Len()), difference.Format(i%n), margin, member(i, n))
}

func member(i, n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (member %d of %d)", i+1, n)
}

func show(d legislation.Data) string {
	switch d.Kind {
	case legislation.Scalar:
		return d.Scalar.Format(0)
	case legislation.List:
		parts := make([]string, len(d.List))
		for i, e := range d.List {
			parts[i] = show(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case legislation.Mapping:
		return "a mapping"
	}
	return "nothing"
}
