package simapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"edict/platform/web"
	"edict/simulation/legislation"
)

// swagger is a Swagger 2.0 document: the routes of /api/1 and one path per computed variable.
func (a *API) swagger(l *law, w http.ResponseWriter, r *http.Request) error {
	paths, definitions := object{}, object{{"Error", errorSchema}}
	service := a.v1()
	for _, name := range slices.Sorted(maps.Keys(service.Schemas)) {
		definitions.add(name, swaggerSchema(service.Schemas[name]))
	}
	for _, route := range service.Routes {
		if strings.Contains(route.Path, "formula") {
			continue
		}
		paths.add(route.Path, object{{strings.ToLower(route.Method), swaggerOperation(&route)}})
		definitions.add(route.Doc.ID+"Answer", swaggerSchema(route.Doc.Answers[0].Type))
		if route.Doc.Body != nil {
			definitions.add(route.Doc.ID+"Request", swaggerSchema(route.Doc.Body.Type))
		}
	}
	for _, v := range l.system.Variables() {
		if !v.IsInput() {
			paths.add("/api/2/formula/{period}/"+v.Name, object{{"get", l.swaggerFormula(v)}})
		}
	}
	scheme, place, _ := strings.Cut(hostURL(r), "://")
	host, path, _ := strings.Cut(place, "/")
	return a.writeMetadata(w, r, object{
		{"swagger", "2.0"},
		{"info", object{{"title", title(l.system.Package.Name)}, {"version", a.o.Version}, {"description", "Simulations on test cases, and the variables, entities, parameters and reforms of the legislation."}}},
		{"host", host}, {"basePath", "/" + strings.TrimSuffix(path, "/")}, {"schemes", []string{scheme}},
		{"consumes", []string{"application/json"}}, {"produces", []string{"application/json"}},
		{"parameters", object{{"period", object{
			{"name", "period"}, {"in", "path"}, {"required", true}, {"type", "string"}, {"description", "A year (2014) or a month (2014-06)."},
		}}}},
		{"paths", paths},
		{"definitions", definitions},
	})
}

func swaggerOperation(r *web.Route) object {
	answer := func(description, definition string) object {
		return object{{"description", description}, {"schema", object{{"$ref", "#/definitions/" + definition}}}}
	}
	o := object{
		{"operationId", r.Doc.ID}, {"summary", r.Doc.Summary}, {"description", r.Doc.Description}, {"parameters", swaggerParameters(r)},
		{"responses", object{
			{"200", answer(r.Doc.Summary, r.Doc.ID+"Answer")},
			{"default", answer("Error; errors mirrors the request", "Error")},
		}},
	}
	if r.Doc.Deprecated {
		o.add("deprecated", true)
	}
	return o
}

func swaggerParameters(r *web.Route) list {
	out := list{}
	if r.Doc.Body != nil {
		return append(out, object{{"name", "body"}, {"in", "body"}, {"required", true}, {"schema", object{{"$ref", "#/definitions/" + r.Doc.ID + "Request"}}}})
	}
	for _, p := range r.Doc.Params {
		o := object{{"name", p.Name}, {"in", "query"}, {"description", p.Description}}
		if p.Type == nil {
			o.add("type", "string")
		} else {
			o = append(o, object{{"type", "array"}, {"items", typed("string")}, {"collectionFormat", "multi"}}...)
		}
		out = append(out, o)
	}
	return out
}

var swaggerTypes = map[legislation.ValueType]object{
	legislation.Bool: typed("boolean"), legislation.String: typed("string"),
	legislation.Int:   {{"type", "integer"}, {"format", "int32"}},
	legislation.Float: {{"type", "number"}, {"format", "float"}},
	legislation.Date:  {{"type", "string"}, {"format", "date"}},
}

func swaggerType(v *legislation.Variable) object {
	if v.Enum == nil {
		return swaggerTypes[v.Type]
	}
	return object{{"type", "string"}, {"enum", v.Enum.Labels}}
}

// swaggerFormula is the operation that computes one variable; its parameters are the variables its formulas mention.
func (l *law) swaggerFormula(v *legislation.Variable) object {
	parameters := list{object{{"$ref", "#/parameters/period"}}}
	for _, name := range l.inputsOf(l.system, v) {
		input, err := l.system.Lookup(name)
		if err != nil {
			continue
		}
		o := append(object{{"name", name}, {"in", "query"}}, swaggerType(input)...)
		if input.Enum != nil {
			o.add("default", input.Enum.Labels[input.Default.Int(0)])
		} else {
			o.add("default", element(input.Default, 0))
		}
		parameters = append(parameters, append(o, member{"description", labelOf(l.system.Texts(""), input)}))
	}
	values := object{{"type", "object"}, {"required", []string{v.Name}}, {"properties", object{{v.Name, swaggerType(v)}}}}
	answer := object{{"type", "object"}, {"required", []string{"apiVersion", "values", "params", "period"}}, {"properties", object{
		{"apiVersion", typed("string")}, {"values", values}, {"params", mapOf(true)}, {"period", object{{"type", "array"}, {"items", object{}}}},
	}}}
	return object{
		{"operationId", "formula_" + v.Name}, {"summary", labelOf(l.system.Texts(""), v)}, {"tags", []string{v.Entity.Plural}}, {"parameters", parameters},
		{"responses", object{
			{"200", object{{"description", labelOf(l.system.Texts(""), v)}, {"schema", answer}}},
			{"400", object{{"description", "A parameter could not be read"}, {"schema", object{{"$ref", "#/definitions/Error"}}}}},
		}},
	}
}
