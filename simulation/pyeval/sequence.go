package pyeval

// This file defines the methods of list and tuple.

import "slices"

// listTable are the methods of list.
func listTable() Table {
	m := func(name string, f func(th *Thread, l *List, args []Value, kws []Kw) Value) Value {
		return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
			l, _ := Self[*List](th, name, args)
			return f(th, l, args[1:], kws)
		})
	}
	change := func(name string, f func(th *Thread, l *List, args []Value, kws []Kw) Value) Value {
		return m(name, func(th *Thread, l *List, args []Value, kws []Kw) Value {
			l.mayChange(th)
			defer func() { l.changes++ }() // what f calls may look at it
			return f(th, l, args, kws)
		})
	}
	return Table{
		"append": change("append", func(th *Thread, l *List, args []Value, _ []Kw) Value {
			l.Append(th, th.OnlyArg("append", args))
			return None
		}),
		"clear": change("clear", func(_ *Thread, l *List, _ []Value, _ []Kw) Value {
			l.items = nil
			return None
		}),
		"copy": m("copy", func(th *Thread, l *List, _ []Value, _ []Kw) Value {
			return Obj(NewList(th.collected(Obj(l))))
		}),
		"count": m("count", func(th *Thread, l *List, args []Value, _ []Kw) Value { return th.countItems(l.items, args) }),
		"extend": change("extend", func(th *Thread, l *List, args []Value, _ []Kw) Value {
			items := th.Collect(th.OnlyArg("extend", args))
			th.AllocMany(len(l.items)+len(items), ValueBytes)
			l.items = append(l.items, items...)
			return None
		}),
		"index": m("index", func(th *Thread, l *List, args []Value, _ []Kw) Value { return th.findItem(l.items, args, "list") }),
		"insert": change("insert", func(th *Thread, l *List, args []Value, kws []Kw) Value {
			var i int
			var v Value
			th.Unpack("insert", args, kws, "index", &i, "object", &v)
			if i < 0 {
				i = max(i+len(l.items), 0)
			}
			th.Alloc(ValueBytes)
			th.Work(len(l.items))
			l.items = slices.Insert(l.items, min(i, len(l.items)), v)
			return None
		}),
		"pop": change("pop", func(th *Thread, l *List, args []Value, kws []Kw) Value {
			i := int64(-1)
			th.Unpack("pop", args, kws, "index?", &i)
			if len(l.items) == 0 {
				th.Raise(IndexError, "pop from empty list")
			}
			at := th.Position(i, len(l.items), "pop")
			v := l.items[at]
			th.Work(len(l.items) - at)
			l.items = slices.Delete(l.items, at, at+1)
			return v
		}),
		"remove": change("remove", func(th *Thread, l *List, args []Value, _ []Kw) Value {
			v := th.OnlyArg("remove", args)
			for i, x := range l.items {
				th.step()
				if th.Equal(x, v) {
					l.items = slices.Delete(l.items, i, i+1)
					return None
				}
			}
			th.Raise(ValueError, "list.remove(x): x not in list")
			return None
		}),
		"reverse": change("reverse", func(th *Thread, l *List, _ []Value, _ []Kw) Value {
			th.Work(len(l.items))
			slices.Reverse(l.items)
			return None
		}),
		"sort": change("sort", func(th *Thread, l *List, args []Value, kws []Kw) Value {
			keyFn, reverse := None, false
			th.Unpack("sort", args, kws, "*key?", &keyFn, "*reverse?", &reverse)
			l.items = th.sorted(l.items, keyFn, reverse)
			return None
		}),
	}
}

// tupleTable are the methods of tuple.
func tupleTable() Table {
	return Table{
		"count": Pure("count", func(th *Thread, args []Value, _ []Kw) Value {
			t, _ := Self[*Tuple](th, "count", args)
			return th.countItems(t.items, args[1:])
		}),
		"index": Pure("index", func(th *Thread, args []Value, _ []Kw) Value {
			t, _ := Self[*Tuple](th, "index", args)
			return th.findItem(t.items, args[1:], "tuple")
		}),
	}
}

