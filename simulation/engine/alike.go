package engine

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// alike is what the formulas of one simulation gave on other periods. A formula by the month mostly asks for the same
// variables month after month, gets the same answers, and reads parameters that change once a year.
//
// While a formula runs, everything that its result depends on is written down in order: what it asks and is answered, which
// periods it derives from which, what it sees of them, which parts of the law it reads, and what it is told about rows
// elsewhere. On another period the simulation goes along these clues: it derives the periods, asks what the formula would
// ask, and as long as all is the same, the formula would do what it did. At the end the result is the same, and the column is
// shared. As soon as something differs the formula runs after all, and gets the answers up to there as they were given, so
// that everything is asked in the order, and as often, as without.
//
// It serves populations; small ones have the memory of their system (recall.go), and going along clues
// costs as much as running a formula for a single person.
type alike struct {
	sim    *Simulation
	tracks [][]*track // by variable, the latest last
	clues  []clue     // of the formulas under way, one after the other
	given  []clue     // answers for the formulas under way, from tracks that they left
	now    heard
	off    bool // formulas affect each other
}

// heard is where the formula under way writes its clues and finds its answers.
type heard struct {
	from, given int // in clues and in given
	next        int // how many answers it has taken
}

// track is one run of a formula.
type track struct {
	formula legislation.Followed
	at      *period.Entry
	clues   []clue
	result  vector.Column
}

// clue is one thing that the result of a formula depends on.
type clue struct {
	kind     clueKind
	how      legislation.Option
	part     period.Part
	all      bool // agreed: of all rows, not of any
	mine     bool // agreed: the answer of the rows at hand
	yes      bool // agreed: the answer of everybody
	variable legislation.VariableID
	test     period.Test
	by       period.Derivation
	from, to *period.Entry // to: what was derived
	day      period.Instant
	item     legislation.ParameterItem
	answer   vector.Column
	err      error
}

type clueKind uint8

const (
	question clueKind = iota // a variable was asked for
	agreed                   // a question about all rows was
	derived                  // a period was derived
	seen                     // of the first day of a period, something is known
	granted                  // nodes of the law on the first day of a period were given
	read                     // a part of the law on the first day of a period was read
	readOn                   // the same, on the day of nodes
)

const (
	trackCount = 3   // of one variable
	clueCount  = 400 // of one track; longer ones are not kept
)

// newAlike begins to watch the periods of a simulation.
func newAlike(s *Simulation) *alike {
	a := &alike{sim: s, tracks: make([][]*track, len(s.holders))}
	s.periods.Watch(a)
	return a
}

// listening tells whether a formula is under way whose clues are of use.
func (a *alike) listening() bool { return a.sim.episode.active && !a.sim.episode.unrepeatable }

func (a *alike) add(c clue) {
	if a.listening() {
		a.clues = append(a.clues, c)
	}
}

// Derived implements period.Witness.
func (a *alike) Derived(from *period.Entry, by period.Derivation, to *period.Entry) {
	a.add(clue{kind: derived, from: from, by: by, to: to})
}

// Seen implements period.Witness.
func (a *alike) Seen(e *period.Entry, part period.Part, test period.Test) {
	a.add(clue{kind: seen, from: e, part: part, test: test})
}

// Revealed implements period.Witness.
func (a *alike) Revealed() { a.sim.episode.unrepeatable = true }

// run gives the result of a formula as a column of the variable, that of another period if it is the same.
func (a *alike) run(h *Holder, at *period.Entry, formula legislation.Followed) (vector.Column, error) {
	s := a.sim
	outer, before := s.episode, a.now
	clues, given := len(a.clues), len(a.given)
	a.now = heard{clues, given, 0}
	s.episode = episode{}
	c, ok := a.follow(h.variable.ID, at, formula)
	var err error
	if !ok {
		s.episode = episode{active: true}
		c, err = s.eval(h, at, formula)
		if err == nil && a.listening() && !a.off {
			c = a.keep(h.variable.ID, track{formula, at, a.clues[clues:], c.Compact()})
		}
	}
	a.clues, a.given = a.clues[:clues], a.given[:given]
	a.now, s.episode = before, outer
	return c, err
}

// keep remembers a track, and gives its result, in the storage of an earlier one that is the same.
func (a *alike) keep(id legislation.VariableID, t track) vector.Column {
	known := a.tracks[id]
	for _, k := range known {
		if k.result.Same(t.result) {
			t.result = k.result
			break
		}
	}
	if len(t.clues) <= clueCount && t.result.Type() != vector.Object {
		t.clues = slices.Clone(t.clues)
		if len(known) == trackCount {
			copy(known, known[1:])
			known = known[:trackCount-1]
		}
		a.tracks[id] = append(known, &t)
	}
	return t.result
}

// follow goes along the tracks of a formula, the latest first.
func (a *alike) follow(id legislation.VariableID, at *period.Entry, formula legislation.Followed) (vector.Column, bool) {
	for i := len(a.tracks[id]) - 1; i >= 0 && !a.off; i-- {
		t := a.tracks[id][i]
		if t.formula != formula || t.at.Unit != at.Unit || t.at.Size != at.Size {
			continue
		}
		if a.leads(t, at) {
			return t.result, true
		}
	}
	return vector.Column{}, false
}

