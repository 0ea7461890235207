package simapi

import (
	"fmt"

	"edict/platform/web"
)

// The schemas of why.

var (
	sideSchema = objectSchema(map[string]web.Schema{
		"text":      described(aText, "The part, as written in the formula."),
		"value":     described(anyValue, "Its value for the row."),
		"values":    described(listOf(anyValue), "Its value for each person in the group."),
		"variable":  described(aText, "The variable at this place."),
		"parameter": described(aText, "The parameter at this place."),
	}, "text")
	conditionSchema = objectSchema(map[string]web.Schema{
		"of":    described(aText, "The figure whose formula contains it, if different: causes of zeros are followed."),
		"file":  described(aText, "The file of that formula."),
		"line":  described(anInteger, "In the file of the formula."),
		"text":  described(aText, "An expression of the formula that made the value zero."),
		"is":    described(anyValue, "Its value for the row."),
		"sides": described(listOf(sideSchema), "The numbers in it: the two sides of a comparison, the terms of a sum, the arguments of a function."),
	}, "line", "text", "is")
	readParameterSchema = objectSchema(map[string]web.Schema{
		"name": aText, "label": aText, "unit": aText,
		"instant":    described(aText, "The day of the lookup."),
		"value":      described(anyValue, "The value that was read."),
		"since":      described(aText, "The day from which the value is in force."),
		"references": described(listOf(anyValue), "The package's references for the value."),
	}, "name", "instant", "value")
	branchSchema = objectSchema(map[string]web.Schema{
		"variable": aText, "label": aText, "entity": aText, "period": aText,
		"index":      described(anInteger, "Position of the member in its entity, from 0."),
		"id":         described(aText, "The id of that member."),
		"also":       described(listOf(objectSchema(map[string]web.Schema{"index": anInteger, "id": aText}, "index")), "Further members with the same explanation, if the branch is zero."),
		"value":      described(anyValue, `The value, as a trace has it; "nan", "inf" and "-inf" are texts.`),
		"others":     described(byName(anyValue), "Values for further periods that the same formula requested."),
		"origin":     {"type": "string", "enum": []string{"formula", "input", "default", "neutralized"}},
		"formula":    described(objectSchema(map[string]web.Schema{"file": aText, "line": anInteger, "since": aText}, "file", "line"), "The formula in force."),
		"because":    described(listOf(conditionSchema), "The conditions that made the value zero."),
		"parameters": listOf(readParameterSchema),
		"branches":   described(listOf(web.Ref("Branch")), "The values that the formula requested."),
		"zeros":      described(severally, "Further variables that the formula requested and that are zero because they have no input."),
		"more":       described(anInteger, "Number of branches omitted because there are too many."),
		"cut":        {"type": "string", "enum": []string{"depth", "size", "shown"}, "description": "Reason why a branch is not opened: the requested depth, the size of the response, or an earlier place in the tree that shows it."},
		"folded":     described(aBoolean, "The branch is not opened because it is zero."),
	}, "variable", "entity", "index", "value", "origin")
	whySchema = withRequired(scenarioKeys(map[string]web.Schema{
		"figure": described(closed(objectSchema(map[string]web.Schema{
			"variable": aText,
			"period":   described(aPeriod, "A period of the variable; defaults to the scenario's."),
			"index":    described(anInteger, "Position of the member in the variable's entity, from 0. Default 0."),
			"id":       described(aText, "The id of that member, instead of an index."),
		}, "variable")), "The figure to explain."),
		"depth": {"type": "integer", "minimum": 0, "maximum": whyDeepest, "description": fmt.Sprintf("Number of levels to open. Default %d.", whyDepth)},
		"path":  described(severally, "Opens one branch instead: the steps from the figure to the branch. Each is name, name<period>, name[index] or name<period>[index]."),
	}), "figure")
	explainedSchema = enveloped(map[string]web.Schema{
		"depth":       anInteger,
		"figure":      described(aText, "The figure as a step of a path: name<period>[index]."),
		"suggestions": listOf(web.Ref("Suggestion")),
		"value":       web.Ref("Branch"),
	})
)

// withRequired asks for one more member of an object.
func withRequired(s web.Schema, name string) web.Schema {
	s["required"] = append([]string{name}, s["required"].([]string)...)
	return s
}
