package legislation

import (
	"strings"
	"unicode/utf8"

	"edict/simulation/vector"
)

// Nearly all parameter files use a small part of YAML: block mappings and lists of plain or quoted scalars, literal
// blocks, comments. blockReader reads that part an order of magnitude faster than a full parser, and declines whatever
// it is not sure about: the full parser then reads the file, or finds what is wrong with it. The tests hold the two
// against each other.

type blockReader struct {
	lines []yamlLine
	next  int // the line to be read
}

// yamlLine is a line without its indentation; text is empty for blank lines.
type yamlLine struct {
	text   string
	indent int
}

// declined ends a reading that the full parser has to do. It never leaves fastYAML.
type declined struct{}

// fastYAML reads a document, or returns false.
func fastYAML(source string) (d Data, ok bool) {
	if !utf8.ValidString(source) {
		return Data{}, false
	}
	r := blockReader{}
	if !r.split(source) {
		return Data{}, false
	}
	defer func() {
		if p := recover(); p != nil {
			if _, mine := p.(declined); !mine {
				panic(p)
			}
			d, ok = Data{}, false
		}
	}()
	first := r.peek()
	if first == nil {
		return Data{}, false
	}
	d = r.block(first.indent, 0)
	if r.peek() != nil {
		return Data{}, false
	}
	return d, true
}

func (r *blockReader) decline() { panic(declined{}) }

// split cuts the text into lines; it refuses characters that YAML gives a meaning of their own.
func (r *blockReader) split(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ' && c != '\n' && c != '\r', c == 0x7f:
			return false
		case c == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			return false
		case c == 0xc2 && text[i+1] < 0xa0, c == 0xe2 && text[i+1] == 0x80 && text[i+2] >= 0xa8 && text[i+2] <= 0xa9, c == 0xef:
			return false
		}
	}
	r.lines = make([]yamlLine, 0, strings.Count(text, "\n")+1)
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.HasPrefix(line, "...") || strings.HasPrefix(line, "---") && len(r.lines) > 0 {
			return false
		}
		body := strings.TrimLeft(line, " ")
		r.lines = append(r.lines, yamlLine{body, len(line) - len(body)})
	}
	if strings.HasPrefix(text, "---\n") {
		r.lines[0].text = ""
	}
	return true
}

// peek skips blank lines and comments; nil at the end.
func (r *blockReader) peek() *yamlLine {
	for ; r.next < len(r.lines); r.next++ {
		if line := &r.lines[r.next]; line.text != "" && line.text[0] != '#' {
			return line
		}
	}
	return nil
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// block reads the mapping or list that starts on the current line, which has the given indentation.
func (r *blockReader) block(indent, depth int) Data {
	if depth > maxYAMLDepth {
		r.decline()
	}
	line := int32(r.next + 1)
	d := Data{}
	if isItem(r.lines[r.next].text) {
		d = r.list(indent, depth)
	} else {
		d = r.mapping(indent, depth)
	}
	d.Line = line
	return d
}

func (r *blockReader) mapping(indent, depth int) Data {
	d := Data{Kind: Mapping, Map: NewOrdered[Data]()}
	var written []string
	for {
		line := r.peek()
		if line == nil || line.indent < indent || line.indent == indent && isItem(line.text) {
			return d
		}
		if line.indent > indent {
			r.decline()
		}
		key, name, rest := r.key(line.text)
		for _, known := range written {
			if known == key {
				r.decline() // twice the same: the full parser says so, with the line
			}
		}
		written = append(written, key)
		if len(written) > 256 {
			r.decline()
		}
		d.Map.Set(name, r.value(rest, indent, depth, true))
	}
}

func (r *blockReader) list(indent, depth int) Data {
	d := Data{Kind: List}
	for {
		line := r.peek()
		if line == nil || line.indent < indent {
			return d
		}
		if line.indent > indent || !isItem(line.text) {
			if line.indent == indent {
				return d
			}
			r.decline()
		}
		rest := strings.TrimLeft(strings.TrimPrefix(line.text, "-"), " ")
		if isItem(rest) {
			r.decline()
		}
		if rest != "" && rest[0] != '#' && hasKey(rest) {
			// A mapping that starts on the line of its dash goes on below the first key.
			line.indent += len(line.text) - len(rest)
			line.text = rest
			d.List = append(d.List, r.block(line.indent, depth+1))
			continue
		}
		d.List = append(d.List, r.value(rest, indent, depth, false))
	}
}

func hasKey(text string) bool {
	if text[0] == '"' || text[0] == '\'' {
		end := strings.IndexByte(text[1:], text[0])
		return end < 0 || strings.HasPrefix(text[end+2:], ":")
	}
	return keyEnd(text) >= 0
}

// keyEnd finds the colon that ends a plain key.
func keyEnd(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == ':' && (i+1 == len(text) || text[i+1] == ' ') {
			return i
		}
	}
	return -1
}

// longKey is the length from which on a key is declined; YAML has no keys over 1024 characters without a question mark.
const longKey = 1000

// key takes the key off a line: as written, as it is known, and what follows it.
func (r *blockReader) key(text string) (written, name, rest string) {
	if text[0] == '"' || text[0] == '\'' {
		written, rest = r.quoted(text)
		if !strings.HasPrefix(rest, ":") || len(rest) > 1 && rest[1] != ' ' || len(text)-len(rest) >= longKey {
			r.decline()
		}
		return written, written, strings.TrimLeft(rest[1:], " ")
	}
	end := keyEnd(text)
	if end <= 0 || end >= longKey || !plainStart(text) || strings.Contains(text[:end], " #") {
		r.decline()
	}
	written = strings.TrimRight(text[:end], " ")
	d, err := resolvePlain(written)
	if err != nil || written == "<<" || written == "=" {
		r.decline()
	}
	name = written
	switch {
	case d.Kind == Null:
		name = "None"
	case d.Scalar.Type() != vector.Str:
		name = d.Scalar.Format(0)
	}
	return written, name, strings.TrimLeft(text[end+1:], " ")
}

