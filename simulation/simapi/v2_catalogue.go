package simapi

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"sync"

	"edict/platform/web"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

// document is a text that is made once, with its compressed form and its tag.
type document struct {
	plain, zipped []byte
	tag           string
}

// documents are the catalogue by language. Languages are those of the law, so that they are few.
type documents struct {
	mu    sync.Mutex
	known map[string]*later[*document]
}

func (d *documents) in(language string) *later[*document] {
	d.mu.Lock()
	defer d.mu.Unlock()
	one := d.known[language]
	if one == nil {
		one = new(later[*document])
		if d.known == nil {
			d.known = map[string]*later[*document]{}
		}
		d.known[language] = one
	}
	return one
}

// catalogue answers with everything there is. It is compressed once and well, not by the server for every caller.
func (a *API) catalogue(l *law, w http.ResponseWriter, r *http.Request) error {
	language := l.language(r)
	t := l.system.Texts(language)
	d, err := l.documents.in(language).get(r.Context(), func() *document { return newDocument(appendValue(nil, l.compact(t))) })
	if err != nil {
		return err
	}
	h := w.Header()
	l.speak(h, language)
	text, tag := d.plain, `"`+d.tag+`"`
	if takesGzip(r.Header.Get("Accept-Encoding")) {
		text, tag = d.zipped, `"`+d.tag+`-gzip"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", tag)
	for have := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if have = strings.TrimPrefix(strings.TrimSpace(have), "W/"); have == tag || have == "*" {
			h.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	return web.WriteRaw(w, http.StatusOK, text)
}

func newDocument(text []byte) *document {
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // the level is one that there is
	_, _ = z.Write(text)                                       // into memory
	_ = z.Close()
	sum := fnv.New64a()
	_, _ = sum.Write(text)
	return &document{plain: text, zipped: zipped.Bytes(), tag: fmt.Sprintf("%x", sum.Sum64())}
}

// takesGzip reports whether an Accept-Encoding takes gzip, by name and not with a weight of zero.
func takesGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			_, q, _ := strings.Cut(weight, "=")
			return strings.Trim(q, " 0.") != "" || q == ""
		}
	}
	return false
}

// compact is the catalogue: what repeats is a number into a list of names.
func (l *law) compact(t legislation.Texts) object {
	entities, kinds, periods := list{}, list{}, list{}
	entityAt, kindAt, periodAt := map[string]int{}, map[string]int{}, map[period.Unit]int{}
	for _, e := range l.system.Entities() {
		entityAt[e.Key] = len(entities)
		label, _ := t.Entity(e)
		entities = append(entities, list{e.Key, e.Plural, label, compactRoles(t, e)})
	}
	variables := make(list, 0, len(l.system.Variables()))
	for _, v := range l.system.Variables() {
		kind, known := kindAt[types[v.Type]]
		if !known {
			kind = len(kinds)
			kindAt[types[v.Type]], kinds = kind, append(kinds, types[v.Type])
		}
		unit, known := periodAt[v.Period]
		if !known {
			unit = len(periods)
			periodAt[v.Period], periods = unit, append(periods, v.Period.String())
		}
		formula := 0
		if !v.IsInput() {
			formula = 1
		}
		longer := 1
		if v.Input == legislation.AsGiven && !l.system.Converts() {
			longer = 0
		}
		variables = append(variables, list{v.Name, t.Label(v), entityAt[v.Entity.Key], kind, unit, formula, longer})
	}
	described := append(object{{"apiVersion", 1}}, l.described()...)
	if t.Language() != "" {
		described.add("language", t.Language())
	}
	if l.income != "" {
		described.add("income", l.income)
	}
	return append(described, object{
		{"entities", entities}, {"types", kinds}, {"periods", periods},
		{"fields", []string{"id", "label", "entity", "type", "period", "formula", "longer"}}, {"variables", variables},
		{"parameters", compactNode(t, l.system.Parameters().Root, "", 0)},
	}...)
}

// compactRoles are the roles of a group: key, name under which a situation lists its members, label and, where it is bounded, how many a
// group may have.
func compactRoles(t legislation.Texts, e *legislation.Entity) list {
	roles := list{}
	for _, r := range e.Roles {
		label, _ := t.Role(r)
		role := list{r.Key, roleName(r), label}
		if r.Max > 0 {
			role = append(role, r.Max)
		}
		roles = append(roles, role)
	}
	return roles
}

// maxTree bounds the depth of a tree of parameters: the same node may lie below itself.
const maxTree = 40

// compactNode is the children of a node by name: the label of a leaf, [label, "scale"], [label, children] of a node.
func compactNode(t legislation.Texts, node *legislation.ParameterNode, path string, depth int) object {
	out := object{}
	for name, child := range node.Children.All() {
		below := joinPath(path, name)
		label := t.Parameter(below, child)
		switch c := child.(type) {
		case *legislation.ParameterNode:
			if depth < maxTree {
				out.add(name, list{label, compactNode(t, c, below, depth+1)})
			}
		case *legislation.ParameterScale:
			out.add(name, list{label, "scale"})
		default:
			out.add(name, label)
		}
	}
	return out
}
