package pyeval

import "sync"

// This file makes what a program holds read-only, so that goroutines may share it.

// freezes is held while a program is frozen: programs that load at the same time share the built-in classes.
var freezes sync.Mutex

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
	freezes.Lock()
	defer freezes.Unlock()
	var f freezing
	for _, m := range modules {
		f.module(m)
	}
	f.all(more...)
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

// freeze marks values and all they hold.
func freeze(values ...Value) { new(freezing).all(values...) }

// freezing is a walk through values that are to be read-only. What is still to be marked waits in a list: values may hold values
// to any depth.
type freezing struct{ waiting []Value }

func (f *freezing) all(values ...Value) {
	f.add(values...)
	for len(f.waiting) > 0 {
		last := len(f.waiting) - 1
		v := f.waiting[last]
		f.waiting = f.waiting[:last]
		f.mark(v)
	}
}

func (f *freezing) module(m *Module) {
	m.frozen = true
	for _, g := range m.globals {
		f.all(g.v)
	}
	for _, s := range m.stars {
		if !s.frozen.Swap(true) {
			for _, v := range s.values {
				f.all(v)
			}
		}
	}
}

func (f *freezing) add(values ...Value) {
	for _, v := range values {
		if v.o != nil {
			f.waiting = append(f.waiting, v)
		}
	}
}

// mark marks one value and adds what it holds.
func (f *freezing) mark(v Value) {
	switch o := v.o.(type) {
	case *List:
		f.once(&o.frozen, o.items)
	case *Tuple:
		f.once(&o.frozen, o.items)
	case *Dict:
		f.dict(o)
	case *Set:
		f.dict(o.d)
	case *Instance:
		f.instance(o)
	case *Class:
		if o.mro != nil {
			f.once(&o.frozen, o.attrs.values)
		}
	case *Function:
		f.function(o)
	case *Method:
		f.add(o.Self, o.Func)
	case *staticMethod:
		f.add(o.fn)
	case *classMethod:
		f.add(o.fn)
	case *iterator:
		o.frozen = true
	case *Generator:
		o.frozen = true
	case Freezer:
		o.Freeze(func(v Value) { f.add(v) })
	}
}

// once sets a mark and adds what lies behind it, unless it was set.
func (f *freezing) once(mark *bool, held []Value) {
	if !*mark {
		*mark = true
		f.add(held...)
	}
}

func (f *freezing) dict(d *Dict) {
	if d.frozen {
		return
	}
	d.frozen = true
	d.each(func(k, v Value) { f.add(k, v) })
}

func (f *freezing) instance(i *Instance) {
	if i.frozen {
		return
	}
	f.once(&i.frozen, i.attrs.values)
	if host, ok := i.Host.(Freezer); ok {
		host.Freeze(func(v Value) { f.add(v) })
	}
}

func (f *freezing) function(fn *Function) {
	if fn.frozen {
		return
	}
	f.once(&fn.frozen, fn.defaults)
	for _, c := range fn.frees {
		c.frozen = true
		f.add(c.v)
	}
	if fn.attrs != nil {
		f.add(fn.attrs.values...)
	}
}
