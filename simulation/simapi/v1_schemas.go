package simapi

import (
	"maps"

	"edict/platform/web"
)

// The schemas of /api/1, in the part of JSON Schema that Swagger 2.0 and OpenAPI 3.1 share: both documents are made of
// them. Where a schema depends on the legislation it is any object.

var (
	anyValue   = web.Schema{}
	anyObject  = web.FreeObject()
	aText      = web.Schema{"type": "string"}
	aNumber    = web.Schema{"type": "number"}
	anInteger  = web.Schema{"type": "integer"}
	aBoolean   = web.Schema{"type": "boolean"}
	severally  = listOf(aText)
	figureList = listOf(aNumber)
)

func listOf(items web.Schema) web.Schema { return web.Schema{"type": "array", "items": items} }

func byName(values web.Schema) web.Schema {
	return web.Schema{"type": "object", "additionalProperties": values}
}

// objectSchema is an object with some members, of which the first ones named are required.
func objectSchema(members map[string]web.Schema, required ...string) web.Schema {
	s := web.Schema{"type": "object", "properties": members}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func described(s web.Schema, text string) web.Schema {
	s = maps.Clone(s)
	s["description"] = text
	return s
}

// enveloped is an answer: what every answer has, and a payload.
func enveloped(payload map[string]web.Schema) web.Schema {
	members := map[string]web.Schema{
		"apiVersion": anInteger,
		"context":    described(aText, "The context of the request."),
		"method":     described(aText, "The path of the request."),
		"params":     described(anyObject, "The request as it came."),
		"url":        aText,
	}
	maps.Copy(members, payload)
	return objectSchema(members, "apiVersion")
}

var scenarioSchema = objectSchema(map[string]web.Schema{
	"period":          described(anyValue, `A period such as "2024", "2024-06", "year:2024-06" or "2024-06:3".`),
	"test_case":       described(anyObject, "Lists of members by plural name of their entity, or members by id."),
	"input_variables": described(anyObject, "Values of variables, or lists with one value per member."),
	"axes":            described(listOf(anyValue), "The test case is repeated with other values along each axis: {name, min, max, count, period?, index?} gives the variable name count values from min to max, for the member at index (0 when absent). Each entry is an axis, or a list of axes that vary together; several entries are combined with each other."),
}, "period")

// Names for Go, where generated structs have a method Validate, and "@type" and "type" would have the same name.
var (
	aKind          = web.Schema{"type": "string", "x-go-name": "Kind"}
	validateSchema = web.Schema{"type": "boolean", "description": "Checks and repairs the scenarios; nothing is computed.", "x-go-name": "ValidateOnly"}
)

// reformSchema is a text or an object: Swagger 2.0 has no word for that.
var reformSchema = web.Schema{
	"description": `The key of a reform, such as "tranche_superieure", or an object: {"name"?: text, "parameters"?: {path: {days: value}}, "neutralize"?: [names of variables], "base"?: key}. Days are "2024-01-01", from then on, or a range with its last day, "2024-01-01.2024-12-31"; a value of a scale is scale.brackets[0].rate, threshold or amount.`,
	"example":     map[string]any{"name": "No décote", "parameters": map[string]any{"impot_revenu.decote.taux": map[string]any{"2024-01-01": 0}}},
}

// scenarioKeys are the members that the requests of calculate and simulate share.
func scenarioKeys(more map[string]web.Schema) web.Schema {
	members := map[string]web.Schema{
		"scenarios":    listOf(scenarioSchema),
		"reforms":      described(listOf(reformSchema), "Reforms whose effect is asked for: value is with them, base_value without. Each is a key of /api/1/reforms, or an object."),
		"base_reforms": described(listOf(reformSchema), "Reforms that are part of both sides, keys or objects."),
		"context":      described(aText, "Comes back in the answer."),
		"trace":        described(aBoolean, "Adds the steps of the computation."),
		"validate":     validateSchema,
		"time":         described(aBoolean, "Adds how long the steps took, in seconds."),
	}
	maps.Copy(members, more)
	return objectSchema(members, "scenarios")
}

// scenarioAnswer is an answer of calculate or simulate.
func scenarioAnswer(value web.Schema) web.Schema {
	return enveloped(map[string]web.Schema{
		"value":      value,
		"base_value": value,
		"suggestions": listOf(objectSchema(map[string]web.Schema{
			"scenario": anInteger, "entity": aText, "id": anyValue, "variable": aText, "period": aText, "value": anyValue,
		}, "scenario", "entity", "id", "variable", "period", "value")),
		"repaired_scenarios": listOf(anyObject),
		"tracebacks":         listOf(listOf(anyObject)),
		"variables":          listOf(anyObject),
		"time":               byName(aNumber),
	})
}

var (
	calculateSchema = scenarioKeys(map[string]web.Schema{
		"variables":              described(listOf(anyValue), `Names of variables, or {"name": "age", "period": "2024-06"} for a variable on another period than that of the scenarios.`),
		"output_format":          {"type": "string", "enum": []string{formatTestCase, formatVariables}},
		"labels":                 described(aBoolean, "Enumerations are answered by label."),
		"intermediate_variables": described(aBoolean, "Everything that was computed on the way is answered too."),
	})
	calculatedSchema = scenarioAnswer(listOf(anyObject))
	simulateSchema   = scenarioKeys(map[string]web.Schema{"decomposition": described(aText, "The name of a decomposition of the legislation.")})
	simulatedSchema  = scenarioAnswer(objectSchema(map[string]web.Schema{
		"@context": aText, "@type": aKind, "code": aText, "name": aText, "short_name": aText, "color": listOf(anInteger), "type": anInteger,
		"children": listOf(anyObject), "values": figureList, "end": described(aText, "Why the tree goes no further here although the variable has a formula."),
	}))
	variableSchema = objectSchema(map[string]web.Schema{
		"@type": aKind, "name": aText, "label": aText, "entity": aText, "default": anyValue, "module": aText, "line_number": anInteger, "formula": anyObject,
	}, "name")
	entitiesSchema = enveloped(map[string]web.Schema{"entities": byName(objectSchema(map[string]web.Schema{
		"label": aText, "isPersonsEntity": aBoolean, "roles": severally, "maxCardinalityByRoleKey": byName(anInteger), "labelByRoleKey": byName(aText),
	}))})
	graphSchema = enveloped(map[string]web.Schema{
		"edges": listOf(objectSchema(map[string]web.Schema{"from": aText, "to": aText}, "from", "to")),
		"nodes": listOf(objectSchema(map[string]web.Schema{"id": aText, "label": aText, "title": aText, "group": aText}, "id")),
	})
	parametersSchema = enveloped(map[string]web.Schema{
		"country_package_name": aText, "country_package_version": aText, "currency": aText,
		"parameters": listOf(objectSchema(map[string]web.Schema{
			"@type": aKind, "name": aText, "description": aText, "value": anyValue, "values": listOf(anyObject), "brackets": listOf(anyObject),
		}, "name")),
	})
	reformsSchema = enveloped(map[string]web.Schema{"reforms": listOf(objectSchema(map[string]web.Schema{
		"key": aText, "name": aText, "description": aText, "source_file": aText,
	}, "key"))})
	variablesSchema = enveloped(map[string]web.Schema{
		"country_package_name": aText, "country_package_version": aText, "currency": aText, "variables": listOf(variableSchema),
	})
	fieldSchema  = enveloped(map[string]web.Schema{"apiStatus": aText, "value": variableSchema})
	fieldsSchema = enveloped(map[string]web.Schema{
		"apiStatus": aText, "columns": listOf(variableSchema), "prestations": listOf(variableSchema), "columns_tree": byName(anyObject),
	})
	formulaSchema  = objectSchema(map[string]web.Schema{"apiVersion": anInteger, "params": anyObject, "value": anyValue}, "apiVersion", "params", "value")
	formula2Schema = objectSchema(map[string]web.Schema{
		"apiVersion": aText, "params": anyObject, "period": listOf(anyValue), "values": byName(anyValue),
	}, "apiVersion", "params", "period", "values")
	welcomeSchema = objectSchema(map[string]web.Schema{"apiVersion": anInteger, "message": aText, "method": aText}, "apiVersion", "message")
	errorSchema   = objectSchema(map[string]web.Schema{
		"apiVersion": anInteger, "method": aText, "params": anyValue, "url": aText,
		"error": objectSchema(map[string]web.Schema{"code": anInteger, "message": aText, "errors": listOf(anyValue)}, "code", "message"),
	}, "error")
)
