package vector

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestFormat holds str() and repr() to what CPython 3.11 and numpy 1.26 print.
func TestFormat(t *testing.T) {
	for _, c := range []struct {
		col       Column
		str, repr string
	}{
		{PyFloat(1), "1.0", "1.0"},
		{PyFloat(0.1), "0.1", "0.1"},
		{PyFloat(1e16), "1e+16", "1e+16"},
		{PyFloat(123456789012345680), "1.2345678901234568e+17", "1.2345678901234568e+17"},
		{PyFloat(9999999999999998), "9999999999999998.0", "9999999999999998.0"},
		{PyFloat(0.0001), "0.0001", "0.0001"},
		{PyFloat(0.00001), "1e-05", "1e-05"},
		{PyFloat(math.Copysign(0, -1)), "-0.0", "-0.0"},
		{PyFloat(math.Inf(-1)), "-inf", "-inf"},
		{PyFloat(math.NaN()), "nan", "nan"},
		{Scalar(float32(0.1)), "0.1", "0.1"},
		{Scalar(float32(16777216)), "16777216.0", "16777216.0"},
		{Scalar(float32(1e20)), "1e+20", "1e+20"},
		{PyInt(-7), "-7", "-7"},
		{PyBool(true), "True", "True"},
		{PyStr("l'été"), "l'été", `"l'été"`},
		{PyStr("a\n\\'\""), "a\n\\'\"", `'a\n\\\'"'`},
		{PyBytes("a\x00\xff'"), `b"a\x00\xff'"`, `b"a\x00\xff'"`},
		{DateScalar(Day, 18262), "2020-01-01", "numpy.datetime64('2020-01-01')"},
		{DateScalar(Month, -1), "1969-12", "numpy.datetime64('1969-12')"},
		{DateScalar(Second, 3661), "1970-01-01T01:01:01", "numpy.datetime64('1970-01-01T01:01:01')"},
		{DateScalar(Milli, -1), "1969-12-31T23:59:59.999", "numpy.datetime64('1969-12-31T23:59:59.999')"},
		{DurationScalar(Day, 3), "3 days", "numpy.timedelta64(3,'D')"},
		{DateScalar(Day, NaT), "NaT", "numpy.datetime64('NaT')"},
	} {
		if got := c.col.Format(0); got != c.str {
			t.Errorf("str is %s, want %s", got, c.str)
		}
		if got := c.col.Repr(0); got != c.repr {
			t.Errorf("repr is %s, want %s", got, c.repr)
		}
	}
}

func TestString(t *testing.T) {
	for _, c := range []struct {
		col  Column
		want string
	}{
		{Of([]float64{1, 2.5, -3.125}), "[ 1.     2.5   -3.125]"},
		{Of([]float64{1, 2}), "[1. 2.]"},
		{Of([]float64{1.0 / 3, 1}), "[0.33333333 1.        ]"},
		{Of([]int64{1, -20, 3}), "[  1 -20   3]"},
		{Of([]bool{true, false}), "[ True False]"},
		{Strs([]string{"a", "bc"}), "['a' 'bc']"},
		{Dates(Day, []int64{0, 1}), "['1970-01-01' '1970-01-02']"},
		{Const(2000, int32(7)), "[7 7 7 ... 7 7 7]"},
	} {
		if got := c.col.String(); got != c.want {
			t.Errorf("printed %s, want %s", got, c.want)
		}
	}
}

func TestParseDType(t *testing.T) {
	for text, want := range map[string]string{
		"float32": "float32", "<f4": "float32", "int": "int64", "U5": "<U5", "S": "|S0", "datetime64[D]": "datetime64[D]",
		"m8[Y]": "timedelta64[Y]", "bool": "bool", "O": "object",
	} {
		if d, err := ParseDType(text); err != nil || d.String() != want {
			t.Errorf("ParseDType(%q) is %v, %v; want %s", text, d, err, want)
		}
	}
	for _, text := range []string{"", "floaty", "datetime64[Q]", "datetime64[D", "f4[D]", "U-1", "Ux"} {
		if d, err := ParseDType(text); err == nil {
			t.Errorf("ParseDType(%q) is %v, want an error", text, d)
		}
	}
}

