package pysyntax

import (
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tamnd/gopapy/parser"
)

// converter makes our tree of the library's. It is the only code that knows both. Errors leave it by
// a panic of its own type, recovered in convert.
type converter struct {
	depth int
	lines []string // of the source that was parsed
	names standIns
	last  Pos // the place converted last
}

func convert(m *parser.Module, text string, names standIns) (out *Module, err *Error) {
	defer func() {
		if r := recover(); r != nil {
			e, ours := r.(*Error)
			if !ours {
				panic(r)
			}
			out, err = nil, e
		}
	}()
	c := converter{lines: strings.Split(text, "\n"), names: names}
	return &Module{Body: c.stmts(m.Body)}, nil
}

func (c *converter) fail(p parser.Pos, format string, args ...any) {
	panic(&Error{Pos: c.at(p), Message: fmt.Sprintf(format, args...)})
}

func (c *converter) refuse(p parser.Pos, what string) {
	panic(&Error{Pos: c.at(p), Message: what + " is not supported", Unsupported: true})
}

// at counts columns from 1 and in characters; the library counts them from 0 and in bytes.
func (c *converter) at(p parser.Pos) Pos {
	c.last = place(c.lines, p.Line, p.Col)
	return c.last
}

// ident gives a name its characters back and refuses those that Python's names cannot have, which
// normalisation may bring in. Dots are those of a module's name.
func (c *converter) ident(name string) string {
	name = c.names.name(name)
	if keywords[name] {
		panic(&Error{Pos: c.last, Message: fmt.Sprintf("the keyword '%s' cannot be a name", name)})
	}
	for i, r := range name {
		if r >= utf8.RuneSelf && !nameRune(r, i == 0) || r == ' ' {
			panic(&Error{Pos: c.last, Message: fmt.Sprintf("invalid character in the name '%s'", name)})
		}
	}
	return name
}

// keywords cannot be names; normalisation may make one of a name written with other letters.
var keywords = map[string]bool{
	"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true, "async": true, "await": true,
	"break": true, "class": true, "continue": true, "def": true, "del": true, "elif": true, "else": true, "except": true,
	"finally": true, "for": true, "from": true, "global": true, "if": true, "import": true, "in": true, "is": true,
	"lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true, "return": true, "try": true,
	"while": true, "with": true, "yield": true,
}

func nameRune(r rune, first bool) bool {
	if unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_ID_Start) {
		return true
	}
	return !first && unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Other_ID_Continue)
}

func place(lines []string, line, offset int) Pos {
	col := offset
	if line >= 1 && line <= len(lines) && offset <= len(lines[line-1]) {
		col = utf8.RuneCountInString(lines[line-1][:max(offset, 0)])
	}
	return Pos{int32(line), int32(col) + 1}
}

func (c *converter) enter(p parser.Pos) {
	c.depth++
	if c.depth > MaxDepth {
		c.fail(p, "too deeply nested: at most %d levels", MaxDepth)
	}
}

func (c *converter) binary(p parser.Pos, op string) BinaryOp {
	i, ok := named(binaryOps[:], op)
	if !ok {
		c.refuse(p, "operator "+op)
	}
	return BinaryOp(i)
}

func (c *converter) unary(p parser.Pos, op string) UnaryOp {
	i, ok := named(unaryOps[:], op)
	if !ok {
		c.refuse(p, "operator "+op)
	}
	return UnaryOp(i)
}

func (c *converter) compare(p parser.Pos, ops []string) []CompareOp {
	out := make([]CompareOp, len(ops))
	for n, op := range ops {
		i, ok := named(compareOps[:], op)
		if !ok {
			c.refuse(p, "operator "+op)
		}
		out[n] = CompareOp(i)
	}
	return out
}

func (c *converter) exprs(in []parser.Expr) []Expr {
	if in == nil {
		return nil
	}
	out := make([]Expr, len(in))
	for i, e := range in {
		out[i] = c.opt(e)
	}
	return out
}

func (c *converter) dict(n *parser.Dict) *Dict {
	d := &Dict{Pos: c.at(n.P), Items: make([]DictItem, len(n.Keys))}
	for i, key := range n.Keys {
		d.Items[i] = DictItem{c.opt(key), c.opt(n.Values[i])}
	}
	return d
}

