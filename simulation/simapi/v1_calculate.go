package simapi

import (
	"context"
	"net/http"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

var calculateKeys = []string{
	"base_reforms", "context", "intermediate_variables", "labels", "output_format", "reforms", "scenarios", "time", "trace",
	"validate", "variables",
}

func (a *API) calculate(l *law, w http.ResponseWriter, r *http.Request) error {
	return a.scenarios(l, w, r, calculateKeys, func(p *prepared) (figures, error) {
		return a.values, p.checkFormat()
	})
}

// checkFormat refuses what has no test case to put answers into.
func (p *prepared) checkFormat() error {
	if p.format != formatTestCase || p.validate {
		return nil
	}
	for i, s := range p.base.scenarios {
		if len(s.Situation.Axes) > 0 {
			return p.refused(400, object{{"output_format", "To use axes, output_format must be \"variables\": scenario " + strconv.Itoa(i) + " has axes"}})
		}
		if s.HasTestCase() {
			continue
		}
		if _, columns := s.Sent.Get("input_variables"); !columns {
			return p.refused(400, object{{"scenarios", object{{strconv.Itoa(i), object{{"test_case", "Missing value: a scenario has a test_case, or input_variables"}}}}}})
		}
		return p.refused(400, object{{"output_format", "Scenario " + strconv.Itoa(i) + " has no test_case to put the answer into: ask for output_format \"variables\""}})
	}
	return nil
}

// values computes the variables of every scenario of a side.
func (a *API) values(ctx context.Context, p *prepared, s *side) (any, error) {
	if err := a.start(ctx, p, s); err != nil {
		return nil, err
	}
	out := list{}
	for i, r := range s.runs {
		computed := object{}
		var results []scenario.Result
		for _, asked := range p.variables {
			v, err := s.system.Lookup(asked.name)
			if err != nil {
				return nil, err
			}
			at := asked.on(r.scenario.Period)
			c, err := r.compute(v, at)
			if err != nil {
				return nil, p.failed(ctx, i, asked.name, err)
			}
			if p.format == formatVariables {
				computed.add(asked.name, p.shown(v, c))
			} else {
				results = append(results, p.result(v, periodOf(v, at), c))
			}
		}
		if p.format == formatVariables {
			out = append(out, computed)
			continue
		}
		if p.intermediate {
			results = append(p.touched(r), results...)
		}
		out = append(out, r.scenario.TestCase(results))
	}
	return out, nil
}

// periodOf is the period that an answer is written under, "" for what does not depend on time.
func periodOf(v *legislation.Variable, at period.Period) string {
	if v.Period == period.Eternity {
		return ""
	}
	return at.String()
}

// shown is a column as the answer shows it.
func (p *prepared) shown(v *legislation.Variable, c vector.Column) any {
	if p.labels && v.Enum != nil && c.Type() == vector.Enum {
		return labelled{c, v.Enum}
	}
	return c
}

// result is a column as values of a test case.
func (p *prepared) result(v *legislation.Variable, at string, c vector.Column) scenario.Result {
	r := scenario.Result{Variable: v, Period: at, Values: make([]legislation.Data, c.Len())}
	for i := range r.Values {
		if p.labels && v.Enum != nil && c.Type() == vector.Enum {
			r.Values[i] = legislation.DataOf(vector.PyStr(v.Enum.Labels[c.Int(i)]))
		} else {
			r.Values[i] = scenario.ScalarOf(c, i)
		}
	}
	return r
}

// touched is everything that a simulation knows now, but for what can't be shown.
func (p *prepared) touched(r *scenarioRun) []scenario.Result {
	var out []scenario.Result
	r.known(func(v *legislation.Variable, at string, c vector.Column) {
		if nonFinite(c) < 0 {
			out = append(out, p.result(v, at, c))
		}
	})
	return out
}

// known visits every variable and period that has a value.
func (r *scenarioRun) known(visit func(v *legislation.Variable, at string, c vector.Column)) {
	for _, v := range r.sim.System().Variables() {
		h, err := r.sim.Holder(v.ID)
		if err != nil {
			continue
		}
		for _, at := range h.KnownPeriods() {
			c, ok := h.Array(at)
			if !ok {
				continue
			}
			text := at.String()
			if at.IsEternal() {
				text = ""
			}
			visit(v, text, c)
		}
	}
}
