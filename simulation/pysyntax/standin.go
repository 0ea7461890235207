package pysyntax

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// standIns replaces, before parsing, characters that Python allows in names and the library does not
// know: letter numbers (〇, Ⅷ), connectors (‿) and the few of Unicode's Other_ID properties. Each gets
// a letter of the same length in UTF-8 that does not occur in the source, so positions stay right, and
// the converter puts the characters back, in names (normalised as Python does) and in strings.
type standIns struct{ there, back *strings.Replacer }

// firstStandIn begins the Yi syllables: 1165 letters of three bytes that normalise to themselves.
const firstStandIn, lastStandIn = 0xA000, 0xA48C

func standInsFor(src string) standIns {
	var there, back []string
	next := rune(firstStandIn)
	seen := map[rune]bool{}
	for _, r := range src {
		if r < 0x800 || r > 0xFFFF || seen[r] || !onlyPythonNames(r) {
			continue
		}
		seen[r] = true
		for next <= lastStandIn && strings.ContainsRune(src, next) {
			next++
		}
		if next > lastStandIn {
			break
		}
		there = append(there, string(r), string(next))
		back = append(back, string(next), string(r))
		next++
	}
	if there == nil {
		return standIns{}
	}
	return standIns{strings.NewReplacer(there...), strings.NewReplacer(back...)}
}

// onlyPythonNames tells the characters that need a stand-in.
func onlyPythonNames(r rune) bool {
	return unicode.In(r, unicode.Nl, unicode.Pc, unicode.Other_ID_Start, unicode.Other_ID_Continue)
}

func (s standIns) source(text string) string {
	if s.there == nil {
		return text
	}
	return s.there.Replace(text)
}

func (s standIns) text(v string) string {
	if s.back == nil {
		return v
	}
	return s.back.Replace(v)
}

func (s standIns) name(v string) string {
	if s.back == nil {
		return v
	}
	return norm.NFKC.String(s.back.Replace(v))
}
