package population

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"edict/simulation/legislation"
)

// Misfit is an option of a job that does not suit its legislation or its period.
type Misfit struct {
	Option string // variables, income or equivalence
	Index  int    // of the variable
	Err    error
}

// Misfits says which options do not suit the legislation and the period, as far as that can be told without the file: what Run would fail with.
func (j *Job) Misfits() (all []Misfit) {
	for i, name := range j.Variables {
		if slices.Contains(j.Variables[:i], name) {
			all = append(all, Misfit{"variables", i, fmt.Errorf("%s is requested twice: name it once", Shown(name))})
		} else if err := j.inBoth(func(l *layout) error { _, err := j.hidden(l, name); return err }); err != nil {
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

// CheckVariables refuses variables that the legislation does not have, or not for their periods, all of them at once. It reads no
// file.
func (j *Job) CheckVariables() error {
	if err := j.inBoth(func(l *layout) error { return l.system.Unprepared() }); err != nil {
		return err
	}
	var all wrongs
	for _, m := range j.Misfits() {
		all.add(fmt.Errorf("%s: %w", j.option(m.Option), m.Err))
	}
	return all.join()
}

// checkOptions makes sure that the variables are there before the file is read. Where they are not, the columns that flags name are looked
// for as well, so that all that is wrong is told at once.
func (j *Job) checkOptions(ctx context.Context) error {
	err := j.CheckVariables()
	if _, rejected := errors.AsType[*legislation.Unprepared](err); err == nil || rejected {
		return err
	}
	all := wrongs{err}
	if s, unread := j.open(ctx); unread == nil {
		all.add(j.checkColumns(s.header()))
		s.close()
	}
	return all.join()
}

// checkColumns refuses flags that name columns which the file does not have, or one twice, all of them at once.
func (j *Job) checkColumns(header []string) error {
	var all wrongs
	look := func(option string, names ...string) {
		for i, name := range names {
			if !slices.Contains(header, name) {
				all.add(fmt.Errorf("%s: %s: there is no column %q%s", j.Input, option, Shown(name), meant(name, slices.Values(header))))
			} else if slices.Contains(names[:i], name) {
				all.add(fmt.Errorf("%s: column %q is named twice: once will do", option, Shown(name)))
			}
		}
	}
	look(j.option("keep"), j.Keep...)
	a := j.Analysis
	if a == nil {
		return all.join()
	}
	if a.Weight != "" {
		look(j.option("weight"), a.Weight)
	}
	look(j.option("by"), a.By...)
	if a.Replication != nil {
		if err := a.Replication.check(header); err != nil {
			all.add(fmt.Errorf("%s: %s: %w", j.Input, j.option("replicate-weights"), err))
		}
	}
	if e := a.Equivalence; a.Income != "" && !slices.Contains(scales, e) && !slices.Contains(header, e) {
		all.add(fmt.Errorf("%s: %s: %q is none of %s, and there is no column of that name%s", j.Input, j.option("equivalence"), Shown(e), strings.Join(scales, ", "),
			meant(e, slices.Values(slices.Concat(scales, header)))))
	}
	return all.join()
}

// meant asks whether a name that is near to one that nobody knows was meant.
func meant(name string, known iter.Seq[string]) string {
	if near := legislation.Nearest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %s?", Shown(near))
	}
	return ""
}

// wrongs are errors that are told at once, a line each.
type wrongs []error

// add adds an error that is not there yet; nil is none.
func (w *wrongs) add(err error) {
	if err != nil && !slices.ContainsFunc(*w, func(other error) bool { return other.Error() == err.Error() }) {
		*w = append(*w, err)
	}
}

func (w wrongs) join() error { return errors.Join(w...) }
