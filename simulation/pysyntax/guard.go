package pysyntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bounds on a source file. The first two are CPython's own.
const (
	MaxBrackets = 200     // open brackets around one place
	MaxIndent   = 100     // levels of indentation
	MaxSource   = 4 << 20 // bytes
	MaxDepth    = 2000    // levels of the tree, a+b+c counting as two
	maxPrefixes = 1000    // prefix operators in a row
)

// guard walks over a source once, before anything recurses on it. It understands strings, comments,
// brackets and indentation, and nothing else. F-strings nested in the quotes of their own kind (which
// Python 3.12 allows) look to it like several strings with open brackets between them, which is
// exactly what bounds their nesting.
type guard struct {
	src      string
	at       int
	line     int
	lineAt   int // where the current line begins
	open     []byte
	indents  []indent
	prefixes int
	comments map[int]bool // the lines that have one, nil if nobody asks
}

// indent is one level of indentation measured twice, with tabs to the next multiple of 8 and with
// tabs as one column. Two lines agree only if both measures do: that is how CPython tells that
// the meaning of an indentation depends on the width of a tab.
type indent struct{ col, alt int }

// check returns what is wrong with the source regardless of its grammar, or nil.
func check(src string) *Error {
	g := &guard{src: src, line: 1, indents: []indent{{}}}
	if len(src) > MaxSource {
		return g.errorf(0, "the file has %d bytes; at most %d are read", len(src), MaxSource)
	}
	if i := strings.IndexByte(src, 0); i >= 0 {
		g.seek(i)
		return g.errorf(i, "source code cannot contain null bytes")
	}
	if !utf8.ValidString(src) {
		i := invalidAt(src)
		g.seek(i)
		return g.errorf(i, "the file is not UTF-8")
	}
	return g.run()
}

// Comments are the lines of a source, counted from 1, that have a comment; a # in a string begins none. The source is one
// that parses.
func Comments(src string) map[int]bool {
	g := &guard{src: clean(src), line: 1, indents: []indent{{}}, comments: map[int]bool{}}
	_ = g.run()
	return g.comments
}

func invalidAt(src string) int {
	for i, r := range src {
		if r == utf8.RuneError && !strings.HasPrefix(src[i:], "\uFFFD") {
			return i
		}
	}
	return 0
}

// seek moves the line count to an offset, for an error there.
func (g *guard) seek(to int) {
	g.line = 1 + strings.Count(g.src[:to], "\n")
	g.lineAt = strings.LastIndexByte(g.src[:to], '\n') + 1
}

func (g *guard) errorf(at int, format string, args ...any) *Error {
	col := utf8.RuneCountInString(g.src[g.lineAt:at]) + 1
	return &Error{Pos: Pos{Line: int32(g.line), Col: int32(col)}, Message: fmt.Sprintf(format, args...)}
}

func (g *guard) newline() {
	g.line++
	g.lineAt = g.at
}

func (g *guard) run() *Error {
	if err := g.indentation(); err != nil {
		return err
	}
	for g.at < len(g.src) {
		if err := g.token(); err != nil {
			return err
		}
	}
	return nil
}

// token steps over one character, string, comment or word.
func (g *guard) token() *Error {
	c := g.src[g.at]
	switch {
	case c == '\n':
		g.at++
		g.newline()
		if len(g.open) == 0 {
			g.prefixes = 0
			return g.indentation()
		}
	case c == '#':
		if g.comments != nil {
			g.comments[g.line] = true
		}
		g.toLineEnd()
	case c == '\\':
		g.at++
		if strings.HasPrefix(g.src[g.at:], "\r\n") {
			g.at++
		}
		if g.at < len(g.src) && g.src[g.at] == '\n' {
			g.at++
			g.newline()
		}
	case c == '\'' || c == '"':
		return g.str(false)
	case c == '(' || c == '[' || c == '{':
		return g.push(c)
	case c == ')' || c == ']' || c == '}':
		g.pop()
	case c == '-' || c == '+' || c == '~' || c == '*':
		return g.prefix()
	case c == ',' || c == ';':
		g.prefixes = 0
		g.at++
	case wordByte(c):
		return g.word()
	default:
		g.at++
	}
	return nil
}

