package simapi

import (
	"maps"
	"strings"

	"edict/platform/web"
)

// The schemas of what requests are made of, by name. Where a member may be of several kinds, generators of Go clients are
// told to take anything: a union of plain values is no help there.

// oneOf is a value of several kinds.
func oneOf(description string, kinds ...web.Schema) web.Schema {
	return web.Schema{"description": description, "anyOf": kinds, "x-go-type": "any"}
}

// closed is an object without other members than those it names.
func closed(s web.Schema) web.Schema {
	s["additionalProperties"] = false
	return s
}

var (
	aNull   = web.Schema{"type": "null"}
	aPeriod = web.Ref("Period")
	aValue  = web.Ref("Value")
	dated   = described(byName(aValue), "Values by period.")
)

// scenarioParts are the schemas that requests of /api/1 and /api/2 refer to.
var scenarioParts = map[string]web.Schema{
	"Period": oneOf(`A period: "2024", "2024-06", "2024-06-15", "year:2024-06", "2024-06:3" (three months), "eternity"; or in parts.`,
		aText, anInteger,
		objectSchema(map[string]web.Schema{
			"unit":  described(aText, "year, month, day, week or weekday."),
			"start": described(anyValue, `Its first day: 2024, "2024-06" or [2024, 6, 1].`),
			"size":  described(anInteger, "Number of units. Default 1."),
		}, "unit", "start"),
		described(listOf(anyValue), "[unit, start] or [unit, start, size]."),
	),
	"Value": oneOf("A value of a variable: a number, or a text with a sum of numbers. Enumerations take a name, label or index, dates a date, booleans true or false. null is no value.",
		aNumber, aText, aBoolean, aNull),
	"Member": {
		"type": "object", "x-go-type": "map[string]any", "description": "A person or a group: its id, the values of its variables and, for a group, its roles.",
		"properties": map[string]web.Schema{"id": oneOf("Id used in roles. Defaults to the position, from 0.", aText, anInteger)},
		"additionalProperties": oneOf("A variable's value for the scenario's period, or values by period; or the id or ids of the persons in a role.",
			aNumber, aText, aBoolean, aNull, dated, listOf(oneOf("An id.", aText, anInteger))),
	},
	"TestCase": described(byName(oneOf("The members of an entity: a list, or an object of them by id.",
		listOf(web.Ref("Member")), byName(web.Ref("Member")))), "Persons and groups by the plural name of their entity."),
	"Axis": closed(objectSchema(map[string]web.Schema{
		"name":   described(aText, "Name of the variable: a number, or an enumeration by index."),
		"min":    described(aNumber, "Its first value."),
		"max":    described(aNumber, "Its last value."),
		"count":  {"type": "integer", "minimum": 1, "description": "Number of equally spaced values."},
		"index":  {"type": "integer", "minimum": 0, "description": "Position of the member that varies, from 0. Default 0."},
		"period": described(aPeriod, "Period of the values. Defaults to the scenario's."),
	}, "name", "min", "max", "count")),
	"Scenario": closed(objectSchema(map[string]web.Schema{
		"period":          aPeriod,
		"year":            {"$ref": aPeriod["$ref"], "deprecated": true, "description": "Former name of period."},
		"date":            {"$ref": aPeriod["$ref"], "deprecated": true, "description": "Instead of a period: the year that begins on this day."},
		"test_case":       web.Ref("TestCase"),
		"input_variables": described(byName(oneOf("A value, or a list of values.", aNumber, aText, aBoolean, listOf(aValue), byName(oneOf("The same for a period.", aNumber, aText, aBoolean, listOf(aValue))))), "Instead of a test case: values of variables, or lists with one value per person. Each person forms their own groups."),
		"axes":            described(listOf(oneOf("An axis, or axes that vary together.", web.Ref("Axis"), listOf(web.Ref("Axis")))), "The test case is repeated along each axis; axes are combined."),
	}, "period")),
	"Reform": oneOf("The key of one of the law's reforms, or a reform as data.", aText, web.Ref("ReformData")),
	"ReformData": closed(objectSchema(map[string]web.Schema{
		"name":       described(aText, "Display name."),
		"parameters": described(byName(byName(oneOf("The value, of the type and unit of the parameter.", aNumber, aText, aBoolean, listOf(anyValue)))), `Values by path and days. A path is "impot_revenu.decote.taux", or within a scale "impot_revenu.bareme.brackets[1].rate" (threshold, amount, average_rate), brackets counted from 0. Days are "2024-01-01", from then on for ever, or a range with its last day, "2024-01-01.2024-12-31".`),
		"neutralize": described(severally, "Variables that keep their default value."),
		"base":       described(aText, "The key of a reform to apply before this one."),
	})),
	"AskedVariable": oneOf("The name of a variable, or a name with its own period.", aText, closed(objectSchema(map[string]web.Schema{
		"name": aText, "period": aPeriod,
	}, "name"))),
	"Suggestion": objectSchema(map[string]web.Schema{
		"scenario": anInteger, "entity": aText, "id": anyValue, "variable": aText, "period": aText, "value": anyValue,
	}, "scenario", "entity", "id", "variable", "period", "value"),
	"Decomposition": objectSchema(map[string]web.Schema{
		"@context": aText, "@type": aKind, "code": aText, "name": aText, "short_name": aText, "color": listOf(anInteger), "type": anInteger,
		"children": listOf(web.Ref("Decomposition")), "values": described(figureList, "A value for each scenario and each step of its axes."),
		"end": described(aText, "Reason why the tree stops here although the variable has a formula."),
	}, "code", "values"),
	"Branch": branchSchema,
}

