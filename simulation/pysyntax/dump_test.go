package pysyntax

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Dump writes the tree exactly as CPython 3.11's ast.dump(ast.parse(source)) does.
func Dump(m *Module) string {
	var d dumper
	d.node("Module", list("body", m.Body), field{"type_ignores", nothing{}})
	return d.String()
}

type dumper struct{ strings.Builder }

// context is what an expression is used for; only ast.dump shows it.
type context string

const (
	load  context = "Load"
	store context = "Store"
	del   context = "Del"
)

// field is one name=value of a dump. Values are of the types that dumper.value knows; an absent
// optional field is a nil Expr or an empty name, and is left out.
type field struct {
	name  string
	value any
}

type (
	nothing struct{} // an empty list
	ident   string   // a quoted name, left out when empty
	opName  string   // an operator
	raw     string
	nodes   []func(*dumper) // a list of nodes
	inCtx   struct {        // an expression with its context
		e   Expr
		ctx context
	}
)

func list[T any](name string, items []T) field { return field{name, items} }

func (d *dumper) node(kind string, fields ...field) {
	d.WriteString(kind + "(")
	first := true
	for _, f := range fields {
		if absent(f.value) {
			continue
		}
		if !first {
			d.WriteString(", ")
		}
		first = false
		d.WriteString(f.name + "=")
		d.value(f.value)
	}
	d.WriteByte(')')
}

func absent(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case ident:
		return v == ""
	case inCtx:
		return v.e == nil
	case *Param:
		return v == nil
	case *FString:
		return v == nil
	}
	return false
}

func many[T any](d *dumper, items []T, one func(T)) {
	d.WriteByte('[')
	for i, it := range items {
		if i > 0 {
			d.WriteString(", ")
		}
		one(it)
	}
	d.WriteByte(']')
}

func (d *dumper) value(v any) {
	switch v := v.(type) {
	case nothing:
		d.WriteString("[]")
	case ident:
		d.WriteString(Quote(string(v)))
	case opName:
		d.WriteString(string(v) + "()")
	case raw:
		d.WriteString(string(v))
	case int:
		d.WriteString(strconv.Itoa(v))
	case inCtx:
		d.expr(v.e, v.ctx)
	case Expr:
		d.expr(v, load)
	case []Expr:
		many(d, v, func(e Expr) { d.optional(e) })
	case []Stmt:
		many(d, v, d.stmt)
	case []CompareOp:
		many(d, v, func(op CompareOp) { d.WriteString(compareOps[op].name + "()") })
	case []string:
		many(d, v, func(s string) { d.WriteString(Quote(s)) })
	case []Keyword:
		many(d, v, func(k Keyword) { d.node("keyword", field{"arg", ident(k.Name)}, field{"value", k.Value}) })
	case []Alias:
		many(d, v, func(a Alias) { d.node("alias", field{"name", ident(a.Name)}, field{"asname", ident(a.As)}) })
	case []Param:
		many(d, v, d.param)
	case *Param:
		d.param(*v)
	case *Params:
		d.params(v)
	case []CompFor:
		many(d, v, d.compFor)
	case []Handler:
		many(d, v, func(h Handler) {
			d.node("ExceptHandler", field{"type", h.Type}, field{"name", ident(h.Name)}, list("body", h.Body))
		})
	case []WithItem:
		many(d, v, func(it WithItem) {
			d.node("withitem", field{"context_expr", it.Context}, field{"optional_vars", inCtx{it.Target, store}})
		})
	case nodes:
		many(d, v, func(f func(*dumper)) { f(d) })
	default:
		fmt.Fprintf(d, "<%T>", v)
	}
}

// inContext is a list of expressions that share a context.
func inContext(es []Expr, ctx context) nodes {
	out := make(nodes, len(es))
	for i, e := range es {
		out[i] = func(d *dumper) { d.expr(e, ctx) }
	}
	return out
}

func (d *dumper) optional(e Expr) {
	if e == nil {
		d.WriteString("None")
		return
	}
	d.expr(e, load)
}

func (d *dumper) param(p Param) {
	d.node("arg", field{"arg", ident(p.Name)}, field{"annotation", p.Annotation})
}

func (d *dumper) params(p *Params) {
	d.node("arguments", list("posonlyargs", p.Args[:p.PosOnly]), list("args", p.Args[p.PosOnly:]),
		field{"vararg", p.Star}, list("kwonlyargs", p.KwOnly), list("kw_defaults", p.KwDefaults),
		field{"kwarg", p.StarStar}, list("defaults", p.Defaults))
}

func (d *dumper) compFor(c CompFor) {
	d.node("comprehension", field{"target", inCtx{c.Target, store}}, field{"iter", c.Iter}, list("ifs", c.Ifs), field{"is_async", 0})
}

func (d *dumper) constant(n *Constant) {
	var text string
	switch v := n.Value.(type) {
	case nil:
		text = "None"
	case bool:
		text = map[bool]string{true: "True", false: "False"}[v]
	case int64:
		text = strconv.FormatInt(v, 10)
	case *big.Int:
		text = v.String()
	case float64:
		text = FormatFloat(v)
	case string:
		text = Quote(v)
	case Bytes:
		text = QuoteBytes(string(v))
	case Ellipsis:
		text = "Ellipsis"
	}
	kind := field{"kind", ident("")}
	if n.U {
		kind.value = ident("u")
	}
	d.node("Constant", field{"value", raw(text)}, kind)
}

