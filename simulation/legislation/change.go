package legislation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// located is a parameter with everything on the way to it, the root first.
type located struct {
	parameter *Parameter
	way       []ParameterItem
}

// locate finds the parameter that a path names.
func (n *ParameterNode) locate(path string) (located, error) {
	at := located{way: []ParameterItem{n}}
	var item ParameterItem = n
	steps := strings.Split(path, ".")
	for i, step := range steps {
		next, err := at.step(item, step)
		if err != nil {
			return at, n.lost(path, steps, i, err)
		}
		item = next
	}
	if p, ok := item.(*Parameter); ok {
		at.parameter = p
		return at, nil
	}
	return at, n.noValue(path, item)
}

// step goes on to what a step of a path names, which may be a bracket: brackets[2] of a scale, or scale[2] of its node.
func (l *located) step(item ParameterItem, step string) (ParameterItem, error) {
	name, place, indexed := strings.Cut(step, "[")
	if node, ok := item.(*ParameterNode); ok && !(indexed && name == "brackets") {
		child, ok := node.Children.Get(name)
		if !ok {
			return nil, &ParameterNotFound{Name: name}
		}
		l.way = append(l.way, child)
		if !indexed {
			return child, nil
		}
		item, name = child, "brackets"
	}
	scale, ok := item.(*ParameterScale)
	if !ok {
		return nil, &ParameterNotFound{Name: name}
	}
	if indexed && name != "brackets" {
		return nil, valueError("\"%s\" has no \"%s\": write %s", scale.Name, step, scale.example())
	}
	if !indexed {
		return nil, valueError("\"%s\" is a scale: its values are %s", scale.Name, scale.example())
	}
	i, err := strconv.Atoi(strings.TrimSuffix(place, "]"))
	if err != nil || !strings.HasSuffix(place, "]") || i < 0 || i >= len(scale.Brackets) {
		return nil, valueError("there is no bracket \"%s\": \"%s\" has %d brackets, brackets[0] to brackets[%d]", step, scale.Name, len(scale.Brackets), len(scale.Brackets)-1)
	}
	l.way = append(l.way, scale.Brackets[i])
	return scale.Brackets[i], nil
}

// example is a path to a value of the scale.
func (s *ParameterScale) example() string {
	if len(s.Brackets) == 0 {
		return "none: it has no brackets"
	}
	name := "rate"
	if keys := s.Brackets[0].Children.Keys(); len(keys) > 0 {
		name = keys[0]
	}
	return fmt.Sprintf("\"%s.brackets[0].%s\" and so on, up to brackets[%d]", s.Name, name, len(s.Brackets)-1)
}

// lost is the error for a path whose step i leads nowhere.
func (n *ParameterNode) lost(path string, steps []string, i int, err error) error {
	if _, missing := errors.AsType[*ParameterNotFound](err); !missing {
		return err
	}
	known := strings.Join(steps[:i], ".")
	parent := n
	if i > 0 {
		at, _ := n.locate(known)
		last := at.way[len(at.way)-1]
		switch last := last.(type) {
		case *ParameterNode:
			parent = last
		default:
			return valueError("there is no parameter \"%s\": \"%s\" has nothing below it", path, known)
		}
	}
	text := fmt.Sprintf("there is no parameter \"%s\"", path)
	if strings.HasSuffix(known, "]") { // what other brackets or nodes have is not what was meant
		return valueError("%s: \"%s\" has %s", text, known, some(parent.Children.Keys()))
	}
	if near := n.nearestPath(parent, known, steps[i:]); near != "" {
		return valueError("%s; did you mean \"%s\"?", text, near)
	}
	where := "the law"
	if known != "" {
		where = "\"" + known + "\""
	}
	return valueError("%s: %s has %s", text, where, some(parent.Children.Keys()))
}

// nearestPath is the path that was most likely meant by one whose rest is not below parent.
func (n *ParameterNode) nearestPath(parent *ParameterNode, known string, rest []string) string {
	name, bracket, indexed := strings.Cut(rest[0], "[")
	if near := Nearest(name, slices.Values(parent.Children.Keys())); near != "" {
		if indexed {
			near += "[" + bracket
		}
		path := strings.Join(append([]string{compose(known, near)}, rest[1:]...), ".")
		if _, err := n.locate(path); err == nil || len(rest) == 1 {
			return path
		}
		return compose(known, near)
	}
	// A name that is elsewhere: the path has moved, or begins too late.
	last := rest[len(rest)-1]
	whole := compose(known, strings.Join(rest, "."))
	var ends []string
	for item := range n.Descendants() {
		if full := item.Info().Name; full == last || strings.HasSuffix(full, "."+last) {
			if ends = append(ends, full); strings.HasSuffix(full, "."+whole) {
				return full
			}
		}
	}
	if len(ends) == 1 {
		return ends[0]
	}
	return Nearest(whole, slices.Values(ends))
}

// some lists a few names.
func some(names []string) string {
	const few = 8
	if len(names) > few {
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
	}
	return strings.Join(names, ", ")
}

