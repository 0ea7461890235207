package population

import (
	"errors"
	"fmt"
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// Analysis says what a report is about. Statistics count persons, each with the weight and the equivalised income of their household,
// which is the group that Income is a variable of.
type Analysis struct {
	// Weight is the column that says how many persons a row stands for; "" for one each.
	Weight string
	// Income is the variable whose distribution is measured; "" for none.
	Income string
	// Equivalence makes incomes of households of any size comparable: ModifiedOECD, SquareRoot, NoScale, or a column of scales.
	Equivalence string
	// PovertyLine is the equivalised income below which a person is poor; 0 is 60 % of the median of the base.
	PovertyLine float64
	// By are columns: everything is reported again for the persons of each of their values.
	By []string
	// Tolerance is the change of an income below which it counts as unchanged.
	Tolerance float64
	// Replication has standard errors computed; nil has none.
	Replication *Replication
}

// The equivalence scales.
const (
	ModifiedOECD = "modified-oecd"
	SquareRoot   = "sqrt"
	NoScale      = "none"
)

var scales = []string{ModifiedOECD, SquareRoot, NoScale}

// maxGroups bounds how many values a column of Analysis.By may have.
const maxGroups = 1000

// analyst is what a layout knows of the analysis. Columns are -1 for none.
type analyst struct {
	weight, scale int
	by            []int
	replicates    []int
	income        int // of layout.outputs, -1 for none
	age, birth    int // of layout.outputs, -1 for none
}

// addAnalysis finds the columns and the variables that the report needs beyond those that are asked for.
func (j *Job) addAnalysis(l *layout, header []string) error {
	a := j.Analysis
	l.analyst = analyst{weight: -1, scale: -1, income: -1, age: -1, birth: -1}
	if a == nil {
		return nil
	}
	l.analyst.weight = slices.Index(header, a.Weight)
	if a.Replication != nil {
		l.analyst.replicates = a.Replication.find(header)
	}
	for _, name := range a.By {
		l.analyst.by = append(l.analyst.by, slices.Index(header, name))
	}
	if a.Income == "" {
		return nil
	}
	if !slices.Contains(scales, a.Equivalence) {
		l.analyst.scale = slices.Index(header, a.Equivalence)
	}
	if err := j.addIncome(l); err != nil {
		return fmt.Errorf("%s: %w", j.option("income"), err)
	}
	if a.Equivalence != ModifiedOECD {
		return nil
	}
	if err := j.addAges(l); err != nil {
		return fmt.Errorf("%s: %w", j.option("equivalence"), err)
	}
	return nil
}

// addIncome finds the variable whose distribution is measured.
func (j *Job) addIncome(l *layout) (err error) {
	if l.analyst.income, err = j.hidden(l, j.Analysis.Income); err != nil {
		return err
	}
	if v := l.outputs[l.analyst.income].variable; v.Type != legislation.Float && v.Type != legislation.Int {
		return fmt.Errorf("%s is no amount", v.Name)
	}
	return nil
}

// births are what packages call the date of birth.
var births = []string{"date_naissance", "birth", "birthdate", "birth_date", "date_of_birth", "date_birth"}

// addAges finds out how old persons are on the first day of the period.
func (j *Job) addAges(l *layout) (err error) {
	if j.Period.Unit == period.Eternity {
		return errors.New("eternity has no first day, on which " + ModifiedOECD + " counts ages: choose a year as the period")
	}
	for _, name := range append([]string{"age"}, births...) {
		v, missing := l.system.Lookup(name)
		if missing != nil || !v.Entity.IsPerson {
			continue
		}
		switch {
		case name == "age" && (v.Type == legislation.Int || v.Type == legislation.Float):
			if v.Period != period.Eternity {
				first, err := j.Period.First(v.Period)
				if err != nil {
					return err
				}
				name += ":" + first.String()
			}
			l.analyst.age, err = j.hidden(l, name)
			return err
		case v.Type == legislation.Date:
			l.analyst.birth, err = j.hidden(l, name)
			return err
		}
	}
	return errors.New("the legislation has neither a variable age nor a date of birth, which " + ModifiedOECD + " needs: choose " + SquareRoot + ", " + NoScale + " or a column")
}

// hidden returns the index of an output that need not be written.
func (j *Job) hidden(l *layout, name string) (int, error) {
	if i := slices.IndexFunc(l.outputs, func(o output) bool { return o.name == name }); i >= 0 {
		return i, nil
	}
	o, err := j.output(l.system, name)
	if err != nil {
		return -1, err
	}
	l.outputs = append(l.outputs, o)
	return len(l.outputs) - 1, nil
}
