package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// recording is a simulation that makes a script: inputs are taped, and each call is cut from the tape and becomes an edge.
type recording struct {
	sim     *Simulation
	tape    *vector.Tape
	node    *node
	account *accountant
}

func newRecording(s *Simulation) *recording {
	tape := vector.NewTape(min(scriptSteps, scriptCells/max(s.persons.count, 1)))
	return &recording{s, tape, s.shape.root.Load(), newAccountant(s, tape)}
}

func (r *recording) SetInput(id legislation.VariableID, at *period.Entry, c vector.Column) error {
	return r.record(&edge{call: callOf(id, at, c), slot: -1}, func() error {
		return r.sim.setInput(id, at, r.tape.Input(c))
	})
}

func (r *recording) Calculate(id legislation.VariableID, at *period.Entry, how legislation.Option) (vector.Column, error) {
	return r.recordResult(call{kind: calculateCall, how: how, variable: id, at: at.Period}, func() (vector.Column, error) {
		return r.sim.ask(id, at, how)
	})
}

func (r *recording) Output(id legislation.VariableID, at *period.Entry) (vector.Column, error) {
	return r.recordResult(call{kind: outputCall, variable: id, at: at.Period}, func() (vector.Column, error) {
		return r.sim.output(id, at)
	})
}

// Open ends the recording.
func (r *recording) Open() error {
	r.stop()
	return nil
}

// recordResult calculates on taped columns, and gives the result as it is.
func (r *recording) recordResult(c call, calculate func() (vector.Column, error)) (vector.Column, error) {
	var result vector.Column
	e := &edge{call: c}
	err := r.record(e, func() (err error) {
		result, err = calculate()
		var varies bool
		if e.slot, varies = r.tape.Slot(result); !varies {
			e.slot, e.result = -1, result
		}
		return err
	})
	return result.Plain(), err
}

// record makes a call and puts it into the script, unless something happened that no script can tell.
func (r *recording) record(e *edge, do func() error) error {
	s := r.sim
	before := *s.usage
	s.mode, s.reader = &formulas{s, r.tape}, r.account // what rules ask for is part of the call
	r.account.start()
	err := do()
	s.reader = nil
	if err != nil || r.tape.Full() {
		r.node.barren(e.call, s.shape.memory)
		r.stop()
		return err
	}
	s.mode = r
	e.strip, e.account = r.tape.Cut(), r.account.cut()
	e.usage = usage{depth: s.limits.Depth, runs: s.usage.runs - before.runs, cells: s.usage.mostCells - before.mostCells}
	r.node = r.node.add(e)
	bytes := e.strip.Bytes() + edgeBytes
	if e.account != nil {
		bytes += e.account.bytes()
	}
	s.shape.memory.spend(bytes)
	return nil
}

// stop goes on without a script. Columns stay taped, but nothing is recorded any more.
func (r *recording) stop() {
	r.tape.Close()
	r.sim.mode = &formulas{sim: r.sim}
}
