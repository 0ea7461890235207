package vector

import (
	"math"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// loose gives c with every element stored, as if it varied.
func loose(c Column) Column {
	n := int(c.n)
	if !c.constant || n < 2 {
		return c
	}
	form := c.form
	switch {
	case c.typ == Enum:
		out := make([]int16, n)
		for i := range out {
			out[i] = int16(c.bits)
		}
		c = Enums(c.Domain(), out)
	case c.typ.text():
		c = Texts(c.DType(), joinedAny([]Column{c}, Column.Text))
	case c.typ == Object:
		c = Objects(joinedAny([]Column{c}, Column.Object))
	default:
		one := c
		one.n = 1
		parts := make([]Column, n)
		for i := range parts {
			parts[i] = one
		}
		c = join(c.DType(), parts)
	}
	c.form = form
	return c
}

var testDomain = &Domain{Name: "Housing", Members: []string{"owner", "tenant", "free"}}

// drawColumn draws a constant or varying column of length n, or a scalar.
func drawColumn(t *rapid.T, n int, label string) Column {
	c := drawArray(t, n, label)
	switch form := rapid.SampledFrom([]Form{Array, Array, Array, NumpyScalar, PyScalar}).Draw(t, label+" form"); {
	case form == Array || n == 0 || c.typ == Enum:
		return c
	case form == NumpyScalar || c.typ.time():
		return c.at(0)
	default:
		return pythonScalar(c.at(0))
	}
}

func pythonScalar(c Column) Column {
	switch {
	case c.typ == Bool:
		return PyBool(c.Bool(0))
	case c.typ.integer():
		return PyInt(c.Int(0))
	case c.typ.float():
		return PyFloat(c.Float(0))
	}
	return c.As(PyScalar)
}

func drawArray(t *rapid.T, n int, label string) Column {
	typ := rapid.SampledFrom([]Type{Bool, Int16, Int32, Int64, Float32, Float64, Date, Duration, Enum, Str, Bytes}).Draw(t, label+" type")
	size := n
	if rapid.Bool().Draw(t, label+" constant") {
		size = 1
	}
	spread := func(c Column) Column {
		c.n = int32(n)
		return c
	}
	ints := rapid.OneOf(rapid.Int64Range(-5, 5), rapid.Int64(), rapid.SampledFrom([]int64{NaT, math.MaxInt64, 70000, 40000}))
	switch {
	case typ.text():
		return spread(Texts(DType{Type: typ, Width: 3}, rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b1", "12", "-3"}), size, size).Draw(t, label)))
	case typ == Enum:
		return spread(Enums(testDomain, rapid.SliceOfN(rapid.Int16Range(0, 2), size, size).Draw(t, label)))
	case typ.float():
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1e4, 1e4), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1)})), size, size).Draw(t, label)
		return spread(castNumber(Of(values), typ))
	case typ.time():
		unit := rapid.SampledFrom([]Unit{Year, Month, Day}).Draw(t, label+" unit")
		return spread(raw(typ, unit, rapid.SliceOfN(rapid.Int64Range(-40000, 40000), size, size).Draw(t, label)))
	}
	return spread(castNumber(Of(rapid.SliceOfN(ints, size, size).Draw(t, label)), typ))
}

// TestConstantFlag: whether columns are stored as constants never changes a result, its type or its error.
func TestConstantFlag(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		in := []Column{drawColumn(t, n, "a"), drawColumn(t, n, "b"), drawColumn(t, n, "c")}
		stored := make([]Column, len(in))
		for i, c := range in {
			stored[i] = loose(c)
		}
		r := &Rules{NEP50: rapid.Bool().Draw(t, "nep50")}
		for name, run := range drawChoice(t, n).everything(n) {
			want, got := outcome(run(r, stored)), outcome(run(r, in))
			if want != got {
				t.Fatalf("%s of %v %v %v\nstored   %s\nconstant %s", name, in[0], in[1], in[2], want, got)
			}
		}
	})
}

// TestConstantFlagOfEveryKind is TestConstantFlag for every pair of kinds of columns and every operator, so that none is
// left to luck.
func TestConstantFlagOfEveryKind(t *testing.T) {
	const n = 3
	conditions := []Column{Of([]bool{true, false, true}), Const(n, true), Of([]int32{0, 1, 0}), Const(n, float32(0))}
	pairs, op := 0, Op(0)
	for _, a := range everyKind(n) {
		for _, b := range everyKind(n) {
			// Every operation for every pair; operators and casts take turns over them, faster than the pairs do.
			for range 3 {
				c := choice{op: op % (NextAfter + 1), one: Negative + op%(IsFinite-Negative+1), cast: castTypes[int(op)%len(castTypes)], index: []int32{2, 0, 2}, at: 1}
				checkConstants(t, c.everything(n), []Column{a, b, conditions[int(op)%len(conditions)]}, &Rules{NEP50: op%2 == 0})
				op = (op + 7) % 240
			}
			for op := range NextAfter + 1 {
				checkConstants(t, map[string]operation{op.String(): binaryOf(op), "into": intoOf(op)}, []Column{a, b}, &Rules{})
			}
			pairs++
		}
	}
	t.Logf("%d pairs", pairs)
}

