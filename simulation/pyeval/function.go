package pyeval

import (
	"fmt"
	"strings"
	"sync/atomic"

	"edict/simulation/pysyntax"
)

// code is a compiled function, module or class body.
type code struct {
	// What every call looks at comes first.
	pending    atomic.Pointer[pendingBody] // the fields from slots to frees, and doc, are not there yet
	params     []string                    // by slot: positional, *args, keyword-only, **kwargs
	args       int                         // positional
	at         pysyntax.Pos
	simple     bool // only positional parameters
	star       bool
	starStar   bool
	generator  bool
	slots      int
	body       exec
	cellParams []int // parameters that closures share
	cellLocals []int
	frees      []string

	posOnly int
	kwOnly  int
	name    string
	module  *Module
	doc     Value
}

// Function is a Python function.
type Function struct {
	code       *code
	name       string
	defaults   []Value // of the last positional parameters
	kwDefaults []Value // by keyword-only parameter; unbound where there is none
	frees      []*cell
	class      *classCell // the class body around it, for super()
	attrs      *attrs
	frozen     bool
}

// Type implements [Object].
func (*Function) Type() *Class { return FunctionType }

// Name returns the name of the function.
func (f *Function) Name() string { return f.name }

// Params returns the names of the positional parameters.
func (f *Function) Params() []string { return f.code.params[:f.code.args] }

// Where returns the file and line of the definition.
func (f *Function) Where() (file string, line int) { return f.code.module.File, int(f.code.at.Line) }

// Global returns what a name of the function's module, or a built-in one, stands for. It returns false for names whose value
// changes while the program runs. The program must be frozen.
func (f *Function) Global(name string) (Value, bool) {
	if g, ok := f.code.module.globals[name]; ok && !g.v.isUnbound() {
		return g.v, !g.lazy
	} else if v := f.code.module.starred(name); !ok && !v.isUnbound() {
		return v, true
	}
	v, ok := builtins[name]
	return v, ok
}

// Free returns what a name of the functions around this one stands for.
func (f *Function) Free(name string) (Value, bool) {
	if len(f.frees) == 0 {
		return Value{}, false
	}
	for i, n := range f.code.frees {
		if n == name && i < len(f.frees) && !f.frees[i].v.isUnbound() {
			return f.frees[i].v, true
		}
	}
	return Value{}, false
}

// Doc returns the docstring, or "".
func (f *Function) Doc() string {
	f.code.ready()
	s, _ := f.code.doc.AsString()
	return s
}

// Call implements [Callable].
func (f *Function) Call(th *Thread, args []Value, kws []Kw) Value {
	f.code.ready()
	floor := th.stack.at()
	slots := th.stack.window(f.code.slots)
	if f.code.simple && len(args) == f.code.args && len(kws) == 0 {
		copy(slots, args)
	} else {
		f.bindArgs(th, slots, args, kws)
	}
	v := f.run(th, slots)
	th.stack.back(floor)
	return v
}

// run executes the body with the parameters in their slots.
func (f *Function) run(th *Thread, slots []Value) Value {
	c := f.code
	for i := len(c.params); i < len(slots); i++ {
		slots[i].o = unbound.o // whatever else is there
	}
	if n := len(c.cellParams); n+len(c.cellLocals) > 0 {
		cells := make([]cell, n+len(c.cellLocals))
		for k, i := range c.cellParams {
			cells[k].v = slots[i]
			slots[i] = Value{o: &cells[k]}
		}
		for k, i := range c.cellLocals {
			cells[n+k].v = unbound
			slots[i] = Value{o: &cells[n+k]}
		}
	}
	if c.generator {
		th.Alloc(generatorBytes + ValueBytes*len(slots))
		return newGenerator(th, f, append([]Value(nil), slots...))
	}
	th.step()
	if th.depth >= th.limits.Depth {
		th.tooDeep()
	}
	th.depth++
	fr := th.newFrame()
	fr.code, fr.slots, fr.frees, fr.parent, fr.class = c, slots, f.frees, th.top, f.class
	fr.pos, fr.yield, fr.ns = c.at, nil, nil
	th.top = fr
	ctl := c.body(fr)
	th.top = fr.parent
	th.depth--
	if ctl == ctlReturn {
		return fr.ret
	}
	return None
}

