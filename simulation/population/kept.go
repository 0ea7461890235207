package population

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// To record a plan of a large legislation takes longer than to carry it out for some ten thousand persons. So plans are kept for later jobs, and
// for the other parts of the same one, that ask the same of the same law: whether a plan holds for their rows they find out as ever.

// PlanStore keeps texts for later jobs about the same package. [edict/simulation/country.Package] is one.
type PlanStore interface {
	// Kept gives what was kept for a question, "" if there is nothing that holds.
	Kept(question string) string
	// Keep keeps something for a question.
	Keep(question string, data []byte)
	// References names what plans refer to that were recorded of systems.
	References(systems ...*legislation.System) vector.References
}

// leastKept is how many steps plans have that are worth a file.
const leastKept = 10_000

// To record a plan for a file of few persons pays once the same is asked again. So that is what is kept at first of such a question, as lists of
// plans that are empty.
const (
	askedOnce = "\x00"
	inVain    = "\x00\x00" // a plan was to be recorded, and there is none that can be kept
)

// systems are those of the sides.
func (p *pass) systems() []*legislation.System {
	var all []*legislation.System
	for _, s := range p.sides {
		all = append(all, s.layout.system)
	}
	return all
}

// question tells apart jobs that are asked different things: of which columns, on which periods, and what of them.
func (p *pass) question() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plans\n%q\n", p.Law)
	for _, g := range p.given {
		l := p.sides[g.side].layout
		in := &l.inputs[g.input]
		fmt.Fprintf(&b, "%d %q %v %t\n", g.side, in.variable.Name, in.at.Exact(), l.wide(in))
	}
	for i, s := range p.sides {
		fmt.Fprintln(&b, p.givenOf[i])
		for _, o := range s.layout.outputs {
			fmt.Fprintf(&b, "%q %v %d\n", o.variable.Name, o.at.Exact(), o.how)
		}
	}
	return b.String()
}

// recall takes the plans that were kept, once in a job.
func (p *pass) recall() {
	if p.PlanStore == nil || p.plans == nil || p.whole || p.afresh || p.plans.asked {
		return
	}
	p.plans.asked = true
	data := p.PlanStore.Kept(p.question())
	p.plans.found = data
	if data == askedOnce || data == inVain {
		return
	}
	names := p.PlanStore.References(p.systems()...)
	for data != "" && len(p.plans.known) < maxPlans {
		n, size := binary.Uvarint([]byte(data[:min(len(data), binary.MaxVarintLen64)]))
		if size <= 0 || n > uint64(len(data)-size) {
			return
		}
		plan, err := engine.UnpackPlan(data[size:size+int(n)], p.base().system, names)
		if err != nil {
			return // formulas run, and are recorded
		}
		data = data[size+int(n):]
		p.plans.known = append(p.plans.known, plan)
		p.plans.taken++
	}
}

// keep keeps the plans of a job that has something to add to those that are kept, the most useful ones first.
func (p *pass) keep() {
	if p.PlanStore == nil || p.plans == nil || p.whole || p.afresh {
		return
	}
	if len(p.plans.known) == 0 {
		p.keepMark()
		return
	}
	if !slices.ContainsFunc(p.plans.known, (*engine.Plan).News) {
		return
	}
	steps := 0
	var out []byte
	names := p.PlanStore.References(p.systems()...)
	best := slices.Clone(p.plans.known)
	slices.SortStableFunc(best, func(a, b *engine.Plan) int { return p.plans.uses[b] - p.plans.uses[a] })
	for _, plan := range best[:min(len(best), maxPlans)] {
		data, err := plan.Pack(p.base().system, names)
		if err != nil {
			continue // it refers to something that has no name
		}
		steps += plan.Steps()
		out = append(binary.AppendUvarint(out, uint64(len(data))), data...)
	}
	if steps < leastKept && p.planned == 0 {
		p.keepMark()
		return
	}
	p.PlanStore.Keep(p.question(), out)
}

// keepMark keeps that a question was asked for a file of few persons, or that to record it is in vain, unless another job has kept something since.
func (p *pass) keepMark() {
	was := p.plans.found
	if !p.plans.few || p.plans.taken > 0 || was == inVain || p.PlanStore.Kept(p.question()) != was {
		return
	}
	mark := askedOnce
	if was == askedOnce {
		mark = inVain
	}
	p.PlanStore.Keep(p.question(), []byte(mark))
}
