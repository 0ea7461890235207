package pysyntax

import (
	"fmt"

	"github.com/tamnd/gopapy/parser"
)

func (c *converter) stmts(in []parser.Stmt) []Stmt {
	if in == nil {
		return nil
	}
	out := make([]Stmt, len(in))
	for i, s := range in {
		out[i] = c.stmt(s)
	}
	return out
}

// stmt is the one switch over the library's statements.
func (c *converter) stmt(s parser.Stmt) Stmt {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > MaxDepth {
		panic(&Error{Pos: Pos{1, 1}, Message: fmt.Sprintf("statements nest more than %d levels deep", MaxDepth)})
	}
	switch n := s.(type) {
	case *parser.ExprStmt:
		return &ExprStmt{c.at(n.P), c.expr(n.Value)}
	case *parser.Assign:
		return &Assign{c.at(n.P), c.targets(n.Targets), c.expr(n.Value)}
	case *parser.AugAssign:
		return &AugAssign{c.at(n.P), c.single(n.P, n.Target), c.binary(n.P, n.Op), c.expr(n.Value)}
	case *parser.AnnAssign:
		return c.annotated(n)
	case *parser.Return:
		return &Return{c.at(n.P), c.opt(n.Value)}
	case *parser.Raise:
		return &Raise{c.at(n.P), c.opt(n.Exc), c.opt(n.Cause)}
	case *parser.Pass:
		return &Pass{c.at(n.P)}
	case *parser.Break:
		return &Break{c.at(n.P)}
	case *parser.Continue:
		return &Continue{c.at(n.P)}
	case *parser.Import:
		return &Import{c.at(n.P), c.aliases(n.Names)}
	case *parser.ImportFrom:
		return &ImportFrom{c.at(n.P), c.ident(n.Module), c.aliases(n.Names), n.Level}
	case *parser.Global:
		return &Global{c.at(n.P), c.identifiers(n.Names)}
	case *parser.Nonlocal:
		return &Nonlocal{c.at(n.P), c.identifiers(n.Names)}
	case *parser.Delete:
		return &Delete{c.at(n.P), c.targets(n.Targets)}
	case *parser.Assert:
		return &Assert{c.at(n.P), c.expr(n.Test), c.opt(n.Msg)}
	case *parser.If:
		return &If{c.at(n.P), c.expr(n.Test), c.stmts(n.Body), c.stmts(n.Orelse)}
	case *parser.While:
		return &While{c.at(n.P), c.expr(n.Test), c.stmts(n.Body), c.stmts(n.Orelse)}
	case *parser.For:
		return &For{c.at(n.P), c.target(n.Target), c.expr(n.Iter), c.stmts(n.Body), c.stmts(n.Orelse)}
	case *parser.Try:
		return &Try{c.at(n.P), c.stmts(n.Body), c.handlers(n.Handlers), c.stmts(n.Orelse), c.stmts(n.Finalbody)}
	case *parser.With:
		return &With{c.at(n.P), c.withItems(n.Items), c.stmts(n.Body)}
	case *parser.FunctionDef:
		c.typeParams(n.P, n.TypeParams)
		return &FunctionDef{c.at(n.P), c.exprs(n.DecoratorList), c.ident(n.Name), c.params(n.P, n.Args), c.opt(n.Returns), c.stmts(n.Body), nil}
	case *parser.ClassDef:
		c.typeParams(n.P, n.TypeParams)
		return &ClassDef{c.at(n.P), c.exprs(n.DecoratorList), c.ident(n.Name), c.items(n.Bases), c.keywords(n.Keywords), c.stmts(n.Body)}
	}
	c.refuseStmt(s)
	return nil
}

// annotated knows from the positions that the target stood in parentheses, which the library forgets.
func (c *converter) annotated(n *parser.AnnAssign) Stmt {
	target := c.single(n.P, n.Target)
	simple := n.Simple && target.Position() == c.at(n.P)
	return &AnnAssign{c.at(n.P), target, c.expr(n.Annotation), c.opt(n.Value), simple}
}

func (c *converter) refuseStmt(s parser.Stmt) {
	switch n := s.(type) {
	case *parser.AsyncFor:
		c.refuse(n.P, "async for")
	case *parser.AsyncWith:
		c.refuse(n.P, "async with")
	case *parser.AsyncFunctionDef:
		c.refuse(n.P, "async def")
	case *parser.Match:
		c.refuse(n.P, "match")
	case *parser.TryStar:
		c.refuse(n.P, "except*")
	case *parser.TypeAlias:
		c.refuse(n.P, "the type statement")
	}
	panic(&Error{Pos: Pos{1, 1}, Message: fmt.Sprintf("unknown statement %T", s)})
}

func (c *converter) typeParams(p parser.Pos, params []parser.TypeParam) {
	if len(params) > 0 {
		c.refuse(p, "a type parameter list")
	}
}

func (c *converter) targets(in []parser.Expr) []Expr {
	out := make([]Expr, len(in))
	for i, e := range in {
		out[i] = c.target(e)
	}
	return out
}

// target converts what may be assigned to or deleted.
func (c *converter) target(e parser.Expr) Expr {
	out := c.expr(e)
	c.assignable(out)
	return out
}

// single is the target of += or of an annotation: one place, not a tuple.
func (c *converter) single(p parser.Pos, e parser.Expr) Expr {
	out := c.expr(e)
	switch out.(type) {
	case *Name, *Attribute, *Subscript:
		return out
	}
	c.fail(p, "only a name, attribute or subscript can be assigned to here")
	return nil
}

func (c *converter) assignable(e Expr) {
	switch n := e.(type) {
	case *Name, *Attribute, *Subscript:
	case *Starred:
		c.assignable(n.Value)
	case *Tuple:
		for _, x := range n.Elts {
			c.assignable(x)
		}
	case *List:
		for _, x := range n.Elts {
			c.assignable(x)
		}
	default:
		panic(&Error{Pos: e.Position(), Message: "cannot assign to this expression"})
	}
}

func (c *converter) aliases(in []*parser.Alias) []Alias {
	out := make([]Alias, len(in))
	for i, a := range in {
		out[i] = Alias{c.at(a.P), c.ident(a.Name), c.ident(a.Asname)}
	}
	return out
}

func (c *converter) identifiers(in []string) []string {
	out := make([]string, len(in))
	for i, name := range in {
		out[i] = c.ident(name)
	}
	return out
}

func (c *converter) handlers(in []*parser.ExceptHandler) []Handler {
	if in == nil {
		return nil
	}
	out := make([]Handler, len(in))
	for i, h := range in {
		if h.Type == nil && i != len(in)-1 {
			c.fail(h.P, "default 'except:' must be last")
		}
		out[i] = Handler{c.at(h.P), c.opt(h.Type), c.ident(h.Name), c.stmts(h.Body)}
	}
	return out
}

func (c *converter) withItems(in []*parser.WithItem) []WithItem {
	out := make([]WithItem, len(in))
	for i, it := range in {
		out[i] = WithItem{Context: c.expr(it.ContextExpr)}
		if it.OptionalVars != nil {
			out[i].Target = c.target(it.OptionalVars)
		}
	}
	return out
}
