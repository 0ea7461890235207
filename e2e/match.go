package e2e

// This file compares an answer with what a golden file wants of it, and, for -update, writes the want anew from the
// answer while keeping the placeholders that still hold.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// more is the key or item that allows for others.
const more = "<more>"

// kinds are the placeholders. None has a group of its own: a placeholder is one group of its pattern.
var kinds = map[string]string{
	"any":    `(?s:.*)`,
	"id":     `[\pL\pN._~:#@-]+`,
	"number": `-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`,
	"string": `(?s:.+)`,
	"time":   `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)`,
}

var (
	placeholder = regexp.MustCompile(`<(any|id|number|string|time)(?: (\w+))?>`)
	variable    = regexp.MustCompile(`\{\{([^{}]+)\}\}`)
)

// matcher compares wants with answers and remembers what their placeholders stood for.
type matcher struct {
	vars     map[string]string
	problems []string
}

func (m *matcher) complain(where, format string, args ...any) {
	m.problems = append(m.problems, where+": "+fmt.Sprintf(format, args...))
}

// expand replaces {{name}} and {{repeat N text}}.
func (m *matcher) expand(text string) (string, error) {
	var failed error
	out := variable.ReplaceAllStringFunc(text, func(found string) string {
		name := strings.TrimSpace(found[2 : len(found)-2])
		if value, ok := m.vars[name]; ok {
			return value
		}
		if words := strings.Fields(name); len(words) == 3 && words[0] == "repeat" {
			if n, err := strconv.Atoi(words[1]); err == nil && n >= 0 {
				return strings.Repeat(words[2], n)
			}
		}
		failed = fmt.Errorf("there is no variable %q here", name)
		return found
	})
	return out, failed
}

// text compares a text that may hold placeholders, and binds their variables when all of it matches.
func (m *matcher) text(where, want, got string) bool {
	want, err := m.expand(want)
	if err != nil {
		m.complain(where, "%v", err)
		return false
	}
	pattern, names := compile(want)
	found := pattern.FindStringSubmatch(got)
	if found == nil {
		m.complain(where, "want %s, got %s", shorten(want), shorten(got))
		return false
	}
	for i, name := range names {
		if !m.bind(where, name, found[i+1]) {
			return false
		}
	}
	return true
}

// compile turns a text with placeholders into a pattern and the names of its groups.
func compile(want string) (*regexp.Regexp, []string) {
	var b strings.Builder
	var names []string
	end := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(want, -1) {
		b.WriteString(regexp.QuoteMeta(want[end:at[0]]) + "(" + kinds[want[at[2]:at[3]]] + ")")
		name := ""
		if at[4] >= 0 {
			name = want[at[4]:at[5]]
		}
		names = append(names, name)
		end = at[1]
	}
	b.WriteString(regexp.QuoteMeta(want[end:]))
	return regexp.MustCompile(`^` + b.String() + `$`), names
}

func (m *matcher) bind(where, name, value string) bool {
	if name == "" {
		return true
	}
	if old, ok := m.vars[name]; ok && old != value {
		m.complain(where, "{{%s}} is %s, got %s", name, shorten(old), shorten(value))
		return false
	}
	m.vars[name] = value
	return true
}

// json compares two values; where is the path to them.
func (m *matcher) json(where string, want, got node) {
	switch want := want.(type) {
	case string:
		m.jsonString(where, want, got)
	case *object:
		if got, ok := got.(*object); ok {
			m.jsonObject(where, want, got)
			return
		}
		m.complain(where, "want an object, got %s", clip(flatten(got)))
	case *list:
		if got, ok := got.(*list); ok {
			m.jsonList(where, want, got)
			return
		}
		m.complain(where, "want a list, got %s", clip(flatten(got)))
	default:
		if !sameScalar(want, got) {
			m.complain(where, "want %s, got %s", flatten(want), clip(flatten(got)))
		}
	}
}

