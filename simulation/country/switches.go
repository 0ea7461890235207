package country

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/policyengine"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// PolicyEngine's packages look for the reforms that parameters switch on when they make a system, and again when they make a simulation of one whose
// parameters were changed.

// household is what the class Simulation of a package for PolicyEngine does before formulas run.
type household struct {
	policyengine.Simulation
	module *py.Module
	class  *py.Class

	once sync.Once
	on   []string // what reforms that are switched on in the package's own law do
	err  error
}

// prepare reads what the class Simulation of a package for PolicyEngine makes of households.
func (p *Package) prepare() error {
	if !p.core.policy {
		return nil
	}
	for _, m := range p.core.modulesOf(p.Source.Name) {
		v, _ := m.Get("Simulation")
		class, ok := v.Object().(*py.Class)
		if !ok || class.Module != m.Name {
			continue
		}
		text, err := p.core.program.ReadFile(m.File)
		if err != nil {
			continue // it has no file
		}
		tree, err := pysyntax.ParseText(m.File, string(text))
		if err != nil {
			return err
		}
		p.household = &household{Simulation: policyengine.Read(tree), module: m, class: class}
		p.household.Remedy = policyengine.Remedy(p.Source.Name, p.household.Partial)
		if p.household.Partial != "" {
			p.household.Differing = policyengine.Differing(p.Source.Name)
		}
		p.System.SetPreparation(&p.household.Preparation)
	}
	return nil
}

// Complete returns a system that was made of the package's by reforms, with the reforms that its parameters switch on, as a simulation of it has.
func (p *Package) Complete(ctx context.Context, system *legislation.System) (*legislation.System, error) {
	if p.household == nil || system == p.System {
		return system, nil
	}
	h := p.household
	if h.Yearly {
		for _, c := range system.Changes() {
			if err := wholeYears(c); err != nil {
				return nil, err
			}
		}
	}
	if h.Switches == nil {
		return system, nil
	}
	h.once.Do(func() { h.on, h.err = p.switched(context.WithoutCancel(ctx), p.System) })
	if h.err != nil {
		return nil, h.err
	}
	on, err := p.switched(ctx, system)
	if err != nil || slices.Equal(on, h.on) {
		return system, err
	}
	for _, was := range h.on {
		if !slices.Contains(on, was) {
			return nil, fmt.Errorf("a change of parameters switches off a reform that is part of the law (%s), which is not supported", was)
		}
	}
	return p.derive(ctx, system, func(th *py.Thread, object py.Value) py.Value {
		return th.Invoke(h.helper(th, "_Switched"), object, h.function(th, h.Switches.Function), h.day(th))
	})
}

// wholeYears rejects a change of part of a year. The original samples the changed parameters once a year, and this depends on the day.
func wholeYears(c legislation.Change) error {
	begins := c.From == period.Instant{} || c.From.Month == 1 && c.From.Day == 1
	if begins && (c.Until == nil || c.Until.Month == 12 && c.Until.Day == 31) {
		return nil
	}
	return fmt.Errorf("%s: this package reads parameters by whole years. A change begins on 1 January and ends on 31 December; for the tax year 2026-27 write 2026-01-01.2026-12-31", c.Path)
}

// switched lists what the reforms do that the parameters of a system switch on.
func (p *Package) switched(ctx context.Context, system *legislation.System) (done []string, err error) {
	c, h := p.core, p.household
	c.loading.Lock()
	defer c.loading.Unlock()
	th := c.program.NewThread(ctx, c.options.whileLoading())
	th.Local = c
	_, err = th.Try(func() py.Value {
		list := th.Invoke(h.helper(th, "_switched"), h.function(th, h.Switches.Function), p.objectOf(th, system), h.day(th))
		th.Each(list, func(v py.Value) bool { done = append(done, th.Str(v)); return true })
		return py.None
	})
	return done, err
}

func (h *household) helper(th *py.Thread, name string) py.Value {
	m, err := th.Import("policyengine_core.simulations")
	if err != nil {
		th.Throw(err)
	}
	v, _ := m.Get(name)
	return v
}

// function is one of the module of the class.
func (h *household) function(th *py.Thread, name string) py.Value {
	v, ok := h.module.Get(name)
	if !ok {
		th.Raise(py.NotImplementedError, "%s has no %s, which the reforms that parameters switch on need", h.module.Name, name)
	}
	return v
}

// day is the one on which reforms are looked for.
func (h *household) day(th *py.Thread) py.Value {
	var day py.Value
	if h.Switches.Own {
		day, _ = th.Attr(py.Obj(h.class), h.Switches.Day)
	} else {
		day = h.function(th, h.Switches.Day)
	}
	if h.Switches.Through != "" {
		day = th.Invoke(h.function(th, h.Switches.Through), day)
	}
	return day
}
