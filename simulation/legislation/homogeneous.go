package legislation

import "edict/simulation/vector"

// checkHomogeneous makes sure that a node can be indexed with a column: all children are values, or all are nodes with
// the same children, and so on down.
func (n *NodeAt) checkHomogeneous() error {
	n.checked.Do(func() { n.homogeneous = n.inspect() })
	return n.homogeneous
}

type namedValue struct {
	name string
	Value
}

func (n *NodeAt) named() []namedValue {
	var list []namedValue
	for name, value := range n.Children().All() {
		list = append(list, namedValue{compose(n.Name(), name), value})
	}
	return list
}

func (n *NodeAt) inspect() error {
	level := n.named()
	if len(level) == 0 {
		return &Error{"IndexError", "'" + n.Name() + "' has no children on " + n.view.day.String() + " that could be indexed"}
	}
	for level[0].Node != nil {
		var next []namedValue
		first := level[0]
		for _, item := range level {
			if item.Node == nil {
				return n.refuse("'%s' is a node, but '%s' is not", first.name, item.name)
			}
			if err := n.sameChildren(first, item); err != nil {
				return err
			}
			next = append(next, item.Node.named()...)
		}
		if len(next) == 0 {
			return nil
		}
		level = next
	}
	for _, item := range level {
		switch {
		case item.Node != nil:
			return n.refuse("'%s' is a node, but '%s' is not", item.name, level[0].name)
		case item.Scale != nil || item.Leaf.Kind != Scalar || item.Leaf.Scalar.Type() == vector.Object:
			return &Error{"NotImplementedError", "'" + n.Name() + "' cannot be indexed with a column: '" + item.name + "' is a scale or a list"}
		}
	}
	return nil
}

func (n *NodeAt) sameChildren(a, b namedValue) error {
	for _, key := range a.Node.Children().Keys() {
		if _, ok := b.Node.Children().Get(key); !ok {
			return n.refuse("'%s' exists, but '%s' does not", compose(a.name, key), compose(b.name, key))
		}
	}
	for _, key := range b.Node.Children().Keys() {
		if _, ok := a.Node.Children().Get(key); !ok {
			return n.refuse("'%s' exists, but '%s' does not", compose(b.name, key), compose(a.name, key))
		}
	}
	return nil
}

func (n *NodeAt) refuse(format string, args ...any) error {
	return valueError("the parameter node '%s' cannot be indexed with a column, because "+format+": all its children must be alike", append([]any{n.Name()}, args...)...)
}