// plainStart tells whether a plain scalar may start like that; rare starts are declined.
func plainStart(text string) bool {
	switch c := text[0]; {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c >= 0x80:
		return true
	case c == '-':
		return len(text) > 1 && text[1] != ' ' && text[1] != '-'
	}
	return strings.IndexByte("_.+/($<~=", text[0]) >= 0
}

// quoted takes a quoted text that ends on its line off the start of the line.
func (r *blockReader) quoted(text string) (inside, rest string) {
	special := "'"
	if text[0] == '"' {
		special = `"\`
	}
	var unescaped []byte
	for from := 1; ; {
		n := strings.IndexAny(text[from:], special)
		if n < 0 {
			r.decline()
		}
		at := from + n
		part := text[from:at]
		if text[at] == '"' || text[at] == '\'' && !strings.HasPrefix(text[at+1:], "'") {
			if unescaped == nil {
				return part, text[at+1:]
			}
			return string(append(unescaped, part...)), text[at+1:]
		}
		unescaped = append(append(unescaped, part...), r.escape(text[at:])...)
		from = at + 2
	}
}

// escape reads one of the common escapes of two characters; the others are declined.
func (r *blockReader) escape(text string) string {
	switch text[:min(2, len(text))] {
	case `''`, `\"`, `\\`:
		return text[1:2]
	case `\_`:
		return "\u00a0"
	case `\n`:
		return "\n"
	}
	r.decline()
	return ""
}

// value reads what follows a key or a dash on the current line, and the lines below that belong to it: those with more
// than the given indentation.
func (r *blockReader) value(rest string, indent, depth int, afterKey bool) Data {
	line := int32(r.next + 1)
	r.next++
	var d Data
	switch {
	case rest == "" || rest[0] == '#':
		return r.below(indent, depth, afterKey, line)
	case rest[0] == '"' || rest[0] == '\'':
		d = DataOf(vector.PyStr(r.quotedValue(rest, indent)))
	case rest[0] == '|':
		d = DataOf(vector.PyStr(r.literal(rest, indent)))
	default:
		text := r.plain(rest, indent)
		var err error
		if d, err = resolvePlain(text); err != nil {
			r.decline()
		}
	}
	d.Line = line
	return d
}

// below reads a value that starts on a line of its own, or none.
func (r *blockReader) below(indent, depth int, afterKey bool, line int32) Data {
	next := r.peek()
	switch {
	case next == nil || next.indent < indent:
		return Data{Line: line}
	case next.indent > indent:
		if !isItem(next.text) && !hasKey(next.text) {
			r.decline()
		}
		return r.block(next.indent, depth+1)
	case afterKey && isItem(next.text):
		return r.block(indent, depth+1)
	}
	return Data{Line: line}
}

func (r *blockReader) quotedValue(text string, indent int) string {
	inside, rest := r.quoted(text)
	if rest = strings.TrimLeft(rest, " "); rest != "" && (rest[0] != '#' || !strings.HasSuffix(text[:len(text)-len(rest)], " ")) {
		r.decline()
	}
	if next := r.peek(); next != nil && next.indent > indent {
		r.decline()
	}
	return inside
}

// plain reads a plain scalar and the lines that continue it: a line break is a space, blank lines are line breaks.
func (r *blockReader) plain(text string, indent int) string {
	if !plainStart(text) {
		r.decline()
	}
	text, ended := r.plainLine(text)
	breaks := 0
	for ; r.next < len(r.lines); r.next++ {
		line := &r.lines[r.next]
		if line.text == "" {
			breaks++
			continue
		}
		if line.text[0] == '#' {
			ended = true
			continue
		}
		if line.indent <= indent {
			break
		}
		if ended {
			r.decline()
		}
		more, last := r.plainLine(line.text)
		ended = last
		if breaks > 0 {
			text += strings.Repeat("\n", breaks) + more
		} else {
			text += " " + more
		}
		breaks = 0
	}
	return text
}

// plainLine is one line of a plain scalar; ended tells that a comment follows it.
func (r *blockReader) plainLine(text string) (s string, ended bool) {
	if i := strings.Index(text, " #"); i >= 0 {
		text, ended = text[:i], true
	}
	text = strings.TrimRight(text, " ")
	if keyEnd(text) >= 0 {
		r.decline()
	}
	return text, ended
}

// literal reads a block of lines that are kept as they are.
func (r *blockReader) literal(header string, indent int) string {
	if header != "|" && header != "|-" {
		r.decline()
	}
	margin := -1
	var lines []string
	for ; r.next < len(r.lines); r.next++ {
		line := r.lines[r.next]
		if line.text == "" {
			if line.indent > indent && (margin < 0 || line.indent > margin) {
				r.decline() // blanks that may belong to the text
			}
			lines = append(lines, "")
			continue
		}
		if line.indent <= indent {
			break
		}
		if margin < 0 {
			margin = line.indent
		}
		if line.indent < margin {
			r.decline()
		}
		lines = append(lines, strings.Repeat(" ", line.indent-margin)+line.text)
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		r.decline()
	}
	text := strings.Join(lines, "\n")
	unfinished := r.next == len(r.lines) && r.lines[r.next-1].text != ""
	if header == "|" && !unfinished {
		text += "\n"
	}
	return text
}
