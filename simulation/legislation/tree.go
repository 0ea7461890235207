package legislation

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"edict/simulation/period"
)

// maxViews bounds the days that a tree remembers, about 11 years of them; a view of a day beyond is made each time.
const maxViews = 4096

// Tree is a parameter tree that no longer changes, with the views on it that were asked for. It is safe for concurrent
// use and is itself the [Law] of simulations that are not traced.
type Tree struct {
	Root  *ParameterNode
	names *Names

	// views is replaced, never changed, so that reading it needs no lock.
	views atomic.Pointer[map[period.Instant]*View]
	grow  sync.Mutex

	derivation  *derivation // nil unless the tree was derived from another
	readers     readers
	parentsOnce sync.Once
	parents     map[ParameterItem][]ParameterItem
	bytes       atomic.Int64 // about what the views take
	weighed     sync.Once
	items       int64 // about what the items take, once weighed
}

// NewTree freezes a tree of parameters.
func NewTree(root *ParameterNode, names *Names) *Tree {
	t := &Tree{Root: root, names: names}
	t.views.Store(&map[period.Instant]*View{})
	return t
}

// On gives the view of a day.
func (t *Tree) On(day period.Instant) (*View, error) {
	if v, ok := (*t.views.Load())[day]; ok {
		return v, nil
	}
	if !day.Valid() {
		return nil, valueError("the law can only be read on a day, and %d-%d-%d is none", day.Year, day.Month, day.Day)
	}
	t.grow.Lock()
	defer t.grow.Unlock()
	known := *t.views.Load()
	if v, ok := known[day]; ok {
		return v, nil
	}
	v, err := newView(t, day)
	if err != nil {
		return nil, err
	}
	t.bytes.Add(viewBytes)
	if len(known) >= maxViews {
		return v, nil
	}
	larger := maps.Clone(known)
	larger[day] = v
	t.views.Store(&larger)
	return v, nil
}

// During gives the view of the first day of a period.
func (t *Tree) During(at *period.Entry) (*View, error) { return t.On(at.Start) }

// Traced is false.
func (t *Tree) Traced() bool { return false }

// Record does nothing.
func (t *Tree) Record(string, period.Instant, Data) {}

// View is a parameter tree on one day. Values are computed when they are first asked for.
type View struct {
	tree  *Tree
	base  *View // of the tree that this one was derived from, nil if there is none
	day   period.Instant
	root  *NodeAt
	made  sync.Map // *ParameterNode -> *NodeAt, *ParameterScale -> *Scale
	paths atomic.Pointer[[]atomic.Pointer[block]]
	grow  sync.Mutex
}

// block is what was found for 64 paths in a row. Most days see few paths, so blocks are made when they are needed.
type block [blockSize]atomic.Pointer[found]

const blockSize = 64

type found struct {
	value Value
	err   error
	span  Span
}

const viewBytes = 1024 // with its root and its share of the map

func newView(t *Tree, day period.Instant) (*View, error) {
	v := &View{tree: t, day: day}
	if t.derivation != nil {
		var err error
		if v.base, err = t.derivation.base.On(day); err != nil {
			return nil, err
		}
	}
	v.root = v.node(t.Root)
	return v, nil
}

// shares tells whether an item is the same in the tree that this one was derived from.
func (v *View) shares(item ParameterItem) bool {
	if v.base == nil {
		return false
	}
	_, own := v.tree.derivation.origins[item]
	return !own
}

// Day is the day of the view.
func (v *View) Day() period.Instant { return v.day }

// Root is the root of the tree on that day.
func (v *View) Root() *NodeAt { return v.root }

// Of is what an item of the tree is on the day.
func (v *View) Of(item ParameterItem) Value { return item.at(v) }

// Lookup follows a path from the root; it costs as much as two array accesses once it was asked for.
func (v *View) Lookup(path PathID) (Value, error) {
	f := v.found(path)
	return f.value, f.err
}

func (v *View) found(path PathID) *found {
	if v.base != nil && v.tree.derivation.sharesPath(v.tree, path) {
		return v.base.found(path)
	}
	if blocks := v.paths.Load(); blocks != nil && int(path/blockSize) < len(*blocks) {
		if p := (*blocks)[path/blockSize].Load(); p != nil {
			if f := p[path%blockSize].Load(); f != nil {
				return f
			}
		}
	}
	steps := v.tree.names.PathSteps(path)
	value, err := v.Find(steps...)
	f := &found{value, err, v.span(steps)}
	v.remember(path, f)
	return f
}

