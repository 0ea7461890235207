package vector

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tapeOp is something that a program does. Its name is that of the function it tries, or, after a space, says how.
type tapeOp struct {
	name string
	do   func(p *program) ([]Column, error)
}

// put is an operation with one result.
func put(name string, do func(p *program) (Column, error)) tapeOp {
	return tapeOp{name, func(p *program) ([]Column, error) {
		c, err := do(p)
		return []Column{c}, err
	}}
}

// seen is an operation with a result that is no column.
func seen(name string, do func(p *program) Column) tapeOp {
	return put(name, func(p *program) (Column, error) { return do(p), nil })
}

// grouped is an aggregation.
func grouped(name string, do func(Column, []int32, int, []bool) Column) tapeOp {
	return tapeOp{name, func(p *program) ([]Column, error) {
		c, ok := p.members()
		if !ok {
			return nil, nil
		}
		var mask []bool
		if p.IntN(2) == 0 {
			mask = p.mask
		}
		return []Column{do(c, p.groups, 2, mask)}, nil
	}}
}

func (p *program) at(c Column) int { return p.IntN(max(c.Len(), 1)) }

func (p *program) table() (Table, error) {
	c := p.array()
	if n := c.Len(); n%2 == 0 {
		return NewTable(c, 2, n/2)
	}
	return NewTable(c, c.Len(), 1)
}

func (p *program) dtype() DType {
	return []DType{{Type: Bool}, {Type: Int16}, {Type: Int32}, {Type: Int64}, {Type: Float32}, {Type: Float64}, {Type: Date, Unit: Day},
		{Type: Date, Unit: Month}, {Type: Duration, Unit: Day}, {Type: Str}, {Type: Str, Width: 2}, {Type: Bytes}, {Type: Object}}[p.IntN(13)]
}

// tapeOps are the operations of programs.
var tapeOps = slices.Concat(arithmeticOps, indexOps, reduceOps, choiceOps, lookOps, decisionOps)

var arithmeticOps = []tapeOp{
	put("Rules.Binary", func(p *program) (Column, error) { return p.rules.Binary(Op(p.IntN(int(Negative))), p.any(), p.any()) }),
	put("Rules.Binary numbers", func(p *program) (Column, error) {
		return p.rules.Binary(Op(p.IntN(int(Negative))), p.number(), p.number())
	}),
	put("Rules.Binary own", func(p *program) (Column, error) {
		return p.rules.Binary(Op(p.IntN(int(Negative))), p.any(), p.constant())
	}),
	put("Rules.Binary again", func(p *program) (Column, error) {
		op, a, b := Op(p.IntN(int(Negative))), p.number(), p.number()
		if _, err := p.rules.Binary(op, a, b); err != nil {
			return Column{}, err
		}
		return p.rules.Binary(op, a, b)
	}),
	put("Rules.BinaryReuse", func(p *program) (Column, error) {
		// What was computed just now is nobody else's, unless it is taped.
		a, err := p.rules.Binary(Add, p.number(), p.number())
		if err != nil {
			return Column{}, err
		}
		return p.rules.BinaryReuse(Op(p.IntN(int(Negative))), a, p.number(), true, false)
	}),
	put("Rules.Into", func(p *program) (Column, error) { return p.rules.Into(Op(p.IntN(int(Equal))), p.array(), p.any()) }),
	put("Rules.Unary", func(p *program) (Column, error) {
		return p.rules.Unary(Negative+Op(p.IntN(int(IsFinite-Negative)+1)), p.number())
	}),
	put("Rules.Unary any", func(p *program) (Column, error) {
		return p.rules.Unary(Negative+Op(p.IntN(int(IsFinite-Negative)+1)), p.any())
	}),
	put("Rules.Round", func(p *program) (Column, error) { return p.rules.Round(p.number(), p.IntN(4)-1) }),
	put("Rules.Cast", func(p *program) (Column, error) { return p.rules.Cast(p.any(), p.dtype()) }),
	put("Rules.Cast numbers", func(p *program) (Column, error) { return p.rules.Cast(p.number(), p.dtype()) }),
	put("Rules.BusDayCount", func(p *program) (Column, error) {
		days := func(c Column) bool { return c.Type() == Date }
		return p.rules.BusDayCount(p.one(days), p.one(days), [7]bool{true, true, true, true, true})
	}),
	{"Rules.BinaryTables", func(p *program) ([]Column, error) {
		t, err := p.table()
		if err != nil {
			return nil, err
		}
		u, err := p.rules.BinaryTables(Op(p.IntN(int(Negative))), t, t)
		return []Column{u.Flat}, err
	}},
}