func TestParseDate(t *testing.T) {
	for _, text := range []string{"2020-01-31", "1999-12", "1969", "2000-02-29", "2020-03-05T10", "2020-03-05T10:30:01.250", "-0001-01-01"} {
		c, err := ParseDate(text)
		if err != nil || c.Format(0) != text {
			t.Errorf("ParseDate(%q) is %v, %v", text, c, err)
		}
	}
	for _, text := range []string{"2020-13", "2021-02-29", "2020-1-1", "x", "2020-01-01x", "2020-01-01T24", "20"} {
		if c, err := ParseDate(text); err == nil {
			t.Errorf("ParseDate(%q) is %v, want an error", text, c)
		}
	}
}

func TestCivil(t *testing.T) {
	for days := int64(-800_000); days < 800_000; days += 37 {
		y, m, d := CivilOf(days)
		if back := DaysOf(y, m, d); back != days || d > DaysIn(y, m) {
			t.Fatalf("%d days are %d-%d-%d, which are %d days", days, y, m, d, back)
		}
	}
}

// pyMath computes with Go numbers as elements, enough to hold object columns to their contract.
type pyMath struct{}

func (pyMath) Box(c Column) any {
	switch {
	case c.Type() == Bool:
		return c.Bool(0)
	case c.Type().float():
		return c.Float(0)
	case c.Type().text():
		return c.Text(0)
	}
	return c.Int(0)
}

func (pyMath) Unbox(v any) Column {
	switch v := v.(type) {
	case bool:
		return PyBool(v)
	case int64:
		return PyInt(v)
	case float64:
		return PyFloat(v)
	case string:
		return PyStr(v)
	}
	return PyObject(v)
}

func (m pyMath) Binary(op Op, a, b any) (any, error) {
	c, err := (*Rules)(nil).Binary(op, m.Unbox(a), m.Unbox(b))
	if err != nil {
		return nil, err
	}
	return m.Box(c), nil
}

func (m pyMath) Unary(op Op, a any) (any, error) {
	c, err := (*Rules)(nil).Unary(op, m.Unbox(a))
	if err != nil {
		return nil, err
	}
	return m.Box(c), nil
}

func (m pyMath) Truth(v any) (bool, error) { return m.Unbox(v).Bool(0), nil }

func (m pyMath) Format(v any) (string, error) { return m.Unbox(v).Format(0), nil }

func TestObjects(t *testing.T) {
	r := &Rules{Objects: pyMath{}}
	objects := Objects([]any{int64(1), 2.5, true})
	sum, err := r.Binary(Add, objects, PyInt(1))
	if err != nil || fmt.Sprint(sum.Object(0), sum.Object(1), sum.Object(2)) != "2 3.5 2" {
		t.Errorf("objects + 1 are %v, %v", sum, err)
	}
	equal, err := r.Binary(Equal, objects, PyInt(1))
	if err != nil || describe(equal) != "a ? 1,0,1" {
		t.Errorf("objects == 1 is %v, %v", equal, err)
	}
	floats, err := r.Cast(objects, DType{Type: Float32})
	if err != nil || describe(floats) != "a f4 3f800000,40200000,3f800000" {
		t.Errorf("objects as float32 are %v, %v", floats, err)
	}
	back, err := r.Cast(Of([]int32{1, 2}), DType{Type: Object})
	if err != nil || back.Object(1) != int64(2) {
		t.Errorf("integers as objects are %v, %v", back, err)
	}
	text, err := r.Cast(objects, DType{Type: Str})
	if err != nil || text.Text(1) != "2.5" {
		t.Errorf("objects as text are %v, %v", text, err)
	}
	if _, err := (*Rules)(nil).Binary(Add, objects, PyInt(1)); err == nil {
		t.Error("objects were added without ObjectMath")
	}
}

