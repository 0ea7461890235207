package engine

import (
	"fmt"
	"slices"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Holder is what a simulation stores for one variable: a column per period.
type Holder struct {
	*store     // what is looked at most comes first
	eternal    bool
	sim        *Simulation
	population *Population
	variable   *legislation.Variable
	dtype      vector.DType
	byDefault  vector.Column
	last       carried
}

// store is the columns of a variable. It is apart from the holder because a clone shares it.
type store struct {
	// index gives for a period's number, counted from base, the position in columns, plus one; it grows as far as it is needed.
	index   []int32
	base    period.ID
	columns []vector.Column
	// known are the periods with a value, in the order in which they were first stored.
	known []period.ID
	free  []int32
}

// room is where holders and what they keep lie.
type room struct {
	holders heap.Slab[Holder]
	stores  heap.Slab[store]
	indexes indexes
	ids     heap.Slab[period.ID]
	columns heap.Slab[vector.Column]
	memos   heap.Slab[memo]
	asked   heap.Slab[question]
}

// indexes hands out indexes of stores. They are most of what a simulation of a large legislation allocates, so the next one gets them.
type indexes struct {
	blocks []*indexBlock // the last is being handed out
	used   int           // of the last
}

type indexBlock [4096]int32

var indexBlocks heap.Pool[indexBlock]

// Take returns n zeroes.
func (x *indexes) Take(n int) []int32 {
	if n > len(indexBlock{}) {
		return make([]int32, n)
	}
	if len(x.blocks) == 0 || n > len(indexBlock{})-x.used {
		x.blocks, x.used = append(x.blocks, indexBlocks.Get()), 0
	}
	piece := x.blocks[len(x.blocks)-1][x.used : x.used+n : x.used+n]
	x.used += n
	return piece
}

// release gives everything to later simulations.
func (x *indexes) release() {
	for _, b := range x.blocks {
		clear(b[:])
		indexBlocks.Put(b)
	}
	*x = indexes{}
}

func newHolder(s *Simulation, v *legislation.Variable, p *Population) *Holder {
	h := s.room.holders.New()
	*h = Holder{sim: s, variable: v, population: p, dtype: v.DType(s.system.Wide()), eternal: v.Period == period.Eternity, store: s.room.stores.New()}
	h.byDefault = h.defaultColumn()
	return h
}

// in gives the holder a place in another simulation; both go on with the same store.
func (h *Holder) in(s *Simulation) *Holder {
	c := *h
	c.sim, c.population = s, s.PopulationOf(h.population.entity.Key)
	return &c
}

func (h *Holder) defaultColumn() vector.Column {
	n := h.population.count
	d := h.variable.Default
	switch h.variable.Type {
	case legislation.EnumType:
		return vector.EnumConst(n, h.variable.Enum.Domain, int16(d.Int(0)))
	case legislation.Date:
		return vector.DateConst(n, vector.Day, d.Int(0))
	case legislation.String:
		if h.variable.MaxLength > 0 {
			return vector.BytesConst(n, h.variable.MaxLength, truncate(d.Text(0), h.variable.MaxLength))
		}
		return vector.StrConst(n, d.Text(0))
	case legislation.Bool:
		return vector.Const(n, d.Bool(0))
	case legislation.Int:
		if h.sim.system.Wide() {
			return vector.Const(n, d.Int(0))
		}
		return vector.Const(n, int32(d.Int(0)))
	}
	if h.sim.system.Wide() {
		return vector.Const(n, d.Float(0))
	}
	return vector.Const(n, float32(d.Float(0)))
}

func truncate(s string, n int) string { return s[:min(n, len(s))] }

// Simulation is the simulation that the holder belongs to.
func (h *Holder) Simulation() legislation.Simulation { return h.sim }

// Variable is the variable.
func (h *Holder) Variable() *legislation.Variable { return h.variable }

// DefaultArray is the default value for every member.
func (h *Holder) DefaultArray() vector.Column { return h.byDefault }

// Array gives the stored value. A variable that is neutral then has one, its default.
func (h *Holder) Array(at *period.Entry) (vector.Column, bool) {
	if h.variable.Neutral(at.Period) {
		return h.byDefault, true
	}
	return h.stored(at.ID)
}

// stored is the way of every calculation: an array look-up, no allocation.
func (h *Holder) stored(id period.ID) (vector.Column, bool) {
	if h.eternal {
		id = h.sim.eternalID
	}
	if i := uint(id - h.base); i < uint(len(h.index)) {
		if k := h.index[i]; k != 0 {
			return h.columns[k-1], true
		}
	}
	return vector.Column{}, false
}

// cover makes the index reach a period: it grows by pieces of 16, and doubles at least as long as there are so many periods.
func (h *Holder) cover(id period.ID) error {
	from, to := id&^15, (id|15)+1
	switch n := period.ID(len(h.index)); {
	case n == 0:
		h.base = from
	case to > h.base+n:
		from, to = h.base, max(to, min(h.base+2*n, (period.ID(h.sim.periods.Len())|15)+1))
	default:
		from, to = min(from, max(h.base-n, 0)), h.base+n
	}
	if err := h.sim.memory.Take(4 * (int64(to-from) - int64(len(h.index)))); err != nil {
		return err
	}
	larger := h.sim.room.indexes.Take(int(to - from))
	copy(larger[h.base-from:], h.index)
	h.index, h.base = larger, from
	return nil
}

// missing is what the variable is for a period without an input and without a formula.
func (h *Holder) missing(at *period.Entry) (vector.Column, error) {
	if h.variable.Uprating != "" || h.variable.Missing == legislation.LatestInput {
		if c, ok, err := h.latestInput(at); ok || err != nil {
			return c, err
		}
		return h.DefaultArray(), nil
	}
	switch h.variable.Missing {
	case legislation.NoValue:
		return vector.Column{}, valueError("%s has no value for %s, and no formula: give it one", h.variable.Name, at)
	case legislation.LastValue, legislation.NearestValue:
		if h.sim.reader != nil {
			h.sim.reader.peek(h.variable.ID)
		}
		if c, ok := h.nearest(at); ok {
			return c, nil
		}
	}
	return h.DefaultArray(), nil
}

// nearest is the latest value that began by then; if there is none and the rule allows it, the first that begins later.
func (h *Holder) nearest(at *period.Entry) (vector.Column, bool) {
	var last, first *period.Entry
	for _, known := range h.KnownPeriods() {
		if !at.Start.Before(known.Start) && (last == nil || last.Start.Before(known.Start)) {
			last = known
		}
		if first == nil || known.Start.Before(first.Start) {
			first = known
		}
	}
	if last == nil && h.variable.Missing == legislation.NearestValue {
		last = first
	}
	if last == nil {
		return vector.Column{}, false
	}
	return h.Array(last)
}

// KnownPeriods lists the periods with a value, in the order in which they were first stored.
func (h *Holder) KnownPeriods() []*period.Entry {
	entries := make([]*period.Entry, len(h.known))
	for i, id := range h.known {
		entries[i] = h.sim.periods.At(id)
	}
	return entries
}

// cast makes the result of a formula a column of the variable.
func (h *Holder) cast(c vector.Column) (vector.Column, error) {
	if h.variable.Type == legislation.EnumType {
		encoded, err := h.variable.Enum.Encode(c, h.sim.rules)
		if err != nil || encoded.IsArray() && c.IsArray() {
			return encoded, err
		}
		return vector.EnumConst(h.population.count, encoded.Domain(), int16(encoded.Int(0))), nil
	}
	if !c.IsArray() {
		var err error
		if c, err = c.Spread(h.population.count); err != nil {
			return c, err
		}
	}
	return h.typed(c)
}

// typed casts an array to the type of the variable. What is no text stays what it is in a variable for text, whose values are
// objects in the original; numbers are as wide as Python's.
func (h *Holder) typed(c vector.Column) (vector.Column, error) {
	if c.Type() == h.dtype.Type && (c.Type() == vector.Str || c.DType() == h.dtype) {
		return c, nil
	}
	if h.dtype.Type == vector.Str {
		switch c.Type() {
		case vector.Bool, vector.Int64, vector.Float64, vector.Date, vector.Enum:
			return c, nil
		case vector.Int16, vector.Int32:
			return h.sim.rules.Cast(c, vector.DType{Type: vector.Int64})
		case vector.Float32:
			return h.sim.rules.Cast(c, vector.DType{Type: vector.Float64})
		}
	}
	if h.dtype.Type == vector.Bool && c.Type() == vector.Str {
		return h.sim.rules.Binary(vector.NotEqual, c, vector.PyStr("")) // as objects, which texts are in the original
	}
	return h.sim.rules.Cast(c, h.dtype)
}

// put stores a column that has the variable's type, and gives it as it is stored. Its period must be one of the variable's.
func (h *Holder) put(at *period.Entry, c vector.Column) (vector.Column, error) {
	c = c.Compact()
	if c.Len() != h.population.count {
		return c, valueError("a value of %d elements was given for %s, but there are %d %s", c.Len(), h.variable.Name, h.population.count, h.population.entity.Plural)
	}
	if h.eternal {
		return c, h.keep(h.sim.eternalID, c)
	}
	if at.Unit != h.variable.Period || at.Size > 1 {
		return c, &PeriodMismatch{h.variable.Name, at.Period, h.variable.Period}
	}
	return c, h.keep(at.ID, c)
}

func (h *Holder) keep(id period.ID, c vector.Column) error {
	if err := h.sim.account(c); err != nil {
		return err
	}
	if uint(id-h.base) >= uint(len(h.index)) {
		if err := h.cover(id); err != nil {
			return err
		}
	}
	k := &h.index[id-h.base]
	if *k != 0 {
		h.columns[*k-1] = c
		return nil
	}
	if n := len(h.known); n == cap(h.known) && n < 12 {
		// One period is asked for, or a year of months.
		larger := min(1+11*n, 12)
		h.known = append(h.sim.room.ids.Take(larger)[:0], h.known...)
		h.columns = append(h.sim.room.columns.Take(larger)[:0], h.columns...)
	}
	h.known = append(h.known, id)
	if n := len(h.free); n > 0 {
		*k = h.free[n-1]
		h.free = h.free[:n-1]
		h.columns[*k-1] = c
		return nil
	}
	h.columns = append(h.columns, c)
	*k = int32(len(h.columns))
	return nil
}

// account counts the elements that are stored; what is forgotten is not counted back.
func (s *Simulation) account(c vector.Column) error {
	most := int64(c.Len())
	if c.Constant() {
		most = 1
	}
	s.usage.mostCells += most
	if c.Taped() && c.Plain().Compact().Constant() {
		most = 1
	}
	s.usage.cells += most
	if s.usage.cells > s.limits.Cells {
		return &LimitError{fmt.Sprintf("the simulation needs more memory than it may use: it may hold %d values", s.limits.Cells)}
	}
	return s.memory.Take(storedBytes + varyingBytes(c))
}

// storedBytes is what a stored column takes besides its elements.
const storedBytes = 64

// varyingBytes is what the elements of a column take.
func varyingBytes(c vector.Column) int64 {
	if c.Constant() {
		return 0
	}
	each := int64(8)
	switch c.Type() {
	case vector.Bool:
		each = 1
	case vector.Int16, vector.Enum:
		each = 2
	case vector.Int32, vector.Float32:
		each = 4
	case vector.Str, vector.Bytes, vector.Object:
		each = 16
	}
	return each * int64(c.Len())
}

// Delete forgets what is stored for the period and for the periods it contains; nil forgets everything.
func (h *Holder) Delete(at *period.Entry) error {
	if at == nil {
		*h.store = store{}
		delete(h.sim.inputs, h.variable.ID)
		return nil
	}
	h.forget(at)
	return nil
}

func (h *Holder) forget(at *period.Entry) {
	whole := at
	if h.eternal {
		whole = h.sim.periods.At(h.sim.eternalID)
	}
	h.known = slices.DeleteFunc(h.known, func(id period.ID) bool {
		// A period without an end in the calendar contains nothing that could have been stored.
		inside, err := whole.Contains(h.sim.periods.At(id))
		if err != nil || !inside {
			return false
		}
		h.drop(id)
		return true
	})
	if h.sim.inputs != nil {
		inputs := h.sim.inputs[h.variable.ID]
		h.sim.inputs[h.variable.ID] = slices.DeleteFunc(inputs, func(id period.ID) bool { return h.index[id-h.base] == 0 })
	}
}
