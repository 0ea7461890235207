package engine

import (
	"errors"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// recall is how a simulation uses the memory of its system.
//
// Instead of running a formula, the simulation asks what a trace says the formula asks first. If the answer is that of the
// trace, the formula would go on as it did then: it asks for the next, and so on, and the result is that of the trace. As
// soon as an answer is another one, the formula runs after all and gets the answers up to there as they were given. So
// every variable is asked for in the order, and as often, as without a memory; values that are stored, spirals and cycles
// are the same.
type recall struct {
	shape   *shape // nil if what is learned here is of use to this simulation only
	periods *periodNumbers
	entries []*period.Entry // by number of the period in the memory
	numbers []int32         // by ID of the period in the simulation: the number plus one, 0 unknown, -1 none

	requests []request                  // of the formulas under way, one after the other
	lessons  []lesson                   // for the memory
	stored   map[vector.Column]struct{} // the results of lessons that vary
	spent    int64                      // their bytes
	kept     []request                  // of the lessons
	off      bool                       // formulas affect each other; nothing is repeated and learned any more
}

// request is a question of a formula under way: for a variable, or about all rows.
type request struct {
	answer   vector.Column
	err      error
	at       *period.Entry // nil if it is about all rows
	variable legislation.VariableID
	how      legislation.Option
	all      bool // of all rows, not of any
	mine     bool // the answer of the rows at hand
	yes      bool // that of everybody
}

// lesson is a run of a formula that will become a trace.
type lesson struct {
	result   vector.Column
	at       *period.Entry
	from, to int // in kept
	variable legislation.VariableID
	movable  bool
	span     legislation.Span
	bytes    int64 // that the result takes beside those of other lessons
}

// episode is a run of a formula whose questions are written down.
type episode struct {
	active bool
	valid  legislation.Validity // where its result will hold again, as far as is known
	from   int                  // of its requests
	next   int                  // how many it has made
}

func newRecall(sh *shape) *recall {
	r := &recall{shape: sh}
	if r.shape != nil {
		r.periods = r.shape.periods.Load()
	}
	return r
}

// number gives the number of a period in the memory, -1 if it has none.
func (r *recall) number(at *period.Entry) int32 {
	if int(at.ID) >= len(r.numbers) {
		r.numbers = append(r.numbers, make([]int32, int(at.ID)+64-len(r.numbers))...)
	}
	n := r.numbers[at.ID]
	if n == 0 {
		n = -1
		if known, ok := r.periods.number[at.Period]; ok {
			n = known + 1
		}
		r.numbers[at.ID] = n
	}
	if n < 0 {
		return -1
	}
	return n - 1
}

// entry gives a period of the memory in the simulation.
func (r *recall) entry(t *period.Table, number int32) *period.Entry {
	if int(number) >= len(r.entries) {
		r.entries = append(r.entries, make([]*period.Entry, int(number)+64-len(r.entries))...)
	}
	e := r.entries[number]
	if e == nil {
		e = t.Intern(r.shape.periods.Load().list[number])
		r.entries[number] = e
	}
	return e
}

// holdsOnly limits where the result of the formula under way holds again, and what is recorded.
func (s *Simulation) holdsOnly(where legislation.Where) {
	s.episode.valid.Where = min(s.episode.valid.Where, where)
	if where == legislation.Nowhere && s.recorder != nil && s.recorder.busy {
		s.stopRecording()
	}
}

// StopRepeating is told that formulas affect each other from now on.
func (s *Simulation) StopRepeating() {
	s.holdsOnly(legislation.Nowhere)
	if s.recall != nil {
		s.recall.off = true
	}
}

// run gives the result of a formula as a column of the variable, from an earlier run if possible.
func (s *Simulation) run(h *Holder, at *period.Entry, formula *legislation.DatedFormula) (vector.Column, error) {
	r := s.recall
	if r == nil || r.off {
		return s.eval(h, at, formula.Formula)
	}
	known, learn := r.find(h.variable.ID, at)
	carry := h.last.wanted(at)
	var old carried
	if carry && h.last.serves(at, formula) {
		old = h.last
		h.last.tried++
	}
	outer, from := s.episode, len(r.requests)
	s.episode = episode{valid: legislation.Validity{Where: legislation.SameAnswers}}
	tried := old.at != nil
	c, t, ok := s.repeat(h, at, known, &old)
	if tried {
		h.last.tried--
	}
	var err error
	switch {
	case !ok:
		s.episode.active, s.episode.from = learn || carry || len(r.requests) > from, from
		if c, err = s.eval(h, at, formula.Formula); err != nil || r.off {
			break
		}
		if carry {
			c = h.last.keep(&s.room.asked, at, formula, s.episode, r.requests[from:], c)
		}
		if learn && s.episode.valid.Where == legislation.SameAnswers {
			r.note(h.variable.ID, at, from, s.episode, c)
		}
	case carry && t != nil:
		h.last.keepKnown(at, formula, t)
	}
	r.requests = r.requests[:from]
	s.episode = outer
	return c, err
}

// find gives what memory knows of a variable on a period, nil if nothing, and tells whether to teach it what the formula does.
func (r *recall) find(id legislation.VariableID, at *period.Entry) (known *cell, learn bool) {
	if r.shape == nil {
		return nil, false
	}
	if n := r.number(at); n >= 0 {
		known = r.shape.find(id, n)
	}
	if known != nil && !known.worthTrying() {
		return nil, false
	}
	return known, true
}

// eval runs a formula.
func (s *Simulation) eval(h *Holder, at *period.Entry, formula legislation.Formula) (vector.Column, error) {
	s.usage.evaluated++
	c, valid, err := legislation.Run(formula, h.population, at, s.law)
	s.holdsOnly(valid.Where)
	s.episode.valid.Moves, s.episode.valid.Months = valid.Moves, valid.Months
	if errors.Is(err, legislation.ErrNoValue) {
		return h.DefaultArray(), nil
	}
	if err != nil {
		return vector.Column{}, err
	}
	return h.cast(c)
}

// repeat asks what the last run and the traces of a cell say that the formula asks, as long as one of them has the same
// answers, and gives its result, with the trace if it was one. What was asked stays in requests.
func (s *Simulation) repeat(h *Holder, at *period.Entry, known *cell, old *carried) (vector.Column, *trace, bool) {
	r := s.recall
	var candidates [cellTraces]*trace
	var live []*trace
	if known != nil {
		live = candidates[:copy(candidates[:], known.traces)]
	}
	for i := 0; old.at != nil || len(live) > 0; i++ {
		var q request
		switch {
		case old.at != nil && i == old.len():
			h.last.misses = 0
			return old.result, nil, true
		case old.at != nil:
			q = old.question(s, i, at)
		case i == len(live[0].asked):
			known.hit()
			return live[0].result, live[0], true
		default:
			a := &live[0].asked[i]
			q = request{variable: a.variable, at: r.entry(s.periods, a.period), how: a.how}
		}
		was := q
		if q.at == nil {
			q.yes = s.rows.Agree(q.all, q.mine)
		} else {
			q.answer, q.err = s.ask(q.variable, q.at, q.how)
		}
		r.requests = append(r.requests, q)
		if old.at != nil && (q.err != nil || q.yes != was.yes || !was.answer.Same(q.answer)) {
			h.last.missed()
			old.at = nil
		}
		kept := live[:0]
		for _, t := range live {
			if q.err == nil && i < len(t.asked) && t.asked[i].answer.Same(q.answer) {
				kept = append(kept, t)
			}
		}
		if live = kept; known != nil && len(live) == 0 {
			known.miss()
			known = nil
		}
		if r.off {
			return vector.Column{}, nil, false
		}
	}
	return vector.Column{}, nil, false
}

// answer gives a formula under way what it asks for, and writes it down.
func (s *Simulation) answer(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	r := s.recall
	if k := s.episode.from + s.episode.next; k < len(r.requests) {
		q := &r.requests[k]
		if q.variable == id && q.at == at && (q.how^how)&^along == 0 {
			q.how = how
			s.episode.next++
			return q.answer, q.err
		}
		// Not a function of its answers; what it was about to ask must not be taken for what it asks.
		r.requests = r.requests[:k]
		s.holdsOnly(legislation.Nowhere)
	}
	c, err := s.ask(id, at, how)
	if err != nil || c.Type() == vector.Object {
		s.holdsOnly(legislation.Nowhere)
	}
	r.requests = append(r.requests, request{answer: c, err: err, at: at, variable: id, how: how})
	s.episode.next++
	return c, err
}

// agree is answer for a question about all rows.
func (s *Simulation) agree(all, mine bool) bool {
	r := s.recall
	if k := s.episode.from + s.episode.next; k < len(r.requests) {
		if q := &r.requests[k]; q.at == nil && q.all == all && q.mine == mine {
			s.episode.next++
			return q.yes
		}
		r.requests = r.requests[:k]
		s.holdsOnly(legislation.Nowhere)
	}
	yes := s.rows.Agree(all, mine)
	r.requests = append(r.requests, request{all: all, mine: mine, yes: yes})
	s.episode.next++
	return yes
}

// heardRows are the rows of a simulation whose formulas' questions are written down.
type heardRows struct{ s *Simulation }

// Agree implements legislation.Rows.
func (r heardRows) Agree(all, mine bool) bool {
	if r.s.episode.active {
		return r.s.agree(all, mine)
	}
	return r.s.rows.Agree(all, mine)
}

// Whole implements legislation.Rows.
func (r heardRows) Whole(what string) error { return r.s.rows.Whole(what) }

// note keeps a run for the memory, as long as there is room.
func (r *recall) note(id legislation.VariableID, at *period.Entry, from int, e episode, result vector.Column) {
	if result.Type() == vector.Object {
		return
	}
	bytes := varyingBytes(result)
	if _, shared := r.stored[result]; shared {
		bytes = 0
	}
	if r.spent += bytes; r.spent > lessonBytes {
		r.spent -= bytes
		return
	}
	if bytes > 0 {
		if r.stored == nil {
			r.stored = make(map[vector.Column]struct{})
		}
		r.stored[result] = struct{}{}
	}
	begin := len(r.kept)
	r.kept = append(r.kept, r.requests[from:]...)
	r.lessons = append(r.lessons, lesson{result, at, begin, len(r.kept), id, e.valid.Moves, e.valid.Months, bytes})
}

// teach hands the lessons to the memory. It waits until no formula is under way: what a formula loads for later ones is
// known to other simulations only then.
func (r *recall) teach() {
	if len(r.lessons) == 0 {
		return
	}
	r.periods = r.shape.learn(r.lessons, r.kept)
	clear(r.numbers)
	r.lessons, r.kept = nil, nil
}
