package legislation

import (
	"edict/simulation/period"
	"edict/simulation/vector"
)

// This file is the part of the seam that both sides may do without. An engine may give again what a formula gave before,
// instead of running it, where the formula would get the same answers to what it asks. That is right only if the formula
// says what else went into its result. One that says nothing is run each time.

// Repeatable is a formula that tells where its results hold again.
type Repeatable interface {
	Formula
	// EvalRepeatable is Eval, and tells where the result holds again. That counts beside an error, too: other formulas may
	// handle the error.
	EvalRepeatable(population Population, at *period.Entry, law Law) (vector.Column, Validity, error)
}

// Run runs a formula. The results of one that is not [Repeatable] hold nowhere again.
func Run(f Formula, population Population, at *period.Entry, law Law) (vector.Column, Validity, error) {
	if r, ok := f.(Repeatable); ok {
		return r.EvalRepeatable(population, at, law)
	}
	c, err := f.Eval(population, at, law)
	return c, Validity{}, err
}

// Validity is where the result of a run holds again. The zero Validity is that of a run of which nothing is known.
type Validity struct {
	Where Where
	// Moves tells that the result also holds on other months, those that begin in Months: the formula has seen of its own
	// month only what it asked with CalculateAlong, and of the law and the calendar only what is the same on all those days.
	Moves  bool
	Months Span
}

// Where is what must be the same for a result to hold again, apart from the variable, the period and the law.
type Where uint8

const (
	// Nowhere is where nobody knows what went into the result: names of members, something outside of the simulation.
	Nowhere Where = iota
	// SameState is where all that the simulation has stored so far is the same.
	SameState
	// SameAnswers is where the formula gets the same answers to what it asks, in populations of the same shape.
	SameAnswers
)

// MovingPopulation is a [Population] of an engine that carries results from month to month. It is told which questions
// move along with the formula.
type MovingPopulation interface {
	Population
	// CalculateAlong is Calculate for a period that lies as many months from the formula's own whatever its month is, such
	// as its own.
	CalculateAlong(v VariableID, at *period.Entry, how Option) (vector.Column, error)
}

// Repeater is a [Simulation] that repeats results.
type Repeater interface {
	// StopRepeating is told that the formula under way has done what may change the results of others in this simulation.
	StopRepeating()
	// Repeats is false if nothing that a formula gives is ever given again: then formulas need not tell where it would hold.
	Repeats() bool
}

// Rules of a package's own tell where what they did holds again, as formulas do.
type (
	// CustomInput stores an input.
	CustomInput func(h Holder, at *period.Entry, c vector.Column) (Where, error)
	// CustomOutput computes a variable that is asked for from outside.
	CustomOutput func(s Simulation, v VariableID, at *period.Entry) (vector.Column, Where, error)
)