func (d *dumper) expr(e Expr, ctx context) {
	in := field{"ctx", opName(ctx)}
	switch n := e.(type) {
	case *Constant:
		d.constant(n)
	case *Name:
		d.node("Name", field{"id", ident(n.ID)}, in)
	case *Unary:
		d.node("UnaryOp", field{"op", opName(unaryOps[n.Op].name)}, field{"operand", n.Operand})
	case *Binary:
		d.node("BinOp", field{"left", n.Left}, field{"op", opName(binaryOps[n.Op].name)}, field{"right", n.Right})
	case *Bool:
		d.node("BoolOp", field{"op", opName(map[bool]string{true: "Or", false: "And"}[n.Or])}, list("values", n.Values))
	case *Compare:
		d.node("Compare", field{"left", n.Left}, list("ops", n.Ops), list("comparators", n.Rights))
	case *Attribute:
		d.node("Attribute", field{"value", n.Value}, field{"attr", ident(n.Attr)}, in)
	case *Subscript:
		d.node("Subscript", field{"value", n.Value}, field{"slice", n.Index}, in)
	case *Slice:
		d.node("Slice", field{"lower", n.Lower}, field{"upper", n.Upper}, field{"step", n.Step})
	case *Call:
		d.node("Call", field{"func", n.Func}, list("args", n.Args), list("keywords", n.Keywords))
	case *List:
		d.node("List", field{"elts", inContext(n.Elts, ctx)}, in)
	case *Tuple:
		d.node("Tuple", field{"elts", inContext(n.Elts, ctx)}, in)
	case *Set:
		d.node("Set", list("elts", n.Elts))
	case *Dict:
		keys, values := make([]Expr, len(n.Items)), make([]Expr, len(n.Items))
		for i, item := range n.Items {
			keys[i], values[i] = item.Key, item.Value
		}
		d.node("Dict", list("keys", keys), list("values", values))
	case *Comp:
		d.comp(n)
	case *Lambda:
		d.node("Lambda", field{"args", n.Params}, field{"body", n.Body})
	case *Walrus:
		d.node("NamedExpr", field{"target", inCtx{n.Target, store}}, field{"value", n.Value})
	case *Starred:
		d.node("Starred", field{"value", inCtx{n.Value, ctx}}, in)
	case *Yield:
		d.node("Yield", field{"value", n.Value})
	case *YieldFrom:
		d.node("YieldFrom", field{"value", n.Value})
	case *FString:
		d.node("JoinedStr", list("values", n.Values))
	case *Formatted:
		conversion := raw("-1")
		if n.Conversion != 0 {
			conversion = raw(strconv.Itoa(int(n.Conversion)))
		}
		d.node("FormattedValue", field{"value", n.Value}, field{"conversion", conversion}, field{"format_spec", n.Spec})
	case *IfExp:
		d.node("IfExp", field{"test", n.Test}, field{"body", n.Body}, field{"orelse", n.Else})
	}
}

func (d *dumper) comp(n *Comp) {
	fors := list("generators", n.For)
	switch n.Kind {
	case ListComp:
		d.node("ListComp", field{"elt", n.Elt}, fors)
	case SetComp:
		d.node("SetComp", field{"elt", n.Elt}, fors)
	case DictComp:
		d.node("DictComp", field{"key", n.Elt}, field{"value", n.Value}, fors)
	case Generator:
		d.node("GeneratorExp", field{"elt", n.Elt}, fors)
	}
}

func (d *dumper) stmt(s Stmt) {
	switch n := s.(type) {
	case *ExprStmt:
		d.node("Expr", field{"value", n.Value})
	case *Assign:
		d.node("Assign", field{"targets", inContext(n.Targets, store)}, field{"value", n.Value})
	case *AugAssign:
		d.node("AugAssign", field{"target", inCtx{n.Target, store}}, field{"op", opName(binaryOps[n.Op].name)}, field{"value", n.Value})
	case *AnnAssign:
		simple := map[bool]int{true: 1, false: 0}[n.Simple]
		d.node("AnnAssign", field{"target", inCtx{n.Target, store}}, field{"annotation", n.Annotation}, field{"value", n.Value}, field{"simple", simple})
	case *Return:
		d.node("Return", field{"value", n.Value})
	case *Raise:
		d.node("Raise", field{"exc", n.Exc}, field{"cause", n.Cause})
	case *Pass:
		d.node("Pass")
	case *Break:
		d.node("Break")
	case *Continue:
		d.node("Continue")
	case *Import:
		d.node("Import", list("names", n.Names))
	case *ImportFrom:
		d.node("ImportFrom", field{"module", ident(n.Module)}, list("names", n.Names), field{"level", n.Level})
	case *Global:
		d.node("Global", list("names", n.Names))
	case *Nonlocal:
		d.node("Nonlocal", list("names", n.Names))
	case *Delete:
		d.node("Delete", field{"targets", inContext(n.Targets, del)})
	case *Assert:
		d.node("Assert", field{"test", n.Test}, field{"msg", n.Msg})
	case *If:
		d.node("If", field{"test", n.Test}, list("body", n.Body), list("orelse", n.Else))
	case *While:
		d.node("While", field{"test", n.Test}, list("body", n.Body), list("orelse", n.Else))
	case *For:
		d.node("For", field{"target", inCtx{n.Target, store}}, field{"iter", n.Iter}, list("body", n.Body), list("orelse", n.Else))
	case *Try:
		d.node("Try", list("body", n.Body), list("handlers", n.Handlers), list("orelse", n.Else), list("finalbody", n.Finally))
	case *With:
		d.node("With", list("items", n.Items), list("body", n.Body))
	case *FunctionDef:
		d.node("FunctionDef", field{"name", ident(n.Name)}, field{"args", n.Params}, list("body", n.Statements()),
			list("decorator_list", n.Decorators), field{"returns", n.Returns})
	case *ClassDef:
		d.node("ClassDef", field{"name", ident(n.Name)}, list("bases", n.Bases), list("keywords", n.Keywords),
			list("body", n.Body), list("decorator_list", n.Decorators))
	}
}
