package search

import (
	"cmp"
	"slices"
	"strings"

	"edict/platform/nearest"
)

// Kind says what is looked for.
type Kind uint8

// The kinds.
const (
	Any Kind = iota
	Variables
	Parameters
)

// Query is what is looked for. The zero value finds everything.
type Query struct {
	Text   string
	Kind   Kind
	Entity string // key; "" for any. Parameters have none.
}

// Match says why an entry was found.
type Match struct {
	Word  string // of the query, folded
	Of    string // the word of the entry that it matches
	Field Field
	How   How
}

// Found is an entry that matches.
type Found struct {
	*Entry
	tally *tally
	nth   int
}

// Matches says why, by word of the query. It is made when it is asked for: few of many that are found are shown.
func (f Found) Matches() []Match {
	if f.tally == nil {
		return nil
	}
	var out []Match
	for i, w := range f.tally.query {
		if m := f.tally.matches[i][f.nth]; m.score > 0 {
			out = append(out, Match{w, f.tally.index.words[m.of], m.field, m.how})
		}
	}
	return out
}

// MaxWords bounds the words of a query that count.
const MaxWords = 12

// Find lists what matches, the best first: entries that all words of the text match, or else the most. A text without words
// finds everything, by id.
//
// The order is that of a sum over the words: the weight of the field, of the way, and of how rare the word is; an id that is the
// whole text, or begins with it, is first. Of two with the same sum the one with the shorter id is first, then by alphabet.
func (x *Index) Find(q Query) []Found {
	list := slices.Compact(words(q.Text))
	if len(list) > MaxWords {
		list = list[:MaxWords]
	}
	if len(list) == 0 {
		return x.all(q)
	}
	t := &tally{index: x, query: list, matches: make([][]best, len(list))}
	for i := range list {
		t.matches[i] = make([]best, len(x.Entries))
		t.word(i)
	}
	return t.ranked(q)
}

// fits reports whether an entry is of the kind that is looked for.
func (q *Query) fits(e *Entry) bool {
	if e.Variable == nil {
		return q.Kind != Variables && q.Entity == ""
	}
	return q.Kind != Parameters && (q.Entity == "" || e.Variable.Entity.Key == q.Entity)
}

func (x *Index) all(q Query) []Found {
	var out []Found
	for i := range x.Entries {
		if q.fits(&x.Entries[i]) {
			out = append(out, Found{Entry: &x.Entries[i]})
		}
	}
	return out
}

// best is the best match of a word of the query with an entry; its score is 0 if there is none.
type best struct {
	score float64
	of    int32 // word of the index
	field Field
	how   How
}

// tally gathers the matches of a query: by its words, then by entry.
type tally struct {
	index   *Index
	query   []string
	matches [][]best
}

// word finds the words of the index that one of the query matches. Typing errors are looked for where there is no other match.
func (t *tally) word(nth int) {
	x, w := t.index, t.query[nth]
	found := false
	note := func(at int, how How) {
		found = true
		t.note(nth, at, how)
	}
	if at, ok := x.byWord[w]; ok {
		note(at, Exact)
	}
	from, _ := slices.BinarySearch(x.words, w)
	for at := from; at < len(x.words) && strings.HasPrefix(x.words[at], w); at++ {
		if x.words[at] != w {
			note(at, Prefix)
		}
	}
	letters := []rune(w)
	for at := 0; len(letters) >= 3 && at < len(x.words); at++ {
		if word := x.words[at]; len(word) > len(w) && strings.Index(word, w) > 0 {
			note(at, Part)
		}
	}
	bound := typos(len(letters))
	for at := 0; !found && bound > 0 && at < len(x.words); at++ {
		if nearest.Distance(letters, x.runes[at], bound) <= bound {
			t.note(nth, at, Typo)
		}
	}
}

// typos is how many letters of a word may be wrong.
func typos(letters int) int {
	switch {
	case letters < 4:
		return 0
	case letters < 8:
		return 1
	}
	return 2
}

// note scores the entries that have a word, each by its best match.
func (t *tally) note(nth, at int, how How) {
	x := t.index
	weight := howWeight[how] * x.rarity(at)
	if how == Prefix || how == Part {
		weight *= float64(len(t.query[nth])) / float64(len(x.words[at])) // the more of the word is there
	}
	for _, p := range x.postings[at] {
		m := &t.matches[nth][p.entry]
		if score := weight * fieldWeight[p.field]; score > m.score {
			*m = best{score, int32(at), p.field, how}
		}
	}
}

// result is an entry with its rank.
type result struct {
	entry int
	score float64
}

// ranked puts those that most words match in order.
func (t *tally) ranked(q Query) []Found {
	var out []result
	most := 1
	id := strings.Join(t.query, "_")
	for i := range t.index.Entries {
		e := &t.index.Entries[i]
		matched, r := 0, result{entry: i}
		for nth := range t.query {
			if m := t.matches[nth][i]; m.score > 0 {
				matched++
				r.score += m.score
			}
		}
		if matched < most || !q.fits(e) {
			continue
		}
		if matched > most {
			most, out = matched, out[:0]
		}
		r.score += whole(e.folded, id)
		out = append(out, r)
	}
	entries := t.index.Entries
	slices.SortFunc(out, func(a, b result) int {
		x, y := &entries[a.entry], &entries[b.entry]
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(x.ID), len(y.ID)), cmp.Compare(a.entry, b.entry))
	})
	found := make([]Found, len(out))
	for i, r := range out {
		found[i] = Found{Entry: &entries[r.entry], tally: t, nth: r.entry}
	}
	return found
}

// whole is what an id has beyond its words if it is the text, or begins with it.
func whole(id, text string) float64 {
	rest, begins := strings.CutPrefix(id, text)
	switch {
	case begins && rest == "":
		return 1000
	case begins && rest[0] == '_':
		return 20
	}
	return 0
}
