package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Convert makes of a value a scalar that a variable can hold, by the rules of /api/1: numbers may be written as
// expressions ("12*100"), booleans as words, enumerations as index, name or label, dates as a year, a month or a day.
// The error says what was expected.
func Convert(v *legislation.Variable, d legislation.Data) (vector.Column, error) {
	if d.Kind != legislation.Scalar {
		return vector.Column{}, fmt.Errorf("expected %s, got %s", expectation[v.Type], KindInWords(d))
	}
	text, isText := d.Text()
	switch v.Type {
	case legislation.Bool:
		return convertBool(d, text, isText)
	case legislation.EnumType:
		return convertEnum(v, d, text, isText)
	case legislation.Date:
		return convertDate(d, text, isText)
	case legislation.String:
		return vector.PyStr(pythonText(d)), nil
	}
	if isText {
		value, ok, err := Evaluate(text)
		if err != nil || !ok {
			return vector.Column{}, fmt.Errorf("Value must be a number or an expression of numbers, got %q", text)
		}
		d = legislation.DataOf(value)
	}
	if v.Type == legislation.Int && d.Scalar.Type() == vector.Float64 && d.Scalar.Float(0) != float64(int64(d.Scalar.Float(0))) {
		return vector.Column{}, fmt.Errorf("Value must be an integer, got %s", pythonText(d))
	}
	if v.Type == legislation.Int {
		if i := d.Scalar.Int(0); i < math.MinInt32 || i > math.MaxInt32 {
			return vector.Column{}, fmt.Errorf("Value must be between %d and %d, got %s", math.MinInt32, math.MaxInt32, pythonText(d))
		}
		return vector.PyInt(d.Scalar.Int(0)), nil
	}
	return vector.PyFloat(d.Scalar.Float(0)), nil
}

var expectation = map[legislation.ValueType]string{
	legislation.Bool: "a boolean", legislation.Int: "an integer", legislation.Float: "a number",
	legislation.Date: "a date", legislation.EnumType: "the name of a value", legislation.String: "a text",
}

// KindInWords says what a value is, in the words of JSON.
func KindInWords(d legislation.Data) string {
	switch d.Kind {
	case legislation.Null:
		return "null"
	case legislation.List:
		return "a list"
	case legislation.Mapping:
		return "an object"
	}
	switch d.Scalar.Type() {
	case vector.Bool:
		return "a boolean"
	case vector.Str:
		return "a string"
	}
	return "a number"
}

var boolWords = map[string]bool{
	"1": true, "t": true, "true": true, "y": true, "yes": true, "on": true,
	"0": false, "f": false, "false": false, "n": false, "no": false, "off": false,
}

func convertBool(d legislation.Data, text string, isText bool) (vector.Column, error) {
	if !isText {
		if d.Scalar.Type() == vector.Float64 {
			return vector.Column{}, fmt.Errorf("Value must be a boolean, got %s", d.Scalar.Format(0))
		}
		return vector.PyBool(d.Scalar.Bool(0)), nil
	}
	b, ok := boolWords[strings.ToLower(strings.TrimSpace(text))]
	if !ok {
		return vector.Column{}, fmt.Errorf("Value must be a boolean, got %q", text)
	}
	return vector.PyBool(b), nil
}

func convertEnum(v *legislation.Variable, d legislation.Data, text string, isText bool) (vector.Column, error) {
	names := v.Enum.Domain.Members
	if !isText {
		text = d.Scalar.Format(0)
	}
	if i, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && i >= 0 && i < len(names) {
		return vector.Scalar(int16(i)), nil
	}
	if i := slices.Index(names, text); i >= 0 {
		return vector.Scalar(int16(i)), nil
	}
	for i, label := range v.Enum.Labels {
		if slug(label) == slug(text) || slug(names[i]) == slug(text) {
			return vector.Scalar(int16(i)), nil
		}
	}
	msg := fmt.Sprintf("%s is not a value of %s: it is one of %s", AppendJSON(nil, d), v.Name, strings.Join(names, ", "))
	if near := legislation.Nearest(text, slices.Values(names)); near != "" {
		msg += fmt.Sprintf("; did you mean %q?", near)
	}
	return vector.Column{}, fmt.Errorf("%s", msg)
}

// slug is a text without accents, case and punctuation.
func slug(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return '-'
	}, norm.NFD.String(strings.TrimSpace(s)))
}

func convertDate(d legislation.Data, text string, isText bool) (vector.Column, error) {
	if !isText {
		text = d.Scalar.Format(0)
	}
	day, err := ParseInstant(text)
	if err != nil || strings.Contains(text, ":") {
		return vector.Column{}, fmt.Errorf("Value must be a date in ISO 8601 format, got %q", text)
	}
	if day.Before(firstDay) || lastDay.Before(day) {
		return vector.Column{}, fmt.Errorf("Value must be between %s and %s, got %s", firstDay, lastDay, day)
	}
	return vector.DateScalar(vector.Day, int64(day.Days())), nil
}
