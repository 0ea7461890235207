package population

import (
	"errors"
	"slices"
	"strings"
)

// Formulas may ask whether any row of the population, or all of them, fulfil a condition. A chunk only knows its own rows.
// It answers for them and goes on. If all chunks answered alike, that is the answer of the whole population too, and so is
// everything that was computed from it. Where they did not, the true answer follows from all of theirs: the chunks are
// computed again, being told the answers. What they answer for themselves on that way must add up to what they were told;
// then every step was that of the whole population.

// The bits of an answer, kept as a byte of a text so that chunks that answer alike, which is most of them, are kept once.
const (
	forAll = 1 << iota // whether all rows do, not whether any does
	mine               // the answer for the rows of the chunk
	told               // the answer that the chunk went on with
)

// ballot takes the answers of one chunk.
type ballot struct {
	known []bool // the answers of the whole population, as far as they are known
	given []byte
}

// needsAll says that a formula needs the rows of other chunks themselves.
type needsAll struct{ what string }

func (e *needsAll) Error() string { return e.what + " needs the whole population" }

// Whole implements legislation.Rows.
func (*ballot) Whole(what string) error { return &needsAll{what} }

// Agree implements legislation.Rows.
func (b *ballot) Agree(all, yes bool) bool {
	goOn := yes
	if n := len(b.given); n < len(b.known) {
		goOn = b.known[n]
	}
	b.given = append(b.given, bit(all, forAll)|bit(yes, mine)|bit(goOn, told))
	return goOn
}

// told is the answers that the chunk went on with.
func (b *ballot) told() []bool {
	out := make([]bool, len(b.given))
	for i, g := range b.given {
		out[i] = g&told != 0
	}
	return out
}

func bit(set bool, b byte) byte {
	if set {
		return b
	}
	return 0
}

// poll is the answers of all chunks.
type poll map[string]struct{}

// count adds the answers of a chunk and reports whether all chunks so far took the same way.
func (p poll) count(b *ballot) (alike bool) {
	if _, ok := p[string(b.given)]; !ok {
		p[string(b.given)] = struct{}{}
	}
	if len(p) == 1 {
		return true
	}
	for other := range p {
		if !sameWay(other, b.given) {
			return false
		}
	}
	return true
}

// texts are the answers of the poll in digits, in order.
func (p poll) texts() []string {
	out := []string{}
	for given := range p {
		out = append(out, digitsOf(given))
	}
	slices.Sort(out)
	return out
}

// digitsOf writes answers so that people can read them.
func digitsOf(given string) string {
	return strings.Map(func(r rune) rune { return r + '0' }, given)
}

// answersOf reads them.
func answersOf(digits string) (string, error) {
	if strings.Trim(digits, "01234567") != "" {
		return "", errors.New("answers are digits from 0 to 7")
	}
	return strings.Map(func(r rune) rune { return r - '0' }, digits), nil
}

// onTheWay reports whether all chunks took the way of somebody as far as it went, and whether it is that of everybody.
func (p poll) onTheWay(given string) bool {
	all := []string{given}
	for other := range p {
		all = append(all, other)
	}
	for k := range len(given) {
		_, yes, _ := together(all, k)
		for _, other := range all {
			if len(other) > k && ((other[k]&told != 0) != yes || (other[k]^given[k])&forAll != 0) {
				return false
			}
		}
	}
	return true
}

func sameWay(a string, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range b {
		if (a[i]^b[i])&(forAll|told) != 0 {
			return false
		}
	}
	return true
}

// result returns the answers of the whole population, and whether every chunk went on with them. If not, the answers are
// what those chunks say that were on the right way so far.
func (p poll) result() (answers []bool, settled bool) {
	right := make([]string, 0, len(p))
	for given := range p {
		right = append(right, given)
	}
	settled = true
	for k := 0; len(right) > 0; k++ {
		all, yes, asked := together(right, k)
		if asked == 0 {
			break
		}
		settled = settled && asked == len(p)
		answers = append(answers, yes)
		still := right[:0]
		for _, given := range right {
			if len(given) > k && given[k] == given[k]&^forAll|bit(all, forAll) && (given[k]&told != 0) == yes {
				still = append(still, given)
			}
		}
		settled = settled && len(still) == len(p)
		right = still
	}
	return answers, settled
}

// together is what the k-th answers add up to, and how many there are.
func together(given []string, k int) (all, yes bool, asked int) {
	for _, g := range given {
		if len(g) <= k {
			continue
		}
		v := g[k]&mine != 0
		if asked++; asked == 1 {
			all, yes = g[k]&forAll != 0, v
			continue
		}
		if all {
			yes = yes && v
		} else {
			yes = yes || v
		}
	}
	return all, yes, asked
}
