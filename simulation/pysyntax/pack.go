package pysyntax

import (
	"encoding/binary"
	"math"
	"math/big"
)

// Pack writes a tree in a compact form, which [Unpack] reads back many times faster than [Parse] reads source. The form
// is for caches: it may change with any version of this package.
//
// A packed tree is three parts: the texts that occur in it, each once; where they end; the nodes in order. The bodies
// of functions in a module or in its classes carry their length, so that Unpack can leave them for later.
func Pack(m *Module) []byte {
	p := &packer{index: map[string]int{}}
	p.stmts(m.Body)
	out := make([]byte, 0, len(p.out)+len(p.texts)+4*len(p.ends)+2*binary.MaxVarintLen64)
	out = binary.AppendUvarint(out, uint64(len(p.ends)))
	out = binary.AppendUvarint(out, uint64(len(p.texts)))
	for _, end := range p.ends {
		out = binary.LittleEndian.AppendUint32(out, end)
	}
	out = append(out, p.texts...)
	return append(out, p.out...)
}

type packer struct {
	out     []byte
	index   map[string]int // of texts
	texts   []byte
	ends    []uint32
	inside  int  // functions around
	globals bool // the outermost function declares names global
}

// The kinds of nodes, as packed. Their order is part of the form.
const (
	packedNothing byte = iota
	packedNone
	packedFalse
	packedTrue
	packedInt
	packedBig
	packedFloat
	packedText
	packedUText
	packedBytes
	packedEllipsis
	packedName
	packedUnary
	packedBinary
	packedAnd
	packedOr
	packedCompare
	packedAttribute
	packedSubscript
	packedSlice
	packedCall
	packedList
	packedTuple
	packedSet
	packedDict
	packedComp
	packedLambda
	packedWalrus
	packedStarred
	packedYield
	packedYieldFrom
	packedFString
	packedFormatted
	packedIfExp
	packedExprStmt
	packedAssign
	packedAugAssign
	packedAnnAssign
	packedReturn
	packedRaise
	packedPass
	packedBreak
	packedContinue
	packedImport
	packedImportFrom
	packedGlobal
	packedNonlocal
	packedDelete
	packedAssert
	packedIf
	packedWhile
	packedFor
	packedTry
	packedWith
	packedFunction
	packedClass
)

func (p *packer) byte(b byte)  { p.out = append(p.out, b) }
func (p *packer) count(n int)  { p.out = binary.AppendUvarint(p.out, uint64(n)) }
func (p *packer) int(n int64)  { p.out = binary.AppendVarint(p.out, n) }
func (p *packer) pos(at Pos)   { p.count(int(at.Line)); p.count(int(at.Col)) }
func (p *packer) flag(on bool) { p.byte(choose(on, 0, 1)) }

func choose(on bool, no, yes byte) byte {
	if on {
		return yes
	}
	return no
}

func (p *packer) node(kind byte, at Pos) {
	p.byte(kind)
	p.pos(at)
}

func (p *packer) text(s string) {
	i, ok := p.index[s]
	if !ok {
		i = len(p.ends)
		p.index[s] = i
		p.texts = append(p.texts, s...)
		p.ends = append(p.ends, uint32(len(p.texts)))
	}
	p.count(i)
}

func (p *packer) names(list []string) {
	p.count(len(list))
	for _, s := range list {
		p.text(s)
	}
}

// exprs keeps the difference between no list and an empty one.
func (p *packer) exprs(list []Expr) {
	if list == nil {
		p.count(0)
		return
	}
	p.count(len(list) + 1)
	for _, e := range list {
		p.expr(e)
	}
}

func (p *packer) stmts(list []Stmt) {
	if list == nil {
		p.count(0)
		return
	}
	p.count(len(list) + 1)
	for _, s := range list {
		p.stmt(s)
	}
}

func (p *packer) constant(n *Constant) {
	switch v := n.Value.(type) {
	case nil:
		p.node(packedNone, n.Pos)
	case bool:
		p.node(choose(v, packedFalse, packedTrue), n.Pos)
	case int64:
		p.node(packedInt, n.Pos)
		p.int(v)
	case *big.Int:
		p.node(packedBig, n.Pos)
		p.text(v.String())
	case float64:
		p.node(packedFloat, n.Pos)
		p.out = binary.LittleEndian.AppendUint64(p.out, math.Float64bits(v))
	case string:
		p.node(choose(n.U, packedText, packedUText), n.Pos)
		p.text(v)
	case Bytes:
		p.node(packedBytes, n.Pos)
		p.text(string(v))
	case Ellipsis:
		p.node(packedEllipsis, n.Pos)
	}
}