// situationParts are those that requests of OpenFisca's interface refer to.
var situationParts = map[string]web.Schema{
	"Situation": {
		"type": "object", "description": "Persons and groups by their entity's plural name and by id; null requests a value.",
		"properties": map[string]web.Schema{
			"axes": described(listOf(listOf(web.Ref("SituationAxis"))), "The situation is repeated along each dimension, a list of axes that vary together. Dimensions are combined. All entities are required."),
		},
		"additionalProperties": byName(web.Ref("SituationMember")),
	},
	"SituationMember": {
		"type": "object", "description": "A person or a group.",
		"additionalProperties": oneOf("A variable's values by period; or the id or ids of the persons in a role.",
			described(byName(oneOf("A value of the type of the variable; null is computed.", aNumber, aText, aBoolean, aNull, listOf(anyValue))), "By period."), severally, aText, anInteger),
	},
	"SituationAxis": objectSchema(map[string]web.Schema{
		"name":   described(aText, "The variable that varies."),
		"min":    described(aNumber, "Its first value."),
		"max":    described(aNumber, "Its last value."),
		"count":  {"type": "integer", "minimum": 1, "description": "Number of equally spaced values."},
		"index":  {"type": "integer", "minimum": 0, "description": "Position of the member that varies, from 0. Default 0."},
		"period": described(oneOf("", aText, anInteger), "The period of the values."),
	}, "name", "min", "max", "count", "period"),
	"TraceStep": objectSchema(map[string]web.Schema{
		"value":            described(listOf(anyValue), "One value for each member of the variable's entity."),
		"dependencies":     described(severally, "The steps that its formula requested."),
		"parameters":       described(byName(anyValue), "The parameters that its formula read, as path<day>."),
		"calculation_time": described(aNumber, "Seconds, with those of its dependencies."),
		"formula_time":     described(aNumber, "Seconds, without them."),
	}, "value", "dependencies", "parameters", "calculation_time", "formula_time"),
}

// The answers of OpenFisca's interface.
var (
	traceSchema = objectSchema(map[string]web.Schema{
		"trace":                 described(byName(web.Ref("TraceStep")), "Every step, as variable<period>."),
		"entitiesDescription":   described(byName(severally), "The ids of the members by the plural name of their entity."),
		"requestedCalculations": described(severally, "The steps that the situation requested."),
	}, "trace", "entitiesDescription", "requestedCalculations")
	rolesSchema             = byName(objectSchema(map[string]web.Schema{"plural": orText, "description": orText, "max": anInteger}, "plural", "description"))
	openFiscaEntitiesSchema = byName(objectSchema(map[string]web.Schema{
		"plural": aText, "description": orText, "documentation": aText, "roles": described(rolesSchema, "Roles of a group, by key."),
	}, "plural", "description", "documentation"))
	openFiscaIndexSchema    = byName(objectSchema(map[string]web.Schema{"description": orText, "href": aText}, "description", "href"))
	openFiscaVariableSchema = objectSchema(map[string]web.Schema{
		"id": aText, "description": orText, "valueType": {"type": "string", "enum": []string{"Boolean", "Int", "Float", "Date", "String"}},
		"defaultValue": anyValue, "definitionPeriod": aText, "entity": aText, "source": aText, "documentation": aText, "references": severally,
		"formulas":       described(byName(nullable(objectSchema(map[string]web.Schema{"source": aText, "content": aText, "documentation": aText}))), "Formulas by first day in force; null from the day on which none applies."),
		"possibleValues": described(byName(aText), "Labels of an enumeration by name."),
	}, "id", "description", "valueType", "defaultValue", "definitionPeriod", "entity")
	openFiscaParameterSchema = objectSchema(map[string]web.Schema{
		"id": aText, "description": orText, "metadata": anyObject, "source": aText, "documentation": aText,
		"values":    described(byName(anyValue), "Values by first day in force."),
		"brackets":  described(byName(nullable(byName(anyValue))), "Rates or amounts of a scale by threshold, by first day in force."),
		"subparams": described(byName(objectSchema(map[string]web.Schema{"description": orText}, "description")), "Children of a node."),
	}, "id", "description", "metadata")
)

// swaggerSchema is a schema in the words of Swagger 2.0, which has no values of several kinds, no null, and definitions in
// place of components.
func swaggerSchema(v any) any {
	switch v := v.(type) {
	case web.Schema:
		if ref, ok := v["$ref"].(string); ok {
			return web.Schema{"$ref": "#/definitions/" + ref[strings.LastIndexByte(ref, '/')+1:]}
		}
		out := web.Schema{}
		for key, member := range v {
			if key != "anyOf" && key != "x-go-type" && key != "deprecated" {
				out[key] = swaggerSchema(member)
			}
		}
		return out
	case map[string]web.Schema:
		out := maps.Clone(v)
		for name, member := range v {
			out[name] = swaggerSchema(member).(web.Schema)
		}
		return out
	}
	return v
}