// way is where the periods of a track are when it starts from another one, and the days of the law.
type way struct {
	room  [12][2]*period.Entry
	pairs [][2]*period.Entry
	days  [][2]period.Instant
}

func (w *way) to(e *period.Entry) *period.Entry {
	for i := range w.pairs {
		if w.pairs[i][0] == e {
			return w.pairs[i][1]
		}
	}
	return nil
}

// leads goes along a track from another period and tells whether everything is as it was.
func (a *alike) leads(t *track, at *period.Entry) bool {
	var w way
	w.pairs = append(w.room[:0], [2]*period.Entry{t.at, at})
	answers := a.now.given
	for i := range t.clues {
		c := &t.clues[i]
		from := at
		if c.from != nil && c.from != t.at {
			if from = w.to(c.from); from == nil {
				return false // made of something else
			}
		}
		same := false
		switch c.kind {
		case derived:
			same = w.derive(c, from)
		case seen:
			same = c.test.Answer(c.part.Of(from.Start)) == c.test.Answer(c.part.Of(c.from.Start))
		case granted:
			same = w.grant(c.from.Start, from.Start)
		case read:
			same = a.sim.law.tree.Steady(c.item, c.from.Start, from.Start)
		case readOn:
			same = a.sim.law.tree.Steady(c.item, c.day, w.day(c.day))
		default:
			same = a.again(c, from, answers)
			answers++
		}
		if !same {
			return false
		}
	}
	return true
}

// derive adds a period to the way. One that is reached twice must be so from here, too.
func (w *way) derive(c *clue, from *period.Entry) bool {
	to, err := c.by.From(from)
	if err != nil {
		return false
	}
	if known := w.to(c.to); known != nil {
		return known == to
	}
	w.pairs = append(w.pairs, [2]*period.Entry{c.to, to})
	return true
}

// grant adds a day to the way.
func (w *way) grant(from, to period.Instant) bool {
	for i := range w.days {
		if w.days[i][0] == from {
			return w.days[i][1] == to
		}
	}
	w.days = append(w.days, [2]period.Instant{from, to})
	return true
}

// day is where a day of the law is. One that was not given for a period is where it was.
func (w *way) day(day period.Instant) period.Instant {
	for i := range w.days {
		if w.days[i][0] == day {
			return w.days[i][1]
		}
	}
	return day
}

// again asks what a clue says that the formula asks, unless it is the k-th of given, and tells whether the answer is the same.
func (a *alike) again(c *clue, at *period.Entry, k int) bool {
	if k == len(a.given) {
		g := clue{kind: c.kind}
		if c.kind == agreed {
			g.all, g.mine = c.all, c.mine
			g.yes = a.sim.rows.Agree(c.all, c.mine)
		} else {
			g.variable, g.how, g.from = c.variable, c.how, at
			g.answer, g.err = a.sim.ask(c.variable, at, c.how)
		}
		a.given = append(a.given, g)
	}
	g := &a.given[k]
	switch {
	case g.kind != c.kind || a.off:
		return false
	case c.kind == agreed:
		return g.all == c.all && g.mine == c.mine && g.yes == c.yes
	}
	return g.variable == c.variable && g.from == at && g.how == c.how && g.err == nil && g.answer.Same(c.answer)
}

// answer gives a formula under way what it asks for, and writes it down.
func (a *alike) answer(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	c := clue{kind: question, variable: id, from: at, how: how}
	if g := a.take(); g != nil && g.kind == question && g.variable == id && g.from == at && g.how == how {
		c.answer, c.err = g.answer, g.err
	} else {
		if g != nil {
			a.stray()
		}
		c.answer, c.err = a.sim.ask(id, at, how)
	}
	if c.err != nil || c.answer.Type() == vector.Object {
		a.sim.episode.unrepeatable = true
	}
	a.add(c)
	return c.answer, c.err
}

// Agree implements legislation.Rows.
func (a *alike) Agree(all, mine bool) bool {
	if !a.sim.episode.active {
		return a.sim.rows.Agree(all, mine)
	}
	c := clue{kind: agreed, all: all, mine: mine}
	if g := a.take(); g != nil && g.kind == agreed && g.all == all && g.mine == mine {
		c.yes = g.yes
	} else {
		if g != nil {
			a.stray()
		}
		c.yes = a.sim.rows.Agree(all, mine)
	}
	a.add(c)
	return c.yes
}

// Whole implements legislation.Rows.
func (a *alike) Whole(what string) error { return a.sim.rows.Whole(what) }

// take gives the next answer that is there for the formula under way, nil if there is none.
func (a *alike) take() *clue {
	k := a.now.given + a.now.next
	if k >= len(a.given) {
		return nil
	}
	a.now.next++
	return &a.given[k]
}

// stray forgets the answers that are there for the formula under way: it is no function of its clues.
func (a *alike) stray() {
	a.given = a.given[:a.now.given]
	a.now.next = 0
	a.sim.episode.unrepeatable = true
}