func (th *Thread) countItems(items, args []Value) Value {
	v := th.OnlyArg("count", args)
	n := int64(0)
	for _, x := range items {
		th.step()
		if th.Equal(x, v) {
			n++
		}
	}
	return Int(n)
}

func (th *Thread) findItem(items, args []Value, what string) Value {
	var v Value
	start, stop := 0, len(items)
	th.Unpack("index", args, nil, "value", &v, "start?", &start, "stop?", &stop)
	for i := max(start, 0); i < min(stop, len(items)); i++ {
		th.step()
		if th.Equal(items[i], v) {
			return Int(int64(i))
		}
	}
	th.Raise(ValueError, "%s is not in %s", th.Repr(v), what)
	return Value{}
}

// dictTable are the methods of dict.
//
//nolint:funlen // it is as long as the table
func dictTable() Table {
	m := func(name string, f func(th *Thread, d *Dict, args []Value, kws []Kw) Value) Value {
		return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
			d, _ := Self[*Dict](th, name, args)
			return f(th, d, args[1:], kws)
		})
	}
	view := func(name string, kind byte) Value {
		return m(name, func(_ *Thread, d *Dict, _ []Value, _ []Kw) Value { return Obj(dictView{d, kind}) })
	}
	return Table{
		"clear": m("clear", func(th *Thread, d *Dict, _ []Value, _ []Kw) Value {
			th.mayChange(d.frozen, Obj(d))
			*d = *NewDict()
			return None
		}),
		"copy": m("copy", func(th *Thread, d *Dict, _ []Value, _ []Kw) Value { return Obj(th.CopyDict(d)) }),
		"fromkeys": Obj(&classMethod{Pure("fromkeys", func(th *Thread, args []Value, _ []Kw) Value {
			var over Value
			v := None
			th.Unpack("fromkeys", args[1:], nil, "iterable", &over, "value?", &v)
			d := NewDict()
			th.Each(over, func(k Value) bool {
				th.step()
				th.SetKey(d, k, v)
				return true
			})
			return Obj(d)
		})}),
		"get": m("get", func(th *Thread, d *Dict, args []Value, kws []Kw) Value {
			var k Value
			v := None
			th.Unpack("get", args, kws, "key", &k, "default?", &v)
			if x, ok := d.get(th.keyIn(d, k)); ok {
				return x
			}
			return v
		}),
		"items": view("items", 'i'),
		"keys":  view("keys", 'k'),
		"pop": m("pop", func(th *Thread, d *Dict, args []Value, kws []Kw) Value {
			var k Value
			v := unbound
			th.Unpack("pop", args, kws, "key", &k, "default?", &v)
			th.mayChange(d.frozen, Obj(d))
			if x, ok := d.remove(th.keyIn(d, k)); ok {
				return x
			}
			if v.isUnbound() {
				th.RaiseKey(k)
			}
			return v
		}),
		"popitem": m("popitem", func(th *Thread, d *Dict, _ []Value, _ []Kw) Value {
			th.mayChange(d.frozen, Obj(d))
			d.fill()
			th.Work(len(d.entries))
			for _, e := range slices.Backward(d.entries) {
				if e.live() {
					d.remove(e.lookup())
					return NewTuple([]Value{e.key(), e.v})
				}
			}
			panic(&raised{newException(KeyError, String("popitem(): dictionary is empty"))})
		}),
		"setdefault": m("setdefault", func(th *Thread, d *Dict, args []Value, kws []Kw) Value {
			var k Value
			v := None
			th.Unpack("setdefault", args, kws, "key", &k, "default?", &v)
			if x, ok := d.get(th.keyIn(d, k)); ok {
				return x
			}
			th.SetKey(d, k, v)
			return v
		}),
		"update": m("update", func(th *Thread, d *Dict, args []Value, kws []Kw) Value {
			if len(args) > 0 {
				th.toDict(th.OnlyArg("update", args)).each(func(k, v Value) { th.SetKey(d, k, v) })
			}
			for _, kw := range kws {
				th.SetKey(d, String(kw.Name), kw.Value)
			}
			return None
		}),
		"values": view("values", 'v'),
	}
}