var indexOps = []tapeOp{
	put("Column.At", func(p *program) (Column, error) { c := p.any(); return c.At(p.at(c)) }),
	put("Column.At outside", func(p *program) (Column, error) { return p.any().At(p.IntN(8) - 4) }),
	seen("Column.Gather", func(p *program) Column {
		if c, ok := p.members(); ok {
			return c.Gather(p.gather)
		}
		return p.any().Gather([]int32{})
	}),
	seen("Rules.Gather", func(p *program) Column {
		if c, ok := p.members(); ok {
			return p.rules.Gather(c, p.gather)
		}
		return p.rules.Gather(p.any(), []int32{})
	}),
	seen("Column.Gather own", func(p *program) Column {
		c := p.one(func(c Column) bool { return c.Len() > 0 })
		if c.Len() == 0 {
			return c
		}
		return c.Gather([]int32{int32(p.at(c)), int32(p.at(c))})
	}),
	put("Column.Mask", func(p *program) (Column, error) { return p.array().Mask(p.truth()) }),
	put("Rules.SetMask", func(p *program) (Column, error) { return p.rules.SetMask(p.array(), p.truth(), p.any()) }),
	put("Rules.SetAt", func(p *program) (Column, error) { return p.rules.SetAt(p.array(), p.IntN(3)-1, p.any()) }),
	put("Rules.SetTake", func(p *program) (Column, error) { return p.rules.SetTake(p.array(), p.whole(), p.any()) }),
	put("Column.Take", func(p *program) (Column, error) { return p.array().Take(p.whole()) }),
	seen("Column.Scatter", func(p *program) Column {
		c := p.array()
		index := make([]int32, c.Len())
		for i := range index {
			index[i] = int32(p.IntN(3))
		}
		return c.Scatter(3, index)
	}),
	seen("Column.Range", func(p *program) Column { c := p.array(); lo := p.IntN(c.Len() + 1); return c.Range(lo, c.Len()) }),
	seen("Column.Stride", func(p *program) Column { c := p.array(); return c.Stride(c.Len()-1, -1, -1) }),
	seen("Column.Stride two", func(p *program) Column { c := p.array(); return c.Stride(0, c.Len(), 1+p.IntN(2)) }),
	seen("Column.RepeatEach", func(p *program) Column { return p.any().RepeatEach(2) }),
	seen("Column.Tile", func(p *program) Column { return p.any().Tile(2) }),
	seen("Column.Repeat", func(p *program) Column {
		c := p.any()
		counts := make([]int, c.Len())
		for i := range counts {
			counts[i] = p.IntN(3)
		}
		return c.Repeat(counts)
	}),
	put("Rules.Concat", func(p *program) (Column, error) { return p.rules.Concat(p.array(), p.array(), p.constant()) }),
	seen("Column.Compact", func(p *program) Column { return p.any().Compact() }),
	seen("Column.As", func(p *program) Column {
		c := p.any()
		if c.Len() != 1 || c.Type() == Object {
			return c.As(Array)
		}
		return c.As([]Form{Array, NumpyScalar}[p.IntN(2)])
	}),
	put("Column.Spread", func(p *program) (Column, error) { return p.any().Spread(p.n) }),
	seen("Column.Codes", func(p *program) Column {
		return p.one(func(c Column) bool { return c.Type() == Enum }).Codes()
	}),
	put("NewTable", func(p *program) (Column, error) { t, err := p.table(); return t.Flat, err }),
	put("Rules.Stack", func(p *program) (Column, error) {
		a := p.array()
		t, err := p.rules.Stack([]Column{a, a, a}, p.IntN(2))
		return t.Flat, err
	}),
	put("Table.Transpose", func(p *program) (Column, error) { t, err := p.table(); return t.Transpose().Flat, err }),
	put("Table.Row", func(p *program) (Column, error) {
		t, err := p.table()
		if err != nil {
			return Column{}, err
		}
		return t.Row(p.IntN(3) - 1)
	}),
	put("Table.Col", func(p *program) (Column, error) {
		t, err := p.table()
		if err != nil {
			return Column{}, err
		}
		return t.Col(p.IntN(3) - 1)
	}),
	put("Table.At", func(p *program) (Column, error) {
		t, err := p.table()
		if err != nil {
			return Column{}, err
		}
		return t.At(p.whole(), p.whole())
	}),
	put("Table.Widen", func(p *program) (Column, error) {
		t, err := p.table()
		if err != nil {
			return Column{}, err
		}
		u, err := t.Widen(p.any(), p.IntN(2) == 0)
		return u.Flat, err
	}),
	put("Rules.Full", func(p *program) (Column, error) { return p.rules.Full(p.n, p.any(), p.dtype()) }),
}

