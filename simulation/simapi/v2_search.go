package simapi

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/search"
)

const (
	searchPage = 20  // entries of an answer
	searchText = 300 // bytes of q
)

// searchQuery is what a request looks for.
type searchQuery struct {
	search.Query
	kind, entity string // as given
	reforms      []string
	from         int
}

func (a *API) search(l *law, w http.ResponseWriter, r *http.Request) error {
	reformed, system, err := l.systemQuery(r)
	if err != nil {
		return err
	}
	asked, err := l.searchQuery(r, reformed)
	if err != nil {
		return err
	}
	x, err := l.index(r.Context(), system)
	if err != nil {
		return err
	}
	found := x.Find(asked.Query)
	if asked.from > 0 && asked.from >= len(found) {
		return asked.refused(object{{"cursor", unknownCursor}})
	}
	page, next := found[asked.from:], any(nil)
	if len(page) > searchPage {
		page, next = page[:searchPage], l.cursor(asked, asked.from+searchPage)
	}
	results, t := make(list, len(page)), l.texts(r, system)
	for i, f := range page {
		results[i] = searchResult(t, f)
	}
	return a.writeTexts(l, w, r, envelope(r, nil, asked.params(), object{{"total", len(found)}, {"results", results}, {"next", next}}))
}

func searchResult(t legislation.Texts, f search.Found) object {
	var o object
	if f.Variable != nil {
		o = append(object{{"kind", "variable"}}, briefly(t, f.Variable)...)
	} else {
		o = object{{"kind", "parameter"}, {"id", f.ID}, {"label", orNull(t.Parameter(f.ID, f.Parameter))}, {"type", parameterKind(f.Parameter)}}
	}
	matches := list{}
	for _, m := range f.Matches() {
		matches = append(matches, object{{"word", m.Word}, {"matches", m.Of}, {"in", m.Field.String()}, {"how", m.How.String()}})
	}
	return append(o, member{"reasons", matches})
}

func (q *searchQuery) params() object {
	o := object{{"q", q.Text}}
	for _, m := range []member{{"kind", q.kind}, {"entity", q.entity}} {
		if m.value != "" {
			o = append(o, m)
		}
	}
	if len(q.reforms) > 0 {
		o = append(o, member{"reforms", q.reforms})
	}
	return o
}

func (q *searchQuery) refused(tree object) error {
	return &refusal{status: http.StatusBadRequest, tree: tree, params: q.params()}
}

const unknownCursor = "Unknown cursor: take the next of the page before, with the same q, kind, entity and reforms"

// searchQuery reads a request, of which the reforms are read; everything that is wrong is told at once.
func (l *law) searchQuery(r *http.Request, reformed *query) (*searchQuery, error) {
	values := r.URL.Query()
	q := &searchQuery{reforms: reformed.reforms, Query: search.Query{Text: strings.ToValidUTF8(values.Get("q"), "\uFFFD")}, kind: values.Get("kind"), entity: values.Get("entity")}
	wrong := slices.Clone(reformed.wrong)
	if len(q.Text) > searchText {
		q.Text = ""
		wrong.add("q", fmt.Sprintf("Too long: at most %d bytes are looked for", searchText))
	}
	switch q.kind {
	case "":
	case "variable":
		q.Kind = search.Variables
	case "parameter":
		q.Kind = search.Parameters
	default:
		wrong.add("kind", "Unknown kind "+strconv.Quote(q.kind)+": it must be variable or parameter")
	}
	if problem := l.searchEntity(q); problem != "" {
		wrong.add("entity", problem)
	}
	if cursor := values.Get("cursor"); cursor != "" && len(wrong) == 0 {
		var ok bool
		if q.from, ok = l.readCursor(q, cursor); !ok {
			wrong.add("cursor", unknownCursor)
		}
	}
	if len(wrong) > 0 {
		return nil, q.refused(wrong)
	}
	return q, nil
}

// searchEntity finds the entity by key or plural, and returns what is wrong.
func (l *law) searchEntity(q *searchQuery) string {
	if q.entity == "" {
		return ""
	}
	if q.Kind == search.Parameters {
		return "Parameters have no entity: leave it out, or ask for variables"
	}
	e := l.system.Entity(q.entity)
	if e == nil {
		e = l.system.EntityByPlural(q.entity)
	}
	if e == nil {
		var known []string
		for _, e := range l.system.Entities() {
			known = append(known, e.Key)
		}
		text := "Unknown entity " + strconv.Quote(q.entity) + ": it must be one of " + strings.Join(known, ", ")
		if near := legislation.Nearest(q.entity, l.entityNames()); near != "" {
			text += "; did you mean \"" + near + "\"?"
		}
		return text
	}
	q.Entity = e.Key
	return ""
}

func (l *law) entityNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range l.system.Entities() {
			if !yield(e.Key) || !yield(e.Plural) {
				return
			}
		}
	}
}

// cursor is where a page begins, with a sum of what it is a page of: one of another query or legislation is not known.
func (l *law) cursor(q *searchQuery, from int) string {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%q %q %d %q %s %d", q.Text, q.Entity, q.Kind, q.reforms, l.version[0], from)
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%08x", from, sum.Sum32()))
}

func (l *law) readCursor(q *searchQuery, text string) (from int, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, false
	}
	number, _, _ := strings.Cut(string(raw), ".")
	from, err = strconv.Atoi(number)
	return from, err == nil && from > 0 && l.cursor(q, from) == text
}
