package simapi

import (
	"maps"

	"edict/platform/web"
)

// nullable is a value that may be null.
func nullable(s web.Schema) web.Schema {
	s = maps.Clone(s)
	s["type"] = []any{s["type"], "null"}
	return s
}

var (
	orText       = nullable(aText)
	sourceSchema = described(web.Schema{"type": []any{"object", "null"}, "properties": map[string]web.Schema{"file": aText, "line": anInteger, "url": aText}}, "Source of the definition.")
	placeMembers = map[string]web.Schema{
		"line":    described(anInteger, "Line in the text, from 1."),
		"column":  described(anInteger, "Column in characters, from 1."),
		"length":  described(anInteger, "Length of the name; absent if the text does not contain it literally."),
		"through": described(objectSchema(map[string]web.Schema{"function": aText, "file": aText, "line": anInteger}), "The package's function that requests it, called at this place."),
	}
	variableBrief = map[string]web.Schema{
		"id": aText, "label": orText, "entity": aText, "type": described(aText, "Boolean, Integer, Float, Date, Enumeration or String."),
		"period": described(aText, "day, week, weekday, month, year or eternity."), "formula": described(aBoolean, "Whether it has a formula."),
	}
	marks = map[string]web.Schema{
		"static": described(aBoolean, "Found in the text of a formula."),
		"seen":   described(aBoolean, "Seen in a traced calculation on this server."),
	}
	edgeSchema = objectSchema(merged(variableBrief, marks, map[string]web.Schema{
		"node": described(aBoolean, "The formula reads a node above; any parameter below may be used."),
	}), "id", "static", "seen")
	readSchema    = objectSchema(merged(map[string]web.Schema{"id": aText, "label": orText, "type": described(aText, "Parameter, Scale or Node.")}, marks), "id", "static", "seen")
	packageSchema = map[string]web.Schema{"country_package_name": aText, "country_package_version": aText}
)

