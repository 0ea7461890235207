package simapi

import (
	"maps"

	"edict/platform/web"
)

// The schemas of /api/1. The OpenAPI document has them as they are, the Swagger document as [swaggerSchema] makes of them.
// Where a schema depends on the legislation it is any object.

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

// Names for Go, where generated structs have a method Validate, and "@type" and "type" would have the same name.
var (
	aKind          = web.Schema{"type": "string", "x-go-name": "Kind"}
	validateSchema = web.Schema{"type": "boolean", "description": "Checks and repairs the scenarios; nothing is computed.", "x-go-name": "ValidateOnly"}
)

// scenarioKeys are the members that the requests of calculate and simulate share.
func scenarioKeys(more map[string]web.Schema) web.Schema {
	members := map[string]web.Schema{
		"scenarios":    listOf(web.Ref("Scenario")),
		"reforms":      described(listOf(web.Ref("Reform")), "Reforms whose effect is asked for: value is with them, base_value without. Each is a key of /api/1/reforms, or an object."),
		"base_reforms": described(listOf(web.Ref("Reform")), "Reforms that are part of both sides, keys or objects."),
		"context":      described(aText, "Comes back in the answer."),
		"trace":        described(aBoolean, "Adds the steps of the computation."),
		"validate":     validateSchema,
		"time":         described(aBoolean, "Adds how long the steps took, in seconds."),
	}
	maps.Copy(members, more)
	return closed(objectSchema(members, "scenarios"))
}

// scenarioAnswer is an answer of calculate or simulate.
func scenarioAnswer(value web.Schema) web.Schema {
	return enveloped(map[string]web.Schema{
		"value":              value,
		"base_value":         value,
		"suggestions":        listOf(web.Ref("Suggestion")),
		"repaired_scenarios": listOf(web.Ref("Scenario")),
		"tracebacks":         listOf(listOf(anyObject)),
		"variables":          listOf(anyObject),
		"time":               byName(aNumber),
	})
}

var (
	calculateSchema = scenarioKeys(map[string]web.Schema{
		"variables":              listOf(web.Ref("AskedVariable")),
		"output_format":          {"type": "string", "enum": []string{formatTestCase, formatVariables}},
		"labels":                 described(aBoolean, "Enumerations are answered by label."),
		"intermediate_variables": described(aBoolean, "Everything that was computed on the way is answered too."),
	})
	calculatedSchema = scenarioAnswer(described(listOf(anyObject), "One for each scenario: its test case with the variables in it, or lists of values by name of the variable."))
	simulateSchema   = scenarioKeys(map[string]web.Schema{"decomposition": described(aText, "The name of a decomposition of the legislation.")})
	simulatedSchema  = scenarioAnswer(web.Ref("Decomposition"))
	variableSchema   = objectSchema(map[string]web.Schema{
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
