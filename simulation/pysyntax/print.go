package pysyntax

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Text writes an expression as Python source on one line. Parsing the result gives the same tree (positions aside).
func Text(e Expr) string {
	var p printer
	p.expr(e, atTuple)
	return p.String()
}

type printer struct {
	strings.Builder
	indent int // of statements
}

// level is how tightly an expression binds; a looser one inside a tighter place gets parentheses.
type level int

const (
	atTuple  level = iota // a, b
	atYield               // yield x
	atWalrus              // a := b
	atTest                // a if b else c, lambda
	atOr
	atAnd
	atNot
	atCompare
	atBitOr
	atBitXor
	atBitAnd
	atShift
	atSum
	atTerm
	atFactor // -a
	atPower
	atPrimary
)

var binaryLevel = [...]level{
	Add: atSum, Sub: atSum, Mult: atTerm, MatMult: atTerm, Div: atTerm, Mod: atTerm, Pow: atPower,
	LShift: atShift, RShift: atShift, BitOr: atBitOr, BitXor: atBitXor, BitAnd: atBitAnd, FloorDiv: atTerm,
}

func levelOf(e Expr) level {
	switch n := e.(type) {
	case *Tuple:
		if len(n.Elts) == 0 {
			return atPrimary
		}
		return atTuple
	case *Yield, *YieldFrom:
		return atYield
	case *Walrus:
		return atWalrus
	case *IfExp, *Lambda:
		return atTest
	case *Bool:
		if n.Or {
			return atOr
		}
		return atAnd
	case *Unary:
		if n.Op == Not {
			return atNot
		}
		return atFactor
	case *Compare:
		return atCompare
	case *Binary:
		return binaryLevel[n.Op]
	case *Starred:
		return atTuple
	}
	return atPrimary
}

// expr writes e where something binding at least as tightly as min is needed.
func (p *printer) expr(e Expr, min level) {
	if _, star := e.(*Starred); !star && levelOf(e) < min {
		p.WriteByte('(')
		p.bare(e)
		p.WriteByte(')')
		return
	}
	p.bare(e)
}

func (p *printer) bare(e Expr) {
	switch n := e.(type) {
	case *Constant:
		p.WriteString(literal(n))
	case *Name:
		p.WriteString(n.ID)
	case *Unary:
		p.WriteString(n.Op.String())
		p.expr(n.Operand, levelOf(n))
	case *Binary:
		p.binary(n)
	case *Bool:
		own, word := levelOf(n), " and "
		if n.Or {
			word = " or "
		}
		p.list(n.Values, word, own+1)
	case *Compare:
		p.expr(n.Left, atBitOr)
		for i, op := range n.Ops {
			p.WriteString(" " + op.String() + " ")
			p.expr(n.Rights[i], atBitOr)
		}
	case *Attribute:
		p.attribute(n)
	case *Subscript:
		p.expr(n.Value, atPrimary)
		p.WriteByte('[')
		p.index(n.Index)
		p.WriteByte(']')
	case *Slice:
		p.slice(n)
	case *Call:
		p.expr(n.Func, atPrimary)
		p.WriteByte('(')
		p.arguments(n.Args, n.Keywords)
		p.WriteByte(')')
	case *List:
		p.WriteByte('[')
		p.list(n.Elts, ", ", atWalrus)
		p.WriteByte(']')
	case *Tuple:
		p.tuple(n.Elts)
	case *Set:
		p.WriteByte('{')
		p.list(n.Elts, ", ", atWalrus)
		p.WriteByte('}')
	case *Dict:
		p.dict(n)
	case *Comp:
		p.comp(n)
	case *Lambda:
		p.lambda(n)
	case *Walrus:
		p.WriteString(n.Target.ID + " := ")
		p.expr(n.Value, atTest)
	case *Starred:
		p.WriteByte('*')
		p.expr(n.Value, atBitOr)
	case *Yield:
		p.WriteString("yield")
		if n.Value != nil {
			p.WriteByte(' ')
			p.expr(n.Value, atTuple)
		}
	case *YieldFrom:
		p.WriteString("yield from ")
		p.expr(n.Value, atTest)
	case *FString:
		p.WriteString(fstring(n))
	case *IfExp:
		p.expr(n.Body, atOr)
		p.WriteString(" if ")
		p.expr(n.Test, atOr)
		p.WriteString(" else ")
		p.expr(n.Else, atTest)
	}
}

func (p *printer) lambda(n *Lambda) {
	p.WriteString("lambda")
	if text := params(n.Params, false); text != "" {
		p.WriteString(" " + text)
	}
	p.WriteString(": ")
	p.expr(n.Body, atTest)
}

// binary keeps the shape of the tree: all operators group to the left but **, which groups to the
// right and lets a sign stand in its exponent.
func (p *printer) binary(n *Binary) {
	own := levelOf(n)
	left, right := own, own+1
	if n.Op == Pow {
		left, right = atPrimary, atFactor
	}
	p.expr(n.Left, left)
	p.WriteString(" " + n.Op.String() + " ")
	p.expr(n.Right, right)
}

