package engine

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// The memory of a system keeps runs of formulas (memo.go) and scripts (script.go) from one simulation to the next. Both hold
// for populations of the shape that they come from.

const (
	memoryPersons = 50_000   // larger populations are not remembered: hardly anything of them would fit
	lessonBytes   = 24 << 20 // results of one simulation that are remembered
	memoryBytes   = 64 << 20 // more memos than this, of one system, and everything is forgotten
	cellMemos     = 4        // of one variable and period
	patience      = 12       // misses in a row after which a variable and period is only tried now and then
	retry         = 32       // how often then: once in so many times
)

// memory is what simulations of one system have learned. Shapes that were forgotten stay usable by the simulations that
// have them.
type memory struct {
	mu     sync.Mutex
	shapes map[string]*shape
	bytes  int64 // of memos
	// scripts is what the scripts of all shapes take, and sightings how often a call comes before it is recorded.
	scripts   int64
	sightings atomic.Int32
}

// shape is the memory of populations of one shape: the same groups, with the same members in the same roles.
//
// Readers take no lock: rows and lists of memos are replaced, never changed.
type shape struct {
	memory *memory
	root   atomic.Pointer[node]  // of the scripts
	rows   []atomic.Pointer[row] // by variable; none in a system that was derived from another
}

// row is the cells of a variable, ordered by the keys of their periods.
type row []keyedCell

type keyedCell struct {
	key uint64
	*cell
}

// cell is what is known of a variable on a period: the latest memos.
type cell struct {
	memos atomic.Pointer[[]*memo]
	luck
}

// luck counts how often in a row something was tried in vain.
type luck struct{ misses atomic.Int32 }

func newMemory() any {
	m := &memory{shapes: make(map[string]*shape)}
	m.sightings.Store(firstSightings)
	return m
}

// memoryOf gives the memory for a simulation, nil if its populations are too large to be remembered or hold some rows only.
// Memos are kept by base: in a system that was derived from another that is the same shape in the memory of that one, since
// memos of formulas that read nothing of what differs hold in both.
func memoryOf(s *Simulation) (own, base *shape) {
	if s.persons.count > memoryPersons || s.rows != nil {
		return nil, nil
	}
	key := s.shapeKey()
	if from := s.system.DerivedFrom(); from != nil {
		own = s.system.Memory(newMemory).(*memory).shape(key, 0)
		return own, from.Memory(newMemory).(*memory).shape(key, from.VariableBound())
	}
	own = s.system.Memory(newMemory).(*memory).shape(key, s.system.VariableBound())
	return own, own
}

// shape gives the memory of a shape, with room for the memos of so many variables.
func (m *memory) shape(key string, variables int) *shape {
	m.mu.Lock()
	defer m.mu.Unlock()
	sh, ok := m.shapes[key]
	if !ok {
		sh = &shape{memory: m, rows: make([]atomic.Pointer[row], variables)}
		sh.root.Store(&node{})
		m.shapes[key] = sh
		m.bytes += int64(len(sh.rows))*8 + int64(len(key)) + shapeBytes
	}
	return sh
}

// Weight is about how many bytes the memory takes.
func (m *memory) Weight() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bytes + m.scripts
}

// shapeKey tells populations of different shapes apart.
func (s *Simulation) shapeKey() string {
	key := binary.AppendUvarint(make([]byte, 0, 64), uint64(len(s.baselines)))
	key = binary.AppendUvarint(key, uint64(s.persons.count))
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

// spend counts what scripts take. If that is too much, all of them are forgotten; simulations that replay one go on with it.
func (m *memory) spend(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.scripts = max(m.scripts+bytes, 0); m.scripts <= scriptBytes {
		return
	}
	m.scripts = 0
	m.sightings.Store(min(2*m.sightings.Load(), lastSightings))
	for _, sh := range m.shapes {
		sh.root.Store(&node{})
	}
}

// worthTrying says whether to try again: not if the last ones were all in vain, but for one now and then. A caller that does
// not try counts, too.
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

// find gives the cell of a variable on a period, nil if nothing is known.
func (sh *shape) find(id legislation.VariableID, at period.Period) *cell {
	if r := sh.rows[id].Load(); r != nil {
		if i, ok := r.search(at); ok {
			return (*r)[i].cell
		}
	}
	return nil
}

// search gives the place of a period in a row.
func (r row) search(at period.Period) (int, bool) {
	key := orderOf(at)
	low, high := 0, len(r)
	for low < high { // by hand: every formula comes here
		if middle := (low + high) / 2; r[middle].key < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(r) && r[low].key == key
}

// orderOf is a number that no other period has.
func orderOf(p period.Period) uint64 {
	start := uint64(uint16(p.Start.Year))<<16 | uint64(uint8(p.Start.Month)&15)<<12 | uint64(uint8(p.Start.Day)&31)<<7 | uint64(p.Unit)
	return start<<32 | uint64(uint32(p.Size))
}

// learn adds what a simulation has learned, with results of so many bytes. A memory that has become too large forgets
// everything first.
func (sh *shape) learn(lessons []*memo, bytes int64) {
	m := sh.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bytes > memoryBytes {
		clear(m.shapes)
		m.bytes, m.scripts = 0, 0
	}
	m.bytes += bytes
	for _, l := range lessons {
		m.bytes += memoBytes + questionBytes*int64(len(l.asked)) // the answers' elements are those of other results
		sh.add(l)
	}
}

const (
	questionBytes = 56
	memoBytes     = 160 // with its share of the cell
	shapeBytes    = 200
)

// add puts a memo into its cell, in place of the oldest if the cell is full.
func (sh *shape) add(m *memo) {
	var known row
	if r := sh.rows[m.variable].Load(); r != nil {
		known = *r
	}
	i, ok := known.search(m.at)
	if ok {
		old := *known[i].memos.Load()
		memos := append(slices.Clone(old[max(0, len(old)-cellMemos+1):]), m)
		known[i].memos.Store(&memos)
		return
	}
	c := &cell{}
	c.memos.Store(&[]*memo{m})
	larger := slices.Insert(slices.Clone(known), i, keyedCell{orderOf(m.at), c}) // others may be reading the old one
	sh.rows[m.variable].Store(&larger)
}
