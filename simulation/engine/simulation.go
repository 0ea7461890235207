package engine

import (
	"context"
	"slices"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Limits bound what one simulation may use. Zero means the default.
type Limits struct {
	// Depth is how deep calculations may be nested.
	Depth int
	// FormulaRuns is how many formulas may run in all.
	FormulaRuns int64
	// Cells is how many elements may be stored in all; constants count as one.
	Cells int64
}

const (
	defaultDepth       = 2000
	defaultFormulaRuns = 100_000_000
	defaultCells       = 4_000_000_000
)

// Options are the choices of a simulation.
type Options struct {
	Limits Limits
	// MaxSpiralLoops is how often a variable may ask for itself on other periods before it gets its default, at least as often
	// as the system says.
	MaxSpiralLoops int
	// Start makes variables have their default on all periods before it that are of the same unit.
	Start *period.Period
	// Tracer records the calculations, if it is not nil.
	Tracer *Tracer
	// Sparse lets a simulation with a tracer repeat runs of formulas as others do. The trace tells which (Trace.Recalled); what
	// those read of the law is not in it until it is asked for (Reread).
	Sparse bool
	// Rows is asked where a rule looks beyond single rows, if the simulation does not hold the whole population.
	Rows legislation.Rows
	// Forgetful runs every formula, whatever earlier simulations of the system have learned.
	Forgetful bool
	// Scripted is for a caller that asks many simulations of the system for the same, each with other numbers: what the
	// formulas compute is recorded, and replayed the next time (script.go).
	Scripted bool
	// Eager records whatever no script fits, the first time that it comes: for tests of scripts.
	Eager bool
	// Transcripts is for a caller that asks for the Transcript of simulations of derived systems, and has it recorded.
	Transcripts bool
	// Lead is a simulation that was asked the same, of the same situation, in the base of the system or in one derived from
	// it: what it has replayed is not replayed once more. It is not released before this one.
	Lead *Simulation
	// Recorder records what is computed, to be done to other rows: the simulation holds some rows only.
	Recorder *Recorder
	// Periods numbers the periods; nil makes a new table. It belongs to the simulation from then on.
	Periods *period.Table
	// Baselines are the systems that the simulation's baseline computes by, that one's baseline, and so on; none if formulas find no baseline.
	Baselines []*legislation.System
	// Prepared says that the inputs are what the package's own code makes of them, or those of its tests. Without it there is no simulation of a
	// system that needs that ([legislation.System.Unprepared]).
	Prepared bool
	// Memory is what the simulation holds its populations and its values of; nil means that nobody counts.
	Memory *heap.Share
}

// Simulation is one run of a system on populations. It belongs to one goroutine.
type Simulation struct {
	ctx         context.Context
	system      *legislation.System
	rules       *vector.Rules
	periods     *period.Table
	populations []*Population
	persons     *Population

	holders     []*Holder // by variable, nil until needed
	room        room
	stack       []frame
	active      []int32 // by variable, how many frames of the stack are its
	invalidated map[frame]struct{}
	inputs      map[legislation.VariableID][]period.ID // periods whose values are inputs, if the system converts; nil if there are none
	branches    map[string]*Simulation                 // by name, nil if there are none
	forked      bool                                   // this is a branch of another
	name        string                                 // of a branch
	origin      *Simulation                            // that a branch was made from

	law        *law
	tracer     *Tracer
	rows       legislation.Rows
	maxLoops   int
	start      *period.Entry
	limits     Limits
	usage      *usage
	memory     *heap.Share
	runtime    legislation.Runtime // nil until it is asked for
	mode       mode
	lead       *replay    // of a simulation that was asked the same; may be nil
	left       *replay    // of the base's script, which was left for formulas and may be the lead of another; nil if none was
	reader     reader     // nil if nobody is told what is read
	shape      *shape     // of the populations in the system's memory, nil if they are not remembered
	memos      *shape     // the one that keeps memos; shape itself unless the system was derived
	recorder   *Recorder  // nil if nothing is recorded for other rows
	recall     *recall    // nil if no run of a formula is repeated
	forgets    bool       // nor will one be, nor recorded, here or elsewhere
	evaluation evaluation // of the formula under way
	eternalID  period.ID
	baselines  []*legislation.System    // of the baseline, of that one's, and so on
	given      []legislation.VariableID // nil if they are those that have inputs
}

var (
	_ legislation.Simulation = (*Simulation)(nil)
	_ legislation.Repeater   = (*Simulation)(nil)
	_ legislation.Forker     = (*Simulation)(nil)
)

// usage is what a simulation and its clones have used of their limits together: a formula may clone, and calculate in the
// clone, and so on.
type usage struct {
	depth     int
	runs      int64
	evaluated int64
	cells     int64
	mostCells int64 // as many as cells would be if no taped column were constant
}

// frame is a calculation that is under way.
type frame struct {
	variable legislation.VariableID
	at       *period.Entry
}

// New makes a simulation on the populations that spec describes. It stops with the context's error once that is done.
func New(ctx context.Context, system *legislation.System, spec Spec, o Options) (*Simulation, error) {
	if err := system.Unprepared(); err != nil && !o.Prepared {
		return nil, err
	}
	s := &Simulation{
		ctx: ctx, system: system, rules: system.Rules(), periods: o.Periods,
		tracer: o.Tracer, rows: o.Rows, maxLoops: max(o.MaxSpiralLoops, system.SpiralLoops()), limits: o.Limits.orDefault(), usage: &usage{}, memory: o.Memory, baselines: o.Baselines,
		forgets: o.Forgetful && o.Recorder == nil,
	}
	if s.periods == nil {
		s.periods = period.NewTable()
	}
	s.eternalID = s.periods.Intern(period.Eternal).ID
	if o.Start != nil {
		s.start = s.periods.Intern(*o.Start)
	}
	if err := s.populate(spec); err != nil {
		return nil, err
	}
	learns := (o.Tracer == nil || o.Sparse) && !o.Forgetful
	if learns {
		s.shape, s.memos = memoryOf(s)
	}
	if learns && o.Scripted && s.tracer == nil && s.shape != nil && s.persons.count <= scriptPersons && s.maxLoops == system.SpiralLoops() && s.start == nil {
		if o.Lead != nil {
			s.lead = o.Lead.script()
		}
		own := newReplay(s, s.shape.root.Load(), o.Eager)
		own.takes = o.Transcripts && s.memos != s.shape
		s.mode = own
		return s, nil
	}
	s.furnish()
	s.mode = &formulas{sim: s}
	if s.recorder = o.Recorder; s.recorder != nil {
		s.mode = &formulas{s, s.recorder.tape}
	}
	if learns {
		s.recall = newRecall(s)
	}
	return s, nil
}

// furnish makes what formulas need.
func (s *Simulation) furnish() {
	bound := s.system.VariableBound()
	s.holders, s.active = make([]*Holder, bound), make([]int32, bound)
	s.invalidated = make(map[frame]struct{})
	s.law = &law{tree: s.system.Parameters(), tracer: s.tracer}
}

func (l Limits) orDefault() Limits {
	if l.Depth == 0 {
		l.Depth = defaultDepth
	}
	if l.FormulaRuns == 0 {
		l.FormulaRuns = defaultFormulaRuns
	}
	if l.Cells == 0 {
		l.Cells = defaultCells
	}
	return l
}

// System is the legislation that the simulation runs on.
func (s *Simulation) System() *legislation.System { return s.system }

// Context ends the simulation when it is done.
func (s *Simulation) Context() context.Context { return s.ctx }

// Rows is asked where a rule looks beyond single rows; nil if the simulation holds the whole population.
func (s *Simulation) Rows() legislation.Rows {
	if s.rows == nil || s.recall == nil {
		return s.rows
	}
	return heardRows{s}
}

// Runtime is what the language of the formulas keeps during this run, nil if it keeps nothing.
func (s *Simulation) Runtime() legislation.Runtime {
	if language := s.system.Language(); s.runtime == nil && language != nil {
		s.runtime = language.Enter(s)
		rules := *s.rules
		rules.Objects = s.runtime.Objects()
		s.rules = &rules
	}
	return s.runtime
}

// Periods is the table that numbers the periods of the simulation.
func (s *Simulation) Periods() *period.Table { return s.periods }

// Tracer is what records the calculations, nil if nothing does.
func (s *Simulation) Tracer() *Tracer { return s.tracer }

// FormulaRuns counts the formulas that ran so far, in clones too.
func (s *Simulation) FormulaRuns() int64 { return s.usage.runs }

// Evaluated counts those of them that were evaluated; an earlier run told what the others give.
func (s *Simulation) Evaluated() int64 { return s.usage.evaluated }

// Persons is the population of the person entity.
func (s *Simulation) Persons() *Population { return s.persons }

// Populations lists all populations in the order of the system's entities.
func (s *Simulation) Populations() []*Population { return s.populations }

// PopulationOf finds the population of an entity by key, or returns nil.
func (s *Simulation) PopulationOf(key string) *Population {
	if i := slices.IndexFunc(s.populations, func(p *Population) bool { return p.entity.Key == key }); i >= 0 {
		return s.populations[i]
	}
	return nil
}

// Population finds a population by the key of its entity.
func (s *Simulation) Population(key string) (legislation.Population, bool) {
	p := s.PopulationOf(key)
	return p, p != nil
}

// Holder gives access to what is stored for a variable.
func (s *Simulation) Holder(v legislation.VariableID) (legislation.Holder, error) {
	if err := s.mode.Open(); err != nil {
		return nil, err
	}
	s.holdsOnly(legislation.SameState)
	if s.reader != nil {
		s.reader.peek(v)
	}
	h, err := s.holder(v)
	if err != nil {
		return nil, err
	}
	return h, nil
}

func (s *Simulation) variable(id legislation.VariableID) (*legislation.Variable, error) {
	if v := s.system.Variable(id); v != nil {
		return v, nil
	}
	return nil, s.system.NotFound(s.system.Names().VariableName(id))
}

// holder gives the holder of a variable. It is made when the variable is first computed, stored or looked at, and not
// before: a clone shares those that exist.
func (s *Simulation) holder(id legislation.VariableID) (*Holder, error) {
	if int(id) < len(s.holders) {
		if h := s.holders[id]; h != nil {
			return h, nil
		}
	}
	v, err := s.variable(id)
	if err != nil {
		return nil, err
	}
	h := newHolder(s, v, s.PopulationOf(v.Entity.Key))
	s.holders[id] = h
	return h, nil
}

// SetInput stores an input by the rule of the variable, unless the variable has ended by then.
func (s *Simulation) SetInput(id legislation.VariableID, at *period.Entry, c vector.Column) error {
	return s.mode.SetInput(id, at, c)
}

func (s *Simulation) setInput(id legislation.VariableID, at *period.Entry, c vector.Column) error {
	v, err := s.variable(id)
	if err != nil || v.Ended(at.Start) {
		return err
	}
	h, err := s.holder(id)
	if err != nil {
		return err
	}
	return h.SetInput(at, c)
}

// Clone is what formulas get that ask for a clone: a simulation that goes on with the same stored values. What either
// stores from now on for a variable that has been used so far, both see; variables that are used for the first time
// afterwards are stored apart; and the groups of the clone ask the persons of the original. That is how the original
// engine does it, and formulas that clone depend on it.
func (s *Simulation) Clone() legislation.Simulation {
	c := s.branch()
	s.holdsOnly(legislation.SameState)
	s.doubt()
	if f, ok := s.mode.(*formulas); ok {
		c.mode = &formulas{c, f.tape} // what happens in the clone is part of the call under way
	}
	for i, h := range s.holders {
		if h != nil {
			c.holders[i] = h.in(c)
		}
	}
	return c
}

// branch makes a simulation with the same populations and nothing stored. It is not traced, and no calculation of it is
// under way.
func (s *Simulation) branch() *Simulation {
	_ = s.mode.Open() // the branch fails as the simulation does
	c := *s           // the marks of spirals are those of both
	c.left = nil      // it is released with the simulation
	c.shape, c.recall, c.reader, c.evaluation, c.room = nil, nil, nil, evaluation{}, room{}
	c.tracer, c.law, c.runtime = nil, &law{tree: s.system.Parameters()}, nil
	c.stack, c.active = nil, make([]int32, len(s.active))
	c.populations, c.holders = nil, make([]*Holder, len(s.holders))
	for _, p := range s.populations {
		copied := p.copyTo(&c)
		c.populations = append(c.populations, copied)
		if p == s.persons {
			c.persons = copied
		}
	}
	return &c
}
