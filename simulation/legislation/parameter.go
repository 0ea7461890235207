package legislation

import (
	"fmt"
	"iter"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// ParameterItem is a part of a parameter tree: *[ParameterNode], *[Parameter] or *[ParameterScale].
type ParameterItem interface {
	// Info is what the three have in common.
	Info() *ParameterInfo
	clone(done map[ParameterItem]ParameterItem) ParameterItem
	at(v *View) Value
	// spanOn gives the days around one on which the item is the same.
	spanOn(day period.Instant) Span
}

// ParameterInfo describes a parameter item.
type ParameterInfo struct {
	Name          string // the full name, "taxes.income_tax.rate"
	Description   string
	Documentation string
	// Metadata is a mapping, possibly empty; the keys unit and reference of older files are found there too.
	Metadata Data
	Source   Source
	// Own is what the code of a package keeps with the item: a class of its own, and attributes. nil for most.
	Own interface{ Clone() any }
	// InForce says that a system was built with the item: others compute with it, and it is not written to any more.
	InForce bool
}

// Info gives the description itself, so that it can be changed before the tree is used.
func (i *ParameterInfo) Info() *ParameterInfo { return i }

func (i ParameterInfo) cloneInfo() ParameterInfo {
	if i.Own != nil {
		i.Own = i.Own.Clone().(interface{ Clone() any })
	}
	i.InForce = false
	return i
}

// ParameterNode is an inner node of the tree. The same item may be a child of several nodes.
type ParameterNode struct {
	ParameterInfo
	Children *Ordered[ParameterItem]
}

// NewParameterNode makes a node without children.
func NewParameterNode(name string) *ParameterNode {
	n := &ParameterNode{Children: NewOrdered[ParameterItem]()}
	n.Name = name
	n.Metadata = emptyMapping()
	return n
}

// AddChild adds a child, which must not be there yet.
func (n *ParameterNode) AddChild(name string, child ParameterItem) error {
	if _, known := n.Children.Get(name); known {
		return valueError("the parameter node '%s' has already a child named '%s'", n.Name, name)
	}
	n.Children.Set(name, child)
	return nil
}

// Merge adds all children of another node, none of which may be there yet.
func (n *ParameterNode) Merge(other *ParameterNode) error {
	for name, child := range other.Children.All() {
		if err := n.AddChild(name, child); err != nil {
			return err
		}
	}
	return nil
}

// Find follows a path from the node.
func (n *ParameterNode) Find(steps ...string) (ParameterItem, bool) {
	var item ParameterItem = n
	for _, step := range steps {
		node, ok := item.(*ParameterNode)
		if !ok {
			return nil, false
		}
		if item, ok = node.Children.Get(step); !ok {
			return nil, false
		}
	}
	return item, true
}

// Descendants walks over everything below the node, parents before children.
func (n *ParameterNode) Descendants() iter.Seq[ParameterItem] {
	return func(yield func(ParameterItem) bool) { n.walk(yield) }
}

func (n *ParameterNode) walk(yield func(ParameterItem) bool) bool {
	for _, child := range n.Children.All() {
		if !yield(child) {
			return false
		}
		if node, ok := child.(*ParameterNode); ok && !node.walk(yield) {
			return false
		}
	}
	return true
}

// Clone copies the node and everything below it; an item that is shared stays shared within the copy.
func (n *ParameterNode) Clone() *ParameterNode {
	return CloneParameter(n).(*ParameterNode)
}

// CloneParameter copies an item and everything below it.
func CloneParameter(item ParameterItem) ParameterItem {
	return cloneOnce(item, make(map[ParameterItem]ParameterItem))
}

func cloneOnce(item ParameterItem, done map[ParameterItem]ParameterItem) ParameterItem {
	if c, ok := done[item]; ok {
		return c
	}
	return item.clone(done)
}

func (n *ParameterNode) clone(done map[ParameterItem]ParameterItem) ParameterItem {
	c := &ParameterNode{ParameterInfo: n.cloneInfo(), Children: NewOrdered[ParameterItem]()}
	done[n] = c
	for name, child := range n.Children.All() {
		c.Children.Set(name, cloneOnce(child, done))
	}
	return c
}

// Parameter is a leaf of the tree: a value that changes from one day to the next.
type Parameter struct {
	ParameterInfo
	// Values are ordered from the newest to the oldest.
	Values []DatedValue
}

// DatedValue is the value of a parameter from a day on. A null value means that the parameter does not exist then.
type DatedValue struct {
	// Start is the day as written: a year has month and day 0, a month has day 0, so they sort before their days.
	Start period.Instant
	Value Data
	said  *Data // nil for nearly all of them
}

// Metadata is what is said about this value alone, a mapping. The parameter's own metadata applies too.
func (v *DatedValue) Metadata() Data {
	if v.said == nil {
		return Data{Kind: Mapping}
	}
	return *v.said
}

// SetMetadata says something about this value alone.
func (v *DatedValue) SetMetadata(d Data) {
	v.said = nil
	if d.Kind != Mapping || d.Map.Len() > 0 {
		v.said = &d
	}
}

// StartText gives the day as it was written: 2015, 2015-01 or 2015-01-01.
func (v DatedValue) StartText() string {
	switch {
	case v.Start.Month == 0:
		return fmt.Sprintf("%04d", v.Start.Year)
	case v.Start.Day == 0:
		return fmt.Sprintf("%04d-%02d", v.Start.Year, v.Start.Month)
	}
	return v.Start.String()
}

// ValueAt gives the value in force on a day: the latest that is not later; null if there is none.
func (p *Parameter) ValueAt(day period.Instant) *Data {
	for i := range p.Values {
		if !day.Before(p.Values[i].Start) {
			return &p.Values[i].Value
		}
	}
	return &noData
}

var noData Data

// FlatAt gives the number in force on a day. Where the parameter has none it holds still: the last one before, else the first
// one after; nil if it never has one.
func (p *Parameter) FlatAt(day period.Instant) *vector.Column {
	var first *vector.Column
	for i := range p.Values {
		v := &p.Values[i]
		if v.Value.Kind != Scalar || !v.Value.Scalar.Type().Number() {
			continue
		}
		first = &v.Value.Scalar
		if !day.Before(v.Start) {
			break
		}
	}
	return first
}

// Update gives the parameter a value from start to stop, both included; a nil stop means for ever. What was in force
// on the day after stop stays in force from then on.
func (p *Parameter) Update(start period.Instant, stop *period.Instant, value Data) error {
	old := p.Values
	updated := make([]DatedValue, 0, len(old)+2)
	if stop != nil {
		after, err := stop.Offset(1, period.Day)
		if err != nil {
			return err
		}
		for len(old) > 0 && !old[0].Start.Before(after) {
			updated = append(updated, old[0])
			old = old[1:]
		}
		if n := len(updated); n == 0 || updated[n-1].Start != after {
			resumed := DatedValue{Start: after}
			if len(old) > 0 {
				resumed.Value = old[0].Value
			}
			updated = append(updated, resumed)
		}
	}
	updated = append(updated, DatedValue{Start: start, Value: value})
	for len(old) > 0 && !old[0].Start.Before(start) {
		old = old[1:]
	}
	p.Values = append(updated, old...)
	return nil
}

func (p *Parameter) clone(done map[ParameterItem]ParameterItem) ParameterItem {
	c := &Parameter{ParameterInfo: p.cloneInfo(), Values: append([]DatedValue(nil), p.Values...)}
	done[p] = c
	return c
}

// ParameterScale is a scale whose brackets change from one day to the next.
type ParameterScale struct {
	ParameterInfo
	// Brackets are nodes with the children threshold and rate, amount or average_rate.
	Brackets []*ParameterNode
}

func (s *ParameterScale) clone(done map[ParameterItem]ParameterItem) ParameterItem {
	c := &ParameterScale{ParameterInfo: s.cloneInfo()}
	done[s] = c
	for _, b := range s.Brackets {
		c.Brackets = append(c.Brackets, cloneOnce(b, done).(*ParameterNode))
	}
	return c
}

func emptyMapping() Data { return Data{Kind: Mapping, Map: NewOrdered[Data]()} }
