package pysyntax

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
)

// errDamaged is what Unpack says of a text that Pack did not write.
var errDamaged = errors.New("the packed tree is damaged")

// Unpack reads what [Pack] wrote. The texts of the tree are parts of data. The body of a function that stands in the
// module or in one of its classes is left packed until [FunctionDef.Statements] asks for it.
func Unpack(file, data string) (m *Module, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%w: %v", errDamaged, r)
		}
	}()
	u := &unpacker{in: data, late: true}
	count, size := u.count(), u.count()
	u.ends = data[u.at : u.at+4*count]
	u.at += len(u.ends)
	u.texts = data[u.at : u.at+size]
	u.at += size
	m = &Module{File: file, Body: u.stmts()}
	if u.at != len(data) {
		return nil, errDamaged
	}
	return m, nil
}

// unpacker reads nodes. What is not as the packer writes it makes it panic.
type unpacker struct {
	in          string
	at          int
	texts, ends string
	late        bool // bodies of functions are left
}

// late is the body of a function that nobody asked for yet.
type late struct{ unpacker }

// Late tells that the body was left packed: that a tree made by [Unpack] has not been asked for it.
func (n *FunctionDef) Late() bool { return n.late != nil }

// Statements returns the body. For a function that Unpack left it makes a new one at each call.
func (n *FunctionDef) Statements() []Stmt {
	if n.late == nil {
		return n.Body
	}
	u := n.late.unpacker
	return u.stmts()
}

func (u *unpacker) byte() byte {
	b := u.in[u.at]
	u.at++
	return b
}

func (u *unpacker) flag() bool { return u.byte() == 1 }

func (u *unpacker) count() int {
	b := u.in[u.at]
	if b < 0x80 {
		u.at++
		return int(b)
	}
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := u.in[u.at]
		u.at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return int(n)
		}
	}
	panic("a number is too long")
}

func (u *unpacker) int() int64 {
	n, size := binary.Varint([]byte(u.in[u.at:min(len(u.in), u.at+binary.MaxVarintLen64)]))
	if size <= 0 {
		panic("a number is too long")
	}
	u.at += size
	return n
}

func (u *unpacker) float() float64 {
	f := math.Float64frombits(binary.LittleEndian.Uint64([]byte(u.in[u.at : u.at+8])))
	u.at += 8
	return f
}

func (u *unpacker) pos() Pos {
	line := u.count()
	return Pos{int32(line), int32(u.count())}
}

func (u *unpacker) end(i int) int {
	e := u.ends[4*i : 4*i+4]
	return int(e[0]) | int(e[1])<<8 | int(e[2])<<16 | int(e[3])<<24
}

func (u *unpacker) text() string {
	i := u.count()
	from := 0
	if i > 0 {
		from = u.end(i - 1)
	}
	return u.texts[from:u.end(i)]
}

// room refuses a length that the rest of the data cannot hold, before memory is taken for it.
func (u *unpacker) room(n int) int {
	if n > len(u.in)-u.at {
		panic("a list is longer than the data")
	}
	return n
}

func (u *unpacker) names() []string {
	out := make([]string, u.room(u.count()))
	for i := range out {
		out[i] = u.text()
	}
	return out
}

func (u *unpacker) exprs() []Expr {
	n := u.room(u.count())
	if n == 0 {
		return nil
	}
	out := make([]Expr, n-1)
	for i := range out {
		out[i] = u.expr()
	}
	return out
}

func (u *unpacker) stmts() []Stmt {
	n := u.room(u.count())
	if n == 0 {
		return nil
	}
	out := make([]Stmt, n-1)
	for i := range out {
		out[i] = u.stmt()
	}
	return out
}

func (u *unpacker) constant(kind byte, at Pos) Expr {
	n := &Constant{Pos: at}
	switch kind {
	case packedFalse, packedTrue:
		n.Value = kind == packedTrue
	case packedInt:
		n.Value = u.int()
	case packedBig:
		v, ok := new(big.Int).SetString(u.text(), 10)
		if !ok {
			panic("not a number")
		}
		n.Value = v
	case packedFloat:
		n.Value = u.float()
	case packedText, packedUText:
		n.Value, n.U = u.text(), kind == packedUText
	case packedBytes:
		n.Value = Bytes(u.text())
	case packedEllipsis:
		n.Value = Ellipsis{}
	}
	return n
}