func merged(all ...map[string]web.Schema) map[string]web.Schema {
	out := map[string]web.Schema{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

var (
	searchSchema = enveloped(map[string]web.Schema{
		"total": described(anInteger, "Number of matches."),
		"next":  described(aText, "Cursor of the next page; absent on the last."),
		"results": listOf(objectSchema(merged(variableBrief, map[string]web.Schema{
			"kind": {"type": "string", "enum": []string{"variable", "parameter"}},
			"type": described(aText, "The variable's type, or Parameter, Scale or Node."),
			"reasons": listOf(objectSchema(map[string]web.Schema{
				"word": described(aText, "The word of the query."), "matches": described(aText, "The word that matches it."),
				"in":  {"type": "string", "enum": []string{"id", "label", "values", "notes"}},
				"how": {"type": "string", "enum": []string{"exact", "prefix", "part", "typo"}},
			}, "word", "matches", "in", "how")),
		}), "kind", "id", "reasons")),
	})
	catalogueSchema = objectSchema(merged(packageSchema, map[string]web.Schema{
		"apiVersion": anInteger,
		"language":   described(aText, "Language of the labels; absent if unknown."),
		"income":     described(aText, "Default income variable; absent if the law has none."),
		"entities":   described(listOf(listOf(anyValue)), "Each entity as key, plural, label and roles. A role is key, name in situations, label and, where bounded, the maximum number of members."),
		"types":      severally, "periods": severally,
		"fields":     described(severally, "Names of a variable's elements."),
		"variables":  described(listOf(listOf(anyValue)), "Each variable as id, label, and the numbers of its entity, type and period. Two flags follow: 1 with a formula, 1 if inputs for longer periods are accepted."),
		"parameters": described(anyObject, `The tree by name: the label of a parameter, [label, "scale"] of a scale, [label, children] of a node.`),
	}), "apiVersion", "variables", "parameters")
	variablePageSchema = enveloped(merged(packageSchema, map[string]web.Schema{"variable": objectSchema(map[string]web.Schema{
		"id": aText, "label": orText, "description": orText, "type": aText, "default": anyValue, "period": aText, "unit": orText,
		"entity":           objectSchema(map[string]web.Schema{"key": aText, "plural": aText, "label": orText}, "key", "plural"),
		"set_input":        described(orText, "Rule for inputs of other periods: dispatch_by_period, divide_by_period or custom."),
		"calculate_output": described(orText, "Rule for computing other periods: add, divide or custom."),
		"possible_values":  listOf(objectSchema(map[string]web.Schema{"id": aText, "label": aText}, "id", "label")),
		"max_length":       anInteger, "cerfa_field": anyValue, "neutralized": aBoolean,
		"end":        described(orText, "Last day on which it exists."),
		"references": severally, "source": sourceSchema,
		"formulas": listOf(objectSchema(map[string]web.Schema{
			"start": described(orText, "First day in force; null: always."), "stop": orText, "source": sourceSchema, "documentation": orText, "text": aText,
			"names": described(listOf(objectSchema(merged(placeMembers, map[string]web.Schema{
				"kind": {"type": "string", "enum": []string{"variable", "parameter"}}, "id": aText,
			}), "kind", "id", "line", "column")), "The names in the text, from its beginning to its end."),
			"dynamic": described(listOf(objectSchema(merged(placeMembers, map[string]web.Schema{
				"reason": aText, "pattern": described(aText, "Pattern of a variable's name, with * for unknown parts."),
			}), "reason")), "Further requests that depend on values at run time."),
		}, "start", "stop", "names", "dynamic")),
		"inputs": listOf(edgeSchema), "parameters": listOf(readSchema), "consumers": listOf(edgeSchema),
	}, "id", "entity", "type", "default", "period", "formulas", "inputs", "parameters", "consumers")}))
	valuesSchema = described(listOf(objectSchema(map[string]web.Schema{
		"start": aText, "stop": orText, "value": anyValue, "unit": aText, "references": listOf(anyValue), "line": anInteger,
	}, "start", "stop", "value")), "Newest first; null from the day on which the parameter ends.")
	parameterPageSchema = enveloped(merged(packageSchema, map[string]web.Schema{"parameter": objectSchema(map[string]web.Schema{
		"id": aText, "label": orText, "description": orText, "type": {"type": "string", "enum": []string{"Parameter", "Scale", "Node"}},
		"unit": orText, "references": listOf(anyValue), "metadata": anyObject, "source": sourceSchema,
		"values":   valuesSchema,
		"brackets": described(listOf(byName(valuesSchema)), "threshold with rate, amount or average_rate, each by date. Each has its own page, at the scale's id followed by .brackets[0].rate."),
		"within":   described(aText, "The scale that contains this bracket or value."),
		"scale":    described(aText, "The kind of scale, such as single_amount."), "threshold_unit": aText, "rate_unit": aText, "amount_unit": aText,
		"children":  listOf(objectSchema(map[string]web.Schema{"name": aText, "id": aText, "label": orText, "type": aText}, "name", "id", "type")),
		"variables": described(listOf(edgeSchema), "Variables that read it."),
	}, "id", "type", "variables")}))
	lawGraphSchema = enveloped(map[string]web.Schema{
		"nodes": listOf(objectSchema(merged(variableBrief, map[string]web.Schema{
			"distance": described(anInteger, "Distance from the requested variable."),
			"dynamic":  described(aBoolean, "Its formulas may request further variables at run time."),
			"more":     described(aBoolean, "It has further edges that are not shown."),
		}), "id", "distance")),
		"edges":     described(listOf(objectSchema(merged(marks, map[string]web.Schema{"from": aText, "to": aText}), "from", "to", "static", "seen")), "Edges from the input to its consumer."),
		"truncated": described(aBoolean, "The graph was cut at the maximum size."),
	})
)
