package pyeval

import (
	"slices"
	"strings"
	"sync/atomic"
)

// starNames are the names that `from m import *` takes, with what they stood for then. Thousands of modules take the same hundreds of
// names of one module and use a few of them: they share the names, and have slots only for those that they mention.
type starNames struct {
	names  []string
	values map[string]Value
	frozen atomic.Bool

	// How many slots the module had, and what it had taken itself.
	slots int
	stars []*starNames
}

// importStar is `from m import *` in a module.
func (th *Thread) importStar(m, into *Module) {
	if into.frozen {
		th.mayChange(true, Obj(into))
	}
	s := m.taken(th)
	for name, g := range into.globals {
		if v, ok := s.values[name]; ok {
			g.store(th, v)
		}
	}
	into.stars = append(slices.DeleteFunc(into.stars, func(other *starNames) bool { return other == s }), s)
}

// taken gives what an import takes now: what the last one took, if nothing has changed since.
func (m *Module) taken(th *Thread) *starNames {
	if th.memos == nil && m.asTaken() {
		return m.star
	}
	names := m.public(th)
	values := make([]Value, len(names))
	same := m.star != nil && slices.Equal(m.star.names, names)
	for i, name := range names {
		values[i] = th.importName(m, name)
		same = same && Same(m.star.values[name], values[i])
	}
	if !same {
		m.star = &starNames{names: names, values: make(map[string]Value, len(names)), slots: len(m.order), stars: slices.Clone(m.stars)}
		for i, name := range names {
			m.star.values[name] = values[i]
		}
	}
	return m.star
}

// asTaken tells, without making a list of its names, that a module is as it was when an import last took them. It may say
// no where that is so.
func (m *Module) asTaken() bool {
	if _, chosen := m.Get("__all__"); chosen || m.star == nil || m.table != nil || m.star.slots != len(m.order) || !slices.Equal(m.star.stars, m.stars) {
		return false
	}
	for _, name := range m.order {
		g := m.globals[name]
		if g.lazy {
			return false
		}
		if strings.HasPrefix(name, "_") {
			continue
		}
		if v, ok := m.star.values[name]; ok == g.v.isUnbound() || ok && !Same(v, g.v) {
			return false
		}
	}
	return true
}

// starred is what a name without a slot stands for by `from m import *`, or unbound. The last one counts.
func (m *Module) starred(name string) Value {
	for _, s := range slices.Backward(m.stars) {
		if v, ok := s.values[name]; ok {
			return v
		}
	}
	return unbound
}

// appendStarred adds the names that have no slot.
func (m *Module) appendStarred(names []string) []string {
	for i, s := range m.stars {
		for _, name := range s.names {
			_, slot := m.globals[name]
			before := slices.ContainsFunc(m.stars[:i], func(s *starNames) bool { _, has := s.values[name]; return has })
			if !slot && !before {
				names = append(names, name)
			}
		}
	}
	return names
}
