package simapi

import (
	"strings"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// tracebacks are, for every scenario, the steps of its simulation and the variables it touched.
func (p *prepared) tracebacks() (steps, variables list) {
	steps, variables = list{}, list{}
	for _, r := range p.main().runs {
		t := traceback{run: r, system: r.sim.System(), texts: r.sim.System().Texts(p.language), seen: map[string]bool{}, given: map[string]bool{}, steps: list{}}
		for _, in := range r.scenario.Situation.Found() {
			t.given[in.Variable.Name] = true
		}
		p.law.saw(t.system, r.tracer)
		for _, root := range r.tracer.Trees {
			t.walk(root)
		}
		steps = append(steps, append(t.inputs(), t.steps...))
		touched := object{}
		r.known(func(v *legislation.Variable, at string, c vector.Column) {
			if at == "" {
				touched.set(v.Name, p.shown(v, c))
				return
			}
			if len(touched) == 0 || touched[len(touched)-1].key != v.Name {
				touched.add(v.Name, object{})
			}
			last := &touched[len(touched)-1]
			o := last.value.(object)
			o.add(at, p.shown(v, c))
			last.value = o
		})
		variables = append(variables, touched)
	}
	return steps, variables
}

// traceback lists the steps of a simulation: what was given, then results as they were completed, each once.
type traceback struct {
	run    *scenarioRun
	system *legislation.System
	texts  legislation.Texts
	seen   map[string]bool
	given  map[string]bool
	steps  list
}

func (t *traceback) inputs() list {
	out := list{}
	for _, in := range t.run.scenario.Situation.Found() {
		if t.seen[in.Variable.Name+"<"+in.Period.String()+">"] {
			continue
		}
		var at any // what does not depend on time has no period
		if !in.Period.IsEternal() {
			at = in.Period.String()
		}
		out = append(out, t.step(in.Variable, at, false, nil, nil, true))
	}
	return out
}

func (t *traceback) walk(n *engine.Trace) {
	key := n.Key()
	if t.seen[key] {
		return
	}
	t.seen[key] = true
	for _, c := range n.Children {
		t.walk(c)
	}
	v, err := t.system.Lookup(n.Variable)
	if err != nil {
		return
	}
	computed := !v.IsInput() && (len(n.Children) > 0 || len(n.Parameters) > 0 || !t.given[v.Name])
	defaults := true
	var needs, read any
	met := map[string]bool{} // what a formula asks for twice is told once
	if len(n.Children) > 0 {
		inputs := list{}
		for _, c := range n.Children {
			if met[c.Key()] {
				continue
			}
			met[c.Key()] = true
			inputs = append(inputs, list{c.Variable, c.Period.String()})
			defaults = defaults && t.isDefault(c)
		}
		needs = inputs
	}
	if len(n.Parameters) > 0 {
		parameters := list{}
		for _, p := range n.Parameters {
			if key := p.Name + " " + p.Day.String(); !p.Rows() {
				if met[key] || strings.Contains(p.Name, "._") { // a node's own attribute is no parameter
					continue
				}
				met[key] = true
			}
			parameters = append(parameters, readParameter(p))
		}
		read = parameters
	}
	t.steps = append(t.steps, t.step(v, n.Period.String(), computed, needs, read, defaults))
}

// readParameter is a parameter that a step read.
func readParameter(p engine.ParameterRead) object {
	o := object{{"@type", "Parameter"}, {"instant", p.Day.String()}, {"name", p.Name}}
	if p.Rows() {
		o.add("value", p.Value.Scalar)
	} else {
		o.add("value", p.Value)
	}
	return o
}

func (t *traceback) isDefault(n *engine.Trace) bool {
	v, err := t.system.Lookup(n.Variable)
	if err != nil || n.Err != nil {
		return false
	}
	byDefault := v.Default.Format(0)
	length := n.Value.Len()
	if n.Value.Constant() {
		length = min(length, 1)
	}
	for i := range length {
		if n.Value.Format(i) != byDefault {
			return false
		}
	}
	return true
}

func (t *traceback) step(v *legislation.Variable, at any, computed bool, needs, read any, defaults bool) object {
	said := t.texts.Label(v)
	label := orNull(said)
	if said == v.Name {
		label = nil
	}
	return object{
		{"cell_type", orNull(valueKind(v))}, {"default_input_variables", defaults}, {"entity", v.Entity.Plural},
		{"input_variables", needs}, {"is_computed", computed}, {"label", label}, {"name", v.Name}, {"parameters", read}, {"period", at},
	}
}
