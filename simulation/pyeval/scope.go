package pyeval

// This file finds the place of every name before its body is compiled: a slot, a cell that closures share, a name of the module.

import "edict/simulation/pysyntax"

// scope resolves names while a body is compiled. A comprehension has a scope of its own inside its
// function's slots; a class body keeps its names in a dict that nested functions do not see.
type scope struct {
	kind    scopeKind
	parent  *scope
	fn      *scope         // whose slots are used: itself, or the function around a comprehension
	slots   map[string]int // names bound here
	globals map[string]bool
	outer   map[string]bool // declared nonlocal
	shared  map[string]bool // names that nested functions mention: their slots hold cells
	class   string          // name of the class around, for private names

	// of functions only
	n         int // slots given out
	cells     map[int]bool
	frees     []string
	generator bool
	loops     int
}

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	functionScope
	classScope
	compScope
)

// names collects what a body binds, without looking into nested functions and classes.
type names struct {
	bound           []string
	seen            map[string]bool
	globals, outers map[string]bool
}

func (n *names) bind(name string) {
	if !n.seen[name] {
		n.seen[name] = true
		n.bound = append(n.bound, name)
	}
}

func bindings(body []pysyntax.Stmt) *names {
	n := &names{seen: map[string]bool{}, globals: map[string]bool{}, outers: map[string]bool{}}
	pysyntax.WalkAll(body, n.visit)
	return n
}

func (n *names) visit(node pysyntax.Node) bool {
	switch s := node.(type) {
	case *pysyntax.FunctionDef:
		n.bind(s.Name)
		n.inside(s.Decorators...)
		n.inside(s.Params.Defaults...)
		n.inside(s.Params.KwDefaults...)
		return false
	case *pysyntax.ClassDef:
		n.bind(s.Name)
		n.inside(s.Decorators...)
		n.inside(s.Bases...)
		return false
	case *pysyntax.Lambda:
		n.inside(s.Params.Defaults...)
		return false
	case *pysyntax.Comp:
		n.walrusInside(s)
		return false
	case *pysyntax.Walrus:
		n.bind(s.Target.ID)
	case *pysyntax.Assign:
		n.targets(s.Targets...)
	case *pysyntax.AugAssign:
		n.targets(s.Target)
	case *pysyntax.AnnAssign:
		n.targets(s.Target)
		n.inside(s.Value)
		return false
	case *pysyntax.For:
		n.targets(s.Target)
	case *pysyntax.With:
		for _, it := range s.Items {
			n.targets(it.Target)
		}
	case *pysyntax.Delete:
		n.targets(s.Targets...)
	case *pysyntax.Try:
		for _, h := range s.Handlers {
			if h.Name != "" {
				n.bind(h.Name)
			}
		}
	case *pysyntax.Import:
		for _, a := range s.Names {
			n.bind(importedName(a))
		}
	case *pysyntax.ImportFrom:
		for _, a := range s.Names {
			if a.Name != "*" {
				n.bind(aliasName(a))
			}
		}
	case *pysyntax.Global:
		for _, name := range s.Names {
			n.globals[name] = true
		}
	case *pysyntax.Nonlocal:
		for _, name := range s.Names {
			n.outers[name] = true
		}
	}
	return true
}

func (n *names) inside(es ...pysyntax.Expr) {
	for _, e := range es {
		if e != nil {
			pysyntax.Walk(e, n.visit)
		}
	}
}

// walrusInside finds the := of a comprehension, which binds in the function around it.
func (n *names) walrusInside(c *pysyntax.Comp) {
	pysyntax.Walk(c, func(node pysyntax.Node) bool {
		switch w := node.(type) {
		case *pysyntax.Lambda:
			return false
		case *pysyntax.Walrus:
			n.bind(w.Target.ID)
		}
		return true
	})
}

func (n *names) targets(es ...pysyntax.Expr) {
	for _, e := range es {
		switch t := e.(type) {
		case *pysyntax.Name:
			n.bind(t.ID)
		case *pysyntax.Tuple:
			n.targets(t.Elts...)
		case *pysyntax.List:
			n.targets(t.Elts...)
		case *pysyntax.Starred:
			n.targets(t.Value)
		}
	}
}

