package jsonio

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// The grammar of JSON (RFC 8259). Every function starts at its first byte and leaves the position
// after its last, or fails.

// Next goes over white space and returns the byte that comes then, 0 at the end (no value starts with it).
func (r *Reader) Next() byte {
	if r.pos < len(r.data) && r.data[r.pos] > ' ' {
		return r.data[r.pos]
	}
	r.space()
	return r.peek()
}

func (r *Reader) space() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end.
func (r *Reader) peek() byte {
	if r.pos < len(r.data) {
		return r.data[r.pos]
	}
	return 0
}

// Enter passes the opening bracket of an object or list.
func (r *Reader) Enter() {
	if r.depth++; r.depth > r.rules.Depth {
		r.fail(TooDeep, r.pos, fmt.Sprintf("nested deeper than %d levels", r.rules.Depth))
	}
	if r.data[r.pos] == '{' && !r.rules.LastWins {
		r.keys.open()
	}
	r.pos++
}

// More goes to the next key or element, or passes the closing bracket. first says that there was none before.
func (r *Reader) More(first bool, closing byte) bool {
	c := r.Next()
	if c == closing {
		r.leave(closing)
		return false
	}
	if !first {
		if c != ',' {
			r.malformed(WantComma, r.unexpected(fmt.Sprintf("a comma or %q", closing)))
		}
		r.pos++
		if r.Next() == closing {
			r.trailing(closing)
		}
	}
	if r.count++; r.count > r.look {
		r.bounded()
	}
	return true
}

// leave passes a closing bracket.
func (r *Reader) leave(closing byte) {
	r.pos++
	r.depth--
	if closing == '}' && !r.rules.LastWins {
		r.keys.close()
	}
}

func (r *Reader) trailing(closing byte) {
	want := WantValue
	if closing == '}' {
		want = WantName
	}
	r.malformed(want, fmt.Sprintf("there is a comma before %q", closing))
}

// Key reads a key as [Reader.Text] does, and goes to its value.
func (r *Reader) Key() []byte {
	pos := r.pos
	key := r.key()
	r.once(pos, key)
	return key
}

// key is Key without the rule that keys are given once.
func (r *Reader) key() []byte {
	if r.peek() != '"' {
		r.malformed(WantName, r.unexpected("a name in double quotes"))
	}
	key := r.Text()
	if r.Next() != ':' {
		r.malformed(WantColon, r.unexpected("a colon after the name"))
	}
	r.pos++
	r.Next()
	return key
}

// Word passes a word: null, true or false.
func (r *Reader) Word(word string) {
	if !bytes.HasPrefix(r.data[r.pos:], []byte(word)) {
		r.WantValue()
	}
	r.pos += len(word)
}

// WantValue fails because no value begins here.
func (r *Reader) WantValue() { r.malformed(WantValue, r.unexpected("a value")) }

// Number returns the text of a number, and whether it has neither fraction nor exponent.
func (r *Reader) Number() (text []byte, whole bool) {
	start := r.pos
	if r.peek() == '-' {
		r.pos++
	}
	if r.peek() == '0' {
		r.pos++
	} else {
		r.digits(WantValue, start)
	}
	whole = true
	if back := r.pos; r.peek() == '.' {
		whole = false
		r.pos++
		r.digits(BadNumber, back)
	}
	if back, c := r.pos, r.peek(); c == 'e' || c == 'E' {
		whole = false
		r.pos++
		if c := r.peek(); c == '+' || c == '-' {
			r.pos++
		}
		r.digits(BadNumber, back)
	}
	if c := r.peek(); '0' <= c && c <= '9' {
		r.malformed(BadNumber, "a number has a leading 0")
	}
	return r.data[start:r.pos], whole
}

// digits passes digits. Without any, the number is none from a place on.
func (r *Reader) digits(without Problem, from int) {
	start := r.pos
	for r.pos < len(r.data) && '0' <= r.data[r.pos] && r.data[r.pos] <= '9' {
		r.pos++
	}
	if r.pos == start {
		r.failFrom(without, r.pos, from, r.unexpected("a digit"))
	}
}

// Text reads a string and returns it without quotes and escapes; it aliases the text when it had none.
func (r *Reader) Text() []byte {
	raw, escaped := r.quoted()
	if escaped {
		return unescape(raw)
	}
	return raw
}

// quoted reads a string and returns what is between the quotes, checked.
func (r *Reader) quoted() (raw []byte, escaped bool) {
	start := r.pos + 1
	ascii := true
	for i := start; i < len(r.data); i++ {
		c := r.data[i]
		if plainText[c] {
			continue
		}
		switch {
		case c == '"':
			raw = r.data[start:i]
			if !ascii && !r.rules.AnyText && !utf8.Valid(raw) {
				r.failFrom(NotUTF8, start+invalidUTF8(raw), r.pos, "the text is not valid UTF-8")
			}
			r.pos = i + 1
			return raw, escaped
		case c == '\\':
			escaped = true
			i += r.escape(i)
		case c < ' ':
			r.failFrom(Control, i, r.pos, fmt.Sprintf("a string holds the control character %q: write it as \\u%04x", c, c))
		default:
			ascii = false
		}
	}
	r.malformed(Unclosed, "a string is not closed")
	return nil, false
}

