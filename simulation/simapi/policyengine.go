package simapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// policyEngine is the request form of PolicyEngine's household API, for the country whose package is served.
func (a *API) policyEngine() web.Service {
	household := object{
		{"people", object{{"you", object{{"age", object{{"2026", 40}}}, {"employment_income", object{{"2026", 30000}}}}}}},
		{"households", object{{"home", object{{"members", []string{"you"}}, {"household_net_income", object{{"2026", nil}}}}}}},
	}
	answered := object{
		{"people", object{{"you", object{{"age", object{{"2026", 40}}}, {"employment_income", object{{"2026", 30000}}}}}}},
		{"households", object{{"home", object{{"members", []string{"you"}}, {"household_net_income", object{{"2026", 24939.598}}}}}}},
	}
	anyHousehold := described(anyObject, "Persons and groups by their entity's plural name and by id, with values by period; null requests a value. axes are optional.")
	return web.Service{
		Name: "policyengine", Title: "Simulation, as PolicyEngine", Description: "The household requests of PolicyEngine's API, for the package of this server. Inputs are prepared as the package's class Simulation prepares them.",
		Prefixes: []string{"/" + a.o.Country},
		Errors:   a.policyErrors, Access: a.access(), CORS: exposing("Country-Package", "Country-Package-Hash", "Country-Package-Version"), TrailingSlash: true, MaxBody: a.o.Body, Timeout: a.o.Timeout, Headers: a.headed,
		Routes: []web.Route{{
			Method: http.MethodPost, Path: "/" + a.o.Country + "/calculate", Policy: a.policy(), Handle: a.with(a.policyCalculate),
			Doc: web.Doc{
				ID: "policyEngineCalculate", Summary: "Compute a household", Description: "Returns the household with every null replaced by its computed value; with axes, by one value per point. policy changes parameters between two days.",
				Body: &web.Body{Type: objectSchema(map[string]web.Schema{
					"household": anyHousehold,
					"policy":    described(byName(byName(anyValue)), "Values of parameters by path and by the first and last day with a point between."),
				}, "household"), Example: object{{"household", household}, {"policy", object{}}}},
				Answers: []web.Answer{{Status: 200, Type: objectSchema(map[string]web.Schema{"status": aText, "message": aNull, "result": anyHousehold}, "status", "message", "result"), Example: object{{"status", "ok"}, {"message", nil}, {"result", answered}}}},
			},
		}},
	}
}

// policyErrors shapes errors as PolicyEngine's API does.
func (a *API) policyErrors(_ *http.Request, err error) (int, any) {
	shape := func(message string) any { return object{{"status", "error"}, {"message", message}, {"result", nil}} }
	if e, ok := asRefusal(err); ok {
		return e.status, shape(e.message)
	}
	f := fault.From(err)
	return web.Status(f.Kind), shape(f.Message)
}

func (a *API) policyCalculate(l *law, w http.ResponseWriter, r *http.Request) error {
	v, err := a.visit(r)
	if err != nil {
		return err
	}
	defer v.end()
	if err := v.situation(); err != nil {
		return err
	}
	household, ok := legislation.Data{}, v.doc.Kind == legislation.Mapping
	if ok {
		household, ok = v.doc.Get("household")
	}
	if !ok {
		return &refusal{status: 400, message: `Missing value: send {"household": {…}}, and "policy" if the law is to be changed`}
	}
	system, err := v.policy(l)
	if err == nil {
		err = a.fillPoints(v, l, system, household)
	}
	if err != nil {
		return policyFailure(v.ctx, err)
	}
	if err := v.answer(object{{"status", "ok"}, {"message", nil}, {"result", household}}); err != nil {
		return err
	}
	return v.send(w)
}

// policy is the law with the changes that a request wants.
func (v *visit) policy(l *law) (*legislation.System, error) {
	policy, ok := v.doc.Get("policy")
	if !ok || policy.Kind == legislation.Mapping && policy.Map.Len() == 0 {
		return l.system, nil
	}
	reform, list := legislation.NewOrdered[legislation.Data](), legislation.NewOrdered[legislation.Data]()
	reform.Set("parameters", policy)
	list.Set("policy", legislation.Data{Kind: legislation.List, List: []legislation.Data{{Kind: legislation.Mapping, Map: reform}}})
	q := &request{doc: legislation.Data{Kind: legislation.Mapping, Map: list}}
	q.reforms = q.readReforms("policy")
	var system *legislation.System
	var err error = q.wrong
	if len(q.wrong) == 0 {
		system, err = q.composed(v.ctx, l)
	}
	if wrong, ok := scenario.AsProblems(err); ok {
		for i, p := range wrong {
			// The request has no list of reforms and no key parameters.
			wrong[i].Path = append([]string{"policy"}, p.Path[min(3, len(p.Path)):]...)
		}
		return nil, wrong
	}
	return system, err
}

// fillPoints answers a household in its own document, with axes for each of their points.
func (a *API) fillPoints(v *visit, l *law, system *legislation.System, household legislation.Data) error {
	sim, requests, points, err := a.simulationOf(v, l, system, household, nil, true)
	if err != nil {
		return err
	}
	_, along := household.Get("axes")
	for i := range requests {
		request := &requests[i]
		var value legislation.Data
		if along {
			if err := v.memory.Take(int64(points) * requestBytes); err != nil {
				return err
			}
			value, err = request.Points(sim, points)
		} else {
			value, err = request.ValueOrInfinity(sim)
		}
		if err != nil {
			return err
		}
		if text, ok := value.Text(); ok && request.Variable.Type == legislation.Date {
			value = legislation.DataOf(vector.PyStr(httpDate(text)))
		}
		request.Fill(value)
	}
	return checkDiffering(sim, requests)
}

// policyFailure is the refusal that a failed request stands for: the first problem, behind its place.
func policyFailure(ctx context.Context, err error) error {
	if ps, ok := scenario.AsProblems(err); ok && ctx.Err() == nil {
		if slices.Equal(ps[0].Path, []string{"error"}) { // OpenFisca's place for what is no object
			ps[0].Path[0] = "household"
		}
		return &refusal{status: http.StatusBadRequest, message: strings.Join(ps[0].Path, "/") + ": " + ps[0].Msg, cause: err}
	}
	return openFiscaFailure(ctx, err)
}
