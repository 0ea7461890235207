package vector

import (
	"fmt"
	"slices"
)

// Program is a tape of rows made ready to be played on many columns: steps that nothing depends on are left out, and a
// result gives its place and its storage to later ones when it was used for the last time. It never changes.
type Program struct {
	listing
	moves   []programMove
	calls   []call
	binds   [][]int8 // by call: which operand a constant is as long as, -1 for its own length
	dead    []int32  // places that are free after a move
	inputs  []int32  // places by input; -1 if nothing depends on it
	results []int32  // places, or constants if they are negative
	places  int32
}

// programMove is a step. Its operands are places, or constants if they are negative.
type programMove struct {
	kind         stepKind
	op           Op
	holds        bool
	bindA, bindB bool // the operand is a constant, as long as the other one
	lastA, lastB bool // the operand is not needed any more
	views        bool // the result lies in storage of an operand that is not the pool's
	asked        *asked
	slot         int32 // of a column that is made compact, -1 of any other
	like         outline
	a, b, out    int32
	more         int32
	dead         [2]int32 // of Program.dead
}

// Program makes a program that gives columns, from a tape of rows of which inputs were taped; it is an error if that
// cannot be done. It ends the tape.
func (t *Tape) Program(inputs, results []Column) (*Program, error) {
	if t.closed {
		return nil, fmt.Errorf("no program can be made: %s", t.Refusal())
	}
	t.Close()
	l := listing{steps: t.steps, slots: t.slots, constants: t.constants}
	for _, in := range inputs {
		slot, ok := t.Slot(in)
		if !ok {
			slot = -1
		}
		l.inputs, l.lengths = append(l.inputs, slot), append(l.lengths, in.n)
	}
	for _, r := range results {
		slot, ok := t.Slot(r)
		o := operand(slot)
		if !ok {
			if o = l.constant(r.Plain()); !r.Plain().constant {
				return nil, fmt.Errorf("no program can be made: a result is a column of unknown origin")
			}
		}
		l.results = append(l.results, o)
	}
	return l.compile(), nil
}

// Steps is how many steps were recorded.
func (p *Program) Steps() int { return len(p.steps) }

// listing is what a program is made of: the steps of a tape, which of its slots are inputs, and what the results are.
type listing struct {
	steps []*step
	slots int32
	constants
	inputs  []int32 // slots, -1 for none
	lengths []int32 // of inputs, when the tape was recorded
	results []operand
}

func (l listing) compile() *Program {
	c := compiler{listing: l, program: &Program{listing: l}}
	c.findUses()
	c.begin()
	for i, s := range l.steps {
		c.step(int32(i), s)
	}
	for _, r := range l.results {
		c.program.results = append(c.program.results, c.place(r))
	}
	c.program.places = c.places
	return c.program
}

// compiler makes a program.
type compiler struct {
	listing
	program *Program
	last    []int32 // by slot: the last step that uses it, unused, or forever
	placeOf []int32 // by slot
	free    []int32
	places  int32
}

const (
	unused  = -1
	forever = 1<<31 - 1
)

// findUses finds out which steps are needed, and when each of their operands is used for the last time.
func (c *compiler) findUses() {
	c.last, c.placeOf = slices.Repeat([]int32{unused}, int(c.slots)), make([]int32, c.slots)
	for _, r := range c.listing.results {
		if r >= 0 {
			c.last[r] = forever
		}
	}
	moves, calls := 0, 0
	for i, s := range slices.Backward(c.steps) {
		if !c.needs(s) {
			continue
		}
		moves++
		if s.needsCall() {
			calls++
		}
		for _, o := range s.in {
			if o >= 0 && c.last[o] == unused {
				c.last[o] = int32(i)
			}
		}
	}
	p := c.program
	p.moves, p.dead = make([]programMove, 0, moves), make([]int32, 0, moves)
	p.calls, p.binds = make([]call, 0, calls), make([][]int8, 0, calls)
}

// needs tells whether a step is to be done.
func (c *compiler) needs(s *step) bool {
	return !s.gives() || c.last[s.slot] != unused || !s.cannotFail()
}

func (s *step) gives() bool { return s.kind <= castStep }

