package legislation

import (
	"cmp"
	"strings"
)

// Texts returns what users read about a system, in one language. Without a translation, the law's own text is returned.
type Texts struct {
	system   *System
	in       *Translation // nil for the law's own texts
	language string
}

// Texts returns the texts in one of the languages of [Translations.Languages], or the law's own for any other.
func (s *System) Texts(language string) Texts {
	t := Texts{system: s, language: s.translations.Own()}
	if s.translations != nil && language != "" {
		if in, ok := s.translations.languages[language]; ok {
			t.in, t.language = in, language
		}
	}
	return t
}

// Language is the language of the texts, "" if it is not known.
func (t Texts) Language() string { return t.language }

// find returns the entry of a name that has what is looked for: that of the latest reform, else that of the base if the law's own text is
// still the one that it translates.
func (t Texts) find(of func(*words) entries, name string, has func(*entry) bool, same func(base *System) bool) *entry {
	if t.in == nil {
		return nil
	}
	base := t.system
	for ; base.baseline != nil; base = base.baseline {
		if reform := t.in.reforms[base.Key]; reform != nil {
			if e := of(&reform.words)[name]; e != nil && has(e) {
				return e
			}
		}
	}
	if e := of(&t.in.words)[name]; e != nil && has(e) && (base == t.system || same(base)) {
		return e
	}
	return nil
}

func (t Texts) variable(v *Variable, has func(*entry) bool, same func(was *Variable) bool) *entry {
	return t.find(func(w *words) entries { return w.variables }, v.Name, has, func(base *System) bool {
		was := base.byName[v.Name]
		return was != nil && same(was)
	})
}

func hasLabel(e *entry) bool       { return e.label != "" }
func hasDescription(e *entry) bool { return e.description != "" }

// neutralizedLabel is the label of a variable after it was neutralized.
func neutralizedLabel(label string) string { return strings.TrimSpace("[Neutralized] " + label) }

// Label is the label of a variable.
func (t Texts) Label(v *Variable) string {
	neutralized := v.Neutralized && strings.HasPrefix(v.Label, "[Neutralized]")
	e := t.variable(v, hasLabel, func(was *Variable) bool {
		return was.Label == v.Label || neutralized && neutralizedLabel(was.Label) == v.Label
	})
	switch {
	case e == nil:
		return v.Label
	case neutralized:
		return neutralizedLabel(e.label)
	}
	return e.label
}

// Documentation is the documentation of a variable.
func (t Texts) Documentation(v *Variable) string {
	if e := t.variable(v, hasDescription, func(was *Variable) bool { return was.Documentation == v.Documentation }); e != nil {
		return e.description
	}
	return v.Documentation
}

// Values are the labels of an enumerated variable's members, in order; the caller must not change them.
func (t Texts) Values(v *Variable) []string {
	e := t.variable(v, func(e *entry) bool { return len(e.below) > 0 }, func(was *Variable) bool { return was.Enum == v.Enum })
	if e == nil {
		return v.Enum.Labels
	}
	labels := make([]string, len(v.Enum.Labels))
	for i, name := range v.Enum.Domain.Members {
		labels[i] = v.Enum.Labels[i]
		if value := e.below[name]; value != nil {
			labels[i] = cmp.Or(value.label, labels[i])
		}
	}
	return labels
}

func (t Texts) parameter(path string, has func(*entry) bool, same func(was *ParameterInfo) bool) *entry {
	return t.find(func(w *words) entries { return w.parameters }, path, has, func(base *System) bool {
		was, ok := base.tree.Root.Find(strings.Split(path, ".")...)
		return ok && same(was.Info())
	})
}

// Parameter is the label of the parameter, scale or node at a path: its description in the files of a law.
func (t Texts) Parameter(path string, item ParameterItem) string {
	own := item.Info().Description
	if e := t.parameter(path, hasLabel, func(was *ParameterInfo) bool { return was.Description == own }); e != nil {
		return e.label
	}
	return own
}

// ParameterDocumentation is the documentation of the parameter, scale or node at a path.
func (t Texts) ParameterDocumentation(path string, item ParameterItem) string {
	own := item.Info().Documentation
	if e := t.parameter(path, hasDescription, func(was *ParameterInfo) bool { return was.Documentation == own }); e != nil {
		return e.description
	}
	return own
}

// Entity is the label of an entity, and its documentation.
func (t Texts) Entity(e *Entity) (label, doc string) {
	if t.in != nil {
		if said := t.in.entities[e.Key]; said != nil {
			return cmp.Or(said.label, e.Label), cmp.Or(said.description, e.Doc)
		}
	}
	return e.Label, e.Doc
}

// Role is the label of a role, and its documentation.
func (t Texts) Role(r *Role) (label, doc string) {
	if t.in != nil {
		if said := t.in.entities[r.Entity.Key]; said != nil {
			if role := said.below[r.Key]; role != nil {
				return cmp.Or(role.label, r.Label), cmp.Or(role.description, r.Doc)
			}
		}
	}
	return r.Label, r.Doc
}

// Reform is the name of a reform, and its description, given the law's own.
func (t Texts) Reform(key, name, description string) (string, string) {
	if t.in != nil {
		if said := t.in.reforms[key]; said != nil {
			return cmp.Or(said.label, name), cmp.Or(said.description, description)
		}
	}
	return name, description
}

// Part is the label of a code of a decomposition, and its short label, given the law's own. Without an entry, the code of a variable has the
// variable's label.
func (t Texts) Part(code, name, short string) (string, string) {
	if t.in == nil {
		return name, short
	}
	if said := t.in.parts[code]; said != nil {
		label := cmp.Or(said.label, name)
		return label, cmp.Or(said.short, said.label, short)
	}
	if v := t.system.byName[code]; v != nil {
		if label := t.Label(v); label != v.Label {
			return label, label
		}
	}
	return name, short
}
