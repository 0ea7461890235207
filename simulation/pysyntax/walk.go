package pysyntax

// Walk calls visit for n and, where visit returns true, for the parts of n in the order of the source.
func Walk(n Node, visit func(Node) bool) {
	w := walker{visit}
	switch n := n.(type) {
	case Expr:
		w.expr(n)
	case Stmt:
		w.stmt(n)
	}
}

// WalkAll walks statements one after the other.
func WalkAll(body []Stmt, visit func(Node) bool) { walker{visit}.stmtList(body) }

type walker struct{ visit func(Node) bool }

func (w walker) expr(e Expr) {
	if e != nil && w.visit(e) {
		w.insideExpr(e)
	}
}

func (w walker) stmt(s Stmt) {
	if w.visit(s) {
		w.insideStmt(s)
	}
}
