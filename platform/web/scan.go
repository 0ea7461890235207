package web

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// The grammar of JSON (RFC 8259). Every function starts at its first byte and leaves the position
// after its last, or fails.

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end (no value starts with it).
func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

// enter passes the opening bracket of an object or list.
func (s *scanner) enter() {
	if s.depth++; s.depth > s.maxDepth {
		s.fail(s.pos, false, fmt.Sprintf("nested deeper than %d levels", s.maxDepth))
	}
	s.pos++
	s.space()
}

// more passes what stands between two elements, or the closing bracket. first tells whether an
// element was read before.
func (s *scanner) more(first bool, closing byte) bool {
	s.space()
	c := s.peek()
	switch {
	case c == closing:
		s.pos++
		s.depth--
		return false
	case first:
		return true
	case c != ',':
		s.malformed(s.unexpected(fmt.Sprintf("a comma or %q", closing)))
	}
	s.pos++
	s.space()
	if s.peek() == closing {
		s.malformed(fmt.Sprintf("there is a comma before %q", closing))
	}
	return true
}

// key reads a key and its colon. The result is valid until the text is: it aliases it unless the key
// has escapes.
func (s *scanner) key() []byte {
	if s.peek() != '"' {
		s.malformed(s.unexpected("a name in double quotes"))
	}
	key := s.text()
	s.space()
	if s.peek() != ':' {
		s.malformed(s.unexpected("a colon after the name"))
	}
	s.pos++
	s.space()
	return key
}

func (s *scanner) literal(word string) {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
		s.malformed(s.unexpected("a value"))
	}
	s.pos += len(word)
}

// number returns the text of a number.
func (s *scanner) number() []byte {
	start := s.pos
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else {
		s.digits()
	}
	if s.peek() == '.' {
		s.pos++
		s.digits()
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		s.digits()
	}
	if c := s.peek(); '0' <= c && c <= '9' {
		s.malformed("a number starts with 0 and goes on")
	}
	return s.data[start:s.pos]
}

func (s *scanner) digits() {
	start := s.pos
	for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
		s.pos++
	}
	if s.pos == start {
		s.malformed(s.unexpected("a digit"))
	}
}

// text reads a string and returns it without quotes and escapes; it aliases the data when it had none.
func (s *scanner) text() []byte {
	raw, escaped := s.quoted()
	if escaped {
		return unescape(raw)
	}
	return raw
}

// quoted reads a string and returns what is between the quotes, checked.
func (s *scanner) quoted() (raw []byte, escaped bool) {
	start := s.pos + 1
	ascii := true
	for i := start; i < len(s.data); i++ {
		c := s.data[i]
		if plainText[c] {
			continue
		}
		switch {
		case c == '"':
			raw = s.data[start:i]
			if !ascii && !utf8.Valid(raw) {
				s.fail(start+invalidUTF8(raw), true, "the text is not valid UTF-8")
			}
			s.pos = i + 1
			return raw, escaped
		case c == '\\':
			escaped = true
			i += s.escape(i)
		case c < ' ':
			s.fail(i, true, fmt.Sprintf("a string holds the control character %q: write it as \\u%04x", c, c))
		default:
			ascii = false
		}
	}
	s.fail(s.pos, true, "a string is not closed")
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
func (s *scanner) escape(i int) int {
	if i+1 >= len(s.data) {
		s.fail(i, true, "a string is not closed")
	}
	switch c := s.data[i+1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		r, ok := hex4(s.data[i+2:])
		if !ok {
			s.fail(i, true, "\\u needs four hexadecimal digits")
		}
		if !utf16.IsSurrogate(r) {
			return 5
		}
		if low, ok := lowSurrogate(s.data[i+6:]); !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
			s.fail(i, true, "a \\u escape is half of a character: its other half does not follow")
		}
		return 11
	default:
		s.fail(i, true, fmt.Sprintf("there is no escape \\%c", c))
		return 0
	}
}

func lowSurrogate(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	return hex4(b[2:])
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
		c := raw[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		i++
		if c = raw[i]; c != 'u' {
			out = append(out, plainEscapes[c])
			continue
		}
		r, _ := hex4(raw[i+1:])
		i += 4
		if utf16.IsSurrogate(r) {
			low, _ := hex4(raw[i+3:])
			r = utf16.DecodeRune(r, low)
			i += 6
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// skip passes a value of any kind, checking it as strictly as one that is kept.
func (s *scanner) skip() {
	switch s.peek() {
	case '{':
		s.skipObject()
	case '[':
		s.enter()
		for first := true; s.more(first, ']'); first = false {
			s.skip()
		}
	case '"':
		s.quoted()
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	case 'n':
		s.literal("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		s.number()
	default:
		s.malformed(s.unexpected("a value"))
	}
}

func (s *scanner) skipObject() {
	s.enter()
	mark := s.keys.open()
	for first := true; s.more(first, '}'); first = false {
		pos := s.pos
		s.once(mark, pos, s.key())
		s.skip()
	}
	s.keys.close(mark)
}

// once fails when the object that mark opened had the key before.
func (s *scanner) once(mark, pos int, key []byte) {
	if !s.keys.add(mark, key) {
		s.fail(pos, false, fmt.Sprintf("%q is given twice", key))
	}
	if len(s.keys.keys)-mark >= fewKeys && len(s.keys.maps[mark]) > maxKept {
		s.fail(pos, false, fmt.Sprintf("an object has more than %d names: send fewer at a time", maxKept))
	}
}

// maxKept bounds what a walk makes of a text that is larger than the text: elements of lists that are filled, and names of
// one object, which are remembered until it ends. What is passed over or kept as it is written takes nothing.
const maxKept = 100_000

// keySet holds the keys of all open objects, the innermost last. Few keys are compared one by one;
// many get a map.
type keySet struct {
	keys [][]byte
	maps map[int]map[string]struct{} // by mark
}

const fewKeys = 16

func (k *keySet) open() (mark int) { return len(k.keys) }

func (k *keySet) close(mark int) {
	k.keys = k.keys[:mark]
	if k.maps != nil {
		delete(k.maps, mark)
	}
}

// add reports whether the key is new to its object.
func (k *keySet) add(mark int, key []byte) bool {
	own := k.keys[mark:]
	if len(own) >= fewKeys {
		return k.addToMap(mark, key)
	}
	for _, other := range own {
		if bytes.Equal(other, key) {
			return false
		}
	}
	k.keys = append(k.keys, key)
	return true
}

// addToMap keeps the first keys in the slice too, so that marks of inner objects stay distinct.
func (k *keySet) addToMap(mark int, key []byte) bool {
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
	return len(m) > before
}
