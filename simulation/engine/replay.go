package engine

import (
	"errors"
	"slices"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// replay is a simulation that goes down a script. It stores nothing but what the strips compute: the calls are kept, to be
// done once more with formulas when the script comes to its end.
type replay struct {
	sim        *Simulation
	root       *node
	node       *node
	slots      []vector.Column // of the strips so far; in room, or those of lead
	room       *slotRoom       // nil until it is needed
	made       []made
	edges      []*edge // of the script; as many as made, as long as the simulation is a replay
	eager      bool    // to record what no script knows
	record     bool    // to record what comes next
	takes      bool    // to take down what is worth a transcript
	along      bool    // the base has a script of what is asked
	sighted    call    // the last one that was counted
	transcribe int32   // how often that has come which is worth a transcript; 0 if nothing is
	lead       *replay // one that was asked the same, as far as this one has come; else nil
}

// slotRoom is room for slots. It is apart from replays because most need none: those that come to no script, and those that have a lead.
type slotRoom struct{ columns []vector.Column }

var slotRooms heap.Pool[slotRoom]

// made is a call with all that is needed to make it again.
type made struct {
	call  call
	at    *period.Entry
	input vector.Column
}

var replays heap.Pool[replay]

func newReplay(s *Simulation, root *node, eager bool) *replay {
	p := replays.Get()
	p.sim, p.root, p.node, p.eager = s, root, root, eager
	if s.lead != nil && s.lead.root == root {
		p.lead = s.lead
	}
	return p
}

// script is the replay of the base's script, nil if there is none.
func (s *Simulation) script() *replay {
	switch m := s.mode.(type) {
	case *replay:
		return m
	case *beside:
		return m.script
	}
	return s.left
}

// Release tells that the simulation is not used any more; what it gave stays good.
func (s *Simulation) Release() {
	switch m := s.mode.(type) {
	case *replay:
		m.release()
	case *beside:
		m.script.release()
		m.own.release()
		m.walk.release()
	}
	if s.left != nil {
		s.left.release()
		s.left = nil
	}
	s.room.indexes.release()
	s.mode = failed{errReleased}
}

func (p *replay) release() {
	if p.room != nil && cap(p.slots) <= keptSlots {
		clear(p.slots)
		p.room.columns = p.slots[:0]
		slotRooms.Put(p.room)
	}
	clear(p.made)
	clear(p.edges)
	*p = replay{made: p.made[:0], edges: p.edges[:0]}
	replays.Put(p)
}

const keptSlots = 1 << 18 // more room than this is not kept

var errReleased = errors.New("a simulation is used after its release")

// Replayed counts the calls that a script answered; it is 0 once the simulation runs formulas.
func (s *Simulation) Replayed() int {
	if p := s.script(); p != nil && p != s.left {
		return len(p.made)
	}
	return 0
}

func (p *replay) SetInput(id legislation.VariableID, at *period.Entry, c vector.Column) error {
	in := callOf(id, at, c)
	if p.follow(made{in, at, c}) != nil {
		return nil
	}
	return p.leave(&in).SetInput(id, at, c)
}

func (p *replay) Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	asked := call{kind: calculateCall, how: how, variable: id, at: at.Period}
	if e := p.follow(made{call: asked, at: at}); e != nil {
		return p.result(e), nil
	}
	return p.leave(&asked).Calculate(id, at, how)
}

func (p *replay) Output(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	asked := call{kind: outputCall, variable: id, at: at.Period}
	if e := p.follow(made{call: asked, at: at}); e != nil {
		return p.result(e), nil
	}
	return p.leave(&asked).Output(id, at)
}

func (p *replay) Open() error { return p.leave(nil).Open() }

// follow replays a call and gives the edge that fits it, nil if none does. What it needs of the limits is added up.
func (p *replay) follow(m made) *edge {
	s := p.sim
	known := p.node.edges.Load()
	if known == nil || s.ctx.Err() != nil {
		return nil
	}
	if e := p.led(m); e != nil {
		return p.took(m, e)
	}
	p.settle()
	base := len(p.slots)
	for _, e := range *known {
		if e.call != m.call || !s.affords(e.usage) || !e.luck.worthTrying() {
			continue
		}
		if m.call.kind == inputCall {
			p.slots = append(p.slots, m.input)
		}
		p.slots = slices.Grow(p.slots, e.strip.Slots()-len(p.slots))
		if e.strip.Objects() {
			s.Runtime() // computes with them
		}
		var ok bool
		if p.slots, ok = e.strip.Play(s.rules, p.slots); ok {
			e.luck.hit()
			if !e.served.Load() {
				e.served.Store(true)
			}
			return p.took(m, e)
		}
		e.luck.miss()
		p.slots = p.slots[:base]
	}
	return nil
}

