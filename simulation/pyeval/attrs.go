package pyeval

// This file defines where classes and instances keep their attributes.

// attrs are the attributes of a class or instance, in the order they were made. Most have few, which a
// scan finds as fast as a map.
type attrs struct {
	names  []string
	values []Value
	index  map[string]int
}

const scanAttrs = 8

func (a *attrs) find(name string) int {
	if a.index != nil {
		if i, ok := a.index[name]; ok {
			return i
		}
		return -1
	}
	for i, n := range a.names {
		if n == name {
			return i
		}
	}
	return -1
}

func (a *attrs) get(name string) (Value, bool) {
	if i := a.find(name); i >= 0 {
		return a.values[i], true
	}
	return Value{}, false
}

func (a *attrs) set(name string, v Value) {
	if i := a.find(name); i >= 0 {
		a.values[i] = v
		return
	}
	a.names = append(a.names, name)
	a.values = append(a.values, v)
	if a.index != nil {
		a.index[name] = len(a.names) - 1
	} else if len(a.names) > scanAttrs {
		a.reindex()
	}
}

func (a *attrs) reindex() {
	a.index = make(map[string]int, len(a.names))
	for i, n := range a.names {
		a.index[n] = i
	}
}

func (a *attrs) remove(name string) bool {
	i := a.find(name)
	if i < 0 {
		return false
	}
	a.names = append(a.names[:i:i], a.names[i+1:]...)
	a.values = append(a.values[:i:i], a.values[i+1:]...)
	if a.index != nil {
		a.reindex()
	}
	return true
}

// change sets or, with nil, deletes.
func (a *attrs) change(th *Thread, owner Value, name string, v *Value) {
	if v != nil {
		a.set(name, *v)
		return
	}
	if !a.remove(name) {
		th.NoAttr(owner, name)
	}
}

func (a *attrs) list() []string { return a.names }

func (a *attrs) dict() *Dict {
	d := NewDict()
	for i, n := range a.names {
		d.Set(String(n), a.values[i])
	}
	return d
}

// addTable adds the attributes of a class written in Go: its functions take self.
func (a *attrs) addTable(of *Class, t Table) {
	for _, name := range t.sorted() {
		v := t[name]
		if f, ok := v.o.(*Builtin); ok {
			method := *f
			method.method, method.of = true, of
			v = Obj(&method)
		}
		a.set(name, v)
	}
}
