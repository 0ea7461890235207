package country

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
)

// parameterObject is an item of the parameter tree while it may still change: what
// load_parameters hands to preprocess_parameters, and modify_parameters to a reform. Python sees
// one object per item.
type parameterObject struct {
	core *core
	item legislation.ParameterItem

	// What Python code was given to change; read back by flush.
	metadata *py.Dict
	brackets *py.List
	values   *py.List
	changes  uint32 // of values when it was read, and how many entries had been written to by then
	written  int
	done     bool // flush has read it

	// What PolicyEngine's packages see besides (ownparameters.go).
	parent   *parameterObject
	children py.Value                // in the place of those it has, while it is processed
	loose    bool                    // Python sees another object each time: a formula asks
	inForce  bool                    // others compute with it: it cannot be changed
	law      *legislation.Tree       // that it is in force in; nil: that of the run
	copy     *legislation.SystemCopy // that its changes go to, nil if it is not of one
}

// Type implements pyeval.Object.
func (o *parameterObject) Type() *py.Class {
	if own := o.own(); own != nil && own.class != nil {
		return own.class
	}
	return o.baseType()
}

func (o *parameterObject) baseType() *py.Class {
	switch o.item.(type) {
	case *legislation.Parameter:
		return o.core.parameterClass
	case *legislation.ParameterScale:
		return o.core.scaleClass
	}
	return o.core.nodeClass
}

// parameter returns the object of an item.
func (c *core) parameter(item legislation.ParameterItem) *parameterObject {
	o, ok := c.items[item]
	if !ok {
		o = &parameterObject{core: c, item: item}
		c.items[item] = o
	}
	return o
}

// flush writes back what Python changed through dicts and lists, and forgets the objects: a tree
// that is part of a system does not change any more.
func (c *core) flush(th *py.Thread) {
	s := c.handed.settler()
	for _, o := range c.items {
		o.writeBack(th, s)
		o.done = true
		info := o.item.Info()
		if info.InForce {
			continue
		}
		s.data(th, &info.Metadata)
		if leaf, ok := o.item.(*legislation.Parameter); ok {
			leaf.Values = s.datedOnce(leaf.Values)
		}
	}
	clear(c.items)
	clear(c.rises)
	c.handed = handed{}
}

// writeBack writes back what Python changed of this item through dicts and lists. What only looks changed is not written where others may read it.
func (o *parameterObject) writeBack(th *py.Thread, s *settler) {
	o.sync(th)
	if o.item.Info().InForce {
		return
	}
	if o.metadata != nil {
		info := o.item.Info()
		info.Metadata = s.python(th, o.metadata, info.Metadata)
	}
	if scale, ok := o.item.(*legislation.ParameterScale); ok && o.brackets != nil {
		scale.Brackets = scale.Brackets[:0:0]
		for _, v := range o.brackets.Items() {
			scale.Brackets = append(scale.Brackets, o.core.nodeOf(th, v))
		}
	}
}

// copied is a copy of the item as Python sees it now.
func (o *parameterObject) copied(th *py.Thread) legislation.ParameterItem {
	var walk func(item legislation.ParameterItem)
	s := o.core.handed.settler()
	walk = func(item legislation.ParameterItem) {
		if known, ok := o.core.items[item]; ok {
			known.writeBack(th, s)
		}
		switch item := item.(type) {
		case *legislation.ParameterNode:
			for _, child := range item.Children.All() {
				walk(child)
			}
		case *legislation.ParameterScale:
			for _, bracket := range item.Brackets {
				walk(bracket)
			}
		}
	}
	if !o.fixed(th) {
		walk(o.item)
	}
	made := legislation.CloneParameter(o.item)
	if node, ok := made.(*legislation.ParameterNode); ok {
		for item := range node.Descendants() {
			s.data(th, &item.Info().Metadata)
		}
	}
	s.data(th, &made.Info().Metadata)
	return made
}

// nodeOf returns the node that a value is.
func (c *core) nodeOf(th *py.Thread, v py.Value) *legislation.ParameterNode {
	if o, ok := v.Object().(*parameterObject); ok {
		if n, ok := o.item.(*legislation.ParameterNode); ok {
			return n
		}
	}
	th.Raise(py.TypeError, "expected a ParameterNode, got %s", py.TypeName(v))
	return nil
}

// Attr implements pyeval.Attrer.
func (o *parameterObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	if own := o.own(); own != nil && own.derived(name) {
		return py.Value{}, false // it is found in the class
	}
	return o.BaseAttr(th, name)
}

// BaseAttr implements pyeval.BaseAttrer.
func (o *parameterObject) BaseAttr(th *py.Thread, name string) (py.Value, bool) {
	if v, ok := o.openAttr(th, name); ok || !o.core.policy {
		return v, ok
	}
	return o.policyAttr(th, name)
}

