package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mutant is one change to one file.
type mutant struct {
	file, function string
	line           int
	source         []byte
	from, to       int // what is replaced
	with           string
	nth            int // among those of the same function with the same texts, from 1
}

// name tells a mutant from all others. It does not depend on lines, so it outlives most edits of the file.
func (m mutant) name() string {
	s := fmt.Sprintf("%s %s: %s -> %s", filepath.ToSlash(m.file), m.function, oneLine(string(m.source[m.from:m.to])), oneLine(m.with))
	if m.nth > 1 {
		s += " #" + strconv.Itoa(m.nth)
	}
	return s
}

func oneLine(s string) string {
	if s = strings.Join(strings.Fields(s), " "); len(s) > 90 {
		s = s[:87] + "..."
	}
	if s == "" {
		return "(nothing)"
	}
	return s
}

// text is the file with the change.
func (m mutant) text() []byte {
	return append(append(append([]byte{}, m.source[:m.from]...), m.with...), m.source[m.to:]...)
}

// find returns every mutant of a package, in the order of its files.
func find(pkg string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := inFile(name, source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has nothing to change: a package is named by its directory, such as messaging/sqlstore", pkg)
	}
	return all, nil
}

// inFile returns the mutants of a file that this system would compile.
func inFile(name string, source []byte) ([]mutant, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	b := &breaker{set: set, file: name, source: source, seen: map[string]int{}}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			b.function = functionName(f)
			ast.Inspect(f.Body, b.node)
		}
	}
	return b.found, nil
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// breaker collects the mutants of one function after the other.
type breaker struct {
	set      *token.FileSet
	file     string
	source   []byte
	function string
	seen     map[string]int
	found    []mutant
}

// swapped is what becomes of an operator.
var swapped = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

func (b *breaker) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		b.condition(n.Cond)
	case *ast.BinaryExpr:
		b.operator(n)
	case *ast.BlockStmt:
		b.statements(n.List)
	case *ast.CaseClause:
		b.statements(n.Body)
	case *ast.CommClause:
		b.statements(n.Body)
	}
	return true
}

// condition turns a condition around. A comparison is turned around by its operator.
func (b *breaker) condition(e ast.Expr) {
	if _, compares := e.(*ast.BinaryExpr); !compares {
		b.add(e.Pos(), e.End(), "!("+b.at(e)+")")
	}
}

// operator swaps an operator, and moves a bound that is written as a number by one. Whether an error is nil is left alone:
// any test that passes through there would notice.
func (b *breaker) operator(e *ast.BinaryExpr) {
	other, ok := swapped[e.Op]
	if !ok || isNil(e.X) || isNil(e.Y) && isError(e.X) {
		return
	}
	b.add(e.Pos(), e.End(), b.at(e.X)+" "+other.String()+" "+b.at(e.Y))
	if lit, ok := e.Y.(*ast.BasicLit); ok && lit.Kind == token.INT {
		b.add(e.Pos(), e.End(), b.at(e.X)+" "+e.Op.String()+" "+lit.Value+"+1")
	}
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}

func isError(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && strings.HasSuffix(strings.ToLower(id.Name), "err")
}

// statements leaves out, one at a time, calls whose result is unused and assignments to what outlives the function.
func (b *breaker) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && b.at(call.Fun) != "panic" {
				b.add(s.Pos(), s.End(), "")
			}
		case *ast.DeferStmt:
			if _, literal := s.Call.Fun.(*ast.FuncLit); !literal {
				b.add(s.Pos(), s.End(), "")
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
			if _, field := s.Lhs[0].(*ast.SelectorExpr); field {
				b.add(s.Pos(), s.End(), "")
			}
		case *ast.IncDecStmt:
			if _, field := s.X.(*ast.SelectorExpr); field {
				b.add(s.Pos(), s.End(), "")
			}
		}
	}
}

func (b *breaker) at(n ast.Node) string {
	return string(b.source[b.offset(n.Pos()):b.offset(n.End())])
}

func (b *breaker) offset(p token.Pos) int { return b.set.Position(p).Offset }

func (b *breaker) add(from, to token.Pos, with string) {
	m := mutant{
		file: b.file, function: b.function, line: b.set.Position(from).Line,
		source: b.source, from: b.offset(from), to: b.offset(to), with: with,
	}
	key := m.name()
	b.seen[key]++
	m.nth = b.seen[key]
	b.found = append(b.found, m)
}