func (g *guard) toLineEnd() {
	if n := strings.IndexByte(g.src[g.at:], '\n'); n >= 0 {
		g.at += n
	} else {
		g.at = len(g.src)
	}
}

func (g *guard) push(c byte) *Error {
	if len(g.open) >= MaxBrackets {
		return g.errorf(g.at, "too many nested brackets: at most %d", MaxBrackets)
	}
	g.open = append(g.open, c)
	g.at++
	return nil
}

func (g *guard) pop() {
	if n := len(g.open); n > 0 {
		g.open = g.open[:n-1]
	}
	g.at++
}

// prefix counts what may stand before an operand; only a comma, semicolon or line end starts anew,
// so a long sum without either is refused too, far beyond what anybody writes.
func (g *guard) prefix() *Error {
	g.prefixes++
	if g.prefixes > maxPrefixes {
		return g.errorf(g.at, "too many operators in one expression: at most %d", maxPrefixes)
	}
	g.at++
	return nil
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// word steps over a name, number or keyword, and over the string it may be the prefix of.
func (g *guard) word() *Error {
	start := g.at
	for g.at < len(g.src) && wordByte(g.src[g.at]) {
		g.at++
	}
	w := g.src[start:g.at]
	if g.at < len(g.src) && (g.src[g.at] == '\'' || g.src[g.at] == '"') && len(w) <= 2 {
		return g.str(strings.ContainsAny(w, "fFtT"))
	}
	switch w {
	case "not", "lambda", "await", "if", "yield":
		g.at--
		return g.prefix()
	}
	return nil
}

// str steps over a string literal. Inside an f-string brackets and operators count as well, for the
// expressions it may hold; its text may leave brackets open, so they are forgotten at its end.
func (g *guard) str(formatted bool) *Error {
	quote := g.src[g.at : g.at+1]
	if strings.HasPrefix(g.src[g.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	g.at += len(quote)
	depth, prefixes := 0, 0
	for g.at < len(g.src) && !strings.HasPrefix(g.src[g.at:], quote) {
		c := g.src[g.at]
		switch {
		case c == '\n' && len(quote) == 1:
			return nil // unterminated: the parser says so
		case c == '\\' && g.at+1 < len(g.src):
			g.at++
			c = g.src[g.at]
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case strings.IndexByte("+-~*", c) >= 0:
			prefixes++
		case c == ',' || c == ' ':
			prefixes = 0
		}
		g.at++
		if c == '\n' {
			g.newline()
		}
		if formatted && (depth > MaxBrackets || prefixes > maxPrefixes) {
			return g.errorf(g.at, "too many nested brackets or operators in an f-string")
		}
	}
	g.at = min(g.at+len(quote), len(g.src))
	return nil
}

// indentation measures the line that begins here, unless it is blank or only a comment.
func (g *guard) indentation() *Error {
	var now indent
	for ; g.at < len(g.src); g.at++ {
		switch g.src[g.at] {
		case ' ':
			now.col++
			now.alt++
			continue
		case '\t':
			now.col = (now.col/8 + 1) * 8
			now.alt++
			continue
		case '\f':
			now = indent{}
			continue
		case '\n', '\r', '#', '\\':
			return nil
		}
		return g.level(now)
	}
	return nil
}

func (g *guard) level(now indent) *Error {
	top := g.indents[len(g.indents)-1]
	for now.col < top.col && len(g.indents) > 1 {
		g.indents = g.indents[:len(g.indents)-1]
		top = g.indents[len(g.indents)-1]
	}
	switch {
	case now.col == top.col:
		if now.alt != top.alt {
			return g.errorf(g.at, "inconsistent use of tabs and spaces in indentation")
		}
	case now.col > top.col:
		if now.alt <= top.alt {
			return g.errorf(g.at, "inconsistent use of tabs and spaces in indentation")
		}
		if len(g.indents) >= MaxIndent {
			return g.errorf(g.at, "too many levels of indentation: at most %d", MaxIndent)
		}
		g.indents = append(g.indents, now)
	}
	return nil
}