func TestEnums(t *testing.T) {
	r := &Rules{}
	housing := Enums(testDomain, []int16{0, 1, 2})
	is, err := r.Binary(Equal, housing, EnumConst(1, testDomain, 1))
	if err != nil || describe(is) != "a ? 0,1,0" {
		t.Errorf("housing == tenant is %v, %v", is, err)
	}
	other, err := r.Binary(NotEqual, housing, EnumConst(1, &Domain{Name: "Other"}, 1))
	if err != nil || describe(other) != "a ? 1,0,1" {
		t.Errorf("codes of two domains: %v, %v", other, err)
	}
	masked, err := r.Binary(Multiply, Of([]bool{true, false, true}), housing)
	if err != nil || masked.Domain() != testDomain || describe(masked.Codes()) != describe(Of([]int16{0, 0, 2})) {
		t.Errorf("a mask times housing is %v, %v", masked, err)
	}
	if half, err := r.Binary(Divide, housing, PyInt(2)); err != nil || describe(half) != describe(Of([]float64{0, 0.5, 1})) {
		t.Errorf("half of housing is %v, %v", half, err)
	}
	if _, err := r.Binary(Add, housing, PyInt(1)); err == nil || !strings.Contains(err.Error(), "EnumArrays") {
		t.Errorf("housing + 1 gives %v, want a refusal", err)
	}
	if got := housing.Gather([]int32{2, 2, 0}); got.Domain() != testDomain || got.Text(0) != "free" || got.Text(2) != "owner" {
		t.Errorf("gathered %v", got)
	}
	rates := Of([]float64{0.25, 0.5, 1})
	if got, err := rates.Take(housing); err != nil || describe(got) != describe(rates) {
		t.Errorf("rates[housing] is %v, %v", got, err)
	}
	grid := Table{Of([]float64{1, 2, 3, 4, 5, 6}), 3, 2}
	if got, err := grid.At(housing, PyInt(1)); err != nil || describe(got) != describe(Of([]float64{2, 4, 6})) {
		t.Errorf("grid[housing, 1] is %v, %v", got, err)
	}
	both, err := r.Concat(housing, EnumConst(2, testDomain, 2))
	if err != nil || both.Domain() != testDomain || describe(both) != "a i2 0,1,2,2,2" {
		t.Errorf("concatenated %v, %v", both, err)
	}
}

