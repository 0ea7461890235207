package engine

import (
	"errors"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// beside is a simulation of a derived system that goes beside the script of its base. The strips give it the numbers of the
// base; what the account of a call says is reached by a change is computed with formulas, which get everything else as the
// base has it.
//
// That is right as long as formulas read what they read in the recording, in the same order: then each value is computed
// under the same calculations, so that no cycle or spiral can come up that was not there, and everything that is not reached
// by a change is what it is in the base. Where a formula reads something else, or peeks at more than what it reads, the
// simulation does everything once more with formulas.
type beside struct {
	sim    *Simulation
	script *replay // of the base
	own    *replay // the script of the derived system, which came to its end
	walk   walk
	given  int // how many of the calls are known to the holders
	ready  bool
}

// besideShare is how much of what a call computes a change may reach, as one part of so many. If it is more, a script of the
// derived system's own is worth recording.
const besideShare = 3

// newBeside goes on beside the base where the script of a derived system ends; nil if that is not possible.
func newBeside(own *replay) *beside {
	s := own.sim
	if s.memos == s.shape || s.memos.root.Load().edges.Load() == nil {
		return nil
	}
	b := &beside{sim: s, own: own, script: newReplay(s, s.memos.root.Load(), false)}
	s.usage = &usage{} // what was followed is followed once more
	b.walk = walk{sim: s, script: b.script, findings: foundWalks.Get(), changed: make(map[legislation.VariableID]bool)}
	for _, m := range own.made {
		if !b.follow(m) {
			b.walk.release()
			b.script.release()
			return nil
		}
	}
	return b
}

// follow makes a call in the base, and tells whether everything is known of it.
func (b *beside) follow(m made) bool {
	e := b.script.follow(m)
	b.own.along = e != nil
	if e == nil || e.account == nil || !b.walk.spread(e.account) {
		return false
	}
	// To go beside the base is for changes that come a few times: what is asked often is recorded, unless little is reached.
	b.own.record = b.walk.effect > smallEffect && b.own.worthRecording(m.call)
	return !b.own.record
}

func (b *beside) SetInput(id legislation.VariableID, at *period.Entry, c vector.Column) error {
	in := callOf(id, at, c)
	m := made{in, at, c}
	if !b.follow(m) {
		return b.leave(&in).SetInput(id, at, c)
	}
	b.own.made = append(b.own.made, m)
	return nil
}

func (b *beside) Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	asked := call{kind: calculateCall, how: how, variable: id, at: at.Period}
	if c, ok := b.calculate(made{call: asked, at: at}, func() (vector.Column, error) { return b.sim.ask(id, at, how) }); ok {
		return c, nil
	}
	return b.leave(&asked).Calculate(id, at, how)
}

func (b *beside) Output(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	asked := call{kind: outputCall, variable: id, at: at.Period}
	if c, ok := b.calculate(made{call: asked, at: at}, func() (vector.Column, error) { return b.sim.output(id, at) }); ok {
		return c, nil
	}
	return b.leave(&asked).Output(id, at)
}

func (b *beside) Open() error { return b.leave(nil).Open() }

// calculate gives the result of a call: that of the base if no change reaches it.
func (b *beside) calculate(m made, ask func() (vector.Column, error)) (vector.Column, bool) {
	if !b.follow(m) {
		return vector.Column{}, false
	}
	e := b.script.edges[len(b.script.edges)-1]
	b.own.made = append(b.own.made, m)
	if !b.walk.reaches(e.account) {
		return b.script.result(e), true
	}
	c, ok := b.run(e, ask)
	if !ok {
		b.own.made = b.own.made[:len(b.own.made)-1]
	}
	return c, ok
}

// run computes a call with formulas. They count against the limits, but what the base needed is what is counted.
func (b *beside) run(e *edge, ask func() (vector.Column, error)) (vector.Column, bool) {
	if !b.furnish() {
		return vector.Column{}, false
	}
	s := b.sim
	used := s.usage
	s.usage, s.mode, s.reader = &usage{}, &formulas{sim: s}, &b.walk
	b.walk.frames = append(b.walk.frames[:0], progress{e.account, e.account.asked})
	c, err := ask()
	ok := err == nil && !b.walk.strayed
	s.usage, s.mode, s.reader = used, b, nil
	return c, ok
}

// furnish makes what formulas need, and gives the holders the inputs that they do not have yet.
func (b *beside) furnish() bool {
	s := b.sim
	if !b.ready {
		s.furnish()
		s.recall = newRecall(s)
		s.recall.mute = true
		b.ready = true
	}
	for ; b.given < len(b.own.made); b.given++ {
		if m := b.own.made[b.given]; m.call.kind == inputCall && s.setInput(m.call.variable, m.at, m.input) != nil {
			return false
		}
	}
	return true
}

// leave goes on as if there had been no base. The script is kept: it may be the lead of another simulation.
func (b *beside) leave(next *call) mode {
	s := b.sim
	s.left = b.script
	b.walk.release()
	s.recall, s.runtime, s.rules = nil, nil, s.system.Rules()
	return b.own.run(next)
}

// walk gives formulas what the base has computed, as they read it.
type walk struct {
	sim    *Simulation
	script *replay
	pieces []*account
	*findings
	effect  int                             // how many runs are reached
	changed map[legislation.VariableID]bool // variables of runs that are reached
	frames  []progress
	pending int32 // the run that was read and may have to be computed
	skips   bool  // a variable is not computed any more, so what it asked for may be asked for later
	ordered bool  // what is computed depends on what was before
	strayed bool  // something was read that the recording did not read
}

