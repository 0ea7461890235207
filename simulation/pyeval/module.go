package pyeval

import (
	"iter"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"edict/simulation/pysyntax"
)

// Module is a Python module. Its names are slots that compiled code points to.
type Module struct {
	Name    string
	File    string
	Package bool

	table   Table // of a module written in Go
	globals map[string]*global
	order   []string
	stars   []*starNames // what it has by `from m import *`, the last ones first asked; a slot of the same name comes before
	star    *starNames   // what the last `from this import *` took
	source  string
	loaded  atomic.Bool                 // its code has run
	packed  string                      // its tree, of a module that an image holds
	defs    map[pysyntax.Pos]definition // of that tree, once one is called
	made    map[madeAt]*code            // what compiling it again gave; nil but for a module whose functions have functions inside
	absent  bool                        // it has no code: whatever is taken from it is absent
	frozen  bool
}

// global is one name of a module.
//
// A name that a function declares `global` is lazy: once the program is frozen, a thread that
// assigns it sees its own value until its outermost call returns; then the value is frozen and
// published for all threads, the first to publish winning. That is what a table loaded at first
// use needs, and it is free of races.
type global struct {
	module *Module
	name   string
	v      Value
	lazy   bool
	shared atomic.Pointer[Value]
}

// Loaded tells whether its code has run: until then it belongs to the thread that runs it.
func (m *Module) Loaded() bool { return m.loaded.Load() }

func newModule(name string) *Module { return &Module{Name: name, globals: map[string]*global{}} }

// NewModule makes a module that is there without being imported, as numpy.char is.
func NewModule(name string, table Table) *Module {
	m := newModule(name)
	m.fill(table)
	return m
}

func (m *Module) fill(table Table) {
	m.table = table
	m.loaded.Store(true)
	for _, n := range table.sorted() {
		m.Set(n, table[n])
	}
	m.setStandard()
}

// Type implements [Object].
func (*Module) Type() *Class { return moduleType }

// slot returns the slot of a name, made unbound if the module has none yet.
func (m *Module) slot(name string) *global {
	g, ok := m.globals[name]
	if !ok {
		g = &global{module: m, name: name, v: m.starred(name)}
		m.globals[name] = g
		m.order = append(m.order, name)
	}
	return g
}

// Get returns a global of the module.
func (m *Module) Get(name string) (Value, bool) {
	v := unbound
	if g, ok := m.globals[name]; ok {
		v = g.v
	} else {
		v = m.starred(name)
	}
	if v.isUnbound() {
		return Value{}, false
	}
	return v, true
}

// read reads a global in a thread.
func (m *Module) read(th *Thread, name string) (Value, bool) {
	if g, ok := m.globals[name]; ok {
		v := g.load(th)
		return v, !v.isUnbound()
	}
	v := m.starred(name)
	if th.memos != nil {
		v = th.memo(v)
	}
	return v, !v.isUnbound()
}

// Set changes a global; it is for loading only.
func (m *Module) Set(name string, v Value) { m.slot(name).v = v }

func (m *Module) setIfAbsent(name string, v Value) {
	if g := m.slot(name); g.v.isUnbound() {
		g.v = v
	}
}

// Names returns the bound globals in the order they were first mentioned.
func (m *Module) Names() []string {
	var out []string
	for _, n := range m.order {
		if !m.globals[n].v.isUnbound() {
			out = append(out, n)
		}
	}
	return m.appendStarred(out)
}

// Own gives the bound globals but for those that `from m import *` gave and the module does not mention.
func (m *Module) Own() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, n := range m.order {
			if v := m.globals[n].v; !v.isUnbound() && !yield(n, v) {
				return
			}
		}
	}
}

// setStandard sets __name__ and its like.
func (m *Module) setStandard() {
	m.Set("__name__", String(m.Name))
	m.Set("__doc__", None)
	if m.File != "" {
		m.Set("__file__", String(m.File))
	}
	pkg := m.Name
	if !m.Package {
		pkg = strings.TrimSuffix(m.Name, "."+lastPart(m.Name))
		if pkg == m.Name {
			pkg = ""
		}
	} else if m.File != "" {
		m.Set("__path__", Obj(NewList([]Value{String(path.Dir(m.File))})))
	}
	m.Set("__package__", String(pkg))
}

// load reads a global in a thread.
func (g *global) load(th *Thread) Value {
	if th.memos != nil {
		return th.memo(g.loadAny(th))
	}
	return g.loadAny(th)
}

func (g *global) loadAny(th *Thread) Value {
	if !g.lazy {
		return g.v
	}
	if v, ok := th.overlay[g]; ok {
		th.effects++
		return v
	}
	if p := g.shared.Load(); p != nil {
		return *p
	}
	th.effects++
	return g.v
}

// store writes a global in a thread.
func (g *global) store(th *Thread, v Value) {
	if !g.module.frozen {
		g.v = v
		return
	}
	if !g.lazy {
		th.Raise(TypeError, "cannot assign module name '%s': modules are read-only once the package is loaded", g.name)
	}
	if th.overlay == nil {
		th.overlay = map[*global]Value{}
	}
	th.overlay[g] = v
	th.effects++
}

// publish shows the thread's lazy globals to all threads.
func (th *Thread) publish() {
	for g, v := range th.overlay {
		if v.isUnbound() {
			continue
		}
		v.c = v.c.Plain() // what a simulation records is its own
		freeze(v)
		g.shared.CompareAndSwap(nil, &v)
	}
	clear(th.overlay)
}