// expr is the one switch over expressions.
func (u *unpacker) expr() Expr {
	kind := u.byte()
	if kind == packedNothing {
		return nil
	}
	at := u.pos()
	switch kind {
	case packedName:
		return &Name{at, u.text()}
	case packedUnary:
		return &Unary{at, UnaryOp(u.byte()), u.expr()}
	case packedBinary:
		return &Binary{at, BinaryOp(u.byte()), u.expr(), u.expr()}
	case packedAnd, packedOr:
		return &Bool{at, kind == packedOr, u.exprs()}
	case packedCompare:
		return u.compare(at)
	case packedAttribute:
		return &Attribute{at, u.expr(), u.text()}
	case packedSubscript:
		return &Subscript{at, u.expr(), u.expr()}
	case packedSlice:
		return &Slice{at, u.expr(), u.expr(), u.expr()}
	case packedCall:
		return &Call{at, u.expr(), u.exprs(), u.keywords()}
	case packedList:
		return &List{at, u.exprs()}
	case packedTuple:
		return &Tuple{at, u.exprs()}
	case packedSet:
		return &Set{at, u.exprs()}
	case packedDict:
		return &Dict{at, u.exprs(), u.exprs()}
	case packedComp:
		return &Comp{at, CompKind(u.byte()), u.expr(), u.expr(), u.fors()}
	case packedLambda:
		return &Lambda{at, u.params(), u.expr()}
	case packedWalrus:
		return &Walrus{at, u.expr().(*Name), u.expr()}
	case packedStarred:
		return &Starred{at, u.expr()}
	case packedYield:
		return &Yield{at, u.expr()}
	case packedYieldFrom:
		return &YieldFrom{at, u.expr()}
	case packedFString:
		return &FString{at, u.exprs()}
	case packedFormatted:
		n := &Formatted{Pos: at, Value: u.expr(), Conversion: u.byte()}
		if spec := u.expr(); spec != nil {
			n.Spec = spec.(*FString)
		}
		return n
	case packedIfExp:
		return &IfExp{at, u.expr(), u.expr(), u.expr()}
	}
	if kind > packedEllipsis {
		panic("not an expression")
	}
	return u.constant(kind, at)
}

func (u *unpacker) compare(at Pos) Expr {
	n := &Compare{Pos: at, Left: u.expr(), Ops: make([]CompareOp, u.room(u.count()))}
	for i := range n.Ops {
		n.Ops[i] = CompareOp(u.byte())
	}
	n.Rights = u.exprs()
	return n
}

func (u *unpacker) fors() []CompFor {
	out := make([]CompFor, u.room(u.count()))
	for i := range out {
		out[i] = CompFor{u.expr(), u.expr(), u.exprs()}
	}
	return out
}

func (u *unpacker) keywords() []Keyword {
	n := u.room(u.count())
	if n == 0 {
		return nil
	}
	out := make([]Keyword, n-1)
	for i := range out {
		out[i] = Keyword{u.pos(), u.text(), u.expr()}
	}
	return out
}

func (u *unpacker) params() *Params {
	ps := &Params{Args: u.paramList(), PosOnly: u.count(), Defaults: u.exprs(), Star: u.param()}
	ps.KwOnly, ps.KwDefaults, ps.StarStar = u.paramList(), u.exprs(), u.param()
	return ps
}

func (u *unpacker) paramList() []Param {
	n := u.room(u.count())
	if n == 0 {
		return nil
	}
	out := make([]Param, n)
	for i := range out {
		if !u.flag() {
			panic("a parameter is missing")
		}
		out[i] = Param{u.pos(), u.text(), u.expr()}
	}
	return out
}

func (u *unpacker) param() *Param {
	if !u.flag() {
		return nil
	}
	return &Param{u.pos(), u.text(), u.expr()}
}
