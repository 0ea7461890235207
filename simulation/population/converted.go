package population

import (
	"fmt"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// Converted is a column whose values are given for another period than its variable is defined for.
type Converted struct {
	Column   string `json:"column"`
	Variable string `json:"variable"`
	Period   string `json:"period"` // that the values are given for
	Rule     string `json:"rule"`   // what becomes of them
}

// String describes it in a line.
func (c Converted) String() string {
	return fmt.Sprintf("%s: given for %s, %s", quoted(c.Column), c.Period, c.Rule)
}

// converted lists the columns whose values are split or taken for another period, in the order of the file.
func (j *Job) converted(l *layout) []Converted {
	var all []Converted
	for i := range l.inputs {
		in := &l.inputs[i]
		_, _, dated := cutPeriod(in.name)
		given := in.at
		if !dated {
			given = j.Period
		}
		if rule := in.rule(l, given); rule != "" {
			all = append(all, Converted{in.name, in.variable.Name, given.String(), rule})
		}
	}
	return all
}

// rule is what becomes of values for a period; "" if they are stored as they are given.
func (in *input) rule(l *layout, given period.Period) string {
	unit := in.variable.Period
	switch {
	case unit == period.Eternity:
		return ""
	case given != in.at:
		return fmt.Sprintf("taken as the value of the whole %s %s", unit, in.at)
	}
	parts, err := in.at.Subperiods(unit)
	if err != nil || len(parts) < 2 {
		return ""
	}
	others := 0 // columns of parts of the period, which keep what they say
	for i := range l.inputs {
		if other := &l.inputs[i]; other.variable == in.variable && other.at != in.at {
			if inside, _ := in.at.Contains(other.at); inside {
				others++
			}
		}
	}
	switch in.variable.Input {
	case legislation.DivideEqual:
		if others > 0 {
			return fmt.Sprintf("the rest divided equally among the %ss without a column", unit)
		}
		return fmt.Sprintf("divided by %d for each %s", len(parts), unit)
	case legislation.Dispatch:
		if t := in.variable.Type; t == legislation.Float || t == legislation.Int {
			return fmt.Sprintf("taken for each %s", unit)
		}
	case legislation.InputByRules:
		return fmt.Sprintf("spread over the %ss by the package's own rule", unit)
	}
	return ""
}