func TestStride(t *testing.T) {
	digits := Of([]int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	for _, c := range []struct {
		lo, hi, step int
		want         string
	}{
		{2, 5, 1, "[2 3 4]"}, {0, 10, 3, "[0 3 6 9]"}, {0, 9, 3, "[0 3 6]"}, {9, -1, -4, "[9 5 1]"}, {5, 2, 1, "[]"}, {3, 3, -1, "[]"},
	} {
		if got := digits.Stride(c.lo, c.hi, c.step).String(); got != c.want {
			t.Errorf("[%d:%d:%d] is %s, want %s", c.lo, c.hi, c.step, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	r := &Rules{}
	table, err := r.Stack([]Column{Of([]int64{1, 2, 3}), Of([]int64{4, 5, 6})}, 0)
	if err != nil {
		t.Fatal(err)
	}
	cell, err := table.At(PyInt(1), PyInt(-1))
	if err != nil || describe(cell) != "s i8 6" {
		t.Errorf("table[1, -1] is %v, %v", cell, err)
	}
	cells, err := table.At(Of([]int64{0, 1}), Of([]int64{2, 0}))
	if err != nil || describe(cells) != "a i8 3,4" {
		t.Errorf("table[[0, 1], [2, 0]] is %v, %v", cells, err)
	}
	col, err := table.Col(1)
	if err != nil || describe(col) != "a i8 2,5" {
		t.Errorf("table[:, 1] is %v, %v", col, err)
	}
	for axis, want := range map[int]string{0: "a i8 4,5,6", 1: "a i8 3,6"} {
		if got, err := r.Reduce(Maximum, table, axis); err != nil || describe(got) != want {
			t.Errorf("max over axis %d is %v, %v; want %s", axis, got, err, want)
		}
	}
	wide, err := table.Widen(Of([]int64{10, 20}), true)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := r.BinaryTables(Add, table, wide)
	if err != nil || describe(sum.Flat) != "a i8 11,12,13,24,25,26" {
		t.Errorf("table + column[:, newaxis] is %v, %v", sum, err)
	}
	if _, err := table.At(PyInt(2), PyInt(0)); kindOf(err) != IndexError {
		t.Errorf("table[2, 0] gives %v, want an IndexError", err)
	}
}

func kindOf(err error) ErrorKind {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused.Kind
	}
	return ""
}

func TestGroups(t *testing.T) {
	index := []int32{0, 0, 1, 2, 2, 2}
	income := Of([]float32{10, 20, 5, 3, 3, 1})
	mask := []bool{true, false, true, true, true, true}
	everybody, err := Scalar(true).Spread(len(index))
	if err != nil {
		t.Fatal(err)
	}
	rank := func(criteria, condition Column) Column {
		c, err := GroupRank(criteria, condition, index, 4, 3)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, c := range []struct {
		name string
		got  Column
		want string
	}{
		{"sum", GroupSum(income, index, 4, nil), "[30.  5.  7.  0.]"},
		{"masked sum", GroupSum(income, index, 4, mask), "[10.  5.  7.  0.]"},
		{"count", GroupCount(index, 4, mask), "[1 1 3 0]"},
		{"min", GroupMin(income, index, 4, nil), "[10.  5.  1. inf]"},
		{"max", GroupMax(income, index, 4, mask), "[ 10.   5.   3. -inf]"},
		{"all", GroupAll(Of(mask), index, 4, nil), "[False  True  True  True]"},
		{"any", GroupAny(Of(mask), index, 4, nil), "[ True  True  True False]"},
		{"rank", rank(income, everybody), "[0 1 0 1 2 0]"},
		{"masked rank", rank(income, Of(mask)), "[ 0 -1  0  1  2  0]"},
		{"rank of what is no number", rank(Of([]float64{math.NaN(), 20, 5, math.Inf(1), math.NaN(), 1}), everybody), "[2 0 0 1 2 0]"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
	}
}

// TestSharing: stores copy, and only a free operand is written to.
func TestSharing(t *testing.T) {
	r := &Rules{Pool: &Pool{}}
	a := Of([]float32{1, 2, 3})
	if _, err := r.SetAt(a, 0, PyInt(9)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.SetMask(a, Of([]bool{true, true, false}), PyInt(9)); err != nil {
		t.Fatal(err)
	}
	sum, err := r.Binary(Add, a, a)
	if err != nil {
		t.Fatal(err)
	}
	if describe(a) != "a f4 3f800000,40000000,40400000" {
		t.Errorf("the operand became %v", a)
	}
	again, err := r.BinaryReuse(Add, sum, a, true, false)
	if err != nil || again.data != sum.data {
		t.Errorf("a free operand was not reused: %v, %v", again, err)
	}
}

// TestPower holds power to the C library's pow, whose last bit may differ.
func TestPower(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{1.05, 10, 1.628894626777442}, {2, 0.1, 1.0717734625362931}, {10, -3, 0.001}, {1.0000001, 1e7, 2.7182816941320818},
		{0.5, 1000, 9.332636185032189e-302}, {-2, 3, -8}, {7, 13, 96889010407}, {1e-5, 2.5, 3.16227766016838e-13},
	} {
		got := power(c.x, c.y)
		if math.Abs(got-c.want) > math.Abs(c.want)*2.3e-16 {
			t.Errorf("%v ** %v is %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if got := power(0, 0); got != 1 {
		t.Errorf("0 ** 0 is %v", got)
	}
	if got := power(-8, 1.0/3); got == got {
		t.Errorf("(-8) ** (1/3) is %v, want nan", got)
	}
}

func TestRefusals(t *testing.T) {
	r := &Rules{}
	three, two := Of([]int64{1, 2, 3}), Of([]int64{1, 2})
	_, broadcast := r.Binary(Add, three, two)
	_, subtract := r.Binary(Subtract, Of([]bool{true, false}), PyBool(true))
	_, take := three.Take(Of([]int64{0, 3}))
	_, mask := three.Mask(Of([]bool{true, false}))
	_, power := r.Binary(Power, three, PyInt(-1))
	_, empty := r.Max(Of([]float64{}))
	_, cast := r.Cast(Strs([]string{"a", "b"}), DType{Type: Int64})
	_, clip := r.Clip(three, nil, nil)
	_, eight := (&Rules{NEP50: true}).Binary(Add, raw(Int16, Signed8, []int16{1, 2}), PyInt(300))
	_, overflow := (&Rules{NEP50: true}).Binary(Add, Of([]int16{1, 2}), PyInt(70000))
	for i, c := range []struct {
		err  error
		kind ErrorKind
		text string
	}{
		{broadcast, ValueError, "operands could not be broadcast together with shapes (3,) (2,)"},
		{subtract, TypeError, "numpy boolean subtract"},
		{take, IndexError, "index 3 is out of bounds for axis 0 with size 3"},
		{mask, IndexError, "boolean index did not match"},
		{power, ValueError, "Integers to negative integer powers are not allowed."},
		{empty, ValueError, "zero-size array to reduction operation maximum which has no identity"},
		{cast, ValueError, "invalid literal for int() with base 10: 'a'"},
		{clip, ValueError, "One of max or min must be given"},
		{eight, OverflowError, "Python integer 300 out of bounds for int8"},
		{overflow, OverflowError, "Python integer 70000 out of bounds for int16"},
	} {
		if kindOf(c.err) != c.kind || !strings.Contains(c.err.Error(), c.text) {
			t.Errorf("refusal %d is %v, want %s: %s", i, c.err, c.kind, c.text)
		}
	}
}
