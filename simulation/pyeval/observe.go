package pyeval

import "edict/simulation/pysyntax"

// Observed makes a function that does what f does and tells see what every expression of its body gives, as it is
// evaluated: def is the tree of f's definition. The functions that it calls and those inside it are not observed. It fails
// for a function that shares variables with one around it.
func (th *Thread) Observed(f *Function, def *pysyntax.FunctionDef, see func(e pysyntax.Expr, v Value)) (*Function, error) {
	f.code.ready()
	var out *Function
	_, err := th.Try(func() Value {
		if len(f.frees) > 0 || f.code.generator {
			th.Raise(ValueError, "%s shares variables with the function around it, or is a generator", f.name)
		}
		out = th.observed(f, def, see)
		return None
	})
	return out, err
}

func (th *Thread) observed(f *Function, def *pysyntax.FunctionDef, see func(e pysyntax.Expr, v Value)) *Function {
	th.prog.compiling.Lock()
	defer th.prog.compiling.Unlock()
	around := &scope{kind: moduleScope}
	around.fn = around
	c := &compiler{prog: th.prog, module: f.code.module, scope: around}
	body := def.Statements()
	k := &code{name: f.name, module: f.code.module, doc: None, at: def.Pos}
	k.setParams(def.Params)
	s := c.newFunctionScope(def.Params, body, nil)
	k.compile(&compiler{prog: th.prog, module: f.code.module, scope: s, see: see}, func(sub *compiler) exec { return sub.block(body) }, body)
	return &Function{code: k, name: f.name, defaults: f.defaults, kwDefaults: f.kwDefaults, class: f.class}
}

// observed tells what an expression gives. Its storage is seen, so that no operator may write over it.
func (c *compiler) observed(e pysyntax.Expr, value eval) eval {
	see := c.see
	return func(fr *Frame) Value {
		v := value(fr)
		see(e, v)
		fr.th.fresh = false
		return v
	}
}
