package pysyntax

import (
	"fmt"
	"strings"
)

// Error is a file that cannot be read: wrong Python, or Python beyond what this product takes.
type Error struct {
	File string
	Pos
	Message     string
	Source      string // the line, without its end; empty if unknown
	Unsupported bool   // the source is right, the construct is not supported
}

// Error returns file:line:column, the message, and the line with a caret below the column.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Col)
	if !e.Unsupported {
		b.WriteString("syntax error: ")
	}
	b.WriteString(e.Message)
	if e.Source != "" {
		b.WriteString("\n" + Caret(e.Source, int(e.Col)))
	}
	return b.String()
}

// Caret shows a source line, without its indentation, and a caret below the given column.
func Caret(line string, col int) string {
	shown := strings.TrimLeft(line, " \t\f")
	pad := max(col-1-(len(line)-len(shown)), 0)
	var under strings.Builder
	for i, r := range []rune(shown) {
		if i >= pad {
			break
		}
		if r == '\t' {
			under.WriteByte('\t')
		} else {
			under.WriteByte(' ')
		}
	}
	return "    " + shown + "\n    " + under.String() + "^"
}

// Line returns line n of a source text, counted from 1, or "" beyond its end.
func Line(src string, n int) string {
	for ; n > 1; n-- {
		_, rest, found := strings.Cut(src, "\n")
		if !found {
			return ""
		}
		src = rest
	}
	line, _, _ := strings.Cut(src, "\n")
	return strings.TrimSuffix(line, "\r")
}
