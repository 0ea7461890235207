package lawgraph

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// text is the lines of a formula.
type text struct {
	file        *File
	first, last int
	margin      int // characters that every line begins with and [File.Dedented] leaves out
}

// Dedented is a class or a function without the blanks that all its lines begin with.
func (f *File) Dedented(b Block) string { return legislation.Dedent(f.Text(b)) }

func newText(c *closure) text {
	b, _ := c.file.At(c.line)
	t := text{file: c.file, first: b.First, last: b.Last}
	before, _, _ := strings.Cut(c.file.Text(b), "\n")
	after, _, _ := strings.Cut(c.file.Dedented(b), "\n")
	t.margin = utf8.RuneCountInString(before) - utf8.RuneCountInString(after)
	return t
}

// holds reports whether a line of a file is one of the formula.
func (t *text) holds(file *File, line int32) bool {
	return file == t.file && t.first <= int(line) && int(line) <= t.last
}

// at is a place in the text; the name is looked for from there on in its line.
func (t *text) at(pos pysyntax.Pos, name string) Place {
	p := Place{Line: int(pos.Line) - t.first + 1, Column: int(pos.Col) - t.margin}
	rest := t.file.from(pos)
	if i := strings.Index(rest, name); i >= 0 && name != "" {
		p.Column += utf8.RuneCountInString(rest[:i])
		p.Length = utf8.RuneCountInString(name)
	}
	return p
}

// from is the rest of a line.
func (f *File) from(pos pysyntax.Pos) string {
	if pos.Line < 1 || int(pos.Line) > len(f.lines) {
		return ""
	}
	line := f.lines[pos.Line-1]
	for range pos.Col - 1 {
		_, n := utf8.DecodeRuneInString(line)
		line = line[n:]
	}
	return line
}

// lastWord is where the last word of an expression stands, if it is that word: c in a.b(x).c.
func (f *File) lastWord(e pysyntax.Expr, word string) (pysyntax.Pos, bool) {
	switch e := e.(type) {
	case *pysyntax.Name:
		return e.Pos, e.ID == word
	case *pysyntax.Attribute:
		s := scan{file: f}
		if !s.behind(e.Value) {
			return pysyntax.Pos{}, false
		}
		s.blanks()
		if !s.take('.') {
			return pysyntax.Pos{}, false
		}
		s.blanks()
		return s.pos, e.Attr == word
	}
	return pysyntax.Pos{}, false
}

// scan goes through the text of an expression to where it ends, which trees do not tell.
type scan struct {
	file *File
	pos  pysyntax.Pos
}

// behind goes to the end of a name, or of what is asked of one: attributes, calls, elements.
func (s *scan) behind(e pysyntax.Expr) bool {
	switch e := e.(type) {
	case *pysyntax.Name:
		s.pos = e.Pos
		s.pos.Col += int32(utf8.RuneCountInString(e.ID))
		return true
	case *pysyntax.Attribute:
		if !s.behind(e.Value) {
			return false
		}
		s.blanks()
		if !s.take('.') {
			return false
		}
		s.blanks()
		s.pos.Col += int32(utf8.RuneCountInString(e.Attr))
		return true
	case *pysyntax.Call:
		return s.behind(e.Func) && s.brackets()
	case *pysyntax.Subscript:
		return s.behind(e.Value) && s.brackets()
	}
	return false
}

func (s *scan) peek() (rune, bool) {
	rest := s.file.from(s.pos)
	if rest == "" {
		return 0, false
	}
	c, _ := utf8.DecodeRuneInString(rest)
	return c, true
}

func (s *scan) take(c rune) bool {
	if got, ok := s.peek(); !ok || got != c {
		return false
	}
	s.pos.Col++
	return true
}

// next goes one character on, to the next line at the end of one.
func (s *scan) next(c rune) {
	if c == '\n' {
		s.pos = pysyntax.Pos{Line: s.pos.Line + 1, Col: 1}
		return
	}
	s.pos.Col++
}

// blanks goes over blanks, ends of lines and comments.
func (s *scan) blanks() {
	for {
		c, ok := s.peek()
		switch {
		case !ok:
			return
		case c == '#':
			s.next('\n')
		case unicode.IsSpace(c) || c == '\\':
			s.next(c)
		default:
			return
		}
	}
}

// brackets goes over (…) or […], with texts and other brackets in it.
func (s *scan) brackets() bool {
	s.blanks()
	depth := 0
	for {
		c, ok := s.peek()
		if !ok {
			return false
		}
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '#':
			c = '\n'
		case '\'', '"':
			s.quoted(c)
			continue
		}
		s.next(c)
		if depth == 0 {
			return true
		}
	}
}

// quoted goes over a text literal.
func (s *scan) quoted(quote rune) {
	mark := string(quote)
	if strings.HasPrefix(s.file.from(s.pos), strings.Repeat(mark, 3)) {
		mark = strings.Repeat(mark, 3)
	}
	s.pos.Col += int32(len(mark))
	for {
		rest := s.file.from(s.pos)
		if rest == "" {
			return
		}
		if strings.HasPrefix(rest, mark) {
			s.pos.Col += int32(len(mark))
			return
		}
		c, _ := utf8.DecodeRuneInString(rest)
		if s.next(c); c == '\\' {
			after, _ := s.peek()
			s.next(after)
		}
	}
}
