package legislation

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// Tree is a parameter tree that no longer changes, with the views on it that were asked for. It is safe for concurrent
// use and is itself the [Law] of simulations that are not traced.
type Tree struct {
	Root  *ParameterNode
	names *Names
	views sync.Map // period.Instant -> *View
}

// NewTree freezes a tree of parameters.
func NewTree(root *ParameterNode, names *Names) *Tree { return &Tree{Root: root, names: names} }

// On gives the view of a day.
func (t *Tree) On(day period.Instant) (*View, error) {
	if v, ok := t.views.Load(day); ok {
		return v.(*View), nil
	}
	if !day.Valid() {
		return nil, valueError("the law can only be read on a day, and %d-%d-%d is none", day.Year, day.Month, day.Day)
	}
	v, _ := t.views.LoadOrStore(day, newView(t, day))
	return v.(*View), nil
}

// During gives the view of the first day of a period.
func (t *Tree) During(at *period.Entry) (*View, error) { return t.On(at.Start) }

// Traced is false.
func (t *Tree) Traced() bool { return false }

// Record does nothing.
func (t *Tree) Record(string, period.Instant, vector.Column) {}

// View is a parameter tree on one day. Values are computed when they are first asked for.
type View struct {
	tree  *Tree
	day   period.Instant
	root  *NodeAt
	nodes sync.Map // *ParameterNode -> *NodeAt
	paths atomic.Pointer[[]atomic.Pointer[found]]
	grow  sync.Mutex
}

type found struct {
	value Value
	err   error
}

func newView(t *Tree, day period.Instant) *View {
	v := &View{tree: t, day: day}
	v.root = v.node(t.Root)
	return v
}

// Day is the day of the view.
func (v *View) Day() period.Instant { return v.day }

// Root is the root of the tree on that day.
func (v *View) Root() *NodeAt { return v.root }

// Lookup follows a path from the root; it costs as much as an array access once it was asked for.
func (v *View) Lookup(path PathID) (Value, error) {
	if table := v.paths.Load(); table != nil && int(path) < len(*table) {
		if f := (*table)[path].Load(); f != nil {
			return f.value, f.err
		}
	}
	return v.resolve(path)
}

func (v *View) resolve(path PathID) (Value, error) {
	value, err := v.Find(v.tree.names.PathSteps(path)...)
	v.grow.Lock()
	defer v.grow.Unlock()
	table := v.paths.Load()
	if table == nil || int(path) >= len(*table) {
		larger := make([]atomic.Pointer[found], v.tree.names.pathCount())
		if table != nil {
			for i := range *table {
				larger[i].Store((*table)[i].Load())
			}
		}
		table = &larger
		v.paths.Store(table)
	}
	(*table)[path].Store(&found{value, err})
	return value, err
}

// Find follows the steps of a path from the root.
func (v *View) Find(steps ...string) (Value, error) {
	value := Value{Node: v.root}
	for i, step := range steps {
		if value.Node == nil {
			return Value{}, &ParameterNotFound{Name: strings.Join(steps[:i+1], "."), Day: v.day.String()}
		}
		var err error
		if value, err = value.Node.Child(step); err != nil {
			return Value{}, err
		}
	}
	return value, nil
}

func (v *View) node(n *ParameterNode) *NodeAt {
	if at, ok := v.nodes.Load(n); ok {
		return at.(*NodeAt)
	}
	at, _ := v.nodes.LoadOrStore(n, &NodeAt{view: v, node: n})
	return at.(*NodeAt)
}

// Value is an item of the tree on a day: exactly one of the three is set, or none if the item does not exist then.
type Value struct {
	Leaf  *Data // a scalar or a list
	Scale *Scale
	Node  *NodeAt
}

// Exists tells whether there is a value.
func (v Value) Exists() bool { return v.Leaf != nil || v.Scale != nil || v.Node != nil }

func (n *ParameterNode) at(v *View) Value { return Value{Node: v.node(n)} }

func (p *Parameter) at(v *View) Value {
	if d := p.ValueAt(v.day); d.Kind != Null {
		return Value{Leaf: d}
	}
	return Value{}
}

func (s *ParameterScale) at(v *View) Value { return Value{Scale: s.scaleAt(v)} }

// NodeAt is an inner node on one day. Children without a value on that day do not exist.
type NodeAt struct {
	view *View
	node *ParameterNode

	once     sync.Once
	children *Ordered[Value]

	checked     sync.Once
	homogeneous error
}

// Name is the full name of the node.
func (n *NodeAt) Name() string { return n.node.Name }

// Day is the day of the view.
func (n *NodeAt) Day() period.Instant { return n.view.day }

// Item is the node of the tree that this is a view of.
func (n *NodeAt) Item() *ParameterNode { return n.node }

// Children are the children that exist on that day, in order. The caller must not change them.
func (n *NodeAt) Children() *Ordered[Value] {
	n.once.Do(func() {
		children := NewOrdered[Value]()
		for name, item := range n.node.Children.All() {
			if value := item.at(n.view); value.Exists() {
				children.Set(name, value)
			}
		}
		n.children = children
	})
	return n.children
}

// Child gives a child by name, or *[ParameterNotFound].
func (n *NodeAt) Child(name string) (Value, error) {
	if value, ok := n.Children().Get(name); ok {
		return value, nil
	}
	return Value{}, &ParameterNotFound{
		Name: compose(n.Name(), name), Day: n.view.day.String(),
		Nearest: Nearest(name, slices.Values(n.Children().Keys())),
	}
}
