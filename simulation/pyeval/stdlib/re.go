package stdlib

import (
	"regexp"
	"regexp/syntax"
	"strings"

	py "edict/simulation/pyeval"
)

// reTable is module re, on Go's regular expressions: the same syntax but for look-around and
// back-references, which are refused.
func reTable() py.Table {
	find := func(name, before, after string) py.Value {
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			pattern, text, flags := py.None, "", 0
			th.Unpack(name, args, kws, "pattern", &pattern, "string", &text, "flags?", &flags)
			return patternOf(th, pattern, flags).match(th, before, after, text)
		})
	}
	return py.Table{
		"A":          py.Int(256),
		"ASCII":      py.Int(256),
		"DOTALL":     py.Int(16),
		"I":          py.Int(2),
		"IGNORECASE": py.Int(2),
		"L":          py.Int(4),
		"LOCALE":     py.Int(4),
		"M":          py.Int(8),
		"MULTILINE":  py.Int(8),
		"S":          py.Int(16),
		"U":          py.Int(32),
		"UNICODE":    py.Int(32),
		"compile": py.Pure("compile", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			pattern, flags := py.None, 0
			th.Unpack("compile", args, kws, "pattern", &pattern, "flags?", &flags)
			return py.Obj(patternOf(th, pattern, flags))
		}),
		"escape": py.Pure("escape", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var text string
			th.Unpack("escape", args, kws, "pattern", &text)
			return py.String(regexp.QuoteMeta(text))
		}),
		"findall": py.Pure("findall", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			pattern, text, flags := py.None, "", 0
			th.Unpack("findall", args, kws, "pattern", &pattern, "string", &text, "flags?", &flags)
			return patternOf(th, pattern, flags).all(th, text)
		}),
		"fullmatch": find("fullmatch", `\A(?:`, `)\z`),
		"match":     find("match", `\A(?:`, `)`),
		"search":    find("search", "", ""),
		"split": py.Pure("split", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			pattern, text := py.None, ""
			th.Unpack("split", args, kws, "pattern", &pattern, "string", &text)
			return patternOf(th, pattern, 0).split(th, text)
		}),
		"sub": py.Pure("sub", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			pattern, repl, text := py.None, py.None, ""
			th.Unpack("sub", args, kws, "pattern", &pattern, "repl", &repl, "string", &text)
			return patternOf(th, pattern, 0).sub(th, repl, text)
		}),
	}
}

// rePattern is a compiled pattern.
type rePattern struct {
	text string
	re   *regexp.Regexp
	size int // instructions
}

var (
	patternType = py.NewClass("Pattern", nil)
	matchType   = py.NewClass("Match", nil)
)

// Type implements [py.Object].
func (*rePattern) Type() *py.Class { return patternType }

func patternOf(th *py.Thread, v py.Value, flags int) *rePattern {
	if p, ok := v.Object().(*rePattern); ok {
		return p
	}
	text, ok := v.AsString()
	if !ok {
		th.Raise(py.TypeError, "first argument must be string or compiled pattern")
	}
	text = strings.ReplaceAll(text, `\Z`, `\z`)
	if flags&2 != 0 {
		text = "(?i)" + text
	}
	if flags&8 != 0 {
		text = "(?m)" + text
	}
	if flags&16 != 0 {
		text = "(?s)" + text
	}
	th.Tick(len(text))
	if len(text) > maxPattern {
		th.Raise(py.ValueError, "a pattern of more than %d bytes is not supported", maxPattern)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		th.Raise(py.ValueError, "pattern %s is not supported: %s", th.Repr(v), err.Error())
	}
	return &rePattern{text: text, re: re, size: patternSize(text)}
}

// maxPattern bounds the text of a pattern, maxMatching what a search goes through: the instructions of a pattern times the
// bytes of a text.
const (
	maxPattern  = 1 << 16
	maxMatching = 1 << 28
)

// patternSize is how many instructions a pattern that compiles has.
func patternSize(text string) int {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 1
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 1
	}
	return len(prog.Inst)
}

// search counts the time that a search takes, at most, and refuses one that would take too long.
func (p *rePattern) search(th *py.Thread, text string) {
	if len(text) > maxMatching/p.size {
		th.Raise(py.ValueError, "a text of %d bytes is too long for this pattern", len(text))
	}
	th.Work(len(text) * p.size)
}

// match finds the first match of the pattern between two anchors.
func (p *rePattern) match(th *py.Thread, before, after, text string) py.Value {
	p.search(th, text)
	re := p.re
	if before != "" {
		re = regexp.MustCompile(before + p.text + after)
	}
	at := re.FindStringSubmatchIndex(text)
	if at == nil {
		return py.None
	}
	return py.Obj(&reMatch{re, text, at})
}

