package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// A job computes the same for many chunks of a population. What formulas do to the rows of one chunk they do to those of
// all others, as long as questions about all rows are answered alike (legislation.Rows). So one simulation of a few rows is
// recorded on a tape of rows (vector.NewRowTape), and what is left of its formulas is a plan that is carried out for every
// chunk. What formulas see of the populations beside their numbers, who belongs to which group in which role, are
// inputs of the plan as well.

// Recorder records simulations of the same rows: that of a base and that of a reform, which share what both compute.
type Recorder struct {
	tape    *vector.Tape
	inputs  []vector.Column // taped
	sources []source        // the first of the inputs that are made of the populations, and what they are
	at      []int           // of sources: which input
	known   map[source]vector.Column
	most    map[string]int // members of a group, by entity, that what was recorded holds for
}

// source is something about the members of a population.
type source struct {
	kind   sourceKind
	entity string
	role   *legislation.Role
	n      int
}

type sourceKind uint8

const (
	countSource    sourceKind = iota // a constant as long as there are groups
	groupSource                      // of each person its group
	roleSource                       // of each person whether they have a role
	positionSource                   // of each person their place in the group
	sizeSource                       // of each group how many it has
	holderSource                     // of each group who has a role, -1 for nobody
	memberSource                     // of each group who is at a position
)

// planSteps bounds a plan.
const planSteps = 1 << 20

// NewRecorder makes a recorder for some rows.
func NewRecorder() *Recorder {
	return &Recorder{tape: vector.NewRowTape(planSteps), known: make(map[source]vector.Column), most: make(map[string]int)}
}

// Input makes a column an input of the plan. The simulations that are recorded are to be given what it returns.
func (r *Recorder) Input(c vector.Column) vector.Column {
	taped := r.tape.Input(c)
	r.inputs = append(r.inputs, taped)
	return taped
}

// Side tells whose questions about all rows the next ones are.
func (r *Recorder) Side(n int) { r.tape.Side(n) }

// refuse ends the recording.
func (r *Recorder) refuse(why string) {
	if r != nil {
		r.tape.Refuse(why)
	}
}

// source gives something about a population as an input.
func (r *Recorder) source(s source, p *Population) vector.Column {
	if c, ok := r.known[s]; ok {
		return c
	}
	c := r.Input(s.of(p, new([]bool)))
	r.sources, r.at = append(r.sources, s), append(r.at, len(r.inputs)-1)
	r.known[s] = c
	return c
}

// of makes the column of a source; who has a role it tells in room.
func (s source) of(p *Population, room *[]bool) vector.Column {
	switch s.kind {
	case countSource:
		return vector.Const(p.count, true)
	case groupSource:
		return vector.Of(p.groupOf)
	case roleSource:
		return vector.Of(p.whoHas(s.role, room))
	case positionSource:
		position, _ := p.positions()
		return vector.Of(position)
	case sizeSource:
		return vector.GroupCount(p.groupOf, p.count, nil)
	case holderSource:
		who := p.roleMask(s.role).bools
		return vector.Of(p.choose(func(person int) bool { return who[person] }).person)
	}
	position, _ := p.positions()
	return vector.Of(p.choose(func(person int) bool { return int(position[person]) == s.n }).person)
}

// bind makes the groups of a population known to the tape.
func (r *Recorder) bind(p *Population) {
	if r == nil {
		return
	}
	count := r.source(source{kind: countSource, entity: p.entity.Key}, p)
	r.tape.Bind(p.groupOf, r.source(source{kind: groupSource, entity: p.entity.Key}, p), count)
}

// overPersons makes ready what is to be aggregated over the groups of a population: a constant is one for the persons
// of any rows.
func (r *Recorder) overPersons(p *Population, c vector.Column) (vector.Column, error) {
	r.bind(p)
	if c.Taped() || !c.Constant() {
		return c, nil
	}
	return vector.Fill(c, r.source(source{kind: groupSource, entity: p.entity.Key}, p))
}

// reduce folds for groups of other sizes than those at hand. From where nobody is left, steps must change nothing, as
// Population.mayStop wants it.
func (r *Recorder) reduce(p *Population, result vector.Column, step legislation.Reducer, filtered, neutral vector.Column) (vector.Column, error) {
	_, largest := p.positions()
	steps := max(largest+1, reducedMembers)
	r.most[p.entity.Key] = max(r.most[p.entity.Key], steps-1)
	for n := range steps {
		values, err := p.ValueNthPerson(n, filtered, neutral)
		if err != nil {
			return result, err
		}
		after, err := step(result, values)
		if err != nil {
			return result, err
		}
		who := r.source(source{kind: memberSource, entity: p.entity.Key, n: n}, p)
		settled, err := p.sim.rules.Settled(result, after, who)
		if err != nil {
			return result, err
		}
		if ok, err := p.sim.rules.Any(settled); err != nil || !ok {
			return result, errors.Join(err, p.sim.rows.Whole("reduce() with a neutral element that is none"))
		}
		result = after
	}
	return result, nil
}

// reducedMembers is how large groups are at least that a fold is recorded for.
const reducedMembers = 8

// Plan is what was recorded, to be carried out for other rows. It never changes, but that it learns how it is carried out soonest.
type Plan struct {
	program *programOf
	special *special
	sources []source
	at      []int
	inputs  int
	results []resultOf
	most    map[string]int
}

// resultOf says which entity has a result.
type resultOf struct {
	entity string
	varies bool
}

