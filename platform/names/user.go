package names

// User names are read by people, who cannot distinguish "boss" from "bоss" with a Cyrillic о. The rules are those of UTS 39: one
// script, or one of the combinations that a single language uses ("highly restrictive"), no invisible characters, and uniqueness
// regardless of case and of compatibility forms. A name written entirely in letters of another script that look Latin is accepted:
// to reject it would reject words of that script.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxUser is the maximum number of characters of a user name.
const MaxUser = 64

// User returns a new user name in its normal form (NFKC), or an error that completes the sentence "username: …".
func User(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", errors.New("the name is not valid UTF-8")
	}
	if len(s) > 4*utf8.UTFMax*MaxUser { // before it is normalised at length
		s = ""
	}
	s = norm.NFKC.String(s)
	for _, r := range s {
		if invisible(r) {
			return "", fmt.Errorf("the name has the invisible character %U: remove it", r)
		}
	}
	odd := strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
	if n := utf8.RuneCountInString(s); n == 0 || n > MaxUser || odd || strings.TrimSpace(s) != s || strings.Contains(s, "  ") {
		return "", fmt.Errorf("give 1 to %d printable characters, without a space at either end or two in a row", MaxUser)
	}
	local, domain, _ := strings.Cut(s, "@") // the parts of an e-mail address may differ in script, as may the labels of its domain
	for part := range strings.SplitSeq(domain, ".") {
		if err := oneScript(part); err != nil {
			return "", err
		}
	}
	return s, oneScript(local)
}

// UserKey returns a user name as names are compared: without regard to case and compatibility forms. UserKey(UserKey(s)) is UserKey(s).
func UserKey(s string) string {
	if plain(s) {
		return strings.ToLower(s)
	}
	for range 4 { // lower case can have a further compatibility form: U+03F4, ϴ, has ϑ, which has θ
		next := norm.NFKC.String(strings.Map(lower, norm.NFKC.String(s)))
		if next == s {
			break
		}
		s = next
	}
	return s
}

// lower returns the lower case of the first of the characters that differ from r in case only: σ for Σ, σ and ς.
func lower(r rune) rune {
	first := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		first = min(first, f)
	}
	return unicode.ToLower(first)
}

// together are the scripts that one name may mix, besides a single script: those of Japanese, Chinese and Korean, with Latin.
var together = [][]string{
	{"Latin", "Han", "Hiragana", "Katakana"},
	{"Latin", "Han", "Bopomofo"},
	{"Latin", "Han", "Hangul"},
}

// oneScript returns an error if s mixes scripts that no language mixes.
func oneScript(s string) error {
	var scripts []string
	for _, r := range s {
		script := scriptOf(r)
		if script == "" || slices.Contains(scripts, script) {
			continue
		}
		scripts = append(scripts, script)
		if len(scripts) > 1 && !slices.ContainsFunc(together, func(all []string) bool { return containsAll(all, scripts) }) {
			return fmt.Errorf("%q mixes %s and %s letters (%q is %s): use one script", s, scripts[0], script, r, script)
		}
	}
	return nil
}

// scriptOf returns the script of a letter or sign, "" for characters that all scripts share.
func scriptOf(r rune) string {
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return ""
	}
	for script, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return script
		}
	}
	return ""
}

func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}
