package pyeval

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"edict/simulation/image"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// This file lets a program that is frozen be written as an image, and read back. What Go code gives to programs is outside of images:
// both sides name it ([Program.Natives]). Of functions the image holds the packed trees of their modules; each is compiled at its
// first call.

// Image is what running its modules made of a program.
type Image struct {
	Tables  []string // modules written in Go that were imported
	modules map[string]*Module
	added   []addedName
}

// addedName is a name that a module written in Go was given.
type addedName struct {
	module *Module
	name   string
	v      Value
}

// Image returns what is to be written. packed gives the packed tree of a file ([pysyntax.Pack]).
func (p *Program) Image(packed func(file string) (string, bool)) (*Image, error) {
	if n := p.natives(nil); n.changed != "" {
		return nil, errors.New(n.changed + " was changed, but does not belong to this program only")
	}
	i := &Image{modules: map[string]*Module{}}
	for _, name := range p.Modules() {
		m := p.Module(name)
		i.modules[name] = m
		if m.table == nil {
			if m.File == "" {
				continue
			}
			tree, ok := packed(m.File)
			if !ok && m.source != "" {
				return nil, errors.New("the tree of " + m.File + " is not known")
			}
			m.packed = tree
			continue
		}
		i.Tables = append(i.Tables, name)
		for _, name := range m.order {
			if v := m.globals[name].v; !v.isUnbound() && !Same(m.table[name], v) {
				i.added = append(i.added, addedName{m, name, v})
			}
		}
	}
	return i, nil
}

// Written lets go of the trees, which the program does not need.
func (i *Image) Written() {
	for _, m := range i.modules {
		m.packed = ""
	}
}

// Restore makes of a program without modules of its own what the image holds. The tables are there already.
func (p *Program) Restore(i *Image) {
	p.mu.Lock()
	p.modules = i.modules
	p.mu.Unlock()
	for _, m := range i.modules {
		if m.File != "" {
			m.source = p.Text(m.File)
		}
	}
	for _, a := range i.added {
		a.module.Set(a.name, a.v)
	}
	p.Freeze()
}

// Text is the text of a file of a root or a library, by the path that Python code knows it by, "" if there is none.
func (p *Program) Text(file string) string {
	for _, r := range slices.Concat(p.Roots, p.libraries) {
		if inside, ok := strings.CutPrefix(file, strings.TrimSuffix(r.Path, "/")+"/"); ok {
			if text, err := readText(r.FS, inside); err == nil {
				return text
			}
		}
	}
	return ""
}

// LoadTables imports modules written in Go.
func (th *Thread) LoadTables(names []string) error {
	_, err := th.Try(func() Value {
		for _, name := range names {
			th.MustImport(name)
		}
		return None
	})
	return err
}

// DescribeTo tells a codec of the types of this package.
func (p *Program) DescribeTo(c *image.Codec) {
	c.Hold((*List)(nil), (*Tuple)(nil), (*Dict)(nil), (*Set)(nil), (*Instance)(nil), (*Class)(nil), (*Function)(nil), (*Module)(nil),
		(*Method)(nil), (*staticMethod)(nil), (*classMethod)(nil), (*property)(nil), (*Property)(nil), (*Builtin)(nil), (*cached)(nil), (*bigInt)(nil),
		(*rangeObject)(nil), (*unboundMark)(nil), Str(""), Bytes(""), singleton{}, absent(""), Value{}, "", false, int64(0), 0.0, 0)
	image.Refer(c, "data", vector.DataOf, vector.DataTypes()...)
	c.Leave(Module{}, "source", "table", "defs", "made")
	c.Leave(global{}, "shared")
	c.Leave(cached{}, "mu")
	c.Leave(csvTable{}, "mu")
	c.Leave(Class{}, "New", "Pure")
	image.Check(c, checkClass)
	image.After(c, func(k *Class) { k.inherit(k.mro) })
	image.Check(c, func(d *Dict) error {
		d.fill()
		return nil
	})
	image.Check(c, func(k *key) error {
		if k.kind == addressed {
			return errors.New("it is found by the address of an object")
		}
		return nil
	})
	p.describeCode(c)
	describeCached(c)
}

// checkClass refuses a class that makes its instances in another way than the first base that says how.
func checkClass(c *Class) error {
	if len(c.mro) == 0 {
		return errors.New(c.Name + " is not complete")
	}
	for _, base := range c.mro[1:] {
		if base.New != nil {
			if sameFunc(unsafe.Pointer(&c.New), unsafe.Pointer(&base.New)) {
				return nil
			}
			break
		}
	}
	if c.New != nil {
		return errors.New(c.Name + " has its own constructor")
	}
	return nil
}

func sameFunc(a, b unsafe.Pointer) bool { return *(*unsafe.Pointer)(a) == *(*unsafe.Pointer)(b) }

// codeImage is a function without its body.
type codeImage struct {
	name           string
	module         *Module
	params, frees  []string
	args           int
	posOnly        int
	kwOnly         int
	star, starStar bool
	simple         bool
	at             pysyntax.Pos
}

func (p *Program) describeCode(c *image.Codec) {
	image.Stand(c, func(k *code) (codeImage, error) {
		return codeImage{k.name, k.module, k.params, k.frees, k.args, k.posOnly, k.kwOnly, k.star, k.starStar, k.simple, k.at}, nil
	}, func(k *code, i *codeImage) {
		k.name, k.module, k.params, k.frees, k.args, k.posOnly, k.kwOnly = i.name, i.module, i.params, i.frees, i.args, i.posOnly, i.kwOnly
		k.star, k.starStar, k.simple, k.at, k.doc = i.star, i.starStar, i.simple, i.at, None
		k.pending.Store(&pendingBody{prog: p})
	})
}