// attribute parenthesises a number, whose point would swallow the dot.
func (p *printer) attribute(n *Attribute) {
	if c, ok := n.Value.(*Constant); ok {
		switch c.Value.(type) {
		case int64, *big.Int, float64:
			p.WriteString("(" + literal(c) + ")." + n.Attr)
			return
		}
	}
	p.expr(n.Value, atPrimary)
	p.WriteString("." + n.Attr)
}

func (p *printer) list(es []Expr, sep string, min level) {
	for i, e := range es {
		if i > 0 {
			p.WriteString(sep)
		}
		p.expr(e, min)
	}
}

func (p *printer) tuple(elts []Expr) {
	if len(elts) == 0 {
		p.WriteString("()")
		return
	}
	p.list(elts, ", ", atTest)
	if len(elts) == 1 {
		p.WriteByte(',')
	}
}

// index writes what stands between square brackets: slices and starred parts need no parentheses.
func (p *printer) index(e Expr) {
	t, ok := e.(*Tuple)
	if !ok || len(t.Elts) == 0 {
		p.expr(e, atWalrus)
		return
	}
	p.tuple(t.Elts)
}

func (p *printer) slice(n *Slice) {
	if n.Lower != nil {
		p.expr(n.Lower, atTest)
	}
	p.WriteByte(':')
	if n.Upper != nil {
		p.expr(n.Upper, atTest)
	}
	if n.Step != nil {
		p.WriteByte(':')
		p.expr(n.Step, atTest)
	}
}

func (p *printer) arguments(args []Expr, keywords []Keyword) {
	if len(args) == 1 && len(keywords) == 0 {
		if g, ok := args[0].(*Comp); ok && g.Kind == Generator {
			p.compBody(g)
			return
		}
	}
	p.list(args, ", ", atWalrus)
	for i, k := range keywords {
		if i > 0 || len(args) > 0 {
			p.WriteString(", ")
		}
		if k.Name == "" {
			p.WriteString("**")
			p.expr(k.Value, atOr)
			continue
		}
		p.WriteString(k.Name + "=")
		p.expr(k.Value, atTest)
	}
}

func (p *printer) dict(n *Dict) {
	p.WriteByte('{')
	for i, item := range n.Items {
		if i > 0 {
			p.WriteString(", ")
		}
		if item.Key == nil {
			p.WriteString("**")
			p.expr(item.Value, atBitOr)
			continue
		}
		p.expr(item.Key, atTest)
		p.WriteString(": ")
		p.expr(item.Value, atTest)
	}
	p.WriteByte('}')
}

var compBrackets = [...]string{ListComp: "[]", SetComp: "{}", DictComp: "{}", Generator: "()"}

func (p *printer) comp(n *Comp) {
	p.WriteByte(compBrackets[n.Kind][0])
	p.compBody(n)
	p.WriteByte(compBrackets[n.Kind][1])
}

func (p *printer) compBody(n *Comp) {
	p.expr(n.Elt, atWalrus)
	if n.Kind == DictComp {
		p.WriteString(": ")
		p.expr(n.Value, atTest)
	}
	for _, f := range n.For {
		p.WriteString(" for ")
		p.target(f.Target)
		p.WriteString(" in ")
		p.expr(f.Iter, atOr)
		for _, test := range f.Ifs {
			p.WriteString(" if ")
			p.expr(test, atOr)
		}
	}
}

// target writes what a for loop assigns to.
func (p *printer) target(e Expr) { p.expr(e, atTuple) }

func literal(n *Constant) string {
	switch v := n.Value.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case *big.Int:
		return v.String()
	case float64:
		if math.IsInf(v, 0) {
			return "1e999"
		}
		return FormatFloat(v)
	case string:
		if n.U {
			return "u" + Quote(v)
		}
		return Quote(v)
	case Bytes:
		return QuoteBytes(string(v))
	}
	return "..."
}

// params writes a parameter list; a lambda's has no annotations.
func params(ps *Params, annotated bool) string {
	var p printer
	sep := func() {
		if p.Len() > 0 {
			p.WriteString(", ")
		}
	}
	one := func(prefix string, a Param, fallback Expr) {
		sep()
		p.WriteString(prefix + a.Name)
		if annotated && a.Annotation != nil {
			p.WriteString(": ")
			p.expr(a.Annotation, atTest)
		}
		if fallback != nil {
			p.WriteByte('=')
			p.expr(fallback, atTest)
		}
	}
	first := len(ps.Args) - len(ps.Defaults)
	for i, a := range ps.Args {
		var fallback Expr
		if i >= first {
			fallback = ps.Defaults[i-first]
		}
		one("", a, fallback)
		if i+1 == ps.PosOnly {
			p.WriteString(", /")
		}
	}
	if ps.Star != nil {
		one("*", *ps.Star, nil)
	} else if len(ps.KwOnly) > 0 {
		sep()
		p.WriteByte('*')
	}
	for i, a := range ps.KwOnly {
		one("", a, ps.KwDefaults[i])
	}
	if ps.StarStar != nil {
		one("**", *ps.StarStar, nil)
	}
	return p.String()
}
