package pyeval

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Table gives names to values: the content of a module or class written in Go.
type Table map[string]Value

func (t Table) sorted() []string {
	names := make([]string, 0, len(t))
	for n := range t {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Root is one entry of the search path: a file system with modules and packages at its top.
type Root struct {
	FS   fs.FS
	Path string // how the root is called in __file__ and tracebacks, such as "/pkg"
}

// Program is a set of modules. Imports load modules from the roots and from Go tables.
//
// While modules are loaded a program belongs to one goroutine; after Freeze any number may run its
// functions, each with its own Thread.
type Program struct {
	Roots  []Root
	Work   fs.FS     // the working directory: files that code may read, and not import, if no root has them; nil for none
	Stdout io.Writer // where print writes; nil discards
	Now    time.Time // what datetime.now() answers, always; the zero time: programs may not ask
	NEP50  bool      // numpy 2's promotion instead of numpy 1's
	Limits Limits    // of code run by imports

	// TextAttr finds attributes that texts of the host have besides those of Python's; nil: none.
	TextAttr func(text, name string) (Value, bool)

	// DateOf makes Python's object of a date or duration of a column, and Axes is v[i, j] or v[None] of an array. The library
	// that has such objects sets them.
	DateOf func(c vector.Column) Value
	Axes   func(th *Thread, v Value, axes []Value) Value

	// Parse makes the tree of a module, by pysyntax.ParseText unless told otherwise: trees may have been made before.
	Parse func(file, src string) (*pysyntax.Module, error)

	mu        sync.Mutex
	modules   map[string]*Module
	tables    map[string]func() Table
	libraries []Root
	aliases   map[string]string
	importMu  sync.Mutex // held by the outermost import

	compiling sync.Mutex // held while a function is compiled at its first call
	clocked   atomic.Bool
	sought    map[string]bool // paths that no root has; it does not change once the program is frozen
	frozen    atomic.Bool
	library   library
}

// NewProgram makes an empty program that knows the language and its built-ins. Libraries are added to it.
func NewProgram(roots ...Root) *Program {
	linkTypes()
	p := &Program{Roots: roots, Stdout: io.Discard, Parse: pysyntax.ParseText, modules: map[string]*Module{}, tables: map[string]func() Table{}, aliases: map[string]string{}}
	p.AddModule("builtins", builtins)
	return p
}

// AddLibrary registers modules in Python, which are searched after all roots.
func (p *Program) AddLibrary(r Root) { p.libraries = append(p.libraries, r) }

// AddModule registers a module written in Go. Packages on the way ("a" of "a.b") appear by themselves
// unless registered too.
func (p *Program) AddModule(name string, table Table) {
	p.AddLazyModule(name, func() Table { return table })
}

// AddLazyModule registers a module whose table is made at its first import.
func (p *Program) AddLazyModule(name string, table func() Table) { p.tables[name] = table }

// AddAlias makes a name stand for another module, which may be the package that it seems to be in.
func (p *Program) AddAlias(name, of string) { p.aliases[name] = of }

// Import loads a module and the packages above it, and returns it.
func (p *Program) Import(ctx context.Context, name string) (*Module, error) {
	return p.NewThread(ctx, p.Limits).Import(name)
}

// Import loads a module in this thread.
func (th *Thread) Import(name string) (*Module, error) {
	var m *Module
	_, err := th.Try(func() Value {
		m = th.MustImport(name)
		return None
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ImportFile loads a file of a root, by the path that Python code knows it by, as a module of any name.
func (th *Thread) ImportFile(name, file string) (*Module, error) {
	var m *Module
	_, err := th.Try(func() Value {
		if m = th.prog.Module(name); m != nil {
			return None
		}
		at, err := th.prog.find(file)
		if err != nil {
			th.Throw(err)
		}
		defer th.lockImports()()
		m = th.loadFrom(name, Root{at.FS, strings.TrimSuffix(file, at.Path)}, at.Path, false)
		return None
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Module returns a module that was loaded, or nil.
func (p *Program) Module(name string) *Module {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.modules[name]
}

// Modules returns the names of the modules that were loaded, sorted.
func (p *Program) Modules() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := make([]string, 0, len(p.modules))
	for n := range p.modules {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// ReadFile reads a file of a root by the path that Python code knows it by. A relative path is looked
// for in every root.
func (p *Program) ReadFile(name string) ([]byte, error) {
	f, err := p.find(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(f.FS, f.Path)
}

// Stat describes a file or directory of a root.
func (p *Program) Stat(name string) (fs.FileInfo, error) {
	f, err := p.find(name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(f.FS, f.Path)
}

// ReadDir lists a directory of a root.
func (p *Program) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := p.find(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(f.FS, f.Path)
}

// find returns the root that holds a path, and the path inside it.
func (p *Program) find(name string) (Root, error) {
	name = path.Clean(name)
	for _, r := range p.Roots {
		inside := name
		if strings.HasPrefix(name, "/") {
			under, ok := strings.CutPrefix(name+"/", strings.TrimSuffix(r.Path, "/")+"/")
			if !ok {
				continue
			}
			inside = strings.TrimSuffix(under, "/")
		}
		if inside == "" {
			inside = "."
		}
		if _, err := fs.Stat(r.FS, inside); err == nil {
			return Root{r.FS, inside}, nil
		}
	}
	p.seek(name)
	if inside := cmp.Or(strings.TrimPrefix(name, "/"), "."); p.Work != nil {
		if _, err := fs.Stat(p.Work, inside); err == nil {
			return Root{p.Work, inside}, nil
		}
	}
	return Root{}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// seek notes a path that no root has.
func (p *Program) seek(name string) {
	if p.frozen.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sought == nil {
		p.sought = map[string]bool{}
	}
	p.sought[name] = true
}

// Sought are the paths that the program looked for before it was frozen and no root has: the working directory may.
func (p *Program) Sought() []string { return slices.Sorted(maps.Keys(p.sought)) }

// Clock is the time that the program was given.
func (p *Program) Clock() time.Time {
	p.clocked.Store(true)
	return p.Now
}

// Clocked tells whether anybody has asked for the time.
func (p *Program) Clocked() bool { return p.clocked.Load() }

// MustImport returns a module, loading it and its packages as needed. A module that another thread
// is still loading is waited for; one that this thread is loading is returned as it is, as in Python.
func (th *Thread) MustImport(name string) *Module {
	if m := th.prog.Module(name); m != nil && (m.loaded.Load() || th.importing) {
		return m
	}
	defer th.lockImports()()
	var m *Module
	for i := 0; i <= len(name); i++ {
		if i == len(name) || name[i] == '.' {
			m = th.loadModule(name[:i], m)
		}
	}
	return m
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// lockImports lets one thread load modules at a time; its nested imports pass.
func (th *Thread) lockImports() (unlock func()) {
	if th.importing {
		return func() {}
	}
	th.prog.importMu.Lock()
	th.importing = true
	return func() {
		th.importing = false
		th.prog.importMu.Unlock()
	}
}

// loadModule returns one module, whose package is loaded already, and names it there.
func (th *Thread) loadModule(name string, parent *Module) *Module {
	m := th.prog.Module(name)
	if m != nil {
		return m
	}
	if of, ok := th.prog.aliases[name]; ok {
		m = th.MustImport(of)
		th.prog.register(name, m)
		return m
	}
	if table, ok := th.prog.tables[name]; ok {
		m = th.prog.addTable(name, table())
	} else if th.prog.hasTableBelow(name) {
		m = th.prog.addTable(name, Table{})
	} else {
		m = th.loadFile(name)
	}
	if parent != nil && !parent.frozen {
		if m.table == nil {
			parent.Set(lastPart(name), Obj(m))
		} else {
			parent.setIfAbsent(lastPart(name), Obj(m))
		}
	}
	return m
}

func (th *Thread) loadFile(name string) *Module {
	file, root, isPackage, ok := th.prog.locate(name)
	switch {
	case ok:
		return th.loadFrom(name, root, file, isPackage)
	case isAbsent(name):
		return th.prog.addAbsent(name)
	}
	th.noModule(name)
	return nil
}

// loadFrom runs a file of a root as a module.
func (th *Thread) loadFrom(name string, root Root, file string, isPackage bool) *Module {
	m := newModule(name)
	m.Package = isPackage
	m.File = path.Join(root.Path, file)
	src, err := readText(root.FS, file)
	if errors.Is(err, fs.ErrNotExist) && isPackage {
		src, err = "", nil // a package without __init__.py
	}
	if err != nil {
		th.Throw(err)
	}
	th.prog.register(name, m)
	defer func() {
		if !m.loaded.Load() {
			th.prog.forget(name)
		}
	}()
	th.execModule(m, src)
	m.loaded.Store(true)
	return m
}

// readText reads a file, without a copy if the file system has it as text.
func readText(files fs.FS, name string) (string, error) {
	if f, ok := files.(interface {
		ReadText(name string) (string, error)
	}); ok {
		return f.ReadText(name)
	}
	text, err := fs.ReadFile(files, name)
	return string(text), err
}

func (th *Thread) execModule(m *Module, src string) {
	tree, err := th.prog.Parse(m.File, src)
	if err != nil {
		exc := newException(SyntaxError, String(err.Error()))
		exc.exc.cause = err
		panic(&raised{exc})
	}
	m.source = src
	m.setStandard()
	body := compileModule(th.prog, m, tree)
	th.runBody(body, nil)
	if th.prog.frozen.Load() {
		new(freezing).module(m)
	}
}

// runBody executes the code of a module or class.
func (th *Thread) runBody(c *code, ns *Dict) {
	slots := make([]Value, c.slots)
	for i := range slots {
		slots[i] = unbound
	}
	for _, i := range c.cellLocals {
		slots[i] = Value{o: &cell{v: unbound}}
	}
	if th.depth >= th.limits.Depth {
		th.tooDeep()
	}
	th.depth++
	fr := &Frame{th: th, code: c, slots: slots, ns: ns, parent: th.top, pos: c.at}
	th.top = fr
	c.body(fr)
	th.top = fr.parent
	th.depth--
}

func (th *Thread) noModule(name string) {
	exc := newException(ModuleNotFoundError, String("No module named '"+name+"'"+hint(name, th.prog.known())))
	exc.attrs.set("name", String(name))
	panic(&raised{exc})
}

// known lists modules for hints.
func (p *Program) known() []string {
	names := p.Modules()
	for n := range p.tables {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func (p *Program) register(name string, m *Module) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.modules[name] = m
}

func (p *Program) forget(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.modules, name)
}

func (p *Program) addTable(name string, table Table) *Module {
	m := newModule(name)
	m.Package = true
	m.fill(table)
	p.register(name, m)
	return m
}

func (p *Program) hasTableBelow(name string) bool {
	for n := range p.tables {
		if strings.HasPrefix(n, name+".") {
			return true
		}
	}
	return false
}

// locate finds the file of a module in the roots.
func (p *Program) locate(name string) (file string, root Root, isPackage, ok bool) {
	base := strings.ReplaceAll(name, ".", "/")
	roots := slices.Concat(p.Roots, p.libraries)
	for _, r := range roots {
		if info, err := fs.Stat(r.FS, base+"/__init__.py"); err == nil && !info.IsDir() {
			return base + "/__init__.py", r, true, true
		}
		if info, err := fs.Stat(r.FS, base+".py"); err == nil && !info.IsDir() {
			return base + ".py", r, false, true
		}
	}
	for _, r := range roots {
		if info, err := fs.Stat(r.FS, base); err == nil && info.IsDir() {
			return base + "/__init__.py", r, true, true
		}
	}
	return "", Root{}, false, false
}