// bindArgs puts arguments into the slots of the parameters, as Python does.
func (f *Function) bindArgs(th *Thread, slots []Value, args []Value, kws []Kw) {
	c := f.code
	for i := range c.params {
		slots[i] = unbound
	}
	n := copy(slots[:c.args], args)
	next := c.args
	if c.star {
		var rest []Value
		if len(args) > n {
			th.AllocMany(len(args)-n, ValueBytes)
			rest = append(rest, args[n:]...)
		}
		slots[next] = NewTuple(rest)
		next++
	} else if len(args) > n {
		f.tooMany(th, len(args))
	}
	f.bindKeywords(th, slots, next, kws)
	f.fillDefaults(th, slots, next)
}

func (f *Function) bindKeywords(th *Thread, slots []Value, kwOnly int, kws []Kw) {
	c := f.code
	var extra *Dict
	if c.starStar {
		extra = NewDict()
		slots[len(c.params)-1] = Obj(extra)
	}
	for _, kw := range kws {
		i := f.paramIndex(kw.Name, kwOnly)
		switch {
		case i < 0 && extra != nil:
			extra.Set(String(kw.Name), kw.Value)
		case i < 0:
			th.Raise(TypeError, "%s() got an unexpected keyword argument '%s'%s", f.name, kw.Name, hint(kw.Name, c.params))
		case !slots[i].isUnbound():
			th.Raise(TypeError, "%s() got multiple values for argument '%s'", f.name, kw.Name)
		default:
			slots[i] = kw.Value
		}
	}
}

func (f *Function) paramIndex(name string, kwOnly int) int {
	c := f.code
	for i := c.posOnly; i < c.args; i++ {
		if c.params[i] == name {
			return i
		}
	}
	for i := kwOnly; i < kwOnly+c.kwOnly; i++ {
		if c.params[i] == name {
			return i
		}
	}
	return -1
}

func (f *Function) fillDefaults(th *Thread, slots []Value, kwOnly int) {
	c := f.code
	first := c.args - len(f.defaults)
	var missing []string
	for i := range c.args {
		if !slots[i].isUnbound() {
			continue
		}
		if i < first {
			missing = append(missing, "'"+c.params[i]+"'")
			continue
		}
		slots[i] = f.defaults[i-first]
	}
	if len(missing) > 0 {
		th.Raise(TypeError, "%s() missing %s: %s", f.name, count(len(missing), "required positional argument"), english(missing))
	}
	for i := range c.kwOnly {
		if slots[kwOnly+i].isUnbound() {
			slots[kwOnly+i] = f.kwDefaults[i]
		}
		if slots[kwOnly+i].isUnbound() {
			th.Raise(TypeError, "%s() missing 1 required keyword-only argument: '%s'", f.name, c.params[kwOnly+i])
		}
	}
}

