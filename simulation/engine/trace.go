package engine

import (
	"errors"
	"slices"
	"time"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Tracer records every calculation of a simulation, stored values included, as trees.
type Tracer struct {
	// Trees are the calculations that nothing else asked for.
	Trees []*Trace

	clock   func() time.Time
	current *Trace
}

// Trace is one calculation: what was asked, what that asked in turn, which parameters it read, what came out.
type Trace struct {
	Variable   string
	Period     period.Period
	Value      vector.Column
	Err        error
	Children   []*Trace
	Parameters []ParameterRead
	Scales     []ScaleRead
	Start, End time.Time
	// Recalled tells that the formula was not run: an earlier run said what it asks for and gives.
	Recalled bool

	parent *Trace
}

// ParameterRead is a parameter that a formula looked at, or a node of parameters that it indexed with a column: then the
// scalar of Value is an array with an element per row.
type ParameterRead struct {
	Name  string
	Day   period.Instant
	Value legislation.Data
}

// ScaleRead is a scale that a formula looked at, once for each day.
type ScaleRead struct {
	Name string
	Day  period.Instant
}

// Rows tells whether the value has an element per row.
func (p *ParameterRead) Rows() bool {
	return p.Value.Kind == legislation.Scalar && p.Value.Scalar.IsArray()
}

// NewTracer makes a tracer that takes the time from a clock; nil if nobody wants to know.
func NewTracer(clock func() time.Time) *Tracer { return &Tracer{clock: clock} }

func (t *Tracer) enter(variable string, at period.Period) {
	node := &Trace{Variable: variable, Period: at, Start: t.now(), parent: t.current}
	if t.current == nil {
		t.Trees = append(t.Trees, node)
	} else {
		t.current.Children = append(t.current.Children, node)
	}
	t.current = node
}

func (t *Tracer) leave(c vector.Column, err error) {
	t.current.Value, t.current.Err, t.current.End = c, err, t.now()
	t.current = t.current.parent
}

func (t *Tracer) now() time.Time {
	if t.clock == nil {
		return time.Time{}
	}
	return t.clock()
}

// Key is the name of the calculation in a flat trace: name<period>.
func (n *Trace) Key() string { return n.Variable + "<" + n.Period.String() + ">" }

// Duration is the time that the calculation took, the ones it asked for included.
func (n *Trace) Duration() time.Duration { return n.End.Sub(n.Start) }

// FormulaDuration is the time that the calculation took by itself.
func (n *Trace) FormulaDuration() time.Duration {
	d := n.Duration()
	for _, child := range n.Children {
		d -= child.Duration()
	}
	return d
}

// Walk visits every calculation, parents before children.
func (t *Tracer) Walk(visit func(n *Trace, depth int)) {
	var walk func(n *Trace, depth int)
	walk = func(n *Trace, depth int) {
		visit(n, depth)
		for _, child := range n.Children {
			walk(child, depth+1)
		}
	}
	for _, tree := range t.Trees {
		walk(tree, 0)
	}
}

// Flat lists each calculation once, under its key. The first time counts: later ones only read what it stored.
func (t *Tracer) Flat() *legislation.Ordered[*Trace] {
	flat := legislation.NewOrdered[*Trace]()
	t.Walk(func(n *Trace, _ int) {
		if _, known := flat.Get(n.Key()); !known {
			flat.Set(n.Key(), n)
		}
	})
	return flat
}

// Again runs something in the place of a variable's formula, for whoever wants to know more of a calculation that was made: it
// gets the population and the parameters, what it asks for is answered from what is stored, and nothing of it is traced or
// stored as the variable's value. The result is cast to the type of the variable.
func (s *Simulation) Again(id legislation.VariableID, at *period.Entry, run func(legislation.Population, legislation.Law) (vector.Column, error)) (vector.Column, error) {
	if err := s.mode.Open(); err != nil {
		return vector.Column{}, err
	}
	h, err := s.holder(id)
	if err != nil {
		return vector.Column{}, err
	}
	tracer := s.tracer
	s.tracer = nil
	defer func() { s.tracer = tracer }()
	s.push(h, at)
	c, err := run(h.population, s.law)
	if err == nil {
		c, err = h.cast(c)
	}
	s.pop(h, c, err)
	return c, err
}

// Reread notes what a calculation that was recalled reads of the law: its formula is run once more. It is false if that is not
// the run that it would have been, because what it asks for is something else by now, as it may be where a spiral was ended.
func (s *Simulation) Reread(t *Trace) bool {
	if !t.Recalled {
		return true
	}
	v, err := s.system.Lookup(t.Variable)
	if err != nil {
		return false
	}
	at, tracer, once := s.periods.Intern(t.Period), s.tracer, &Trace{}
	_, err = s.Again(v.ID, at, func(p legislation.Population, law legislation.Law) (vector.Column, error) {
		s.tracer, tracer.current = tracer, once
		defer func() { s.tracer, tracer.current = nil, nil }()
		c, _, err := legislation.Run(v.FormulaAt(at.Start).Formula, p, at, law)
		if errors.Is(err, legislation.ErrNoValue) {
			return t.Value, nil
		}
		return c, err
	})
	t.Parameters, t.Scales, t.Recalled = once.Parameters, once.Scales, false
	return err == nil && slices.EqualFunc(t.Children, once.Children, func(a, b *Trace) bool {
		return a.Variable == b.Variable && a.Period == b.Period && a.Value.Same(b.Value)
	})
}
