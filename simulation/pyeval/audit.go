package pyeval

// This file defines the audit of a program: what can be said of its functions without running them. It finds what would fail, or
// do something else than in Python, the day somebody's household takes that branch.

import (
	"slices"
	"strings"

	"edict/simulation/pysyntax"
)

// Finding is something in the body of a function that fails, or does not do what it does in Python, when it is run.
type Finding struct {
	Line    int
	Message string
	Note    bool // it works, in another way than there

	fn codePlace // of the outermost function around
}

// Audit looks for names and attributes in the functions of modules that are not there, for tables of modules that
// formulas change, and for values of the host that they change in place. tree gives the source of a module, nil if it has none; none is kept. Whatever
// was only run while the modules were loaded is not looked at: it has shown that it works. Nothing is said of what
// cannot be known without running the code, nor of code whose exceptions are caught.
//
// The modules must be loaded and frozen. Modules that functions import are imported.
func (th *Thread) Audit(modules []*Module, tree func(*Module) (*pysyntax.Module, error)) ([][]Finding, error) {
	found := make([][]Finding, len(modules))
	calls := newCallGraph()
	for i, m := range modules {
		parsed, err := tree(m)
		if err != nil {
			return nil, err
		}
		if parsed != nil {
			a := &auditor{th: th, module: m, calls: calls}
			pysyntax.WalkAll(parsed.Body, a.visit)
			found[i] = a.found
		}
	}
	reached := calls.fromFormulas()
	for i := range found {
		found[i] = slices.DeleteFunc(found[i], func(f Finding) bool { return f.fn.module != nil && !reached[f.fn] })
	}
	return found, nil
}

// auditor looks at one module. It goes through the source in order, so that what a local name holds is what it was given
// last above.
type auditor struct {
	th     *Thread
	module *Module
	calls  *callGraph
	found  []Finding

	scopes  []*auditScope
	fn      *pysyntax.FunctionDef // the outermost function around, nil in the body of the module
	owner   string                // class around it
	guarded int                   // try statements around that catch what is missing
}

// auditScope is a function, a lambda or a comprehension with the names that it binds.
type auditScope struct {
	bound   map[string]bool
	globals map[string]bool
	known   map[string]Value     // names that hold what was imported
	arrays  map[string]arrayKind // names that hold arrays
	first   string               // parameter that a formula gets its population by, "" elsewhere
}

func (a *auditor) visit(node pysyntax.Node) bool {
	switch n := node.(type) {
	case *pysyntax.ClassDef:
		a.class(n)
	case *pysyntax.FunctionDef:
		a.function(n)
	case *pysyntax.Lambda:
		a.inside(paramNames(n.Params), "", func() { a.exprs(n.Body) })
		a.exprs(n.Params.Defaults...)
	case *pysyntax.Comp:
		a.comp(n)
	case *pysyntax.Try:
		a.try(n)
	case *pysyntax.If:
		return !isTypeChecking(n.Test)
	case *pysyntax.AnnAssign:
		a.assign(n.Value, n.Target)
	default:
		return len(a.scopes) == 0 || a.inFunction(node)
	}
	return false
}

// inFunction looks at what is run when a function is called.
func (a *auditor) inFunction(node pysyntax.Node) bool {
	switch n := node.(type) {
	case *pysyntax.Import:
		a.imports(n)
	case *pysyntax.ImportFrom:
		a.importFrom(n)
	case *pysyntax.Assign:
		a.assign(n.Value, n.Targets...)
	case *pysyntax.AugAssign:
		a.augmented(n)
	case *pysyntax.Delete:
		for _, t := range n.Targets {
			if s, ok := t.(*pysyntax.Subscript); ok {
				a.changedTable(s.Pos, s.Value, false)
			}
		}
	case *pysyntax.For:
		a.exprs(n.Iter)
		a.bind(n.Target)
		a.body(n.Body)
		a.body(n.Else)
	case *pysyntax.Name:
		a.name(n)
	case *pysyntax.Attribute:
		a.attribute(n)
	case *pysyntax.Call:
		a.call(n)
		return true
	default:
		return true
	}
	return false
}

func (a *auditor) exprs(es ...pysyntax.Expr) {
	for _, e := range es {
		if e != nil {
			pysyntax.Walk(e, a.visit)
		}
	}
}

