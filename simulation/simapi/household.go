package simapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"edict/platform/heap"
	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// Law is a legislation that households are computed under by a caller in this process. It is safe for concurrent use.
type Law struct {
	api    *API
	law    *law
	system *legislation.System
}

// LawInForce is the legislation that is served.
func (a *API) LawInForce() (*Law, error) {
	l, err := a.loaded()
	if err != nil {
		return nil, err
	}
	return &Law{a, l, l.system}, nil
}

// LawOf is a legislation beside the one that is served.
func (a *API) LawOf(ctx context.Context, p *country.Package, system *legislation.System) (*Law, error) {
	l, err := newLaw(ctx, p, system, a.o.Headline)
	if err != nil {
		return nil, err
	}
	return &Law{a, l, system}, nil
}

// Package is the name and the version of the law's package.
func (l *Law) Package() (name, version string) { return l.law.name[0], l.law.version[0] }

// Reformed is the law with reforms: a list of keys and of reforms written as data, as JSON. What is wrong with them is a [HouseholdError].
func (l *Law) Reformed(ctx context.Context, reforms json.RawMessage) (*Law, error) {
	doc, err := scenario.DecodeJSON([]byte(`{"reforms": ` + string(reforms) + `}`))
	if err != nil {
		return nil, &HouseholdError{Status: 400, Message: "Invalid JSON: " + err.Error()}
	}
	q := &request{doc: doc}
	q.reforms = q.readReforms("reforms")
	if len(q.wrong) > 0 {
		return nil, householdProblems(q.wrong)
	}
	system, err := q.composed(ctx, l.law)
	if err != nil {
		return nil, householdError(err)
	}
	return &Law{l.api, l.law, system}, nil
}

// Household is a situation, and the figures that somebody asks of it.
type Household struct {
	Document json.RawMessage // a test case of /api/1, or a situation of /calculate
	TestCase bool
	Period   string
	Figures  []HouseholdFigure
	Moved    bool // the period is not the one it was written for: every input has to be about it
}

// HouseholdFigure is one figure of a household: a variable of one member.
type HouseholdFigure struct {
	Variable string
	Index    int
}

// HouseholdError says why a household has no figures.
type HouseholdError struct {
	Status  int
	Message string          // "" for the usual one
	Tree    json.RawMessage // what is wrong where, as it stands below test_case, situation, period or figures; nil for none
	Missing bool            // the law has no such variable
	Period  bool            // the household, or the variable, cannot be read on the period
	cause   error
}

// Error returns what is wrong.
func (e *HouseholdError) Error() string {
	if e.Message != "" {
		return e.Message
	}
	return string(e.Tree)
}

// Unwrap returns the cause.
func (e *HouseholdError) Unwrap() error { return e.cause }

func householdProblems(ps scenario.Problems) *HouseholdError {
	return &HouseholdError{Status: 400, Tree: scenario.AppendJSON(nil, ps.Tree()), cause: ps}
}

// householdError makes an error of one of a simulation. Those of the context and of the server stay what they are.
func householdError(err error, path ...string) error {
	if own, ok := errors.AsType[*HouseholdError](err); ok {
		return own
	}
	if ps, ok := scenario.AsProblems(err); ok {
		return householdProblems(below(ps, path...))
	}
	if short := shortage(err); short != nil {
		return short
	}
	status, message := failure(err)
	if _, ok := errors.AsType[*nonFiniteError](err); ok {
		status = 422
	}
	if status == 0 {
		return err
	}
	e := householdProblems(scenario.Problems{{Path: path, Msg: message}})
	_, e.Period = errors.AsType[*engine.WrongPeriod](err)
	e.Status, e.cause = status, err
	return e
}

// below is problems with their places below another.
func below(ps scenario.Problems, path ...string) scenario.Problems {
	out := make(scenario.Problems, len(ps))
	for i, p := range ps {
		p.Path = append(append([]string(nil), path...), p.Path...)
		out[i] = p
	}
	return out
}

// Figures computes the figures of a household, as a request does: when its turn comes.
func (l *Law) Figures(ctx context.Context, h Household) ([]float64, error) {
	leave, err := l.api.budget.enter(ctx, false)
	if err != nil {
		return nil, err
	}
	defer leave()
	memory := l.api.budget.memory.Share(slotFree)
	defer memory.Close()
	values, sim, err := l.compute(ctx, &h, &memory, nil)
	if err != nil {
		return nil, householdError(err)
	}
	l.law.finish(sim)
	return values, nil
}

func compare(ctx context.Context, base, other *Law, h *Household, memory *heap.Share) (before, after []float64, err error) {
	after, sim, err := other.compute(ctx, h, memory, nil)
	if err != nil {
		return nil, nil, householdError(err)
	}
	defer other.law.finish(sim)
	lead := sim
	if base.law != other.law {
		lead = nil // what one package computes says nothing about another
	}
	before, sim, err = base.compute(ctx, h, memory, lead)
	if err != nil {
		return nil, nil, householdError(err)
	}
	base.law.finish(sim)
	return before, after, nil
}

