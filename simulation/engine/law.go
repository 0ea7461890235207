package engine

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// law gives the formulas of one simulation the parameters. It finds the view of a period by the period's number, and
// tells the tracer, if there is one, what is read.
type law struct {
	tree   *legislation.Tree
	views  []*legislation.View
	tracer *Tracer
}

var (
	_ legislation.Law           = (*law)(nil)
	_ legislation.ScaleRecorder = (*law)(nil)
)

func (l *law) During(at *period.Entry) (*legislation.View, error) {
	if int(at.ID) < len(l.views) && l.views[at.ID] != nil {
		return l.views[at.ID], nil
	}
	view, err := l.tree.On(at.Start)
	if err != nil {
		return nil, err
	}
	for int(at.ID) >= len(l.views) {
		l.views = append(l.views, nil)
	}
	l.views[at.ID] = view
	return view, nil
}

func (l *law) On(day period.Instant) (*legislation.View, error) { return l.tree.On(day) }

func (l *law) Traced() bool { return l.tracer != nil }

func (l *law) Record(name string, day period.Instant, value legislation.Data) {
	if l.tracer == nil || l.tracer.current == nil {
		return
	}
	node := l.tracer.current
	node.Parameters = append(node.Parameters, ParameterRead{name, day, value})
}

func (l *law) RecordScale(name string, day period.Instant) {
	if l.tracer == nil || l.tracer.current == nil {
		return
	}
	node, read := l.tracer.current, ScaleRead{name, day}
	if !slices.Contains(node.Scales, read) {
		node.Scales = append(node.Scales, read)
	}
}