// expr is the one switch over expressions.
//
//nolint:funlen // one switch over all kinds of expression
func (p *packer) expr(e Expr) {
	switch n := e.(type) {
	case nil:
		p.byte(packedNothing)
	case *Constant:
		p.constant(n)
	case *Name:
		p.node(packedName, n.Pos)
		p.text(n.ID)
	case *Unary:
		p.node(packedUnary, n.Pos)
		p.byte(byte(n.Op))
		p.expr(n.Operand)
	case *Binary:
		p.node(packedBinary, n.Pos)
		p.byte(byte(n.Op))
		p.expr(n.Left)
		p.expr(n.Right)
	case *Bool:
		p.node(choose(n.Or, packedAnd, packedOr), n.Pos)
		p.exprs(n.Values)
	case *Compare:
		p.node(packedCompare, n.Pos)
		p.expr(n.Left)
		p.count(len(n.Ops))
		for _, op := range n.Ops {
			p.byte(byte(op))
		}
		p.exprs(n.Rights)
	case *Attribute:
		p.node(packedAttribute, n.Pos)
		p.expr(n.Value)
		p.text(n.Attr)
	case *Subscript:
		p.node(packedSubscript, n.Pos)
		p.expr(n.Value)
		p.expr(n.Index)
	case *Slice:
		p.node(packedSlice, n.Pos)
		p.expr(n.Lower)
		p.expr(n.Upper)
		p.expr(n.Step)
	case *Call:
		p.node(packedCall, n.Pos)
		p.expr(n.Func)
		p.exprs(n.Args)
		p.keywords(n.Keywords)
	case *List:
		p.node(packedList, n.Pos)
		p.exprs(n.Elts)
	case *Tuple:
		p.node(packedTuple, n.Pos)
		p.exprs(n.Elts)
	case *Set:
		p.node(packedSet, n.Pos)
		p.exprs(n.Elts)
	case *Dict:
		p.node(packedDict, n.Pos)
		p.exprs(n.Keys)
		p.exprs(n.Values)
	case *Comp:
		p.comp(n)
	case *Lambda:
		p.node(packedLambda, n.Pos)
		p.params(n.Params)
		p.expr(n.Body)
	case *Walrus:
		p.node(packedWalrus, n.Pos)
		p.expr(n.Target)
		p.expr(n.Value)
	case *Starred:
		p.node(packedStarred, n.Pos)
		p.expr(n.Value)
	case *Yield:
		p.node(packedYield, n.Pos)
		p.expr(n.Value)
	case *YieldFrom:
		p.node(packedYieldFrom, n.Pos)
		p.expr(n.Value)
	case *FString:
		p.node(packedFString, n.Pos)
		p.exprs(n.Values)
	case *Formatted:
		p.formatted(n)
	case *IfExp:
		p.node(packedIfExp, n.Pos)
		p.expr(n.Test)
		p.expr(n.Body)
		p.expr(n.Else)
	}
}

func (p *packer) formatted(n *Formatted) {
	p.node(packedFormatted, n.Pos)
	p.expr(n.Value)
	p.byte(n.Conversion)
	if n.Spec == nil {
		p.byte(packedNothing)
		return
	}
	p.expr(n.Spec)
}

func (p *packer) comp(n *Comp) {
	p.node(packedComp, n.Pos)
	p.byte(byte(n.Kind))
	p.expr(n.Elt)
	p.expr(n.Value)
	p.count(len(n.For))
	for _, f := range n.For {
		p.expr(f.Target)
		p.expr(f.Iter)
		p.exprs(f.Ifs)
	}
}

func (p *packer) keywords(list []Keyword) {
	if list == nil {
		p.count(0)
		return
	}
	p.count(len(list) + 1)
	for _, k := range list {
		p.pos(k.Pos)
		p.text(k.Name)
		p.expr(k.Value)
	}
}

func (p *packer) params(ps *Params) {
	p.paramList(ps.Args)
	p.count(ps.PosOnly)
	p.exprs(ps.Defaults)
	p.param(ps.Star)
	p.paramList(ps.KwOnly)
	p.exprs(ps.KwDefaults)
	p.param(ps.StarStar)
}

func (p *packer) paramList(list []Param) {
	p.count(len(list))
	for i := range list {
		p.param(&list[i])
	}
}

func (p *packer) param(a *Param) {
	p.flag(a != nil)
	if a != nil {
		p.pos(a.Pos)
		p.text(a.Name)
		p.expr(a.Annotation)
	}
}
