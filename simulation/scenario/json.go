package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

const byteOrderMark = "\ufeff"

// maxDepth bounds the nesting of a document.
const maxDepth = 100

// DecodeJSON reads one JSON value. Objects keep the order of their keys; of a key that occurs twice the last value
// counts. Numbers with a fraction or an exponent are floats, others integers. A byte order mark may come first.
func DecodeJSON(text []byte) (legislation.Data, error) {
	members, objects := bytes.Count(text, []byte{':'}), bytes.Count(text, []byte{'{'})
	d := &decoder{texts: heap.Slab[string]{Next: members / 2}}
	d.slabs.keys.Next, d.slabs.values.Next, d.slabs.maps.Next = members, members+members/4, objects
	return d.document(string(text), Bounds{})
}

// decoder reads JSON by hand: documents are read for every request, and are mostly short texts and numbers in small
// objects. What is not finished yet is on two stacks; what is finished is cut from slabs.
type decoder struct {
	text   string
	at     int
	keys   []string           // of the objects that are open
	values []legislation.Data // of the objects and lists that are open, and the last that was read

	slabs slabs
	texts heap.Slab[string]
	took  int // texts

	bounds Bounds
	count  int // values, and members of objects
	look   int // the count at which to look at the bounds again
}

// Bounds are what reading a document may use. The zero value has none.
type Bounds struct {
	Context context.Context // ends the reading when it is done; nil: nothing does
	Values  int             // most values, lists and objects included; 0: any number
	Memory  *heap.Share     // what values take is held of it; nil: of nothing
}

// lookEvery is after how many values the bounds are looked at.
const lookEvery = 4096

// What a value takes: while it is read, on the stack as well, and afterwards. Objects have their names besides, and
// find them by a map.
const (
	valueRead = 256
	valueKept = 160
)

// MemoryForValues is how much memory the values of a document take at most while it is read.
func MemoryForValues(n int) int64 { return valueRead * int64(n) }

// TooManyValues says that a document has more values than it may have.
type TooManyValues struct{ Most int }

func (e *TooManyValues) Error() string {
	return fmt.Sprintf("the document has more than %d values", e.Most)
}

// commas counts the commas outside of strings, behind each of which there is a value: a document that has far too many
// is refused before anything is made of it.
func commas(text string) int {
	n, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == ',' && !quoted:
			n++
		}
	}
	return n
}

// within begins to count.
func (d *decoder) within(b Bounds) {
	d.bounds, d.count, d.look = b, 0, lookEvery
	if b.Values > 0 {
		d.look = min(lookEvery, b.Values)
	}
}

// bounded looks at the bounds.
func (d *decoder) bounded() error {
	b := d.bounds
	if b.Values > 0 && d.count > b.Values {
		return &TooManyValues{b.Values}
	}
	if b.Context != nil && b.Context.Err() != nil {
		return b.Context.Err()
	}
	d.look += lookEvery
	if b.Values > 0 {
		d.look = min(d.look, b.Values)
	}
	return b.Memory.Take(lookEvery * valueRead)
}

// finished lets go of what only reading needs.
func (d *decoder) finished() {
	if d.count > lookEvery {
		d.keys, d.values = nil, nil
		d.bounds.Memory.Give(int64(d.count/lookEvery) * lookEvery * (valueRead - valueKept))
	}
	d.bounds = Bounds{}
}

// document reads the whole text.
func (d *decoder) document(text string, b Bounds) (legislation.Data, error) {
	if !utf8.ValidString(text) {
		return legislation.Data{}, errors.New("the text is not UTF-8")
	}
	d.text, d.at = strings.TrimPrefix(text, byteOrderMark), 0
	if b.Values > 0 && len(text)/2 > b.Values && commas(text) > b.Values {
		return legislation.Data{}, &TooManyValues{b.Values}
	}
	d.within(b)
	defer d.finished()
	if err := d.value(0); err != nil {
		return legislation.Data{}, err
	}
	if d.space(); d.at < len(d.text) {
		return legislation.Data{}, fmt.Errorf("there is something after the value, at byte %d", d.at)
	}
	return d.values[0], nil
}