var reduceOps = []tapeOp{
	put("Rules.Dot", func(p *program) (Column, error) { a := p.number(); return p.rules.Dot(a, a) }),
	put("Rules.Sum", func(p *program) (Column, error) { return p.rules.Sum(p.number()) }),
	put("Rules.Mean", func(p *program) (Column, error) { return p.rules.Mean(p.number()) }),
	put("Rules.Min", func(p *program) (Column, error) { return p.rules.Min(p.any()) }),
	put("Rules.Max", func(p *program) (Column, error) { return p.rules.Max(p.any()) }),
	put("Rules.CumSum", func(p *program) (Column, error) { return p.rules.CumSum(p.number()) }),
	put("Rules.Reduce", func(p *program) (Column, error) {
		t, err := p.table()
		if err != nil {
			return Column{}, err
		}
		return p.rules.Reduce([]Op{Add, Minimum, Maximum}[p.IntN(3)], t, p.IntN(2))
	}),
	grouped("GroupSum", GroupSum), grouped("GroupMin", GroupMin), grouped("GroupMax", GroupMax),
	grouped("GroupAll", GroupAll), grouped("GroupAny", GroupAny),
	{"GroupRank", func(p *program) ([]Column, error) {
		c, ok := p.members()
		if !ok {
			return nil, nil
		}
		who, err := p.rules.Binary(Less, c, p.number())
		if err != nil || who.Len() != c.Len() {
			return nil, err
		}
		ranks, err := GroupRank(c, who, p.groups, 2, p.n)
		return []Column{ranks}, err
	}},
	put("Rules.ArgSort", func(p *program) (Column, error) { return p.rules.ArgSort(p.array()) }),
	put("Rules.Sort", func(p *program) (Column, error) { return p.rules.Sort(p.array()) }),
	put("Rules.Unique", func(p *program) (Column, error) { return p.rules.Unique(p.array()) }),
	put("Rules.IsIn", func(p *program) (Column, error) { return p.rules.IsIn(p.any(), p.any()) }),
	put("Rules.SearchSorted", func(p *program) (Column, error) {
		return p.rules.SearchSorted(p.array(), p.number(), p.IntN(2) == 0)
	}),
	put("Rules.Digitize", func(p *program) (Column, error) { return p.rules.Digitize(p.number(), p.array(), p.IntN(2) == 0) }),
}

