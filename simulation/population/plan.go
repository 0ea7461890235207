package population

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// Chunks are all computed the same way, so formulas run for a sample of the first one alone: what they do is recorded, for
// base and reform together, and a plan of it is carried out for every chunk (engine.Recorder). Where the rows of a chunk
// make formulas take another way, they run for it, and are recorded that way for those that follow.

const (
	planSample   = 192       // persons that a plan is recorded with: every step of it keeps its result until the end
	maxPlans     = 4         // ways that are recorded
	leastPlanned = mostChunk // persons of a file from which on recording pays at once
)

// plans is what was recorded in a job.
type plans struct {
	mu       sync.Mutex // of whoever records
	known    []*engine.Plan
	recorded int // in this job
	refused  bool
	asked    bool                 // for those that were kept
	taken    int                  // of those
	found    string               // what was kept
	few      bool                 // persons: enough to record with, and no more than formulas take as long for
	uses     map[*engine.Plan]int // chunks that a plan was carried out for
}

// list gives the plans, and whether there may be more.
func (p *plans) list() ([]*engine.Plan, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clip(p.known), !p.refused && p.recorded < maxPlans
}

// use counts a chunk that a plan was carried out for.
func (p *plans) use(plan *engine.Plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.uses == nil {
		p.uses = make(map[*engine.Plan]int)
	}
	p.uses[plan]++
}

