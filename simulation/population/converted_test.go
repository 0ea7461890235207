package population

import (
	"slices"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// TestConverted: a column is noted where its values do not stay what the file says.
func TestConverted(t *testing.T) {
	variable := func(unit period.Unit, rule legislation.InputRule) *legislation.Variable {
		return &legislation.Variable{Name: "v", Type: legislation.Float, Period: unit, Input: rule}
	}
	year, month := period.OfYear(2024), period.OfMonth(2024, 1)
	for name, c := range map[string]struct {
		variable *legislation.Variable
		job      period.Period
		columns  []input // without variable
		want     []string
	}{
		"its own period": {variable(period.Year, legislation.AsGiven), year, []input{{at: year, name: "v"}}, nil},
		"divided":        {variable(period.Month, legislation.DivideEqual), year, []input{{at: year, name: "v"}}, []string{`"v": given for 2024, divided by 12 for each month`}},
		"the rest": {variable(period.Month, legislation.DivideEqual), year, []input{{at: month, name: "v:2024-01"}, {at: year, name: "v"}},
			[]string{`"v": given for 2024, the rest divided equally among the months without a column`}},
		"dispatched":        {variable(period.Month, legislation.Dispatch), month, []input{{at: year, name: "v:2024"}}, []string{`"v:2024": given for 2024, taken for each month`}},
		"by the package":    {variable(period.Month, legislation.InputByRules), year, []input{{at: year, name: "v"}}, []string{`"v": given for 2024, spread over the months by the package's own rule`}},
		"a month of a year": {variable(period.Year, legislation.AsGiven), month, []input{{at: year, name: "v"}}, []string{`"v": given for 2024-01, taken as the value of the whole year 2024`}},
		"for ever":          {variable(period.Eternity, legislation.AsGiven), year, []input{{at: period.Eternal, name: "v"}}, nil},
	} {
		l := &layout{}
		for _, in := range c.columns {
			in.variable = c.variable
			l.inputs = append(l.inputs, in)
		}
		var got []string
		for _, one := range (&Job{Period: c.job}).converted(l) {
			got = append(got, one.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
