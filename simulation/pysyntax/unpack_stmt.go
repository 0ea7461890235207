package pysyntax

import "encoding/binary"

// stmt is the one switch over statements.
func (u *unpacker) stmt() Stmt {
	kind := u.byte()
	at := u.pos()
	switch kind {
	case packedExprStmt:
		return &ExprStmt{at, u.expr()}
	case packedAssign:
		return &Assign{at, u.exprs(), u.expr()}
	case packedAugAssign:
		return &AugAssign{at, u.expr(), BinaryOp(u.byte()), u.expr()}
	case packedAnnAssign:
		return &AnnAssign{at, u.expr(), u.expr(), u.expr(), u.flag()}
	case packedReturn:
		return &Return{at, u.expr()}
	case packedRaise:
		return &Raise{at, u.expr(), u.expr()}
	case packedPass:
		return &Pass{at}
	case packedBreak:
		return &Break{at}
	case packedContinue:
		return &Continue{at}
	case packedImport:
		return &Import{at, u.aliases()}
	case packedImportFrom:
		return &ImportFrom{at, u.text(), u.aliases(), u.count()}
	case packedGlobal:
		return &Global{at, u.names()}
	case packedNonlocal:
		return &Nonlocal{at, u.names()}
	case packedDelete:
		return &Delete{at, u.exprs()}
	case packedAssert:
		return &Assert{at, u.expr(), u.expr()}
	case packedIf:
		return &If{at, u.expr(), u.stmts(), u.stmts()}
	case packedWhile:
		return &While{at, u.expr(), u.stmts(), u.stmts()}
	case packedFor:
		return &For{at, u.expr(), u.expr(), u.stmts(), u.stmts()}
	case packedTry:
		return &Try{at, u.stmts(), u.handlers(), u.stmts(), u.stmts()}
	case packedWith:
		return &With{at, u.items(), u.stmts()}
	case packedFunction:
		return u.function(at)
	case packedClass:
		return u.class(at)
	}
	panic("not a statement")
}

func (u *unpacker) aliases() []Alias {
	out := make([]Alias, u.room(u.count()))
	for i := range out {
		out[i] = Alias{u.pos(), u.text(), u.text()}
	}
	return out
}

func (u *unpacker) handlers() []Handler {
	n := u.room(u.count())
	if n == 0 {
		return nil
	}
	out := make([]Handler, n-1)
	for i := range out {
		out[i] = Handler{u.pos(), u.expr(), u.text(), u.stmts()}
	}
	return out
}

func (u *unpacker) items() []WithItem {
	out := make([]WithItem, u.room(u.count()))
	for i := range out {
		out[i] = WithItem{u.expr(), u.expr()}
	}
	return out
}

func (u *unpacker) function(at Pos) Stmt {
	n := &FunctionDef{Pos: at, Name: u.text(), Params: u.params(), Decorators: u.exprs(), Returns: u.expr()}
	length := int(binary.LittleEndian.Uint32([]byte(u.in[u.at : u.at+4])))
	u.at += 4
	if !u.flag() || !u.late {
		n.Body = u.stmts()
		return n
	}
	body := *u
	body.in, body.late = u.in[:u.at+length], false
	n.late = &late{body}
	u.at += length
	return n
}

func (u *unpacker) class(at Pos) Stmt {
	return &ClassDef{Pos: at, Name: u.text(), Bases: u.exprs(), Keywords: u.keywords(), Decorators: u.exprs(), Body: u.stmts()}
}
