package engine

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// A formula sees of a simulation what it asks for, who the populations are, and nothing else: it is a function of the
// answers it gets. So what a formula gave on a period, with everything it asked before that and was answered, holds for
// every later simulation of the system on populations of the same shape: if it gets the same answers, it gives the same
// result. A memory keeps such traces for all simulations of a system; recall.go says how they are used and made.

const (
	memoryPersons = 50_000   // larger populations are not remembered: hardly anything of them would fit
	lessonBytes   = 24 << 20 // results of one simulation that are remembered
	memoryBytes   = 64 << 20 // more than this, of one system, and everything is forgotten
	cellTraces    = 4        // of one variable and period
	patience      = 12       // misses in a row after which a variable and period is only tried now and then
	retry         = 32       // how often then: once in so many times
)

// memory is what simulations of one system have learned. Shapes that were forgotten stay usable by the simulations that
// have them.
type memory struct {
	mu     sync.Mutex
	shapes map[string]*shape
	bytes  int64
	// scripts is what the scripts of all shapes take, and sightings how often an act comes before it is recorded.
	scripts   int64
	sightings atomic.Int32
}

// shape is the memory of populations of one shape: the same groups, with the same members in the same roles.
//
// Readers take no lock: periods, rows and cells are replaced, never changed.
type shape struct {
	memory  *memory
	opening atomic.Pointer[scene] // of the scripts
	periods atomic.Pointer[periodNumbers]
	rows    []atomic.Pointer[row] // by variable
}

// periodNumbers numbers the periods of a shape; simulations number theirs in another order.
type periodNumbers struct {
	list   []period.Period
	number map[period.Period]int32
}

// row is the cells of a variable by number of the period.
type row struct{ cells []atomic.Pointer[cell] }

// cell is what is known of a variable on a period: the latest traces.
type cell struct {
	traces []*trace
	luck
}

// luck counts how often in a row something was tried in vain.
type luck struct{ misses atomic.Int32 }

// trace is one run of a formula.
type trace struct {
	asked   []asked
	result  vector.Column
	movable bool // to the months that begin in span
	span    legislation.Span
}

type asked struct {
	answer   vector.Column
	variable legislation.VariableID
	period   int32
	how      legislation.Option
}

func newMemory() any {
	m := &memory{shapes: make(map[string]*shape)}
	m.sightings.Store(firstSightings)
	return m
}

// memoryOf gives the memory for a simulation, nil if its populations are too large to be remembered or hold some rows only.
func memoryOf(s *Simulation) *shape {
	if s.persons.count > memoryPersons || s.rows != nil {
		return nil
	}
	m := s.system.Memory(newMemory).(*memory)
	key := s.shapeKey()
	m.mu.Lock()
	defer m.mu.Unlock()
	sh, ok := m.shapes[key]
	if !ok {
		sh = &shape{memory: m, rows: make([]atomic.Pointer[row], s.system.VariableBound())}
		sh.opening.Store(&scene{})
		sh.periods.Store(&periodNumbers{number: make(map[period.Period]int32)})
		m.shapes[key] = sh
		m.bytes += int64(len(sh.rows))*8 + int64(len(key))
	}
	return sh
}

// shapeKey tells populations of different shapes apart.
func (s *Simulation) shapeKey() string {
	key := binary.AppendUvarint(make([]byte, 0, 64), uint64(s.persons.count))
	for _, p := range s.populations {
		if p.entity.IsPerson {
			continue
		}
		key = binary.AppendUvarint(key, uint64(p.count))
		for i, group := range p.groupOf {
			key = binary.AppendUvarint(key, uint64(group))
			key = binary.AppendUvarint(key, uint64(p.roles[i]))
		}
	}
	return string(key)
}

// find gives the cell of a variable on a period, nil if nothing is known.
func (sh *shape) find(id legislation.VariableID, number int32) *cell {
	if r := sh.rows[id].Load(); r != nil && int(number) < len(r.cells) {
		return r.cells[number].Load()
	}
	return nil
}

// worthTrying says whether to try again: not if the last ones were all in vain, but for one now and then. Who does not try
// counts that, too.
func (l *luck) worthTrying() bool {
	m := l.misses.Load()
	if m < patience || m%retry == 0 {
		return true
	}
	l.misses.Add(1)
	return false
}

// hit counts that something was of use.
func (l *luck) hit() {
	if l.misses.Load() != 0 {
		l.misses.Store(0)
	}
}

// miss counts that it was not.
func (l *luck) miss() { l.misses.Add(1) }

// learn adds what a simulation has learned, and gives the numbers of periods as they are from then on. A memory that has
// become too large forgets everything first.
func (sh *shape) learn(lessons []lesson, requests []request) *periodNumbers {
	m := sh.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bytes > memoryBytes {
		clear(m.shapes)
		m.bytes, m.scripts = 0, 0
	}
	numbers := sh.number(lessons, requests)
	all := make([]asked, len(requests))
	for i := range requests {
		q := &requests[i]
		all[i] = asked{q.answer, q.variable, numbers.number[q.at.Period], q.how}
		m.bytes += askedBytes // the answer's elements are those of another result
	}
	traces := make([]trace, len(lessons))
	for i := range lessons {
		l := &lessons[i]
		traces[i] = trace{all[l.from:l.to:l.to], l.result, l.movable, l.span}
		m.bytes += traceBytes + l.bytes
		sh.add(l.variable, numbers.number[l.at.Period], &traces[i])
	}
	return numbers
}

const (
	askedBytes = 40
	traceBytes = 128 // with its share of the cell
)

// varyingBytes is what the elements of a column take.
func varyingBytes(c vector.Column) int64 {
	if c.Constant() {
		return 0
	}
	size := 8
	switch c.Type() {
	case vector.Bool:
		size = 1
	case vector.Enum, vector.Int16:
		size = 2
	case vector.Int32, vector.Float32:
		size = 4
	case vector.Str, vector.Bytes:
		size = 32
	}
	return int64(size) * int64(c.Len())
}

// number gives every period of the lessons a number.
func (sh *shape) number(lessons []lesson, requests []request) *periodNumbers {
	old := sh.periods.Load()
	numbers := old
	add := func(p period.Period) {
		if _, ok := numbers.number[p]; ok {
			return
		}
		if numbers == old {
			numbers = &periodNumbers{slices.Clip(old.list), make(map[period.Period]int32, len(old.list)+64)}
			for i, p := range old.list {
				numbers.number[p] = int32(i)
			}
		}
		numbers.number[p] = int32(len(numbers.list))
		numbers.list = append(numbers.list, p)
	}
	for i := range lessons {
		add(lessons[i].at.Period)
	}
	for i := range requests {
		add(requests[i].at.Period)
	}
	sh.periods.Store(numbers)
	return numbers
}

// add puts a trace into its cell, in place of the oldest if the cell is full.
func (sh *shape) add(id legislation.VariableID, number int32, t *trace) {
	r := sh.rows[id].Load()
	if r == nil || int(number) >= len(r.cells) {
		larger := &row{make([]atomic.Pointer[cell], (number+16)&^15)}
		if r != nil {
			for i := range r.cells {
				larger.cells[i].Store(r.cells[i].Load())
			}
		}
		sh.memory.bytes += 8 * int64(len(larger.cells))
		r = larger
		sh.rows[id].Store(r)
	}
	known := &cell{}
	if before := r.cells[number].Load(); before != nil {
		known.misses.Store(before.misses.Load())
		known.traces = append(known.traces, before.traces[max(0, len(before.traces)-cellTraces+1):]...)
	}
	known.traces = append(known.traces, t)
	r.cells[number].Store(known)
}
