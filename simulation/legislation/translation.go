package legislation

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Translation holds the texts of a law in one language, as one file has them.
//
// Its keys are the names of the law: variables, parameters (by path), entities with their roles, reforms by key, and the
// codes of decompositions. A text is a label; a mapping has a label and further texts. Names that a reform adds or
// renames are listed under the reform.
type Translation struct {
	Language string // a tag such as "en" or "pt-br", in lower case
	Own      string // the language of the law's own texts, as the file states it; "" if it does not
	File     string

	words
	entities, reforms, parts entries
	lines                    []string // lines of the file, while it is read
}

// words are the texts of variables and parameters.
type words struct{ variables, parameters entries }

type entries map[string]*entry

// entry holds the texts of one thing.
type entry struct {
	label, short, description string
	below                     entries // values of an enumeration, or roles of an entity
	words                             // a reform's
	file                      *Translation
	line                      int32
}

// MaxTranslation is how many bytes a file of texts may have.
const MaxTranslation = 4 << 20

const (
	maxTranslated       = 200_000 // entries of a file
	maxTranslatedLabel  = 1000    // bytes
	maxDescribed        = 20_000  // bytes
	maxWrongTranslation = 50      // problems that are reported of a file
)

var languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

// ReadTranslation reads a file of texts. Its name gives the language (en.yaml), unless it has a key language. An error is
// [Problems]: everything that is wrong with the form of the file.
func ReadTranslation(file string, text []byte) (*Translation, error) {
	if len(text) > MaxTranslation {
		return nil, Problems{{File: file, Msg: fmt.Sprintf("the file has %d bytes; a file of labels has %d at most", len(text), MaxTranslation)}}
	}
	d, err := ParseYAML(file, text)
	if problem, ok := errors.AsType[Problem](err); ok {
		return nil, Problems{problem}
	} else if err != nil {
		return nil, Problems{{File: file, Msg: err.Error()}}
	}
	t := &Translation{File: file, lines: strings.Split(string(text), "\n")}
	r := translationReader{t: t}
	r.read(d)
	if len(r.wrong) > 0 {
		return nil, r.wrong
	}
	t.lines = nil
	return t, nil
}

type translationReader struct {
	t     *Translation
	wrong Problems
	count int
}

func (r *translationReader) fail(line int32, format string, args ...any) {
	if len(r.wrong) < maxWrongTranslation {
		r.wrong = append(r.wrong, Problem{r.t.File, int(line), fmt.Sprintf(format, args...)})
	}
}