// cachedImage is what functools.cache remembers, as far as it is not by addresses.
type cachedImage struct {
	fn   Value
	seen map[key]Value
}

func describeCached(c *image.Codec) {
	made := map[*cached]cachedImage{}
	image.Stand(c, func(k *cached) (cachedImage, error) {
		i, ok := made[k]
		if !ok {
			i = cachedImage{k.fn, maps.Clone(k.seen)}
			maps.DeleteFunc(i.seen, func(k key, _ Value) bool { return k.kind == addressed })
			made[k] = i
		}
		return i, nil
	}, func(k *cached, i *cachedImage) { k.fn, k.seen = i.fn, i.seen })
}

// definition is a function of a module or one of its classes.
type definition struct {
	def   *pysyntax.FunctionDef
	class string
}

// definitions finds the functions of a packed module, by their places.
func (m *Module) definitions() map[pysyntax.Pos]definition {
	if m.defs != nil {
		return m.defs
	}
	m.defs = map[pysyntax.Pos]definition{}
	if tree, err := pysyntax.Unpack(m.File, m.packed); err == nil {
		m.define(tree.Body, "")
	}
	return m.defs
}

func (m *Module) define(body []pysyntax.Stmt, class string) {
	pysyntax.WalkAll(body, func(n pysyntax.Node) bool {
		switch n := n.(type) {
		case *pysyntax.ClassDef:
			m.define(n.Body, n.Name)
			return false
		case *pysyntax.FunctionDef:
			if n.Late() {
				m.defs[n.Pos] = definition{n, class}
			}
			return false
		}
		return true
	})
}

// compileAgain compiles a function that an image has, from the tree of its module: alone, or, if it stands in another one, with the module.
func (k *code) compileAgain(p *Program) {
	m := k.module
	if d, ok := m.definitions()[k.at]; ok {
		k.compileLate(&pendingBody{p, d.def, d.class})
		return
	}
	if m.made == nil {
		m.made = map[madeAt]*code{}
		tree, err := pysyntax.UnpackAll(m.File, m.packed)
		if err != nil {
			panic(err)
		}
		compileModule(p, m, tree)
	}
	made := m.made[madeAt{k.at, k.name}]
	k.doc, k.slots, k.cellParams, k.cellLocals, k.frees, k.generator, k.body = made.doc, made.slots, made.cellParams, made.cellLocals, made.frees, made.generator, made.body
}

// madeAt finds a function of a module that is compiled again.
type madeAt struct {
	at   pysyntax.Pos
	name string
}

// natives are what a program has of Go's, by name.
type natives struct {
	names   image.Outside
	found   image.Named
	changed string // a class that code has changed, "" if there is none
}

// Natives names the program and what Go code gives to it: classes, functions and modules, and what host adds.
func (p *Program) Natives(host map[string]unsafe.Pointer) (image.Outside, image.Named) {
	n := p.natives(host)
	return n.names, n.found
}

func (p *Program) natives(host map[string]unsafe.Pointer) *natives {
	n := &natives{names: image.Outside{}, found: image.Named{}}
	n.add("program", unsafe.Pointer(p))
	n.add("unbound", unsafe.Pointer(unbound.o.(*unboundMark)))
	for _, name := range slices.Sorted(maps.Keys(host)) {
		n.add(name, host[name])
	}
	for i, t := range declared {
		n.class(fmt.Sprintf("class %d %s", i, t.Name), t)
	}
	for _, row := range exceptionTree {
		n.class("exception "+row[0], exceptionsByName[row[0]])
	}
	n.table("builtins", builtins)
	for _, name := range p.Modules() {
		if m := p.Module(name); m.table != nil {
			n.add("module "+name, unsafe.Pointer(m))
			n.table(name, m.table)
		}
	}
	return n
}

func (n *natives) add(name string, p unsafe.Pointer) bool {
	if _, known := n.names[p]; known || p == nil {
		return false
	}
	n.names[p], n.found[name] = name, p
	return true
}

func (n *natives) table(name string, t Table) {
	for _, key := range t.sorted() {
		n.value(name+"."+key, t[key])
	}
}

func (n *natives) value(name string, v Value) {
	switch o := v.o.(type) {
	case *Class:
		n.class(name, o)
	case *Module:
		if n.add(name, unsafe.Pointer(o)) {
			n.table(name, o.table)
		}
	case *staticMethod:
		n.add(name, unsafe.Pointer(o))
		n.value(name+"()", o.fn)
	case *classMethod:
		n.add(name, unsafe.Pointer(o))
		n.value(name+"()", o.fn)
	case nil, Str, Bytes, singleton:
	default:
		if at := reflect.ValueOf(o); at.Kind() == reflect.Pointer {
			n.add(name, at.UnsafePointer())
		}
	}
}

func (n *natives) class(name string, c *Class) {
	if !n.add(name, unsafe.Pointer(c)) {
		return
	}
	if c.changed {
		n.changed = name
	}
	for i, base := range c.Bases {
		n.class(name+"^"+string(rune('0'+i)), base)
	}
	n.add(name+" meta", unsafe.Pointer(c.Meta))
	for i, key := range c.attrs.names {
		n.value(name+"."+key, c.attrs.values[i])
	}
}
