package engine

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// law gives the formulas of one simulation the parameters. It finds the view of a period by the period's number, and
// tells the tracer, if there is one, what is read.
type law struct {
	tree   *legislation.Tree
	views  []*legislation.View
	tracer *Tracer
	alike  *alike // or nil
}

var _ legislation.Law = (*law)(nil)

func (l *law) During(at *period.Entry) (*legislation.View, error) {
	if l.alike != nil {
		l.alike.add(clue{kind: granted, from: at})
	}
	return l.during(at)
}

func (l *law) Value(at *period.Entry, path legislation.PathID) (legislation.Value, error) {
	view, err := l.during(at)
	if err != nil {
		return legislation.Value{}, err
	}
	v, err := view.Lookup(path)
	switch {
	case l.alike == nil:
	case v.Node != nil:
		l.alike.add(clue{kind: granted, from: at})
	default:
		l.alike.add(clue{kind: read, from: at, item: l.tree.Item(path)})
	}
	return v, err
}

// Followed tells whether Read wants to hear.
func (l *law) Followed() bool { return l.alike != nil }

// Read notes what is read of a node. What is read of nodes below it is noted then.
func (l *law) Read(n *legislation.NodeAt, steps ...string) {
	if l.alike == nil || !l.alike.listening() {
		return
	}
	item, there := n.Item().Toward(steps...)
	if _, node := item.(*legislation.ParameterNode); node && there && len(steps) > 0 {
		return
	}
	l.alike.add(clue{kind: readOn, day: n.Day(), item: item})
}

func (l *law) during(at *period.Entry) (*legislation.View, error) {
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

func (l *law) Record(name string, day period.Instant, value vector.Column) {
	if l.tracer == nil || l.tracer.current == nil {
		return
	}
	node := l.tracer.current
	node.Parameters = append(node.Parameters, ParameterRead{name, day, value})
}
