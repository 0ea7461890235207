package pyeval

import "edict/simulation/pysyntax"

// Most functions of a large package are never called in a run. A tree that was compiled as a whole before, and comes back
// from a cache, keeps the bodies of its functions packed ([pysyntax.FunctionDef.Late]); each is compiled at its first call.
// Nothing can be seen of it: such a body has compiled before, it declares no names global, and it stands in a module or
// in classes, so it shares no variables with anything around it.

// pendingBody is what the compiler needs to know of a function that was not called yet.
type pendingBody struct {
	prog  *Program
	def   *pysyntax.FunctionDef // nil for one that an image holds: its place tells which it is
	class string                // around it, for private names
}

// outermost tells that no function is around.
func (c *compiler) outermost() bool {
	for s := c.scope; s != nil; s = s.parent {
		if s.kind != moduleScope && s.kind != classScope {
			return false
		}
	}
	return true
}

func (c *compiler) lateFunction(n *pysyntax.FunctionDef) eval {
	defaults, kwDefaults := c.defaults(n.Params)
	k := &code{name: n.Name, module: c.module, doc: None, at: n.Pos}
	k.setParams(n.Params)
	k.pending.Store(&pendingBody{c.prog, n, c.scope.class})
	return c.closure(k, defaults, kwDefaults, c.captures(nil))
}

// ready compiles the body if nobody did.
func (k *code) ready() {
	if p := k.pending.Load(); p != nil {
		k.compileNow(p)
	}
}

func (k *code) compileNow(p *pendingBody) {
	p.prog.compiling.Lock()
	defer p.prog.compiling.Unlock()
	if k.pending.Load() == nil {
		return
	}
	if p.def == nil {
		k.compileAgain(p.prog)
	} else {
		k.compileLate(p)
	}
	k.pending.Store(nil)
}

func (k *code) compileLate(p *pendingBody) {
	around := &scope{kind: moduleScope, class: p.class}
	around.fn = around
	c := &compiler{prog: p.prog, module: k.module, scope: around}
	body := p.def.Statements()
	s := c.newFunctionScope(p.def.Params, body, nil)
	k.compile(&compiler{prog: p.prog, module: k.module, scope: s}, func(sub *compiler) exec { return sub.block(body) }, body)
}

// slot returns the slot of a global. A module that is frozen gets no new names, so a name that it does not have stays
// unbound: its slot is nobody else's, and the module, which other threads read, is not touched.
func (c *compiler) slot(name string) *global {
	if g, ok := c.module.globals[name]; ok || !c.module.frozen {
		if ok {
			return g
		}
		return c.module.slot(name)
	}
	return &global{module: c.module, name: name, v: c.module.starred(name)}
}
