package legislation

import "edict/simulation/period"

// Span is a stretch of days: from a day on, up to but not including another. The zero Until means for ever.
type Span struct{ From, Until period.Instant }

// Has tells whether a day is in the span.
func (s Span) Has(day period.Instant) bool {
	return !day.Before(s.From) && (s.Until == period.Instant{} || day.Before(s.Until))
}

// Narrow leaves the days that are in another span, too.
func (s *Span) Narrow(o Span) {
	if s.From.Before(o.From) {
		s.From = o.From
	}
	if (o.Until != period.Instant{}) && (s.Until == period.Instant{} || o.Until.Before(s.Until)) {
		s.Until = o.Until
	}
}

// spanOn gives the days around one on which the parameter has the same value, or likewise none.
func (p *Parameter) spanOn(day period.Instant) Span {
	var s Span
	for i := range p.Values {
		start := p.Values[i].Start
		if !day.Before(start) {
			s.From = start
			return s
		}
		s.Until = start
	}
	return s
}

func (n *ParameterNode) spanOn(day period.Instant) Span {
	var s Span
	for _, child := range n.Children.All() {
		s.Narrow(child.spanOn(day))
	}
	return s
}

func (s *ParameterScale) spanOn(day period.Instant) Span {
	var all Span
	for _, b := range s.Brackets {
		all.Narrow(b.spanOn(day))
	}
	return all
}

// Span gives the days around that of the view on which the path leads to the same: to the same value, to a node, whatever
// is in it, or nowhere.
func (v *View) Span(path PathID) Span { return v.found(path).span }

// span is Span for the steps of a path.
func (v *View) span(steps []string) Span {
	node := v.tree.Root
	for _, step := range steps {
		child, ok := node.Children.Get(step)
		if !ok {
			return Span{}
		}
		if node, ok = child.(*ParameterNode); !ok {
			return child.spanOn(v.day)
		}
	}
	return Span{}
}

// Span gives the days around that of the view on which everything below the node is the same.
func (n *NodeAt) Span() Span {
	n.spanOnce.Do(func() { n.span = n.node.spanOn(n.view.day) })
	return n.span
}

// ChildSpan gives the days around that of the view on which the node has the same child of that name: the same value, a
// node, whatever is in it, or none.
func (n *NodeAt) ChildSpan(name string) Span {
	child, ok := n.node.Children.Get(name)
	if !ok {
		return Span{}
	}
	if _, ok := child.(*ParameterNode); ok {
		return Span{}
	}
	return child.spanOn(n.view.day)
}
