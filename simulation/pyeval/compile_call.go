package pyeval

// This file compiles calls. Those with a literal first argument, and those whose result is asked for a chain of attributes, get a
// [Site], on which the host keeps what it has looked up.

import (
	"slices"
	"sync/atomic"

	"edict/simulation/pysyntax"
)

// call compiles f(args): the common forms without building argument lists.
func (c *compiler) call(n *pysyntax.Call) eval {
	if special := c.superCall(n); special != nil {
		return special
	}
	plain := len(n.Keywords) == 0
	for _, a := range n.Args {
		if _, ok := a.(*pysyntax.Starred); ok {
			plain = false
		}
	}
	if !plain && !simpleKeywords(n) {
		return c.callSpread(n)
	}
	if attr, ok := n.Func.(*pysyntax.Attribute); ok {
		return c.callMethod(n, attr)
	}
	return c.callPlain(n)
}

// simpleKeywords says that there is no * or ** among the arguments.
func simpleKeywords(n *pysyntax.Call) bool {
	for _, a := range n.Args {
		if _, ok := a.(*pysyntax.Starred); ok {
			return false
		}
	}
	for _, k := range n.Keywords {
		if k.Name == "" {
			return false
		}
	}
	return true
}

// siteOf gives a call a site if its first argument is a literal str.
func (c *compiler) siteOf(n *pysyntax.Call) *Site {
	if len(n.Args) == 0 {
		return nil
	}
	k, ok := n.Args[0].(*pysyntax.Constant)
	if !ok {
		return nil
	}
	s, ok := k.Value.(string)
	if !ok {
		return nil
	}
	return &Site{Name: s}
}

func (c *compiler) callPlain(n *pysyntax.Call) eval {
	ordinary := c.callAny(n)
	if of, on, ok := c.askedOn(n); ok {
		return askOn(c.siteOf(n), of, on, n.Pos, ordinary)
	}
	return ordinary
}

// askedOn recognises person("x", period) and its like, the call that formulas are made of, and gives the slots of the two
// local variables.
func (c *compiler) askedOn(n *pysyntax.Call) (of, on int, ok bool) {
	if c.see != nil || len(n.Args) != 2 || len(n.Keywords) > 0 || c.siteOf(n) == nil {
		return 0, 0, false
	}
	fn, arg := c.operand(n.Func), c.operand(n.Args[1])
	return int(fn.slot), int(arg.slot), fn.slot >= 0 && arg.slot > 0
}

// askOn calls a host at its site with the frame's own slots for arguments: the second of them is the variable, and the
// first, in whose place the literal is at the site, is whatever lies before it.
func askOn(site *Site, of, on int, at pysyntax.Pos, ordinary eval) eval {
	return func(fr *Frame) Value {
		host, ok := fr.slots[of].o.(SiteCaller)
		if !ok || fr.slots[on].isUnbound() {
			return ordinary(fr)
		}
		fr.pos = at
		return host.CallSite(fr.th, site, fr.slots[on-1:on+1:on+1], nil)
	}
}

func (c *compiler) callAny(n *pysyntax.Call) eval {
	fn, args, site, at := c.operand(n.Func), c.operands(n.Args), c.siteOf(n), n.Pos
	keywords := c.keywords(n)
	count := len(args)
	return func(fr *Frame) Value {
		th := fr.th
		f := fn.callee(fr)
		floor := th.stack.at()
		if py, ok := f.(*Function); ok && py.code.simple && py.code.args == count && len(keywords) == 0 {
			py.code.ready()
			w := th.stack.window(py.code.slots)
			for i := range args {
				args[i].into(fr, &w[i])
			}
			fr.pos = at
			v := py.run(th, w)
			th.stack.back(floor)
			return v
		}
		w := th.stack.window(count)
		caller, first := siteCaller(f, site)
		for i := first; i < count; i++ {
			args[i].into(fr, &w[i])
		}
		kws := fr.pushKeywords(keywords, caller != nil)
		fr.pos = at
		var v Value
		if caller != nil {
			v = caller.CallSite(th, site, w, kws)
		} else {
			v = th.InvokeKw(Value{o: f}, w, kws)
		}
		th.stack.kws = th.stack.kws[:len(th.stack.kws)-len(kws)]
		th.stack.back(floor)
		return v
	}
}

// keyword is one compiled keyword argument.
type keyword struct {
	name  string
	value operand
	list  *lentList // nil if it is no list
}

func (c *compiler) keywords(n *pysyntax.Call) []keyword {
	out := make([]keyword, len(n.Keywords))
	for i, k := range n.Keywords {
		out[i] = keyword{k.Name, c.operand(k.Value), c.lentList(k.Value)}
	}
	return out
}

