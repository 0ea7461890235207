package legislation

import (
	"fmt"
	"slices"
	"strings"

	"edict/simulation/period"
)

// commonKeys are allowed next to the children of a node, the values of a parameter, the brackets of a scale.
var commonKeys = []string{"description", "documentation", "metadata", "reference", "unit"}

// valueKeys may stand in a value that is written as a mapping.
var valueKeys = []string{"metadata", "reference", "unit", "value"}

// bracketKeys may stand in a bracket. A base, which rates are multiplied by, is one of PolicyEngine's and of OpenFisca-Core's until 35.
var bracketKeys = []string{"amount", "average_rate", "base", "rate", "threshold"}

// Keys tells which properties the data of parameters may have.
type Keys uint8

const (
	// KnownKeys takes another property for a mistake, as OpenFisca-Core does.
	KnownKeys Keys = iota
	// AnyKeys passes over other properties, as PolicyEngine does.
	AnyKeys
)

// BuildParameter makes a parameter item of data, by what it looks like: "values", or nothing but days, is a leaf;
// "brackets" is a scale; any other mapping is a node. Everything that is wrong is reported at once, as [Problems].
func BuildParameter(name string, d Data, file string, keys Keys) (ParameterItem, error) {
	b := itemBuilder{file: file, keys: keys}
	item := b.item(name, d)
	if len(b.problems) > 0 {
		return nil, b.problems
	}
	return item, nil
}

type itemBuilder struct {
	file     string
	keys     Keys
	problems Problems
}

func (b *itemBuilder) problem(d Data, format string, args ...any) {
	b.problems = append(b.problems, Problem{b.file, int(d.Line), fmt.Sprintf(format, args...)})
}

func (b *itemBuilder) item(name string, d Data) ParameterItem {
	if d.Kind != Mapping {
		b.problem(d, "'%s' must be a mapping (of days to values, or of names to parameters), not %s", name, d.kindName())
		return NewParameterNode(name)
	}
	if _, ok := d.Map.Get("values"); ok {
		return b.leaf(name, d)
	}
	if _, ok := d.Map.Get("brackets"); ok {
		return b.scale(name, d)
	}
	if allDays(d) {
		return b.leaf(name, d)
	}
	return b.node(name, d, nil)
}

func allDays(d Data) bool {
	for _, key := range d.Map.Keys() {
		if _, ok := parseDay(key); !ok {
			return false
		}
	}
	return true
}

// parseDay reads 2015, 2015-01 or 2015-01-01; what is not said is 0, so that it sorts first.
//
// The original also takes 2015-01-01-01, by a slip of its pattern, and compares texts: such a value is in force on all
// days that sort after it, the first of which is the day after. Published packages have it.
func parseDay(text string) (period.Instant, bool) {
	var i period.Instant
	parts := strings.Split(text, "-")
	if len(parts) == 4 {
		_, dated := parseDay(parts[0] + "-" + parts[2] + "-" + parts[3])
		day, ok := parseDay(strings.Join(parts[:3], "-"))
		if !ok || !dated {
			return i, false
		}
		next, err := day.Offset(1, period.Day)
		return next, err == nil
	}
	if len(parts) > 3 || len(parts[0]) != 4 {
		return i, false
	}
	bounds := [3]int{9999, 12, 31}
	var n [3]int
	for k, part := range parts {
		if k > 0 && len(part) != 2 || !consists(part, "0123456789") {
			return i, false
		}
		for _, c := range part {
			n[k] = n[k]*10 + int(c-'0')
		}
		if n[k] > bounds[k] || k > 0 && n[k] == 0 {
			return i, false
		}
	}
	return period.Instant{Year: int16(n[0]), Month: int8(n[1]), Day: int8(n[2])}, true
}

// info reads what nodes, leaves and scales have in common.
func (b *itemBuilder) info(name string, d Data) ParameterInfo {
	i := ParameterInfo{Name: name, Metadata: emptyMapping(), Source: Source{File: b.file, Line: int(d.Line)}}
	i.Description = b.text(d, "description")
	i.Documentation = b.text(d, "documentation")
	b.metadata(&i.Metadata, d)
	return i
}

func (b *itemBuilder) text(d Data, key string) string {
	v, ok := d.Get(key)
	if !ok {
		return ""
	}
	if v.Kind == Scalar {
		return v.Scalar.Format(0)
	}
	b.problem(v, "'%s' must be a text, not %s", key, v.kindName())
	return ""
}

