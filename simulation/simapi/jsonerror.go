package simapi

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// jsonProblem says what is wrong with a text that is not JSON in the words that clients of the original know: what was
// expected, with line, column and character. It returns the other error where its own reading finds nothing wrong.
func jsonProblem(text []byte, other error) string {
	s := &jsonScanner{text: bytes.TrimPrefix(text, []byte("\ufeff"))}
	s.space()
	if !s.value(0) {
		return s.problem
	}
	s.space()
	if s.at < len(s.text) {
		s.fail("Extra data", s.at)
		return s.problem
	}
	return other.Error()
}

type jsonScanner struct {
	text    []byte
	at      int // in bytes; what is told counts characters
	problem string
}

func (s *jsonScanner) fail(what string, at int) bool {
	if s.problem == "" {
		before := s.text[:min(at, len(s.text))]
		line, start := 1+bytes.Count(before, []byte{'\n'}), bytes.LastIndexByte(before, '\n')+1
		s.problem = fmt.Sprintf("%s: line %d column %d (char %d)", what, line, 1+utf8.RuneCount(before[start:]), utf8.RuneCount(before))
	}
	return false
}

func (s *jsonScanner) peek() rune {
	if s.at < len(s.text) {
		return rune(s.text[s.at])
	}
	return -1
}

func (s *jsonScanner) space() {
	for s.at < len(s.text) && (s.peek() == ' ' || s.peek() == '\t' || s.peek() == '\n' || s.peek() == '\r') {
		s.at++
	}
}

func (s *jsonScanner) value(depth int) bool {
	switch c := s.peek(); {
	case depth > 1000:
		return s.fail("Too deeply nested", s.at)
	case c == '"':
		return s.str()
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.array(depth)
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	}
	for _, word := range []string{"null", "true", "false"} {
		if end := s.at + len(word); end <= len(s.text) && string(s.text[s.at:end]) == word {
			s.at = end
			return true
		}
	}
	return s.fail("Expecting value", s.at)
}

func (s *jsonScanner) number() bool {
	start := s.at
	if s.peek() == '-' {
		s.at++
	}
	digits := func() int {
		n := 0
		for ; s.peek() >= '0' && s.peek() <= '9'; n++ {
			s.at++
		}
		return n
	}
	if s.peek() == '0' {
		s.at++
	} else if digits() == 0 {
		return s.fail("Expecting value", start)
	}
	if back := s.at; s.peek() == '.' {
		s.at++
		if digits() == 0 {
			s.at = back
			return true
		}
	}
	if back := s.at; s.peek() == 'e' || s.peek() == 'E' {
		s.at++
		if s.peek() == '+' || s.peek() == '-' {
			s.at++
		}
		if digits() == 0 {
			s.at = back
		}
	}
	return true
}

func (s *jsonScanner) str() bool {
	start := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return true
		case c < 0x20:
			return s.fail("Invalid control character at", s.at)
		case c == '\\':
			if !s.escape(start) {
				return false
			}
		}
	}
	return s.fail("Unterminated string starting at", start)
}

// escape reads what follows a backslash, up to its last character.
func (s *jsonScanner) escape(start int) bool {
	s.at++
	switch s.peek() {
	case -1:
		return s.fail("Unterminated string starting at", start)
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for i := 1; i <= 4; i++ {
			if s.at+i >= len(s.text) || !isHex(s.text[s.at+i]) {
				return s.fail(`Invalid \uXXXX escape`, s.at)
			}
		}
		s.at += 4
		return true
	}
	return s.fail(`Invalid \escape`, s.at-1)
}

func isHex(r byte) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F'
}

func (s *jsonScanner) object(depth int) bool {
	s.at++
	s.space()
	if s.peek() == '}' {
		s.at++
		return true
	}
	for {
		if s.peek() != '"' {
			return s.fail("Expecting property name enclosed in double quotes", s.at)
		}
		if !s.str() {
			return false
		}
		s.space()
		if s.peek() != ':' {
			return s.fail("Expecting ':' delimiter", s.at)
		}
		s.at++
		s.space()
		if !s.value(depth + 1) {
			return false
		}
		s.space()
		switch s.peek() {
		case '}':
			s.at++
			return true
		case ',':
		default:
			return s.fail("Expecting ',' delimiter", s.at)
		}
		s.at++
		s.space()
	}
}

func (s *jsonScanner) array(depth int) bool {
	s.at++
	s.space()
	if s.peek() == ']' {
		s.at++
		return true
	}
	for {
		if !s.value(depth + 1) {
			return false
		}
		s.space()
		switch s.peek() {
		case ']':
			s.at++
			return true
		case ',':
		default:
			return s.fail("Expecting ',' delimiter", s.at)
		}
		s.at++
		s.space()
	}
}
