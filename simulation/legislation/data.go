package legislation

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/vector"
)

// DataKind tells what a [Data] is.
type DataKind uint8

// The kinds of data.
const (
	Null DataKind = iota
	Scalar
	List
	Mapping
)

// Data is what a YAML document or a Python literal says: null, a scalar, a list or a mapping. The value of a parameter
// on a day is Data, and so is metadata. It does not change once it is made: copies of items share it.
type Data struct {
	Kind   DataKind
	Line   int32
	Scalar vector.Column // a Python scalar: bool, int, float or text
	List   []Data
	Map    *Ordered[Data]
	// Written is the text of a number that Scalar holds only nearly, an integer beyond 64 bits or a float beyond all
	// floats; nil for every other value.
	Written *string
}

// DataOf makes data of a Python scalar.
func DataOf(scalar vector.Column) Data { return Data{Kind: Scalar, Scalar: scalar} }

// Text gives the text of a scalar that is one.
func (d Data) Text() (string, bool) {
	if d.Kind == Scalar && d.Scalar.Type() == vector.Str {
		return d.Scalar.Text(0), true
	}
	return "", false
}

// Get finds the value of a key of a mapping; a null counts as absent.
func (d Data) Get(key string) (Data, bool) {
	v, ok := d.Map.Get(key)
	return v, ok && v.Kind != Null
}

// Equal tells whether two data say the same. Line numbers do not matter, the difference of 1 and 1.0 does.
func (d Data) Equal(e Data) bool {
	if d.Kind != e.Kind || len(d.List) != len(e.List) || d.Map.Len() != e.Map.Len() {
		return false
	}
	if d.Kind == Scalar && !(d.Scalar.Type() == e.Scalar.Type() && d.Scalar.Repr(0) == e.Scalar.Repr(0)) {
		return false
	}
	for i := range d.List {
		if !d.List[i].Equal(e.List[i]) {
			return false
		}
	}
	for k, v := range d.Map.All() {
		if w, ok := e.Map.Get(k); !ok || !v.Equal(w) {
			return false
		}
	}
	return true
}

// kindName names the kind for messages.
func (d Data) kindName() string {
	switch d.Kind {
	case Null:
		return "nothing"
	case List:
		return "a list"
	case Mapping:
		return "a mapping"
	}
	switch d.Scalar.Type() {
	case vector.Str:
		return "a text"
	case vector.Bool:
		return "a truth value"
	}
	return "a number"
}

// resolvePlain gives a plain YAML scalar the meaning it has for PyYAML, which follows YAML 1.1: 1_000 and 0o17 are
// different things than in YAML 1.2, 1e6 is text, dates stay text.
func resolvePlain(s string) (Data, error) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Data{}, nil
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return DataOf(vector.PyBool(true)), nil
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return DataOf(vector.PyBool(false)), nil
	}
	if c := s[0]; c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' {
		if isYAMLInt(s) {
			return yamlInt(s)
		}
		if f, ok := yamlFloat(s); ok {
			return DataOf(vector.PyFloat(f)), nil
		}
	}
	return DataOf(vector.PyStr(s)), nil
}

func unsigned(s string) (digits string, negative bool) {
	if s[0] == '-' {
		return s[1:], true
	}
	return strings.TrimPrefix(s, "+"), false
}

func consists(s, of string) bool { return s != "" && strings.Trim(s, of) == "" }

func isYAMLInt(s string) bool {
	d, _ := unsigned(s)
	switch {
	case d == "":
		return false
	case d == "0":
		return true
	case strings.HasPrefix(d, "0b"):
		return consists(d[2:], "01_")
	case strings.HasPrefix(d, "0x"):
		return consists(d[2:], "0123456789abcdefABCDEF_")
	case d[0] == '0':
		return consists(d[1:], "01234567_")
	}
	first, rest, sexagesimal := strings.Cut(d, ":")
	if first == "" || first[0] < '1' || first[0] > '9' || !consists(first, "0123456789_") {
		return false
	}
	return !sexagesimal || allSixties(strings.Split(rest, ":"))
}

func allSixties(parts []string) bool {
	for _, p := range parts {
		if n := len(p); n < 1 || n > 2 || !consists(p, "0123456789") || n == 2 && p[0] > '5' {
			return false
		}
	}
	return true
}

func yamlInt(s string) (Data, error) {
	d, negative := unsigned(strings.ReplaceAll(s, "_", ""))
	var n int64
	var err error
	switch {
	case strings.HasPrefix(d, "0b"):
		n, err = strconv.ParseInt(d[2:], 2, 64)
	case strings.HasPrefix(d, "0x"):
		n, err = strconv.ParseInt(d[2:], 16, 64)
	case len(d) > 1 && d[0] == '0':
		n, err = strconv.ParseInt(d[1:], 8, 64)
	case strings.Contains(d, ":"):
		for part := range strings.SplitSeq(d, ":") {
			digit, _ := strconv.ParseInt(part, 10, 64)
			n = n*60 + digit
		}
	default:
		n, err = strconv.ParseInt(d, 10, 64)
	}
	if err != nil {
		return Data{}, valueError("the integer %s does not fit into 64 bits: write it as a decimal number, with a point", s)
	}
	if negative {
		n = -n
	}
	return DataOf(vector.PyInt(n)), nil
}

func yamlFloat(s string) (float64, bool) {
	d, negative := unsigned(s)
	sign := 1.0
	if negative {
		sign = -1
	}
	switch d {
	case ".inf", ".Inf", ".INF":
		return math.Inf(int(sign)), true
	}
	switch s {
	case ".nan", ".NaN", ".NAN":
		return math.NaN(), true
	}
	whole, fraction, point := strings.Cut(d, ".")
	if !point || whole == "" && len(d) != len(s) {
		return 0, false
	}
	if first, rest, sexagesimal := strings.Cut(whole, ":"); sexagesimal {
		return sixties(sign, first, rest, fraction)
	}
	if whole != "" && (whole[0] == '_' || !consists(whole, "0123456789_")) {
		return 0, false
	}
	digits, exponent := fraction, ""
	if i := strings.IndexAny(fraction, "eE"); i >= 0 {
		digits, exponent = fraction[:i], fraction[i+1:]
		if len(exponent) < 2 || exponent[0] != '+' && exponent[0] != '-' || !consists(exponent[1:], "0123456789") {
			return 0, false
		}
	}
	if digits != "" && !consists(digits, "0123456789_") || whole == "" && (digits == "" || digits[0] == '_') {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(d, "_", ""), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return sign * f, true
}

// sixties reads a number in base 60, such as 190:20:30.15.
func sixties(sign float64, first, rest, fraction string) (float64, bool) {
	if !consists(first, "0123456789_") || first[0] == '_' || !allSixties(strings.Split(rest, ":")) || fraction != "" && !consists(fraction, "0123456789_") {
		return 0, false
	}
	parts := strings.Split(strings.ReplaceAll(first+":"+rest, "_", ""), ":")
	parts[len(parts)-1] += "." + strings.ReplaceAll(fraction, "_", "")
	total, base := 0.0, 1.0
	for _, part := range slices.Backward(parts) {
		f, _ := strconv.ParseFloat(strings.TrimSuffix(part, "."), 64)
		total += float64(f * base)
		base *= 60
	}
	return sign * total, true
}
