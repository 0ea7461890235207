package population

import (
	"fmt"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// Names of columns and variables may have a period of their own. What a variable cannot be told or asked for is refused when its name is
// read, with the name that it should have: whoever has a file knows nothing of the options that formulas have.

// cutPeriod takes name:period or name@period apart.
func cutPeriod(name string) (bare, when string, dated bool) {
	if i := strings.IndexAny(name, ":@"); i >= 0 {
		return name[:i], name[i+1:], true
	}
	return name, "", false
}

// inputPeriod is the period that a column is about. The period of the job stands for the longer one of a variable that is
// defined for longer ones: a month for its year.
func inputPeriod(v *legislation.Variable, at period.Period, when string, dated bool) (period.Period, error) {
	if v.Period == period.Eternity {
		return period.Eternal, nil
	}
	if dated {
		var err error
		if at, err = period.Parse(Shown(when)); err != nil {
			return at, err
		}
	} else if at.Unit.Weight() < v.Period.Weight() {
		return at.First(v.Period)
	}
	return at, checkInput(v, at)
}

// checkInput refuses a period that a variable cannot be told for.
func checkInput(v *legislation.Variable, at period.Period) error {
	example := v.Name + ":" + firstOf(at, v.Period)
	switch {
	case v.Input == legislation.InputByRules:
		return nil // which know what they take
	case at.Unit == period.Eternity:
		return fmt.Errorf("%s is defined by the %s, and eternity has none: name the column %s, and so on", v.Name, v.Period, example)
	case !consists(at, v.Period):
		return fmt.Errorf("%s is defined by the %s, and %s is not made of whole %ss: name the column %s", v.Name, v.Period, at, v.Period, example)
	case v.Input == legislation.AsGiven && (at.Unit != v.Period || at.Size != 1):
		return fmt.Errorf("%s is defined by the %s and has no rule that divides a value for %s: name the column %s, and so on", v.Name, v.Period, at, example)
	}
	return nil
}

// consists tells whether a period is made of some of a unit.
func consists(at period.Period, unit period.Unit) bool {
	parts, err := at.Subperiods(unit)
	return err == nil && len(parts) > 0
}

// firstOf is an example of a period inside another.
func firstOf(at period.Period, unit period.Unit) string {
	if at.Unit != period.Eternity {
		if first, err := at.First(unit); err == nil {
			return first.String()
		}
	}
	switch unit {
	case period.Year:
		return "2022"
	case period.Month:
		return "2022-01"
	case period.Week:
		return "2022-W01"
	case period.Weekday:
		return "2022-W01-1"
	}
	return "2022-01-01"
}

// output understands a variable that is asked for. Amounts of months are summed over a year, and amounts of years shared
// out over months; what is no amount is asked for on a period of its own.
func (j *Job) output(system *legislation.System, name string) (output, error) {
	bare, when, dated := cutPeriod(name)
	v, err := system.Lookup(bare)
	if err != nil {
		return output{}, system.NotFound(Shown(bare))
	}
	o := output{variable: v, at: j.Period, name: name}
	if dated {
		if o.at, err = system.ParsePeriod(Shown(when)); err != nil {
			return o, fmt.Errorf("%s: %w", Shown(name), err)
		}
	}
	if v.Output == legislation.OutputByRules || v.Period == period.Eternity || v.Period == o.at.Unit && o.at.Size == 1 {
		return o, nil
	}
	return o, o.convert()
}

// convert finds out how a variable is computed for a period that is not its own.
func (o *output) convert() (err error) {
	v := o.variable
	longer := v.Period.Weight() < o.at.Unit.Weight() || v.Period == o.at.Unit
	amount := v.Type == legislation.Float && !v.SizeIndependent
	example := v.Name + ":" + firstOf(o.at, v.Period)
	switch {
	case o.at.Unit == period.Eternity:
		return fmt.Errorf("%s is defined by the %s, and eternity has none: ask for %s", v.Name, v.Period, example)
	case v.Output == legislation.OutputAdd, v.Output == legislation.AsDefined && amount && longer:
		if !consists(o.at, v.Period) {
			return fmt.Errorf("%s is defined by the %s, and %s is not made of whole %ss: ask for %s", v.Name, v.Period, o.at, v.Period, example)
		}
		if v.Output == legislation.AsDefined {
			o.how = summed
		}
	case v.Output == legislation.OutputDivide, amount:
		whole, err := o.at.First(v.Period)
		if err == nil {
			_, err = whole.SizeIn(o.at.Unit)
		}
		switch {
		case longer || err != nil:
			return fmt.Errorf("%s is defined by the %s and is not shared out over %s: ask for %s", v.Name, v.Period, o.at, example)
		case o.at.Size != 1:
			return fmt.Errorf("%s is defined by the %s and shared out over one %s at a time, not over %s: ask for %s:%s, and so on, or for %s", v.Name, v.Period, o.at.Unit, o.at, v.Name, firstOf(o.at, o.at.Unit), example)
		}
		if v.Output == legislation.AsDefined {
			o.how = divided
		}
	case longer:
		return fmt.Errorf("%s is defined by the %s, and is no amount that could be summed over %s: ask for %s", v.Name, v.Period, o.at, example)
	default:
		o.at, err = o.at.First(v.Period)
	}
	return err
}