// took goes on after an edge.
func (p *replay) took(m made, e *edge) *edge {
	p.sim.usage.runs += e.usage.runs
	p.sim.usage.cells += e.usage.cells
	p.node = e.then
	p.made, p.edges = append(p.made, m), append(p.edges, e)
	return e
}

// led gives the edge that the lead took, if it was asked the same. The slots are the lead's then. After the first call that it
// was not asked there is no lead any more.
func (p *replay) led(m made) *edge {
	l, k := p.lead, len(p.made)
	if l == nil {
		return nil
	}
	if k < len(l.edges) && l.made[k].call == m.call && l.made[k].input.Same(m.input) && p.sim.affords(l.edges[k].usage) {
		p.slots = l.slots[:l.edges[k].strip.Slots()]
		return l.edges[k]
	}
	p.lead = nil
	return nil
}

// settle gives the replay room for slots of its own, with those that it had of a lead.
func (p *replay) settle() {
	if p.room == nil {
		p.room = slotRooms.Get()
		p.slots = append(p.room.columns, p.slots[:p.filled()]...)
	}
}

// filled is how many slots the calls so far have filled.
func (p *replay) filled() int {
	if len(p.edges) == 0 {
		return 0
	}
	return p.edges[len(p.edges)-1].strip.Slots()
}

// result is what the call of an edge gave.
func (p *replay) result(e *edge) vector.Column {
	if e.slot < 0 {
		return e.result
	}
	return p.slots[e.slot]
}

func (s *Simulation) affords(u usage) bool {
	return u.depth <= s.limits.Depth && s.usage.runs+u.runs <= s.limits.FormulaRuns && s.usage.cells+u.cells <= s.limits.Cells
}

// leave ends the replay at a call that no script knows, or at nil if no script is wanted any more. The simulation does what
// it was asked so far in its new mode, which is given.
func (p *replay) leave(next *call) mode {
	if next != nil && !p.eager {
		if b := newBeside(p); b != nil {
			p.sim.mode = b
			return b
		}
	}
	return p.run(next)
}

// run leaves the replay for formulas.
func (p *replay) run(next *call) mode {
	s := p.sim
	s.usage = &usage{}
	s.furnish()
	if next != nil && (p.record || p.eager || p.worthRecording(*next)) {
		s.mode = newRecording(s)
	} else {
		s.mode, s.recall = &formulas{sim: s}, newRecall(s)
	}
	for _, m := range p.made {
		// The replay had no error, so there is none but that the time is over.
		if err := m.repeat(s); err != nil {
			s.mode = failed{err}
			return s.mode
		}
	}
	if f, ok := s.mode.(*formulas); ok && p.transcribe > 0 {
		s.mode = &taking{*f, p}
	}
	return s.mode
}

// worthRecording counts a call that no script knows, and tells whether to record it here: when it has come so many times, and
// then, if it still does not fit, ever more rarely, four times as rarely with every recording that was in vain. Where the base has a script a transcript is
// worth it before that.
func (p *replay) worthRecording(c call) bool {
	if c == p.sighted {
		return false
	}
	p.sighted = c
	m := p.sim.shape.memory
	times, vain := p.node.sight(c, m)
	least := m.sightings.Load()
	switch {
	case times&(times-1) != 0:
	case times >= least<<(2*vain):
		return true
	case p.takes && p.along && times >= least/firstSightings:
		p.transcribe = max(p.transcribe, times)
	}
	return false
}

func (m *made) repeat(s *Simulation) (err error) {
	switch m.call.kind {
	case inputCall:
		err = s.mode.SetInput(m.call.variable, m.at, m.input)
	case outputCall:
		_, err = s.mode.Output(m.call.variable, m.at)
	default:
		_, err = s.mode.Calculate(m.call.variable, m.at, m.call.how)
	}
	return err
}
