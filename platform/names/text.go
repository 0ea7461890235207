package names

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckLine returns an error if s cannot be shown as one line of text: broken UTF-8, control characters, line separators, and
// characters that reorder the text around them, with which a label could pass for another ("\u202Egnp.exe").
// The error is a predicate ("has the control character U+202E at byte 3: remove it"): callers put the field before it.
func CheckLine(s string) error {
	if !utf8.ValidString(s) {
		return errors.New("is not UTF-8")
	}
	for i, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return fmt.Errorf("has the control character %U at byte %d: remove it", r, i)
		}
	}
	return nil
}

// invisible reports whether r shows nothing: Unicode's Default_Ignorable_Code_Point, and the empty Braille pattern.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == '\u2800'
}

// Blank reports whether s has a character that shows nothing and no emoji needs: a name made of such characters cannot be seen.
func Blank(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return invisible(r) && !unicode.Is(unicode.Variation_Selector, r) })
}
