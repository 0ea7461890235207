package simapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/scenario"
)

// maxReforms bounds a list of reforms.
const maxReforms = 100

// reforms is a list of reforms of a request: keys, and reforms written as data. A key that is written twice counts once.
type reforms struct {
	key    string // of the list in the request
	steps  []legislation.Step
	places []int // of the steps in the list
}

// readReforms reads a list of reforms. Of one that is wrong it has what could be read.
func (q *request) readReforms(key string) reforms {
	list := reforms{key: key}
	d, ok := q.doc.Get(key)
	if !ok {
		return list
	}
	if d.Kind != legislation.List {
		q.refuse("expected a list, got "+scenario.KindInWords(d), key)
		return list
	}
	if len(d.List) > maxReforms {
		q.refuse(fmt.Sprintf("There can't be more than %d reforms, got %d", maxReforms, len(d.List)), key)
		return list
	}
	for i, item := range d.List {
		step, ok := q.readReform(item, key, strconv.Itoa(i))
		if step.Data != nil || ok && !slices.Contains(list.steps, step) {
			list.steps, list.places = append(list.steps, step), append(list.places, i)
		}
	}
	return list
}

// readReform reads one reform, and says what is wrong with it.
func (q *request) readReform(item legislation.Data, place ...string) (legislation.Step, bool) {
	if item.Kind == legislation.Mapping {
		reform, wrong := legislation.ReadReform(item)
		for _, e := range wrong {
			q.refuse(e.Msg, append(slices.Clip(place), e.Place...)...)
		}
		return legislation.Step{Data: reform}, len(wrong) == 0
	}
	text, isText := item.Text()
	switch {
	case item.Kind == legislation.Null || isText && text == "":
		q.refuse("Missing value", place...)
	case !isText:
		q.refuse("expected the key of a reform, or an object with parameters, got "+scenario.KindInWords(item), place...)
	default:
		return legislation.Step{Key: text}, true
	}
	return legislation.Step{}, false
}

// composed makes the legislation of all reforms together; what is wrong with them is said at their places.
func (q *request) composed(ctx context.Context, l *law) (*legislation.System, error) {
	system, err := l.catalogue.Compose(ctx, slices.Concat(q.baseReforms.steps, q.reforms.steps))
	if wrong, ok := errors.AsType[legislation.StepErrors](err); ok {
		return nil, q.misplaced(l, wrong)
	}
	return system, err
}

// compose makes the legislation of both sides.
func (p *prepared) compose(ctx context.Context) error {
	base := p.baseReforms.steps
	system, err := p.composed(ctx, p.law)
	if wrong, ok := scenario.AsProblems(err); ok {
		return p.refused(400, wrong.Tree())
	}
	if err != nil {
		return err
	}
	p.base = &side{system: system}
	if len(p.reforms.steps) == 0 {
		return nil
	}
	p.reform = p.base
	if system, err = p.law.catalogue.Compose(ctx, base); err != nil {
		return err
	}
	p.base = &side{system: system}
	return nil
}

// misplaced says at their places what is wrong with reforms.
func (q *request) misplaced(l *law, wrong legislation.StepErrors) scenario.Problems {
	var problems scenario.Problems
	for _, e := range wrong {
		list, i := &q.baseReforms, e.Step
		if n := len(list.steps); i >= n {
			list, i = &q.reforms, i-n
		}
		msg := e.Err.Error()
		if none, ok := errors.AsType[*legislation.NoReform](e.Err); ok {
			msg = l.unknownReform(none.Key)
		}
		problems = append(problems, scenario.Problem{Path: append([]string{list.key, strconv.Itoa(list.places[i])}, e.Place...), Msg: msg})
	}
	return problems
}
