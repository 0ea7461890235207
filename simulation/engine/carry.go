package engine

import (
	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// A formula by the month mostly does the same every month: it asks for other variables on its own month, and the law says
// what it said the month before. What it gave in one month is then what it gives in another, if it gets the
// same answers. Whoever evaluates the formula tells whether that is so ([legislation.Validity]);
// here its last run is kept and tried on the next month, as traces of other simulations are (recall.go): every question
// is asked, for the month at hand, and only if all answers are the same, so is the result.

const (
	carryMisses = 3 // how many times in a row the last run may be of no use
	carryPause  = 8 // for how many runs the variable is left alone then

	// along is added to the option of a question whose period moves along with the formula's month.
	along legislation.Option = 1 << 7
)

// carried is the last run of a variable's formula by the month.
type carried struct {
	at      *period.Entry // its month; nil if there was none
	formula *legislation.DatedFormula
	span    legislation.Span // where the month of another run may begin
	known   *trace           // where it came from memory,
	asked   []request        // else what it asked
	result  vector.Column
	misses  int8
	pause   int8
	tried   int32 // how many times it is being tried; what it asks may run the same formula on another month
}

// wanted tells whether to carry runs to a period, and from it.
func (k *carried) wanted(at *period.Entry) bool {
	if at.Unit != period.Month || at.Size != 1 || at.Start.Day != 1 {
		return false
	}
	if k.pause > 0 {
		k.pause--
		return false
	}
	return true
}

// serves tells whether the last run may be tried on a month.
func (k *carried) serves(at *period.Entry, formula *legislation.DatedFormula) bool {
	return k.at != nil && k.formula == formula && k.span.Has(at.Start)
}

// missed counts that the last run was of no use, or will not be.
func (k *carried) missed() {
	if k.misses++; k.misses >= carryMisses {
		k.misses, k.pause = carryMisses-1, carryPause // one more is enough the next time
	}
}

// len is how many questions the run asked.
func (k *carried) len() int {
	if k.known != nil {
		return len(k.known.asked)
	}
	return len(k.asked)
}

// question gives what the formula would ask on a month, with what the answer was then.
func (k *carried) question(s *Simulation, i int, at *period.Entry) request {
	var q request
	if k.known != nil {
		a := &k.known.asked[i]
		q = request{answer: a.answer, variable: a.variable, at: s.recall.entry(s.periods, a.period), how: a.how}
	} else {
		q = k.asked[i]
	}
	if q.how&along == 0 {
		return q
	}
	if q.at == k.at {
		q.at = at
		return q
	}
	q.at = s.periods.Intern(period.Period{Start: moved(q.at.Start, months(k.at.Start, at.Start)), Size: q.at.Size, Unit: q.at.Unit})
	return q
}

// months is how many months lie between the first days of two.
func months(from, to period.Instant) int {
	return 12*(int(to.Year)-int(from.Year)) + int(to.Month) - int(from.Month)
}

// moved is the first day of a month so many months later.
func moved(day period.Instant, n int) period.Instant {
	m := 12*int(day.Year) + int(day.Month) - 1 + n
	return period.Instant{Year: int16(m / 12), Month: int8(m%12) + 1, Day: day.Day}
}

// keep keeps a run that came to its end just now. It gives the result, in the storage of the last one if they are the same:
// whoever compares them next sees it at once.
func (k *carried) keep(room *heap.Slab[request], at *period.Entry, formula *legislation.DatedFormula, e episode, asked []request, result vector.Column) vector.Column {
	if !e.valid.Moves || e.valid.Where != legislation.SameAnswers || result.Type() == vector.Object {
		k.missed()
		return result
	}
	if result = result.Compact(); k.at != nil && k.result.Same(result) {
		result = k.result
	}
	k.at, k.formula, k.span, k.known, k.result = at, formula, e.valid.Months, nil, result
	if k.tried == 0 && len(asked) <= cap(k.asked) {
		k.asked = append(k.asked[:0], asked...)
	} else {
		k.asked = room.Copy(asked)
	}
	return result
}

// keepKnown keeps a run that memory knew.
func (k *carried) keepKnown(at *period.Entry, formula *legislation.DatedFormula, t *trace) {
	if t.movable {
		k.at, k.formula, k.span, k.known, k.result = at, formula, t.span, t, t.result
	}
}
