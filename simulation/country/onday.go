package country

import (
	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
)

// dayNode is a node of parameters that may still change, on a day. Packages of PolicyEngine ask for the whole tree on a day, thousands of times while
// they are loaded, and read one leaf of it each time: what is below the node is looked up when it is asked for. For anything else than names the node is
// copied, as it is then.
type dayNode struct {
	of   *parameterObject
	node *legislation.ParameterNode
	day  period.Instant
}

// onDay is what an item is on a day.
func (o *parameterObject) onDay(th *py.Thread, day period.Instant) py.Value {
	switch item := o.item.(type) {
	case *legislation.Parameter:
		o.sync(th)
		return valueOf(item.ValueAt(day))
	case *legislation.ParameterNode:
		if o.core.policy && !o.fixed(th) {
			return py.Obj(&dayNode{o, item, day})
		}
	}
	switch r := runOf(th); {
	case o.copy != nil:
		return inForceOn(th, o.copy.System().Parameters(), o.copy.Item(o.item), day)
	case o.law != nil:
		return inForceOn(th, o.law, o.item, day)
	case r != nil && o.inForce:
		return inForceOn(th, r.sim.System().Parameters(), o.item, day)
	}
	return o.copyOnDay(th, day)
}

// inForceOn is what a node or a scale of the law that a simulation computes with is on a day: what others have asked for is there already.
func inForceOn(th *py.Thread, tree *legislation.Tree, item legislation.ParameterItem, day period.Instant) py.Value {
	view, err := tree.On(day)
	raiseIf(th, err)
	return start(parameterValue(view.Of(item)))
}

// start is what a class of a package's own starts from.
func start(v py.Value) py.Value {
	if scale, ok := v.Object().(*scaleObject); ok {
		scale.Item = nil
	}
	return v
}

// copyOnDay is what a copy of a node or a scale is on a day.
func (o *parameterObject) copyOnDay(th *py.Thread, day period.Instant) py.Value {
	root := legislation.NewParameterNode("")
	raiseIf(th, root.AddChild("item", o.copied(th)))
	view, err := legislation.NewTree(root, legislation.NewNames()).On(day)
	raiseIf(th, err)
	v, err := view.Find("item")
	raiseIf(th, err)
	return start(parameterValue(v))
}

// child is what is below the node by that name, if there is something on the day.
func (n *dayNode) child(th *py.Thread, name string) (py.Value, bool) {
	item, ok := n.node.Children.Get(name)
	if leaf, is := item.(*legislation.Parameter); is {
		o := n.of.core.parameter(leaf)
		o.sync(th)
		ok = leaf.ValueAt(n.day) != nil
	}
	if !ok {
		return py.Value{}, false
	}
	return n.of.core.parameter(item).onDay(th, n.day), true
}

// whole is the node with everything below it.
func (n *dayNode) whole(th *py.Thread) *nodeObject {
	o, ok := n.of.copyOnDay(th, n.day).Object().(*nodeObject)
	if !ok {
		th.Raise(py.ValueError, "there are no parameters below %s on %s", n.of.item.Info().Name, n.day)
	}
	return o
}

// Type implements pyeval.Object.
func (*dayNode) Type() *py.Class { return nodeClass }

// Attr implements pyeval.Attrer.
func (n *dayNode) Attr(th *py.Thread, name string) (py.Value, bool) {
	if v, ok := n.child(th, name); ok {
		return v, true
	}
	return n.whole(th).Attr(th, name)
}

// Item implements pyeval.Indexer.
func (n *dayNode) Item(th *py.Thread, key py.Value) py.Value {
	if name, ok := key.AsString(); ok {
		if v, ok := n.child(th, name); ok {
			return v
		}
	}
	return n.whole(th).Item(th, key)
}

// Contains implements pyeval.Container.
func (n *dayNode) Contains(th *py.Thread, v py.Value) bool {
	_, ok := n.child(th, th.Str(v))
	return ok
}

// Each implements pyeval.Iterable.
func (n *dayNode) Each(th *py.Thread, yield func(py.Value) bool) { n.whole(th).Each(th, yield) }

// AttrNames implements pyeval.AttrLister.
func (n *dayNode) AttrNames(th *py.Thread) []string { return n.whole(th).AttrNames(th) }

// Repr implements pyeval.Reprer.
func (n *dayNode) Repr(th *py.Thread) string { return n.whole(th).Repr(th) }
