package simapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// situation reads the body of a visit.
func (v *visit) situation() error {
	err := v.decode()
	if err == nil {
		return nil
	}
	if large := v.unread(err); large != nil {
		return large
	}
	return &refusal{status: 400, message: "Invalid JSON: " + jsonProblem(v.body, err)}
}

func (a *API) openFiscaCalculate(l *law, w http.ResponseWriter, r *http.Request) error {
	v, err := a.visit(r)
	if err != nil {
		return err
	}
	defer v.end()
	if err := v.situation(); err != nil {
		return err
	}
	if err := a.fill(v, l, v.doc); err != nil {
		return openFiscaFailure(v.ctx, err)
	}
	if err := v.answer(&v.doc); err != nil {
		return err
	}
	return v.send(w)
}

// fill answers a situation, in its own document.
func (a *API) fill(v *visit, l *law, doc legislation.Data) error {
	sim, requests, err := a.simulation(v, l, doc, nil)
	if err != nil {
		return err
	}
	for i := range requests {
		request := &requests[i]
		value, err := request.Value(sim)
		if err != nil {
			return err
		}
		if text, ok := value.Text(); ok && request.Variable.Type == legislation.Date {
			value = legislation.DataOf(vector.PyStr(httpDate(text)))
		}
		request.Fill(value)
	}
	return nil
}

// requestBytes is the memory of one value that is asked for, its result included.
const requestBytes = 256

// simulation makes the simulation of a situation, and lists what the document asks it for.
func (a *API) simulation(v *visit, l *law, doc legislation.Data, tracer *engine.Tracer) (*engine.Simulation, []scenario.Request, error) {
	sim, requests, _, err := a.simulationOf(v, l, l.system, doc, tracer, false)
	return sim, requests, err
}

// simulationOf is simulation under the law, or one that was derived from it, maybe with a partial preparation. It also tells how many points the axes have.
func (a *API) simulationOf(v *visit, l *law, system *legislation.System, doc legislation.Data, tracer *engine.Tracer, partial bool) (sim *engine.Simulation, requests []scenario.Request, points int, err error) {
	s, err := v.work.ParseEntities(&v.memory, system, doc)
	if err != nil {
		return nil, nil, 0, err
	}
	requests = scenario.Requests(system, doc)
	if err := v.memory.Take(int64(len(requests)) * requestBytes); err != nil {
		return nil, nil, 0, err
	}
	if points, err = s.Cells(); err != nil {
		return nil, nil, 0, err
	}
	effort := int64(len(requests)) * (s.Members(points) + runEffort)
	if tracer != nil {
		effort *= traceEffort
	}
	if err := v.weigh(effort); err != nil {
		return nil, nil, 0, err
	}
	s.Partial = partial
	o := a.options(l, &v.memory)
	o.Tracer = tracer
	if sim, err = s.Simulation(v.ctx, o); err != nil {
		return nil, nil, 0, err
	}
	v.borrowed(l, sim)
	return sim, requests, points, nil
}

// httpDate is a computed day as the original writes it, in the form of HTTP headers.
func httpDate(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format(http.TimeFormat)
}

// openFiscaFailure is the refusal that a failed simulation stands for.
func openFiscaFailure(ctx context.Context, err error) error {
	if ended := ending(ctx, err); ended != nil {
		return ended
	}
	if short := shortage(err); short != nil {
		return short
	}
	if ps, ok := scenario.AsProblems(err); ok {
		status := http.StatusBadRequest
		if ps[0].NotFound {
			status = http.StatusNotFound
		}
		return &refusal{status: status, tree: ps[:1].Tree(), cause: err}
	}
	status, message := failure(err)
	if status == 0 {
		return err
	}
	return &refusal{status: status, message: message, cause: err}
}

func (a *API) openFiscaTrace(l *law, w http.ResponseWriter, r *http.Request) error {
	v, err := a.visit(r)
	if err != nil {
		return err
	}
	defer v.end()
	if err := v.situation(); err != nil {
		return err
	}
	answer, err := a.trace(v, l, v.doc)
	if err != nil {
		return openFiscaFailure(v.ctx, err)
	}
	if err := v.answer(answer); err != nil {
		return err
	}
	return v.send(w)
}

func (a *API) trace(v *visit, l *law, doc legislation.Data) (object, error) {
	tracer := engine.NewTracer(a.o.Now)
	sim, requests, err := a.simulation(v, l, doc, tracer)
	if err != nil {
		return nil, err
	}
	asked := []string{}
	for _, request := range requests {
		if _, err := request.Column(sim); err != nil {
			return nil, err
		}
		asked = append(asked, request.Variable.Name+"<"+request.Period+">")
	}
	l.saw(sim.System(), tracer)
	who := object{}
	for _, p := range sim.Populations() {
		who.add(p.Entity().Plural, p.IDs())
	}
	return object{{"trace", flatTrace(tracer)}, {"entitiesDescription", who}, {"requestedCalculations", asked}}, nil
}

func flatTrace(tracer *engine.Tracer) object {
	steps := object{}
	for key, n := range tracer.Flat().All() {
		needs, read := []string{}, object{}
		for _, c := range n.Children {
			needs = append(needs, c.Key())
		}
		for _, p := range n.Parameters {
			read.set(openFiscaRead(p))
		}
		steps.add(key, object{
			{"dependencies", needs}, {"parameters", read}, {"value", traced(n.Value)},
			{"calculation_time", n.Duration().Seconds()}, {"formula_time", n.FormulaDuration().Seconds()},
		})
	}
	return steps
}

// openFiscaRead is a parameter that a step read: its key and its value. The original puts a point before the name of a
// parameter that lies at the top.
func openFiscaRead(p engine.ParameterRead) (key string, value any) {
	key = p.Name + "<" + p.Day.String() + ">"
	if p.Rows() {
		return key, expanded{p.Value.Scalar}
	}
	if !strings.Contains(p.Name, ".") {
		key = "." + key
	}
	return key, p.Value
}

// traced is the value of a step as the original writes it.
func traced(c vector.Column) any {
	if c.Type() == vector.Date {
		return httpDates{c}
	}
	return expanded{c}
}

func asRefusal(err error) (*refusal, bool) { return errors.AsType[*refusal](err) }