// cannotFail tells whether a step that nothing depends on can be left out: others may fail for some columns, which has to
// be found.
func (s *step) cannotFail() bool {
	switch s.kind {
	case binaryStep:
		return s.op != Power && s.result.typ.Number() // the operands fit together for any rows
	case castStep:
		return s.result.typ.Number() && s.in[0] >= 0 && s.from.Number()
	}
	switch s.key.(type) {
	case asKey, unaryKey, roundKey, clipKey, rowGatherKey, rowGroupKey, rowFillKey, dayTableKey:
		return true
	case selectKey:
		return s.result.typ.Number()
	case namedKey:
		return s.key == namedKey("Where") && s.result.typ.Number() || s.key == namedKey("Codes") || s.key == namedKey("Compact")
	}
	return false
}

// begin gives inputs their places.
func (c *compiler) begin() {
	for _, slot := range c.listing.inputs {
		place := int32(-1)
		if slot >= 0 && c.last[slot] != unused {
			place = c.take()
			c.placeOf[slot] = place
		}
		c.program.inputs = append(c.program.inputs, place)
	}
}

func (c *compiler) take() int32 {
	if n := len(c.free); n > 0 {
		p := c.free[n-1]
		c.free = c.free[:n-1]
		return p
	}
	c.places++
	return c.places - 1
}

func (c *compiler) place(o operand) int32 {
	if o >= 0 {
		return c.placeOf[o]
	}
	return int32(o)
}

func (c *compiler) step(i int32, s *step) {
	if !c.needs(s) {
		return
	}
	m := programMove{views: s.key == namedKey("Codes"), kind: s.kind, op: s.op, holds: s.holds, asked: s.asked, like: outlineOf(&s.result), a: c.place(s.in[0]), more: -1, slot: -1}
	m.like.n = anyLength
	if s.key == namedKey("Compact") {
		m.slot = s.slot
	}
	if len(s.in) > 1 {
		m.b = c.place(s.in[1])
	}
	if s.kind == binaryStep {
		m.bindA, m.bindB = len(s.like) > 0 && s.like[0] == 1, len(s.like) > 1 && s.like[1] == 0
		m.lastA, m.lastB = c.dies(i, s.in[0]), c.dies(i, s.in[1])
	}
	if s.needsCall() {
		m.more = int32(len(c.program.calls))
		c.program.calls = append(c.program.calls, s.call(c.place))
		c.program.binds = append(c.program.binds, c.binds(s))
	}
	m.dead[0] = int32(len(c.program.dead))
	for _, o := range s.in {
		if c.dies(i, o) && !slices.Contains(c.program.dead[m.dead[0]:], c.placeOf[o]) {
			c.program.dead = append(c.program.dead, c.placeOf[o])
		}
	}
	m.dead[1] = int32(len(c.program.dead))
	if s.gives() {
		m.out = c.take()
		c.placeOf[s.slot] = m.out
	}
	c.free = append(c.free, c.program.dead[m.dead[0]:m.dead[1]]...)
	if s.gives() && c.last[s.slot] == unused {
		// It is only done because it may fail.
		c.program.dead = append(c.program.dead, m.out)
		m.dead[1]++
		c.free = append(c.free, m.out)
	}
	c.program.moves = append(c.program.moves, m)
}

func (c *compiler) dies(i int32, o operand) bool { return o >= 0 && c.last[o] == i }

// binds tells which operand each constant is as long as.
func (c *compiler) binds(s *step) []int8 {
	out := make([]int8, len(s.in))
	for i, o := range s.in {
		out[i] = -1
		if o < 0 && c.all[^o].constant && c.all[^o].n > 1 && i < len(s.like) {
			out[i] = s.like[i]
		}
	}
	return out
}

// Player plays programs. It belongs to one goroutine.
type Player struct {
	pool     Pool
	places   []Column
	share    []int32 // by place: which storage it has, 0 for none of the pool's
	holders  []int32 // by storage: how many places have it
	operands []Column
	// Seen, if not nil, is told which columns turn out to be constant.
	Seen *Seen
}

// Play does to inputs what was recorded and gives the results; agree is asked what the tape asked of all rows, for one side
// or another. It is false if rows are not such as the tape was recorded for. Results are good until the next call.
func (y *Player) Play(p *Program, rules *Rules, inputs []Column, agree func(side int, all, mine bool) bool) ([]Column, bool) {
	y.pool.Reset()
	lending := *rules
	lending.Pool = &y.pool
	y.places = slices.Grow(y.places[:0], int(p.places))[:p.places]
	y.share = slices.Grow(y.share[:0], int(p.places))[:p.places]
	clear(y.share)
	y.holders = append(y.holders[:0], 0)
	for i, place := range p.inputs {
		if place >= 0 {
			y.places[place] = inputs[i]
		}
	}
	for i := range p.moves {
		if !y.move(p, &lending, &p.moves[i], agree) {
			return nil, false
		}
	}
	out := make([]Column, len(p.results))
	for i, place := range p.results {
		out[i] = *y.at(p, place)
	}
	return out, true
}

