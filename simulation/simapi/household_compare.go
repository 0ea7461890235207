package simapi

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"edict/platform/cores"
	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
)

// Many households are computed as one simulation where they have one shape: a formula then runs once for all of them, over columns. What is wrong
// with one of them is found by computing each alone.

// maxTogether is how many households one simulation has.
const maxTogether = 256

// Compare computes households under two laws, one after the other, behind all requests. done is told of each: its figures under both,
// or why it has none. An error is that of the context.
func Compare(ctx context.Context, base, other *Law, households []Household, done func(i int, before, after []float64, err error)) error {
	return base.behind(func() error {
		for _, group := range other.groups(ctx, households) {
			if err := compareGroup(ctx, base, other, households, group, done); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// behind computes behind all requests. A panic is an error: no handler of a request catches it here.
func (l *Law) behind(compute func() error) error {
	return cores.Behind(func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
				l.api.o.Log.Error("comparing households", "error", err, "stack", string(debug.Stack()))
			}
		}()
		return compute()
	})
}

// groups are the indices of households that can be computed together. One that cannot be read is alone.
func (l *Law) groups(ctx context.Context, households []Household) (all [][]int) {
	memory := l.api.budget.memory.Share(slotFree)
	defer memory.Close()
	open := map[string]int{} // by shape, the group that is not full
	for i := range households {
		if ctx.Err() != nil {
			return all // Compare tells
		}
		shape, ok := l.shape(ctx, &households[i], &memory)
		g, there := open[shape]
		if !ok || !there || len(all[g]) == maxTogether {
			g = len(all)
			all = append(all, nil)
		}
		if all[g] = append(all[g], i); ok {
			open[shape] = g
		}
	}
	return all
}

// shape is that of a household with what is asked of it.
func (l *Law) shape(ctx context.Context, h *Household, memory *heap.Share) (shape string, ok bool) {
	work := scenario.Borrow()
	defer work.GiveBack()
	situation, at, err := l.read(ctx, h, work, memory)
	if err != nil || h.checkMoved(situation, at) != nil {
		return "", false
	}
	return fmt.Sprint(h.TestCase, at, h.Figures, situation.Shape()), true
}

// compareGroup computes households of one shape, together or else each alone.
func compareGroup(ctx context.Context, base, other *Law, households []Household, group []int, done func(i int, before, after []float64, err error)) error {
	memory := base.api.budget.memory.Share(slotFree)
	defer memory.Close()
	if len(group) > 1 {
		before, after, err := compareTogether(ctx, base, other, households, group, &memory)
		if err == nil {
			for k, i := range group {
				done(i, before[k], after[k], nil)
			}
			return nil
		}
	}
	for _, i := range group {
		before, after, err := compare(ctx, base, other, &households[i], &memory)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		done(i, before, after, err)
	}
	return ctx.Err()
}

func compareTogether(ctx context.Context, base, other *Law, households []Household, group []int, memory *heap.Share) (before, after [][]float64, err error) {
	if after, err = other.computeTogether(ctx, households, group, memory); err != nil {
		return nil, nil, err
	}
	before, err = base.computeTogether(ctx, households, group, memory)
	return before, after, err
}

// errApart says that households have to be computed each alone.
var errApart = errors.New("households that cannot be computed together")

// computeTogether makes one simulation of households and asks it for their figures.
func (l *Law) computeTogether(ctx context.Context, households []Household, group []int, memory *heap.Share) ([][]float64, error) {
	first := &households[group[0]]
	variables, err := l.variables(first)
	if err != nil {
		return nil, err
	}
	situation, at, err := l.readTogether(ctx, households, group, memory)
	if err != nil {
		return nil, err
	}
	o := l.api.options(l.law, memory)
	var rows eachAlike
	o.Scripted, o.Transcripts, o.Rows = false, false, &rows // a script does not ask again
	sim, err := situation.Simulation(ctx, o)
	if err != nil {
		return nil, err
	}
	defer l.law.finish(sim)
	values := make([][]float64, len(group))
	run := scenarioRun{scenario: &scenario.Scenario{Situation: situation}, sim: sim}
	for f, v := range variables {
		if err = run.figures(v, at, first.Figures[f].Index, values); err != nil {
			break
		}
	}
	if rows.differ {
		err = errApart
	}
	return values, err
}

// eachAlike finds out whether households that are computed together could answer a question about everybody in different ways: a formula that
// asks whether anybody fulfils a condition means anybody of one household.
type eachAlike struct{ differ bool }

// Agree implements legislation.Rows.
func (r *eachAlike) Agree(all, mine bool) bool {
	if all != mine { // all do, or none does: so it is in each of them
		r.differ = true
	}
	return mine
}

// Whole implements legislation.Rows.
func (*eachAlike) Whole(string) error { return errApart }

// readTogether reads households into one situation.
func (l *Law) readTogether(ctx context.Context, households []Household, group []int, memory *heap.Share) (*scenario.Situation, period.Period, error) {
	var at period.Period
	all, shape := make([]*scenario.Situation, 0, len(group)), ""
	for k, i := range group {
		work := scenario.Borrow()
		defer work.GiveBack() // once all are one
		situation, on, err := l.read(ctx, &households[i], work, memory)
		if err != nil {
			return nil, at, err
		}
		switch own := situation.Shape(); {
		case k == 0:
			shape, at = own, on
		case own != shape:
			return nil, at, errApart // under this law
		}
		all = append(all, situation)
	}
	return scenario.Together(all), at, nil
}

// figures computes a variable of the same member of every household.
func (r *scenarioRun) figures(v *legislation.Variable, at period.Period, index int, values [][]float64) error {
	count := r.sim.PopulationOf(v.Entity.Key).Count() / len(values)
	if index < 0 || index >= count {
		return errApart // where it is said what is wrong
	}
	if v.Period == period.Eternity {
		at = period.Eternal
	}
	c, err := r.compute(v, at)
	if err != nil {
		return err
	}
	for k := range values {
		values[k] = append(values[k], number(v, c, k*count+index))
	}
	return nil
}
