package simapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"edict/platform/heap"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/why"
)

// Step is a figure on the way to another that two laws compute differently. It has no inputs, and no names of members.
type Step struct {
	Variable   string          `json:"variable"`
	Label      string          `json:"label,omitempty"`
	Period     string          `json:"period,omitempty"`
	Before     json.RawMessage `json:"before"`
	After      json.RawMessage `json:"after"`
	Parameters []StepParameter `json:"parameters,omitempty"`
}

// StepParameter is a parameter that a formula read under both laws, with other values.
type StepParameter struct {
	Name   string          `json:"name"`
	Label  string          `json:"label,omitempty"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}

const (
	// stepDepth is how deep two trees are compared, maxSteps how many steps are told.
	stepDepth, maxSteps = 8, 20
)

// Differences finds the steps behind a figure of each household that two laws compute differently, the figure itself first, behind all requests.
// Households of one shape are traced together. done is told of each: its steps, or why it has none. An error is that of
// the context.
func Differences(ctx context.Context, base, other *Law, households []Household, figures []int, done func(i int, steps []Step, err error)) error {
	return base.behind(func() error {
		for _, group := range other.groups(ctx, households) {
			if together, err := differencesTogether(ctx, base, other, households, group, figures); err == nil {
				for k, i := range group {
					done(i, together[k], nil)
				}
				continue
			}
			for _, i := range group {
				steps, err := differences(ctx, base, other, &households[i], figures[i])
				if ctx.Err() != nil {
					return ctx.Err()
				}
				done(i, steps, err)
			}
		}
		return ctx.Err()
	})
}

// differencesTogether finds the steps of households of one shape in two simulations. An error says that each has to be looked at alone.
func differencesTogether(ctx context.Context, base, other *Law, households []Household, group, figures []int) ([][]Step, error) {
	if len(group) == 1 {
		return nil, errApart
	}
	memory := base.api.budget.memory.Share(slotFree)
	defer memory.Close()
	after, err := other.nodesTogether(ctx, households, group, figures, &memory)
	if err != nil {
		return nil, err
	}
	before, err := base.nodesTogether(ctx, households, group, figures, &memory)
	if err != nil {
		return nil, err
	}
	steps := make([][]Step, len(group))
	for k := range group {
		steps[k] = differing(before[k], after[k])
	}
	return steps, nil
}

// nodesTogether are the branches of the trees behind a figure of each household, traced in one simulation.
func (l *Law) nodesTogether(ctx context.Context, households []Household, group, figures []int, memory *heap.Share) ([][]*why.Node, error) {
	situation, at, err := l.readTogether(ctx, households, group, memory)
	if err != nil {
		return nil, err
	}
	o := l.api.options(l.law, memory)
	var rows eachAlike
	o.Tracer, o.Scripted, o.Transcripts, o.Rows = engine.NewTracer(nil), false, false, &rows
	sim, err := situation.Simulation(ctx, o)
	if err != nil {
		return nil, err
	}
	defer l.law.finish(sim)
	run := scenarioRun{scenario: &scenario.Scenario{Situation: situation}, sim: sim, tracer: o.Tracer}
	all := make([][]*why.Node, len(group))
	for k, i := range group {
		asked := households[i].Figures[figures[i]]
		if all[k], err = run.nodesOf(l, asked, at, k, len(group)); err != nil {
			return nil, err
		}
		if rows.differ {
			return nil, errApart
		}
	}
	return all, nil
}

// nodesOf are the branches of the tree behind a figure of one of several households.
func (r *scenarioRun) nodesOf(l *Law, asked HouseholdFigure, at period.Period, household, of int) ([]*why.Node, error) {
	v, err := l.system.Lookup(asked.Variable)
	if err != nil {
		return nil, err
	}
	at, ok := figurePeriod(v, at)
	if !ok {
		return nil, nil
	}
	count := r.sim.PopulationOf(v.Entity.Key).Count() / of
	if asked.Index < 0 || asked.Index >= count {
		return nil, errApart // where it is said what is wrong
	}
	q := r.question(l.law, stepDepth)
	q.Figures = true
	tree, err := q.Explain(why.Figure{Variable: v, Period: at, Row: household*count + asked.Index}, nil)
	if err != nil {
		return nil, err
	}
	return branches(tree), nil
}

// figurePeriod returns the period that a figure is explained on. A sum over months is explained on the last of them, where a change that takes
// effect within the year shows. It returns false for a figure of a part of the variable's period.
func figurePeriod(v *legislation.Variable, at period.Period) (period.Period, bool) {
	if v.Period == period.Eternity {
		return period.Eternal, true
	}
	if at.Unit == v.Period && at.Size == 1 {
		return at, true
	}
	parts, err := at.Subperiods(v.Period)
	if err != nil || len(parts) == 0 {
		return at, false
	}
	return parts[len(parts)-1], true
}

// branches are those of a tree, from the top.
func branches(tree *why.Node) []*why.Node {
	nodes := []*why.Node{tree}
	for i := 0; i < len(nodes); i++ {
		nodes = append(nodes, nodes[i].Branches...)
	}
	return nodes
}

func differences(ctx context.Context, base, other *Law, h *Household, figure int) ([]Step, error) {
	memory := base.api.budget.memory.Share(slotFree)
	defer memory.Close()
	after, err := other.nodes(ctx, h, figure, &memory)
	if err != nil {
		return nil, err
	}
	before, err := base.nodes(ctx, h, figure, &memory)
	if err != nil {
		return nil, err
	}
	return differing(before, after), nil
}

// nodes are the branches of the tree behind a figure, from the top.
func (l *Law) nodes(ctx context.Context, h *Household, figure int, memory *heap.Share) ([]*why.Node, error) {
	tree, err := l.tree(ctx, h, figure, memory, true)
	if errors.Is(err, why.ErrStale) {
		tree, err = l.tree(ctx, h, figure, memory, false)
	}
	if err != nil || tree == nil {
		return nil, err
	}
	return branches(tree), nil
}

func (l *Law) tree(ctx context.Context, h *Household, figure int, memory *heap.Share, sparse bool) (*why.Node, error) {
	work := scenario.Borrow()
	defer work.GiveBack()
	situation, at, err := l.read(ctx, h, work, memory)
	if err != nil {
		return nil, err
	}
	v, err := l.system.Lookup(h.Figures[figure].Variable)
	if err != nil {
		return nil, err
	}
	at, ok := figurePeriod(v, at)
	if !ok {
		return nil, nil
	}
	o := l.api.options(l.law, memory)
	tracer := engine.NewTracer(nil)
	o.Tracer, o.Sparse, o.Transcripts = tracer, sparse, false
	sim, err := situation.Simulation(ctx, o)
	if err != nil {
		return nil, err
	}
	defer l.law.finish(sim)
	run := scenarioRun{scenario: &scenario.Scenario{Situation: situation}, sim: sim, tracer: tracer}
	q := run.question(l.law, stepDepth)
	q.Figures = true
	return q.Explain(why.Figure{Variable: v, Period: at, Row: h.Figures[figure].Index}, nil)
}

// differing pairs the branches of two trees.
func differing(before, after []*why.Node) []Step {
	known := make(map[string]*why.Node, len(before))
	for _, n := range before {
		known[n.Figure.String()] = n
	}
	var steps []Step
	seen := map[string]bool{}
	for _, n := range after {
		key := n.Figure.String()
		was := known[key]
		if was == nil || seen[key] || n.Origin != why.Computed || was.Origin != why.Computed {
			continue
		}
		seen[key] = true
		s := Step{Variable: n.Variable.Name, Before: shownElement(was.Value).appendTo(nil), After: shownElement(n.Value).appendTo(nil), Parameters: changed(was, n)}
		if bytes.Equal(s.Before, s.After) && len(s.Parameters) == 0 {
			continue
		}
		if label := n.Variable.Label; label != s.Variable {
			s.Label = label
		}
		if !n.Period.IsEternal() {
			s.Period = n.Period.String()
		}
		if steps = append(steps, s); len(steps) == maxSteps {
			break
		}
	}
	return steps
}

// changed are the parameters that both read, with other values.
func changed(before, after *why.Node) []StepParameter {
	known := map[string]json.RawMessage{}
	for _, p := range before.Parameters {
		known[p.Name+" "+p.Day.String()] = parameterText(p)
	}
	var out []StepParameter
	for _, p := range after.Parameters {
		was, is := known[p.Name+" "+p.Day.String()], parameterText(p)
		if was == nil || bytes.Equal(was, is) {
			continue
		}
		out = append(out, StepParameter{Name: p.Name, Label: p.Label, Before: was, After: is})
	}
	return out
}

func parameterText(p why.Parameter) json.RawMessage {
	if p.Data == nil {
		return shownElement(p.Value).appendTo(nil)
	}
	text := appendValue(nil, p.Data)
	if len(text) > 2000 {
		return json.RawMessage(strconv.Quote("…"))
	}
	return text
}