// findings are what a walk knows of runs. Their room is used again.
type findings struct {
	state   []int32 // by the number of a run: reached, notReached, or the place of its result
	results []vector.Column
}

const (
	notReached int32 = -1
	reached    int32 = -2
)

var foundWalks heap.Pool[findings]

// release tells that the walk is over; what it gave stays good.
func (w *walk) release() {
	clear(w.results)
	w.state, w.results = w.state[:0], w.results[:0]
	foundWalks.Put(w.findings)
	w.findings = nil
}

// progress is how far a run under way has come in what it reads.
type progress struct {
	account *account
	span
}

var errStrayed = errors.New("a formula reads what it did not read when it was recorded")

// spread finds out what the changes reach of what a call computed. It is false if that is too much, or if nobody can tell.
func (w *walk) spread(a *account) bool {
	if int(a.from) != len(w.state) {
		return false
	}
	w.pieces = append(w.pieces, a)
	touched := make([]bool, len(a.formulas))
	for i, f := range a.formulas {
		touched[i] = w.sim.system.Parameters().Touches(f.Formula)
	}
	w.ordered = w.ordered || len(a.peeks) > 0
	count, peeks := 0, a.peeks
	for i := range a.runs {
		r := &a.runs[i]
		is := w.neutralized(r) || r.formula >= 0 && touched[r.formula] || w.readsReached(a, r.reads)
		for ; len(peeks) > 0 && peeks[0].run == a.from+int32(i); peeks = peeks[1:] {
			if is || w.changed[peeks[0].variable] || w.differs(peeks[0].variable) {
				return false // what is stored is not all there
			}
		}
		state := notReached
		if is {
			count++
			w.changed[r.variable] = true
			state = reached
		}
		w.state = append(w.state, state)
	}
	w.effect += count
	return !(w.skips && w.ordered) && (count*besideShare <= len(a.runs) || count < smallEffect)
}

func (w *walk) readsReached(a *account, reads span) bool {
	for _, n := range a.reads[reads.from:reads.to] {
		if w.state[n] != notReached {
			return true
		}
	}
	return false
}

// differs tells whether a variable is another one than in the base, which is to say that it is neutralized or abolished.
func (w *walk) differs(id legislation.VariableID) bool {
	return w.sim.system.Variable(id) != w.sim.system.DerivedFrom().Variable(id)
}

// neutralized tells whether a run is one of a neutralized variable. What it asked for is computed by others then, if at all, and
// in another order.
func (w *walk) neutralized(r *run) bool {
	other := w.differs(r.variable)
	w.skips = w.skips || other && r.kind == computedRun
	w.ordered = w.ordered || r.kind == spiralRun
	return other
}

// smallEffect is how many runs a change may always reach: they cost less than playing the base's script.
const smallEffect = 200

// reaches tells whether a call reads anything that a change reaches.
func (w *walk) reaches(a *account) bool { return w.readsReached(a, a.asked) }

func (w *walk) numbered(n int32) (*account, *run) {
	i := len(w.pieces) - 1
	for n < w.pieces[i].from {
		i--
	}
	a := w.pieces[i]
	return a, &a.runs[n-a.from]
}

func (w *walk) read(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	f := &w.frames[len(w.frames)-1]
	if f.from == f.to {
		return w.stray()
	}
	n := f.account.reads[f.from]
	f.from++
	a, r := w.numbered(n)
	if r.variable != id || r.at != at.Period && w.sim.system.Variable(id).Period != period.Eternity {
		return w.stray()
	}
	switch {
	case r.kind == inputRun:
		return w.sim.find(id, at)
	case r.kind == computedRun && w.state[n] != notReached:
		return w.compute(n, id, at)
	}
	if r.slot < 0 {
		return a.columns[^r.slot], nil
	}
	return w.script.slots[r.slot], nil
}

func (w *walk) stray() (vector.Column, error) {
	w.strayed = true
	return vector.Column{}, errStrayed
}

// compute gives a value that a change reaches. What is stored may be one that the base had forgotten by then.
func (w *walk) compute(n int32, id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	if k := w.state[n]; k >= 0 {
		return w.results[k], nil
	}
	h, err := w.sim.holder(id)
	if err != nil || h.variable.Neutral(at.Period) {
		return h.DefaultArray(), err
	}
	w.pending = n
	w.sim.push(h, at)
	c, err := w.sim.computeAndStore(h, at)
	w.sim.pop(h, c, err)
	if err == nil {
		w.state[n] = int32(len(w.results))
		w.results = append(w.results, c)
	}
	return c, err
}

func (w *walk) begin(*Holder, *period.Entry, *legislation.DatedFormula) {
	a, r := w.numbered(w.pending)
	w.frames = append(w.frames, progress{a, r.reads})
}

func (w *walk) end(*Holder, *period.Entry, vector.Column) {
	last := w.frames[len(w.frames)-1]
	w.strayed = w.strayed || last.from != last.to
	w.frames = w.frames[:len(w.frames)-1]
}

// spiral is not to be expected: where the base came to one, the walk has its end.
func (w *walk) spiral(error) { w.strayed = true }

func (w *walk) peek(legislation.VariableID) { w.strayed = true }

func (w *walk) doubt() { w.strayed = true }