// hopeless tells whether formulas have to run for every chunk.
func (p *plans) hopeless() bool {
	if p == nil {
		return false // everybody is one chunk
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused && len(p.known) == 0
}

// expect decides whether a plan is worth its while for so many persons: for few it is if the same was asked before, and so may be again.
func (p *pass) expect(persons float64) {
	if p.plans == nil || p.planned > 0 || persons >= leastPlanned {
		return
	}
	p.plans.mu.Lock()
	defer p.plans.mu.Unlock()
	p.plans.few = persons > planSample
	if !p.plans.few || p.plans.found != askedOnce {
		p.plans.refused = true
	}
}

// given is where columns of the file are read for: inputs of a base and its reform that are read alike are one.
type given struct {
	side, input int
}

// givens lists the columns to be read for both sides, and tells for each input of each side which one it is.
func (p *pass) givens() (all []given, of [][]int) {
	for side, s := range p.sides {
		var mine []int
		for i := range s.layout.inputs {
			at := slices.IndexFunc(all, func(g given) bool {
				return readAlike(p.sides[g.side].layout, s.layout, &p.sides[g.side].layout.inputs[g.input], &s.layout.inputs[i])
			})
			if at < 0 {
				at = len(all)
				all = append(all, given{side, i})
			}
			mine = append(mine, at)
		}
		of = append(of, mine)
	}
	return all, of
}

// readAlike tells whether two inputs have the same column.
func readAlike(l, m *layout, a, b *input) bool {
	v, w := a.variable, b.variable
	if v != w && (v.Type != w.Type || v.Entity.Key != w.Entity.Key || v.Enum != w.Enum || !v.Default.Same(w.Default)) {
		return false
	}
	return a.column == b.column && a.at == b.at && l.wide(a) == m.wide(b)
}

// read reads the columns that the sides need, into those of a worker.
func (p *pass) read(c *chunk, w *worker) ([]vector.Column, error) {
	out := make([]vector.Column, len(p.given))
	for i, g := range p.given {
		l := p.sides[g.side].layout
		in := &l.inputs[g.input]
		if len(w.columns) == i {
			w.columns = append(w.columns, l.newColumn(in))
		}
		var err error
		if out[i], err = l.read(c, in, w.columns[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Input, err)
		}
	}
	return out, nil
}

// values computes a chunk, by side, and what it answers to questions about everybody; played tells whether that took a plan alone.
func (p *pass) values(ctx context.Context, w *worker, c *chunk) (values [][]vector.Column, ballots []*ballot, played bool, err error) {
	inputs, err := p.read(c, w)
	if err != nil {
		return nil, nil, false, err
	}
	if p.whole || p.afresh || c.persons <= p.sample() || !p.oneLaw() {
		values, ballots, err = p.evaluate(ctx, c, inputs, p.ballots())
		return values, ballots, false, err
	}
	tried, recorded := 0, false
	for {
		known, more := p.plans.list()
		for ; tried < len(known); tried++ {
			values, ballots, err = p.play(ctx, &w.executor, known[tried], c, inputs)
			if !errors.Is(err, engine.ErrOtherRows) {
				p.plans.use(known[tried])
				return values, ballots, !recorded, err
			}
		}
		if more && tried > 0 {
			values, ballots, err = p.evaluateAndRecord(ctx, c, inputs, tried)
			return values, ballots, false, err
		}
		recorded = true
		if !more || p.record(ctx, c, tried, p.ballots()) != nil {
			values, ballots, err = p.evaluate(ctx, c, inputs, p.ballots())
			return values, ballots, false, err
		}
	}
}

// evaluateAndRecord runs formulas for a chunk that no plan fits, and records the way that they took for others. A formula
// that cannot be recorded is none of the caller's business.
func (p *pass) evaluateAndRecord(ctx context.Context, c *chunk, inputs []vector.Column, tried int) ([][]vector.Column, []*ballot, error) {
	values, ballots, err := p.evaluate(ctx, c, inputs, p.ballots())
	if err != nil {
		return nil, nil, err
	}
	told := p.ballots()
	for i, b := range ballots {
		told[i].known = b.told()
	}
	_ = p.record(ctx, c, tried, told)
	return values, ballots, nil
}

func (p *pass) sample() int {
	if p.planned > 0 {
		return p.planned
	}
	return planSample
}

// oneLaw tells whether all sides compute by the same rules of arithmetic, for the same entities.
func (p *pass) oneLaw() bool {
	first := p.sides[0].layout.system
	for _, s := range p.sides {
		if s.layout.system.Rules().NEP50 != first.Rules().NEP50 || !slices.Equal(s.layout.system.Entities(), first.Entities()) {
			return false
		}
	}
	return true
}

func (p *pass) ballots() []*ballot {
	if p.whole {
		return nil
	}
	var all []*ballot
	for _, s := range p.sides {
		all = append(all, &ballot{known: s.known})
	}
	return all
}

// play carries out a plan for a chunk.
func (p *pass) play(ctx context.Context, y *engine.Executor, plan *engine.Plan, c *chunk, inputs []vector.Column) ([][]vector.Column, []*ballot, error) {
	var ballots []*ballot
	out, err := y.Play(ctx, plan, p.base().system, c.spec(p.base()), inputs, func() []legislation.Rows {
		ballots = p.ballots()
		rows := make([]legislation.Rows, len(ballots))
		for i, b := range ballots {
			rows[i] = b
		}
		return rows
	})
	if err != nil {
		return nil, nil, err
	}
	values := make([][]vector.Column, len(p.sides))
	for i, s := range p.sides {
		n := len(s.layout.outputs)
		if values[i], err = s.layout.texts(out[:n]); err != nil {
			return nil, nil, err
		}
		out = out[n:]
	}
	return values, ballots, nil
}

// texts makes what is text in the output text.
func (l *layout) texts(values []vector.Column) ([]vector.Column, error) {
	for i := range values {
		c, err := scenario.AsText(l.outputs[i].variable, values[i])
		if err != nil {
			return nil, err
		}
		values[i] = c
	}
	return values, nil
}

// evaluate runs formulas for a chunk.
func (p *pass) evaluate(ctx context.Context, c *chunk, inputs []vector.Column, ballots []*ballot) ([][]vector.Column, []*ballot, error) {
	values := make([][]vector.Column, len(p.sides))
	for side, s := range p.sides {
		o := engine.Options{Limits: limits, Forgetful: p.afresh}
		if ballots != nil {
			o.Rows = ballots[side]
		}
		out, err := p.simulate(ctx, side, c, inputs, o)
		if err != nil {
			return nil, nil, err
		}
		if values[side], err = s.layout.texts(out); err != nil {
			return nil, nil, err
		}
	}
	return values, ballots, nil
}

// simulate computes the outputs of one side.
func (p *pass) simulate(ctx context.Context, side int, c *chunk, inputs []vector.Column, o engine.Options) ([]vector.Column, error) {
	l := p.sides[side].layout
	sim, err := engine.New(ctx, l.system, c.spec(l), o)
	if err != nil {
		return nil, err
	}
	for i, in := range l.inputs {
		if err := sim.SetInput(in.variable.ID, sim.Periods().Intern(in.at), inputs[p.givenOf[side][i]]); err != nil {
			return nil, fmt.Errorf("%s: column %s: %w", p.Input, quoted(in.name), err)
		}
	}
	out := make([]vector.Column, len(l.outputs))
	for i := range l.outputs {
		if out[i], err = l.outputs[i].values(sim); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// record makes a plan with the first persons of a chunk, who are told answers, unless there are more plans than were tried by
// now. The error says why there is none.
func (p *pass) record(ctx context.Context, c *chunk, tried int, told []*ballot) error {
	p.plans.mu.Lock()
	defer p.plans.mu.Unlock()
	if len(p.plans.known) > tried {
		return nil
	}
	if p.plans.refused || p.plans.recorded >= maxPlans {
		return errNoPlan
	}
	p.plans.recorded++
	plan, err := p.newPlan(ctx, c, told)
	if errors.Is(err, errNoPlan) {
		return err // another chunk may have fewer who hang together
	}
	if err != nil {
		p.plans.refused = true
		return err
	}
	p.plans.known = append(p.plans.known, plan)
	return nil
}

var errNoPlan = errors.New("no further plan is made")

// newPlan records what formulas do to the first persons of a chunk.
func (p *pass) newPlan(ctx context.Context, c *chunk, told []*ballot) (*engine.Plan, error) {
	few, ok := c.few(p.sample())
	if !ok {
		return nil, errNoPlan
	}
	inputs, err := p.read(few, &worker{})
	if err != nil {
		return nil, err
	}
	r := engine.NewRecorder()
	for i := range inputs {
		inputs[i] = r.Input(inputs[i])
	}
	var results []engine.Result
	for side, s := range p.sides {
		r.Side(side)
		out, err := p.simulate(ctx, side, few, inputs, engine.Options{Limits: limits, Rows: told[side], Recorder: r})
		if err != nil {
			return nil, err
		}
		for i, o := range s.layout.outputs {
			results = append(results, engine.Result{Column: out[i], Entity: o.variable.Entity.Key})
		}
	}
	return r.Plan(results)
}

// few is the first persons of a chunk to record a plan with: at least so many, and so that every entity has several groups,
// since a column of one element goes with columns of any length. It is false if that would be too many of them.
func (c *chunk) few(persons int) (*chunk, bool) {
	for n := persons; n <= 8*persons; n *= 2 {
		h := c.head(n)
		several := !slices.ContainsFunc(h.groups, func(m membership) bool { return len(m.names) < 2 })
		if several && h.persons > 1 && h.persons <= 8*persons {
			return h, true
		}
	}
	return nil, false
}

// head is the first persons of a chunk, at least so many, with all of their groups: the chunk itself if there is no such part.
func (c *chunk) head(persons int) *chunk {
	end := c.firstCut(persons)
	if end < 0 {
		return c
	}
	h := &chunk{index: c.index, persons: end, first: c.first}
	left := end
	for _, s := range c.spans {
		if n := min(left, s.to-s.from); n > 0 {
			h.spans = append(h.spans, span{s.batch, s.from, s.from + n})
			left -= n
		}
	}
	for _, m := range c.groups {
		groups := 0
		for _, g := range m.groupOf[:end] {
			groups = max(groups, int(g)+1)
		}
		part := membership{groupOf: m.groupOf[:end], names: m.names[:groups]}
		if m.roles != nil {
			part.roles = m.roles[:end]
		}
		h.groups = append(h.groups, part)
	}
	return h
}

// firstCut is the first place, after so many persons, between two of whom nobody has a group in common with anybody on the
// other side, -1 if there is none.
func (c *chunk) firstCut(persons int) int {
	open := make([]bool, c.persons+1) // places that lie inside of a group
	for _, m := range c.groups {
		most := int32(-1)
		least := slices.Repeat([]int32{1<<31 - 1}, c.persons+1)
		for i := c.persons - 1; i >= 0; i-- {
			least[i] = min(least[i+1], m.groupOf[i])
		}
		for i, g := range m.groupOf {
			open[i] = open[i] || least[i] <= most
			most = max(most, g)
		}
	}
	for i := persons; i < c.persons; i++ {
		if !open[i] {
			return i
		}
	}
	return -1
}