// openAttr is what the parameters of OpenFisca have.
func (o *parameterObject) openAttr(th *py.Thread, name string) (py.Value, bool) {
	info := o.item.Info()
	switch name {
	case "name":
		return py.String(info.Name), true
	case "description":
		return textOrNone(info.Description), true
	case "documentation":
		return textOrNone(info.Documentation), true
	case "file_path":
		return textOrNone(info.Source.File), true
	case "metadata":
		return py.Obj(o.metadataDict(th)), true
	case "clone", "__copy__", "__deepcopy__":
		return py.Pure(name, func(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
			if o.fixed(th) {
				return py.Obj(&parameterObject{core: o.core, item: o.copied(th), loose: true})
			}
			return py.Obj(o.core.parameter(o.copied(th)))
		}), true
	}
	switch item := o.item.(type) {
	case *legislation.ParameterNode:
		return o.nodeAttr(th, item, name)
	case *legislation.ParameterScale:
		return o.scaleAttr(th, item, name)
	case *legislation.Parameter:
		return o.leafAttr(th, item, name)
	}
	return py.Value{}, false
}

func (o *parameterObject) metadataDict(th *py.Thread) *py.Dict {
	d := o.metadata
	if d == nil {
		if o.fixed(th) {
			return new(handed).dict(&o.item.Info().Metadata)
		}
		d = o.core.handed.dict(&o.item.Info().Metadata)
		o.metadata = d
	}
	return d
}

// SetAttr implements pyeval.AttrSetter.
func (o *parameterObject) SetAttr(th *py.Thread, name string, v *py.Value) {
	o.mayChange(th)
	if own := o.own(); own != nil && own.derived(name) && th.StoreProperty(py.Obj(o), name, v) {
		return
	}
	info := o.item.Info()
	text := ""
	if v != nil {
		text, _ = v.AsString()
	}
	switch name {
	case "name":
		info.Name = text
	case "description":
		info.Description = text
	case "documentation":
		info.Documentation = text
	case "metadata":
		if d, ok := v.Object().(*py.Dict); ok {
			o.metadata = d
		}
	default:
		node, ok := o.item.(*legislation.ParameterNode)
		if !ok || v == nil || o.core.policy && !isChild(name, v) {
			o.setOwn(th, name, v)
			return
		}
		node.Children.Set(name, o.core.itemOf(th, *v))
	}
}

// isChild tells that an attribute of a node is one of its children.
func isChild(name string, v *py.Value) bool {
	_, ok := v.Object().(*parameterObject)
	return ok && name != "parent"
}

func (c *core) itemOf(th *py.Thread, v py.Value) legislation.ParameterItem {
	o, ok := v.Object().(*parameterObject)
	if !ok {
		th.Raise(py.TypeError, "child must be of type ParameterNode, Parameter, or Scale. Instead got %s", py.TypeName(v))
	}
	return o.item
}

func (o *parameterObject) nodeAttr(th *py.Thread, n *legislation.ParameterNode, name string) (py.Value, bool) {
	if child, ok := n.Children.Get(name); ok {
		return py.Obj(o.child(th, child)), true
	}
	switch name {
	case "children":
		if o.children.Object() != nil {
			return o.children, true
		}
		return py.Obj(&childrenObject{o.core, n, o}), true
	case "add_child":
		return py.Func(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var key string
			var child py.Value
			th.Unpack(name, args, kws, "name", &key, "child", &child)
			o.mayChange(th)
			raiseIf(th, n.AddChild(key, o.core.itemOf(th, child)))
			child.Object().(*parameterObject).parent = o
			return py.None
		}), true
	case "merge":
		return py.Func(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var other py.Value
			th.Unpack(name, args, kws, "other", &other)
			o.mayChange(th)
			raiseIf(th, n.Merge(o.core.nodeOf(th, other)))
			return py.None
		}), true
	case "get_descendants":
		if o.core.policy {
			break
		}
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value {
			var all []py.Value
			for item := range n.Descendants() {
				all = append(all, py.Obj(o.core.parameter(item)))
			}
			return py.Obj(py.NewList(all))
		}), true
	}
	return o.atInstant(name)
}

func raiseIf(th *py.Thread, err error) {
	if err != nil {
		throw(th, err)
	}
}

func (o *parameterObject) scaleAttr(th *py.Thread, s *legislation.ParameterScale, name string) (py.Value, bool) {
	if name != "brackets" {
		return o.atInstant(name)
	}
	list := o.brackets
	if list == nil || o.fixed(th) {
		items := make([]py.Value, len(s.Brackets))
		for i, b := range s.Brackets {
			items[i] = py.Obj(o.child(th, b))
		}
		list = py.NewList(items)
	}
	if !o.fixed(th) {
		o.brackets = list
	}
	return py.Obj(list), true
}

