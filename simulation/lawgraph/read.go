package lawgraph

// A reader goes through the text of a formula as Python would, but takes every branch, goes through every loop whose
// elements are known, and follows the functions of the package that are called. Values are sets of alternatives; of columns,
// periods and numbers it knows nothing. So what it finds is what the formula may ask for, on some day and for somebody.

import (
	"maps"
	"slices"
	"strings"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// The bounds of reading one formula.
const (
	maxSteps = 400_000 // nodes of trees, elements of loops
	maxDepth = 16      // functions inside functions
	maxLoop  = 500     // elements of a loop that are taken one by one
)

// reader reads one formula.
type reader struct {
	sources  *Sources
	pkg      Package
	system   *legislation.System
	projects map[string]bool // attributes of populations that are populations

	text  text // of the formula
	facts *Facts
	uses  map[use]int // into the lists of facts
	left  int         // steps
	stack []*closure
}

// tooLong ends the reading of a formula that takes too many steps; [reader.read] recovers it.
type tooLong struct{}

func (r *reader) step(n int) {
	if r.left -= n; r.left < 0 {
		panic(tooLong{})
	}
}

// read fills the facts with what a formula asks for.
func (r *reader) read(fn *py.Function) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case tooLong:
			r.facts.Dynamic = append(r.facts.Dynamic, Dynamic{Reason: "the formula is too long to be followed to its end"})
		default:
			panic(p)
		}
	}()
	found := r.function(fn)
	c, ok := found[0].(*closure)
	if !ok {
		r.facts.Dynamic = append(r.facts.Dynamic, Dynamic{Reason: "the text of the formula is not there"})
		return
	}
	r.text = newText(c)
	r.call(c, []value{only(population{}), unknown, only(law{})}, nil, frame{}, pysyntax.Pos{})
}

// frame is a function that is being read.
type frame struct {
	of     *closure
	around *frame // whose names it sees
	env    map[string]value
	global map[string]bool
	result value
	yields *sequence
	site   pysyntax.Pos // of the call in the formula's text that led here; zero in the formula itself
}

// call reads a function with arguments.
func (r *reader) call(c *closure, args []value, named map[string]value, from frame, at pysyntax.Pos) value {
	r.step(1)
	again := 0
	for _, other := range r.stack {
		if other.line == c.line && other.file == c.file {
			again++
		}
	}
	if len(r.stack) >= maxDepth || again > 2 {
		return unknown
	}
	r.stack = append(r.stack, c)
	defer func() { r.stack = r.stack[:len(r.stack)-1] }()
	f := &frame{of: c, around: c.around, env: map[string]value{}, site: from.site}
	if f.site == (pysyntax.Pos{}) && len(r.stack) > 1 && !r.text.holds(c.file, c.line) {
		f.site = at
	}
	r.bindArgs(f, slices.Concat(c.first, args), named)
	if c.result != nil {
		return r.expr(f, c.result)
	}
	body := c.body
	if len(body) > 1 && Docstring(&pysyntax.FunctionDef{Body: body}) != "" {
		body = body[1:]
	}
	r.block(f, body)
	if f.yields != nil {
		return only(f.yields)
	}
	if len(f.result) == 0 {
		return unknown
	}
	return f.result
}

// bindArgs gives the parameters of a function their values.
func (r *reader) bindArgs(f *frame, args []value, named map[string]value) {
	p := f.of.params
	if p == nil {
		return
	}
	outside := &frame{of: f.of, around: f.around, env: map[string]value{}}
	for i, param := range p.Args {
		v, given := named[param.Name]
		switch without := len(p.Args) - len(p.Defaults); {
		case i < len(args):
			v = args[i]
		case given:
		case i >= without:
			v = r.expr(outside, p.Defaults[i-without])
		default:
			v = unknown
		}
		f.env[param.Name] = v
	}
	for i, param := range p.KwOnly {
		v, given := named[param.Name]
		if !given {
			v = unknown
			if p.KwDefaults[i] != nil {
				v = r.expr(outside, p.KwDefaults[i])
			}
		}
		f.env[param.Name] = v
	}
	if p.Star != nil {
		f.env[p.Star.Name] = only(&sequence{items: args[min(len(args), len(p.Args)):]})
	}
	if p.StarStar != nil {
		rest := &mapping{}
		for name, v := range named {
			rest.set(only(constant{v: name}), v)
		}
		f.env[p.StarStar.Name] = only(rest)
	}
}

