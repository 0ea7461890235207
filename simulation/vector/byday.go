package vector

import "slices"

// Ages are computed from dates of birth, step by step and row by row, and a population has far more rows than days on which somebody was born. So what
// follows from one column of days alone can be computed once for every day, and looked up from then on.

// ByDay is a program of which some steps depend on a column of days alone.
type ByDay struct {
	of    *Program
	input int       // the days
	table *Program  // what follows from them
	given []operand // its results
	rest  []*step
}

const (
	leastByDay = 8       // steps that are worth it
	mostDays   = 1 << 17 // of a table
	daysAtOnce = 1 << 12 // while it is made
	mostFar    = 1 << 40 // days from 1970: beyond are what is no day (NaT), and days that cannot be subtracted
)

// ByDay takes a program apart; nil if little of it depends on a column of days alone.
func (p *Program) ByDay(inputs []Column) *ByDay {
	for i, slot := range p.listing.inputs {
		if slot < 0 || inputs[i].typ != Date || inputs[i].unit != Day {
			continue
		}
		if b := p.byDay(i, slot); b != nil {
			return b
		}
	}
	return nil
}

func (p *Program) byDay(input int, slot int32) *ByDay {
	b := &ByDay{of: p, input: input}
	follows := make([]bool, p.slots)
	follows[slot] = true
	var steps []*step
	for _, s := range p.steps {
		if p.eachAlone(s, follows) {
			follows[s.slot] = true
			steps = append(steps, s)
			continue
		}
		b.rest = append(b.rest, s)
		b.give(s.in, follows, operand(slot))
	}
	if len(steps) < leastByDay {
		return nil
	}
	b.give(p.listing.results, follows, operand(slot))
	b.table = listing{steps: steps, slots: p.slots, constants: p.constants, inputs: []int32{slot}, lengths: p.listing.lengths[input : input+1], results: b.given}.compile()
	return b
}

// give has the table give those operands that follow from the days and are not the days.
func (b *ByDay) give(in []operand, follows []bool, days operand) {
	for _, o := range in {
		if o >= 0 && o != days && follows[o] && !slices.Contains(b.given, o) {
			b.given = append(b.given, o)
		}
	}
}

// eachAlone tells whether a step computes each element from those of columns that follow from the days, and from constants.
func (p *Program) eachAlone(s *step, follows []bool) bool {
	if !s.gives() || s.loose || s.result.form != Array || !s.result.typ.pooled() {
		return false
	}
	some := false
	for _, o := range s.in {
		if o < 0 && p.all[^o].n > 1 && !p.all[^o].constant || o >= 0 && !follows[o] {
			return false
		}
		some = some || o >= 0
	}
	if s.kind == callStep {
		switch s.key.(type) {
		case unaryKey, roundKey, clipKey, selectKey:
		case namedKey:
			return some && s.key == namedKey("Where")
		default:
			return false
		}
	}
	return some
}

// Days are the first and the last of the days among inputs; false if there are none, or one is no day.
func (b *ByDay) Days(inputs []Column) (first, last int64, ok bool) {
	c := inputs[b.input]
	if c.constant || c.n == 0 {
		return 0, 0, false
	}
	days := storage[int64](c)
	first, last, n := wideExtremes(days)
	for _, d := range days[n:] {
		first, last = min(first, d), max(last, d)
	}
	return first, last, -mostFar < first && last < mostFar
}

// Program gives the program with a table of the days from first to last, for which it holds; nil if there can be none. The player makes
// the table.
func (b *ByDay) Program(y *Player, r *Rules, first, last int64) *Program {
	if last-first >= mostDays {
		return nil
	}
	parts := make([][]Column, len(b.given))
	for from := first; from <= last; from += daysAtOnce {
		days := make([]int64, min(daysAtOnce, last-from+1))
		for i := range days {
			days[i] = from + int64(i)
		}
		out, ok := y.Play(b.table, r, []Column{Dates(Day, days)}, nil)
		if !ok {
			return nil
		}
		for i, c := range out {
			parts[i] = append(parts[i], join(c.DType(), []Column{c}))
		}
	}
	l := b.of.listing
	l.steps = []*step{b.index(first, last)}
	l.slots++
	for i, o := range b.given {
		l.steps = append(l.steps, b.look(o, join(parts[i][0].DType(), parts[i])))
	}
	l.steps = append(l.steps, b.rest...)
	return l.compile()
}

type (
	dayIndexKey struct{ first, last int64 }
	dayTableKey struct{ slot operand }
)

// index is the step that finds the places of days in the tables.
func (b *ByDay) index(first, last int64) *step {
	do := func(r *Rules, in []Column) (Column, error) {
		if in[0].constant {
			return Column{}, valueError("a constant is not looked up")
		}
		days := storage[int64](in[0])
		out := lend[int32](r.pool(), len(days))
		for i := widePlaces(out, days, first, last); i < len(days); i++ {
			d := days[i]
			if d < first || d > last {
				return Column{}, valueError("day %d is not in the table", d)
			}
			out[i] = int32(d - first)
		}
		return Of(out), nil
	}
	days := operand(b.of.listing.inputs[b.input])
	return &step{key: dayIndexKey{first, last}, do: do, in: []operand{days}, slot: b.of.slots, result: outside(Of([]int32{0}))}
}

// look is the step that gives what follows from days.
func (b *ByDay) look(o operand, table Column) *step {
	do := func(r *Rules, in []Column) (Column, error) {
		return table.gatherFrom(Slice[int32](in[0]), r.pool()), nil
	}
	return &step{key: dayTableKey{o}, do: do, in: []operand{operand(b.of.slots)}, slot: int32(o), result: outside(table)}
}
