package simapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// side is one of the two legislations of a request: the base, and the reform that it is compared with.
type side struct {
	system    *legislation.System
	scenarios []*scenario.Scenario
	runs      []*scenarioRun
}

// scenarioRun is the simulation of one scenario.
type scenarioRun struct {
	scenario *scenario.Scenario
	sim      *engine.Simulation
	tracer   *engine.Tracer
}

// prepared is a request whose names and scenarios are right.
type prepared struct {
	*request
	law    *law
	visit  *visit
	base   *side
	reform *side // nil without reforms
	sparse bool  // traces need not have what formulas read of the law
	clock  stopwatch

	language string // language of the answer's texts
}

// main is the side that value is about.
func (p *prepared) main() *side {
	if p.reform != nil {
		return p.reform
	}
	return p.base
}

// figures computes what value, or base_value, is.
type figures func(ctx context.Context, p *prepared, s *side) (any, error)

// scenarios answers calculate and simulate, which differ in their keys and in what they compute: choose checks what is
// asked and says how to compute it.
func (a *API) scenarios(l *law, w http.ResponseWriter, r *http.Request, keys []string, choose func(*prepared) (figures, error)) error {
	v, err := a.visit(r)
	if err != nil {
		return err
	}
	defer v.end()
	if err := a.compute(v, l, r, keys, choose); err != nil {
		return err
	}
	l.speak(w.Header(), l.language(r))
	return v.send(w)
}

// compute makes the answer of a visit.
func (a *API) compute(v *visit, l *law, r *http.Request, keys []string, choose func(*prepared) (figures, error)) error {
	q, err := a.readRequest(v, l, keys)
	if err != nil {
		return err
	}
	p, err := a.prepare(v, l, q)
	if err != nil {
		return err
	}
	p.language = l.language(r)
	compute, err := choose(p)
	if err != nil {
		return err
	}
	var payload object
	if q.validate {
		payload = p.validated()
	} else {
		if err := v.weigh(p.effort()); err != nil {
			return overloaded(err)
		}
		if payload, err = p.answer(v.ctx, compute); err != nil {
			return err
		}
	}
	return v.answer(envelope(r, q.context, &q.doc, payload))
}

// effort is about how many values the request asks for.
func (p *prepared) effort() int64 {
	sides, asked, effort := int64(1), int64(max(len(p.variables), 10)), int64(0) // a decomposition has some variables
	if p.reform != nil {
		sides = 2
	}
	for _, s := range p.base.scenarios {
		points, err := s.Situation.Cells()
		if err != nil {
			continue // it has been counted before
		}
		effort += sides * asked * (s.Situation.Members(points) + runEffort)
	}
	return effort
}

// answer computes both sides.
func (p *prepared) answer(ctx context.Context, compute figures) (object, error) {
	value, err := compute(ctx, p, p.main())
	if err != nil {
		return nil, err
	}
	var base any
	if p.reform != nil {
		if base, err = compute(ctx, p, p.base); err != nil {
			return nil, err
		}
	}
	p.clock.lap("calculate_simulation")
	o := object{{"suggestions", p.suggestions()}}
	if p.trace {
		tracebacks, touched := p.tracebacks()
		o.add("tracebacks", tracebacks)
		o.add("variables", touched)
	}
	o.add("value", value)
	o.add("base_value", base)
	if p.time {
		o.add("time", p.times())
	}
	return o, nil
}

// stopwatch measures the steps of a request.
type stopwatch struct {
	now     func() time.Time
	started time.Time
	last    time.Time
	laps    []lap
}

type lap struct {
	name string
	took time.Duration
}

func (s *stopwatch) lap(name string) {
	now := s.now()
	s.laps = append(s.laps, lap{name, now.Sub(s.last)})
	s.last = now
}

// prepare applies reforms and reads the scenarios; all problems of a stage are one refusal.
func (a *API) prepare(v *visit, l *law, q *request) (*prepared, error) {
	now := a.o.Now()
	p := &prepared{request: q, law: l, visit: v, clock: stopwatch{now: a.o.Now, started: now, last: now, laps: make([]lap, 0, 3)}}
	if err := p.compose(v.ctx); err != nil {
		return nil, err
	}
	p.clock.lap("compose_reforms")
	if err := a.parse(v.ctx, p); err != nil {
		return nil, err
	}
	p.clock.lap("build_scenarios")
	return p, nil
}

// parse reads the scenarios for both sides, and looks up the variables.
func (a *API) parse(ctx context.Context, p *prepared) error {
	var wrong scenario.Problems
	for _, s := range []*side{p.base, p.reform} {
		if s == nil || len(wrong) > 0 {
			continue
		}
		o := scenario.ScenarioOptions{Repair: p.validate, MaxPoints: a.o.Points, Suggest: p.law.suggest(ctx), Check: p.law.check(ctx), Adult: p.law.adult(ctx), Bounds: p.visit.bounds(), Workspace: p.visit.work}
		if a.o.AsSent {
			o.Suggest, o.Check = nil, nil
		}
		parsed, err := scenario.ParseScenarios(s.system, p.request.scenarios, o)
		if ps, ok := scenario.AsProblems(err); ok {
			for _, one := range ps {
				wrong = append(wrong, scenario.Problem{Path: append([]string{"scenarios"}, one.Path...), Msg: one.Msg})
			}
		} else if err != nil {
			return overloaded(err)
		}
		s.scenarios = parsed
	}
	for _, v := range p.variables {
		if msg := p.unknown(v.name); msg != "" {
			wrong = append(wrong, scenario.Problem{Path: v.path("name"), Msg: msg})
		}
	}
	if len(wrong) > 0 {
		return p.refused(400, wrong.Tree())
	}
	return nil
}