// lookup is what a name stands for.
func (r *reader) lookup(f *frame, name string) value {
	for at := f; at != nil; at = at.around {
		if at.global[name] {
			break
		}
		if v, ok := at.env[name]; ok {
			return v
		}
	}
	if v, ok := f.of.module.Free(name); ok {
		return r.convert(v)
	}
	if v, ok := f.of.module.Global(name); ok {
		return r.convert(v)
	}
	return unknown
}

// block reads statements, and reports whether none of what follows them is reached.
func (r *reader) block(f *frame, body []pysyntax.Stmt) (ended bool) {
	for _, s := range body {
		if r.stmt(f, s) {
			return true
		}
	}
	return false
}

func (r *reader) stmt(f *frame, s pysyntax.Stmt) (ended bool) {
	r.step(1)
	switch s := s.(type) {
	case *pysyntax.ExprStmt:
		r.expr(f, s.Value)
	case *pysyntax.Assign:
		v := r.expr(f, s.Value)
		for _, target := range s.Targets {
			r.assign(f, target, v)
		}
	case *pysyntax.AugAssign:
		r.augment(f, s)
	case *pysyntax.AnnAssign:
		if s.Value != nil {
			r.assign(f, s.Target, r.expr(f, s.Value))
		}
	case *pysyntax.Return:
		if s.Value != nil {
			v := r.expr(f, s.Value)
			r.whole(f, v, s.Value)
			f.result = join(f.result, v)
		}
		return true
	case *pysyntax.Raise:
		return true
	case *pysyntax.Global:
		if f.global == nil {
			f.global = map[string]bool{}
		}
		for _, name := range s.Names {
			f.global[name] = true
		}
	case *pysyntax.Assert:
		r.expr(f, s.Test)
	case *pysyntax.FunctionDef:
		f.env[s.Name] = only(&closure{name: s.Name, params: s.Params, body: s.Body, file: f.of.file, line: s.Line, module: f.of.module, around: f})
	case *pysyntax.Import, *pysyntax.ImportFrom:
		r.imports(f, s)
	case *pysyntax.ClassDef:
		f.env[s.Name] = unknown
	default:
		return r.compound(f, s)
	}
	return false
}

// compound reads a statement with statements in it.
func (r *reader) compound(f *frame, s pysyntax.Stmt) (ended bool) {
	switch s := s.(type) {
	case *pysyntax.If:
		return r.choose(f, s)
	case *pysyntax.For:
		r.loop(f, s)
	case *pysyntax.While:
		// Twice, so that what the first time has left is seen by the second.
		for range 2 {
			r.branches(f, func() bool { r.expr(f, s.Test); return r.block(f, s.Body) }, nil)
		}
		r.block(f, s.Else)
	case *pysyntax.Try:
		ways := []func() bool{func() bool { return r.block(f, s.Body) || r.block(f, s.Else) }}
		for _, h := range s.Handlers {
			ways = append(ways, func() bool { return r.block(f, h.Body) })
		}
		ended = r.branches(f, ways...)
		return r.block(f, s.Finally) || ended
	case *pysyntax.With:
		for _, w := range s.Items {
			v := r.expr(f, w.Context)
			if w.Target != nil {
				r.assign(f, w.Target, v)
			}
		}
		return r.block(f, s.Body)
	}
	return false
}

// choose reads the branches of a condition, one alone where the condition is known.
func (r *reader) choose(f *frame, s *pysyntax.If) (ended bool) {
	switch test := r.expr(f, s.Test); truth(test) {
	case yes:
		return r.block(f, s.Body)
	case no:
		return r.block(f, s.Else)
	}
	return r.branches(f, func() bool { return r.block(f, s.Body) }, func() bool { return r.block(f, s.Else) })
}

