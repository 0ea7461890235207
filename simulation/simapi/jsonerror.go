package simapi

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"edict/platform/jsonio"
)

// pythonWords are what clients of the original read about a text that is not JSON.
var pythonWords = map[jsonio.Problem]string{
	jsonio.WantValue: "Expecting value",
	jsonio.WantName:  "Expecting property name enclosed in double quotes",
	jsonio.WantColon: "Expecting ':' delimiter",
	jsonio.WantComma: "Expecting ',' delimiter",
	jsonio.MoreText:  "Extra data",
	jsonio.Unclosed:  "Unterminated string starting at",
	jsonio.Control:   "Invalid control character at",
	jsonio.BadEscape: `Invalid \escape`,
	jsonio.BadHex:    `Invalid \uXXXX escape`,
	jsonio.TooDeep:   "Too deeply nested",
}

// jsonProblem says what is wrong with a text that could not be read: what Python finds wrong with it, in its words, with line,
// column and character; else what only we do.
func jsonProblem(text []byte, err error) string {
	asPython := jsonio.Rules{LastWins: true, ByteOrderMark: true, AnyText: true, Depth: 1001}
	if e, ok := errors.AsType[*jsonio.Error](asPython.Check(text)); ok {
		return pythonProblem(bytes.TrimPrefix(text, []byte("\ufeff")), e)
	}
	e, ok := errors.AsType[*jsonio.Error](err)
	switch {
	case ok && e.Problem == jsonio.HalfPair:
		return fmt.Sprintf("half of a surrogate pair in the string at byte %d", e.From)
	case ok && e.Problem == jsonio.NotUTF8:
		return "the text is not UTF-8"
	case ok && e.Problem == jsonio.TooDeep:
		return fmt.Sprintf("the document is nested more than %d levels deep", jsonio.DefaultDepth)
	}
	return err.Error()
}

// pythonProblem is a problem as Python tells it. Its place is at times another one: Python reads a number as far as it is one, and
// stumbles over what is left.
func pythonProblem(text []byte, e *jsonio.Error) string {
	problem, at := e.Problem, e.At
	switch problem {
	case jsonio.BadNumber:
		problem, at = jsonio.MoreText, e.From
		if e.Inside {
			problem = jsonio.WantComma
		}
	case jsonio.WantValue, jsonio.Unclosed:
		at = e.From
	case jsonio.BadHex:
		at++ // behind the backslash
	}
	line, column := jsonio.Position(text, at)
	return fmt.Sprintf("%s: line %d column %d (char %d)", pythonWords[problem], line, column, utf8.RuneCount(text[:at]))
}
