// Package names holds the rules for names: ids and other path segments, user names, and one-line texts such as labels.
//
// Every package that stores such a name checks it here, so that a name accepted in one place can be read, moderated and removed in
// every other. Only new names are checked: names stored by earlier versions stay readable and removable.
package names

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxID is the maximum length in bytes of the id of a user, a device or a client.
const MaxID = 64

// IsID reports whether s may become the id of a user, a device or a client.
func IsID(s string) bool { return Check("id", s, MaxID) == nil }

// Check returns an error unless s has 1 to most bytes of A-Z a-z 0-9 _ . - and can be addressed in a URL path. kind is the English
// noun for s with its article, as in "a user id".
func Check(kind, s string, most int) error {
	if s == "" || len(s) > most || !plain(s) {
		return fmt.Errorf("%q is not %s: use 1 to %d of letters (a-z), digits, '_', '.' and '-'", clip(s), kind, most)
	}
	return CheckSegment(kind, s)
}

// CheckSegment returns an error if s, escaped as one segment of a URL path, does not reach the server as s. Browsers and proxies
// resolve "." and "..", escaped or not (RFC 3986 section 5.2.4), and the router of net/http takes a lone "/" for the end of the path.
func CheckSegment(kind, s string) error {
	switch s {
	case ".", "..", "/":
		return fmt.Errorf("%q cannot be %s: no URL path can contain it; choose another", s, kind)
	}
	return nil
}

func plain(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-' {
			continue
		}
		return false
	}
	return true
}

// clip shortens s for an error message.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strings.ToValidUTF8(s[:cut], "\uFFFD") + "…"
}
