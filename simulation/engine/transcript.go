package engine

import (
	"context"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// A recording takes as long as many runs. Of a base that is paid once, by one request. A derived system has few requests, and
// somebody waits for each. So what was asked of it is taken down, and recorded when nobody waits.

// Transcript is what a simulation was asked, to be recorded by another. It shares columns with the simulation that it comes from, which
// never change, and stays good when that is released.
type Transcript struct {
	// Times is how often the system was asked so, as far as is known.
	Times int

	system *legislation.System
	spec   Spec
	limits Limits
	calls  []noted
}

// noted is a call with its input.
type noted struct {
	call
	input vector.Column
}

// transcriptBytes bounds the inputs of a transcript: somebody keeps it until it is recorded.
const transcriptBytes = 1 << 20

// Transcript gives what the simulation was asked, if it is one of a derived system of which no script is known and to go beside
// the base takes long; else nil. It is asked for at the end, before the release.
func (s *Simulation) Transcript() *Transcript {
	p := s.taker()
	if p == nil || p.transcribe == 0 || s.ctx.Err() != nil {
		return nil
	}
	r := &Transcript{Times: int(p.transcribe), system: s.system, spec: s.specification(), limits: s.limits, calls: make([]noted, len(p.made))}
	var bytes int64
	for i, m := range p.made {
		if bytes += varyingBytes(m.input); bytes > transcriptBytes || m.input.Type() == vector.Object {
			return nil
		}
		r.calls[i] = noted{m.call, m.input}
	}
	return r
}

// taker is what has taken down everything that the simulation was asked, nil if nothing has.
func (s *Simulation) taker() *replay {
	switch m := s.mode.(type) {
	case *beside:
		return m.own
	case *taking:
		return m.own
	}
	return nil
}

// specification describes the populations, without names: what looks at those cannot be recorded.
func (s *Simulation) specification() Spec {
	spec := Spec{Persons: s.persons.count, Groups: make(map[string]Groups, len(s.populations))}
	for _, p := range s.populations {
		if p.entity.IsPerson {
			continue
		}
		g := Groups{Count: p.count, GroupOf: p.groupOf, Roles: make([]*legislation.Role, len(p.roles))}
		for i, role := range p.roles {
			g.Roles[i] = p.entity.Flattened[role]
		}
		spec.Groups[p.entity.Key] = g
	}
	return spec
}

// System is the one that was asked.
func (r *Transcript) System() *legislation.System { return r.system }

// Record runs what was asked once more and records it. It stops with the context's error once that is done, and with that of
// the first call that fails.
func (r *Transcript) Record(ctx context.Context, memory *heap.Share) error {
	s, err := New(ctx, r.system, r.spec, Options{Limits: r.limits, Scripted: true, Eager: true, Memory: memory})
	for i := 0; i < len(r.calls) && err == nil; i++ {
		c := &r.calls[i]
		m := made{c.call, s.periods.Intern(c.at), c.input}
		err = m.repeat(s)
	}
	if s != nil {
		s.Release()
	}
	return err
}

// taking runs formulas, and takes down what the simulation is asked from outside.
type taking struct {
	formulas
	own *replay
}

func (t *taking) SetInput(id legislation.VariableID, at *period.Entry, c vector.Column) error {
	_, err := t.take(made{callOf(id, at, c), at, c}, func() (vector.Column, error) { return c, t.formulas.SetInput(id, at, c) })
	return err
}

func (t *taking) Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	asked := made{call: call{kind: calculateCall, how: how, variable: id, at: at.Period}, at: at}
	return t.take(asked, func() (vector.Column, error) { return t.formulas.Calculate(id, at, how) })
}

func (t *taking) Output(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	asked := made{call: call{kind: outputCall, variable: id, at: at.Period}, at: at}
	return t.take(asked, func() (vector.Column, error) { return t.formulas.Output(id, at) })
}

// Open is told of what no script can tell.
func (t *taking) Open() error {
	t.sim.mode = &t.formulas
	return nil
}

// take makes a call in the mode in which formulas ask, and takes it down. After an error there is nothing to be recorded.
func (t *taking) take(m made, do func() (vector.Column, error)) (vector.Column, error) {
	t.sim.mode = &t.formulas
	c, err := do()
	if err != nil {
		return c, err
	}
	t.own.made = append(t.own.made, m)
	t.sim.mode = t
	return c, nil
}
