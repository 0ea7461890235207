package pysyntax

import "encoding/binary"

// stmt is the one switch over statements.
//
//nolint:funlen // one switch over all kinds of statement
func (p *packer) stmt(s Stmt) {
	switch n := s.(type) {
	case *ExprStmt:
		p.node(packedExprStmt, n.Pos)
		p.expr(n.Value)
	case *Assign:
		p.node(packedAssign, n.Pos)
		p.exprs(n.Targets)
		p.expr(n.Value)
	case *AugAssign:
		p.node(packedAugAssign, n.Pos)
		p.expr(n.Target)
		p.byte(byte(n.Op))
		p.expr(n.Value)
	case *AnnAssign:
		p.node(packedAnnAssign, n.Pos)
		p.expr(n.Target)
		p.expr(n.Annotation)
		p.expr(n.Value)
		p.flag(n.Simple)
	case *Return:
		p.node(packedReturn, n.Pos)
		p.expr(n.Value)
	case *Raise:
		p.node(packedRaise, n.Pos)
		p.expr(n.Exc)
		p.expr(n.Cause)
	case *Pass:
		p.node(packedPass, n.Pos)
	case *Break:
		p.node(packedBreak, n.Pos)
	case *Continue:
		p.node(packedContinue, n.Pos)
	case *Import:
		p.node(packedImport, n.Pos)
		p.aliases(n.Names)
	case *ImportFrom:
		p.node(packedImportFrom, n.Pos)
		p.text(n.Module)
		p.aliases(n.Names)
		p.count(n.Level)
	case *Global:
		p.globals = true
		p.node(packedGlobal, n.Pos)
		p.names(n.Names)
	case *Nonlocal:
		p.node(packedNonlocal, n.Pos)
		p.names(n.Names)
	case *Delete:
		p.node(packedDelete, n.Pos)
		p.exprs(n.Targets)
	case *Assert:
		p.node(packedAssert, n.Pos)
		p.expr(n.Test)
		p.expr(n.Msg)
	case *If:
		p.node(packedIf, n.Pos)
		p.expr(n.Test)
		p.stmts(n.Body)
		p.stmts(n.Else)
	case *While:
		p.node(packedWhile, n.Pos)
		p.expr(n.Test)
		p.stmts(n.Body)
		p.stmts(n.Else)
	case *For:
		p.node(packedFor, n.Pos)
		p.expr(n.Target)
		p.expr(n.Iter)
		p.stmts(n.Body)
		p.stmts(n.Else)
	case *Try:
		p.try(n)
	case *With:
		p.node(packedWith, n.Pos)
		p.count(len(n.Items))
		for _, it := range n.Items {
			p.expr(it.Context)
			p.expr(it.Target)
		}
		p.stmts(n.Body)
	case *FunctionDef:
		p.function(n)
	case *ClassDef:
		p.class(n)
	}
}

func (p *packer) aliases(list []Alias) {
	p.count(len(list))
	for _, a := range list {
		p.pos(a.Pos)
		p.text(a.Name)
		p.text(a.As)
	}
}

func (p *packer) try(n *Try) {
	p.node(packedTry, n.Pos)
	p.stmts(n.Body)
	if n.Handlers == nil {
		p.count(0)
	} else {
		p.count(len(n.Handlers) + 1)
	}
	for _, h := range n.Handlers {
		p.pos(h.Pos)
		p.expr(h.Type)
		p.text(h.Name)
		p.stmts(h.Body)
	}
	p.stmts(n.Else)
	p.stmts(n.Finally)
}

// function puts the length of its body before it. A function that declares names global, or puts elements into what a
// name of its module holds, cannot wait: the names belong to the module from the start.
func (p *packer) function(n *FunctionDef) {
	p.node(packedFunction, n.Pos)
	p.text(n.Name)
	p.params(n.Params)
	p.exprs(n.Decorators)
	p.expr(n.Returns)
	if p.inside == 0 {
		p.globals = changesOutside(n)
	}
	p.inside++
	length := len(p.out)
	p.out = append(p.out, 0, 0, 0, 0, 0)
	p.stmts(n.Statements())
	p.inside--
	binary.LittleEndian.PutUint32(p.out[length:], uint32(len(p.out)-length-5))
	if p.inside == 0 && !p.globals {
		p.out[length+4] = 1
	}
}

// changesOutside tells that a function may put elements into something that it has not assigned itself.
func changesOutside(n *FunctionDef) bool {
	own, changed := map[string]bool{}, map[string]bool{}
	for _, a := range n.Params.Args {
		own[a.Name] = true
	}
	note := func(targets ...Expr) {
		for _, t := range targets {
			into := own
			for s, ok := t.(*Subscript); ok; s, ok = t.(*Subscript) {
				into, t = changed, s.Value
			}
			if name, ok := t.(*Name); ok {
				into[name.ID] = true
			}
		}
	}
	WalkAll(n.Statements(), func(node Node) bool {
		switch s := node.(type) {
		case *Assign:
			note(s.Targets...)
		case *AugAssign:
			note(s.Target)
		case *AnnAssign:
			note(s.Target)
		case *For:
			note(s.Target)
		case *Tuple:
			note(s.Elts...)
		}
		return true
	})
	for name := range changed {
		if !own[name] {
			return true
		}
	}
	return false
}

func (p *packer) class(n *ClassDef) {
	p.node(packedClass, n.Pos)
	p.text(n.Name)
	p.exprs(n.Bases)
	p.keywords(n.Keywords)
	p.exprs(n.Decorators)
	p.stmts(n.Body)
}
