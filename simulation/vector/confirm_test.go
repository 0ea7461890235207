package vector

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestConfirm compares every operation with numpy 1.26: with the recorded answers of testdata/confirm.py, and, if
// EDICT_PYTHON names an interpreter that has numpy, with what numpy answers now.
func TestConfirm(t *testing.T) {
	t.Run("recorded", func(t *testing.T) {
		f, err := os.Open("testdata/answers.txt.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		confirm(t, r)
	})
	t.Run("live", func(t *testing.T) {
		python := os.Getenv("EDICT_PYTHON")
		if python == "" {
			t.Skip("EDICT_PYTHON is not set: only the recorded answers were compared")
		}
		cmd := exec.Command(python, "testdata/confirm.py", "full")
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		confirm(t, out)
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	})
}

type confirmation struct {
	rules    Rules
	operands map[string]Column
}

func confirm(t *testing.T, r io.Reader) {
	c := confirmation{operands: map[string]Column{}}
	cases, wrong := 0, 0
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "mode weak":
			c.rules.NEP50 = true
			continue
		case line[0] == '@':
			c.define(t, line[1:])
			continue
		}
		question, want, _ := strings.Cut(line, " = ")
		cases++
		got := c.answer(t, strings.Fields(question))
		if !agree(got, want) {
			if wrong++; wrong <= 40 {
				t.Errorf("%s\nnumpy %.300s\nhere  %.300s", question, want, got)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases, %d differ", cases, wrong)
	if cases < 5000 || wrong > 0 {
		t.Errorf("%d of %d cases differ; at least 5000 are expected", wrong, cases)
	}
}

// agree compares an answer with a recorded digest or a whole answer, which may be cut at 2000 bytes.
func agree(got, want string) bool {
	if len(want) == 8 && !strings.ContainsAny(want, " !") {
		return want == fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(got)))
	}
	return got == want || len(want) == 2000 && strings.HasPrefix(got, want)
}

func (c *confirmation) define(t *testing.T, line string) {
	f := strings.SplitN(line, " ", 4)
	d, err := ParseDType(f[2])
	if err != nil {
		t.Fatal(err)
	}
	form := map[string]Form{"a": Array, "n": NumpyScalar, "p": PyScalar}[f[1]]
	c.operands[f[0]] = parseColumn(t, d, strings.Split(f[3], ",")).As(form)
}

func parseColumn(t *testing.T, d DType, cells []string) Column {
	texts := make([]string, len(cells))
	counts := make([]int64, len(cells))
	floats := make([]float64, len(cells))
	for i, s := range cells {
		switch {
		case d.Type.text():
			b, _ := hex.DecodeString(s)
			texts[i] = string(b)
		case s == "nan":
			floats[i] = math.NaN()
		case d.Type == Float32:
			bits, _ := strconv.ParseUint(s, 16, 32)
			floats[i] = float64(math.Float32frombits(uint32(bits)))
		case d.Type == Float64:
			bits, _ := strconv.ParseUint(s, 16, 64)
			floats[i] = math.Float64frombits(bits)
		default:
			counts[i], _ = strconv.ParseInt(s, 10, 64)
		}
	}
	switch {
	case d.Type.text():
		return Texts(d, texts)
	case d.Type.float():
		return castNumber(Of(floats), d.Type)
	case d.Type.time():
		return raw(d.Type, d.Unit, counts)
	}
	return castNumber(Of(counts), d.Type)
}

func (c *confirmation) answer(t *testing.T, words []string) string {
	var result Column
	var err error
	if words[0] == "random" {
		result, err = c.random(t, words[1], words[2:])
	} else {
		in := make([]Column, len(words)-1)
		for i, name := range words[1:] {
			in[i] = c.operands[name]
		}
		result, err = c.run(t, words[0], in)
	}
	if err != nil {
		var refused *Error
		if !errors.As(err, &refused) {
			t.Fatalf("%v: %v is no *Error", words, err)
		}
		return "!" + string(refused.Kind)
	}
	return describe(result)
}

// describe writes a column as confirm.py does.
func describe(c Column) string {
	var b strings.Builder
	if c.Form() == Array {
		b.WriteString("a ")
	} else {
		b.WriteString("s ")
	}
	b.WriteString(map[Type]string{Bool: "?", Int16: "i2", Int32: "i4", Int64: "i8", Float32: "f4", Float64: "f8", Enum: "i2"}[c.Type()])
	switch d := c.DType(); d.Type {
	case Date, Duration:
		b.WriteString(map[Type]string{Date: "M8", Duration: "m8"}[d.Type])
		if d.Unit != Generic {
			b.WriteString("[" + d.Unit.String() + "]")
		}
	case Str, Bytes:
		fmt.Fprintf(&b, "%c%d", "US"[d.Type-Str], d.Width)
	}
	for i := range c.Len() {
		b.WriteByte(" ,"[min(i, 1)])
		switch {
		case c.Type().text():
			b.WriteString(hex.EncodeToString([]byte(c.Text(i))))
		case c.Type().float() && c.Float(i) != c.Float(i):
			b.WriteString("nan")
		case c.Type() == Float32:
			b.WriteString(strconv.FormatUint(uint64(math.Float32bits(float32(c.Float(i)))), 16))
		case c.Type() == Float64:
			b.WriteString(strconv.FormatUint(math.Float64bits(c.Float(i)), 16))
		default:
			b.WriteString(strconv.FormatInt(c.Int(i), 10))
		}
	}
	if c.Len() == 0 {
		b.WriteByte(' ')
	}
	return b.String()
}

