package http1

import (
	"strings"
	"testing"
)

// TestCharacters: each character, alone and among others, is where it may be and nowhere else.
func TestCharacters(t *testing.T) {
	const letters, digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	for name, c := range map[string]struct {
		allows func(string) bool
		want   func(c byte) bool
	}{
		"target": {printable, func(c byte) bool { return c > 0x20 && c < 0x7f }},
		"name":   {token, func(c byte) bool { return strings.IndexByte(letters+digits+"-_", c) >= 0 }},
		"host":   {plainHost, func(c byte) bool { return strings.IndexByte(letters+digits+"-.:[]", c) >= 0 }},
		"value": {
			func(s string) bool { _, ok := plainValue("x" + s + "x"); return ok },
			func(c byte) bool { return c == '\t' || c >= 0x20 && c != 0x7f },
		},
		"length": {func(s string) bool { return contentLength(s) >= 0 }, func(c byte) bool { return strings.IndexByte(digits, c) >= 0 }},
	} {
		for i := range 256 {
			b := byte(i)
			for _, text := range []string{string([]byte{b}), string([]byte{'1', b, '1'})} {
				if got := c.allows(text); got != c.want(b) {
					t.Errorf("%s: %q is allowed: %v", name, text, got)
				}
			}
		}
	}
}

func TestContentLength(t *testing.T) {
	for text, want := range map[string]int64{
		"": -1, "0": 0, "9": 9, "10": 10, "0012": 12, "999999999999999999": 999_999_999_999_999_999, "1000000000000000000": -1, "0000000000000000001": -1, "-1": -1,
	} {
		if got := contentLength(text); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

// TestMostLines: a head may have as many lines as there is room for.
func TestMostLines(t *testing.T) {
	text := "GET / HTTP/1.1\r\nHost: a" + strings.Repeat("\r\nX: y", maxLines-1)
	var h head
	if !accepts(&h, text) || accepts(&h, text+"\r\nX: y") {
		t.Error("the bound is another")
	}
}

// TestAfter: a line is that line whole, with its end.
func TestAfter(t *testing.T) {
	for text, want := range map[string]string{"ab\r\n": "", "ab\r\nc": "c", "ab\r": "-", "ab\n\n": "-", "ab\r\r": "-", "ab": "-", "abc\r\n": "-", "aX\r\n": "-", "": "-"} {
		rest, same := after([]byte(text), "ab")
		if same != (want != "-") || same && string(rest) != want {
			t.Errorf("after %q comes %q, %v", text, rest, same)
		}
	}
}
