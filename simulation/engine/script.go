package engine

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Who computes households for others asks the same of each: the same inputs, the same results, other numbers. So a system
// keeps scripts. The first simulations that are asked something run formulas; one of them has its columns traced
// (vector.Tape), and what happened to the numbers, from the inputs to the results, is a strip of arithmetic without
// formulas, stored values and periods. Later simulations that are asked the same play the strip on their numbers.
//
// A script is a tree of what simulations of one shape were asked, act by act. A simulation goes down the tree as long as
// it is asked what is known there and its numbers fit the strip; then it begins in earnest: it does what it was asked so
// far once more, with formulas, and goes on with them. Nobody can tell but by the clock.

const (
	scriptPersons = 1000     // more persons, and arithmetic is what takes the time
	scriptSteps   = 1 << 18  // of one tape
	scriptCells   = 8 << 20  // steps times persons: a play keeps what each of its steps gave
	scriptBytes   = 64 << 20 // more than this, of one system, and all scripts are forgotten
	sceneTurns    = 32       // that may follow on the same acts
	sceneStrange  = 256      // acts that are counted before they are recorded
	turnsAlike    = 4        // strips for the same act: they differ in what formulas saw of the numbers

	// A recording takes as long as several runs. So an act is recorded when it has come so many times, and if scripts were
	// forgotten because there were too many, only when it comes twice as often.
	firstSightings = 8
	lastSightings  = 1 << 16
)

// act is something that a simulation is asked from outside.
type act struct {
	kind     actKind
	form     vector.Form
	how      legislation.Option
	dtype    vector.DType
	domain   *vector.Domain
	variable legislation.VariableID
	rows     int32
	at       period.Period
}

func inputOf(id legislation.VariableID, at *period.Entry, c vector.Column) act {
	return act{kind: inputAct, form: c.Form(), dtype: c.DType(), domain: c.Domain(), variable: id, rows: int32(c.Len()), at: at.Period}
}

type actKind uint8

const (
	inputAct actKind = iota
	calculateAct
	outputAct
)

// scene is what is known of simulations after the same acts.
type scene struct {
	turns   atomic.Pointer[[]*turn]
	mu      sync.Mutex    // of writers
	strange map[act]int32 // how often an act came that has no turn, or none that fits
}

// turn is an act with what it does.
type turn struct {
	act    act
	strip  vector.Strip
	slot   int32 // of the result; -1 if it is always the same
	result vector.Column
	usage  usage // of the limits; depth is that which was allowed
	then   *scene
	luck   luck
}

// player is a simulation that goes by a script.
type player struct {
	scene *scene
	slots []vector.Column
	taken []taken
}

// players are used again: most of what they need is room.
var players = sync.Pool{New: func() any { return new(player) }}

func newPlayer(sh *shape) *player {
	p := players.Get().(*player)
	p.scene = sh.opening.Load()
	return p
}

// Release tells that the simulation is not used any more; what it gave stays good.
func (s *Simulation) Release() {
	p := s.player
	if p == nil || cap(p.slots) > playerSlots {
		return
	}
	s.player, s.broken = nil, errReleased
	clear(p.slots)
	clear(p.taken)
	*p = player{slots: p.slots[:0], taken: p.taken[:0]}
	players.Put(p)
}

const playerSlots = 1 << 18 // more room than this is not kept

var errReleased = errors.New("a simulation is used after its release")

// taken is an act as it happened.
type taken struct {
	act   act
	at    *period.Entry
	input vector.Column
}

// recorder is a simulation that makes a script.
type recorder struct {
	tape  *vector.Tape
	scene *scene
	busy  bool // an act is under way; what rules ask for is part of it
}

// follow finds what to play for an act, nil if nothing fits. What it needs of the limits is added up.
func (s *Simulation) follow(a taken) *turn {
	p := s.player
	known := p.scene.turns.Load()
	if known == nil || s.ctx.Err() != nil {
		return nil
	}
	base := len(p.slots)
	for _, t := range *known {
		if t.act != a.act || !s.affords(t.usage) || !t.luck.worthTrying() {
			continue
		}
		if a.act.kind == inputAct {
			p.slots = append(p.slots, a.input)
		}
		p.slots = slices.Grow(p.slots, t.strip.Slots()-len(p.slots))
		var ok bool
		if p.slots, ok = t.strip.Play(s.system.Rules(), p.slots); ok {
			s.usage.runs += t.usage.runs
			s.usage.cells += t.usage.cells
			t.luck.hit()
			p.scene = t.then
			p.taken = append(p.taken, a)
			return t
		}
		t.luck.miss()
		p.slots = p.slots[:base]
	}
	return nil
}

func (s *Simulation) affords(u usage) bool {
	return u.depth <= s.limits.Depth && s.usage.runs+u.runs <= s.limits.FormulaRuns && s.usage.cells+u.cells <= s.limits.Cells
}

// playInput takes an input by the script; it is false if the simulation goes on in earnest.
func (s *Simulation) playInput(id legislation.VariableID, at *period.Entry, c vector.Column) bool {
	a := inputOf(id, at, c)
	if s.follow(taken{a, at, c}) != nil {
		return true
	}
	s.begin(&a)
	return false
}