func (c *confirmation) run(t *testing.T, name string, in []Column) (Column, error) {
	r := &c.rules
	if op, ok := ParseOp(name); ok {
		if op.Operands() == 1 {
			return r.Unary(op, in[0])
		}
		return r.Binary(op, in[0], in[1])
	}
	name, arg, _ := strings.Cut(name, ":")
	switch name {
	case "iadd", "isubtract", "imultiply", "idivide":
		op, _ := ParseOp(name[1:])
		return r.Into(op, in[0], in[1])
	case "round":
		d, _ := strconv.Atoi(arg)
		return r.Round(in[0], d)
	case "where":
		return r.Where(in[0], in[1], in[2])
	case "clip":
		return r.Clip(in[0], &in[1], &in[2])
	case "select":
		k := len(in) / 2
		return r.Select(in[:k], in[k:2*k], in[2*k])
	case "cast":
		d, err := ParseDType(arg)
		if err != nil {
			t.Fatal(err)
		}
		return r.Cast(in[0], d)
	case "startswith":
		return StartsWith(in[0], in[1])
	case "busday":
		var mask [7]bool
		for i := range mask {
			mask[i] = arg == "" && i < 5 || arg != "" && arg[i] == '1'
		}
		return r.BusDayCount(validDates(in[0]), validDates(in[1]), mask)
	case "isin":
		return r.IsIn(in[0], in[1])
	case "concat":
		if in[0].Form() != Array {
			return Column{}, valueError("zero-dimensional arrays cannot be concatenated")
		}
		return r.Concat(in...)
	}
	return c.reduction(t, name, in[0])
}

func (c *confirmation) reduction(t *testing.T, name string, a Column) (Column, error) {
	r := &c.rules
	switch name {
	case "sum":
		return r.Sum(a)
	case "mean":
		return r.Mean(a)
	case "min":
		return r.Min(a)
	case "max":
		return r.Max(a)
	case "cumsum":
		return r.CumSum(a)
	case "unique":
		return r.Unique(a)
	case "sort":
		if a.Form() != Array {
			return Column{}, &Error{ValueError, "axis -1 is out of bounds for array of dimension 0"}
		}
		return r.Sort(a)
	}
	t.Fatalf("unknown case %q", name)
	return Column{}, nil
}

// validDates replaces NaT, which busday_count refuses.
func validDates(c Column) Column {
	return mapCounts(nil, c, each(func(v int64) int64 {
		if v == NaT {
			return 0
		}
		return v
	}), false)
}

// uniform gives the numbers of confirm.py.
func uniform(n int, seed uint64, scale float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		z := uint64(i+1)*0x9E3779B97F4A7C15 + seed
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		z ^= z >> 31
		out[i] = (float64(z>>11)*0x1p-53 - 0.5) * scale
	}
	return out
}

func (c *confirmation) random(t *testing.T, name string, args []string) (Column, error) {
	n, _ := strconv.Atoi(args[0])
	seed, _ := strconv.ParseUint(args[1], 10, 64)
	scale, _ := strconv.ParseFloat(args[2], 64)
	d, err := ParseDType(args[3])
	if err != nil {
		t.Fatal(err)
	}
	a := castNumber(Of(uniform(n, seed, scale)), d.Type)
	b := castNumber(Of(uniform(n, seed+1, scale)), d.Type)
	name, arg, _ := strings.Cut(name, ":")
	switch name {
	case "bincount":
		index := make([]int32, n)
		for i := range index {
			index[i] = int32(i % 7)
		}
		return GroupSum(a, index, 7, nil), nil
	case "sumaxis0", "sumaxis1":
		return c.sumAxis(t, name, arg, a)
	case "argsort":
		a, err = c.rules.Unary(Floor, a)
		if err != nil {
			return a, err
		}
		return c.rules.ArgSort(a)
	case "digitize", "digitizeright":
		bins := make([]int64, 20)
		for i := range bins {
			bins[i] = int64(i) - 10
		}
		return c.rules.Digitize(a, Of(bins), name == "digitizeright")
	case "time":
		from, to, _ := strings.Cut(arg, ":")
		d, _ := ParseDType(from)
		u, _ := ParseUnit(to)
		counts := castNumber(a, Int64)
		counts.typ, counts.unit = d.Type, d.Unit
		d.Unit = u
		return c.rules.Cast(counts, d)
	case "busday":
		a.typ, b.typ, a.unit, b.unit = Date, Date, Day, Day
		return c.run(t, name, []Column{a, b})
	}
	if arg != "" {
		name += ":" + arg
	}
	return c.run(t, name, []Column{a, b})
}

func (c *confirmation) sumAxis(t *testing.T, name, arg string, a Column) (Column, error) {
	rows, _ := strconv.Atoi(arg)
	if name == "sumaxis0" {
		table, err := NewTable(a, rows, 11)
		if err != nil {
			t.Fatal(err)
		}
		return c.rules.Reduce(Add, table, 0)
	}
	table, err := NewTable(a, 11, rows)
	if err != nil {
		t.Fatal(err)
	}
	return c.rules.Reduce(Add, table, 1)
}
