package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// A formula sees of a simulation what it asks for, the shape of its populations, and nothing else, if it says so
// (legislation.Repeatable): it is a function of the answers it gets. So where it gets the answers of an earlier run it gives
// the result of that run. A memo is such a run. It is kept by the holder of its variable, for the months that follow
// (carry.go), and by the memory of the system, for the simulations that follow (memory.go); recall.go uses both.

// memo is one run of a formula: what it asked and was answered, what it gave, and where that holds again. It is not changed
// once it is made, and refers to nothing of its simulation.
type memo struct {
	asked    []question
	result   vector.Column
	formula  *legislation.DatedFormula
	at       period.Period
	variable legislation.VariableID
	moves    bool // to other months that begin in months
	months   legislation.Span
}

// question is what a formula asked, for a variable or about all rows, and what it was answered.
type question struct {
	answer   vector.Column
	at       period.Period
	variable legislation.VariableID
	how      legislation.Option
	rows     bool // it is about all rows,
	all      bool // all of them, not any,
	mine     bool // where the answer of the rows at hand is this one
	yes      bool // and that of everybody this one
}

// along is added to the option of a question whose period moves along with the formula's month.
const along legislation.Option = 1 << 7

// question gives what the formula would ask on a period, with what it was answered on its own.
func (m *memo) question(i int, at period.Period) question {
	q := m.asked[i]
	if q.how&along != 0 && at != m.at {
		q.at.Start = moved(q.at.Start, months(m.at.Start, at.Start))
	}
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
