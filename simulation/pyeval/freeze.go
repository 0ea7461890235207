package pyeval

// Freeze makes everything reachable from the modules, and from more, read-only and lets many goroutines run the
// program's functions. Later changes raise TypeError in the code that tries them. Modules imported
// later are frozen when their import ends.
func (p *Program) Freeze(more ...Value) {
	p.mu.Lock()
	modules := make([]*Module, 0, len(p.modules))
	for _, m := range p.modules {
		modules = append(modules, m)
	}
	p.mu.Unlock()
	p.frozen.Store(true)
	for _, m := range modules {
		p.freezeModule(m)
	}
	freezeAll(more)
}

func (p *Program) freezeModule(m *Module) {
	m.frozen = true
	for _, g := range m.globals {
		freeze(g.v)
	}
}

// mayChange raises if something frozen is about to change.
func (th *Thread) mayChange(frozen bool, v Value) {
	if frozen {
		th.Raise(TypeError, "cannot change this %s: it is shared by all simulations once the package is loaded; copy it first", TypeName(v))
	}
}

// Freezer is a host object that becomes read-only with everything around it; it calls f for every value it holds.
type Freezer interface {
	Freeze(f func(Value))
}

// freeze marks a value and all it holds.
func freeze(v Value) {
	switch o := v.o.(type) {
	case nil:
	case *List:
		if !o.frozen {
			o.frozen = true
			freezeAll(o.items)
		}
	case *Tuple:
		freezeTuple(o)
	case *Dict:
		o.freeze()
	case *Set:
		if !o.d.frozen {
			o.d.freeze()
		}
	case *Instance:
		if !o.frozen {
			o.frozen = true
			freezeAll(o.attrs.values)
			if f, ok := o.Host.(Freezer); ok {
				f.Freeze(freeze)
			}
		}
	case *Class:
		if !o.frozen && o.mro != nil {
			o.frozen = true
			freezeAll(o.attrs.values)
		}
	case *Function:
		freezeFunction(o)
	case *Method:
		freeze(o.Self)
		freeze(o.Func)
	case *staticMethod:
		freeze(o.fn)
	case *classMethod:
		freeze(o.fn)
	case *iterator:
		o.frozen = true
	case *Generator:
		o.frozen = true
	case Freezer:
		o.Freeze(freeze)
	}
}

func freezeAll(vs []Value) {
	for _, v := range vs {
		freeze(v)
	}
}

func freezeTuple(t *Tuple) {
	if !t.frozen {
		t.frozen = true
		freezeAll(t.items)
	}
}

func freezeFunction(f *Function) {
	if f.frozen {
		return
	}
	f.frozen = true
	freezeAll(f.defaults)
	for _, c := range f.frees {
		c.frozen = true
		freeze(c.v)
	}
	if f.attrs != nil {
		freezeAll(f.attrs.values)
	}
}