// branches reads ways that exclude each other, each from the same beginning; nil does nothing.
func (r *reader) branches(f *frame, ways ...func() bool) (ended bool) {
	before := f.env
	var after map[string]value
	for _, way := range ways {
		f.env = maps.Clone(before)
		if way != nil && way() {
			continue
		}
		r.step(len(f.env) / 8)
		if after == nil {
			after = f.env
			continue
		}
		for name, v := range f.env {
			after[name] = join(after[name], v)
		}
	}
	if after == nil {
		f.env = before
		return true
	}
	f.env = after
	return false
}

func (r *reader) loop(f *frame, s *pysyntax.For) {
	over := r.expr(f, s.Iter)
	items := r.items(over)
	if len(items) > maxLoop {
		items = []value{joinAll(items)}
	}
	r.branches(f, func() bool {
		for range repeats(items) {
			for _, v := range items {
				r.assign(f, s.Target, v)
				r.block(f, s.Body)
			}
		}
		return false
	}, nil)
	r.block(f, s.Else)
}

// repeats is how often a loop is read: twice where its elements are not known one by one, so that what the first time has left is seen.
func repeats(items []value) int {
	if len(items) == 1 {
		return 2
	}
	return 1
}

// assign gives a target a value.
func (r *reader) assign(f *frame, target pysyntax.Expr, v value) {
	switch t := target.(type) {
	case *pysyntax.Name:
		f.env[t.ID] = v
	case *pysyntax.Tuple:
		r.unpack(f, t.Elts, v)
	case *pysyntax.List:
		r.unpack(f, t.Elts, v)
	case *pysyntax.Starred:
		r.assign(f, t.Value, only(&sequence{items: []value{v}}))
	case *pysyntax.Subscript:
		of, key := r.expr(f, t.Value), r.expr(f, t.Index)
		for _, a := range of {
			switch a := a.(type) {
			case *mapping:
				a.set(key, v)
			case *sequence:
				a.items = append(a.items, v)
			}
		}
	case *pysyntax.Attribute:
		r.expr(f, t.Value)
	}
}

// unpack gives the targets of a, b = v their elements.
func (r *reader) unpack(f *frame, targets []pysyntax.Expr, v value) {
	parts := make([]value, len(targets))
	for _, a := range v {
		s, ok := a.(*sequence)
		for i := range targets {
			switch {
			case ok && len(s.items) == len(targets):
				parts[i] = join(parts[i], s.items[i])
			case ok:
				parts[i] = join(parts[i], joinAll(s.items))
			default:
				parts[i] = join(parts[i], unknown)
			}
		}
	}
	for i, t := range targets {
		r.assign(f, t, parts[i])
	}
}

func (r *reader) augment(f *frame, s *pysyntax.AugAssign) {
	left, right := r.expr(f, s.Target), r.expr(f, s.Value)
	r.assign(f, s.Target, r.operate(f, s.Op, left, right, s.Pos))
}

// imports binds what a formula imports.
func (r *reader) imports(f *frame, s pysyntax.Stmt) {
	switch s := s.(type) {
	case *pysyntax.Import:
		for _, a := range s.Names {
			name, target := a.Name, a.As
			if target == "" {
				name, _, _ = strings.Cut(a.Name, ".")
				target = name
			}
			f.env[target] = r.module(name)
		}
	case *pysyntax.ImportFrom:
		from := r.module(s.Module)
		if s.Level > 0 {
			from = unknown
		}
		for _, a := range s.Names {
			target := a.As
			if target == "" {
				target = a.Name
			}
			v := r.attribute(f, from, a.Name, s)
			if m := r.module(s.Module + "." + a.Name); same(v[0], opaque{}) && s.Level == 0 {
				v = m
			}
			f.env[target] = v
		}
	}
}

func (r *reader) module(name string) value {
	if m := r.pkg.Module(name); m != nil {
		return only(native{m})
	}
	return unknown
}