var choiceOps = []tapeOp{
	put("Rules.Where", func(p *program) (Column, error) { return p.rules.Where(p.truth(), p.any(), p.any()) }),
	put("Rules.Where numbers", func(p *program) (Column, error) { return p.rules.Where(p.any(), p.number(), p.number()) }),
	put("Rules.Select", func(p *program) (Column, error) {
		return p.rules.Select([]Column{p.truth(), p.truth()}, []Column{p.number(), p.number()}, p.number())
	}),
	put("Rules.Select any", func(p *program) (Column, error) {
		c := p.any()
		return p.rules.Select([]Column{p.truth()}, []Column{c}, c)
	}),
	put("Rules.Clip", func(p *program) (Column, error) {
		lo, hi := p.number(), p.number()
		switch p.IntN(3) {
		case 0:
			return p.rules.Clip(p.number(), &lo, nil)
		case 1:
			return p.rules.Clip(p.number(), nil, &hi)
		}
		return p.rules.Clip(p.number(), &lo, &hi)
	}),
	put("Rules.DivideWhere", func(p *program) (Column, error) {
		return p.rules.DivideWhere(p.number(), p.number(), p.array(), p.truth())
	}),
	put("StartsWith", func(p *program) (Column, error) {
		text := func(c Column) bool { return c.Type() == Str }
		return StartsWith(p.one(text), p.one(text))
	}),
	put("Rules.Promote", func(p *program) (Column, error) {
		d, err := p.rules.Promote(p.number(), p.number(), p.any())
		return PyStr(d.String()), err
	}),
	put("Rules.Promote a scalar", func(p *program) (Column, error) {
		scalar := p.one(func(c Column) bool { return !c.IsArray() && isNumber(c) })
		d, err := p.rules.Promote(scalar, p.one(func(c Column) bool { return c.IsArray() && c.Type() == Int16 }))
		return PyStr(d.String()), err
	}),
	put("Record", func(p *program) (Column, error) {
		return Record(nil, func(r *Rules, in []Column) (Column, error) { return r.Binary(Maximum, in[0], in[1]) }, p.rules, p.number(), p.number())
	}),
	put("Record by key", func(p *program) (Column, error) {
		k := p.IntN(2)
		return Record(recordKey(k), func(r *Rules, in []Column) (Column, error) { return r.Binary(Multiply, in[0], PyInt(int64(k))) }, p.rules, p.number())
	}),
	put("Record that fails", func(p *program) (Column, error) {
		return Record(nil, func(r *Rules, in []Column) (Column, error) {
			if in[0].Len() > 0 && in[0].Bool(0) {
				return Column{}, valueError("the first is true")
			}
			return in[0], nil
		}, p.rules, p.any())
	}),
}

type recordKey int

var lookOps = []tapeOp{
	seen("Column.Float", func(p *program) Column { return p.look(func(c Column, i int) Column { return PyFloat(c.Float(i)) }) }),
	seen("Column.FloatsFrom", func(p *program) Column {
		return p.look(func(c Column, i int) Column {
			out := make([]float64, c.Len()-i)
			c.FloatsFrom(out, i)
			return Of(out)
		})
	}),
	seen("Column.Int", func(p *program) Column { return p.look(func(c Column, i int) Column { return PyInt(c.Int(i)) }) }),
	seen("Column.Bool", func(p *program) Column { return p.look(func(c Column, i int) Column { return PyBool(c.Bool(i)) }) }),
	seen("Column.Text", func(p *program) Column { return p.look(func(c Column, i int) Column { return PyStr(c.Text(i)) }) }),
	seen("Column.Object", func(p *program) Column {
		return p.look(func(c Column, i int) Column { return PyBool(c.Object(i) == any(int64(1))) })
	}),
	seen("Column.Format", func(p *program) Column { return p.look(func(c Column, i int) Column { return PyStr(c.Format(i)) }) }),
	seen("Column.Repr", func(p *program) Column { return p.look(func(c Column, i int) Column { return PyStr(c.Repr(i)) }) }),
	seen("Column.String", func(p *program) Column { return PyStr(p.any().String()) }),
	seen("Column.List", func(p *program) Column { return PyStr(p.array().List(", ")) }),
	seen("Column.Same", func(p *program) Column { return PyBool(p.any().Same(p.any())) }),
	seen("Column.Looked", func(p *program) Column { return p.any().Looked() }),
	seen("Slice", func(p *program) Column { return Of(slices.Clone(Slice[float64](p.number()))) }),
	seen("FlatNonZero", func(p *program) Column { return FlatNonZero(p.array()) }),
	seen("Column structure", func(p *program) Column {
		c := p.any()
		name := ""
		if c.Domain() != nil {
			name = c.Domain().Name
		}
		return PyStr(name + c.DType().String() + string(rune('0'+c.Form())) + string(rune('0'+c.Len())))
	}),
}