// items converts a list in which *x may stand.
func (c *converter) items(in []parser.Expr) []Expr {
	if in == nil {
		return nil
	}
	out := make([]Expr, len(in))
	for i, e := range in {
		if star, ok := e.(*parser.Starred); ok {
			out[i] = &Starred{c.at(star.P), c.expr(star.Value)}
		} else {
			out[i] = c.expr(e)
		}
	}
	return out
}

// opt converts an expression that may be absent.
func (c *converter) opt(e parser.Expr) Expr {
	if e == nil {
		return nil
	}
	return c.expr(e)
}

// expr is the one switch over the library's expressions.
//
//nolint:funlen // one switch over all kinds of expression
func (c *converter) expr(e parser.Expr) Expr {
	defer func() { c.depth-- }()
	switch n := e.(type) {
	case *parser.Constant:
		c.enter(n.P)
		return c.constant(n)
	case *parser.Name:
		c.enter(n.P)
		return &Name{c.at(n.P), c.ident(n.Id)}
	case *parser.UnaryOp:
		c.enter(n.P)
		return &Unary{c.at(n.P), c.unary(n.P, n.Op), c.expr(n.Operand)}
	case *parser.BinOp:
		c.enter(n.P)
		left := c.expr(n.Left)
		return &Binary{left.Position(), c.binary(n.P, n.Op), left, c.expr(n.Right)}
	case *parser.BoolOp:
		c.enter(n.P)
		return &Bool{c.at(n.P), n.Op == "Or", c.exprs(n.Values)}
	case *parser.Compare:
		c.enter(n.P)
		left := c.expr(n.Left)
		return &Compare{left.Position(), left, c.compare(n.P, n.Ops), c.exprs(n.Comparators)}
	case *parser.Attribute:
		c.enter(n.P)
		return c.attribute(n)
	case *parser.Subscript:
		c.enter(n.P)
		value := c.expr(n.Value)
		return &Subscript{value.Position(), value, c.expr(n.Slice)}
	case *parser.Slice:
		c.enter(n.P)
		return &Slice{c.at(n.P), c.opt(n.Lower), c.opt(n.Upper), c.opt(n.Step)}
	case *parser.Call:
		c.enter(n.P)
		fn := c.expr(n.Func)
		return &Call{fn.Position(), fn, c.items(n.Args), c.keywords(n.Keywords)}
	case *parser.List:
		c.enter(n.P)
		return &List{c.at(n.P), c.items(n.Elts)}
	case *parser.Tuple:
		c.enter(n.P)
		return &Tuple{c.at(n.P), c.items(n.Elts)}
	case *parser.Set:
		c.enter(n.P)
		return &Set{c.at(n.P), c.items(n.Elts)}
	case *parser.Dict:
		c.enter(n.P)
		return c.dict(n)
	case *parser.ListComp:
		c.enter(n.P)
		return &Comp{c.at(n.P), ListComp, c.expr(n.Elt), nil, c.fors(n.P, n.Gens)}
	case *parser.SetComp:
		c.enter(n.P)
		return &Comp{c.at(n.P), SetComp, c.expr(n.Elt), nil, c.fors(n.P, n.Gens)}
	case *parser.DictComp:
		c.enter(n.P)
		return &Comp{c.at(n.P), DictComp, c.expr(n.Key), c.expr(n.Value), c.fors(n.P, n.Gens)}
	case *parser.GeneratorExp:
		c.enter(n.P)
		return &Comp{c.at(n.P), Generator, c.expr(n.Elt), nil, c.fors(n.P, n.Gens)}
	case *parser.Lambda:
		c.enter(n.P)
		return &Lambda{c.at(n.P), c.params(n.P, n.Args), c.expr(n.Body)}
	case *parser.NamedExpr:
		c.enter(n.P)
		return c.walrus(n)
	case *parser.Starred:
		c.enter(n.P)
		c.fail(n.P, "can't use starred expression here")
	case *parser.Yield:
		c.enter(n.P)
		return &Yield{c.at(n.P), c.opt(n.Value)}
	case *parser.YieldFrom:
		c.enter(n.P)
		return &YieldFrom{c.at(n.P), c.expr(n.Value)}
	case *parser.JoinedStr:
		c.enter(n.P)
		return &FString{c.at(n.P), c.exprs(n.Values)}
	case *parser.FormattedValue:
		c.enter(n.P)
		return c.formatted(n)
	case *parser.IfExp:
		c.enter(n.P)
		return &IfExp{c.at(n.P), c.expr(n.Body), c.expr(n.Test), c.expr(n.OrElse)}
	case *parser.Await:
		c.refuse(n.P, "await")
	case *parser.TemplateStr:
		c.refuse(n.P, "a template string")
	case *parser.Interpolation:
		c.refuse(n.P, "a template string")
	}
	panic(&Error{Pos: Pos{1, 1}, Message: fmt.Sprintf("unknown expression %T", e)})
}