// plainText tells the bytes that stand for themselves in a string and are ASCII.
var plainText = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// escape checks the escape that starts at i and returns how many bytes follow the backslash.
func (r *Reader) escape(i int) int {
	if i+1 >= len(r.data) {
		r.failFrom(Unclosed, i, r.pos, "a string is not closed")
	}
	switch c := r.data[i+1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		c, ok := hex4(r.data[i+2:])
		if !ok {
			r.failFrom(BadHex, i, r.pos, "\\u needs four hexadecimal digits")
		}
		if !utf16.IsSurrogate(c) {
			return 5
		}
		if _, whole := pair(c, r.data[i+6:]); whole {
			return 11
		}
		if !r.rules.AnyText {
			r.failFrom(HalfPair, i, r.pos, "a \\u escape is half of a character: its other half does not follow")
		}
		return 5
	default:
		r.failFrom(BadEscape, i, r.pos, fmt.Sprintf("there is no escape \\%c", c))
		return 0
	}
}

// pair is the character of which an escape is the first half, if b goes on with the other.
func pair(first rune, b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return utf8.RuneError, false
	}
	second, ok := hex4(b[2:])
	c := utf16.DecodeRune(first, second)
	return c, ok && c != utf8.RuneError
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

var plainEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape resolves the escapes of a string that quoted has checked.
func unescape(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		if raw[i] != 'u' {
			out = append(out, plainEscapes[raw[i]])
			continue
		}
		c, _ := hex4(raw[i+1:])
		i += 4
		if utf16.IsSurrogate(c) {
			whole := false
			if c, whole = pair(c, raw[i+1:]); whole {
				i += 6
			}
		}
		out = utf8.AppendRune(out, c)
	}
	return out
}

// Skip passes a value of any kind, checking it as strictly as one that is kept.
func (r *Reader) Skip() {
	switch r.peek() {
	case '{':
		r.Enter()
		for first := true; r.More(first, '}'); first = false {
			r.Key()
			r.Skip()
		}
	case '[':
		r.Enter()
		for first := true; r.More(first, ']'); first = false {
			r.Skip()
		}
	case '"':
		r.quoted()
	case 't':
		r.Word("true")
	case 'f':
		r.Word("false")
	case 'n':
		r.Word("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		r.Number()
	default:
		r.WantValue()
	}
}

// once fails when the object had the key before, unless the last counts.
func (r *Reader) once(pos int, key []byte) {
	if r.rules.LastWins {
		return
	}
	names, fresh := r.keys.add(key)
	if !fresh {
		r.fail(GivenTwice, pos, fmt.Sprintf("%q is given twice", key))
	}
	if names > maxKept {
		r.fail(TooLarge, pos, fmt.Sprintf("an object has more than %d names: send fewer at a time", maxKept))
	}
}

// maxKept bounds what a walk makes of a text that is larger than the text: elements of lists that are filled, and names of
// one object, which are remembered until it ends. What is passed over or kept as it is written takes nothing.
const maxKept = 100_000

// keySet holds the keys of all open objects, the innermost last. Few keys are compared one by one;
// many get a map.
type keySet struct {
	keys  [][]byte
	marks []int                       // where the keys of each open object begin
	maps  map[int]map[string]struct{} // by mark
}

const fewKeys = 16

func (k *keySet) open() { k.marks = append(k.marks, len(k.keys)) }

func (k *keySet) close() {
	last := len(k.marks) - 1
	mark := k.marks[last]
	k.keys, k.marks = k.keys[:mark], k.marks[:last]
	if k.maps != nil {
		delete(k.maps, mark)
	}
}

// add reports how many keys the innermost object has, and whether this one is new to it.
func (k *keySet) add(key []byte) (n int, fresh bool) {
	mark := k.marks[len(k.marks)-1]
	own := k.keys[mark:]
	if len(own) >= fewKeys {
		return k.addToMap(mark, key)
	}
	for _, other := range own {
		if bytes.Equal(other, key) {
			return len(own), false
		}
	}
	k.keys = append(k.keys, key)
	return len(own) + 1, true
}

// addToMap keeps the first keys in the slice too, so that marks of inner objects stay distinct.
func (k *keySet) addToMap(mark int, key []byte) (n int, fresh bool) {
	m := k.maps[mark]
	if m == nil {
		m = make(map[string]struct{}, 4*fewKeys)
		for _, other := range k.keys[mark:] {
			m[string(other)] = struct{}{}
		}
		if k.maps == nil {
			k.maps = map[int]map[string]struct{}{}
		}
		k.maps[mark] = m
	}
	before := len(m)
	m[string(key)] = struct{}{}
	return len(m), len(m) > before
}