// metadata adds unit, reference and the metadata of d to what is there already.
func (b *itemBuilder) metadata(into *Data, d Data) {
	for _, key := range []string{"unit", "reference"} {
		if v, ok := d.Get(key); ok {
			into.Map.Set(key, v)
		}
	}
	m, ok := d.Get("metadata")
	if !ok {
		return
	}
	if m.Kind != Mapping {
		b.problem(m, "'metadata' must be a mapping, not %s", m.kindName())
		return
	}
	for k, v := range m.Map.All() {
		into.Map.Set(k, v)
	}
}

func (b *itemBuilder) allow(name string, d Data, keys []string, more ...string) {
	if b.keys == AnyKeys {
		return
	}
	for k, v := range d.Map.All() {
		if slices.Contains(keys, k) || slices.Contains(more, k) {
			continue
		}
		allowed := slices.Concat(keys, more)
		b.problem(v, "'%s' is not a property that '%s' can have%s; the properties are %s",
			k, name, didYouMean(Nearest(k, slices.Values(allowed))), strings.Join(allowed, ", "))
	}
}

// node makes a node, of the children that are named only if some are.
func (b *itemBuilder) node(name string, d Data, only []string) *ParameterNode {
	n := &ParameterNode{ParameterInfo: b.info(name, d), Children: NewOrdered[ParameterItem]()}
	if only != nil {
		b.allow(name, d, only)
	}
	for key, child := range d.Map.All() {
		if slices.Contains(commonKeys, key) || only != nil && !slices.Contains(only, key) {
			continue
		}
		n.Children.Set(key, b.item(compose(name, key), child))
	}
	return n
}

// compose gives the full name of a child.
func compose(parent, child string) string {
	if parent == "" {
		return child
	}
	return parent + "." + child
}

func (b *itemBuilder) leaf(name string, d Data) *Parameter {
	p := &Parameter{ParameterInfo: ParameterInfo{Name: name, Metadata: emptyMapping(), Source: Source{File: b.file, Line: int(d.Line)}}}
	values := d
	if v, ok := d.Get("values"); ok {
		p.ParameterInfo = b.info(name, d)
		b.allow(name, d, commonKeys, "values")
		if v.Kind != Mapping {
			b.problem(v, "the values of '%s' must be a mapping of days to values, not %s", name, v.kindName())
			return p
		}
		values = v
	}
	for key, v := range values.Map.All() {
		start, ok := parseDay(key)
		if !ok {
			b.problem(v, "'%s' in '%s' is not a day: write it as 2017-01-15", key, name)
			continue
		}
		if expected(v) {
			continue
		}
		p.Values = append(p.Values, b.dated(name, key, start, v))
	}
	slices.SortStableFunc(p.Values, func(x, y DatedValue) int { return y.Start.Compare(x.Start) })
	return p
}

// expected marks values that the law has announced and not set; they are there for readers only.
func expected(v Data) bool {
	if text, ok := v.Text(); ok {
		return text == "expected"
	}
	mark, ok := v.Get("expected")
	return ok && truth(mark)
}

func truth(d Data) bool {
	switch d.Kind {
	case Scalar:
		return d.Scalar.Bool(0)
	case List:
		return len(d.List) > 0
	case Mapping:
		return d.Map.Len() > 0
	}
	return false
}

func (b *itemBuilder) dated(parameter, day string, start period.Instant, v Data) DatedValue {
	if v.Kind != Mapping {
		return DatedValue{Start: start, Value: v}
	}
	name := parameter + "[" + day + "]"
	b.allow(name, v, valueKeys)
	value, ok := v.Map.Get("value")
	if !ok {
		b.problem(v, "'%s' has no 'value'", name)
	}
	if value.Kind == Mapping {
		b.problem(value, "the value of '%s' must be a number, a truth value, a text, a list or null, not a mapping", name)
	}
	dated := DatedValue{Start: start, Value: value}
	if v.Map.Len() > 1 {
		said := emptyMapping()
		b.metadata(&said, v)
		dated.SetMetadata(said)
	}
	return dated
}

func (b *itemBuilder) scale(name string, d Data) *ParameterScale {
	s := &ParameterScale{ParameterInfo: b.info(name, d)}
	b.allow(name, d, commonKeys, "brackets")
	brackets, _ := d.Map.Get("brackets")
	if brackets.Kind != List {
		b.problem(brackets, "the brackets of '%s' must be a list, not %s", name, brackets.kindName())
		return s
	}
	for i, bracket := range brackets.List {
		bracketName := fmt.Sprintf("%s[%d]", name, i)
		if bracket.Kind != Mapping {
			b.problem(bracket, "'%s' must be a mapping, not %s", bracketName, bracket.kindName())
			continue
		}
		s.Brackets = append(s.Brackets, b.node(bracketName, bracket, bracketKeys))
	}
	return s
}