func (y *Player) at(p *Program, place int32) *Column {
	if place >= 0 {
		return &y.places[place]
	}
	return &p.all[^place]
}

func (y *Player) move(p *Program, r *Rules, m *programMove, agree func(int, bool, bool) bool) bool {
	var out Column
	var err error
	shared := int32(0) // the storage of an operand that may be that of the result, too
	switch m.kind {
	case binaryStep:
		a, b := *y.at(p, m.a), *y.at(p, m.b)
		if m.bindA {
			a.n = b.n
		}
		if m.bindB {
			b.n = a.n
		}
		out, err = r.BinaryReuse(m.op, a, b, m.lastA && y.alone(m.a), m.lastB && y.alone(m.b))
		switch {
		case out.constant:
		case out.data == a.data && m.a >= 0:
			shared = y.share[m.a]
		case out.data == b.data && m.b >= 0:
			shared = y.share[m.b]
		}
	case castStep:
		a := *y.at(p, m.a)
		if out, err = r.Cast(a, p.calls[m.more].dtype); !out.constant && out.data == a.data && m.a >= 0 {
			shared = y.share[m.a]
		}
	case callStep:
		out, shared, err = y.call(p, r, m)
	default:
		if !y.keeps(p, r, m, agree) {
			return false
		}
		y.release(p, m)
		return true
	}
	if err != nil || !m.like.fits(&out) || m.more >= 0 && !alike(&out, &p.calls[m.more].result) {
		return false
	}
	if shared == 0 && !m.views && !out.constant && out.typ.pooled() && y.pool.lent(out.data) {
		y.holders = append(y.holders, 0)
		shared = int32(len(y.holders) - 1)
	}
	if m.slot >= 0 && y.Seen != nil {
		y.Seen.see(m.slot, out)
	}
	y.holders[shared]++
	y.places[m.out], y.share[m.out] = out, shared
	y.release(p, m)
	return true
}

// alone tells whether nothing but a place has its storage, and the storage is the pool's.
func (y *Player) alone(place int32) bool {
	return place >= 0 && y.share[place] != 0 && y.holders[y.share[place]] == 1
}

// release frees the places that are not needed any more.
func (y *Player) release(p *Program, m *programMove) {
	for _, place := range p.dead[m.dead[0]:m.dead[1]] {
		if share := y.share[place]; share != 0 {
			if y.holders[share]--; y.holders[share] == 0 {
				y.pool.Put(y.places[place])
			}
			y.share[place] = 0
		}
	}
}

func (y *Player) call(p *Program, r *Rules, m *programMove) (out Column, shared int32, err error) {
	c, binds := &p.calls[m.more], p.binds[m.more]
	y.operands = y.operands[:0]
	for i, place := range c.in {
		in := *y.at(p, place)
		if like := binds[i]; like >= 0 {
			in.n = y.at(p, c.in[like]).n
		}
		y.operands = append(y.operands, in)
	}
	out, err = c.do(r, y.operands)
	if !out.constant {
		for i, place := range c.in {
			if place >= 0 && y.operands[i].data == out.data {
				shared = y.share[place]
			}
		}
	}
	return out, shared, err
}

// keeps tells whether a promise is kept, or a question answered as it was.
func (y *Player) keeps(p *Program, r *Rules, m *programMove, agree func(int, bool, bool) bool) bool {
	c := *y.at(p, m.a)
	var holds bool
	var err error
	switch m.kind {
	case anyStep:
		holds, err = r.Any(c)
	case allStep:
		holds, err = r.All(c)
	case askStep:
		holds = c.Bool(0)
	case constStep:
		k := c.Compact()
		was := p.calls[m.more].result
		was.n = k.n
		return k.constant && (k == was || k.Same(was))
	default:
		return false
	}
	if err != nil {
		return false
	}
	if m.asked == nil {
		return holds == m.holds
	}
	return agree(int(m.asked.side), m.asked.all, holds) == m.asked.told
}
