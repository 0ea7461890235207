package legislation

import (
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// A system that is derived by reforms written as data is its base but for what they change: the items of the tree on the
// way to a changed parameter are copies, everything else is shared, what was found out about it included.

// derivation is how a tree came about from another one.
type derivation struct {
	base *Tree
	// copies are the items of this tree by those of the base that they take the place of, origins the other way round.
	copies, origins map[ParameterItem]ParameterItem

	touched atomic.Pointer[touched]

	// ends is where paths lead, by their numbers, as far as it was asked for: views of the tree keep only what is its own.
	endsOnce sync.Once
	ends     []atomic.Uint32
}

const (
	endUnknown = iota
	endShared
	endOwn
)

// sharesPath tells whether a path leads in a tree to the very item to which it leads in the base, or to none.
func (d *derivation) sharesPath(t *Tree, path PathID) bool {
	d.endsOnce.Do(func() {
		d.ends = make([]atomic.Uint32, t.names.pathCount())
		t.bytes.Add(4 * int64(len(d.ends)))
	})
	known := int(path) < len(d.ends)
	if known {
		if end := d.ends[path].Load(); end != endUnknown {
			return end == endShared
		}
	}
	end := uint32(endShared)
	if item, ok := t.Root.Find(t.names.PathSteps(path)...); ok && d.origins[item] != nil {
		end = endOwn
	}
	if known {
		d.ends[path].Store(end)
	}
	return end == endShared
}

// Derive applies reforms written as data, one after the other. The errors are all that is wrong with them.
func (s *System) Derive(reforms ...*Reform) (*System, ReformErrors) {
	if s.derived != nil {
		made, wrong := s.derived.base.Derive(append(slices.Clip(s.derived.reforms), reforms...)...)
		for i := range wrong {
			wrong[i].Reform -= len(s.derived.reforms)
		}
		return made, wrong
	}
	b := s.Reform("")
	d := &derivation{base: s.tree, copies: map[ParameterItem]ParameterItem{}, origins: map[ParameterItem]ParameterItem{}}
	var wrong ReformErrors
	for i, r := range reforms {
		for _, e := range append(d.change(r), b.neutralize(r)...) {
			e.Reform = i
			wrong = append(wrong, e)
		}
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return b.buildDerived(d, reforms), nil
}

// derived is what a system was derived from, and by what.
type derived struct {
	base    *System
	reforms []*Reform
}

// weight is about what the reforms take, and the values that parameters have by them.
func (d *derived) weight() (bytes int64) {
	for _, r := range d.reforms {
		bytes += int64(len(r.Name)) + int64(len(r.Changes))*changeBytes + int64(len(r.Neutralize))*variableBytes
	}
	return bytes
}

// DerivedFrom is the system that reforms written as data were applied to, nil if there were none.
func (s *System) DerivedFrom() *System {
	if s.derived == nil {
		return nil
	}
	return s.derived.base
}

// Changes returns the changes of parameters by the reforms written as data that the system was derived by.
func (s *System) Changes() (changes []Change) {
	if s.derived == nil {
		return nil
	}
	for _, r := range s.derived.reforms {
		changes = append(changes, r.Changes...)
	}
	return changes
}

func (b *Builder) buildDerived(d *derivation, reforms []*Reform) *System {
	s := b.system
	s.derived, s.origin = &derived{s.baseline, reforms}, nil
	for _, r := range reforms {
		if r.Name != "" {
			s.Title = r.Name
		}
	}
	b.abolish(d.base.Root, d.copies)
	if b.fresh {
		s.variables = slices.Clone(s.variables)
		for _, v := range s.order {
			s.variables[v.ID] = v
		}
	}
	if len(d.copies) > 0 {
		s.tree = d.build()
	}
	return s
}

func (b *Builder) neutralize(r *Reform) ReformErrors {
	var wrong ReformErrors
	for i, name := range r.Neutralize {
		if name == "" {
			continue // it could not be read, which was told then
		}
		if err := b.NeutralizeVariable(name); err != nil {
			wrong.add([]string{"neutralize", strconv.Itoa(i)}, "%v", err)
		}
		if len(wrong) == maxReformErrors {
			break
		}
	}
	return wrong
}

// change applies the changes of a reform to copies of the parameters.
func (d *derivation) change(r *Reform) ReformErrors {
	var wrong ReformErrors
	var order []*Parameter
	byParameter := map[*Parameter][]Change{}
	for _, c := range r.Changes {
		if len(wrong) == maxReformErrors {
			break // to look for what was meant takes time
		}
		at, err := d.base.Root.locate(c.Path)
		if err != nil {
			wrong.add(c.place(), "%v", err)
			continue
		}
		p := d.own(at)
		if _, known := byParameter[p]; !known {
			order = append(order, p)
		}
		byParameter[p] = append(byParameter[p], c)
	}
	for _, p := range order {
		changes := byParameter[p]
		slices.SortStableFunc(changes, inOrder)
		line, kinds, first := newTimeline(p.Values), p.kinds(), p.first()
		for i, c := range changes {
			value, err := c.check(kinds, first)
			if err == nil && i > 0 && changes[i-1].From == c.From && sameEnd(changes[i-1], c) {
				err = valueError("\"%s\" has two values for %s", c.Path, c.day)
			}
			if err == nil {
				err = c.apply(line, value)
			}
			if err != nil {
				wrong.add(c.place(), "%v", err)
			}
		}
		p.Values = line.newestFirst()
	}
	return wrong
}

func sameEnd(a, b Change) bool {
	if a.Until == nil || b.Until == nil {
		return a.Until == b.Until
	}
	return *a.Until == *b.Until
}

// own gives the copy of a parameter, and marks what is on the way to it as to be copied.
func (d *derivation) own(at located) *Parameter {
	if c, ok := d.copies[at.parameter]; ok {
		return c.(*Parameter)
	}
	c := &Parameter{ParameterInfo: at.parameter.ParameterInfo, Values: at.parameter.Values}
	d.put(at.parameter, c)
	for _, item := range at.way {
		d.mark(item)
	}
	return c
}

// mark makes an item one that is copied when the tree is built, with everything above it.
func (d *derivation) mark(item ParameterItem) {
	if _, known := d.copies[item]; !known {
		d.copies[item] = nil
	}
	for _, parent := range d.base.parentsOf(item) {
		if _, known := d.copies[parent]; !known {
			d.copies[parent] = nil
			d.mark(parent)
		}
	}
}

func (d *derivation) put(item, c ParameterItem) { d.copies[item], d.origins[c] = c, item }

func (d *derivation) build() *Tree {
	root := d.copy(d.base.Root).(*ParameterNode)
	t := NewTree(root, d.base.names)
	t.derivation = d
	return t
}

// copy gives the copy of an item, or the item itself if nothing below it changes.
func (d *derivation) copy(item ParameterItem) ParameterItem {
	c, marked := d.copies[item]
	if !marked {
		return item
	}
	if c != nil {
		return c
	}
	switch item := item.(type) {
	case *ParameterNode:
		node := &ParameterNode{ParameterInfo: item.ParameterInfo, Children: item.Children.withOwnValues()}
		d.put(item, node)
		for i, child := range node.Children.values {
			node.Children.values[i] = d.copy(child)
		}
		return node
	case *ParameterScale:
		scale := &ParameterScale{ParameterInfo: item.ParameterInfo, Brackets: slices.Clone(item.Brackets)}
		d.put(item, scale)
		for i, b := range scale.Brackets {
			scale.Brackets[i] = d.copy(b).(*ParameterNode)
		}
		return scale
	}
	return item
}

// parentsOf gives the nodes that share an item, if the tree has items that several nodes share; else nothing.
func (t *Tree) parentsOf(item ParameterItem) []ParameterItem {
	t.parentsOnce.Do(func() { t.parents = sharedParents(t.Root) })
	return t.parents[item]
}

// sharedParents gives the parents of every item, nil if each item has one.
func sharedParents(root *ParameterNode) map[ParameterItem][]ParameterItem {
	parents := map[ParameterItem][]ParameterItem{}
	shared := false
	var walk func(item ParameterItem)
	walk = func(item ParameterItem) {
		see := func(child ParameterItem) {
			parents[child] = append(parents[child], item)
			if len(parents[child]) > 1 {
				shared = true
				return
			}
			walk(child)
		}
		switch item := item.(type) {
		case *ParameterNode:
			for _, child := range item.Children.All() {
				see(child)
			}
		case *ParameterScale:
			for _, b := range item.Brackets {
				see(b)
			}
		}
	}
	walk(root)
	if !shared {
		return nil
	}
	return parents
}

// readers knows which formulas have read which parameters, in all systems that share a tree: so that what formulas gave can be
// used in a system in which nothing that they read has changed. It is safe for concurrent use.
type readers struct {
	version atomic.Int64 // how many reads are known
	mu      sync.RWMutex
	of      map[ParameterItem]map[Formula]struct{}
}

// read notes that a formula reads a parameter or a scale, or, of a node, anything below it. It is told before anybody can
// use what the formula gave.
func (t *Tree) read(f Formula, item ParameterItem) {
	if d := t.derivation; d != nil {
		if origin, ok := d.origins[item]; ok {
			item = origin
		}
		t = d.base
	}
	r := &t.readers
	r.mu.RLock()
	_, known := r.of[item][f]
	r.mu.RUnlock()
	if known {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[ParameterItem]map[Formula]struct{}{}
	}
	if r.of[item] == nil {
		r.of[item] = map[Formula]struct{}{}
	}
	r.of[item][f] = struct{}{}
	r.version.Add(1)
}

// Shared is the tree that knows the reads of this one: itself, or the one that it was derived from.
func (v *View) Shared() *Tree {
	if d := v.tree.derivation; d != nil {
		return d.base
	}
	return v.tree
}

// ReadPath notes that a formula reads what a path leads to, unless that is a node: what it reads of that is told when it
// does.
func (v *View) ReadPath(f Formula, path PathID) {
	item, ok := v.tree.Root.Find(v.tree.names.PathSteps(path)...)
	if _, inner := item.(*ParameterNode); ok && !inner {
		v.tree.read(f, item)
	}
}

// ReadChild notes that a formula reads a child, unless that is a node.
func (n *NodeAt) ReadChild(f Formula, name string) {
	child, ok := n.node.Children.Get(name)
	if _, inner := child.(*ParameterNode); ok && !inner {
		n.view.tree.read(f, child)
	}
}

// ReadAll notes that a formula reads whatever is below the node.
func (n *NodeAt) ReadAll(f Formula) { n.view.tree.read(f, n.node) }

// touched is the formulas that are known to read what was changed.
type touched struct {
	version  int64
	formulas map[Formula]struct{}
}

// Touches tells whether a formula is known to read what is not the same as in the tree that this one was derived from.
// What others gave to the base before the call, and was not told of, is not such a formula's.
func (t *Tree) Touches(f Formula) bool {
	d := t.derivation
	if d == nil {
		return false
	}
	known := d.touched.Load()
	if known == nil || known.version != d.base.readers.version.Load() {
		known = d.find()
	}
	_, is := known.formulas[inner(f)]
	return is
}

func (d *derivation) find() *touched {
	r := &d.base.readers
	r.mu.RLock()
	defer r.mu.RUnlock()
	found := &touched{r.version.Load(), map[Formula]struct{}{}}
	for item := range d.copies {
		maps.Copy(found.formulas, r.of[item])
	}
	d.touched.Store(found)
	return found
}

// inner is the formula that reads the law.
func inner(f Formula) Formula {
	if annual, ok := f.(annualFormula); ok {
		return inner(annual.inner)
	}
	return f
}
