package simapi

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
)

// openFisca is the interface that users of the OpenFisca web API have: its paths, shapes, statuses and texts.
func (a *API) openFisca() web.Service {
	get := func(path, id, summary, description string, h handler, answer web.Schema, example any) web.Route {
		return web.Route{
			Method: http.MethodGet, Path: path, Policy: a.policy(), Handle: a.with(h),
			Doc: web.Doc{ID: id, Summary: summary, Description: description, Answers: []web.Answer{{Status: 200, Type: answer, Example: example}}},
		}
	}
	about := func(r web.Route, id string) web.Route {
		r.Doc.Params = []web.Param{{Name: "id", In: "path", Example: id}}
		return r
	}
	root := get("/{$}", "welcome", "Welcome", "Describes the service and links to its specification. The status is 300, as it always was. Browsers, which ask for HTML, get a page instead.", a.openFiscaRoot, nil, nil)
	root.Handle = web.OrHome(root.Handle)
	root.Doc.Answers = []web.Answer{{Status: 300, Type: objectSchema(map[string]web.Schema{"welcome": aText}, "welcome"), Example: object{{"welcome", "…"}}}}
	return web.Service{
		Name: "simulation", Title: "Simulation, as OpenFisca", Description: "Tax-benefit simulation: the interface of the OpenFisca web API.",
		Prefixes: []string{"/", "/calculate", "/trace", "/entities", "/variables", "/variable", "/parameters", "/parameter", "/spec"},
		Errors:   a.openFiscaErrors, Access: a.access(), CORS: exposing("Country-Package", "Country-Package-Hash", "Country-Package-Version", "ETag"), TrailingSlash: true, MaxBody: a.o.Body, Timeout: a.o.Timeout, Headers: a.headed, Schemas: situationParts,
		Routes: []web.Route{
			root,
			inLanguage(get("/entities", "getEntities", "The entities", "Persons and the groups they form, with the roles of the groups.", a.openFiscaEntities, openFiscaEntitiesSchema, exampleEntities)),
			inLanguage(get("/variables", "getVariables", "List variables", "Returns every variable with a description and the address of its details.", a.openFiscaVariables, openFiscaIndexSchema, exampleVariables)),
			inLanguage(about(get("/variable/{id}", "getVariable", "One variable", "Type, default, period, entity, references and formulas of a variable.", a.openFiscaVariable, openFiscaVariableSchema, exampleVariable), "irpp")),
			inLanguage(get("/parameters", "getParameters", "List parameters", "Returns every parameter with a description and the address of its details.", a.openFiscaParameters, openFiscaIndexSchema, exampleParameters)),
			inLanguage(about(get("/parameter/{id...}", "getParameter", "Read a parameter", "Returns a parameter's values by date, a scale's brackets or a node's children. Separate steps with slashes or dots.", a.openFiscaParameter, openFiscaParameterSchema, exampleParameter), "impot_revenu.decote.taux")),
			get("/spec", "spec", "OpenAPI specification", "OpenAPI 3.0 document of this interface, with a schema per entity of the legislation.", a.openFiscaSpec, anyObject, object{{"openapi", "3.0.0"}}),
			a.situationRoute("/calculate", "calculate", "Run a simulation", "Returns the situation with every null replaced by its computed value.", a.openFiscaCalculate, web.Ref("Situation"), exampleAnswer),
			a.situationRoute("/trace", "trace", "Explain a simulation", "Runs the same simulation and returns every step: values, dependencies, parameters.", a.openFiscaTrace, traceSchema, exampleTrace, exampleTracedAxes),
		},
	}
}

func (a *API) situationRoute(path, id, summary, description string, h handler, answer web.Schema, example any, more ...web.Example) web.Route {
	return web.Route{
		Method: http.MethodPost, Path: path, Policy: a.policy(), Handle: a.with(h),
		Doc: web.Doc{
			ID: id, Summary: summary, Description: description,
			Body:    &web.Body{Type: web.Ref("Situation"), Example: exampleSituation, More: more},
			Answers: []web.Answer{{Status: 200, Type: answer, Example: example}},
		},
	}
}

// headed adds the headers that name the package, once there is one.
func (a *API) headed(h http.Header) {
	if l := a.law.Load(); l != nil {
		h["Country-Package"], h["Country-Package-Version"] = l.name, l.version
		if l.hash != nil {
			h["Country-Package-Hash"] = l.hash
		}
	}
}

// openFiscaErrors shapes errors: the tree alone where there is one, else {"error": text}.
func (a *API) openFiscaErrors(_ *http.Request, err error) (int, any) {
	if e, ok := asRefusal(err); ok {
		if e.tree != nil {
			return e.status, rendered{e.tree}
		}
		return e.status, object{{"error", e.message}}
	}
	f := fault.From(err)
	return web.Status(f.Kind), object{{"error", f.Message}}
}

// rendered lets any value of this package be an answer.
type rendered struct{ value any }

// AppendJSON implements web.JSONAppender.
func (x rendered) AppendJSON(buf []byte) []byte { return appendValue(buf, x.value) }

// MarshalJSON implements json.Marshaler.
func (x rendered) MarshalJSON() ([]byte, error) { return appendValue(nil, x.value), nil }

// hostURL is where callers find the server, with a slash at the end.
func hostURL(r *http.Request) string { return web.BaseURL(r) + "/" }

// writeMetadata answers with a document that changes only with the legislation: a caller who has it gets a 304.
func (a *API) writeMetadata(w http.ResponseWriter, r *http.Request, v any) error {
	body := appendValue(nil, v)
	share := a.budget.memory.Share(sentFree)
	defer share.Close()
	if err := share.Take(int64(cap(body))); err != nil {
		return overloaded(err)
	}
	sum := fnv.New64a()
	_, _ = sum.Write(body)
	tag := fmt.Sprintf(`"%x"`, sum.Sum64())
	w.Header().Set("ETag", tag)
	w.Header().Add("Vary", "Host")
	for have := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if have = strings.TrimPrefix(strings.TrimSpace(have), "W/"); have == tag || have == "*" {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	return web.WriteRaw(w, http.StatusOK, body)
}

func (a *API) openFiscaRoot(_ *law, w http.ResponseWriter, r *http.Request) error {
	text := a.o.Welcome
	if text == "" {
		text = "This is the root of an OpenFisca Web API.\u00a0To learn how to use it, check the general documentation (https://openfisca.org/doc/) and the OpenAPI specification of this instance (" + hostURL(r) + "spec)."
	}
	return web.WriteJSON(w, http.StatusMultipleChoices, object{{"welcome", text}})
}

func (a *API) openFiscaEntities(l *law, w http.ResponseWriter, r *http.Request) error {
	var out object
	t := l.texts(r, l.system)
	for _, e := range l.system.Entities() {
		label, doc := t.Entity(e)
		o := object{{"plural", e.Plural}, {"description", label}, {"documentation", strings.TrimSpace(doc)}}
		if !e.IsPerson {
			var roles object
			for _, role := range e.Roles {
				_, doc := t.Role(role)
				shown := object{{"plural", orNull(role.Plural)}, {"description", orNull(doc)}}
				if role.Max > 0 {
					shown.add("max", role.Max)
				}
				roles.add(role.Key, shown)
			}
			o.add("roles", roles)
		}
		out.add(e.Key, o)
	}
	return a.writeTexts(l, w, r, out)
}

// orNull is a text, or null where there is none.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func notFound(format string, args ...any) error {
	return &refusal{status: 404, message: fmt.Sprintf(format, args...)}
}
