package pysyntax

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tamnd/gopapy/parser"
)

// Parse reads a module. The file name is only for errors and tracebacks. The error is an [*Error].
func Parse(file string, src []byte) (*Module, error) { return ParseText(file, string(src)) }

// ParseText is [Parse] for a source that is a string.
func ParseText(file, src string) (*Module, error) {
	text := clean(src)
	m, err := parse(text)
	if err != nil {
		err.File = file
		err.Source = Line(text, int(err.Line))
		return nil, err
	}
	m.File = file
	return m, nil
}

// clean removes the byte order mark and reads \r\n and \r as line ends, as Python does.
func clean(src string) string {
	text := strings.TrimPrefix(src, "\uFEFF")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text
}

func parse(text string) (m *Module, err *Error) {
	if err := check(text); err != nil {
		return nil, err
	}
	names := standInsFor(text)
	text = names.source(text)
	tree, err := read(text)
	if err != nil {
		err.Message = names.text(err.Message)
		return nil, err
	}
	return convert(tree, text, names)
}

// read calls the library. A panic of the library is a file it cannot read, not the end of the process.
func read(text string) (m *parser.Module, err *Error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, &Error{Pos: Pos{1, 1}, Message: fmt.Sprintf("the parser failed: %v", r)}
		}
	}()
	if text != "" && text[len(text)-1] != '\n' {
		text += "\n"
	}
	m, failed := parser.ParseFile("", text)
	if failed != nil {
		return nil, located(text, failed.Error())
	}
	return m, nil
}

var message = regexp.MustCompile(`^(\d+):(\d+): (?s)(.*)$`)

// located reads the library's "line:column: message".
func located(src, text string) *Error {
	m := message.FindStringSubmatch(text)
	if m == nil {
		return &Error{Pos: Pos{1, 1}, Message: text}
	}
	line, _ := strconv.Atoi(m[1])
	col, _ := strconv.Atoi(m[2])
	return &Error{Pos: place(strings.Split(src, "\n"), line, col), Message: reword(m[3])}
}

var libraryTypes = regexp.MustCompile(`\*parser\.(\w+)`)

// reword replaces the names of the library's types by words.
func reword(text string) string {
	return libraryTypes.ReplaceAllStringFunc(text, func(name string) string {
		switch name = strings.TrimPrefix(name, "*parser."); name {
		case "BinOp", "UnaryOp", "BoolOp":
			return "expression"
		case "Call":
			return "function call"
		case "Compare":
			return "comparison"
		case "Constant":
			return "literal"
		case "IfExp":
			return "conditional expression"
		case "JoinedStr":
			return "f-string"
		default:
			return strings.ToLower(name)
		}
	})
}