func (p *rePattern) all(th *py.Thread, text string) py.Value {
	var items []py.Value
	for _, m := range p.find(th, text) {
		th.Tick(1)
		match := reMatch{p.re, text, m}
		switch len(m) / 2 {
		case 1:
			items = py.Grown(th, items, match.groupText(0))
		case 2:
			items = py.Grown(th, items, match.groupText(1))
		default:
			groups := make([]py.Value, 0, len(m)/2-1)
			for i := 1; i < len(m)/2; i++ {
				groups = append(groups, match.groupText(i))
			}
			items = py.Grown(th, items, py.NewTuple(groups))
		}
	}
	return py.Obj(py.NewList(items))
}

// split cuts a text where the pattern matches.
func (p *rePattern) split(th *py.Thread, text string) py.Value {
	var items []py.Value
	at := 0
	for _, m := range p.find(th, text) {
		if m[1] == 0 || m[0] == len(text) && m[0] == m[1] {
			continue // an empty match at an end cuts nothing off
		}
		items = py.Grown(th, items, py.String(text[at:m[0]]))
		at = m[1]
	}
	return py.Obj(py.NewList(py.Grown(th, items, py.String(text[at:]))))
}

// matchBytes is what a group of a match takes, at most.
const matchBytes = 48

// find finds every match.
func (p *rePattern) find(th *py.Thread, text string) [][]int {
	p.search(th, text)
	size := matchBytes * (p.re.NumSubexp() + 1)
	found := p.re.FindAllStringSubmatchIndex(text, th.MostParts(size)+1)
	th.AllocMany(len(found), size)
	return found
}

var groupReference = regexp.MustCompile(`\\(\d+|g<(\w+)>)`)

func (p *rePattern) sub(th *py.Thread, repl py.Value, text string) py.Value {
	if with, ok := repl.AsString(); ok {
		with = strings.ReplaceAll(with, "$", "$$")
		with = groupReference.ReplaceAllStringFunc(with, func(ref string) string {
			return "${" + strings.Trim(ref, `\g<>`) + "}"
		})
		b, at := py.NewTextBuilder(th), 0
		for _, m := range p.find(th, text) {
			b.Add(text[at:m[0]])
			b.Add(string(p.re.ExpandString(nil, with, text, m)))
			at = m[1]
		}
		b.Add(text[at:])
		return py.String(b.String())
	}
	b, at := py.NewTextBuilder(th), 0
	for _, m := range p.find(th, text) {
		b.Add(text[at:m[0]])
		b.Add(th.Str(th.InvokeKw(repl, []py.Value{py.Obj(&reMatch{p.re, text, m})}, nil)))
		at = m[1]
	}
	b.Add(text[at:])
	return py.String(b.String())
}

// Attr implements [py.Attrer].
func (p *rePattern) Attr(th *py.Thread, name string) (py.Value, bool) {
	if name == "pattern" {
		return py.String(p.text), true
	}
	f, ok := reTable()[name]
	if !ok {
		return py.Value{}, false
	}
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		return th.InvokeKw(f, append([]py.Value{py.Obj(p)}, args...), kws)
	}), true
}

// reMatch is a match.
type reMatch struct {
	re   *regexp.Regexp
	text string
	at   []int
}

// Type implements [py.Object].
func (*reMatch) Type() *py.Class { return matchType }

func (m *reMatch) group(i int) py.Value {
	if m.at[2*i] < 0 {
		return py.None
	}
	return py.String(m.text[m.at[2*i]:m.at[2*i+1]])
}

// groupText is a group, or "" for one that took no part.
func (m *reMatch) groupText(i int) py.Value {
	if v := m.group(i); !v.IsNone() {
		return v
	}
	return py.String("")
}

func (m *reMatch) index(th *py.Thread, v py.Value) int {
	i, ok := v.AsInt()
	if name, isText := v.AsString(); isText {
		i, ok = int64(m.re.SubexpIndex(name)), true
	}
	if !ok || i < 0 || int(i) > m.re.NumSubexp() {
		th.Raise(py.IndexError, "no such group")
	}
	return int(i)
}

// Attr implements [py.Attrer].
func (m *reMatch) Attr(_ *py.Thread, name string) (py.Value, bool) {
	var f py.GoFunc
	switch name {
	case "group":
		f = func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			if len(args) == 0 {
				return m.group(0)
			}
			return m.group(m.index(th, args[0]))
		}
	case "groups":
		f = func(*py.Thread, []py.Value, []py.Kw) py.Value {
			var items []py.Value
			for i := 1; i <= m.re.NumSubexp(); i++ {
				items = append(items, m.group(i))
			}
			return py.NewTuple(items)
		}
	case "groupdict":
		f = func(*py.Thread, []py.Value, []py.Kw) py.Value {
			d := py.NewDict()
			for i, name := range m.re.SubexpNames() {
				if name != "" {
					d.Set(py.String(name), m.group(i))
				}
			}
			return py.Obj(d)
		}
	case "start", "end":
		f = func(*py.Thread, []py.Value, []py.Kw) py.Value {
			if name == "start" {
				return py.Int(int64(m.at[0]))
			}
			return py.Int(int64(m.at[1]))
		}
	default:
		return py.Value{}, false
	}
	return py.Pure(name, f), true
}

// Item is match[group].
func (m *reMatch) Item(th *py.Thread, key py.Value) py.Value { return m.group(m.index(th, key)) }