// play calculates by the script; it is false if the simulation goes on in earnest.
func (s *Simulation) play(kind actKind, id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, bool) {
	a := act{kind: kind, how: how, variable: id, at: at.Period}
	t := s.follow(taken{act: a, at: at})
	switch {
	case t == nil:
		s.begin(&a)
		return vector.Column{}, false
	case t.slot < 0:
		return t.result, true
	}
	return s.player.slots[t.slot], true
}

// begin goes on in earnest, with an act that is none of the script's, or nil if the script is not wanted any more.
func (s *Simulation) begin(next *act) {
	p := s.player
	s.player, s.usage = nil, &usage{}
	s.furnish()
	if next != nil && (p.scene.worthRecording(*next, s.shape.memory) || s.eager) {
		s.recorder = &recorder{tape: vector.NewTape(min(scriptSteps, scriptCells/max(s.persons.count, 1))), scene: s.shape.opening.Load()}
	} else {
		s.recall = newRecall(s.shape)
	}
	for _, a := range p.taken {
		if s.broken = s.repeatAct(a); s.broken != nil {
			return
		}
	}
}

// repeatAct does in earnest what a script did. That had no error, so there is none but that the time is over.
func (s *Simulation) repeatAct(a taken) error {
	var err error
	switch a.act.kind {
	case inputAct:
		err = s.SetInput(a.act.variable, a.at, a.input)
	case outputAct:
		_, err = s.CalculateOutput(a.act.variable, a.at)
	default:
		_, err = s.Calculate(a.act.variable, a.at, a.act.how)
	}
	return err
}

// worthRecording counts an act that is none of the script's, and tells whether to record it: when it has come so many
// times, and then, if it still does not fit, ever more rarely.
func (sc *scene) worthRecording(a act, m *memory) bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sc.strange == nil {
		sc.strange = make(map[act]int32)
	}
	n, known := sc.strange[a]
	if !known && len(sc.strange) >= sceneStrange {
		m.spend(-int64(len(sc.strange)) * strangeBytes)
		clear(sc.strange)
	}
	if !known {
		m.spend(strangeBytes)
	}
	n++
	sc.strange[a] = n
	return n >= m.sightings.Load() && n&(n-1) == 0
}

// recordInput stores an input whose column is traced.
func (s *Simulation) recordInput(id legislation.VariableID, at *period.Entry, c vector.Column) error {
	r := s.recorder
	a := inputOf(id, at, c)
	before := *s.usage
	r.busy = true
	err := s.setInput(id, at, r.tape.Input(c))
	r.busy = false
	s.recorded(&turn{act: a, slot: -1}, before, err)
	return err
}

// recordResult calculates on traced columns, and gives the result as it is.
func (s *Simulation) recordResult(kind actKind, id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	r := s.recorder
	before := *s.usage
	r.busy = true
	var c vector.Column
	var err error
	if kind == outputAct {
		c, err = s.output(id, at)
	} else {
		c, err = s.ask(id, at, how)
	}
	r.busy = false
	t := &turn{act: act{kind: kind, how: how, variable: id, at: at.Period}}
	var varies bool
	if t.slot, varies = r.tape.Slot(c); !varies {
		t.slot, t.result = -1, c
	}
	s.recorded(t, before, err)
	return c.Plain(), err
}

// recorded puts an act into the script, unless something happened that no script can tell.
func (s *Simulation) recorded(t *turn, before usage, err error) {
	r := s.recorder
	if err != nil || r == nil || r.tape.Full() {
		s.stopRecording()
		return
	}
	t.strip = r.tape.Cut()
	t.usage = usage{depth: s.limits.Depth, runs: s.usage.runs - before.runs, cells: s.usage.mostCells - before.mostCells}
	r.scene = r.scene.add(t)
	s.shape.memory.spend(t.strip.Bytes() + turnBytes)
}

const (
	turnBytes    = 512 // with its scene
	strangeBytes = 128
)

// spend counts what a script takes. If that is too much, all of them are forgotten; simulations that play one go on with it.
func (m *memory) spend(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.scripts = max(m.scripts+bytes, 0); m.scripts <= scriptBytes {
		return
	}
	m.scripts = 0
	m.sightings.Store(min(2*m.sightings.Load(), lastSightings))
	for _, sh := range m.shapes {
		sh.opening.Store(&scene{})
	}
}

// meddled ends the recording if somebody from outside gets hold of what is stored: what is done to it is no act.
func (s *Simulation) meddled() {
	if s.recorder != nil && !s.recorder.busy {
		s.stopRecording()
	}
}

// untraced gives a result as it is once nothing is recorded any more.
func (s *Simulation) untraced(c vector.Column, err error) (vector.Column, error) {
	if s.recorder == nil {
		c = c.Plain()
	}
	return c, err
}

// stopRecording goes on without a script. Columns stay traced, but nothing is recorded any more.
func (s *Simulation) stopRecording() {
	if s.recorder != nil {
		s.recorder.tape.Close()
		s.recorder = nil
	}
}

// add gives the scene after a turn, which takes the place of the oldest if there are too many.
func (sc *scene) add(t *turn) *scene {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	all, alike := []*turn{t}, 1
	if known := sc.turns.Load(); known != nil {
		for _, old := range *known {
			if old.act == t.act {
				if old.slot == t.slot && old.strip.Equal(&t.strip) {
					return old.then
				}
				alike++
			}
			if len(all) < sceneTurns && (old.act != t.act || alike <= turnsAlike) {
				all = append(all, old)
			}
		}
	}
	t.then = &scene{}
	sc.turns.Store(&all)
	return t.then
}
