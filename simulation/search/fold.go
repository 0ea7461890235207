package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// ligatures are letters that stand for two.
var ligatures = strings.NewReplacer("œ", "oe", "æ", "ae", "ß", "ss", "ø", "o", "ł", "l", "đ", "d")

// Fold is a text without accents and case.
func Fold(text string) string {
	plain := true
	for i := range len(text) {
		if text[i] >= 0x80 {
			plain = false
			break
		}
	}
	if plain {
		return strings.ToLower(text)
	}
	var b strings.Builder
	for _, c := range norm.NFKD.String(strings.ToLower(text)) {
		if !unicode.Is(unicode.Mn, c) {
			b.WriteRune(c)
		}
	}
	return ligatures.Replace(b.String())
}

// words are the words of a text, folded: letters and digits in a row.
func words(text string) []string {
	return strings.FieldsFunc(Fold(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
