package legislation

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// Reform is a reform that is written as data: parameters that have other values, and variables that keep their default.
// [System.Derive] applies it.
type Reform struct {
	Name string
	// Base is the key of the reform that this one is applied after, "" for none.
	Base       string
	Changes    []Change
	Neutralize []string
}

// Change gives a parameter a value.
type Change struct {
	// Path is the full name of a parameter; a value of a scale is scale.brackets[0].rate, threshold or amount.
	Path string
	// From is the first day of the value; the zero instant means for all time.
	From period.Instant
	// Until is the last day of the value; nil means for ever.
	Until *period.Instant
	Value Data
	// Free lets the value be of any kind and begin before the parameter has one, as code may change parameters.
	Free bool

	day     string  // as it was written, for errors
	written *string // the value on a command line, where quotes are not needed
}

// ReformError is something that is wrong with a reform: which of several, where it stands in it, and what.
type ReformError struct {
	Reform int
	Place  []string
	Msg    string
}

func (e *ReformError) Error() string { return e.Msg }

// ReformErrors is everything that is wrong with a reform.
type ReformErrors []ReformError

// Error has a line for each problem.
func (es ReformErrors) Error() string {
	lines := make([]string, len(es))
	for i := range es {
		lines[i] = es[i].Msg
	}
	return strings.Join(lines, "\n")
}

func (es *ReformErrors) add(place []string, format string, args ...any) {
	if len(*es) < maxReformErrors {
		*es = append(*es, ReformError{Place: place, Msg: fmt.Sprintf(format, args...)})
	}
}

const (
	maxChanges      = 10_000 // of one reform
	maxReformErrors = 100    // that are told
	maxListValue    = 1000   // elements of a value that is a list
	maxPath         = 512    // bytes of a path
	maxName         = 1000   // bytes of a name of a reform, or of a key
)

var reformKeys = []string{"name", "parameters", "neutralize", "base"}

// ReadReform reads a reform: an object with the keys name, parameters, neutralize and base. Whether its paths and names
// are there is seen when it is applied: what could be read is given beside the errors, so that a caller can have that looked at as well.
func ReadReform(d Data) (*Reform, ReformErrors) {
	r := &Reform{}
	var wrong ReformErrors
	for _, key := range d.Map.Keys() {
		if !slices.Contains(reformKeys, key) {
			wrong.add([]string{key}, "Unexpected item: a reform has %s%s", strings.Join(reformKeys, ", "), didYouMean(Nearest(key, slices.Values(reformKeys))))
		}
	}
	r.Name = readString(d, "name", &wrong)
	r.Base = readString(d, "base", &wrong)
	r.readParameters(d, &wrong)
	r.readNeutralize(d, &wrong)
	if len(wrong) == 0 && len(r.Changes)+len(r.Neutralize) == 0 {
		wrong.add(nil, "a reform changes something: give it parameters, such as {\"a.parameter\": {\"2024-01-01\": 1}}, or names of variables to neutralize")
	}
	return r, wrong
}

func readString(d Data, key string, wrong *ReformErrors) string {
	v, ok := d.Get(key)
	if !ok {
		return ""
	}
	text, ok := v.Text()
	switch {
	case !ok:
		wrong.add([]string{key}, "expected a text, got %s", v.kindName())
	case text == "":
		wrong.add([]string{key}, "expected a text, got an empty one")
	case len(text) > maxName:
		wrong.add([]string{key}, "expected a text of at most %d bytes, got %d", maxName, len(text))
		return ""
	}
	return strings.Clone(text)
}

// detached copies a value of a document that is used again.
func (d Data) detached() Data {
	switch d.Kind {
	case List:
		list := make([]Data, min(len(d.List), maxListValue+1))
		for i := range list {
			list[i] = d.List[i].detached()
		}
		return Data{Kind: List, List: list}
	case Scalar:
		switch d.Scalar.Type() {
		case vector.Str:
			return DataOf(vector.PyStr(strings.Clone(d.Scalar.Text(0))))
		case vector.Bool:
			return DataOf(vector.PyBool(d.Scalar.Bool(0)))
		case vector.Int64:
			return Data{Kind: Scalar, Scalar: vector.PyInt(d.Scalar.Int(0)), Written: d.Written}
		}
		return Data{Kind: Scalar, Scalar: vector.PyFloat(d.Scalar.Float(0)), Written: d.Written}
	case Mapping:
		return Data{Kind: Mapping}
	}
	return d
}

