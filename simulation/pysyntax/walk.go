package pysyntax

// Walk calls visit for n and, where visit returns true, for the parts of n in the order of the source.
func Walk(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	w := walker{visit}
	switch n := n.(type) {
	case Expr:
		w.insideExpr(n)
	case Stmt:
		w.insideStmt(n)
	}
}

// WalkAll walks statements one after the other.
func WalkAll(body []Stmt, visit func(Node) bool) {
	for _, s := range body {
		Walk(s, visit)
	}
}

type walker struct{ visit func(Node) bool }

func (w walker) exprs(es ...Expr) {
	for _, e := range es {
		if e != nil {
			Walk(e, w.visit)
		}
	}
}

func (w walker) keywords(ks []Keyword) {
	for _, k := range ks {
		w.exprs(k.Value)
	}
}

func (w walker) params(p *Params) {
	for _, a := range p.Args {
		w.exprs(a.Annotation)
	}
	w.exprs(p.Defaults...)
	w.exprs(p.KwDefaults...)
}

func (w walker) insideExpr(e Expr) {
	switch n := e.(type) {
	case *Unary:
		w.exprs(n.Operand)
	case *Binary:
		w.exprs(n.Left, n.Right)
	case *Bool:
		w.exprs(n.Values...)
	case *Compare:
		w.exprs(n.Left)
		w.exprs(n.Rights...)
	case *Attribute:
		w.exprs(n.Value)
	case *Subscript:
		w.exprs(n.Value, n.Index)
	case *Slice:
		w.exprs(n.Lower, n.Upper, n.Step)
	case *Call:
		w.exprs(n.Func)
		w.exprs(n.Args...)
		w.keywords(n.Keywords)
	case *List:
		w.exprs(n.Elts...)
	case *Tuple:
		w.exprs(n.Elts...)
	case *Set:
		w.exprs(n.Elts...)
	case *Dict:
		for i, key := range n.Keys {
			w.exprs(key, n.Values[i])
		}
	case *Comp:
		w.exprs(n.Elt, n.Value)
		for _, f := range n.For {
			w.exprs(f.Target, f.Iter)
			w.exprs(f.Ifs...)
		}
	case *Lambda:
		w.params(n.Params)
		w.exprs(n.Body)
	case *Walrus:
		w.exprs(n.Target, n.Value)
	case *Starred:
		w.exprs(n.Value)
	case *Yield:
		w.exprs(n.Value)
	case *YieldFrom:
		w.exprs(n.Value)
	case *FString:
		w.exprs(n.Values...)
	case *Formatted:
		w.exprs(n.Value)
		if n.Spec != nil {
			w.exprs(n.Spec)
		}
	case *IfExp:
		w.exprs(n.Body, n.Test, n.Else)
	}
}

func (w walker) insideStmt(s Stmt) {
	switch n := s.(type) {
	case *ExprStmt:
		w.exprs(n.Value)
	case *Assign:
		w.exprs(n.Targets...)
		w.exprs(n.Value)
	case *AugAssign:
		w.exprs(n.Target, n.Value)
	case *AnnAssign:
		w.exprs(n.Target, n.Annotation, n.Value)
	case *Return:
		w.exprs(n.Value)
	case *Raise:
		w.exprs(n.Exc, n.Cause)
	case *Delete:
		w.exprs(n.Targets...)
	case *Assert:
		w.exprs(n.Test, n.Msg)
	case *If:
		w.exprs(n.Test)
		w.blocks(n.Body, n.Else)
	case *While:
		w.exprs(n.Test)
		w.blocks(n.Body, n.Else)
	case *For:
		w.exprs(n.Target, n.Iter)
		w.blocks(n.Body, n.Else)
	case *Try:
		w.blocks(n.Body)
		for _, h := range n.Handlers {
			w.exprs(h.Type)
			w.blocks(h.Body)
		}
		w.blocks(n.Else, n.Finally)
	case *With:
		for _, it := range n.Items {
			w.exprs(it.Context, it.Target)
		}
		w.blocks(n.Body)
	case *FunctionDef:
		w.exprs(n.Decorators...)
		w.params(n.Params)
		w.exprs(n.Returns)
		w.blocks(n.Statements())
	case *ClassDef:
		w.exprs(n.Decorators...)
		w.exprs(n.Bases...)
		w.keywords(n.Keywords)
		w.blocks(n.Body)
	}
}

func (w walker) blocks(bodies ...[]Stmt) {
	for _, body := range bodies {
		WalkAll(body, w.visit)
	}
}
