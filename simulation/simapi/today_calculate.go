package simapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"edict/platform/web"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// situation reads the body of a request.
func (a *API) situation(r *http.Request) (*scenario.Document, error) {
	body, err := web.ReadBody(r)
	if err != nil {
		return nil, err
	}
	doc, err := scenario.ReadJSON(body)
	if err != nil {
		return nil, &refusal{status: 400, message: "Invalid JSON: " + jsonProblem(body, err)}
	}
	return doc, nil
}

func (a *API) todayCalculate(l *law, w http.ResponseWriter, r *http.Request) error {
	doc, err := a.situation(r)
	if err != nil {
		return err
	}
	leave, err := a.budget.enter(r.Context())
	if err != nil {
		return err
	}
	defer leave()
	if err := a.fill(r.Context(), l, doc.Data); err != nil {
		return todayFailure(r.Context(), err)
	}
	err = writeAnswer(w, &doc.Data)
	doc.Release() // a refusal may show parts of it, an answer that is written has none
	return err
}

// fill answers a situation, in its own document.
func (a *API) fill(ctx context.Context, l *law, doc legislation.Data) error {
	s, err := scenario.ParseEntities(l.system, doc)
	if err != nil {
		return err
	}
	sim, err := s.Simulation(ctx, a.options(l))
	if err != nil {
		return err
	}
	defer l.finish(sim)
	s.Release()
	for _, request := range scenario.Requests(l.system, doc) {
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

// httpDate is a computed day as the original writes it, in the form of HTTP headers.
func httpDate(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format(http.TimeFormat)
}

// todayFailure is the refusal that a failed simulation stands for.
func todayFailure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
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

func (a *API) todayTrace(l *law, w http.ResponseWriter, r *http.Request) error {
	doc, err := a.situation(r)
	if err != nil {
		return err
	}
	leave, err := a.budget.enter(r.Context())
	if err != nil {
		return err
	}
	defer leave()
	answer, err := a.trace(r.Context(), l, doc.Data)
	if err != nil {
		return todayFailure(r.Context(), err)
	}
	return writeAnswer(w, answer)
}

func (a *API) trace(ctx context.Context, l *law, doc legislation.Data) (object, error) {
	s, err := scenario.ParseEntities(l.system, doc)
	if err != nil {
		return nil, err
	}
	tracer := engine.NewTracer(a.o.Now)
	o := a.options(l)
	o.Tracer = tracer // whose steps go on using the periods, so they are not given back
	sim, err := s.Simulation(ctx, o)
	if err != nil {
		return nil, err
	}
	asked := []string{}
	for _, request := range scenario.Requests(l.system, doc) {
		if _, err := request.Column(sim); err != nil {
			return nil, err
		}
		asked = append(asked, request.Variable.Name+"<"+request.Period+">")
	}
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
			read.set(todayRead(p))
		}
		steps.add(key, object{
			{"dependencies", needs}, {"parameters", read}, {"value", traced(n.Value)},
			{"calculation_time", n.Duration().Seconds()}, {"formula_time", n.FormulaDuration().Seconds()},
		})
	}
	return steps
}

// todayRead is a parameter that a step read: its key and its value. The original puts a point before the name of a
// parameter that lies at the top.
func todayRead(p engine.ParameterRead) (key string, value any) {
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
	if c.Type() != vector.Date {
		return expanded{c}
	}
	days := make([]string, c.Len())
	for i := range days {
		days[i] = httpDate(c.Format(i))
	}
	return days
}

func asRefusal(err error) (*refusal, bool) { return errors.AsType[*refusal](err) }