func checkConstants(t *testing.T, ops map[string]operation, in []Column, r *Rules) {
	t.Helper()
	stored := make([]Column, len(in))
	for i, c := range in {
		stored[i] = loose(c)
	}
	for name, run := range ops {
		if want, got := outcome(run(r, stored)), outcome(run(r, in)); want != got {
			t.Errorf("%s of %v\nstored   %s\nconstant %s", name, in, want, got)
		}
	}
}

// everyKind is a column of every type and form: varying, constant, scalar of numpy, scalar of Python.
func everyKind(n int) []Column {
	varying := []Column{
		Of([]bool{true, false, true}), castNumber(Of([]int64{3, 0, -2}), Int16), castNumber(Of([]int64{3, 0, -2}), Int32), Of([]int64{3, 0, -2}),
		Of([]float32{1.5, 0, -2}), Of([]float64{1.5, 0, -2}), Dates(Day, []int64{10, -40, 20}), raw(Duration, Month, []int64{3, 0, -2}),
		Enums(testDomain, []int16{1, 0, 2}), Texts(DType{Type: Str, Width: 3}, []string{"1", "", "b1"}), Texts(DType{Type: Bytes, Width: 3}, []string{"1", "", "b1"}),
	}
	var all []Column
	for _, c := range varying {
		constant := c.at(0).As(Array)
		constant.n = int32(n)
		all = append(all, c, constant)
		if c.typ != Enum {
			all = append(all, c.at(0))
		}
		if c.typ != Enum && !c.typ.time() {
			all = append(all, pythonScalar(c.at(0)))
		}
	}
	return all
}

func outcome(c Column, err error) string {
	if err != nil {
		return "!" + err.Error()
	}
	if c.n == 1 && !c.constant {
		return "a column of length 1 that is not constant"
	}
	return describe(c)
}

type operation func(r *Rules, in []Column) (Column, error)

// choice is what operations need besides columns.
type choice struct {
	op, one Op     // with two columns and with one
	cast    string // the type to cast to
	index   []int32
	at      int
}

var castTypes = []string{"bool", "i2", "i4", "i8", "f4", "f8", "U", "U2", "S", "M8[D]", "m8[Y]", "M8[M]"}

func drawChoice(t *rapid.T, n int) choice {
	c := choice{
		op: Op(rapid.IntRange(0, int(NextAfter)).Draw(t, "op")), one: Op(rapid.IntRange(int(Negative), int(IsFinite)).Draw(t, "unary")),
		cast: rapid.SampledFrom(castTypes).Draw(t, "cast"), index: make([]int32, n),
	}
	for i := range c.index {
		c.index[i] = int32(rapid.IntRange(0, 2).Draw(t, "group"))
	}
	c.at = rapid.IntRange(0, n-1).Draw(t, "at")
	return c
}

func binaryOf(op Op) operation {
	return func(r *Rules, in []Column) (Column, error) { return r.Binary(op, in[0], in[1]) }
}

func intoOf(op Op) operation {
	return func(r *Rules, in []Column) (Column, error) { return r.Into(op, in[0], in[1]) }
}