func (v *View) remember(path PathID, f *found) {
	v.grow.Lock()
	defer v.grow.Unlock()
	blocks := v.paths.Load()
	if blocks == nil || int(path/blockSize) >= len(*blocks) {
		larger := make([]atomic.Pointer[block], v.tree.names.pathCount()/blockSize+1)
		if blocks != nil {
			for i := range *blocks {
				larger[i].Store((*blocks)[i].Load())
			}
		}
		blocks = &larger
		v.paths.Store(blocks)
	}
	p := (*blocks)[path/blockSize].Load()
	if p == nil {
		p = new(block)
		v.tree.bytes.Add(8 * blockSize)
		(*blocks)[path/blockSize].Store(p)
	}
	p[path%blockSize].Store(f)
}

// Find follows the steps of a path from the root.
func (v *View) Find(steps ...string) (Value, error) {
	value := Value{Node: v.root}
	for i, step := range steps {
		if value.Node == nil {
			return Value{}, &ParameterNotFound{Name: strings.Join(steps[:i+1], "."), Day: v.day}
		}
		var err error
		if value, err = value.Node.Child(step); err != nil {
			return Value{}, err
		}
	}
	return value, nil
}

func (v *View) node(n *ParameterNode) *NodeAt {
	if v.shares(n) {
		return v.base.node(n)
	}
	if at, ok := v.made.Load(n); ok {
		return at.(*NodeAt)
	}
	at, _ := v.made.LoadOrStore(n, &NodeAt{view: v, node: n, byPlace: make([]atomic.Pointer[Value], n.Children.Len())})
	return at.(*NodeAt)
}

func (v *View) scale(s *ParameterScale) *Scale {
	if v.shares(s) {
		return v.base.scale(s)
	}
	if at, ok := v.made.Load(s); ok {
		return at.(*Scale)
	}
	at, _ := v.made.LoadOrStore(s, s.scaleAt(v))
	return at.(*Scale)
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

func (s *ParameterScale) at(v *View) Value { return Value{Scale: v.scale(s)} }

// NodeAt is an inner node on one day. Children without a value on that day do not exist.
type NodeAt struct {
	view *View
	node *ParameterNode

	once     sync.Once
	children *Ordered[Value]

	// byPlace is what Child found, by the place of the child in the node.
	byPlace []atomic.Pointer[Value]

	spanOnce sync.Once
	span     Span

	checked     sync.Once
	homogeneous error

	missingLock sync.Mutex
	missed      map[string]*ParameterNotFound
}

// Name is the full name of the node.
func (n *NodeAt) Name() string { return n.node.Name }

// View is the tree that the node is part of, on the same day.
func (n *NodeAt) View() *View { return n.view }

// Day is the day of the view.
func (n *NodeAt) Day() period.Instant { return n.view.day }

// Item is the node of the tree that this is a view of.
func (n *NodeAt) Item() *ParameterNode { return n.node }

// Origin is Item, or in a derived tree the node that it takes the place of: both have children of the same names.
func (n *NodeAt) Origin() *ParameterNode {
	if d := n.view.tree.derivation; d != nil {
		if origin, ok := d.origins[n.node]; ok {
			return origin.(*ParameterNode)
		}
	}
	return n.node
}

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

// Child gives a child by name, or *[ParameterNotFound]. It looks at that child alone.
func (n *NodeAt) Child(name string) (Value, error) {
	i := n.node.Children.find(name)
	if i < 0 {
		return Value{}, n.missing(name)
	}
	if i < len(n.byPlace) {
		if known := n.byPlace[i].Load(); known != nil {
			return *known, nil
		}
	}
	value := n.node.Children.values[i].at(n.view)
	if !value.Exists() {
		return Value{}, n.missing(name)
	}
	if i < len(n.byPlace) {
		n.byPlace[i].Store(&value)
	}
	return value, nil
}

// maxMissing bounds the names without a child that a node remembers.
const maxMissing = 64

// missing is the error for a name without a child. Rules try names and go on when they are missing, often the same ones,
// so the error and its text are kept.
func (n *NodeAt) missing(name string) error {
	n.missingLock.Lock()
	defer n.missingLock.Unlock()
	if known, ok := n.missed[name]; ok {
		return known
	}
	err := &ParameterNotFound{Name: compose(n.Name(), name), Day: n.view.day, child: name, parent: n}
	if n.missed == nil {
		n.missed = make(map[string]*ParameterNotFound)
	}
	if len(n.missed) < maxMissing {
		n.missed[name] = err
	}
	return err
}