func (p *program) look(at func(c Column, i int) Column) Column {
	c := p.any()
	if c.Len() == 0 {
		return PyInt(0)
	}
	return at(c, p.at(c))
}

var decisionOps = []tapeOp{
	put("Rules.Any", func(p *program) (Column, error) {
		holds, err := p.rules.Any(p.number())
		if err == nil && holds {
			return p.rules.Binary(Add, p.number(), PyInt(1))
		}
		return PyBool(holds), err
	}),
	put("Rules.All", func(p *program) (Column, error) {
		holds, err := p.rules.All(p.any())
		if err == nil && holds {
			return p.rules.Binary(Subtract, p.number(), PyInt(1))
		}
		return PyBool(holds), err
	}),
	put("Column.Bool decides", func(p *program) (Column, error) {
		c := p.truth()
		if c.Len() > 0 && c.Bool(0) {
			return p.rules.Binary(Multiply, p.number(), p.number())
		}
		return p.rules.Binary(Maximum, p.number(), p.number())
	}),
	put("Column.Int is an index", func(p *program) (Column, error) {
		c, from := p.whole(), p.array()
		if c.Len() == 0 || from.Len() == 0 {
			return c, nil
		}
		return from.At(int(uint64(c.Int(0)) % uint64(from.Len())))
	}),
	put("Column.Int is a length", func(p *program) (Column, error) {
		c := p.whole()
		if c.Len() == 0 {
			return c, nil
		}
		return PyFloat(1).Spread(int(uint64(c.Int(0)) % 4))
	}),
}

// untried are the exported functions that take columns and are no operations of programs.
var untried = map[string]string{
	"Column.Type": "structure", "Column.Form": "structure", "Column.IsArray": "structure", "Column.Len": "structure",
	"Column.DType": "structure", "Column.Domain": "structure", "Column.Constant": "never of a taped column",
	"Column.Taped": "of tapes", "Column.Plain": "of tapes", "Tape.Input": "of tapes", "Tape.Slot": "of tapes", "Strip.Play": "of tapes",
	"Pool.Put": "not of taped columns", "DataOf": "never of a taped column",
	"Tape.Program": "of tapes of rows", "Player.Play": "of tapes of rows", "Program.ByDay": "of tapes of rows", "ByDay.Days": "of tapes of rows", "Tape.Bind": "of tapes of rows", "Tape.BindMask": "of tapes of rows",
	"Asked": "of tapes of rows", "Fill": "of tapes of rows", "Rules.Place": "of tapes of rows", "Rules.Settled": "of tapes of rows",
	"Rules.CountsNaN": "of operations that are tried", "Rules.Constants": "false of taped columns", "Rules.AllZero": "of tapes of rows",
}

// TestTapeOpsAreComplete fails if an exported function takes a column and no program tries it.
func TestTapeOpsAreComplete(t *testing.T) {
	tried := make(map[string]bool)
	for _, op := range tapeOps {
		name, _, _ := strings.Cut(op.name, " ")
		tried[name] = true
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !takesColumn(f) {
				continue
			}
			found++
			name := functionName(f)
			if _, exempt := untried[name]; !tried[name] && !exempt {
				t.Errorf("%s takes a column: tapeOps has no operation that tries it on taped ones", name)
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d functions that take columns were found", found)
	}
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return typeName(f.Recv.List[0].Type) + "." + f.Name.Name
}

// takesColumn tells whether a function gets columns, or what consists of them.
func takesColumn(f *ast.FuncDecl) bool {
	fields := f.Type.Params.List
	if f.Recv != nil {
		fields = append(slices.Clone(f.Recv.List), fields...)
	}
	return slices.ContainsFunc(fields, func(field *ast.Field) bool {
		name := typeName(field.Type)
		return name == "Column" || name == "Table"
	})
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ArrayType:
		return typeName(e.Elt)
	case *ast.Ellipsis:
		return typeName(e.Elt)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
