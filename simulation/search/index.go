package search

import (
	"math"
	"slices"
	"strings"

	"edict/simulation/legislation"
)

// Entry is something that can be found: a variable, or a part of the parameters.
type Entry struct {
	ID        string                    // the name of a variable, the path of a parameter
	Variable  *legislation.Variable     // nil for a parameter
	Parameter legislation.ParameterItem // nil for a variable

	folded string // the words of the id, with marks between them
}

// Field is where a word of an entry stands.
type Field uint8

// The fields, the weightiest first.
const (
	ID     Field = iota
	Label        // of the variable, the description of the parameter
	Values       // names and labels of an enumeration
	Notes        // documentation, metadata, fields of forms
)

// String is the name of the field.
func (f Field) String() string { return [...]string{"id", "label", "values", "notes"}[f] }

var fieldWeight = [...]float64{10, 8, 3, 2}

// How is in which way a word matches.
type How uint8

// The ways, the best first.
const (
	Exact How = iota
	Prefix
	Part
	Typo
)

// String is the name of the way.
func (h How) String() string { return [...]string{"exact", "prefix", "part", "typo"}[h] }

var howWeight = [...]float64{1, 0.7, 0.4, 0.3}

// Index is the words of a legislation. It never changes.
type Index struct {
	Entries []Entry // by id, variables first

	words    []string // sorted
	runes    [][]rune // of the words
	postings [][]posting
	byWord   map[string]int
}

// posting is an occurrence of a word.
type posting struct {
	entry int32
	field Field
}

// maxNotes bounds the words of the notes of an entry.
const maxNotes = 400

// New makes the index of a system.
func New(system *legislation.System) *Index {
	x := &Index{byWord: map[string]int{}}
	for _, v := range system.Variables() {
		x.Entries = append(x.Entries, Entry{ID: v.Name, Variable: v})
	}
	byID := func(a, b Entry) int { return strings.Compare(a.ID, b.ID) }
	slices.SortFunc(x.Entries, byID)
	n := len(x.Entries)
	x.parameters(system.Parameters().Root, "", 0)
	slices.SortFunc(x.Entries[n:], byID)
	said := spoken(system)
	for i := range x.Entries {
		e := &x.Entries[i]
		id := words(e.ID)
		e.folded = strings.Join(id, "_")
		x.add(i, ID, id)
		if e.Variable != nil {
			x.variable(i, e.Variable, said)
		} else {
			x.parameter(i, e, said)
		}
	}
	x.sort()
	return x
}

// maxDepth bounds the parameters that are listed: the same node may lie below itself.
const maxDepth = 40

func (x *Index) parameters(node *legislation.ParameterNode, path string, depth int) {
	for name, child := range node.Children.All() {
		id := name
		if path != "" {
			id = path + "." + name
		}
		x.Entries = append(x.Entries, Entry{ID: id, Parameter: child})
		if inner, ok := child.(*legislation.ParameterNode); ok && depth < maxDepth {
			x.parameters(inner, id, depth+1)
		}
	}
}

// spoken are the texts of a system in every language that it has, its own first: what is looked for may be in any of them.
func spoken(system *legislation.System) []legislation.Texts {
	all := []legislation.Texts{system.Texts("")}
	for _, language := range system.Translations().Languages() {
		all = append(all, system.Texts(language))
	}
	return all
}

func (x *Index) variable(i int, v *legislation.Variable, said []legislation.Texts) {
	for _, t := range said {
		x.add(i, Label, words(t.Label(v)))
	}
	for _, t := range said {
		if v.Enum == nil {
			break
		}
		for n, label := range t.Values(v) {
			x.add(i, Values, words(v.Enum.Domain.Members[n]+" "+label))
		}
	}
	var notes []string
	for _, t := range said {
		notes = append(notes, words(t.Documentation(v))...)
	}
	switch cerfa := v.CerfaField.(type) {
	case string:
		notes = append(words(cerfa), notes...)
	case map[string]string:
		for _, text := range cerfa {
			notes = append(words(text), notes...)
		}
	}
	x.add(i, Notes, notes)
}

func (x *Index) parameter(i int, e *Entry, said []legislation.Texts) {
	var notes []string
	for _, t := range said {
		x.add(i, Label, words(t.Parameter(e.ID, e.Parameter)))
		notes = append(notes, words(t.ParameterDocumentation(e.ID, e.Parameter))...)
	}
	x.add(i, Notes, texts(notes, e.Parameter.Info().Metadata, 0))
}

// texts adds the words of the texts in data: packages put short labels and labels in other languages into metadata.
func texts(found []string, d legislation.Data, depth int) []string {
	if depth > 4 || len(found) > maxNotes {
		return found
	}
	if text, ok := d.Text(); ok && !strings.Contains(text, "://") {
		return append(found, words(text)...)
	}
	for _, part := range d.List {
		found = texts(found, part, depth+1)
	}
	if d.Kind == legislation.Mapping {
		for key, part := range d.Map.All() {
			if key != "reference" && key != "references" && key != "unit" {
				found = texts(found, part, depth+1)
			}
		}
	}
	return found
}

func (x *Index) add(entry int, f Field, list []string) {
	for _, w := range list[:min(len(list), maxNotes)] {
		at, known := x.byWord[w]
		if !known {
			at = len(x.words)
			x.byWord[w] = at
			x.words = append(x.words, w)
			x.postings = append(x.postings, nil)
		}
		p := posting{int32(entry), f}
		// An entry is added field by field, so a word of it that is known stands at the end.
		if have := x.postings[at]; !known || !slices.ContainsFunc(tail(have), func(q posting) bool { return q.entry == p.entry && q.field <= f }) {
			x.postings[at] = append(have, p)
		}
	}
}

// tail is the last few postings: as many as an entry can have of a word.
func tail(all []posting) []posting { return all[max(0, len(all)-int(Notes)-1):] }

// sort puts the words in order.
func (x *Index) sort() {
	order := make([]int, len(x.words))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(x.words[a], x.words[b]) })
	sorted, postings := make([]string, len(order)), make([][]posting, len(order))
	x.runes = make([][]rune, len(order))
	for i, at := range order {
		sorted[i], postings[i] = x.words[at], slices.Clip(x.postings[at])
		x.byWord[sorted[i]] = i
		x.runes[i] = []rune(sorted[i])
	}
	x.words, x.postings = sorted, postings
}

// rarity weighs a word: the fewer entries have it, the more it says.
func (x *Index) rarity(word int) float64 {
	return 1 + math.Log(float64(len(x.Entries))/float64(len(x.postings[word])+1)+1)
}