func (r *Reform) readParameters(d Data, wrong *ReformErrors) {
	parameters, ok := d.Get("parameters")
	if !ok {
		return
	}
	if parameters.Kind != Mapping {
		wrong.add([]string{"parameters"}, "expected an object of parameters, such as {\"a.parameter\": {\"2024-01-01\": 1}}, got %s", parameters.kindName())
		return
	}
	for path, days := range parameters.Map.All() {
		if len(path) > maxPath {
			wrong.add([]string{"parameters", shortened(path)}, "no parameter has a name of more than %d bytes", maxPath)
			continue
		}
		if days.Kind != Mapping || days.Map.Len() == 0 {
			wrong.add([]string{"parameters", path}, "expected the values of \"%s\" by the day they begin, such as {\"2024-01-01\": 1}, or by range, such as {\"2024-01-01.2024-12-31\": 1}, got %s", path, emptyOr(days))
			continue
		}
		for day, value := range days.Map.All() {
			c := Change{Path: strings.Clone(path), Value: value.detached(), day: strings.Clone(day)}
			if err := c.readDays(day); err != nil {
				wrong.add(c.place(), "\"%s\": %v", path, err)
				continue
			}
			r.Changes = append(r.Changes, c)
			if len(r.Changes) > maxChanges {
				wrong.add([]string{"parameters"}, "a reform has %d values at most", maxChanges)
				return
			}
		}
	}
}

func emptyOr(d Data) string {
	if d.Kind == Mapping {
		return "none"
	}
	return d.kindName()
}

func (r *Reform) readNeutralize(d Data, wrong *ReformErrors) {
	names, ok := d.Get("neutralize")
	if !ok {
		return
	}
	if names.Kind != List {
		wrong.add([]string{"neutralize"}, "expected a list of names of variables, got %s", names.kindName())
		return
	}
	if len(names.List) > maxChanges {
		wrong.add([]string{"neutralize"}, "a reform neutralizes %d variables at most", maxChanges)
		return
	}
	for i, name := range names.List {
		text, ok := name.Text()
		if !ok {
			wrong.add([]string{"neutralize", fmt.Sprint(i)}, "expected the name of a variable, got %s", name.kindName())
		} else if text == "" {
			wrong.add([]string{"neutralize", fmt.Sprint(i)}, "expected the name of a variable, got an empty text")
		}
		r.Neutralize = append(r.Neutralize, strings.Clone(text))
	}
}

// place is where the change stands in its reform.
func (c *Change) place() []string {
	if c.written != nil {
		return nil
	}
	return []string{"parameters", c.Path, c.day}
}

// readDays reads START, or START.END, which may also be written START..END: a day, a month or a year each.
func (c *Change) readDays(text string) error {
	first, last, ranged := strings.Cut(text, ".")
	last = strings.TrimPrefix(last, ".")
	from, ok := parseDay(first)
	if c.From = firstDay(from); !ok || !c.From.Valid() {
		return valueError("\"%s\" is no day: write a day, such as 2024-01-01, or a range that ends with its last day, such as 2024-01-01.2024-12-31", first)
	}
	if !ranged {
		return nil
	}
	until, ok := parseDay(last)
	if until = lastDay(until); !ok || !until.Valid() {
		return valueError("the range \"%s\" ends with \"%s\", which is no day: write its last day, such as 2024-01-01.2024-12-31", text, last)
	}
	if until.Before(c.From) {
		return valueError("the range \"%s\" ends before it begins", text)
	}
	if until != lastOfAll {
		c.Until = &until
	}
	return nil
}

// lastOfAll is the last day that there is: a range up to it has no end.
var lastOfAll = period.Instant{Year: 9999, Month: 12, Day: 31}