// everything lists the operations of the package on up to three columns of length n.
func (k choice) everything(n int) map[string]operation {
	op, one, index, at := k.op, k.one, k.index, k.at
	to, _ := ParseDType(k.cast)
	fine := func(f func(in []Column) Column) operation {
		return func(_ *Rules, in []Column) (Column, error) {
			whole, err := in[0].Spread(n)
			if err != nil {
				return Column{}, err
			}
			return f([]Column{whole, in[1], in[2]}), nil
		}
	}
	ops := map[string]operation{
		op.String():  binaryOf(op),
		one.String(): func(r *Rules, in []Column) (Column, error) { return r.Unary(one, in[0]) },
		"into":       intoOf(op),
		"where":      func(r *Rules, in []Column) (Column, error) { return r.Where(in[2], in[0], in[1]) },
		"clip":       func(r *Rules, in []Column) (Column, error) { return r.Clip(in[0], &in[1], &in[2]) },
		"round":      func(r *Rules, in []Column) (Column, error) { return r.Round(in[0], 2) },
		"cast":       func(r *Rules, in []Column) (Column, error) { return r.Cast(in[0], to) },
		"isin":       func(r *Rules, in []Column) (Column, error) { return r.IsIn(in[0], in[1]) },
		"search":     func(r *Rules, in []Column) (Column, error) { return r.SearchSorted(in[0], in[1], true) },
		"concat":     func(r *Rules, in []Column) (Column, error) { return r.Concat(in[0].As(Array), in[1].As(Array)) },
		"select": func(r *Rules, in []Column) (Column, error) {
			return r.Select([]Column{in[2], in[2]}, []Column{in[0], in[1]}, in[0])
		},
		"divide where":  func(r *Rules, in []Column) (Column, error) { return r.DivideWhere(in[0], in[1], in[0], in[2]) },
		"starts with":   func(_ *Rules, in []Column) (Column, error) { return StartsWith(in[0], in[1]) },
		"mask":          func(_ *Rules, in []Column) (Column, error) { return in[0].Mask(in[2]) },
		"set mask":      func(r *Rules, in []Column) (Column, error) { return r.SetMask(in[0], in[2], in[1]) },
		"set at":        func(r *Rules, in []Column) (Column, error) { return r.SetAt(in[0], at, in[1]) },
		"take":          func(_ *Rules, in []Column) (Column, error) { return in[0].Take(in[1]) },
		"flat non zero": fine(func(in []Column) Column { return FlatNonZero(in[0]) }),
		"gather":        fine(func(in []Column) Column { return in[0].Gather([]int32{0, 1, 0}) }),
		"scatter":       fine(func(in []Column) Column { return in[0].Range(0, 2).Scatter(5, []int32{3, 1}) }),
		"repeat":        fine(func(in []Column) Column { return in[0].RepeatEach(3) }),
		"tile":          fine(func(in []Column) Column { return in[0].Tile(2) }),
		"stride":        fine(func(in []Column) Column { return in[0].Stride(1, -1, -1) }),
		"compact":       fine(func(in []Column) Column { return in[0].Compact() }),
		"group all":     fine(func(in []Column) Column { return GroupAll(in[0], index, 3, nil) }),
		"group any":     fine(func(in []Column) Column { return GroupAny(in[0], index, 3, nil) }),
		"group sum":     fine(func(in []Column) Column { return GroupSum(in[0], index, 3, nil) }),
		"group min":     fine(func(in []Column) Column { return GroupMin(in[0], index, 3, nil) }),
		"group max":     fine(func(in []Column) Column { return GroupMax(in[0], index, 3, nil) }),
		"group rank":    func(_ *Rules, in []Column) (Column, error) { return GroupRank(in[0], in[2], index, 3, len(index)) },
	}
	for name, f := range map[string]func(*Rules, Column) (Column, error){
		"sum": (*Rules).Sum, "mean": (*Rules).Mean, "min": (*Rules).Min, "max": (*Rules).Max, "cumsum": (*Rules).CumSum,
		"sort": (*Rules).Sort, "unique": (*Rules).Unique,
	} {
		ops[name] = func(r *Rules, in []Column) (Column, error) { return f(r, in[0]) }
	}
	return ops
}

// TestLongSums: the sum of a constant is the sum of its elements in numpy's order, whatever the length.
func TestLongSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Const(rapid.IntRange(2, 40000).Draw(t, "n"), rapid.Float32().Draw(t, "v"))
		want, err := (*Rules)(nil).Sum(loose(c))
		got, err2 := (*Rules)(nil).Sum(c)
		if err != nil || err2 != nil || describe(want) != describe(got) {
			t.Fatalf("sum of %d times %s: stored %v, constant %v", c.Len(), c.Format(0), want, got)
		}
	})
}

// TestWideKernels: long columns go through the processor's vector instructions, short ones through plain loops.
func TestWideKernels(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, math.NaN(), math.Inf(1), math.Inf(-1), 1e30, 1e-30, 3, 7.5}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(30, 600).Draw(t, "n")
		typ := rapid.SampledFrom([]Type{Float32, Float64}).Draw(t, "type")
		draw := func(label string) Column {
			return castNumber(Of(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(special), rapid.Float64Range(-1e6, 1e6)), n, n).Draw(t, label)), typ)
		}
		a, b := draw("a"), draw("b")
		op := rapid.SampledFrom([]Op{Add, Subtract, Multiply, Divide, Minimum, Maximum}).Draw(t, "op")
		whole, err := (*Rules)(nil).Binary(op, a, b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			one, err := (*Rules)(nil).Binary(op, a.at(i), b.at(i))
			if err != nil || describe(one) != describe(whole.at(i)) {
				t.Fatalf("%s(%s, %s) is %s alone and %s among %d", op, a.Format(i), b.Format(i), one.Format(0), whole.Format(i), n)
			}
		}
	})
}

func TestColumnIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(Column{}); size != 24 {
		t.Errorf("a Column takes %d bytes, want 24", size)
	}
}

// TestTextIntoEnum: a text cannot become a code, whether the columns are constant or not.
func TestTextIntoEnum(t *testing.T) {
	r := &Rules{}
	codes := Enums(testDomain, []int16{0, 1, 2})
	text := Texts(DType{Type: Str, Width: 3}, []string{"1", "2", "3"})
	if c, err := r.SetMask(codes, Of([]bool{true, true, true}), text); err == nil {
		t.Errorf("texts became codes: %v", c)
	}
}
