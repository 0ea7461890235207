package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// mode is what a simulation does with what it is asked. It begins as a replay if its system keeps scripts, and else runs
// formulas. A replay that comes to what no script knows does all it was asked so far once more, as a recording if
// that is worth it, and goes on as one. A recording to which something happens that no script can tell goes on by running
// formulas, and a simulation that runs formulas does so to its end.
//
//	replay ──► recording ──► formulas
//	   └────────────────────────┘
//
// What formulas and rules ask of their simulation always comes to one that runs formulas: a recording is in that mode while
// a call is under way.
type mode interface {
	SetInput(id legislation.VariableID, at *period.Entry, c vector.Column) error
	Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error)
	Output(id legislation.VariableID, at *period.Entry) (vector.Column, error)
	// Open is told that the caller gets hold of what is stored. What is done to it can be neither replayed nor recorded.
	Open() error
}

// formulas runs formulas.
type formulas struct {
	sim *Simulation
	// tape is what the call under way is recorded on, nil if it is not.
	tape *vector.Tape
}

func (f *formulas) SetInput(id legislation.VariableID, at *period.Entry, c vector.Column) error {
	return f.sim.setInput(id, at, c)
}

func (f *formulas) Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	if f.sim.evaluation.heard {
		return f.sim.answer(id, at, how)
	}
	c, err := f.sim.ask(id, at, how)
	return f.plain(c), err
}

func (f *formulas) Output(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	c, err := f.sim.output(id, at)
	return f.plain(c), err
}

func (f *formulas) Open() error { return nil }

// plain gives a result as it is: what is stored may still be taped after a recording has ended.
func (f *formulas) plain(c vector.Column) vector.Column {
	if f.tape == nil {
		return c.Plain()
	}
	return c
}

// failed is a simulation that cannot go on.
type failed struct{ err error }

func (f failed) SetInput(legislation.VariableID, *period.Entry, vector.Column) error { return f.err }

func (f failed) Calculate(legislation.VariableID, *period.Entry, legislation.Option) (vector.Column, error) {
	return vector.Column{}, f.err
}

func (f failed) Output(legislation.VariableID, *period.Entry) (vector.Column, error) {
	return vector.Column{}, f.err
}

func (f failed) Open() error { return f.err }
