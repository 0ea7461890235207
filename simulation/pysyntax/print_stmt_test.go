package pysyntax

import "strings"

// Print writes a tree as Python source. Parsing the result gives the same tree (positions aside).
func Print(m *Module) string {
	var p printer
	p.block(m.Body)
	return p.String()
}

func (p *printer) line(parts ...string) {
	p.WriteString(strings.Repeat("    ", p.indent))
	for _, s := range parts {
		p.WriteString(s)
	}
}

func (p *printer) block(body []Stmt) {
	for _, s := range body {
		p.stmt(s)
	}
}

// suite writes a header's end and its indented body.
func (p *printer) suite(body []Stmt) {
	p.WriteString(":\n")
	p.indent++
	if len(body) == 0 {
		p.line("pass\n")
	}
	p.block(body)
	p.indent--
}

func (p *printer) orElse(body []Stmt) {
	if len(body) > 0 {
		p.line("else")
		p.suite(body)
	}
}

func (p *printer) stmt(s Stmt) {
	switch n := s.(type) {
	case *FunctionDef:
		p.function(n)
	case *ClassDef:
		p.class(n)
	case *If:
		p.ifChain("if ", n)
	case *While:
		p.line("while ")
		p.expr(n.Test, atWalrus)
		p.suite(n.Body)
		p.orElse(n.Else)
	case *For:
		p.line("for ")
		p.target(n.Target)
		p.WriteString(" in ")
		p.expr(n.Iter, atTuple)
		p.suite(n.Body)
		p.orElse(n.Else)
	case *Try:
		p.try(n)
	case *With:
		p.with(n)
	default:
		p.line()
		p.simple(s)
		p.WriteByte('\n')
	}
}

func (p *printer) function(n *FunctionDef) {
	p.decorators(n.Decorators)
	p.line("def ", n.Name, "(", params(n.Params, true), ")")
	if n.Returns != nil {
		p.WriteString(" -> ")
		p.expr(n.Returns, atTest)
	}
	p.suite(n.Statements())
}

func (p *printer) class(n *ClassDef) {
	p.decorators(n.Decorators)
	p.line("class ", n.Name)
	if len(n.Bases)+len(n.Keywords) > 0 {
		p.WriteByte('(')
		p.arguments(n.Bases, n.Keywords)
		p.WriteByte(')')
	}
	p.suite(n.Body)
}

func (p *printer) decorators(ds []Expr) {
	for _, d := range ds {
		p.line("@")
		p.expr(d, atWalrus)
		p.WriteByte('\n')
	}
}

func (p *printer) ifChain(word string, n *If) {
	p.line(word)
	p.expr(n.Test, atWalrus)
	p.suite(n.Body)
	if len(n.Else) == 1 {
		if next, ok := n.Else[0].(*If); ok {
			p.ifChain("elif ", next)
			return
		}
	}
	p.orElse(n.Else)
}

func (p *printer) try(n *Try) {
	p.line("try")
	p.suite(n.Body)
	for _, h := range n.Handlers {
		p.line("except")
		if h.Type != nil {
			p.WriteByte(' ')
			p.expr(h.Type, atTest)
		}
		if h.Name != "" {
			p.WriteString(" as " + h.Name)
		}
		p.suite(h.Body)
	}
	p.orElse(n.Else)
	if len(n.Finally) > 0 {
		p.line("finally")
		p.suite(n.Finally)
	}
}

func (p *printer) with(n *With) {
	p.line("with ")
	for i, it := range n.Items {
		if i > 0 {
			p.WriteString(", ")
		}
		p.expr(it.Context, atTest)
		if it.Target != nil {
			p.WriteString(" as ")
			p.expr(it.Target, atPrimary)
		}
	}
	p.suite(n.Body)
}

// simple writes a statement of one line, without its end.
func (p *printer) simple(s Stmt) {
	switch n := s.(type) {
	case *ExprStmt:
		p.value(n.Value)
	case *Assign:
		for _, t := range n.Targets {
			p.target(t)
			p.WriteString(" = ")
		}
		p.value(n.Value)
	case *AugAssign:
		p.expr(n.Target, atPrimary)
		p.WriteString(" " + n.Op.String() + "= ")
		p.value(n.Value)
	case *AnnAssign:
		p.annotated(n)
	case *Return:
		p.word("return", n.Value)
	case *Raise:
		p.word("raise", n.Exc)
		if n.Cause != nil {
			p.WriteString(" from ")
			p.expr(n.Cause, atTest)
		}
	case *Pass:
		p.WriteString("pass")
	case *Break:
		p.WriteString("break")
	case *Continue:
		p.WriteString("continue")
	case *Import:
		p.WriteString("import ")
		p.aliases(n.Names)
	case *ImportFrom:
		p.WriteString("from " + strings.Repeat(".", n.Level) + n.Module + " import ")
		p.aliases(n.Names)
	case *Global:
		p.WriteString("global " + strings.Join(n.Names, ", "))
	case *Nonlocal:
		p.WriteString("nonlocal " + strings.Join(n.Names, ", "))
	case *Delete:
		p.WriteString("del ")
		p.list(n.Targets, ", ", atTest)
	case *Assert:
		p.WriteString("assert ")
		p.expr(n.Test, atTest)
		if n.Msg != nil {
			p.WriteString(", ")
			p.expr(n.Msg, atTest)
		}
	}
}

// value writes the right side of an assignment or a statement of its own.
func (p *printer) value(e Expr) {
	switch levelOf(e) {
	case atWalrus:
		p.expr(e, atTest)
	default:
		p.expr(e, atTuple)
	}
}

func (p *printer) word(word string, e Expr) {
	p.WriteString(word)
	if e != nil {
		p.WriteByte(' ')
		if levelOf(e) == atTuple && word == "return" {
			p.expr(e, atTuple)
			return
		}
		p.expr(e, atTest)
	}
}

func (p *printer) annotated(n *AnnAssign) {
	if _, name := n.Target.(*Name); name && !n.Simple {
		p.WriteByte('(')
		p.bare(n.Target)
		p.WriteByte(')')
	} else {
		p.expr(n.Target, atPrimary)
	}
	p.WriteString(": ")
	p.expr(n.Annotation, atTest)
	if n.Value != nil {
		p.WriteString(" = ")
		p.value(n.Value)
	}
}

func (p *printer) aliases(names []Alias) {
	for i, a := range names {
		if i > 0 {
			p.WriteString(", ")
		}
		p.WriteString(a.Name)
		if a.As != "" {
			p.WriteString(" as " + a.As)
		}
	}
}
