package simapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

func (a *API) openFiscaSpec(l *law, w http.ResponseWriter, r *http.Request) error {
	// The examples are simulations: they are run once, whoever asks first and however soon they leave.
	l.specOnce.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), a.o.Timeout)
		defer cancel()
		l.spec = a.openAPI(ctx, l)
	})
	doc := slices.Clone(l.spec)
	doc.add("servers", list{object{{"url", strings.TrimSuffix(hostURL(r), "/")}}})
	return a.writeMetadata(w, r, doc)
}

// title is a text with the first letter of every word in upper case and the others in lower case, as Python's title().
func title(s string) string {
	inWord := false
	return strings.Map(func(r rune) rune {
		letter := unicode.IsLetter(r)
		defer func() { inWord = letter }()
		if letter && !inWord {
			return unicode.ToTitle(r)
		}
		return unicode.ToLower(r)
	}, s)
}

func ref(name string) object { return object{{"$ref", "#/components/schemas/" + name}} }

func typed(t string) object { return object{{"type", t}} }

// openAPI is the specification of OpenFisca's interface: the paths are always the same, the schemas of situations come from
// the legislation.
func (a *API) openAPI(ctx context.Context, l *law) object {
	p := l.system.Package
	name := title(p.Name)
	return object{
		{"openapi", "3.0.0"},
		{"info", object{
			{"title", name + " Web API"}, {"version", p.Version},
			{"description", "Simulations with the legislation of " + name + ", and what it consists of."},
		}},
		{"tags", list{object{{"name", "Calculations"}}, object{{"name", "Parameters"}}, object{{"name", "Variables"}}, object{{"name", "Entities"}}, object{{"name", "Documentation"}}}},
		{"components", object{{"schemas", a.specSchemas(ctx, l)}, {"headers", object{
			{"Country-Package", object{{"description", "Name of the country package"}, {"schema", typed("string")}}},
			{"Country-Package-Version", object{{"description", "Version of the country package"}, {"schema", typed("string")}}},
		}}}},
		{"paths", specPaths()},
	}
}

// specPaths lists the operations.
func specPaths() object {
	headers := object{}
	for _, h := range []string{"Country-Package", "Country-Package-Version"} {
		headers.add(h, object{{"$ref", "#/components/headers/" + h}})
	}
	answer := func(description, schema string) object {
		o := object{{"description", description}, {"headers", headers}}
		if schema != "" {
			o.add("content", object{{"application/json", object{{"schema", ref(schema)}}}})
		}
		return o
	}
	get := func(tag, id, summary, schema, parameter string) object {
		op := object{{"tags", []string{tag}}, {"summary", summary}, {"operationId", id}}
		answers := object{{"200", answer(summary, schema)}}
		if parameter != "" {
			op.add("parameters", list{object{{"name", parameter}, {"in", "path"}, {"required", true}, {"schema", typed("string")}}})
			answers.add("404", answer("There is none of that name", ""))
		}
		op.add("responses", answers)
		return object{{"get", op}}
	}
	post := func(id, summary, schema string) object {
		return object{{"post", object{
			{"tags", []string{"Calculations"}}, {"summary", summary}, {"operationId", id},
			{"requestBody", object{{"required", true}, {"content", object{{"application/json", object{{"schema", ref("SituationInput")}}}}}}},
			{"responses", object{{"200", answer(summary, schema)}, {"400", answer("The situation is wrong; the answer mirrors it", "")}, {"404", answer("A variable is not known", "")}}},
		}}}
	}
	return object{
		{"/calculate", post("calculate", "Run a simulation", "SituationOutput")},
		{"/parameters", get("Parameters", "getParameters", "List the parameters", "Parameters", "")},
		{"/parameter/{parameterID}", get("Parameters", "getParameter", "Describe a parameter", "Parameter", "parameterID")},
		{"/variables", get("Variables", "getVariables", "List the variables", "Variables", "")},
		{"/variable/{variableID}", get("Variables", "getVariable", "One variable", "Variable", "variableID")},
		{"/entities", get("Entities", "getEntities", "List the entities", "Entities", "")},
		{"/trace", post("trace", "Explain a simulation", "Trace")},
		{"/spec", get("Documentation", "spec", "This document", "", "")},
	}
}

func mapOf(schema any) object { return object{{"type", "object"}, {"additionalProperties", schema}} }

