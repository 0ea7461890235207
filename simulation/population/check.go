package population

import "edict/simulation/legislation"

// Misfit is an option of a job that does not suit its legislation or its period.
type Misfit struct {
	Option string // variables, income or equivalence
	Index  int    // of the variable
	Err    error
}

// Check says which options do not suit the legislation and the period, as far as that can be told without the file: what Run would fail with.
func (j *Job) Check() (all []Misfit) {
	for i, name := range j.Variables {
		if err := j.inBoth(func(l *layout) error { _, err := j.hidden(l, name); return err }); err != nil {
			all = append(all, Misfit{"variables", i, err})
		}
	}
	if j.Analysis == nil || j.Analysis.Income == "" {
		return all
	}
	if err := j.inBoth(j.addIncome); err != nil {
		all = append(all, Misfit{Option: "income", Err: err})
	}
	if j.Analysis.Equivalence == ModifiedOECD {
		if err := j.inBoth(j.addAges); err != nil {
			all = append(all, Misfit{Option: "equivalence", Err: err})
		}
	}
	return all
}

// inBoth asks the same of the base and of the reform, if there is one.
func (j *Job) inBoth(ask func(*layout) error) error {
	for _, system := range []*legislation.System{j.System, j.Reform} {
		if system == nil {
			continue
		}
		if err := ask(&layout{system: system}); err != nil {
			return err
		}
	}
	return nil
}
