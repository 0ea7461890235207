package simapi

import (
	"context"
	"fmt"

	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// The hooks of a package are functions of its modules suggest and rules. A package without one does without.

// hook is a function of the package, nil if it has none. What it fails with is the package's fault.
func (l *law) hook(ctx context.Context, module, name string) func(doc legislation.Data, year int) (legislation.Data, error) {
	if !l.pkg.HasHook(module, name) {
		return nil
	}
	return func(doc legislation.Data, year int) (legislation.Data, error) {
		answer, err := l.pkg.Hook(ctx, module, name, doc, legislation.DataOf(vector.PyInt(int64(year))))
		if err != nil {
			return answer, fmt.Errorf("%s of the module %s: %w", name, module, err)
		}
		return answer, nil
	}
}

// text is a member of a mapping that is a text, "" if it is none.
func text(d legislation.Data, key string) string {
	v, _ := d.Get(key)
	s, _ := v.Text()
	return s
}

// suggest asks for values that a test case leaves out.
func (l *law) suggest(ctx context.Context) func(legislation.Data, int) ([]scenario.Suggestion, error) {
	call := l.hook(ctx, "suggest", "suggest")
	if call == nil {
		return nil
	}
	return func(testCase legislation.Data, year int) ([]scenario.Suggestion, error) {
		answer, err := call(testCase, year)
		out := make([]scenario.Suggestion, len(answer.List))
		for i, d := range answer.List {
			id, _ := d.Get("id")
			value, _ := d.Get("value")
			out[i] = scenario.Suggestion{Entity: text(d, "entity"), Variable: text(d, "variable"), Period: text(d, "period"), ID: id, Value: value}
		}
		return out, err
	}
}

// check asks which rules of the legislation a test case breaks.
func (l *law) check(ctx context.Context) func(legislation.Data, int) ([]scenario.Breach, error) {
	call := l.hook(ctx, "rules", "check")
	if call == nil {
		return nil
	}
	return func(testCase legislation.Data, year int) ([]scenario.Breach, error) {
		answer, err := call(testCase, year)
		out := make([]scenario.Breach, len(answer.List))
		for i, d := range answer.List {
			id, _ := d.Get("id")
			person, _ := d.Get("person")
			out[i] = scenario.Breach{Entity: text(d, "entity"), Role: text(d, "role"), Message: text(d, "message"), ID: id, Person: person}
		}
		return out, err
	}
}

// adult asks whether a person is one.
func (l *law) adult(ctx context.Context) func(legislation.Data, int) (bool, error) {
	call := l.hook(ctx, "rules", "is_adult")
	if call == nil {
		return nil
	}
	return func(person legislation.Data, year int) (bool, error) {
		answer, err := call(person, year)
		return answer.Kind == legislation.Scalar && answer.Scalar.Bool(0), err
	}
}