// pushKeywords evaluates keyword arguments onto the stack; the caller takes them off after the call. A host that is called
// at a site is lent lists.
func (fr *Frame) pushKeywords(ks []keyword, lend bool) []Kw {
	if len(ks) == 0 {
		return nil
	}
	s := &fr.th.stack
	from := len(s.kws)
	for i := range ks {
		k := Kw{Name: ks[i].name}
		if lend && ks[i].list != nil {
			k.Value.o = ks[i].list.get(fr)
		} else {
			ks[i].value.into(fr, &k.Value)
		}
		s.kws = append(s.kws, k)
	}
	return s.kws[from:len(s.kws):len(s.kws)]
}

// lentList is a list of names and literals, such as [ADD], that is made once and not for each call, as long as they stand
// for the same.
type lentList struct {
	items []eval
	last  atomic.Pointer[List]
}

// lentList compiles such a list; nil if the expression is something else.
func (c *compiler) lentList(e pysyntax.Expr) *lentList {
	n, ok := e.(*pysyntax.List)
	if !ok || c.see != nil {
		return nil
	}
	for _, item := range n.Elts {
		switch item.(type) {
		case *pysyntax.Name, *pysyntax.Constant:
		default:
			return nil
		}
	}
	return &lentList{items: c.exprList(n.Elts)}
}

func (l *lentList) get(fr *Frame) *List {
	if last := l.last.Load(); last != nil && l.same(fr, last.items) {
		return last
	}
	made := &List{items: evalAll(fr, l.items), frozen: true}
	l.last.Store(made)
	return made
}

func (l *lentList) same(fr *Frame, items []Value) bool {
	for i, item := range l.items {
		text, ok := item(fr).o.(Str)
		if known, _ := items[i].o.(Str); !ok || known != text {
			return false
		}
	}
	return true
}

// siteCaller is what a call goes to if it has a site and that is wanted, else nil, and the first argument to be evaluated: the
// literal is at the site.
func siteCaller(f Object, site *Site) (SiteCaller, int) {
	if site == nil {
		return nil, 0
	}
	if s, ok := f.(SiteCaller); ok {
		return s, 1
	}
	return nil, 0
}

// callAt calls anything, through its site if there is one and it is wanted.
func (th *Thread) callAt(f Object, site *Site, args []Value, kws []Kw) Value {
	if site != nil {
		if s, ok := f.(SiteCaller); ok {
			return s.CallSite(th, site, args, kws)
		}
	}
	return th.InvokeKw(Value{o: f}, args, kws)
}

// callMethod compiles o.name(args) without making a bound method.
func (c *compiler) callMethod(n *pysyntax.Call, attr *pysyntax.Attribute) eval {
	obj, args, site, at := c.operand(attr.Value), c.operands(n.Args), c.siteOf(n), n.Pos
	if fillers[attr.Attr] {
		obj = operand{slot: -1, eval: c.memo(attr.Value)}
	}
	keywords := c.keywords(n)
	name := mangle(c.scope.class, attr.Attr)
	read := newAttrRead(name)
	count := len(args)
	return func(fr *Frame) Value {
		th := fr.th
		var self Value
		obj.into(fr, &self)
		fr.pos = at
		var method MethodFunc
		f, own := read.builtin(self.o)
		if !own {
			if m, ok := self.o.(Methoder); ok {
				method = m.Method(name)
			}
			if method == nil {
				f, own = read.method(th, self)
			}
		}
		var caller SiteCaller
		first := 0
		if method == nil && !own {
			caller, first = siteCaller(f.o, site)
		}
		floor := th.stack.at()
		w := th.stack.window(count + 1)
		w[0] = self
		for i := first; i < count; i++ {
			args[i].into(fr, &w[i+1])
		}
		kws := fr.pushKeywords(keywords, caller != nil)
		fr.pos = at
		var v Value
		switch {
		case caller != nil:
			v = caller.CallSite(th, site, w[1:], kws)
		case method != nil:
			v = method(th, self.o, w[1:], kws)
		case own:
			v = th.InvokeKw(f, w, kws)
		default:
			v = th.InvokeKw(f, w[1:], kws)
		}
		th.stack.kws = th.stack.kws[:len(th.stack.kws)-len(kws)]
		th.stack.back(floor)
		return v
	}
}

