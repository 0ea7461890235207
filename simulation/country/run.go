package country

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// run is the Python of one simulation: its thread and the objects that formulas were given. It lives
// as long as the simulation and belongs to its goroutine.
type run struct {
	core   *core
	th     *py.Thread
	sim    legislation.Simulation
	pops   map[legislation.Population]*populationObject
	last   *populationObject // that was asked for, which is nearly always the next
	law    *lawObject
	stored map[storedAttr]py.Value // attributes that formulas gave to parameter nodes
	kept   map[string]py.Value     // attributes of the system, as this run has them
	args   []py.Value              // stack of the arguments of the formulas that run
	watch  watch                   // of the formula under way
	blind  bool                    // nobody asks what it saw
	self   *simulationObject       // once it was asked for
	ownLaw bool                    // this is a branch that was made with a system of its own
	nested int                     // effects, as the thread counts them, of formulas that the one under way has asked for
}

// runOf returns the run that a thread belongs to, nil while packages are loaded.
func runOf(th *py.Thread) *run {
	r, _ := th.Local.(*run)
	return r
}

// lenientPeriods reports whether the package that a thread runs, or loads, may write months with one digit.
func lenientPeriods(th *py.Thread) bool {
	switch l := th.Local.(type) {
	case *run:
		return l.core.options.LenientPeriods || l.core.policy
	case *core:
		return l.options.LenientPeriods || l.policy
	}
	return false
}

// Enter implements legislation.Language.
func (c *core) Enter(sim legislation.Simulation) legislation.Runtime {
	r := &run{core: c, sim: sim, pops: map[legislation.Population]*populationObject{}}
	r.th = c.program.NewThread(sim.Context(), c.options.Limits)
	r.th.Local = r
	if repeater, ok := sim.(legislation.Repeater); ok {
		r.blind = !repeater.Repeats()
	}
	if rows := sim.Rows(); rows != nil {
		r.th.SetRows(someRows{rows, sim})
	}
	return r
}

// Objects implements legislation.Runtime.
func (r *run) Objects() vector.ObjectMath { return r.th.Rules().Objects }

// object is the simulation as Python sees it, the same each time.
func (r *run) object() *simulationObject {
	if r.self == nil {
		r.self = &simulationObject{r, r.sim}
	}
	return r.self
}

// runIn returns the run of a simulation.
func runIn(sim legislation.Simulation) *run { return sim.Runtime().(*run) }

// someRows tells the evaluator which arrays are data, if a simulation does not hold the whole population.
type someRows struct {
	legislation.Rows
	sim legislation.Simulation
}

// Has implements pyeval.Rows.
func (r someRows) Has(n int) bool {
	for _, e := range r.sim.System().Entities() {
		if p, ok := r.sim.Population(e.Key); ok && p.Count() == n {
			return true
		}
	}
	return false
}

// What belongs to one simulation is kept by none of the caches that all of them share.

// Transient implements pyeval.Transient.
func (*entryObject) Transient() {}

// Transient implements pyeval.Transient.
func (*movingPeriod) Transient() {}

// Transient implements pyeval.Transient.
func (movingInstant) Transient() {}

// Transient implements pyeval.Transient.
func (*populationObject) Transient() {}

// Transient implements pyeval.Transient.
func (*lawObject) Transient() {}

// population returns the object of a population.
func (r *run) population(p legislation.Population) *populationObject {
	if r.last != nil && r.last.pop == p {
		return r.last
	}
	o, ok := r.pops[p]
	if !ok {
		o = &populationObject{run: r, pop: p, attrs: map[string]py.Value{}}
		o.moving, _ = p.(legislation.MovingPopulation)
		r.pops[p] = o
	}
	r.last = o
	return o
}

// parameters returns the third argument of formulas.
func (r *run) parameters(law legislation.Law) *lawObject {
	if r.law == nil || r.law.law != law {
		r.law = &lawObject{run: r, law: law}
	}
	return r.law
}

// formula is a Python function as the engine calls it.
type formula struct {
	fn   *py.Function
	args int // 2 or 3: with or without parameters
}

// Eval implements legislation.Formula.
func (f *formula) Eval(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, error) {
	c, _, err := f.EvalRepeatable(p, at, law)
	return c, err
}

// EvalRepeatable implements legislation.Repeatable.
func (f *formula) EvalRepeatable(p legislation.Population, at *period.Entry, law legislation.Law) (vector.Column, legislation.Validity, error) {
	r := runIn(p.Simulation())
	base, outer, before, nested := len(r.args), r.watch, r.th.Effects(), r.nested
	r.nested = 0
	r.args = append(r.args, py.Obj(r.population(p)), r.begin(f, at))
	if f.args > 2 {
		r.args = append(r.args, py.Obj(r.parameters(law)))
	}
	// The formulas that this one asks for put their arguments behind.
	args := r.args[base:]
	v, err := r.th.Try(func() py.Value { return f.fn.Call(r.th, args, nil) })
	r.args = r.args[:base]
	var c vector.Column
	if err == nil {
		c, err = r.result(v)
	}
	effects := r.th.Effects() - before
	// What the formulas it asked for did is theirs.
	if effects != r.nested {
		r.watch.only(legislation.Nowhere)
	}
	valid := r.watch.end()
	r.watch, r.nested = outer, nested+effects
	return c, valid, err
}

// result is what a formula gave, as a column.
func (r *run) result(v py.Value) (vector.Column, error) {
	if c, ok := v.Column(); ok && c.Type() != vector.Object {
		return c, nil
	}
	if v.IsNone() {
		return vector.Column{}, legislation.ErrNoValue
	}
	var c vector.Column
	_, err := r.th.Try(func() py.Value {
		c = settled(r.th, toColumn(r.th, v))
		return py.None
	})
	return c, err
}
