package jsonio

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Problem is what is wrong with a text.
type Problem int

// The problems. Up to TooLarge the text is JSON, behind it it is not.
const (
	WrongShape Problem = iota // not what is wanted there
	GivenTwice                // a key
	TooDeep
	TooLarge

	WantValue
	WantName
	WantColon
	WantComma // or the end of the object or list
	MoreText
	BadNumber
	Unclosed // a string
	Control  // a control character in a string
	BadEscape
	BadHex
	HalfPair
	NotUTF8
	Mark // a byte order mark
)

// Error is what is wrong with a text, and where.
type Error struct {
	Problem      Problem
	At           int      // in bytes
	From         int      // where the string begins that is wrong, or a number ceases to be one; else At
	Inside       bool     // of an object or a list
	Line, Column int      // of At, from 1, in characters
	Path         []string // the field: names and list positions from the outside in; empty at the top
	Reason       string
}

// Malformed reports whether the text is not JSON at all, else it is JSON that is not wanted.
func (e *Error) Malformed() bool { return e.Problem > TooLarge }

// Field returns the path as people write it: "items[2].name".
func (e *Error) Field() string {
	var b strings.Builder
	for i, step := range e.Path {
		switch {
		case step != "" && strings.Trim(step, "0123456789") == "":
			b.WriteString("[" + step + "]")
		case i > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}

// Error returns field, reason and position.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Malformed() {
		b.WriteString("malformed JSON: ")
	}
	if len(e.Path) > 0 {
		b.WriteString(e.Field() + ": ")
	}
	fmt.Fprintf(&b, "%s (line %d, column %d)", e.Reason, e.Line, e.Column)
	return b.String()
}

// step is one element of the path to the value being read: a key, or a position in a list.
type step struct {
	name  string
	index int // or isKey, beforeKey
}

const (
	isKey     = -1
	beforeKey = -2 // inside an object whose first key has not been read
)

// failFrom ends the walk with an error that began before the place where it shows.
func (r *Reader) failFrom(p Problem, at, from int, reason string) {
	line, column := Position(r.data, at)
	panic(failure{&Error{Problem: p, At: at, From: from, Inside: r.depth > 0, Line: line, Column: column, Path: r.field(), Reason: reason}})
}

func (r *Reader) fail(p Problem, at int, reason string) { r.failFrom(p, at, at, reason) }

func (r *Reader) malformed(p Problem, reason string) { r.fail(p, r.pos, reason) }

// mismatch reports that the value at the current position is not what is taken there.
func (r *Reader) mismatch(want string) {
	r.fail(WrongShape, r.pos, fmt.Sprintf("expected %s, got %s", want, r.what()))
}

func (r *Reader) field() []string {
	path := make([]string, 0, len(r.path))
	for _, p := range r.path {
		switch {
		case p.index >= 0:
			path = append(path, strconv.Itoa(p.index))
		case p.index == isKey:
			path = append(path, p.name)
		}
	}
	return path
}

// Position is the line and the column of a byte of a text, from 1, in characters.
func Position(data []byte, pos int) (line, column int) {
	before := data[:min(pos, len(data))]
	line = 1 + bytes.Count(before, []byte{'\n'})
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// what names the value at the current position in words of JSON; a value that cannot start there
// fails as malformed.
func (r *Reader) what() string {
	switch r.peek() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't':
		return r.ifWord("true", "a boolean")
	case 'f':
		return r.ifWord("false", "a boolean")
	case 'n':
		return r.ifWord("null", "null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return "a number"
	}
	r.WantValue()
	return ""
}

// ifWord returns kind when word comes next, and fails as malformed when it only begins like it.
func (r *Reader) ifWord(word, kind string) string {
	if !bytes.HasPrefix(r.data[r.pos:], []byte(word)) {
		r.WantValue()
	}
	return kind
}

func (r *Reader) unexpected(want string) string {
	if r.pos >= len(r.data) {
		return "the text ends where " + want + " should be"
	}
	c, _ := utf8.DecodeRune(r.data[r.pos:])
	return fmt.Sprintf("expected %s, got %q", want, c)
}
