package engine

import (
	"sync"
	"sync/atomic"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// A program that computes households for others asks the same of each: the same inputs, the same results, other numbers. So
// a system keeps scripts. The first simulations that are asked something run formulas; one of them is recorded
// (record.go): its columns are taped (vector.Tape), and what happened to the numbers, from the inputs to the results, is a
// strip of arithmetic without formulas, stored values and periods. Later simulations that are asked the same replay the
// strip on their numbers (replay.go).
//
// A script is a tree of what simulations of one shape were asked, call by call. A simulation goes down the tree as long as
// it is asked what is known there and its numbers fit the strip; then it does what it was asked so far once more, with
// formulas, and goes on with them. Nobody can tell but by the clock.

const (
	scriptPersons = 1000     // more persons, and arithmetic is what takes the time
	scriptSteps   = 1 << 18  // of one tape
	scriptCells   = 8 << 20  // steps times persons: a replay keeps what each of its steps gave
	scriptBytes   = 64 << 20 // more than this, of one system, and all scripts are forgotten
	nodeEdges     = 32       // that may follow on the same calls
	nodeStrange   = 256      // calls that are counted before they are recorded
	edgesAlike    = 4        // strips for the same call: they differ in what formulas saw of the numbers

	// A recording takes as long as several runs. So a call is recorded when it has come so many times, and if scripts were
	// forgotten because there were too many, only when it comes twice as often.
	firstSightings = 8
	lastSightings  = 1 << 16
)

// call is something that a simulation is asked from outside.
type call struct {
	kind     callKind
	form     vector.Form
	how      legislation.Option
	dtype    vector.DType
	domain   *vector.Domain
	variable legislation.VariableID
	rows     int32
	at       period.Period
}

type callKind uint8

const (
	inputCall callKind = iota
	calculateCall
	outputCall
)

// callOf is the call that gives an input.
func callOf(id legislation.VariableID, at *period.Entry, c vector.Column) call {
	return call{kind: inputCall, form: c.Form(), dtype: c.DType(), domain: c.Domain(), variable: id, rows: int32(c.Len()), at: at.Period}
}

// node is what is known of simulations after the same calls.
type node struct {
	edges   atomic.Pointer[[]*edge]
	mu      sync.Mutex         // of writers
	strange map[call]*sighting // calls that have no edge, or none that fits
}

// sighting is how often a call came, and how many recordings of it came to nothing.
type sighting struct{ times, barren int32 }

// edge is a call with what it does, and leads to what is known after it.
type edge struct {
	call    call
	strip   vector.Strip
	account *account // nil if there is none
	slot    int32    // of the result; -1 if it is always the same
	result  vector.Column
	usage   usage // of the limits; depth is that which was allowed
	then    *node
	luck    luck
	served  atomic.Bool // it fitted once
}

// add gives the node after an edge, which takes the place of the oldest if there are too many.
func (n *node) add(e *edge) *node {
	n.mu.Lock()
	defer n.mu.Unlock()
	all, alike := []*edge{e}, 1
	if known := n.edges.Load(); known != nil {
		for _, old := range *known {
			if old.call == e.call {
				if old.slot == e.slot && old.strip.Equal(&e.strip) && old.account.equal(e.account) {
					return old.then
				}
				alike++
			}
			if len(all) < nodeEdges && (old.call != e.call || alike <= edgesAlike) {
				all = append(all, old)
			}
		}
	}
	e.then = &node{}
	n.edges.Store(&all)
	return e.then
}

// sight counts a call that is none of the script's, and tells how often it has come, and how many recordings of it were in vain: they came to
// nothing, or never fitted.
func (n *node) sight(c call, m *memory) (times, vain int32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	seen := n.seen(c, m)
	seen.times++
	vain = seen.barren
	if known := n.edges.Load(); known != nil {
		for _, e := range *known {
			if e.call == c && !e.served.Load() {
				vain++
			}
		}
	}
	return seen.times, min(vain, edgesAlike)
}

// barren notes that a recording of a call came to nothing.
func (n *node) barren(c call, m *memory) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen(c, m).barren++
}

// seen is what is counted of a call.
func (n *node) seen(c call, m *memory) *sighting {
	if known := n.strange[c]; known != nil {
		return known
	}
	if len(n.strange) >= nodeStrange {
		m.spend(-int64(len(n.strange)) * strangeBytes)
		clear(n.strange)
	}
	m.spend(strangeBytes)
	if n.strange == nil {
		n.strange = make(map[call]*sighting)
	}
	made := &sighting{}
	n.strange[c] = made
	return made
}

const (
	edgeBytes    = 512 // with its node
	strangeBytes = 128
)