func (r *translationReader) read(d Data) {
	t := r.t
	if d.Kind != Mapping {
		r.fail(d.Line, "expected a mapping with language, variables, parameters, entities, reforms or decompositions, got %s", d.kindName())
		return
	}
	t.Language = strings.ToLower(strings.TrimSuffix(path.Base(strings.ReplaceAll(t.File, `\`, "/")), path.Ext(t.File)))
	r.each(d, "", map[string]func(Data){
		"language":         func(d Data) { t.Language = cmp.Or(r.tag(d), t.Language) },
		"package_language": func(d Data) { t.Own = r.tag(d) },
		"variables":        func(d Data) { t.variables = r.entries(d, "values") },
		"parameters":       func(d Data) { t.parameters = r.entries(d, "") },
		"entities":         func(d Data) { t.entities = r.entries(d, "roles") },
		"reforms":          func(d Data) { t.reforms = r.entries(d, "variables") },
		"decompositions":   func(d Data) { t.parts = r.entries(d, "short_label") },
	})
	if !languageTag.MatchString(t.Language) {
		r.fail(0, "%q is not a language: name the file after one, such as en.yaml, or add the line \"language: en\"", t.Language)
	}
}

func (r *translationReader) tag(d Data) string {
	text, ok := d.Text()
	text = strings.ToLower(text)
	if !ok || !languageTag.MatchString(text) {
		r.fail(d.Line, "expected a language such as en or \"fr\", got %s", shownText(d))
		return ""
	}
	return text
}

// shownText quotes a text, and names the kind of anything else.
func shownText(d Data) string {
	if text, ok := d.Text(); ok {
		return strconv.Quote(text)
	}
	return d.kindName()
}

// each calls the function of each key of a mapping.
func (r *translationReader) each(d Data, of string, known map[string]func(Data)) {
	for key, v := range d.Map.All() {
		read, ok := known[key]
		if !ok {
			keys := slices.Sorted(maps.Keys(known))
			r.fail(r.t.lineOf(key, v.Line), "unknown key %q%s; the keys here are %s%s", key, of, strings.Join(keys, ", "), didYouMean(Nearest(key, slices.Values(keys))))
			continue
		}
		if v.Kind != Null {
			read(v)
		}
	}
}

// entries reads texts by name. An entry may have one more key: values, roles, short_label, or variables and parameters.
func (r *translationReader) entries(d Data, more string) entries {
	if d.Kind != Mapping {
		r.fail(d.Line, "expected a mapping of names to labels, got %s", d.kindName())
		return nil
	}
	out := make(entries, d.Map.Len())
	for name, v := range d.Map.All() {
		if r.count++; r.count == maxTranslated+1 {
			r.fail(v.Line, "the file has more than %d entries", maxTranslated)
		}
		if r.count > maxTranslated {
			break
		}
		e := &entry{file: r.t, line: r.t.lineOf(name, v.Line)}
		out[name] = e
		switch {
		case v.Kind == Mapping:
			keys := map[string]func(Data){
				"label":       func(d Data) { e.label = r.line(name, d) },
				"description": func(d Data) { e.description = r.said(name, d, maxDescribed) },
			}
			switch more {
			case "short_label":
				keys[more] = func(d Data) { e.short = r.line(name, d) }
			case "variables":
				keys["variables"] = func(d Data) { e.variables = r.entries(d, "values") }
				keys["parameters"] = func(d Data) { e.parameters = r.entries(d, "") }
			case "":
			default:
				keys[more] = func(d Data) { e.below = r.entries(d, "") }
			}
			r.each(v, " of "+name, keys)
		case v.Kind != Null:
			e.label = r.line(name, v)
		}
	}
	return out
}

// line reads a label: one line.
func (r *translationReader) line(name string, d Data) string {
	text := r.said(name, d, maxTranslatedLabel)
	if strings.ContainsFunc(text, unicode.IsControl) {
		r.fail(d.Line, "the label of %s has a line break or a control character: a label is one line, and description takes more", name)
	}
	return text
}

func (r *translationReader) said(name string, d Data, most int) string {
	text, ok := d.Text()
	text = strings.TrimSpace(text)
	switch {
	case !ok:
		r.fail(r.t.lineOf(name, d.Line), "expected the text of %s, got %s: put it into quotes", name, d.kindName())
	case len(text) > most:
		r.fail(d.Line, "the text of %s has %d bytes, more than %d", name, len(text), most)
	}
	return text
}

// lineOf returns the line of a key, whose value begins there or on one of the next lines.
func (t *Translation) lineOf(key string, near int32) int32 {
	for at := near; at > max(0, near-3); at-- {
		if int(at) <= len(t.lines) && strings.HasPrefix(strings.TrimLeft(t.lines[at-1], ` "'`), key) {
			return at
		}
	}
	return near
}

// Translations are the texts of a law in several languages. They do not change once a system has them.
type Translations struct {
	own       string
	languages map[string]*Translation
}

// NewTranslations merges files; where two have a text of the same thing the later one counts. The language of the law's own texts is that of the
// files that state one; if they disagree it is that of the last.
func NewTranslations(files ...*Translation) *Translations {
	all := &Translations{languages: map[string]*Translation{}}
	for _, f := range files {
		all.own = cmp.Or(f.Own, all.own)
		t, ok := all.languages[f.Language]
		if !ok {
			t = &Translation{Language: f.Language}
			all.languages[f.Language] = t
		}
		t.words = t.words.merged(&f.words)
		t.entities, t.reforms, t.parts = t.entities.merged(f.entities), t.reforms.merged(f.reforms), t.parts.merged(f.parts)
	}
	return all
}

func (w *words) merged(more *words) words {
	return words{w.variables.merged(more.variables), w.parameters.merged(more.parameters)}
}

// merged returns the entries of both; the texts of more come first.
func (e entries) merged(more entries) entries {
	if len(e) == 0 {
		return more
	}
	all := maps.Clone(e)
	for name, m := range more {
		if old, ok := all[name]; ok {
			both := *m
			both.label, both.short, both.description = cmp.Or(m.label, old.label), cmp.Or(m.short, old.short), cmp.Or(m.description, old.description)
			both.below, both.words = old.below.merged(m.below), old.words.merged(&m.words)
			m = &both
		}
		all[name] = m
	}
	return all
}

// Own is the language of the law's own texts, "" if that is not known.
func (t *Translations) Own() string {
	if t == nil {
		return ""
	}
	return t.own
}

// Languages lists the languages that texts can be had in, that of the law's own texts first.
func (t *Translations) Languages() []string {
	if t == nil {
		return nil
	}
	known := slices.Sorted(maps.Keys(t.languages))
	if t.own != "" {
		known = append([]string{t.own}, slices.DeleteFunc(known, func(l string) bool { return l == t.own })...)
	}
	return known
}

// Match returns the language for one that is asked for: itself, else the nearest broader one ("en" for "en-GB"), else another of the
// same kind ("en-gb" for "en"); "" if there is none.
func (t *Translations) Match(tag string) string {
	known := t.Languages()
	tag = strings.ToLower(tag)
	for wanted := tag; wanted != ""; wanted = wanted[:max(0, strings.LastIndexByte(wanted, '-'))] {
		if slices.Contains(known, wanted) {
			return wanted
		}
	}
	base, _, _ := strings.Cut(tag, "-")
	if i := slices.IndexFunc(known, func(l string) bool { return strings.HasPrefix(l, base+"-") }); i >= 0 && base != "" {
		return known[i]
	}
	return ""
}

// Check reports names that the law does not have, each with the nearest one that it has. Reforms are the keys of its reforms.
func (t *Translations) Check(s *System, reforms []string) Problems {
	var wrong Problems
	for _, language := range t.Languages() {
		in, ok := t.languages[language]
		if !ok {
			continue
		}
		wrong = append(wrong, in.words.check(s, "in this law")...)
		wrong = append(wrong, in.checkEntities(s)...)
		wrong = append(wrong, in.reforms.check("reform", "in this law", slices.Values(reforms), func(name string) bool { return slices.Contains(reforms, name) })...)
	}
	return wrong.inOrder()
}

// CheckParts reports codes that no decomposition of the law has.
func (t *Translations) CheckParts(codes []string) Problems {
	var wrong Problems
	for _, language := range t.Languages() {
		if in, ok := t.languages[language]; ok {
			wrong = append(wrong, in.parts.check("code", "in the law's decompositions", slices.Values(codes), func(name string) bool { return slices.Contains(codes, name) })...)
		}
	}
	return wrong.inOrder()
}

// CheckReform reports names listed under the reforms of a system that the system does not have.
func (t *Translations) CheckReform(s *System) Problems {
	var wrong Problems
	for _, language := range t.Languages() {
		if in, ok := t.languages[language]; ok && in.reforms[s.Key] != nil {
			wrong = append(wrong, in.reforms[s.Key].words.check(s, "in the law with the reform "+s.Key)...)
		}
	}
	return wrong.inOrder()
}

// inOrder sorts by file and line.
func (ps Problems) inOrder() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return ps
}

func (e entries) check(what, where string, known iter.Seq[string], has func(string) bool) Problems {
	var wrong Problems
	for name, entry := range e {
		if !has(name) {
			wrong = append(wrong, Problem{entry.file.File, int(entry.line), fmt.Sprintf("there is no %s '%s' %s%s", what, name, where, didYouMean(Nearest(name, known)))})
		}
	}
	return wrong
}

func (w *words) check(s *System, where string) Problems {
	wrong := w.variables.check("variable", where, s.VariableNames(), func(name string) bool { return s.byName[name] != nil })
	wrong = append(wrong, w.parameters.check("parameter", where, s.parameterNames(), func(name string) bool {
		_, ok := s.tree.Root.Find(strings.Split(name, ".")...)
		return ok
	})...)
	for name, e := range w.variables {
		v := s.byName[name]
		if v == nil || len(e.below) == 0 {
			continue
		}
		if v.Enum == nil {
			wrong = append(wrong, Problem{e.file.File, int(e.line), fmt.Sprintf("the variable %s is no enumeration and has no values", name)})
			continue
		}
		wrong = append(wrong, e.below.check("value", "of "+name, slices.Values(v.Enum.Domain.Members), func(value string) bool { _, ok := v.Enum.Index(value); return ok })...)
	}
	return wrong
}

func (s *System) parameterNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for item := range s.tree.Root.Descendants() {
			if !yield(item.Info().Name) {
				return
			}
		}
	}
}

func (t *Translation) checkEntities(s *System) Problems {
	var keys []string
	for _, e := range s.entities {
		keys = append(keys, e.Key)
	}
	wrong := t.entities.check("entity", "in this law (entities go by their singular key)", slices.Values(keys), func(name string) bool { return s.Entity(name) != nil })
	for name, texts := range t.entities {
		e := s.Entity(name)
		if e == nil {
			continue
		}
		var roles []string
		for _, r := range append(slices.Clip(e.Roles), e.Flattened...) {
			roles = append(roles, r.Key)
		}
		wrong = append(wrong, texts.below.check("role", "of "+name, slices.Values(roles), func(role string) bool { return slices.Contains(roles, role) })...)
	}
	return wrong
}

// SetTranslations gives the system its translations. The maker calls it before the system is shared; reforms of the system have the
// same ones.
func (s *System) SetTranslations(t *Translations) { s.translations = t }

// Translations returns those of the system; nil has none.
func (s *System) Translations() *Translations { return s.translations }