// jsonString compares a string of the file. Where it is one placeholder or variable, the value may be a number,
// and for <any> whatever there is.
func (m *matcher) jsonString(where, want string, got node) {
	whole := placeholder.FindStringSubmatch(want)
	alone := whole != nil && whole[0] == want
	switch value := got.(type) {
	case string:
		if alone && whole[1] == "number" {
			m.complain(where, "want a number, got the string %s", shorten(value))
			return
		}
		m.text(where, want, value)
	case json.Number:
		if alone && whole[1] != "string" && whole[1] != "time" || variable.FindString(want) == want && want != "" {
			m.text(where, want, value.String())
			return
		}
		m.complain(where, "want %s, got the number %s", shorten(want), value)
	default:
		if alone && whole[1] == "any" {
			m.bind(where, whole[2], flatten(got))
			return
		}
		m.complain(where, "want %s, got %s", shorten(want), clip(flatten(got)))
	}
}

func (m *matcher) jsonObject(where string, want, got *object) {
	_, open := want.get(more)
	for _, w := range want.members {
		if w.key == more {
			continue
		}
		key, err := m.expand(w.key)
		if err != nil {
			m.complain(where, "%v", err)
			continue
		}
		if g, ok := got.get(key); ok {
			m.json(where+"."+key, w.value, g)
		} else {
			m.complain(where, "there is no %q", key)
		}
	}
	for _, g := range got.members {
		if !open && !slices.ContainsFunc(want.members, func(w member) bool { key, _ := m.expand(w.key); return key == g.key }) {
			m.complain(where, "unexpected %q: %s", g.key, clip(flatten(g.value)))
		}
	}
}

func (m *matcher) jsonList(where string, want, got *list) {
	items, open := want.items, false
	if n := len(items); n > 0 && items[n-1] == node(more) {
		items, open = items[:n-1], true
	}
	if len(got.items) < len(items) || !open && len(got.items) > len(items) {
		m.complain(where, "want %d items, got %d: %s", len(items), len(got.items), clip(flatten(got)))
		return
	}
	for i, w := range items {
		m.json(fmt.Sprintf("%s[%d]", where, i), w, got.items[i])
	}
}

// sameScalar compares numbers by value, the rest by identity.
func sameScalar(want, got node) bool {
	w, ok1 := want.(json.Number)
	g, ok2 := got.(json.Number)
	if !ok1 || !ok2 {
		return !ok1 && !ok2 && isScalar(got) && want == got
	}
	if w == g {
		return true
	}
	a, err1 := w.Float64()
	b, err2 := g.Float64()
	return err1 == nil && err2 == nil && a == b && (strings.ContainsAny(string(w+g), ".eE"))
}

func isScalar(n node) bool {
	switch n.(type) {
	case *object, *list:
		return false
	}
	return true
}

// rewrite returns got in the words of want: what want says about it stays where it still holds.
func (m *matcher) rewrite(want, got node) node {
	probe := &matcher{vars: m.vars}
	if probe.json("", want, got); len(probe.problems) == 0 && isScalar(want) {
		return want
	}
	switch got := got.(type) {
	case *object:
		old, _ := want.(*object)
		if old == nil {
			old = &object{}
		}
		_, open := old.get(more)
		out := &object{}
		for _, g := range got.members {
			w, known := old.get(g.key)
			if !known && open {
				continue
			}
			out.members = append(out.members, member{g.key, m.rewrite(w, g.value)})
		}
		if open {
			out.members = append(out.members, member{more, "<any>"})
		}
		return out
	case *list:
		old, _ := want.(*list)
		if old == nil {
			old = &list{}
		}
		out := &list{}
		for i, g := range got.items {
			var w node
			if i < len(old.items) {
				w = old.items[i]
			}
			if w == node(more) {
				out.items = append(out.items, more)
				break
			}
			out.items = append(out.items, m.rewrite(w, g))
		}
		return out
	case string:
		return m.literal(got)
	}
	return got
}

// literal writes a string of an answer: times as <time>, the value of a variable as its name.
func (m *matcher) literal(got string) string {
	if _, err := time.Parse(time.RFC3339, got); err == nil {
		return "<time>"
	}
	const tellingLength = 6 // a shorter value may be the same by chance
	for name, value := range m.vars {
		if len(value) >= tellingLength && value == got {
			return "{{" + name + "}}"
		}
	}
	return got
}

// shorten quotes a text, clip cuts JSON: neither lets one value fill the screen.
func shorten(text string) string { return strconv.Quote(clip(text)) }

func clip(text string) string {
	const most = 300
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
