package legislation

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// System is a legislation: entities, variables and parameters. It never changes; [Builder] makes one.
type System struct {
	// Key names the reform that made the system from its baseline, empty for a base system.
	Key string
	// Title is what people call the reform, or the legislation.
	Title       string
	Description string
	Source      Source
	Package     Package

	names     *Names
	entities  []*Entity
	variables []*Variable // by VariableID; nil where there is none
	byName    map[string]*Variable
	order     []*Variable
	tree      *Tree
	rules     *vector.Rules
	wide      bool
	lenient   bool // in reading periods
	converts  bool
	oneGroup  bool

	spiralLoops int
	testMargin  float64
	unprepared  string
	preparation *Preparation // nil for none
	language    Language
	baseline    *System
	derived     *derived // by reforms written as data
	origin      any
	memory      *memory

	translations *Translations
}

// memory is a pointer's target because a reform starts as a copy of its system, and must not share it.
type memory struct {
	mu   sync.Mutex
	made atomic.Pointer[any]
}

// Memory is a place for what an engine keeps about the system from one simulation to the next. It is made when it is
// first asked for, and must be safe for concurrent use. One that has a method Weight tells so how many bytes it takes.
func (s *System) Memory(make func() any) any {
	if known := s.memory.made.Load(); known != nil {
		return *known
	}
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	if known := s.memory.made.Load(); known != nil {
		return *known
	}
	made := make()
	s.memory.made.Store(&made)
	return made
}

// weight is how many bytes the memory takes.
func (m *memory) weight() int64 {
	if known := m.made.Load(); known != nil {
		if w, ok := (*known).(interface{ Weight() int64 }); ok {
			return w.Weight()
		}
	}
	return 0
}

// Origin is what the maker of the system keeps to make others of it, nil if there is none.
func (s *System) Origin() any { return s.origin }

// SetOrigin is called by the maker, before anybody else has the system.
func (s *System) SetOrigin(origin any) { s.origin = origin }

// Package describes the software package that a system was loaded from.
type Package struct {
	Name, Version, URL, Location string
}

// Names is the numbering that the system shares with its family.
func (s *System) Names() *Names { return s.names }

// Entities lists the entities, the person among them.
func (s *System) Entities() []*Entity { return s.entities }

// Person is the person entity.
func (s *System) Person() *Entity {
	return s.entities[slices.IndexFunc(s.entities, func(e *Entity) bool { return e.IsPerson })]
}

// Entity finds an entity by key, or returns nil.
func (s *System) Entity(key string) *Entity {
	for _, e := range s.entities {
		if e.Key == key {
			return e
		}
	}
	return nil
}

// EntityByPlural finds an entity by plural, or returns nil.
func (s *System) EntityByPlural(plural string) *Entity {
	for _, e := range s.entities {
		if e.Plural == plural {
			return e
		}
	}
	return nil
}

// Variable gives the variable with that number, or nil if the system has none.
func (s *System) Variable(id VariableID) *Variable {
	if int(id) < len(s.variables) {
		return s.variables[id]
	}
	return nil
}

// Lookup finds a variable by name, or returns *[VariableNotFound].
func (s *System) Lookup(name string) (*Variable, error) {
	if v, ok := s.byName[name]; ok {
		return v, nil
	}
	return nil, s.NotFound(name)
}

// NotFound is the error for a name that the system does not know.
func (s *System) NotFound(name string) error {
	return &VariableNotFound{Name: name, system: s}
}

// VariableNames gives the names of the variables in that order.
func (s *System) VariableNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, v := range s.order {
			if !yield(v.Name) {
				return
			}
		}
	}
}

// Variables lists the variables in the order in which they were added; the caller must not change the list.
func (s *System) Variables() []*Variable { return s.order }

// VariableBound is larger than the ID of every variable of the system.
func (s *System) VariableBound() int { return len(s.variables) }

// Parameters is the parameter tree, which has no children if the legislation has none.
func (s *System) Parameters() *Tree { return s.tree }

// Rules are the rules of arithmetic of the system's formulas.
func (s *System) Rules() *vector.Rules { return s.rules }

// Language is that of the formulas, nil if they keep nothing during a run.
func (s *System) Language() Language { return s.language }

// ParsePeriod reads a period as the dialect of the system has it.
func (s *System) ParsePeriod(text string) (period.Period, error) {
	if s.lenient {
		return period.ParseLenient(text)
	}
	return period.Parse(text)
}

// Converts tells whether variables by the month may be asked for on years, and the other way round.
func (s *System) Converts() bool { return s.converts }

// OneGroup tells whether everybody is in one group of an entity of which a situation says nothing.
func (s *System) OneGroup() bool { return s.oneGroup }

// SpiralLoops is how often a variable may ask for itself on other periods before it gets its default, unless a simulation
// says otherwise.
func (s *System) SpiralLoops() int { return s.spiralLoops }

// Unprepared returns the error of a simulation whose inputs are as they were given: an [Unprepared] if the package's own code prepares
// inputs before it computes, else nil. Every simulation is made behind this check; [System.Prepares] has the preparation of households.
func (s *System) Unprepared() error {
	if s.unprepared == "" {
		return nil
	}
	if s.preparation != nil {
		return &Unprepared{Package: s.Package.Name, Remedy: s.preparation.Remedy}
	}
	return &Unprepared{Package: s.Package.Name, Remedy: s.unprepared}
}

// TestMargin is how far a number may be from what a test expects that does not say, 0 for not at all.
func (s *System) TestMargin() float64 { return s.testMargin }

// Wide tells whether floats and integers have 64 bits instead of 32.
func (s *System) Wide() bool { return s.wide }

// Baseline is the system that this one is a reform of, nil for a base system.
func (s *System) Baseline() *System { return s.baseline }