func (d *decoder) space() {
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

// peek is the next byte that is no space, 0 at the end.
func (d *decoder) peek() byte {
	if d.at < len(d.text) && d.text[d.at] > ' ' {
		return d.text[d.at]
	}
	return d.peekBeyond()
}

// peekBeyond is peek where there is space.
func (d *decoder) peekBeyond() byte {
	if d.space(); d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) fail(what string) error {
	if d.at >= len(d.text) {
		return io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s at byte %d", what, d.at)
}

// push notes a value that was read.
func (d *decoder) push(value legislation.Data) { d.values = append(d.values, value) }

// value reads a value and pushes it.
func (d *decoder) value(depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("the document is nested more than %d levels deep", maxDepth)
	}
	if d.count++; d.count > d.look {
		if err := d.bounded(); err != nil {
			return err
		}
	}
	switch c := d.peek(); {
	case c == '{':
		return d.object(depth)
	case c == '[':
		return d.list(depth)
	case c == '"':
		s, err := d.str()
		kept := d.texts.New()
		*kept = s
		d.took++
		d.push(legislation.DataOf(vector.PyStrAt(kept)))
		return err
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case d.word("null"):
		d.push(legislation.Data{})
	case d.word("true"):
		d.push(legislation.DataOf(vector.PyBool(true)))
	case d.word("false"):
		d.push(legislation.DataOf(vector.PyBool(false)))
	default:
		return d.fail("expected a value")
	}
	return nil
}

// word reads a word if it comes next.
func (d *decoder) word(word string) bool {
	if !strings.HasPrefix(d.text[d.at:], word) {
		return false
	}
	d.at += len(word)
	return true
}

func (d *decoder) list(depth int) error {
	d.at++
	if d.peek() == ']' {
		d.at++
		d.push(legislation.Data{Kind: legislation.List, List: []legislation.Data{}})
		return nil
	}
	base := len(d.values)
	for {
		if err := d.value(depth + 1); err != nil {
			return err
		}
		switch d.peek() {
		case ',':
			d.at++
		case ']':
			d.at++
			items := d.slabs.values.Copy(d.values[base:])
			d.values = d.values[:base]
			d.push(legislation.Data{Kind: legislation.List, List: items})
			return nil
		default:
			return d.fail("expected a comma or the end of a list")
		}
	}
}

func (d *decoder) object(depth int) error {
	d.at++
	firstKey, firstValue := len(d.keys), len(d.values)
	for d.peek() != '}' || len(d.keys) > firstKey {
		key, err := d.key()
		if err != nil {
			return err
		}
		d.keys = append(d.keys, key)
		if err := d.value(depth + 1); err != nil {
			return err
		}
		if d.peek() != ',' {
			break
		}
		d.at++
	}
	if d.peek() != '}' {
		return d.fail("expected a comma or the end of an object")
	}
	d.at++
	object := d.slabs.objectOf(d.slabs.keys.Copy(d.keys[firstKey:]), d.slabs.values.Copy(d.values[firstValue:]))
	d.keys, d.values = d.keys[:firstKey], d.values[:firstValue]
	d.push(object)
	return nil
}

// key reads the name of a member and the colon behind it.
func (d *decoder) key() (string, error) {
	if d.peek() != '"' {
		return "", d.fail("expected a key")
	}
	key, err := d.str()
	if err == nil && d.peek() != ':' {
		err = d.fail("expected a colon")
	}
	d.at++
	return key, err
}

// str reads a string; one without escapes is a part of the document.
func (d *decoder) str() (string, error) {
	start := d.at
	for i := start + 1; i < len(d.text); i++ {
		switch c := d.text[i]; {
		case c == '"':
			d.at = i + 1
			return d.text[start+1 : i], nil
		case c < ' ':
			d.at = i
			return "", d.fail("a control character in a string")
		case c == '\\':
			return d.escaped(start)
		}
	}
	d.at = len(d.text)
	return "", io.ErrUnexpectedEOF
}

// escaped reads a string with escapes, which are rare.
func (d *decoder) escaped(start int) (string, error) {
	end := start + 1
	for end < len(d.text) && d.text[end] != '"' {
		if d.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(d.text) {
		d.at = len(d.text)
		return "", io.ErrUnexpectedEOF
	}
	var out string
	if err := json.Unmarshal([]byte(d.text[start:end+1]), &out); err != nil {
		d.at = start
		return "", d.fail("a wrong escape in the string")
	}
	if replaced(out, d.text[start:end+1]) {
		d.at = start
		return "", d.fail("half of a surrogate pair in the string")
	}
	d.at = end + 1
	return out, nil
}

// replaced reports whether decoding put replacement characters where the source has none: for what is no character.
func replaced(text, source string) bool {
	const replacement = "\ufffd"
	n := strings.Count(text, replacement)
	return n > 0 && n > strings.Count(source, replacement)+strings.Count(strings.ToLower(source), `\ufffd`)
}

func (d *decoder) number() error {
	start := d.at
	if d.text[d.at] == '-' {
		d.at++
	}
	lead := d.at
	digits := d.digits()
	if digits == 0 || digits > 1 && d.text[lead] == '0' {
		d.at = lead
		return d.fail("a wrong number")
	}
	whole := !d.next('.', '.') && !d.next('e', 'E')
	if d.next('.', '.') {
		d.at++
		if d.digits() == 0 {
			return d.fail("a wrong number")
		}
	}
	if d.next('e', 'E') {
		if d.at++; d.next('+', '-') {
			d.at++
		}
		if d.digits() == 0 {
			return d.fail("a wrong number")
		}
	}
	n, err := decodeNumber(d.text[start:d.at], whole)
	d.push(n)
	return err
}

// next reports whether one of two characters comes next.
func (d *decoder) next(a, b byte) bool {
	return d.at < len(d.text) && (d.text[d.at] == a || d.text[d.at] == b)
}

// digits goes over digits and counts them.
func (d *decoder) digits() int {
	start := d.at
	for d.at < len(d.text) && d.text[d.at] >= '0' && d.text[d.at] <= '9' {
		d.at++
	}
	return d.at - start
}

func decodeNumber(text string, whole bool) (legislation.Data, error) {
	if whole {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return legislation.DataOf(vector.PyInt(i)), nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return legislation.Data{}, fmt.Errorf("%s is not a number", text)
	}
	d := legislation.DataOf(vector.PyFloat(f))
	if math.IsInf(f, 0) || whole {
		written := strings.Clone(text)
		d.Written = &written
	}
	return d, nil
}

// AppendJSON writes data as JSON on one line. Floats are the shortest text that reads back to the same number, and have
// a fraction or an exponent; what JSON has no number for is null.
func AppendJSON(buf []byte, d legislation.Data) []byte {
	switch d.Kind {
	case legislation.Scalar:
		if d.Written != nil {
			return append(buf, *d.Written...)
		}
		return appendScalar(buf, d.Scalar)
	case legislation.List:
		buf = append(buf, '[')
		for i, item := range d.List {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = AppendJSON(buf, item)
		}
		return append(buf, ']')
	case legislation.Mapping:
		buf = append(buf, '{')
		first := true
		for key, value := range d.Map.All() {
			if !first {
				buf = append(buf, ',')
			}
			first = false
			buf = append(AppendText(buf, key), ':')
			buf = AppendJSON(buf, value)
		}
		return append(buf, '}')
	}
	return append(buf, "null"...)
}

func appendScalar(buf []byte, c vector.Column) []byte {
	switch c.Type() {
	case vector.Bool:
		return strconv.AppendBool(buf, c.Bool(0))
	case vector.Str, vector.Bytes, vector.Enum:
		return AppendText(buf, c.Text(0))
	case vector.Date:
		return AppendText(buf, c.Format(0))
	case vector.Float32, vector.Float64:
		return appendFloat(buf, c)
	}
	return strconv.AppendInt(buf, c.Int(0), 10)
}

func appendFloat(buf []byte, c vector.Column) []byte {
	if c.Type() == vector.Float32 {
		return AppendFloat(buf, c.Float(0), 32)
	}
	return AppendFloat(buf, c.Float(0), 64)
}

// AppendFloat writes the shortest text that reads back to the same number of that many bits, with a fraction or an
// exponent; null if it is not finite.
func AppendFloat(buf []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(buf, "null"...)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		format = 'e'
	}
	start := len(buf)
	buf = strconv.AppendFloat(buf, f, format, -1, bits)
	if format == 'f' && bytes.IndexByte(buf[start:], '.') < 0 {
		buf = append(buf, ".0"...)
	}
	return buf
}

// AppendText writes a string, escaping what JSON must have escaped, and nothing else.
func AppendText(buf []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			return appendEscaped(buf, s, i)
		}
	}
	buf = append(buf, '"')
	buf = append(buf, s...)
	return append(buf, '"')
}

// appendEscaped is AppendText from the first character that must be escaped.
func appendEscaped(buf []byte, s string, first int) []byte {
	const hex = "0123456789abcdef"
	buf = append(append(buf, '"'), s[:first]...)
	done := first
	for i := first; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		buf = append(buf, s[done:i]...)
		done = i + 1
		switch c {
		case '"', '\\':
			buf = append(buf, '\\', c)
		case '\n':
			buf = append(buf, '\\', 'n')
		case '\t':
			buf = append(buf, '\\', 't')
		case '\r':
			buf = append(buf, '\\', 'r')
		default:
			buf = append(buf, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(buf, s[done:]...), '"')
}