func (f *Function) tooMany(th *Thread, given int) {
	c := f.code
	takes := fmt.Sprint(c.args)
	if len(f.defaults) > 0 {
		takes = fmt.Sprintf("from %d to %d", c.args-len(f.defaults), c.args)
	}
	plural, were := "s", "were"
	if c.args == 1 && len(f.defaults) == 0 {
		plural = ""
	}
	if given == 1 {
		were = "was"
	}
	th.Raise(TypeError, "%s() takes %s positional argument%s but %d %s given", f.name, takes, plural, given, were)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func english(words []string) string {
	switch n := len(words); n {
	case 1:
		return words[0]
	case 2:
		return words[0] + " and " + words[1]
	default:
		return strings.Join(words[:n-1], ", ") + ", and " + words[n-1]
	}
}

// Attr implements [Attrer].
func (f *Function) Attr(_ *Thread, name string) (Value, bool) {
	if f.attrs != nil {
		if v, ok := f.attrs.get(name); ok {
			return v, true
		}
	}
	switch name {
	case "__name__", "__qualname__":
		return String(f.name), true
	case "__doc__":
		f.code.ready()
		return f.code.doc, true
	case "__module__":
		return String(f.code.module.Name), true
	case "__defaults__":
		return NewTuple(f.defaults), true
	case "__code__":
		return Obj(codeObject{f.code}), true
	case "__wrapped__", "__dict__":
		return Value{}, false
	}
	return Value{}, false
}

// SetAttr implements [AttrSetter].
func (f *Function) SetAttr(th *Thread, name string, v *Value) {
	th.mayChange(f.frozen, Obj(f))
	if f.attrs == nil {
		f.attrs = &attrs{}
	}
	f.attrs.change(th, Obj(f), name, v)
}

// Repr implements [Reprer].
func (f *Function) Repr(*Thread) string { return "<function " + f.name + ">" }

// codeObject is f.__code__, of which only the parameters and the place can be seen.
type codeObject struct{ code *code }

func (codeObject) Type() *Class { return FunctionType }

// Attr implements [Attrer].
func (c codeObject) Attr(_ *Thread, name string) (Value, bool) {
	switch name {
	case "co_argcount":
		return Int(int64(c.code.args)), true
	case "co_filename":
		return String(c.code.module.File), true
	case "co_firstlineno":
		return Int(int64(c.code.at.Line)), true
	case "co_name":
		return String(c.code.name), true
	case "co_varnames":
		return NewTuple(StringValues(c.code.params)), true
	}
	return Value{}, false
}

// GoFunc is a Python function written in Go. args and kws are valid until it returns.
type GoFunc func(th *Thread, args []Value, kws []Kw) Value

// Builtin is a function written in Go as an object.
type Builtin struct {
	name   string
	fn     GoFunc
	pure   bool   // declared so by [Pure]
	method bool   // takes self first when found in a class
	of     *Class // of a method: what self must be
}

// Func makes a function value of a Go function, of which nothing is known: a run that calls it may come out differently
// the next time ([Thread.Effects]), so no host remembers it.
func Func(name string, fn GoFunc) Value { return Obj(&Builtin{name: name, fn: fn}) }

// Pure is [Func] for a function that declares itself pure: it gives the same for the same arguments in every run of the
// program, and changes nothing but them. What it asks of the host, and does to it, is for the host to know; the effects of
// Python code that it calls are counted there.
func Pure(name string, fn GoFunc) Value { return Obj(&Builtin{name: name, fn: fn, pure: true}) }

// Type implements [Object].
func (*Builtin) Type() *Class { return builtinType }

// Pure tells whether the function declares itself pure.
func (b *Builtin) Pure() bool { return b.pure }

// Call implements [Callable].
func (b *Builtin) Call(th *Thread, args []Value, kws []Kw) Value {
	if b.method && (len(args) == 0 || !typeOf(args[0]).IsSub(b.of)) {
		th.Raise(TypeError, "method '%s' of '%s' objects needs one to work on", b.name, b.of.Name)
	}
	if th.rows != nil {
		th.checkRows(b, args, kws)
	}
	if !b.pure {
		th.effects++
	}
	v := b.fn(th, args, kws)
	th.made(&v)
	return v
}

// Attr implements [Attrer].
func (b *Builtin) Attr(_ *Thread, name string) (Value, bool) {
	switch name {
	case "__name__", "__qualname__":
		return String(b.name), true
	case "__doc__":
		return None, true
	}
	return Value{}, false
}

// Repr implements [Reprer].
func (b *Builtin) Repr(*Thread) string { return "<built-in function " + b.name + ">" }

// Method is a function bound to its first argument.
type Method struct{ Self, Func Value }

// Type implements [Object].
func (*Method) Type() *Class { return methodType }

// Call implements [Callable].
func (m *Method) Call(th *Thread, args []Value, kws []Kw) Value {
	floor := th.stack.at()
	w := th.stack.window(len(args) + 1)
	w[0] = m.Self
	copy(w[1:], args)
	v := th.InvokeKw(m.Func, w, kws)
	th.stack.back(floor)
	return v
}

// Attr implements [Attrer].
func (m *Method) Attr(th *Thread, name string) (Value, bool) {
	switch name {
	case "__self__":
		return m.Self, true
	case "__func__":
		return m.Func, true
	}
	a, ok := m.Func.o.(Attrer)
	if !ok {
		return Value{}, false
	}
	th.Nest(1)
	v, ok := a.Attr(th, name)
	th.Nest(-1)
	return v, ok
}

// bind is what reading a class attribute through an instance gives.
func bind(v, self Value) Value {
	switch f := v.o.(type) {
	case *Function:
		return Obj(&Method{self, v})
	case *Builtin:
		if f.method {
			return Obj(&Method{self, v})
		}
	case *staticMethod:
		return f.fn
	case *classMethod:
		return Obj(&Method{Obj(typeOf(self)), f.fn})
	}
	return v
}

// InvokeKw calls anything callable. Exceptions pass through the host code that calls it as panics.
func (th *Thread) InvokeKw(fn Value, args []Value, kws []Kw) Value {
	switch f := fn.o.(type) {
	case *Function: // it counts itself
		return Callable(f).Call(th, args, kws)
	case *Builtin:
		th.Nest(1)
		v := f.Call(th, args, kws)
		th.Nest(-1)
		return v
	case Callable:
		th.Nest(1)
		v := f.Call(th, args, kws)
		th.Nest(-1)
		return v
	}
	th.Raise(TypeError, "'%s' object is not callable", TypeName(fn))
	return Value{}
}