func importedName(a pysyntax.Alias) string {
	if a.As != "" {
		return a.As
	}
	for i := range a.Name {
		if a.Name[i] == '.' {
			return a.Name[:i]
		}
	}
	return a.Name
}

func aliasName(a pysyntax.Alias) string {
	if a.As != "" {
		return a.As
	}
	return a.Name
}

// mentionedInside collects every name that functions nested in the nodes mention. It says more than
// needed (a nested function's own locals too), which costs a cell and nothing else.
func mentionedInside(visitAll func(visit func(pysyntax.Node) bool)) map[string]bool {
	out := map[string]bool{}
	all := func(n pysyntax.Node) bool {
		switch n := n.(type) {
		case *pysyntax.Name:
			out[n.ID] = true
		case *pysyntax.AugAssign:
			if t, ok := n.Target.(*pysyntax.Name); ok {
				out[t.ID] = true
			}
		case *pysyntax.Nonlocal:
			for _, name := range n.Names {
				out[name] = true
			}
		}
		return true
	}
	visitAll(func(n pysyntax.Node) bool {
		switch n := n.(type) {
		case *pysyntax.FunctionDef:
			pysyntax.Walk(n, all)
			return false
		case *pysyntax.Lambda:
			pysyntax.Walk(n, all)
			return false
		case *pysyntax.ClassDef:
			pysyntax.Walk(n, all)
			return false
		case *pysyntax.Comp:
			if n.Kind == pysyntax.Generator {
				pysyntax.Walk(n, all)
				return false
			}
		}
		return true
	})
	return out
}

// declare gives a name a slot in this scope.
func (s *scope) declare(name string) int {
	if i, ok := s.slots[name]; ok {
		return i
	}
	i := s.fn.n
	s.fn.n++
	s.slots[name] = i
	if s.shared[name] {
		s.fn.cells[i] = true
	}
	return i
}

// variable is where a name lives.
type variable struct {
	kind varKind
	slot int
}

type varKind uint8

const (
	varGlobal varKind = iota
	varSlot
	varCell // a slot that holds a cell
	varFree // a cell of a function around
	varClass
)

// lookup resolves a name.
func (s *scope) lookup(name string) variable {
	if s.kind == classScope {
		if s.globals[name] {
			return variable{}
		}
		if s.outer[name] {
			return s.free(name)
		}
		if _, ok := s.slots[name]; ok {
			return variable{kind: varClass}
		}
		return s.free(name)
	}
	for at := s; ; at = at.parent {
		if at.globals[name] {
			return variable{}
		}
		if i, ok := at.slots[name]; ok && at.kind != classScope && !at.outer[name] {
			if at.fn.cells[i] {
				return variable{varCell, i}
			}
			return variable{varSlot, i}
		}
		if at.kind == classScope {
			if _, ok := at.slots[name]; ok && s.kind == compScope && s.fn == at.fn {
				return variable{kind: varClass}
			}
		}
		if at == s.fn {
			return at.free(name)
		}
	}
}

// free looks for a name in the functions around, and passes its cell through those in between.
func (s *scope) free(name string) variable {
	for i, n := range s.fn.frees {
		if n == name {
			return variable{varFree, i}
		}
	}
	if s.fn.parent == nil {
		return variable{}
	}
	outer := s.fn.parent
	if !outer.binds(name) {
		return variable{}
	}
	s.fn.frees = append(s.fn.frees, name)
	return variable{varFree, len(s.fn.frees) - 1}
}

// binds tells whether a name is a local of this scope or a function around, not of a module or class.
func (s *scope) binds(name string) bool {
	for at := s; at != nil; at = at.parent {
		if at.kind == moduleScope {
			return false
		}
		if at.globals[name] {
			return false
		}
		if at.kind == classScope {
			continue
		}
		if _, ok := at.slots[name]; ok && !at.outer[name] {
			return true
		}
	}
	return false
}
