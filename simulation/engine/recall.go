package engine

import (
	"errors"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// recall is how a simulation repeats runs of formulas.
//
// Instead of running a formula, the simulation asks what a memo says the formula asks first. If the answer is that of the
// memo, the formula would go on as it did then: it asks for the next, and so on, and the result is that of the memo. As
// soon as an answer is another one, the formula runs after all and gets the answers up to there as they were given. So
// every variable is asked for in the order, and as often, as without a memory; values that are stored, spirals and cycles
// are the same.
type recall struct {
	shape   *shape                     // nil if what is learned here is of use to this simulation only
	derived *legislation.Tree          // the law, if shape is that of the system that this one was derived from; else nil
	entries [256]*period.Entry         // periods of memos in the simulation's table, by a hash
	asked   []question                 // by the formulas under way, one after the other
	lessons []*memo                    // for the memory
	stored  map[vector.Column]struct{} // the results of lessons that vary
	spent   int64                      // their bytes
	taught  int64                      // those of them that the memory knows of
	mute    bool                       // nothing is learned
	off     bool                       // formulas affect each other; nothing is repeated and learned any more
}

// evaluation is the formula under way.
type evaluation struct {
	heard bool                 // its questions are written down
	valid legislation.Validity // where its result will hold again, as far as is known
	from  int                  // the first of its questions in recall.asked
	next  int                  // how many it has asked
	err   error                // what the last of those that were asked in its place came to
}

// entry gives a period of a memo in the simulation.
func (s *Simulation) entry(at period.Period) *period.Entry {
	place := &s.recall.entries[orderOf(at)*0x9E3779B97F4A7C15>>56]
	if *place == nil || (*place).Period != at {
		*place = s.periods.Intern(at)
	}
	return *place
}

// holdsOnly limits where the result of the formula under way holds again, and whether the call under way can be recorded.
func (s *Simulation) holdsOnly(where legislation.Where) {
	s.evaluation.valid.Where = min(s.evaluation.valid.Where, where)
	if where == legislation.Nowhere {
		s.doubt()
	}
	if f, ok := s.mode.(*formulas); ok && f.tape != nil && where == legislation.Nowhere && s.recorder == nil {
		f.tape.Close()
		f.tape = nil
	}
}

// StopRepeating is told that formulas affect each other from now on.
func (s *Simulation) StopRepeating() {
	s.holdsOnly(legislation.Nowhere)
	if s.recall != nil {
		s.recall.off = true
	}
}

// Repeats implements legislation.Repeater.
func (s *Simulation) Repeats() bool { return !s.forgets }

// repeatOrRun gives the result of a formula as a column of the variable, from an earlier run if possible.
func (s *Simulation) repeatOrRun(h *Holder, at *period.Entry, formula *legislation.DatedFormula) (c vector.Column, err error) {
	outer := s.evaluation
	s.evaluation = evaluation{valid: legislation.Validity{Where: legislation.SameAnswers}}
	if r := s.recall; r == nil || r.off {
		c, err = s.evaluate(h, at, formula.Formula)
	} else {
		s.evaluation.from = len(r.asked)
		c, err = s.recalled(h, at, formula)
		r.asked = r.asked[:s.evaluation.from]
	}
	s.evaluation = outer
	return c, err
}

func (s *Simulation) recalled(h *Holder, at *period.Entry, formula *legislation.DatedFormula) (vector.Column, error) {
	r := s.recall
	known, learn := r.find(h.variable.ID, at)
	carry := h.last.wanted(at)
	var last *memo
	if carry && h.last.serves(at, formula) {
		last = h.last.memo
	}
	if m := s.repeat(h, at, formula, known, last); m != nil {
		if carry && m != last && m.moves {
			h.last.memo = m
		}
		if s.tracer != nil {
			s.tracer.current.Recalled = true
		}
		return m.result, nil
	}
	s.evaluation.heard = learn || carry || len(r.asked) > s.evaluation.from
	c, err := s.evaluate(h, at, formula.Formula)
	if err != nil || r.off {
		return c, err
	}
	return s.remember(h, at, formula, c, carry, learn && !r.touches(formula)), nil
}

func newRecall(s *Simulation) *recall {
	r := &recall{shape: s.memos}
	if s.memos != s.shape {
		r.derived = s.system.Parameters()
	}
	return r
}

// touches tells whether a formula reads what is not the same in the system whose memory is used. What a memo says of a
// formula is looked at before this is asked: a read is known before a memo of it is.
func (r *recall) touches(f *legislation.DatedFormula) bool {
	return r.derived != nil && r.derived.Touches(f.Formula)
}

// find gives what memory knows of a variable on a period, nil if nothing, and tells whether to teach it what the formula does.
func (r *recall) find(id legislation.VariableID, at *period.Entry) (known *cell, learn bool) {
	if r.shape == nil {
		return nil, false
	}
	known = r.shape.find(id, at.Period)
	if r.derived != nil {
		return known, known == nil && !r.mute // what is learned from changed numbers does not drive out what the base has learned
	}
	if known != nil && !known.worthTrying() {
		return nil, false
	}
	return known, true
}

// evaluate runs a formula.
func (s *Simulation) evaluate(h *Holder, at *period.Entry, formula legislation.Formula) (vector.Column, error) {
	s.usage.evaluated++
	c, valid, err := legislation.Run(formula, h.population, at, s.law)
	s.holdsOnly(valid.Where)
	if valid.Where != legislation.SameAnswers {
		s.doubt()
	}
	s.evaluation.valid.Moves, s.evaluation.valid.Months = valid.Moves, valid.Months
	if errors.Is(err, legislation.ErrNoValue) {
		return h.DefaultArray(), nil
	}
	if err != nil {
		return vector.Column{}, err
	}
	return h.cast(c)
}

// repeat asks what the last run and the memos of a cell say that the formula asks, as long as one of them has the same
// answers, and gives the one that had them all, nil if there is none. What was asked stays in recall.asked.
func (s *Simulation) repeat(h *Holder, at *period.Entry, formula *legislation.DatedFormula, known *cell, last *memo) *memo {
	r := s.recall
	var room [cellMemos]*memo
	live := room[:0]
	if known != nil {
		live = append(live, *known.memos.Load()...)
		if r.touches(formula) {
			live, known = live[:0], nil
		}
	}
	for i := 0; last != nil || len(live) > 0; i++ {
		lead := last
		if lead == nil {
			lead = live[0]
		}
		switch {
		case i < len(lead.asked):
		case lead == last:
			h.last.misses = 0
			return lead
		default:
			if r.derived == nil {
				known.hit()
			}
			return lead
		}
		q, ok := s.put(lead.question(i, at.Period))
		if last != nil && (!ok || q.yes != last.asked[i].yes || !same(last.asked[i].answer, q.answer)) {
			h.last.missed()
			last = nil
		}
		// Memos with the same answers so far ask the same next, so it need not be compared.
		kept := live[:0]
		for _, m := range live {
			if ok && i < len(m.asked) && same(m.asked[i].answer, q.answer) {
				kept = append(kept, m)
			}
		}
		if live = kept; known != nil && len(live) == 0 {
			if r.derived == nil {
				known.miss()
			}
			known = nil
		}
		if r.off {
			return nil
		}
	}
	return nil
}

// put asks a question of a memo and writes the answer down; it is false if that is an error.
func (s *Simulation) put(q question) (question, bool) {
	var err error
	if q.rows {
		q.yes = s.rows.Agree(q.all, q.mine)
	} else {
		q.answer, err = s.ask(q.variable, s.entry(q.at), q.how)
	}
	s.recall.asked = append(s.recall.asked, q)
	s.evaluation.err = err
	return q, err == nil
}

// answer gives a formula under way what it asks for, and writes it down.
func (s *Simulation) answer(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	if q := s.expected(); q != nil {
		if !q.rows && q.variable == id && q.at == at.Period && (q.how^how)&^along == 0 {
			q.how = how
			return q.answer, s.took()
		}
		s.surprised()
	}
	c, err := s.ask(id, at, how)
	s.recall.asked = append(s.recall.asked, question{answer: c, at: at.Period, variable: id, how: how})
	s.evaluation.next++
	return c, err
}

// agree is answer for a question about all rows.
func (s *Simulation) agree(all, mine bool) bool {
	if q := s.expected(); q != nil {
		if q.rows && q.all == all && q.mine == mine {
			_ = s.took() // rows have no errors
			return q.yes
		}
		s.surprised()
	}
	yes := s.question(all, mine)
	s.recall.asked = append(s.recall.asked, question{rows: true, all: all, mine: mine, yes: yes})
	s.evaluation.next++
	return yes
}

// expected is the next question that was asked in place of the formula under way, nil if there is none.
func (s *Simulation) expected() *question {
	if k := s.evaluation.from + s.evaluation.next; k < len(s.recall.asked) {
		return &s.recall.asked[k]
	}
	return nil
}

// took goes on after an expected question, and gives the error that it came to.
func (s *Simulation) took() error {
	s.evaluation.next++
	if s.expected() != nil {
		return nil
	}
	return s.evaluation.err
}

// surprised forgets what was asked in place of a formula that asks something else: it is not a function of its answers, and
// what it was expected to ask must not be taken for what it asks.
func (s *Simulation) surprised() {
	s.recall.asked = s.recall.asked[:s.evaluation.from+s.evaluation.next]
	s.holdsOnly(legislation.Nowhere)
}

// heardRows are the rows of a simulation whose formulas' questions are written down.
type heardRows struct{ s *Simulation }

// Agree implements legislation.Rows.
func (r heardRows) Agree(all, mine bool) bool {
	if r.s.evaluation.heard {
		return r.s.agree(all, mine)
	}
	return r.s.question(all, mine)
}

// question asks about all rows. What follows from the answer of a recording is not repeated, since the question must be
// asked again.
func (s *Simulation) question(all, mine bool) bool {
	yes := s.rows.Agree(all, mine)
	if s.recorder != nil {
		s.recorder.tape.Ask(all, mine, yes)
		s.evaluation.valid.Where = min(s.evaluation.valid.Where, legislation.SameState)
	}
	return yes
}

// same tells whether an answer is what it was. Taped columns are the same if they are one result: nobody looks at them.
func same(a, b vector.Column) bool {
	if a.Taped() || b.Taped() {
		return a == b
	}
	return a.Same(b)
}

// Whole implements legislation.Rows.
func (r heardRows) Whole(what string) error { return r.s.rows.Whole(what) }

// remember keeps the run that came to its end just now, for the next month and for other simulations. It gives the result,
// in the storage of the last one if they are the same: whoever compares them next sees it at once.
func (s *Simulation) remember(h *Holder, at *period.Entry, formula *legislation.DatedFormula, c vector.Column, carry, learn bool) vector.Column {
	e := &s.evaluation
	repeatable := e.valid.Where == legislation.SameAnswers && c.Type() != vector.Object
	if carry && !(repeatable && e.valid.Moves) {
		h.last.missed()
		carry = false
	}
	if !repeatable || !carry && !learn {
		return c
	}
	if carry {
		if c = c.Compact(); h.last.memo != nil && same(h.last.result, c) {
			c = h.last.result
		}
	}
	m := s.room.memos.New()
	*m = memo{s.room.asked.Copy(s.recall.asked[e.from:]), c, formula, at.Period, h.variable.ID, e.valid.Moves, e.valid.Months}
	if carry {
		h.last.memo = m
	}
	if learn {
		s.recall.note(m)
	}
	return c
}

// note keeps a run for the memory, as long as there is room.
func (r *recall) note(m *memo) {
	bytes := varyingBytes(m.result)
	if _, shared := r.stored[m.result]; shared {
		bytes = 0
	}
	if r.spent+bytes > lessonBytes {
		return
	}
	r.spent += bytes
	if bytes > 0 {
		if r.stored == nil {
			r.stored = make(map[vector.Column]struct{})
		}
		r.stored[m.result] = struct{}{}
	}
	r.lessons = append(r.lessons, m)
}

// teach hands the lessons to the memory. It waits until no formula is under way: what a formula loads for later ones is
// known to other simulations only then.
func (r *recall) teach() {
	if len(r.lessons) == 0 {
		return
	}
	r.shape.learn(r.lessons, r.spent-r.taught)
	r.lessons, r.taught = nil, r.spent
}