func (a *auditor) body(body []pysyntax.Stmt) { pysyntax.WalkAll(body, a.visit) }

func (a *auditor) class(n *pysyntax.ClassDef) {
	a.exprs(n.Decorators...)
	a.exprs(n.Bases...)
	outer := a.owner
	if a.fn == nil {
		a.owner = n.Name
	}
	if len(a.scopes) == 0 {
		a.body(n.Body)
	} else {
		a.inside(bindings(n.Body).bound, "", func() { a.body(n.Body) })
	}
	a.owner = outer
}

func (a *auditor) function(n *pysyntax.FunctionDef) {
	a.exprs(n.Decorators...)
	a.exprs(n.Params.Defaults...)
	a.exprs(n.Params.KwDefaults...)
	outermost := a.fn == nil
	first := ""
	if outermost {
		a.fn = n
		if a.owner != "" && strings.HasPrefix(n.Name, "formula") && len(n.Params.Args) > 0 {
			first = n.Params.Args[0].Name
			a.calls.formulas = append(a.calls.formulas, a.place())
		}
	}
	body := n.Statements()
	names := bindings(body)
	a.inside(append(names.bound, paramNames(n.Params)...), first, func() {
		a.scopes[len(a.scopes)-1].globals = names.globals
		a.body(body)
	})
	if outermost {
		a.fn = nil
	}
}

// place is that of the outermost function around, the zero one in the body of the module.
func (a *auditor) place() codePlace {
	if a.fn == nil {
		return codePlace{}
	}
	return codePlace{a.module, int32(a.fn.Line)}
}

func paramNames(p *pysyntax.Params) []string {
	var names []string
	for _, arg := range slices.Concat(p.Args, p.KwOnly) {
		names = append(names, arg.Name)
	}
	for _, arg := range []*pysyntax.Param{p.Star, p.StarStar} {
		if arg != nil {
			names = append(names, arg.Name)
		}
	}
	return names
}

// inside looks at something with names of its own.
func (a *auditor) inside(names []string, first string, look func()) {
	s := &auditScope{bound: map[string]bool{}, known: map[string]Value{}, arrays: map[string]arrayKind{}, first: first}
	for _, name := range names {
		s.bound[name] = true
	}
	a.scopes = append(a.scopes, s)
	look()
	a.scopes = a.scopes[:len(a.scopes)-1]
}

// comp looks at a comprehension, which is run with what is around it unless it is a generator.
func (a *auditor) comp(n *pysyntax.Comp) {
	if len(a.scopes) == 0 {
		return
	}
	names := &names{seen: map[string]bool{}}
	for _, f := range n.For {
		names.targets(f.Target)
	}
	a.inside(names.bound, "", func() {
		for _, f := range n.For {
			a.exprs(f.Iter)
			a.exprs(f.Ifs...)
		}
		a.exprs(n.Elt, n.Value)
	})
}

// forgiving are the exceptions that catch something missing.
var forgiving = []string{"AttributeError", "BaseException", "Exception", "ImportError", "ModuleNotFoundError", "NameError", "NotImplementedError", "TypeError"}

func (a *auditor) try(n *pysyntax.Try) {
	caught := 0
	for _, h := range n.Handlers {
		if h.Type == nil || mentions(h.Type, forgiving...) {
			caught = 1
		}
	}
	a.guarded += caught
	a.body(n.Body)
	a.guarded -= caught
	for _, h := range n.Handlers {
		a.body(h.Body)
	}
	a.body(n.Else)
	a.body(n.Finally)
}

func isTypeChecking(test pysyntax.Expr) bool { return mentions(test, "TYPE_CHECKING") }

func mentions(e pysyntax.Expr, names ...string) bool {
	found := false
	pysyntax.Walk(e, func(n pysyntax.Node) bool {
		switch n := n.(type) {
		case *pysyntax.Name:
			found = found || slices.Contains(names, n.ID)
		case *pysyntax.Attribute:
			found = found || slices.Contains(names, n.Attr)
		}
		return true
	})
	return found
}

// tell notes a finding, once for each line.
func (a *auditor) tell(at pysyntax.Pos, f Finding) {
	f.Line = int(at.Line)
	if a.guarded == 0 && !slices.Contains(a.found, f) {
		a.found = append(a.found, f)
	}
}
