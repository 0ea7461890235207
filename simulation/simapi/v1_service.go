package simapi

import (
	"fmt"
	"net/http"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
)

// v1 is /api/1 and /api/2: the service with an envelope around every answer.
func (a *API) v1() web.Service {
	get := func(path, id, summary, description string, h handler, params []web.Param, answer web.Schema, example object) web.Route {
		return web.Route{
			Method: http.MethodGet, Path: path, Policy: a.policy(), Handle: a.with(h),
			Doc: web.Doc{ID: id, Summary: summary, Description: description, Params: params, Answers: []web.Answer{{Status: 200, Type: answer, Example: example}}},
		}
	}
	deprecated := func(r web.Route) web.Route { r.Doc.Deprecated = true; return r }
	formula := func(path, id, summary, description string, h handler, params []web.Param, answer web.Schema, example object) web.Route {
		r := get(path, id, summary, description, h, params, answer, example)
		r.Errors, r.Handle = a.formulaErrors, a.with(h)
		return r
	}
	return web.Service{
		Name: "simulation-1", Title: "Simulation, /api/1", Description: "Tax-benefit simulation: scenarios, variables, parameters, reforms, dependency graph. " + unpreparedNote,
		Prefixes: []string{"/api"}, Errors: a.v1Errors, Access: a.access(), CORS: exposing("Country-Package-Hash", "Deprecation", "ETag", "Link", "X-API-Version"), TrailingSlash: true,
		MaxBody: a.o.Body, Timeout: a.o.Timeout, Headers: a.versioned, Schemas: scenarioParts,
		Routes: []web.Route{
			get("/api", "welcome1", "Welcome to /api/1", "Confirms that the service runs.", a.welcome, nil, welcomeSchema, object{{"apiVersion", 1}, {"message", "Welcome, this is the simulation service."}, {"method", "/api"}}),
			a.scenarioRoute("/api/1/calculate", "calculate1", "Compute variables", "Runs one simulation per scenario and returns the requested variables, inside the test cases or as lists.", a.calculate, web.Body{Type: calculateSchema, Example: exampleScenarios, More: moreScenarios}, calculatedSchema, exampleCalculate),
			a.scenarioRoute("/api/1/simulate", "simulate1", "Compute a decomposition", "Runs one simulation per scenario and returns a tree of figures that add up.", a.simulate, web.Body{Type: simulateSchema, Example: exampleScenarios[1:], More: moreSimulated}, simulatedSchema, exampleSimulate),
			a.whyRoute(),
			inLanguage(get("/api/1/entities", "entities1", "The entities, with an envelope", "Kinds of entities on which variables are defined, with their roles.", a.entities, withReforms, entitiesSchema, object{{"apiVersion", 1}, {"entities", object{}}})),
			inLanguage(get("/api/1/graph", "graph1", "The dependency graph", "The variables that the formulas of a variable mention, and theirs in turn, without running anything.", a.graph, withVariable, graphSchema, object{{"apiVersion", 1}, {"edges", list{}}, {"nodes", list{}}})),
			inLanguage(get("/api/1/parameters", "parameters1", "Parameters with their values", "Returns parameters with all their values, or at one instant.", a.parameters, []web.Param{{Name: "name", Type: severally, Description: "Name of a parameter; repeatable."}, {Name: "instant", Description: "An instant, or a period whose start counts, as text or JSON: 2016, \"2016-01-01\", [2016,1,1]."}}, parametersSchema, object{{"apiVersion", 1}, {"parameters", list{}}})),
			inLanguage(get("/api/1/reforms", "reforms1", "The reforms", "Reforms that the legislation declares.", a.reforms, withContext, reformsSchema, object{{"apiVersion", 1}, {"reforms", list{}}})),
			get("/api/1/swagger", "swagger1", "Swagger document", "Swagger 2.0 document of /api/1, with a path per computed variable.", a.swagger, nil, anyObject, object{{"swagger", "2.0"}}),
			inLanguage(get("/api/1/variables", "variables1", "Variables with their formulas", "Variables with their formulas.", a.variables, []web.Param{{Name: "name", Type: severally, Description: "Name of a variable; repeatable."}}, variablesSchema, object{{"apiVersion", 1}, {"variables", list{}}})),
			deprecated(inLanguage(get("/api/1/field", "field1", "One variable, as a field", "Use variables instead.", a.field, withVariable, fieldSchema, object{{"apiVersion", 1}, {"apiStatus", "deprecated"}, {"value", object{{"name", "irpp"}}}}))),
			deprecated(inLanguage(get("/api/1/fields", "fields1", "All variables", "Use variables instead.", a.fields, withContext, fieldsSchema, object{{"apiVersion", 1}, {"apiStatus", "deprecated"}, {"columns", list{}}, {"columns_tree", object{}}, {"prestations", list{}}}))),
			formula("/api/1/formula/{name}", "formula1", "Compute a variable for one person", "Computes one variable for a single person from inputs in the query.", a.formula1, []web.Param{{Name: "name", In: "path", Description: "Name of a variable.", Example: "nbptr"}, {Name: "period", Description: "The period. Defaults to this month.", Example: "2024"}}, formulaSchema, object{{"apiVersion", 1}, {"params", object{}}, {"value", 1.0}}),
			formula("/api/2/formula/{rest...}", "formula2", "Compute variables for one person", "Computes variables, joined by +, for a single person from inputs in the query. The path may begin with a period.", a.formula2, []web.Param{{Name: "rest", In: "path", Description: "[period/]name+name…", Example: "2024/nbptr+irpp"}}, formula2Schema,
				object{{"apiVersion", "2.1.0"}, {"params", object{}}, {"period", list{"year", list{2024, 1, 1}, 1}}, {"values", object{{"nbptr", 1.0}, {"irpp", 0.0}}}}),
		},
	}
}

