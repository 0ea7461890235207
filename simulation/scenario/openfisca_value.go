package scenario

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// loose says what tests may write for a value of an enumeration beyond its names and numbers, because the original takes it.
type loose struct {
	names bool // what is no member, for the first one
	codes bool // the number of no member
}

// check makes of a value in a document a scalar that the variable can hold, or says why it cannot.
func check(v *legislation.Variable, d legislation.Data, loose loose) (vector.Column, error) {
	element := v.Type != legislation.String && v.Type != legislation.Date
	if element && d.Kind == legislation.List && len(d.List) == 1 {
		d = d.List[0] // a list of one counts as its element, as an array of one element would
	}
	switch {
	case v.Type == legislation.Bool:
		return vector.PyBool(truth(d)), nil
	case v.Type == legislation.String && d.Kind != legislation.List:
		return checkText(v, d)
	case d.Kind != legislation.Scalar:
		return vector.Column{}, wrongValue(v, d)
	case v.Type == legislation.EnumType:
		return checkEnum(v, d, loose)
	case v.Type == legislation.Date:
		return checkDate(v, d)
	}
	return checkNumber(v, d)
}

func wrongValue(v *legislation.Variable, d legislation.Data) error {
	return errors.New(textValue(v, pythonText(d)))
}

// checkText takes numbers as they are, because texts are objects in the original, and other values for their text. A text of
// bounded length is bytes there, which knows ASCII only.
func checkText(v *legislation.Variable, d legislation.Data) (vector.Column, error) {
	if v.MaxLength == 0 && d.Kind == legislation.Scalar && d.Scalar.Type().Number() {
		return d.Scalar, nil
	}
	text := pythonText(d)
	if v.MaxLength > 0 && strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		return vector.Column{}, wrongValue(v, d)
	}
	return vector.PyStr(text), nil
}

func truth(d legislation.Data) bool {
	switch d.Kind {
	case legislation.Scalar:
		return d.Scalar.Bool(0)
	case legislation.List:
		return len(d.List) > 0
	}
	return d.Map.Len() > 0
}

func checkEnum(v *legislation.Variable, d legislation.Data, loose loose) (vector.Column, error) {
	if name, ok := d.Text(); ok {
		index, known := v.Enum.Index(name)
		if !known && !loose.names {
			return vector.Column{}, errors.New(textEnum(name, v))
		}
		return vector.Scalar(index), nil
	}
	f := d.Scalar.Float(0)
	if math.Abs(f) >= 1<<63 {
		return vector.Column{}, errors.New(textTooLarge(v, pythonText(d)))
	}
	last := float64(v.Enum.Len() - 1)
	if loose.codes {
		last = math.MaxInt16
	}
	if math.IsNaN(f) || f < 0 || math.Trunc(f) > last {
		return vector.Column{}, errors.New(textEnum(pythonText(d), v))
	}
	return vector.Scalar(int16(d.Scalar.Int(0))), nil
}

func checkDate(v *legislation.Variable, d legislation.Data) (vector.Column, error) {
	c := d.Scalar
	switch c.Type() {
	case vector.Str:
		date, err := vector.ParseDate(c.Text(0))
		if err == nil && c.Text(0) != "" {
			date, err = (*vector.Rules)(nil).Cast(date, vector.DType{Type: vector.Date, Unit: vector.Day})
		}
		if err != nil || c.Text(0) == "" || date.Int(0) == vector.NaT {
			return c, wrongValue(v, d)
		}
		return date, nil
	case vector.Float64:
		if d.Written != nil && isWhole(d) {
			return c, errors.New(textTooLarge(v, *d.Written))
		}
		return c, wrongValue(v, d)
	}
	return vector.DateScalar(vector.Day, c.Int(0)), nil
}

func checkNumber(v *legislation.Variable, d legislation.Data) (vector.Column, error) {
	c := d.Scalar
	if c.Type() == vector.Str {
		text := c.Text(0)
		value, ok, err := Evaluate(text)
		switch {
		case errors.Is(err, errForbidden):
			return c, errors.New(textForbidden(text))
		case errors.Is(err, errTooLarge):
			return c, errors.New(textTooLarge(v, text))
		case err != nil:
			return c, errors.New(textValue(v, text) + " " + err.Error())
		case !ok:
			if value, ok = plainNumber(v, text); !ok {
				return c, wrongValue(v, d)
			}
		}
		c = value
	}
	if v.Type == legislation.Int && c.Type() == vector.Float64 {
		if f := c.Float(0); math.IsNaN(f) {
			return c, wrongValue(v, d)
		} else if math.Abs(f) >= 1<<63 {
			return c, errors.New(textTooLarge(v, pythonText(d)))
		}
		return vector.PyInt(int64(c.Float(0))), nil
	}
	return c, nil
}

// plainNumber reads what Python's float() and int() read beyond expressions, such as " 3 " or "inf".
func plainNumber(v *legislation.Variable, text string) (vector.Column, bool) {
	if v.Type == legislation.Int {
		i, err := vector.ParseInt(text)
		return vector.PyInt(i), err == nil
	}
	f, err := vector.ParseFloat(text)
	return vector.PyFloat(f), err == nil
}

// isWhole reports whether a value is an integer, of whatever size, or a boolean.
func isWhole(d legislation.Data) bool {
	switch {
	case d.Kind != legislation.Scalar:
		return false
	case d.Written != nil:
		return !strings.ContainsAny(*d.Written, ".eE")
	}
	return d.Scalar.Type() != vector.Float64 && d.Scalar.Type() != vector.Str
}

// pythonText prints data as Python's str() does.
func pythonText(d legislation.Data) string {
	if d.Written != nil && isWhole(d) {
		return *d.Written
	}
	if d.Kind == legislation.Scalar {
		return d.Scalar.Format(0)
	}
	return pythonRepr(d)
}

func pythonRepr(d legislation.Data) string {
	switch d.Kind {
	case legislation.Scalar:
		return d.Scalar.Repr(0)
	case legislation.List:
		parts := make([]string, len(d.List))
		for i, e := range d.List {
			parts[i] = pythonRepr(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case legislation.Mapping:
		var parts []string
		for k, e := range d.Map.All() {
			parts = append(parts, vector.PyStr(k).Repr(0)+": "+pythonRepr(e))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "None"
}

func position(i int) string { return strconv.Itoa(i) }
