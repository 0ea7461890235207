package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"edict/simulation/vector"
)

// Shape tells situations apart that cannot be one: those of one shape have as many members in the same roles, and say something about the same
// variables of the same members on the same periods, in the same order. The names and the values may differ.
func (s *Situation) Shape() string {
	var b strings.Builder
	fmt.Fprint(&b, s.Spec.Persons)
	for _, key := range slices.Sorted(maps.Keys(s.Spec.Groups)) {
		g := s.Spec.Groups[key]
		fmt.Fprint(&b, " ", key, g.Count, g.GroupOf)
		for _, role := range g.Roles {
			b.WriteString(" " + role.Key)
		}
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		fmt.Fprint(&b, " ", in.Variable.Name, " ", in.Period.String(), in.Values.Len(), in.silent)
	}
	return b.String()
}

// Together is situations of one shape, without axes, as one: the members of the first, then those of the second. Its members have no names. What
// formulas compute for each of them is what they compute alone, since no group has members of two, unless they ask about everybody, which the
// Rows of a simulation hear of.
func Together(all []*Situation) *Situation {
	first := all[0]
	out := &Situation{System: first.System, Spec: unnamed(first.Spec).Replicate(len(all)), Inputs: slices.Clone(first.Inputs)}
	for i := range out.Inputs {
		in := &out.Inputs[i]
		count := first.count(in.Variable.Entity)
		cells := make([]vector.Column, 0, count*len(all))
		for _, s := range all {
			values := s.Inputs[i].Values
			for member := range count {
				cell, _ := values.At(member % values.Len()) // which there is
				cells = append(cells, cell)
			}
		}
		in.Values = assemble(in.Variable, first.System.Wide(), cells)
	}
	return out
}
