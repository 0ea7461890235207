package simapi

import (
	"fmt"

	"edict/platform/web"
)

// The schemas of why.

var (
	sideSchema = objectSchema(map[string]web.Schema{
		"text":      described(aText, "The part as the formula has it."),
		"value":     described(anyValue, "What it is for the row."),
		"values":    described(listOf(anyValue), "What it is for each person in the group."),
		"variable":  described(aText, "The variable that stands there."),
		"parameter": described(aText, "The parameter that stands there."),
	}, "text")
	conditionSchema = objectSchema(map[string]web.Schema{
		"of":    described(aText, "The figure whose formula has it, if that is another one: what is zero because of it is followed on."),
		"file":  described(aText, "The file of that formula."),
		"line":  described(anInteger, "In the file of the formula."),
		"text":  described(aText, "An expression of the formula that made the value zero."),
		"is":    described(anyValue, "What it is for the row."),
		"sides": described(listOf(sideSchema), "The numbers in it: the two sides of a comparison, the terms of a sum, the arguments of a function."),
	}, "line", "text", "is")
	readParameterSchema = objectSchema(map[string]web.Schema{
		"name": aText, "label": aText, "unit": aText,
		"instant":    described(aText, "The day on which it was looked up."),
		"value":      described(anyValue, "What was read."),
		"since":      described(aText, "The day from which the value is in force."),
		"references": described(listOf(anyValue), "What the package says about where the value comes from."),
	}, "name", "instant", "value")
	branchSchema = objectSchema(map[string]web.Schema{
		"variable": aText, "label": aText, "entity": aText, "period": aText,
		"index":      described(anInteger, "Which of the members of the entity it is, from 0."),
		"id":         described(aText, "The id of that member."),
		"also":       described(listOf(objectSchema(map[string]web.Schema{"index": anInteger, "id": aText}, "index")), "Further members of which all of it is true as well, if the branch is zero."),
		"value":      described(anyValue, `The value, as a trace has it; "nan", "inf" and "-inf" are texts.`),
		"others":     described(byName(anyValue), "The values of further periods that the same formula asked for."),
		"origin":     {"type": "string", "enum": []string{"formula", "input", "default", "neutralized"}},
		"formula":    described(objectSchema(map[string]web.Schema{"file": aText, "line": anInteger, "since": aText}, "file", "line"), "The formula in force."),
		"because":    described(listOf(conditionSchema), "What made the value zero."),
		"parameters": listOf(readParameterSchema),
		"branches":   described(listOf(web.Ref("Branch")), "What the formula asked for."),
		"zeros":      described(severally, "Variables that the formula asked for too, and that are zero because nobody gave them a value."),
		"more":       described(anInteger, "How many branches were left out because there are too many."),
		"cut":        {"type": "string", "enum": []string{"depth", "size", "shown"}, "description": "Why a branch that goes on is not opened: it is as deep as was asked for, the answer would be too long, or it is opened elsewhere in the tree."},
		"folded":     described(aBoolean, "The branch goes on, and is not opened because it is zero."),
	}, "variable", "entity", "index", "value", "origin")
	whySchema = withRequired(scenarioKeys(map[string]web.Schema{
		"figure": described(closed(objectSchema(map[string]web.Schema{
			"variable": aText,
			"period":   described(aPeriod, "A period of the variable; that of the scenario if there is none."),
			"index":    described(anInteger, "Which member of the variable's entity, from 0; 0 if neither index nor id is there."),
			"id":       described(aText, "The id of that member, instead of an index."),
		}, "variable")), "The figure to explain."),
		"depth": {"type": "integer", "minimum": 0, "maximum": whyDeepest, "description": fmt.Sprintf("How many levels of branches are opened; %d if it is not there.", whyDepth)},
		"path":  described(severally, "Opens a branch instead: the steps from the figure, which comes first, to the branch, each as name, name<period>, name[index] or name<period>[index]."),
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