// Result is a column that a plan gives, and the entity whose members it is about.
type Result struct {
	Column vector.Column
	Entity string
}

// Plan makes a plan of what was recorded; the error says why there can be none.
func (r *Recorder) Plan(results []Result) (*Plan, error) {
	columns, of := make([]vector.Column, len(results)), make([]resultOf, len(results))
	for i, one := range results {
		columns[i] = one.Column
		_, of[i].varies = r.tape.Slot(one.Column)
		of[i].entity = one.Entity
	}
	program, err := r.tape.Program(r.inputs, columns)
	if err != nil {
		return nil, err
	}
	return &Plan{&programOf{made: program}, &special{}, r.sources, r.at, len(r.inputs), of, r.most}, nil
}

// special is the program that a plan is mostly carried out by: it takes for granted what was the same for all rows so far.
type special struct {
	mu      sync.Mutex // of whoever learns
	program atomic.Pointer[vector.Program]
	seen    vector.Seen
	made    int
	packed  int // how often it was made when the plan was packed
	tables  tables
}

// maxSpecials bounds how often a special program is made: each knows less than the one before, and holds more often.
const maxSpecials = 12

// learn makes a special program of what was seen of some rows, besides those before them. The caller holds the lock.
func (s *special) learn(of *vector.Program, rules *vector.Rules, seen *vector.Seen) {
	s.made++
	s.seen.Join(seen)
	s.program.Store(of.Special(rules, &s.seen))
}

// Executor carries out plans of one system, one at a time.
type Executor struct {
	programs vector.Player
	rules    *vector.Rules // with what computes with objects
	masks    [][]bool      // room for who has a role, by source
}

// ErrOtherRows says that rows are not such as a plan was made for.
var ErrOtherRows = errors.New("the plan is not for these rows")

// Play carries out a plan for the rows that spec describes. inputs are in the order in which they were given to the recorder;
// rows gives who is asked about all rows, by side, anew whenever they are asked from the beginning. The results are good until
// the next call. ErrOtherRows says that formulas must run.
func (y *Executor) Play(ctx context.Context, p *Plan, system *legislation.System, spec Spec, inputs []vector.Column, rows func() []legislation.Rows) ([]vector.Column, error) {
	if err := system.Unprepared(); err != nil {
		return nil, err // the inputs of a plan are those of a file
	}
	s := &Simulation{ctx: ctx, system: system, rules: system.Rules()}
	err := s.populate(spec)
	if err != nil {
		return nil, err
	}
	for entity, most := range p.most {
		if _, largest := s.PopulationOf(entity).positions(); largest > most {
			return nil, ErrOtherRows
		}
	}
	all := make([]vector.Column, p.inputs)
	for i, source := range p.sources {
		if len(y.masks) == i {
			y.masks = append(y.masks, nil)
		}
		all[p.at[i]] = source.of(s.PopulationOf(source.entity), &y.masks[i])
	}
	next := 0
	for i := range all {
		if next < len(p.at) && p.at[next] == i {
			next++
			continue
		}
		if len(inputs) == 0 {
			return nil, fmt.Errorf("a plan has more inputs than it is given")
		}
		all[i], inputs = inputs[0], inputs[1:]
	}
	if y.rules == nil {
		s.Runtime()
		y.rules = s.rules
	}
	out, ok := y.play(p, all, rows)
	if !ok {
		return nil, ErrOtherRows
	}
	for i, of := range p.results {
		count := s.PopulationOf(of.entity).count
		if !of.varies || out[i].Constant() {
			if out[i], err = vector.Fill(out[i], vector.Const(count, true)); err != nil {
				return nil, err
			}
		}
		if out[i].Len() != count {
			return nil, ErrOtherRows
		}
	}
	return out, nil
}

// play carries out the special program of a plan, or where that does not hold the plan itself.
func (y *Executor) play(p *Plan, inputs []vector.Column, rows func() []legislation.Rows) ([]vector.Column, bool) {
	agree := func() func(int, bool, bool) bool {
		asked := rows()
		return func(side int, all, mine bool) bool { return asked[side].Agree(all, mine) }
	}
	plays := func(program *vector.Program) ([]vector.Column, bool) {
		y.programs.Seen = nil
		return y.programs.Play(program, y.rules, inputs, agree())
	}
	tried := p.special.program.Load()
	if tried != nil {
		if quick := p.special.tables.program(&y.programs, tried, y.rules, inputs); quick != nil {
			if out, ok := plays(quick); ok {
				return out, true
			}
		}
		if out, ok := plays(tried); ok {
			return out, true
		}
	}
	// What does not hold is made anew by one executor. The others wait for it: it will hold for most of their rows, too.
	p.special.mu.Lock()
	if now := p.special.program.Load(); now != tried || p.special.made >= maxSpecials {
		p.special.mu.Unlock()
		if now != nil && now != tried {
			if out, ok := plays(now); ok {
				return out, true
			}
		}
		program := p.program.get()
		if program == nil {
			return nil, false
		}
		return plays(program)
	}
	defer p.special.mu.Unlock()
	program := p.program.get()
	if program == nil {
		return nil, false
	}
	y.programs.Seen = &vector.Seen{}
	out, ok := y.programs.Play(program, y.rules, inputs, agree())
	if ok {
		p.remember()
		p.special.learn(program, y.rules, y.programs.Seen)
	}
	return out, ok
}
