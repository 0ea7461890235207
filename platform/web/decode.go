package web

// JSON is read in one pass by a decoder of our own: encoding/json takes the last of two equal keys,
// matches names without case, looks at every byte at least twice, and speaks of Go types in its
// errors. Here the walk over the text and the walk over the Go value are the same, so an error knows
// the position in one and the field in the other.
//
// The walk fails by panicking with a *DecodeError, which Decode alone recovers.

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"edict/platform/fault"
)

// Decoder reads JSON strictly: one value and nothing after it, every key once, valid UTF-8, bounded
// depth, names matched exactly. The zero value is ready to use.
//
// It fills structs (by their json tags), pointers, slices, maps with string keys, strings, booleans,
// numbers, json.Number and json.RawMessage (both keep numbers as written), time.Time (RFC 3339),
// any (objects as map[string]any, numbers as json.Number), and what implements json.Unmarshaler or
// encoding.TextUnmarshaler. null leaves a field as if it were absent.
type Decoder struct {
	MaxDepth    int  // 0: 100 levels
	RefuseSlips bool // an unknown field whose name is nearly a known one is refused; others are checked and ignored
}

// DecodeError is what is wrong with a JSON text, and where.
type DecodeError struct {
	Line, Column int      // from 1, in characters
	Path         []string // the field: names and list positions from the outside in; empty at the top
	Malformed    bool     // not JSON at all, else JSON of the wrong shape
	Reason       string
}

// Field returns the path as people write it: "items[2].name".
func (e *DecodeError) Field() string {
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
func (e *DecodeError) Error() string {
	var b strings.Builder
	if e.Malformed {
		b.WriteString("malformed JSON: ")
	}
	if len(e.Path) > 0 {
		b.WriteString(e.Field() + ": ")
	}
	fmt.Fprintf(&b, "%s (line %d, column %d)", e.Reason, e.Line, e.Column)
	return b.String()
}

// Decode reads data into v, a non-nil pointer. Its errors are faults of kind Invalid around a
// *DecodeError, and Internal for a v of a type it cannot fill. Values of type json.RawMessage alias
// data. After an error v holds what was read so far.
func (d Decoder) Decode(data []byte, v any) (err error) {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fault.Wrap(fmt.Errorf("decoding into %T: want a non-nil pointer", v), fault.Internal, "internal error")
	}
	fill, err := fillerOf(target.Type().Elem())
	if err != nil {
		return fault.Wrap(err, fault.Internal, "internal error")
	}
	s := scanners.Get().(*scanner)
	s.data, s.maxDepth, s.refuseSlips = data, cmp.Or(d.MaxDepth, defaultDepth), d.RefuseSlips
	defer func() {
		p := recover()
		s.release()
		switch p := p.(type) {
		case nil:
		case *DecodeError:
			err = &fault.Error{Kind: fault.Invalid, Message: p.Error(), Cause: p}
		default:
			panic(p)
		}
	}()
	s.top(fill, target.Elem())
	return nil
}

func (s *scanner) top(fill filler, v reflect.Value) {
	if bytes.HasPrefix(s.data, []byte("\ufeff")) {
		s.malformed("the text starts with a byte order mark: send plain UTF-8")
	}
	s.space()
	if s.pos == len(s.data) {
		s.malformed("the body is empty")
	}
	if s.data[s.pos] == 'n' && v.Kind() == reflect.Struct {
		s.mismatch("an object")
	}
	fill(s, v)
	s.space()
	if s.pos < len(s.data) {
		s.malformed("there is more text after the end of the value")
	}
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

// scanner is the state of one walk.
type scanner struct {
	data        []byte
	pos         int
	depth       int
	maxDepth    int
	refuseSlips bool
	unknown     int // fields that were looked at as typing errors
	kept        int // elements of lists
	path        []step
	keys        keySet
}

const defaultDepth = 100

var scanners = sync.Pool{New: func() any {
	return &scanner{path: make([]step, 0, 16), keys: keySet{keys: make([][]byte, 0, 2*fewKeys)}}
}}

// release gives the scanner back without what it read.
func (s *scanner) release() {
	clear(s.path[:cap(s.path)])
	clear(s.keys.keys[:cap(s.keys.keys)])
	*s = scanner{path: s.path[:0], keys: keySet{keys: s.keys.keys[:0]}}
	if cap(s.keys.keys) <= 1<<10 {
		scanners.Put(s)
	}
}

func (s *scanner) fail(pos int, malformed bool, reason string) {
	line, column := position(s.data, pos)
	panic(&DecodeError{Line: line, Column: column, Path: s.field(), Malformed: malformed, Reason: reason})
}

func (s *scanner) malformed(reason string) { s.fail(s.pos, true, reason) }

// mismatch reports that the value at the current position is not what the field takes.
func (s *scanner) mismatch(want string) {
	s.space()
	s.fail(s.pos, false, fmt.Sprintf("expected %s, got %s", want, s.what()))
}

func (s *scanner) field() []string {
	path := make([]string, 0, len(s.path))
	for _, p := range s.path {
		switch {
		case p.index >= 0:
			path = append(path, strconv.Itoa(p.index))
		case p.index == isKey:
			path = append(path, p.name)
		}
	}
	return path
}

func position(data []byte, pos int) (line, column int) {
	before := data[:min(pos, len(data))]
	line = 1 + bytes.Count(before, []byte{'\n'})
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// what names the value at the current position in words of JSON; a value that cannot start there
// fails as malformed.
func (s *scanner) what() string {
	switch s.peek() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't':
		return s.ifWord("true", "a boolean")
	case 'f':
		return s.ifWord("false", "a boolean")
	case 'n':
		return s.ifWord("null", "null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return "a number"
	}
	s.malformed(s.unexpected("a value"))
	return ""
}

// ifWord returns kind when word comes next, and fails as malformed when it only begins like it.
func (s *scanner) ifWord(word, kind string) string {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
		s.malformed(s.unexpected("a value"))
	}
	return kind
}

func (s *scanner) unexpected(want string) string {
	if s.pos >= len(s.data) {
		return "the text ends where " + want + " should be"
	}
	c, _ := utf8.DecodeRune(s.data[s.pos:])
	return fmt.Sprintf("expected %s, got %q", want, c)
}