// unknown says what is wrong with the name of a variable, "" if all sides have it.
func (p *prepared) unknown(name string) string {
	_, inBase := p.base.system.Lookup(name)
	if p.reform == nil {
		return unknownVariable(inBase)
	}
	_, inReform := p.reform.system.Lookup(name)
	switch {
	case inBase != nil && inReform != nil:
		return unknownVariable(inReform)
	case inBase != nil:
		return fmt.Sprintf("Variable %q must exist in both base and reform tax and benefit system: the base has none", name)
	case inReform != nil:
		return fmt.Sprintf("Variable %q must exist in both base and reform tax and benefit system: the reform has none", name)
	}
	return ""
}

// suggestions is the list of the answer.
func (p *prepared) suggestions() list {
	out := list{}
	for i, s := range p.main().scenarios {
		for k := range s.Suggestions {
			out = append(out, &suggestion{i, &s.Suggestions[k]})
		}
	}
	return out
}

// suggestion is a value that a scenario was given.
type suggestion struct {
	scenario int
	*scenario.Suggestion
}

// validated is the answer to validate: the scenarios as they were understood.
func (p *prepared) validated() object {
	repaired := list{}
	for _, s := range p.main().scenarios {
		repaired = append(repaired, s.Repaired())
	}
	o := object{{"repaired_scenarios", repaired}, {"suggestions", p.suggestions()}}
	if p.time {
		o.add("time", p.times())
	}
	return o
}

func (p *prepared) times() object {
	var o object
	for _, l := range p.clock.laps {
		o.add(l.name, l.took.Seconds())
	}
	o.add("total", p.clock.now().Sub(p.clock.started).Seconds())
	return o
}

// start makes the simulations of a side.
func (a *API) start(ctx context.Context, p *prepared, s *side) error {
	for i, sc := range s.scenarios {
		r := &scenarioRun{scenario: sc}
		o := a.options(p.law, &p.visit.memory)
		if p.trace && s == p.main() {
			clock := a.o.Now
			if p.sparse {
				clock = nil // nobody asks how long it took
			}
			r.tracer = engine.NewTracer(clock)
			o.Tracer, o.Sparse = r.tracer, p.sparse
		}
		if s == p.base && p.reform != nil && i < len(p.reform.runs) {
			o.Lead = p.reform.runs[i].sim
		}
		sim, err := sc.Situation.Simulation(ctx, o)
		if err != nil {
			return p.failed(ctx, i, "", err)
		}
		r.sim = sim
		p.visit.borrowed(p.law, sim)
		s.runs = append(s.runs, r)
	}
	return nil
}

// compute returns a variable on a period, in the way the variable declares for outputs.
func (r *scenarioRun) compute(v *legislation.Variable, at period.Period) (vector.Column, error) {
	c, err := r.sim.CalculateOutput(v.ID, r.sim.Periods().Intern(at))
	if err != nil {
		return c, unfitting(err, v, at)
	}
	if i := nonFinite(c); i >= 0 {
		return c, &nonFiniteError{v, at.String(), r.scenario.Situation.Name(v.Entity, i), c.Float(i)}
	}
	return c, nil
}

// unfitting makes of an error that no formula met, for a period in another unit than the variable's, one that says what
// to ask for.
func unfitting(err error, v *legislation.Variable, at period.Period) error {
	_, inFormula := errors.AsType[*engine.FormulaError](err)
	if _, raised := errors.AsType[*legislation.Error](err); raised && !inFormula && v.Period != at.Unit && v.Period != period.Eternity {
		return &engine.WrongPeriod{Variable: v.Name, Period: at, Unit: v.Period}
	}
	return err
}

// nonFinite finds the first element that JSON has no number for, -1 if there is none.
func nonFinite(c vector.Column) int {
	if c.Type() != vector.Float32 && c.Type() != vector.Float64 {
		return -1
	}
	n := c.Len()
	if c.Constant() {
		n = min(n, 1)
	}
	for i := range n {
		if f := c.Float(i); math.IsNaN(f) || math.IsInf(f, 0) {
			return i
		}
	}
	return -1
}

// nonFiniteError says that a result is no number that can be shown.
type nonFiniteError struct {
	variable       *legislation.Variable
	period, member string
	value          float64
}

func (e *nonFiniteError) Error() string {
	return scenario.NonFiniteText(e.variable, e.period, e.member, e.value)
}

// failed is the refusal for a scenario that could not be computed.
func (p *prepared) failed(ctx context.Context, i int, variable string, err error) error {
	if ended := ending(ctx, err); ended != nil {
		return ended
	}
	if short := shortage(err); short != nil {
		return short
	}
	if ps, ok := scenario.AsProblems(err); ok {
		var under scenario.Problems
		for _, one := range ps {
			under = append(under, scenario.Problem{Path: append([]string{"scenarios"}, one.Path...), Msg: one.Msg})
		}
		return p.refused(400, under.Tree())
	}
	status, message := failure(err)
	if _, ok := errors.AsType[*nonFiniteError](err); ok {
		status = 422
	}
	if status == 0 {
		return err
	}
	if wrong, ok := errors.AsType[*engine.WrongPeriod](err); ok && len(p.variables) > 0 {
		message += ownPeriod(wrong)
	}
	detail := object{}
	if formula, ok := errors.AsType[*engine.FormulaError](err); ok {
		variable = formula.Variable
	}
	if variable != "" {
		detail.add("variable_name", variable)
	}
	if missing, ok := errors.AsType[*legislation.ParameterNotFound](err); ok {
		detail.add("parameter_name", missing.Name)
		detail.add("instant", missing.Day.String())
	}
	detail.add("message", message)
	e := p.refused(status, object{{"scenarios", object{{strconv.Itoa(i), detail}}}})
	e.message = "The simulation has no answer"
	e.cause = err
	return e
}
