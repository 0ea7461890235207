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
	sourceSchema = described(web.Schema{"type": []any{"object", "null"}, "properties": map[string]web.Schema{"file": aText, "line": anInteger, "url": aText}}, "Where it is written.")
	placeMembers = map[string]web.Schema{
		"line":    described(anInteger, "In the text, from 1."),
		"column":  described(anInteger, "In characters, from 1."),
		"length":  described(anInteger, "Of the name; not there if it does not stand in the text as such."),
		"through": described(objectSchema(map[string]web.Schema{"function": aText, "file": aText, "line": anInteger}), "The function of the package that asks, called at this place."),
	}
	variableBrief = map[string]web.Schema{
		"id": aText, "label": orText, "entity": aText, "type": described(aText, "Boolean, Integer, Float, Date, Enumeration or String."),
		"period": described(aText, "day, week, weekday, month, year or eternity."), "formula": described(aBoolean, "Whether it has one."),
	}
	marks = map[string]web.Schema{
		"static": described(aBoolean, "The text of a formula tells."),
		"seen":   described(aBoolean, "A traced calculation of this server has done it."),
	}
	edgeSchema = objectSchema(merged(variableBrief, marks, map[string]web.Schema{
		"node": described(aBoolean, "It reads a node above: any parameter below may be meant."),
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
		"total": described(anInteger, "How many match."),
		"next":  described(aText, "The cursor of the next page; not there on the last."),
		"results": listOf(objectSchema(merged(variableBrief, map[string]web.Schema{
			"kind": {"type": "string", "enum": []string{"variable", "parameter"}},
			"type": described(aText, "Of a variable as above; of a parameter Parameter, Scale or Node."),
			"reasons": listOf(objectSchema(map[string]web.Schema{
				"word": described(aText, "Of the query."), "matches": described(aText, "The word that it matches."),
				"in":  {"type": "string", "enum": []string{"id", "label", "values", "notes"}},
				"how": {"type": "string", "enum": []string{"exact", "prefix", "part", "typo"}},
			}, "word", "matches", "in", "how")),
		}), "kind", "id", "reasons")),
	})
	catalogueSchema = objectSchema(merged(packageSchema, map[string]web.Schema{
		"apiVersion": anInteger,
		"income":     described(aText, "Variable that stands for disposable income where a request names none; missing if the legislation has none."),
		"entities":   described(listOf(listOf(anyValue)), "Key, plural and label of each."),
		"types":      severally, "periods": severally,
		"fields":     described(severally, "What the elements of a variable are."),
		"variables":  described(listOf(listOf(anyValue)), "Of each: id, label, number of its entity, of its type, of its period, 1 if it has a formula, 1 if it takes inputs for longer periods than its own."),
		"parameters": described(anyObject, `The tree by name: the label of a parameter, [label, "scale"] of a scale, [label, children] of a node.`),
	}), "apiVersion", "variables", "parameters")
	variablePageSchema = enveloped(merged(packageSchema, map[string]web.Schema{"variable": objectSchema(map[string]web.Schema{
		"id": aText, "label": orText, "description": orText, "type": aText, "default": anyValue, "period": aText, "unit": orText,
		"entity":           objectSchema(map[string]web.Schema{"key": aText, "plural": aText, "label": orText}, "key", "plural"),
		"set_input":        described(orText, "What an input for another period means: dispatch_by_period, divide_by_period or custom."),
		"calculate_output": described(orText, "How it is computed for another period: add, divide or custom."),
		"possible_values":  listOf(objectSchema(map[string]web.Schema{"id": aText, "label": aText}, "id", "label")),
		"max_length":       anInteger, "cerfa_field": anyValue, "neutralized": aBoolean,
		"end":        described(orText, "The last day on which it exists."),
		"references": severally, "source": sourceSchema,
		"formulas": listOf(objectSchema(map[string]web.Schema{
			"start": described(orText, "First day in force; null: always."), "stop": orText, "source": sourceSchema, "documentation": orText, "text": aText,
			"names": described(listOf(objectSchema(merged(placeMembers, map[string]web.Schema{
				"kind": {"type": "string", "enum": []string{"variable", "parameter"}}, "id": aText,
			}), "kind", "id", "line", "column")), "The names in the text, from its beginning to its end."),
			"dynamic": described(listOf(objectSchema(merged(placeMembers, map[string]web.Schema{
				"reason": aText, "pattern": described(aText, "Of the name of a variable, with stars for what is not known."),
			}), "reason")), "What the formula may ask for besides, which its text does not tell."),
		}, "start", "stop", "names", "dynamic")),
		"inputs": listOf(edgeSchema), "parameters": listOf(readSchema), "consumers": listOf(edgeSchema),
	}, "id", "entity", "type", "default", "period", "formulas", "inputs", "parameters", "consumers")}))
	valuesSchema = described(listOf(objectSchema(map[string]web.Schema{
		"start": aText, "stop": orText, "value": anyValue, "unit": aText, "references": listOf(anyValue), "line": anInteger,
	}, "start", "stop", "value")), "The newest first; null from the day on which it no longer exists.")
	parameterPageSchema = enveloped(merged(packageSchema, map[string]web.Schema{"parameter": objectSchema(map[string]web.Schema{
		"id": aText, "label": orText, "description": orText, "type": {"type": "string", "enum": []string{"Parameter", "Scale", "Node"}},
		"unit": orText, "references": listOf(anyValue), "metadata": anyObject, "source": sourceSchema,
		"values":   valuesSchema,
		"brackets": described(listOf(byName(valuesSchema)), "threshold with rate, amount or average_rate, each by date; each has a page of its own at the id of the scale with .brackets[0].rate."),
		"within":   described(aText, "The scale, of a bracket or a value of one."),
		"scale":    described(aText, "What the package says the scale is, such as single_amount."), "threshold_unit": aText, "rate_unit": aText, "amount_unit": aText,
		"children":  listOf(objectSchema(map[string]web.Schema{"name": aText, "id": aText, "label": orText, "type": aText}, "name", "id", "type")),
		"variables": described(listOf(edgeSchema), "Those that read it."),
	}, "id", "type", "variables")}))
	lawGraphSchema = enveloped(map[string]web.Schema{
		"nodes": listOf(objectSchema(merged(variableBrief, map[string]web.Schema{
			"distance": described(anInteger, "From the variable that was asked about."),
			"dynamic":  described(aBoolean, "Its formulas may ask for more than their texts tell."),
			"more":     described(aBoolean, "It leads further than is shown."),
		}), "id", "distance")),
		"edges":     described(listOf(objectSchema(merged(marks, map[string]web.Schema{"from": aText, "to": aText}), "from", "to", "static", "seen")), "From what is asked for to what asks."),
		"truncated": described(aBoolean, "There are more than the answer may hold."),
	})
)