// noValue is the error for a path to what is no value.
func (n *ParameterNode) noValue(path string, item ParameterItem) error {
	switch item := item.(type) {
	case *ParameterScale:
		return valueError("\"%s\" is a scale, not a value: its values are %s", path, item.example())
	case *ParameterNode:
		return valueError("\"%s\" is not a value: name one below it; it has %s", path, some(item.Children.Keys()))
	}
	return valueError("\"%s\" is no value", path)
}

// kinds are the kinds of values that a parameter has.
type kinds struct {
	number, truth, text, list bool
	dates                     bool // every text is a day
	elements                  *kinds
}

func (k *kinds) see(d Data) {
	switch d.Kind {
	case List:
		k.list = true
		if k.elements == nil {
			k.elements = &kinds{dates: true}
		}
		for _, e := range d.List {
			k.elements.see(e)
		}
	case Scalar:
		switch d.Scalar.Type() {
		case vector.Bool:
			k.truth = true
		case vector.Str:
			k.text = true
			k.dates = k.dates && isDay(d.Scalar.Text(0))
		default:
			k.number = true
		}
	}
}

func isDay(text string) bool {
	i, ok := parseDay(text)
	return ok && len(text) == len("2024-01-01") && i.Valid()
}

// kinds looks at all values of the parameter.
func (p *Parameter) kinds() kinds {
	k := kinds{dates: true}
	for i := range p.Values {
		k.see(p.Values[i].Value)
	}
	return k
}

// words says what the parameter takes.
func (k *kinds) words() string {
	var words []string
	if k.number {
		words = append(words, "numbers")
	}
	if k.truth {
		words = append(words, "true and false")
	}
	switch {
	case k.text && k.dates:
		words = append(words, "days such as \"2024-01-31\"")
	case k.text:
		words = append(words, "texts")
	}
	if k.list {
		inner := k.elements.words()
		if inner == "" {
			inner = "values"
		}
		words = append(words, "lists of "+inner)
	}
	return strings.Join(words, " or ")
}

// takes tells whether a value is of a kind that there is.
func (k *kinds) takes(d Data) bool {
	switch d.Kind {
	case List:
		return k.list && len(d.List) <= maxListValue && !slices.ContainsFunc(d.List, func(e Data) bool {
			return e.Kind != Scalar || *k.elements != kinds{dates: true} && !k.elements.takes(e)
		})
	case Scalar:
		switch d.Scalar.Type() {
		case vector.Bool:
			return k.truth
		case vector.Str:
			return k.text && (!k.dates || isDay(d.Scalar.Text(0)))
		}
		return k.number && d.Written == nil
	}
	return false
}

// check makes sure that the change suits a parameter whose values are of some kinds since a first, and gives the value.
func (c *Change) check(k kinds, first DatedValue) (Data, error) {
	if c.Free {
		return c.Value, nil
	}
	if k == (kinds{dates: true}) {
		return Data{}, valueError("\"%s\" has no value on any day, so the kind of its values is unknown", c.Path)
	}
	value := c.Value
	if c.written != nil && k.text && !k.takes(value) {
		value = DataOf(vector.PyStr(*c.written))
	}
	if !k.takes(value) {
		got := value.kindName()
		switch {
		case value.Written != nil:
			got = "a number beyond all that can be computed with"
		case value.Kind == Null:
			got = "null"
		case value.Kind == Scalar && value.Scalar.Type() == vector.Str:
			got = fmt.Sprintf("the text %q", shortened(value.Scalar.Text(0)))
		}
		return Data{}, valueError("\"%s\" takes %s, got %s", c.Path, k.words(), got)
	}
	if c.From == (period.Instant{}) {
		return value, nil
	}
	if c.From.Before(first.Start) {
		return Data{}, valueError("\"%s\" has no value before %s: give a day from then on, not %s", c.Path, first.StartText(), c.From)
	}
	return value, nil
}

// shortened is the beginning of a text that may be long.
func shortened(text string) string {
	const most = 40
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}

// first is the oldest value.
func (p *Parameter) first() DatedValue {
	var first DatedValue
	for i := range p.Values {
		if p.Values[i].Value.Kind != Null {
			first = p.Values[i]
		}
	}
	return first
}

// inOrder orders changes of one parameter so that all of them are seen: by the day they begin; those that last longer
// come first, and give way to the others.
func inOrder(a, b Change) int {
	if c := a.From.Compare(b.From); c != 0 {
		return c
	}
	end := func(c Change) period.Instant {
		if c.Until == nil {
			return lastOfAll
		}
		return *c.Until
	}
	return cmp.Or(end(b).Compare(end(a)), cmp.Compare(a.Path, b.Path))
}

// apply gives a parameter the value of the change.
func (c *Change) apply(line *timeline, value Data) error {
	from := c.From
	if from == (period.Instant{}) {
		from = period.Instant{Year: 1, Month: 1, Day: 1}
	}
	if err := line.set(from, c.Until, value); err != nil {
		return valueError("\"%s\": %v", c.Path, err)
	}
	return nil
}