var (
	withContext  = []web.Param{{Name: "context", Description: "Echoed in the response."}}
	withReforms  = append(withContext[:1:1], web.Param{Name: "reform", Type: severally, Description: "A reform to apply; repeatable."})
	withVariable = append(withReforms[:2:2], web.Param{Name: "variable", Description: "Name of a variable.", Example: "irpp"})
)

func (a *API) scenarioRoute(path, id, summary, description string, h handler, body web.Body, answer web.Schema, example object) web.Route {
	return inLanguage(web.Route{
		Method: http.MethodPost, Path: path, Policy: a.policy(), Handle: a.with(h),
		Doc: web.Doc{
			ID: id, Summary: summary, Description: description,
			Body:    &body,
			Answers: []web.Answer{{Status: 200, Type: answer, Example: example}},
		},
	})
}

// versioned adds the headers that tell the version of the server and which legislation it has.
func (a *API) versioned(h http.Header) {
	h["X-Api-Version"] = a.version
	if l := a.law.Load(); l != nil && l.hash != nil {
		h["Country-Package-Hash"] = l.hash
	}
}

// envelope puts what every answer has around a payload. Members that are nil are left out.
func envelope(r *http.Request, context, params any, payload object) object {
	o := append(make(object, 0, 5+len(payload)), member{"apiVersion", 1})
	for _, m := range [...]member{{"context", context}, {"method", r.URL.Path}, {"params", params}} {
		if m.value != nil {
			o = append(o, m)
		}
	}
	for _, m := range payload {
		if m.value != nil {
			o = append(o, m)
		}
	}
	return append(o, member{"url", requestURL(r)})
}

// requestURL is the address of the request, with its query.
func requestURL(r *http.Request) string {
	u := hostURL(r)
	return u[:len(u)-1] + r.URL.RequestURI()
}

// v1Errors shapes errors: the envelope, with code, message and tree.
func (a *API) v1Errors(r *http.Request, err error) (int, any) {
	e, ok := asRefusal(err)
	if !ok {
		return platformError(r, err)
	}
	message := e.message
	if message == "" {
		message = "Bad parameters in request"
	}
	shown := object{{"code", e.status}}
	if e.tree != nil {
		shown.add("errors", list{e.tree})
	}
	shown.add("message", message)
	return e.status, envelope(r, e.context, e.params, object{{"error", shown}})
}

// platformError is what is wrong before a handler is asked: path, method, content type, size, load.
func platformError(r *http.Request, err error) (int, any) {
	f := fault.From(err)
	status, message, enveloped := web.Status(f.Kind), f.Message, true
	switch f.Kind {
	case fault.Unsupported:
		status, message = http.StatusBadRequest, "Bad content-type: "+r.Header.Get("Content-Type")
	case fault.NotFound:
		message, enveloped = "Path not found: "+r.URL.Path, false
		if _, near, ok := strings.Cut(f.Message, ": did you mean "); ok {
			message += "; did you mean " + near
		}
	case fault.MethodNotAllowed:
		_, others, _ := strings.Cut(f.Message, ": use ")
		message, enveloped = fmt.Sprintf("You cannot use HTTP %s to access this URL. Use %s", r.Method, others), false
	}
	shown := object{{"error", object{{"code", status}, {"message", message}}}}
	if enveloped {
		return status, envelope(r, nil, nil, shown)
	}
	return status, append(object{{"apiVersion", 1}}, shown...)
}

func (a *API) welcome(_ *law, w http.ResponseWriter, r *http.Request) error {
	return web.WriteJSON(w, http.StatusOK, object{{"apiVersion", 1}, {"message", "Welcome, this is the simulation service."}, {"method", r.URL.Path}})
}