// compute makes the simulation of a household and asks it for the figures. The caller finishes it.
func (l *Law) compute(ctx context.Context, h *Household, memory *heap.Share, lead *engine.Simulation) ([]float64, *engine.Simulation, error) {
	work := scenario.Borrow()
	defer work.GiveBack()
	situation, at, err := l.read(ctx, h, work, memory)
	if err != nil {
		return nil, nil, err
	}
	if err := h.checkMoved(situation, at); err != nil {
		return nil, nil, err
	}
	variables, err := l.variables(h)
	if err != nil {
		return nil, nil, err
	}
	o := l.api.options(l.law, memory)
	o.Transcripts, o.Lead = false, lead // what is asked thousands of times is recorded at once
	sim, err := situation.Simulation(ctx, o)
	if err != nil {
		return nil, nil, householdError(err, h.root())
	}
	values := make([]float64, len(variables))
	run := scenarioRun{scenario: &scenario.Scenario{Situation: situation}, sim: sim}
	for i, v := range variables {
		if values[i], err = run.figure(v, at, h.Figures[i].Index); err != nil {
			l.law.finish(sim)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			return nil, nil, householdError(err, "figures", strconv.Itoa(i))
		}
	}
	return values, sim, nil
}

// root is the name under which a household is sent.
func (h *Household) root() string {
	if h.TestCase {
		return "test_case"
	}
	return "situation"
}

// read reads a household into a workspace.
func (l *Law) read(ctx context.Context, h *Household, work *scenario.Workspace, memory *heap.Share) (*scenario.Situation, period.Period, error) {
	at, err := scenario.ParsePeriod(legislation.DataOf(vector.PyStr(h.Period)))
	if err != nil {
		return nil, at, householdProblems(scenario.Problems{{Path: []string{"period"}, Msg: err.Error()}})
	}
	bounds := scenario.Bounds{Context: ctx, Values: l.api.o.Values, Memory: memory}
	if !h.TestCase {
		doc, err := work.ReadJSON([]byte(string(h.Document)), bounds)
		if err != nil {
			return nil, at, householdProblems(scenario.Problems{{Path: []string{"situation"}, Msg: err.Error()}})
		}
		situation, err := work.ParseEntities(memory, l.system, doc)
		if err != nil {
			return nil, at, householdError(err, "situation")
		}
		return situation, at, noAxes(situation)
	}
	text, err := json.Marshal(map[string]any{"period": h.Period, "test_case": h.Document})
	if err != nil {
		return nil, at, err
	}
	doc, err := work.ReadJSON(text, bounds)
	if err != nil {
		return nil, at, householdProblems(scenario.Problems{{Path: []string{"test_case"}, Msg: err.Error()}})
	}
	o := scenario.ScenarioOptions{Suggest: l.law.suggest(ctx), Check: l.law.check(ctx), Adult: l.law.adult(ctx), Bounds: bounds, Workspace: work}
	if l.api.o.AsSent {
		o.Suggest, o.Check = nil, nil
	}
	parsed, err := scenario.ParseScenarios(l.system, []legislation.Data{doc}, o)
	if ps, ok := scenario.AsProblems(err); ok {
		for i := range ps {
			ps[i].Path = ps[i].Path[1:] // there is one scenario
		}
		return nil, at, householdProblems(ps)
	}
	if err != nil {
		return nil, at, err
	}
	return parsed[0].Situation, at, nil
}

// checkMoved refuses a household that says something about other periods only.
func (h *Household) checkMoved(s *scenario.Situation, at period.Period) error {
	if !h.Moved {
		return nil
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if in.Period.IsEternal() {
			continue
		}
		around, _ := in.Period.Contains(at)
		if inside, _ := at.Contains(in.Period); !around && !inside {
			e := householdProblems(scenario.Problems{{Path: []string{h.root()}, Msg: "it has values on other periods than " + at.String()}})
			e.Period = true
			return e
		}
	}
	return nil
}

func noAxes(s *scenario.Situation) error {
	if len(s.Axes) == 0 {
		return nil
	}
	return householdProblems(scenario.Problems{{Path: []string{"situation", "axes"}, Msg: "a household has no axes: put the values of one point into it"}})
}

// variables looks up what the figures are of; all problems are told at once.
func (l *Law) variables(h *Household) ([]*legislation.Variable, error) {
	out := make([]*legislation.Variable, len(h.Figures))
	var wrong scenario.Problems
	missing := false
	for i, f := range h.Figures {
		v, err := l.system.Lookup(f.Variable)
		out[i] = v
		place := []string{"figures", strconv.Itoa(i), "variable"}
		switch {
		case err != nil:
			missing = true
			wrong = append(wrong, scenario.Problem{Path: place, Msg: unknownVariable(err)})
		case v.Type != legislation.Float && v.Type != legislation.Int && v.Type != legislation.Bool:
			wrong = append(wrong, scenario.Problem{Path: place, Msg: fmt.Sprintf("%s is no number: a figure is an amount, a count, or true or false", v.Name)})
		}
	}
	if len(wrong) == 0 {
		return out, nil
	}
	e := householdProblems(wrong)
	e.Missing = missing
	return nil, e
}

// figure computes a variable of one member.
func (r *scenarioRun) figure(v *legislation.Variable, at period.Period, index int) (float64, error) {
	if count := r.sim.PopulationOf(v.Entity.Key).Count(); index < 0 || index >= count {
		return 0, scenario.Problems{{Path: []string{"index"}, Msg: fmt.Sprintf("%s is a variable of %s, of which the household has %d: the index goes from 0 to %d, got %d", v.Name, v.Entity.Plural, count, count-1, index)}}
	}
	if v.Period == period.Eternity {
		at = period.Eternal
	}
	c, err := r.compute(v, at)
	if err != nil {
		return 0, err
	}
	return number(v, c, index), nil
}

// number is an element of a column as a figure.
func number(v *legislation.Variable, c vector.Column, index int) float64 {
	if c.Constant() {
		index = 0
	}
	if v.Type != legislation.Bool {
		return c.Float(index)
	}
	if c.Bool(index) {
		return 1
	}
	return 0
}
