package pysyntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns a string as Python's repr does.
func Quote(s string) string {
	quote := quoteFor(s)
	var b strings.Builder
	b.WriteByte(quote)
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		i += size
		if r == rune(quote) {
			b.WriteByte('\\')
			b.WriteByte(quote)
		} else {
			escape(&b, r)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

// QuoteBytes returns a bytes value as Python's repr does.
func QuoteBytes(s string) string {
	quote := quoteFor(s)
	var b strings.Builder
	b.WriteByte('b')
	b.WriteByte(quote)
	for i := range len(s) {
		switch c := s[i]; {
		case c == quote:
			b.WriteByte('\\')
			b.WriteByte(quote)
		case c >= utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			escape(&b, rune(c))
		}
	}
	b.WriteByte(quote)
	return b.String()
}

// quoteFor prefers the single quote unless that means escapes the double one avoids.
func quoteFor(s string) byte {
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		return '"'
	}
	return '\''
}

// decode reads a character, taking the three bytes of a lone surrogate ('\ud800') as one.
func decode(s string) (rune, int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2] >= 0x80 && s[2] <= 0xBF {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

func escape(b *strings.Builder, r rune) {
	switch {
	case r == '\\':
		b.WriteString(`\\`)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < 0x20 || r == 0x7f || r > 0x7f && r <= 0xff && !unicode.IsPrint(r):
		fmt.Fprintf(b, `\x%02x`, r)
	case r > 0xff && r <= 0xffff && !unicode.IsPrint(r):
		fmt.Fprintf(b, `\u%04x`, r)
	case r > 0xffff && !unicode.IsPrint(r):
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		b.WriteRune(r)
	}
}

// FormatFloat returns a float as Python's repr does.
func FormatFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if strings.IndexByte(s, '.') < 0 {
		s += ".0"
	}
	return s
}