// firstDay is the first day of what may be a year or a month.
func firstDay(i period.Instant) period.Instant {
	i.Month, i.Day = max(i.Month, 1), max(i.Day, 1)
	return i
}

// lastDay is the last day of what may be a year or a month.
func lastDay(i period.Instant) period.Instant {
	if i.Month == 0 {
		i.Month = 12
	}
	if i.Day == 0 {
		i.Day = int8(period.DaysInMonth(int(i.Year), int(i.Month)))
	}
	return i
}

// ParseSet reads PATH=VALUE, PATH=VALUE@START or PATH=VALUE@START..END, as a reform of one change. Without a day it holds
// for all time.
func ParseSet(text string) (*Reform, error) {
	path, value, ok := strings.Cut(text, "=")
	path = strings.TrimSpace(path)
	if !ok || path == "" || len(path) > maxPath {
		return nil, valueError("\"%s\" is not PATH=VALUE, PATH=VALUE@START or PATH=VALUE@START..END, such as a.rate=0.2@2024-01-01", text)
	}
	c := Change{Path: path, day: "all time"}
	// The last @ begins the days, if a number is behind it: a text may have one, too. What is in quotes is all text.
	if i := strings.LastIndexByte(value, '@'); i >= 0 && !quoted(strings.TrimSpace(value)) && (i+1 == len(value) || value[i+1] >= '0' && value[i+1] <= '9') {
		c.day = strings.TrimSpace(value[i+1:])
		if err := c.readDays(c.day); err != nil {
			return nil, valueError("%s: %v", text, err)
		}
		value = value[:i]
	}
	value = strings.TrimSpace(value)
	if value == "" {
		return nil, valueError("%s: there is no value behind the =", text)
	}
	c.written, c.Value = &value, parseValue(value)
	return &Reform{Name: text, Changes: []Change{c}}, nil
}

// parseValue reads a value of a command line: a number, true or false, a list of those in brackets, or else a text.
func parseValue(text string) Data {
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		list := Data{Kind: List}
		if inner = strings.TrimSpace(strings.TrimSuffix(inner, "]")); inner == "" {
			return list
		}
		for part := range strings.SplitSeq(inner, ",") {
			list.List = append(list.List, parseScalar(strings.TrimSpace(part)))
		}
		return list
	}
	return parseScalar(text)
}

func parseScalar(text string) Data {
	if n, ok := parseNumber(text); ok {
		return DataOf(n.Column())
	}
	switch text {
	case "true":
		return DataOf(vector.PyBool(true))
	case "false":
		return DataOf(vector.PyBool(false))
	case "null":
		return Data{}
	}
	if quoted(text) {
		text = text[1 : len(text)-1]
	}
	return DataOf(vector.PyStr(text))
}

func quoted(text string) bool {
	n := len(text)
	return n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0]
}

// parseNumber reads a whole or a decimal number.
func parseNumber(text string) (Number, bool) {
	if !consists(text, "0123456789+-.eE") {
		return Number{}, false
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return IntNumber(i), true
	}
	f, err := strconv.ParseFloat(text, 64)
	return FloatNumber(f), err == nil
}

// content tells reforms apart by what they do and are called, in some bytes.
func (r *Reform) content() string {
	h := sha256.New()
	r.describe(h)
	return string(h.Sum(nil))
}

func (r *Reform) describe(w io.Writer) {
	fmt.Fprintf(w, "%q %d %q\n", r.Name, len(r.Changes), r.Neutralize)
	for _, c := range r.Changes {
		until := period.Instant{}
		if c.Until != nil {
			until = *c.Until
		}
		fmt.Fprintf(w, "%q %v %v %v ", c.Path, c.From, until, c.written != nil)
		c.Value.describe(w)
	}
}

func (d Data) describe(w io.Writer) {
	fmt.Fprintf(w, "%d %d", d.Kind, len(d.List))
	switch d.Kind {
	case Scalar:
		fmt.Fprintf(w, " %v %q", d.Scalar.Type(), d.Scalar.Repr(0))
	case List:
		for _, e := range d.List {
			e.describe(w)
		}
	}
	fmt.Fprintln(w)
}
