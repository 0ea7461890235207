package pyeval

// This file defines module copy. It is not in package stdlib because it sees into instances.

// Copy is copy.copy(x).
func Copy(th *Thread, args []Value, _ []Kw) Value { return th.copyOf(th.OnlyArg("copy", args)) }

// copyOf is copy.copy: one level.
func (th *Thread) copyOf(v Value) Value {
	switch o := v.o.(type) {
	case *List:
		return Obj(NewList(th.collected(v)))
	case *Dict:
		return Obj(th.CopyDict(o))
	case *Set:
		return Obj(th.NewSet(th.Collect(v)))
	case *Instance:
		if f, ok := o.method("__copy__"); ok {
			return th.InvokeKw(f, []Value{v}, nil)
		}
		twin := NewInstance(o.class)
		twin.Host = o.Host
		for i, name := range o.attrs.names {
			twin.Set(name, o.attrs.values[i])
		}
		return Obj(twin)
	}
	if f, ok := th.Attr(v, "__copy__"); ok && v.o != nil {
		return th.InvokeKw(f, nil, nil)
	}
	return v
}

// Loosened is a copy of an object that may be changed, and so may the lists, dicts and sets that it holds; what those hold is shared.
func (th *Thread) Loosened(v Value) Value {
	i, ok := v.o.(*Instance)
	if !ok {
		return th.copyOf(v)
	}
	twin := NewInstance(i.class)
	twin.Host = i.Host
	for n, name := range i.attrs.names {
		held := i.attrs.values[n]
		switch held.o.(type) {
		case *List, *Dict, *Set:
			held = th.copyOf(held)
		}
		twin.Set(name, held)
	}
	return Obj(twin)
}

// DeepCopy is copy.deepcopy(x, memo).
func DeepCopy(th *Thread, args []Value, kws []Kw) Value {
	var x Value
	memo := None
	th.Unpack("deepcopy", args, kws, "x", &x, "memo?", &memo)
	d, ok := memo.o.(*Dict)
	if !ok {
		d = NewDict()
	}
	return (&deepCopier{th, map[Object]Value{}, Obj(d)}).copy(x)
}

// deepCopier copies each object once. Numbers, arrays, text, classes, functions and modules are immutable and shared.
type deepCopier struct {
	th   *Thread
	seen map[Object]Value
	memo Value // what __deepcopy__ methods are given
}

func (c *deepCopier) copy(v Value) Value {
	switch v.o.(type) {
	case nil, Str, Bytes, *Class, *Function, *Builtin, *Module, singleton:
		return v
	}
	if !canCompare(v.o) {
		return v
	}
	if twin, ok := c.seen[v.o]; ok {
		return twin
	}
	c.th.step()
	c.th.Nest(1)
	twin := c.fresh(v)
	c.th.Nest(-1)
	return twin
}

func (c *deepCopier) fresh(v Value) Value {
	switch o := v.o.(type) {
	case *List:
		twin := NewList(nil)
		c.seen[v.o] = Obj(twin)
		for _, x := range o.items {
			twin.Append(c.th, c.copy(x))
		}
		return Obj(twin)
	case *Tuple:
		c.th.AllocMany(len(o.items), ValueBytes)
		items := make([]Value, len(o.items))
		for i, x := range o.items {
			items[i] = c.copy(x)
		}
		return NewTuple(items)
	case *Dict:
		twin := NewDict()
		c.seen[v.o] = Obj(twin)
		o.each(func(k, x Value) { c.th.SetKey(twin, c.copy(k), c.copy(x)) })
		return Obj(twin)
	case *Set:
		return Obj(c.th.NewSet(c.th.Collect(v)))
	case *Instance:
		return c.instance(v, o)
	}
	for _, name := range []string{"__deepcopy__", "clone"} {
		if f, ok := c.th.Attr(v, name); ok {
			args := []Value{}
			if name == "__deepcopy__" {
				args = append(args, c.memo)
			}
			twin := c.th.InvokeKw(f, args, nil)
			c.seen[v.o] = twin
			return twin
		}
	}
	return v
}

func (c *deepCopier) instance(v Value, o *Instance) Value {
	if f, ok := o.method("__deepcopy__"); ok {
		return c.th.InvokeKw(f, []Value{v, c.memo}, nil)
	}
	twin := NewInstance(o.class)
	twin.Host = o.Host
	twin.exc = o.exc
	c.seen[v.o] = Obj(twin)
	for i, name := range o.attrs.names {
		twin.Set(name, c.copy(o.attrs.values[i]))
	}
	return Obj(twin)
}
