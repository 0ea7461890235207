package simapi

import (
	"maps"
	"slices"

	"edict/simulation/legislation"
)

// dependencies are what the text of a formula asks for: variables and parameters, sorted by name.
type dependencies struct {
	variables  []string
	parameters []string
}

// dependenciesOf returns the dependencies of every formula of a variable, in their order.
func (l *law) dependenciesOf(system *legislation.System, v *legislation.Variable) []dependencies {
	out := make([]dependencies, len(v.Formulas))
	for i := range v.Formulas {
		facts := l.graph.Facts(system, &v.Formulas[i])
		for _, u := range facts.Variables {
			if _, err := system.Lookup(u.Name); err == nil {
				out[i].variables = append(out[i].variables, u.Name)
			}
		}
		for _, u := range facts.Parameters {
			out[i].parameters = append(out[i].parameters, u.Name)
		}
	}
	return out
}

// inputsOf are the variables that the text of any formula of a variable asks for, sorted by name.
func (l *law) inputsOf(system *legislation.System, v *legislation.Variable) []string {
	all := map[string]bool{}
	for _, d := range l.dependenciesOf(system, v) {
		for _, name := range d.variables {
			all[name] = true
		}
	}
	return sorted(all)
}

func sorted(set map[string]bool) []string {
	return append([]string{}, slices.Sorted(maps.Keys(set))...) // an empty list is a list
}
