// Package nearest finds the name that somebody meant: [Name] for suggestions, [Typo] for what is refused because it can
// hardly mean anything else; [Distance] is what they count. Both compare without regard to case and count the letters to insert, delete, replace or swap
// with their neighbour.
package nearest

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name returns the known name that is closest to word, "" when none is close: one letter may differ, or a third of them. Of
// several that are equally close it is the first.
func Name(word string, known iter.Seq[string]) string {
	if len(word) > longest {
		return ""
	}
	letters := fold(word)
	best, bound := "", max(1, len(letters)/3)
	for candidate := range known {
		if bound < 0 {
			break
		}
		if !within(bound, len(letters), candidate) {
			continue
		}
		if d := distance(letters, fold(candidate), bound); d <= bound {
			best, bound = candidate, d-1
		}
	}
	return best
}

// Typo returns the known name that word is a mistyped form of, "" when word may well be a name of its own: it differs in case, in the
// marks between its words, in a letter (of eight and more: in two), or it is the last word of exactly one known name, as id
// is of userId. Words of one or two letters differ in case and marks only.
func Typo(word string, known iter.Seq[string]) string {
	if len(word) > longest {
		return ""
	}
	letters := plain(word)
	if len(letters) == 0 {
		return ""
	}
	best, bound := "", typos(len(letters))
	tail, tails := "", 0
	for candidate := range known {
		if candidate == word {
			return ""
		}
		if lastWord(candidate) == string(letters) {
			tail, tails = candidate, tails+1
		}
		if bound < 0 || !within(bound+marks(candidate), len(letters), candidate) {
			continue
		}
		if d := distance(letters, plain(candidate), bound); d <= bound {
			best, bound = candidate, d-1
		}
	}
	if best == "" && tails == 1 {
		return tail
	}
	return best
}

// typos is how many letters of a word may be wrong for it to be a typing error.
func typos(letters int) int {
	switch {
	case letters < 3:
		return 0
	case letters < 8:
		return 1
	}
	return 2
}

// longest is the number of bytes of the longest name that is compared: nobody means a longer one.
const longest = 256

// within reports whether a name of n letters can be within bound of a candidate, by their lengths alone.
func within(bound, n int, candidate string) bool {
	letters := utf8.RuneCountInString(candidate)
	return len(candidate) <= longest && letters-n <= bound && n-letters <= bound
}

func fold(name string) []rune { return []rune(strings.ToLower(name)) }

// plain is a name without case and without what may stand between its words.
func plain(name string) []rune {
	letters := make([]rune, 0, len(name))
	for _, c := range name {
		if !mark(c) {
			letters = append(letters, unicode.ToLower(c))
		}
	}
	return letters
}

// mark reports whether c may stand between the words of a name.
func mark(c rune) bool { return c == '_' || c == '-' || c == '.' }

// marks counts the marks of a name.
func marks(name string) (n int) {
	for _, c := range name {
		if mark(c) {
			n++
		}
	}
	return n
}

// lastWord is what follows the last capital or mark of a name, in small letters: "id" of userId, "" of a name of one word.
func lastWord(name string) string {
	for i := len(name) - 1; i > 0; i-- {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			return strings.ToLower(name[i:])
		case mark(rune(c)):
			return strings.ToLower(name[i+1:])
		}
	}
	return ""
}

// Distance counts the letters to insert, delete, replace or swap with their neighbour to turn a into b; it returns more than
// bound if they are more than that. Case counts.
func Distance(a, b []rune, bound int) int {
	if n := len(a) - len(b); n > bound || -n > bound {
		return bound + 1
	}
	return distance(a, b, bound)
}

// distance counts the letters to insert, delete, replace or swap with their neighbour to turn a into b; it stops counting
// beyond bound.
func distance(a, b []rune, bound int) int {
	var room [3][32]int // most names are short: a search compares thousands
	before, last, row := room[0][:], room[1][:], room[2][:]
	if len(b) >= len(room[0]) {
		before, last, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		smallest := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			smallest = min(smallest, row[j])
		}
		if smallest > bound {
			return bound + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