func (c *converter) constant(n *parser.Constant) Expr {
	switch n.Kind {
	case "None":
		return &Constant{Pos: c.at(n.P)}
	case "True", "False":
		return &Constant{Pos: c.at(n.P), Value: n.Kind == "True"}
	case "Ellipsis":
		return &Constant{Pos: c.at(n.P), Value: Ellipsis{}}
	case "complex":
		c.refuse(n.P, "a complex number")
	}
	switch v := n.Value.(type) {
	case int64, float64, *big.Int:
		return &Constant{Pos: c.at(n.P), Value: v}
	case []byte:
		return &Constant{Pos: c.at(n.P), Value: Bytes(v)}
	case string:
		if n.Kind == "bytes" {
			return &Constant{Pos: c.at(n.P), Value: Bytes(v)}
		}
		return &Constant{Pos: c.at(n.P), Value: c.names.text(v), U: n.Kind == "u"}
	}
	c.fail(n.P, "unknown literal %T", n.Value)
	return nil
}

func (c *converter) attribute(n *parser.Attribute) Expr {
	value := c.expr(n.Value)
	return &Attribute{value.Position(), value, c.ident(n.Attr)}
}

func (c *converter) walrus(n *parser.NamedExpr) Expr {
	target, ok := n.Target.(*parser.Name)
	if !ok {
		c.fail(n.P, "only a name can stand left of :=")
	}
	return &Walrus{c.at(n.P), &Name{c.at(target.P), c.ident(target.Id)}, c.expr(n.Value)}
}

func (c *converter) formatted(n *parser.FormattedValue) Expr {
	out := &Formatted{Pos: c.at(n.P), Value: c.expr(n.Value)}
	if n.Conversion > 0 {
		out.Conversion = byte(n.Conversion)
	}
	if n.FormatSpec != nil {
		spec, ok := c.expr(n.FormatSpec).(*FString)
		if !ok {
			c.fail(n.P, "unknown format specification")
		}
		out.Spec = spec
	}
	return out
}

func (c *converter) fors(p parser.Pos, in []*parser.Comprehension) []CompFor {
	out := make([]CompFor, len(in))
	for i, g := range in {
		if g.IsAsync {
			c.refuse(p, "an asynchronous comprehension")
		}
		out[i] = CompFor{c.target(g.Target), c.expr(g.Iter), c.exprs(g.Ifs)}
	}
	return out
}

func (c *converter) keywords(in []*parser.Keyword) []Keyword {
	if in == nil {
		return nil
	}
	out := make([]Keyword, len(in))
	for i, k := range in {
		out[i] = Keyword{c.at(k.P), c.ident(k.Arg), c.expr(k.Value)}
	}
	return out
}

func (c *converter) params(p parser.Pos, in *parser.Arguments) *Params {
	out := &Params{}
	if in == nil {
		return out
	}
	seen := map[string]bool{}
	one := func(a *parser.Arg) Param {
		if seen[a.Name] {
			c.fail(a.P, "duplicate argument '%s' in function definition", a.Name)
		}
		seen[a.Name] = true
		return Param{c.at(a.P), c.ident(a.Name), c.opt(a.Annotation)}
	}
	for _, a := range in.PosOnly {
		out.Args = append(out.Args, one(a))
	}
	out.PosOnly = len(in.PosOnly)
	for _, a := range in.Args {
		out.Args = append(out.Args, one(a))
	}
	for _, a := range in.KwOnly {
		out.KwOnly = append(out.KwOnly, one(a))
	}
	if in.Vararg != nil {
		star := one(in.Vararg)
		out.Star = &star
	}
	if in.Kwarg != nil {
		star := one(in.Kwarg)
		out.StarStar = &star
	}
	out.Defaults, out.KwDefaults = c.exprs(in.Defaults), c.exprs(in.KwOnlyDef)
	if len(out.Defaults) > len(out.Args) || len(out.KwDefaults) != len(out.KwOnly) {
		c.fail(p, "defaults do not match the parameters")
	}
	return out
}