// ownMemo gives a dict, or a table of pandas, that a name of a module holds as code may add to it. One that is frozen is shared by all
// simulations; so the outermost call gets a copy, which every name of a module that holds it stands for until
// that call returns. A table that remembers what was computed works, and no simulation sees what another one has put there.
func (th *Thread) ownMemo(v Value) Value {
	d, dict := v.o.(*Dict)
	i, instance := v.o.(*Instance)
	if !(dict && d.frozen || instance && i.frozen && strings.HasPrefix(i.class.Module, "pandas")) {
		return v
	}
	if th.memos == nil {
		th.memos = map[Object]Value{}
	}
	own, known := th.memos[v.o]
	if !known {
		if dict {
			th.Alloc(96 * d.Len())
			own = Obj(d.copy())
		} else {
			own = th.Loosened(v)
		}
		th.memos[v.o] = own
	}
	th.effects++
	return own
}

// memo gives the copy of a dict or a table that the outermost call has made, if it has.
func (th *Thread) memo(v Value) Value {
	switch v.o.(type) {
	case *Dict, *Instance:
		if own, ok := th.memos[v.o]; ok {
			th.effects++
			return own
		}
	}
	return v
}

// Attr implements [Attrer].
func (m *Module) Attr(th *Thread, name string) (Value, bool) {
	if v, ok := m.read(th, name); ok {
		return v, true
	}
	if name == "__dict__" {
		return Obj(&moduleDict{m}), true
	}
	if sub := th.prog.Module(m.Name + "." + name); sub != nil {
		return Obj(sub), true
	}
	if more := m.more(th); more != nil && !strings.HasPrefix(name, "_") {
		if v, ok := more.Get(name); ok {
			return v, true
		}
	}
	if m.absent && !strings.HasPrefix(name, "__") {
		return Obj(absent(m.Name + "." + name)), true
	}
	if f, ok := m.Get("__getattr__"); ok {
		return th.InvokeKw(f, []Value{String(name)}, nil), true
	}
	return Value{}, false
}

// SetAttr implements [AttrSetter].
func (m *Module) SetAttr(th *Thread, name string, v *Value) {
	th.mayChange(m.frozen, Obj(m))
	if v == nil {
		m.slot(name).v = unbound
		return
	}
	m.Set(name, *v)
}

// AttrNames implements [AttrLister].
func (m *Module) AttrNames(*Thread) []string { return m.Names() }

// Repr implements [Reprer].
func (m *Module) Repr(*Thread) string { return "<module '" + m.Name + "'>" }

// public lists what `from m import *` takes.
func (m *Module) public(th *Thread) []string {
	if all, ok := m.Get("__all__"); ok {
		var names []string
		th.Each(all, func(v Value) bool {
			names = append(names, th.MustString(v, "__all__"))
			return true
		})
		return names
	}
	names := m.Names()
	if more := m.more(th); more != nil {
		names = append(names, more.Names()...)
	}
	return slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "_") })
}

// further names the modules, in Python, that hold what few packages use of a module in Go. They are read when a name is
// missing from it.
var further = map[string]string{"numpy": "_numpy_rare"}

func (m *Module) more(th *Thread) *Module {
	if name, ok := further[m.Name]; ok && m.table != nil {
		return th.MustImport(name)
	}
	return nil
}

// moduleDict is globals(): the names of a module as a dict.
type moduleDict struct{ m *Module }

func (moduleDict) Type() *Class { return dictType }

// Item implements [Indexer].
func (d moduleDict) Item(th *Thread, key Value) Value {
	name, _ := key.AsString()
	if v, ok := d.m.read(th, name); ok {
		return v
	}
	th.RaiseKey(key)
	return Value{}
}

// SetItem implements [ItemSetter].
func (d moduleDict) SetItem(th *Thread, key Value, v *Value) {
	name, _ := key.AsString()
	if v == nil {
		v = &unbound
	}
	d.m.slotSafe(th, name).store(th, *v)
}

// slotSafe refuses to add names to a frozen module.
func (m *Module) slotSafe(th *Thread, name string) *global {
	if g, ok := m.globals[name]; ok {
		return g
	}
	th.mayChange(m.frozen, Obj(m))
	return m.slot(name)
}

// Contains implements [Container].
func (d moduleDict) Contains(th *Thread, key Value) bool {
	name, _ := key.AsString()
	_, ok := d.m.read(th, name)
	return ok
}

// Each implements [Iterable].
func (d moduleDict) Each(_ *Thread, yield func(Value) bool) {
	for _, n := range d.m.Names() {
		if !yield(String(n)) {
			return
		}
	}
}

// Len implements [Lener].
func (d moduleDict) Len(*Thread) int { return len(d.m.Names()) }

// Attr gives the few dict methods that make sense here.
func (d moduleDict) Attr(th *Thread, name string) (Value, bool) {
	switch name {
	case "get", "items", "keys", "values", "copy":
		return th.GetAttr(Obj(d.copy(th)), name), true
	case "update":
		return Pure("update", func(th *Thread, args []Value, kws []Kw) Value {
			var other Value
			th.Unpack("update", args, kws, "other", &other)
			th.toDict(other).each(func(k, v Value) { d.SetItem(th, k, &v) })
			return None
		}), true
	}
	return Value{}, false
}

func (d moduleDict) copy(th *Thread) *Dict {
	out := NewDict()
	for _, n := range d.m.Names() {
		v, _ := d.m.read(th, n)
		out.Set(String(n), v)
	}
	return out
}