// callSpread compiles calls with *args or **kwargs.
func (c *compiler) callSpread(n *pysyntax.Call) eval {
	fn, items, at := c.expr(n.Func), c.items(n.Args), n.Pos
	values := make([]eval, len(n.Keywords))
	for i, k := range n.Keywords {
		values[i] = c.expr(k.Value)
	}
	keywords := n.Keywords
	return func(fr *Frame) Value {
		f := fn(fr)
		args := items(fr)
		var kws []Kw
		for i, k := range keywords {
			v := values[i](fr)
			if k.Name != "" {
				kws = append(kws, Kw{k.Name, v})
				continue
			}
			fr.th.toDict(v).each(func(key, x Value) { kws = append(kws, Kw{fr.th.MustString(key, "keywords"), x}) })
		}
		fr.pos = at
		return fr.th.InvokeKw(f, args, kws)
	}
}

// superCall compiles super() without arguments, which needs the frame.
func (c *compiler) superCall(n *pysyntax.Call) eval {
	name, ok := n.Func.(*pysyntax.Name)
	if !ok || name.ID != "super" || len(n.Args)+len(n.Keywords) > 0 {
		return nil
	}
	at := n.Pos
	return func(fr *Frame) Value {
		fr.pos = at
		if fr.class == nil || fr.class.class == nil || len(fr.code.params) == 0 {
			fr.th.Raise(RuntimeError, "super(): no arguments")
		}
		self := fr.slots[0]
		if cl, ok := self.o.(*cell); ok {
			self = cl.v
		}
		return fr.th.super(fr.class.class, self)
	}
}

func (th *Thread) super(after *Class, self Value) Value {
	class := typeOf(self)
	if c, ok := self.o.(*Class); ok {
		class = c
	}
	if !class.IsSub(after) {
		th.Raise(TypeError, "super(type, obj): obj must be an instance or subtype of type")
	}
	return Obj(&superObject{after: after, class: class, self: self})
}

// chain takes a.b.c apart: the names b and c, and a.
func (c *compiler) chain(e pysyntax.Expr) (names []string, base pysyntax.Expr) {
	for {
		a, ok := e.(*pysyntax.Attribute)
		if !ok {
			slices.Reverse(names)
			return names, e
		}
		names = append(names, mangle(c.scope.class, a.Attr))
		e = a.Value
	}
}

// attribute compiles a.b.c as one step where the host wants it so.
func (c *compiler) attribute(n *pysyntax.Attribute) eval {
	chain, base := c.chain(n)
	site := &Site{Path: chain}
	if call, ok := base.(*pysyntax.Call); ok && len(call.Keywords) == 0 && simpleKeywords(call) {
		if _, method := call.Func.(*pysyntax.Attribute); !method && c.superCall(call) == nil {
			return c.callPath(call, site)
		}
	}
	obj, at := c.operand(base), n.Pos
	reads := newAttrReads(chain)
	if len(reads) == 1 {
		read := reads[0]
		return func(fr *Frame) Value {
			var room Value
			v := obj.at(fr, &room)
			fr.pos = at
			if p, ok := v.o.(PathGetter); ok {
				if r, steps := p.GetPath(fr.th, site); steps > 0 {
					return r
				}
			}
			return read.get(fr.th, *v)
		}
	}
	return func(fr *Frame) Value {
		var v Value
		obj.into(fr, &v)
		fr.pos = at
		return followPath(fr.th, v, site, reads)
	}
}

func followPath(th *Thread, v Value, site *Site, reads []*attrRead) Value {
	done := 0
	if p, ok := v.o.(PathGetter); ok {
		r, steps := p.GetPath(th, site)
		if steps > 0 {
			v, done = r, steps
		}
	}
	for _, read := range reads[done:] {
		v = read.get(th, v)
	}
	return v
}

// callPath compiles f(args).a.b.c.
func (c *compiler) callPath(n *pysyntax.Call, site *Site) eval {
	fn, args, at := c.operand(n.Func), c.operands(n.Args), n.Pos
	callSite := c.siteOf(n)
	reads := newAttrReads(site.Path)
	return func(fr *Frame) Value {
		th := fr.th
		f := fn.callee(fr)
		floor := th.stack.at()
		w := th.stack.window(len(args))
		for i := range args {
			args[i].into(fr, &w[i])
		}
		fr.pos = at
		var v Value
		done := 0
		if p, ok := f.(PathCaller); ok {
			v, done = p.CallPath(th, site, w)
		}
		if done == 0 {
			v = th.callAt(f, callSite, w, nil)
		}
		th.stack.back(floor)
		fr.pos = at
		if done == 0 {
			return followPath(th, v, site, reads)
		}
		for _, read := range reads[done:] {
			v = read.get(th, v)
		}
		return v
	}
}