func (a *API) specSchemas(ctx context.Context, l *law) object {
	index := mapOf(object{{"type", "object"}, {"properties", object{{"description", typed("string")}, {"href", typed("string")}}}})
	parameter := object{{"type", "object"}, {"properties", object{
		{"id", typed("string")}, {"description", typed("string")}, {"documentation", typed("string")}, {"metadata", mapOf(true)},
		{"source", typed("string")}, {"values", ref("Values")}, {"brackets", mapOf(ref("Brackets"))}, {"subparams", mapOf(mapOf(true))},
	}}}
	variable := object{{"type", "object"}, {"properties", object{
		{"id", typed("string")}, {"description", typed("string")},
		{"valueType", object{{"type", "string"}, {"enum", []string{"Int", "Float", "Boolean", "Date", "String"}}}},
		{"defaultValue", object{}}, {"definitionPeriod", typed("string")}, {"entity", typed("string")}, {"source", typed("string")},
		{"documentation", typed("string")}, {"references", object{{"type", "array"}, {"items", typed("string")}}},
		{"formulas", mapOf(ref("Formula"))}, {"possibleValues", mapOf(typed("string"))},
	}}}
	situation, who := object{}, object{}
	for _, e := range l.system.Entities() {
		situation.add(e.Plural, mapOf(ref(title(e.Key))))
		who.add(e.Plural, object{{"type", "array"}, {"items", typed("string")}})
	}
	output := object{{"type", "object"}, {"additionalProperties", false}, {"properties", situation}}
	varied := append(slices.Clone(situation), member{"axes", object{{"type", "array"}, {"items", object{{"type", "array"}, {"items", ref("Axis")}}}}})
	input := object{{"type", "object"}, {"additionalProperties", false}, {"properties", varied}}
	trace := object{{"type", "object"}, {"properties", object{
		{"requestedCalculations", object{{"type", "array"}, {"items", typed("string")}}},
		{"entitiesDescription", object{{"type", "object"}, {"additionalProperties", false}, {"properties", who}}},
		{"trace", mapOf(object{{"type", "object"}, {"properties", object{
			{"value", object{{"type", "array"}, {"items", object{}}}}, {"dependencies", object{{"type", "array"}, {"items", typed("string")}}},
			{"parameters", mapOf(object{})}, {"calculation_time", typed("number")}, {"formula_time", typed("number")},
		}}})},
	}}}
	a.specExamples(ctx, l, &parameter, &variable, &input, &output, &trace)
	out := object{
		{"Parameter", parameter}, {"Parameters", index}, {"Variable", variable}, {"Variables", index},
		{"Formula", object{{"type", "object"}, {"nullable", true}, {"properties", object{{"content", typed("string")}, {"source", typed("string")}, {"documentation", typed("string")}}}}},
		{"Brackets", object{{"type", "object"}, {"nullable", true}, {"additionalProperties", object{{"type", "number"}}}}},
		{"Values", mapOf(ref("Value"))},
		{"Value", object{{"nullable", true}, {"oneOf", list{typed("boolean"), typed("number"), typed("string"), object{{"type", "array"}, {"items", object{}}}}}}},
		{"Entities", mapOf(object{{"type", "object"}, {"properties", object{{"plural", typed("string")}, {"description", typed("string")}, {"documentation", typed("string")}, {"roles", mapOf(ref("Roles"))}}}})},
		{"Roles", object{{"type", "object"}, {"properties", object{{"plural", typed("string")}, {"description", typed("string")}, {"max", typed("integer")}}}}},
		{"Trace", trace}, {"SituationInput", input}, {"SituationOutput", output},
		{"Axis", object{{"type", "object"}, {"required", []string{"name", "min", "max", "count", "period"}}, {"properties", object{
			{"name", typed("string")}, {"min", typed("number")}, {"max", typed("number")}, {"count", typed("integer")}, {"index", typed("integer")}, {"period", typed("string")},
		}}}},
	}
	for _, e := range l.system.Entities() {
		out.set(title(e.Key), entitySchema(l.system, e))
	}
	return out
}

// specExamples adds the examples that the package names in open_api_config, or the first of each kind.
func (a *API) specExamples(ctx context.Context, l *law, parameter, variable, input, output, trace *object) {
	named := func(key string) string {
		d, _ := l.examples.Get(key)
		text, _ := d.Text()
		return text
	}
	if item, ok := l.system.Parameters().Root.Find(strings.Split(named("parameter_example"), ".")...); ok {
		parameter.add("example", l.openFiscaParameter(l.system.Texts(""), item))
	}
	v, err := l.system.Lookup(named("variable_example"))
	if err != nil && len(l.system.Variables()) > 0 {
		v = l.system.Variables()[0]
	}
	if v != nil {
		variable.add("example", l.openFiscaVariable(l.system.Texts(""), v))
	}
	situation, ok := l.examples.Get("simulation_example")
	if !ok {
		return
	}
	input.add("example", situation)
	own := &visit{api: a, ctx: ctx, large: true, work: new(scenario.Workspace)} // nobody's request: nothing is weighed, nor given back
	if answer, err := scenario.DecodeJSON(scenario.AppendJSON(nil, situation)); err == nil && a.fill(own, l, answer) == nil {
		output.add("example", answer)
	}
	if answer, err := a.trace(own, l, situation); err == nil {
		for _, step := range answer[0].value.(object) { // times differ from one run to the next
			o := step.value.(object)
			o.set("calculation_time", 0)
			o.set("formula_time", 0)
		}
		trace.add("example", answer)
	}
}

func entitySchema(system *legislation.System, e *legislation.Entity) object {
	properties := object{}
	for _, role := range e.Roles {
		name := role.Plural
		if name == "" {
			name = role.Key
		}
		properties.add(name, object{{"type", "array"}, {"items", typed("string")}})
	}
	for _, v := range system.Variables() {
		if v.Entity.Key == e.Key {
			properties.add(v.Name, mapOf(append(valueSchema(v), member{"nullable", true}))) // null asks for the value
		}
	}
	return object{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
}

func valueSchema(v *legislation.Variable) object {
	o := typed(v.Type.JSONType())
	if v.Enum != nil {
		names := make([]string, v.Enum.Len())
		for i := range names {
			names[i] = vector.EnumConst(1, v.Enum.Domain, int16(i)).Text(0)
		}
		o.add("enum", names)
	}
	return o
}
