package legislation

import (
	"slices"

	"edict/simulation/period"
)

// Item gives what a path leads to in the tree, on whatever day; the last part of it that exists.
func (t *Tree) Item(path PathID) ParameterItem {
	if known, ok := t.items.Load(path); ok {
		return known.(ParameterItem)
	}
	item, _ := t.Root.Toward(t.names.PathSteps(path)...)
	t.items.Store(path, item)
	return item
}

// Toward follows a path from the node as far as it exists, and tells whether that is all the way.
func (n *ParameterNode) Toward(steps ...string) (item ParameterItem, there bool) {
	item = n
	for _, step := range steps {
		node, ok := item.(*ParameterNode)
		if !ok {
			return item, false
		}
		child, ok := node.Children.Get(step)
		if !ok {
			return item, false
		}
		item = child
	}
	return item, true
}

// Steady tells whether an item, with everything below it, is the same on two days.
func (t *Tree) Steady(item ParameterItem, a, b period.Instant) bool {
	if a == b {
		return true
	}
	changes := t.changesOf(item)
	return happened(changes, a) == happened(changes, b)
}

// happened counts the changes up to a day.
func happened(changes []period.Instant, day period.Instant) int {
	n, found := slices.BinarySearchFunc(changes, day, period.Instant.Compare)
	if found {
		n++
	}
	return n
}

// changesOf gives the days, in order, on which anything changes at or below an item.
func (t *Tree) changesOf(item ParameterItem) []period.Instant {
	if known, ok := t.changes.Load(item); ok {
		return known.([]period.Instant)
	}
	days := changes(item, nil)
	slices.SortFunc(days, period.Instant.Compare)
	known, _ := t.changes.LoadOrStore(item, slices.Compact(days))
	return known.([]period.Instant)
}

func changes(item ParameterItem, days []period.Instant) []period.Instant {
	switch p := item.(type) {
	case *Parameter:
		for i := range p.Values {
			days = append(days, p.Values[i].Start)
		}
	case *ParameterScale:
		for _, bracket := range p.Brackets {
			days = changes(bracket, days)
		}
	case *ParameterNode:
		for _, child := range p.Children.All() {
			days = changes(child, days)
		}
	}
	return days
}
