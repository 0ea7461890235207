package pyeval

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// reTable is module re, on Go's regular expressions: the same syntax but for look-around and
// back-references, which are refused.
func reTable() Table {
	find := func(name, before, after string) Value {
		return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
			pattern, text, flags := None, "", 0
			th.Unpack(name, args, kws, "pattern", &pattern, "string", &text, "flags?", &flags)
			return th.patternOf(pattern, flags).match(th, before, after, text)
		})
	}
	return Table{
		"A":          Int(256),
		"ASCII":      Int(256),
		"DOTALL":     Int(16),
		"I":          Int(2),
		"IGNORECASE": Int(2),
		"L":          Int(4),
		"LOCALE":     Int(4),
		"M":          Int(8),
		"MULTILINE":  Int(8),
		"S":          Int(16),
		"U":          Int(32),
		"UNICODE":    Int(32),
		"compile": Pure("compile", func(th *Thread, args []Value, kws []Kw) Value {
			pattern, flags := None, 0
			th.Unpack("compile", args, kws, "pattern", &pattern, "flags?", &flags)
			return Obj(th.patternOf(pattern, flags))
		}),
		"escape": Pure("escape", func(th *Thread, args []Value, kws []Kw) Value {
			var text string
			th.Unpack("escape", args, kws, "pattern", &text)
			return String(regexp.QuoteMeta(text))
		}),
		"findall": Pure("findall", func(th *Thread, args []Value, kws []Kw) Value {
			pattern, text, flags := None, "", 0
			th.Unpack("findall", args, kws, "pattern", &pattern, "string", &text, "flags?", &flags)
			return th.patternOf(pattern, flags).all(th, text)
		}),
		"fullmatch": find("fullmatch", `\A(?:`, `)\z`),
		"match":     find("match", `\A(?:`, `)`),
		"search":    find("search", "", ""),
		"split": Pure("split", func(th *Thread, args []Value, kws []Kw) Value {
			pattern, text := None, ""
			th.Unpack("split", args, kws, "pattern", &pattern, "string", &text)
			return th.patternOf(pattern, 0).split(th, text)
		}),
		"sub": Pure("sub", func(th *Thread, args []Value, kws []Kw) Value {
			pattern, repl, text := None, None, ""
			th.Unpack("sub", args, kws, "pattern", &pattern, "repl", &repl, "string", &text)
			return th.patternOf(pattern, 0).sub(th, repl, text)
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
	patternType = NewClass("Pattern", nil)
	matchType   = NewClass("Match", nil)
)

// Type implements [Object].
func (*rePattern) Type() *Class { return patternType }

func (th *Thread) patternOf(v Value, flags int) *rePattern {
	if p, ok := v.o.(*rePattern); ok {
		return p
	}
	text, ok := v.AsString()
	if !ok {
		th.Raise(TypeError, "first argument must be string or compiled pattern")
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
	th.work(len(text) * unitsPerStep)
	if len(text) > maxPattern {
		th.Raise(ValueError, "a pattern of more than %d bytes is not supported", maxPattern)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		th.Raise(ValueError, "pattern %s is not supported: %s", th.Repr(v), err.Error())
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
func (p *rePattern) search(th *Thread, text string) {
	if len(text) > maxMatching/p.size {
		th.Raise(ValueError, "a text of %d bytes is too long for this pattern", len(text))
	}
	th.work(len(text) * p.size)
}

// match finds the first match of the pattern between two anchors.
func (p *rePattern) match(th *Thread, before, after, text string) Value {
	p.search(th, text)
	re := p.re
	if before != "" {
		re = regexp.MustCompile(before + p.text + after)
	}
	at := re.FindStringSubmatchIndex(text)
	if at == nil {
		return None
	}
	return Obj(&reMatch{re, text, at})
}

func (p *rePattern) all(th *Thread, text string) Value {
	var items []Value
	for _, m := range p.find(th, text) {
		th.step()
		match := reMatch{p.re, text, m}
		switch len(m) / 2 {
		case 1:
			items = grown(th, items, match.groupText(0))
		case 2:
			items = grown(th, items, match.groupText(1))
		default:
			groups := make([]Value, 0, len(m)/2-1)
			for i := 1; i < len(m)/2; i++ {
				groups = append(groups, match.groupText(i))
			}
			items = grown(th, items, NewTuple(groups))
		}
	}
	return Obj(NewList(items))
}

// split cuts a text where the pattern matches.
func (p *rePattern) split(th *Thread, text string) Value {
	var items []Value
	at := 0
	for _, m := range p.find(th, text) {
		if m[1] == 0 || m[0] == len(text) && m[0] == m[1] {
			continue // an empty match at an end cuts nothing off
		}
		items = grown(th, items, String(text[at:m[0]]))
		at = m[1]
	}
	return Obj(NewList(grown(th, items, String(text[at:]))))
}

// matchBytes is what a group of a match takes, at most.
const matchBytes = 48

// find finds every match.
func (p *rePattern) find(th *Thread, text string) [][]int {
	p.search(th, text)
	most := int(th.memory.largest) / (matchBytes * (p.re.NumSubexp() + 1))
	found := p.re.FindAllStringSubmatchIndex(text, most+1)
	if len(found) > most {
		th.Alloc(int(th.memory.largest) + 1)
	}
	th.count(int64(len(found) * matchBytes))
	return found
}

var groupReference = regexp.MustCompile(`\\(\d+|g<(\w+)>)`)

func (p *rePattern) sub(th *Thread, repl Value, text string) Value {
	if with, ok := repl.AsString(); ok {
		with = strings.ReplaceAll(with, "$", "$$")
		with = groupReference.ReplaceAllStringFunc(with, func(ref string) string {
			return "${" + strings.Trim(ref, `\g<>`) + "}"
		})
		b, at := textBuilder{th: th}, 0
		for _, m := range p.find(th, text) {
			b.add(text[at:m[0]])
			b.add(string(p.re.ExpandString(nil, with, text, m)))
			at = m[1]
		}
		b.add(text[at:])
		return String(b.String())
	}
	b, at := textBuilder{th: th}, 0
	for _, m := range p.find(th, text) {
		b.add(text[at:m[0]])
		b.add(th.Str(th.call(repl, []Value{Obj(&reMatch{p.re, text, m})}, nil)))
		at = m[1]
	}
	b.add(text[at:])
	return String(b.String())
}

// Attr implements [Attrer].
func (p *rePattern) Attr(th *Thread, name string) (Value, bool) {
	if name == "pattern" {
		return String(p.text), true
	}
	f, ok := reTable()[name]
	if !ok {
		return Value{}, false
	}
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		return th.call(f, append([]Value{Obj(p)}, args...), kws)
	}), true
}

// reMatch is a match.
type reMatch struct {
	re   *regexp.Regexp
	text string
	at   []int
}

// Type implements [Object].
func (*reMatch) Type() *Class { return matchType }

func (m *reMatch) group(i int) Value {
	if m.at[2*i] < 0 {
		return None
	}
	return String(m.text[m.at[2*i]:m.at[2*i+1]])
}

// groupText is a group, or "" for one that took no part.
func (m *reMatch) groupText(i int) Value {
	if v := m.group(i); !v.IsNone() {
		return v
	}
	return String("")
}

func (m *reMatch) index(th *Thread, v Value) int {
	i, ok := v.AsInt()
	if name, isText := v.AsString(); isText {
		i, ok = int64(m.re.SubexpIndex(name)), true
	}
	if !ok || i < 0 || int(i) > m.re.NumSubexp() {
		th.Raise(IndexError, "no such group")
	}
	return int(i)
}

// Attr implements [Attrer].
func (m *reMatch) Attr(_ *Thread, name string) (Value, bool) {
	var f GoFunc
	switch name {
	case "group":
		f = func(th *Thread, args []Value, _ []Kw) Value {
			if len(args) == 0 {
				return m.group(0)
			}
			return m.group(m.index(th, args[0]))
		}
	case "groups":
		f = func(*Thread, []Value, []Kw) Value {
			var items []Value
			for i := 1; i <= m.re.NumSubexp(); i++ {
				items = append(items, m.group(i))
			}
			return NewTuple(items)
		}
	case "groupdict":
		f = func(*Thread, []Value, []Kw) Value {
			d := NewDict()
			for i, name := range m.re.SubexpNames() {
				if name != "" {
					d.Set(String(name), m.group(i))
				}
			}
			return Obj(d)
		}
	case "start", "end":
		f = func(*Thread, []Value, []Kw) Value {
			if name == "start" {
				return Int(int64(m.at[0]))
			}
			return Int(int64(m.at[1]))
		}
	default:
		return Value{}, false
	}
	return Pure(name, f), true
}

// Item is match[group].
func (m *reMatch) Item(th *Thread, key Value) Value { return m.group(m.index(th, key)) }
