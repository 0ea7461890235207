package engine

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// A strip tells what happens to numbers, and no longer which formula did it. A system that was derived from another needs to
// know: what none of its changed parameters reaches has the numbers of the base, and only the rest has to be run (beside.go).
// So a recording also gives an account of what was computed, in which order, and from what.

// account is what a call of a recording computed. It never changes.
type account struct {
	from     int32 // the number of the first run; those before it were computed by earlier calls
	runs     []run
	reads    []int32 // numbers of runs
	peeks    []peek
	asked    span // what the call itself read
	formulas []*legislation.DatedFormula
	columns  []vector.Column // results that are always the same
}

// run is a value that was read. It may be computed several times, since spirals forget values: then each is a run.
type run struct {
	variable legislation.VariableID
	at       period.Period
	kind     runKind
	formula  int32 // in formulas, -1 if there is none
	slot     int32 // of the result, or a place in columns if negative; of no meaning for inputs
	reads    span  // in order
}

type runKind uint8

const (
	computedRun runKind = iota
	inputRun            // it was given
	spiralRun           // it is the default that ends a spiral, and not stored
)

// peek is that a run looked at what was stored of a variable.
type peek struct {
	run      int32
	variable legislation.VariableID
}

// span is a piece of the reads of an account.
type span struct{ from, to int32 }

func (a *account) bytes() int64 {
	bytes := int64(len(a.runs))*48 + int64(len(a.peeks))*8 + int64(len(a.reads))*4 + int64(len(a.formulas))*8
	for _, c := range a.columns {
		bytes += 24 + varyingBytes(c)
	}
	return bytes
}

// equal tells whether two accounts say the same.
func (a *account) equal(o *account) bool {
	if a == nil || o == nil {
		return a == o
	}
	return a.from == o.from && a.asked == o.asked && slices.Equal(a.peeks, o.peeks) && slices.Equal(a.runs, o.runs) && slices.Equal(a.reads, o.reads) &&
		slices.Equal(a.formulas, o.formulas) && slices.EqualFunc(a.columns, o.columns, vector.Column.Same)
}

// reader is told what a simulation reads and computes, in the order in which it happens.
type reader interface {
	// read takes the place of Simulation.find.
	read(id legislation.VariableID, at *period.Entry) (vector.Column, error)
	// begin is told that a value is about to be computed, end what it is. A value that comes to an error has no end.
	begin(h *Holder, at *period.Entry, formula *legislation.DatedFormula)
	end(h *Holder, at *period.Entry, c vector.Column)
	// peek is told that whatever is stored of a variable goes into a value.
	peek(id legislation.VariableID)
	// spiral is told that a value is the default that ends a spiral, or a cycle.
	spiral(cycle error)
	// doubt is told that something other than what was read has gone into a value.
	doubt()
}

// accountant keeps the account of a recording.
type accountant struct {
	sim      *Simulation
	tape     *vector.Tape
	known    map[frame]int32 // runs by what they computed
	open     []opened        // the runs under way; the first is the call
	formulas map[*legislation.DatedFormula]int32
	account  *account
	spirals  bool // what is being read is the end of a spiral
	doubtful bool // nothing can be told of this call and the following ones
}

// opened is a run that is under way.
type opened struct {
	formula int32
	reads   []int32
	peeks   []legislation.VariableID
}

func newAccountant(s *Simulation, tape *vector.Tape) *accountant {
	return &accountant{sim: s, tape: tape, known: make(map[frame]int32), account: &account{}}
}

// start begins the account of a call.
func (a *accountant) start() {
	a.open = append(a.open[:0], opened{formula: -1})
	a.formulas = make(map[*legislation.DatedFormula]int32)
}

// cut gives the account of the call, nil if there is none.
func (a *accountant) cut() *account {
	if a.doubtful {
		return nil
	}
	done := a.account
	done.asked = a.keep(a.open[0].reads)
	done.runs, done.reads, done.peeks = slices.Clip(done.runs), slices.Clip(done.reads), slices.Clip(done.peeks)
	a.account = &account{from: done.from + int32(len(done.runs))}
	return done
}

func (a *accountant) keep(reads []int32) span {
	from := int32(len(a.account.reads))
	a.account.reads = append(a.account.reads, reads...)
	return span{from, int32(len(a.account.reads))}
}

func (a *accountant) read(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	c, err := a.sim.find(id, at)
	if err != nil || a.doubtful {
		return c, err
	}
	f := a.sim.frameOf(id, at)
	n, ok := a.known[f]
	switch {
	case a.spirals:
		a.spirals = false
		n = a.add(run{variable: id, at: at.Period, kind: spiralRun, formula: -1, slot: a.column(c)})
	case !ok:
		n = a.add(run{variable: id, at: f.at.Period, kind: inputRun, formula: -1})
		a.known[f] = n
	}
	caller := &a.open[len(a.open)-1]
	caller.reads = append(caller.reads, n)
	return c, nil
}

func (a *accountant) add(r run) int32 {
	a.account.runs = append(a.account.runs, r)
	return a.account.from + int32(len(a.account.runs)) - 1
}

// column keeps a result that is always the same.
func (a *accountant) column(c vector.Column) (slot int32) {
	a.account.columns = append(a.account.columns, c.Plain())
	return int32(-len(a.account.columns))
}

func (a *accountant) begin(_ *Holder, _ *period.Entry, formula *legislation.DatedFormula) {
	if a.doubtful {
		return
	}
	n := int32(-1)
	if formula != nil {
		var ok bool
		if n, ok = a.formulas[formula]; !ok {
			n = int32(len(a.account.formulas))
			a.account.formulas = append(a.account.formulas, formula)
			a.formulas[formula] = n
		}
	}
	a.open = append(a.open, opened{formula: n})
}

func (a *accountant) end(h *Holder, at *period.Entry, c vector.Column) {
	if a.doubtful {
		return
	}
	last := a.open[len(a.open)-1]
	a.open = a.open[:len(a.open)-1]
	slot, varies := a.tape.Slot(c)
	if !varies {
		slot = a.column(c)
	}
	n := a.add(run{variable: h.variable.ID, at: at.Period, formula: last.formula, slot: slot, reads: a.keep(last.reads)})
	a.known[a.sim.frameOf(h.variable.ID, at)] = n
	for _, id := range last.peeks {
		a.account.peeks = append(a.account.peeks, peek{n, id})
	}
}

func (a *accountant) peek(id legislation.VariableID) {
	if a.doubtful {
		return
	}
	caller := &a.open[len(a.open)-1]
	if !slices.Contains(caller.peeks, id) {
		caller.peeks = append(caller.peeks, id)
	}
}

func (a *accountant) spiral(cycle error) { a.spirals, a.doubtful = true, a.doubtful || cycle != nil }

func (a *accountant) doubt() { a.doubtful = true }

// frameOf is under what a value is stored.
func (s *Simulation) frameOf(id legislation.VariableID, at *period.Entry) frame {
	if s.system.Variable(id).Period == period.Eternity {
		at = s.periods.At(s.eternalID)
	}
	return frame{id, at}
}