// Item implements pyeval.Indexer: brackets of scales have numbers.
func (o *parameterObject) Item(th *py.Thread, k py.Value) py.Value {
	s, ok := o.item.(*legislation.ParameterScale)
	if !ok {
		th.Raise(py.TypeError, "'%s' object is not subscriptable", py.TypeName(py.Obj(o)))
	}
	list, _ := o.scaleAttr(th, s, "brackets")
	if i, ok := k.AsInt(); !ok || i >= int64(len(list.Object().(*py.List).Items())) {
		th.Raise(py.KeyError, "%s", th.Repr(k))
	}
	return th.Index(list, k)
}

func (o *parameterObject) leafAttr(th *py.Thread, p *legislation.Parameter, name string) (py.Value, bool) {
	switch name {
	case "values_history":
		return py.Obj(o), true
	case "values_list":
		return py.Obj(o.valuesList(th, p)), true
	case "update":
		return py.Func(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			o.mayChange(th)
			o.sync(th)
			o.core.updateParameter(th, o.item.(*legislation.Parameter), args, kws)
			o.values = nil
			return py.None
		}), true
	}
	return o.atInstant(name)
}

// valuesList is the list that Python may change; sync reads it back.
func (o *parameterObject) valuesList(th *py.Thread, p *legislation.Parameter) *py.List {
	list := o.values
	if list == nil || o.fixed(th) {
		items := make([]py.Value, len(p.Values))
		entries, values := make([]datedValue, len(items)), p.Values // those of a parameter are replaced as a whole, never one by one
		if o.fixed(th) {
			values = slices.Clone(values)
		}
		for i := range entries {
			entries[i] = datedValue{of: o, value: &values[i]}
			items[i] = py.Obj(&entries[i])
		}
		list = py.NewList(items)
		if !o.fixed(th) {
			o.read(list)
		}
	}
	if !o.fixed(th) {
		o.values = list
		o.core.listed.list, o.core.listed.of = list, p
	}
	return list
}

// sync reads back the list of values that Python was given, if it was changed since.
func (o *parameterObject) sync(th *py.Thread) {
	if p, ok := o.item.(*legislation.Parameter); ok && o.values != nil && !o.fixed(th) && o.changed() {
		p.Values = datedValues(th, py.Obj(o.values))
		o.read(o.values)
	}
}

// read notes that a list says what the parameter does.
func (o *parameterObject) read(list *py.List) {
	o.changes, o.written = list.Changes(), o.core.written
}

// changed tells that the list of values has other entries than when it was read, or that an entry was written to.
func (o *parameterObject) changed() bool {
	return o.written != o.core.written || o.values.Changes() != o.changes
}

// atInstant is what every parameter has to be asked for its value on a day, under its two names.
func (o *parameterObject) atInstant(name string) (py.Value, bool) {
	if name == "get_at_instant" || name == "_get_at_instant" {
		return py.Pure(name, o.Call), true
	}
	return py.Value{}, false
}

// updateParameter is update(period=None, start=None, stop=None, value=None), and PolicyEngine's, whose value comes first and may hold always.
func (c *core) updateParameter(th *py.Thread, p *legislation.Parameter, args []py.Value, kws []py.Kw) {
	during, start, stop, value := py.None, py.None, py.None, py.None
	if !c.policy {
		th.Unpack("update", args, kws, "period?", &during, "start?", &start, "stop?", &stop, "value?", &value)
	} else {
		last := false
		th.Unpack("update", args, kws, "value?", &value, "period?", &during, "start?", &start, "stop?", &stop, "remove_after?", &last)
		if last {
			th.Raise(py.NotImplementedError, "update(remove_after=True) is not there")
		}
		if during.IsNone() && start.IsNone() {
			start = instantValue(period.Instant{Month: 1, Day: 1})
		}
	}
	if !during.IsNone() {
		if !start.IsNone() || !stop.IsNone() {
			th.Raise(py.TypeError, "update takes either a period or a start and a stop, not both")
		}
		whole := toPeriod(th, during)
		last, err := whole.Stop()
		check(th, err)
		start, stop = instantValue(whole.Start), instantValue(last)
	}
	if start.IsNone() {
		th.Raise(py.ValueError, "update needs a period or a start")
	}
	raiseIf(th, p.Update(toInstant(th, start), optionalInstant(th, stop), dataOf(th, value)))
}

// Call is parameter(instant): its value on a day.
func (o *parameterObject) Call(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var at py.Value
	th.Unpack("get_at_instant", args, kws, "instant", &at)
	return o.onDay(th, toInstant(th, at))
}

// AttrNames implements pyeval.AttrLister.
func (o *parameterObject) AttrNames(*py.Thread) []string {
	if n, ok := o.item.(*legislation.ParameterNode); ok {
		return n.Children.Keys()
	}
	return []string{"brackets", "metadata", "update", "values_list"}
}
