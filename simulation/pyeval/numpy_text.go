package pyeval

import (
	"bytes"
	"math"
	"strings"

	"edict/simulation/vector"
)

// charTable is numpy.char and numpy.core.defchararray, in alphabetical order.
func charTable() Table {
	return Table{
		"add":        Pure("add", charAdd),
		"decode":     charMap("decode", vector.Str, func(s string) string { return s }),
		"encode":     charMap("encode", vector.Bytes, func(s string) string { return s }),
		"endswith":   charTest("endswith", strings.HasSuffix),
		"equal":      ufunc2("equal", vector.Equal),
		"lower":      charMap("lower", vector.Str, strings.ToLower),
		"not_equal":  ufunc2("not_equal", vector.NotEqual),
		"startswith": Pure("startswith", charStartswith),
		"strip":      charMap("strip", vector.Str, strings.TrimSpace),
		"upper":      charMap("upper", vector.Str, strings.ToUpper),
		"zfill":      Pure("zfill", charZfill),
	}
}

func charStartswith(th *Thread, args []Value, kws []Kw) Value {
	var a, prefix Value
	th.Unpack("startswith", args, kws, "a", &a, "prefix", &prefix)
	return Col(th.must(vector.StartsWith(th.textOperand(a), th.textOperand(prefix))))
}

// textOperand reads text; an array of str objects, which is what a variable of type str holds, counts as text.
func (th *Thread) textOperand(v Value) vector.Column {
	c := th.operand("char", v)
	if c.Type() == vector.Object {
		c = th.cast(c, vector.DType{Type: vector.Str})
	}
	if t := c.Type(); t != vector.Str && t != vector.Bytes {
		th.Raise(TypeError, "string operation on non-string array")
	}
	return c
}

func charTest(name string, test func(s, t string) bool) Value {
	return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
		var a, other Value
		th.Unpack(name, args, kws, "a", &a, "suffix", &other)
		c, d := th.textOperand(a), th.textOperand(other)
		form := min(c.Form(), d.Form(), vector.NumpyScalar)
		n := max(c.Len(), d.Len())
		c, d = th.must(c.Spread(n)), th.must(d.Spread(n))
		out := make([]bool, n)
		for i := range out {
			th.step()
			th.work(len(c.Text(i)))
			out[i] = test(c.Text(i), d.Text(i))
		}
		return Value{c: vector.Of(out).As(form)}
	})
}

func charMap(name string, t vector.Type, f func(string) string) Value {
	return Pure(name, func(th *Thread, args []Value, _ []Kw) Value {
		if len(args) == 0 {
			th.Raise(TypeError, "%s() missing 1 required positional argument: 'a'", name)
		}
		c := th.textOperand(args[0])
		out := make([]string, c.Len())
		for i := range out {
			th.step()
			th.allocText(len(c.Text(i)))
			out[i] = f(c.Text(i))
		}
		kind := t
		if c.Type() == vector.Bytes && name != "decode" {
			kind = vector.Bytes
		}
		return Value{c: vector.Texts(vector.DType{Type: kind}, out).As(c.Form())}
	})
}

func charAdd(th *Thread, args []Value, kws []Kw) Value {
	var a, b Value
	th.Unpack("add", args, kws, "x1", &a, "x2", &b)
	c, d := th.textOperand(a), th.textOperand(b)
	n := max(c.Len(), d.Len())
	c, d = th.must(c.Spread(n)), th.must(d.Spread(n))
	out := make([]string, n)
	for i := range out {
		th.step()
		th.allocText(len(c.Text(i)) + len(d.Text(i)))
		out[i] = c.Text(i) + d.Text(i)
	}
	return Value{c: vector.Texts(vector.DType{Type: c.Type()}, out)}
}

func charZfill(th *Thread, args []Value, kws []Kw) Value {
	var a Value
	var width int
	th.Unpack("zfill", args, kws, "a", &a, "width", &width)
	c := th.textOperand(a)
	th.elements(c.Len(), max(width, 0))
	out := make([]string, c.Len())
	for i := range out {
		out[i] = strMethods["zfill"](th, c.Text(i), []Value{Int(int64(width))}, nil).text()
	}
	return Value{c: vector.Strs(out).As(c.Form())}
}

// text is the text of a str value, else "".
func (v Value) text() string {
	s, _ := v.AsString()
	return s
}

// pathName reads a path: text, or an object with __fspath__.
func (th *Thread) pathName(v Value) (string, bool) {
	if p, ok := th.special0(v, "__fspath__"); ok {
		return p.AsString()
	}
	return v.AsString()
}

// numpyGenfromtxt reads a table of numbers or text from a file of the package, or from lines.
func numpyGenfromtxt(th *Thread, args []Value, kws []Kw) Value {
	var src Value
	dtype, delimiter, skip, ignored := None, None, 0, None
	columns := None
	th.Unpack("genfromtxt", args, kws, "fname", &src, "dtype?", &dtype, "*comments?", &ignored, "*delimiter?", &delimiter,
		"*skip_header?", &skip, "*skiprows?", &skip, "*encoding?", &ignored, "*usecols?", &columns, "*names?", &ignored,
		"*filling_values?", &ignored, "*autostrip?", &ignored)
	d := vector.DType{Type: vector.Float64}
	if !dtype.IsNone() {
		d = th.dtype(dtype)
	}
	separator := ""
	if !delimiter.IsNone() {
		separator = th.mustString(delimiter, "delimiter")
	}
	rows := th.textRows(src, separator, skip)
	if !columns.IsNone() {
		rows = th.useColumns(rows, columns)
	}
	return th.tableOfText(rows, d)
}

// textRows splits the lines of a file, or of a list, into fields; comments begin with #.
func (th *Thread) textRows(src Value, separator string, skip int) [][]string {
	var lines []string
	if name, ok := th.pathName(src); ok {
		data, err := th.prog.ReadFile(name)
		if err != nil {
			th.fileError(name, err)
		}
		th.allocText(len(data))
		th.allocMany(bytes.Count(data, []byte("\n"))+1, 16)
		lines = strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	} else {
		th.Each(src, func(v Value) bool {
			lines = append(lines, v.text())
			return true
		})
	}
	var rows [][]string
	for i, line := range lines {
		th.step()
		line, _, _ = strings.Cut(line, "#")
		if i < skip || strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Fields(line)
		if separator != "" {
			fields = strings.Split(strings.TrimRight(line, "\r\n"), separator)
		}
		if len(rows) > 0 && len(fields) != len(rows[0]) {
			th.Raise(ValueError, "Some errors were detected ! Line #%d (got %d columns instead of %d)", i+1, len(fields), len(rows[0]))
		}
		th.allocMany(len(fields), 16)
		rows = append(rows, fields)
	}
	return rows
}

func (th *Thread) useColumns(rows [][]string, columns Value) [][]string {
	wanted := []Value{columns}
	if columns.o != nil {
		wanted = th.Collect(columns)
	}
	out := make([][]string, len(rows))
	for i, row := range rows {
		for _, k := range wanted {
			th.step()
			th.Alloc(16)
			out[i] = append(out[i], row[th.position(th.indexOf(k, "usecols"), len(row), "usecols")])
		}
	}
	return out
}

// tableOfText parses fields: a table, or an array if there is one row or one column.
func (th *Thread) tableOfText(rows [][]string, d vector.DType) Value {
	var flat []string
	for _, row := range rows {
		for _, f := range row {
			flat = append(flat, strings.TrimSpace(f))
		}
	}
	c := th.parseFields(flat, d)
	if len(rows) <= 1 || len(rows[0]) == 1 {
		return Value{c: c}
	}
	return th.reshape(c, []Value{Int(int64(len(rows))), Int(int64(len(rows[0])))})
}

// parseFields reads fields as genfromtxt does: what is no number is nan, or -1 among integers.
func (th *Thread) parseFields(fields []string, d vector.DType) vector.Column {
	if d.Type == vector.Str || d.Type == vector.Bytes {
		return vector.Texts(d, fields)
	}
	floats := make([]float64, len(fields))
	for i, f := range fields {
		v, err := vector.ParseFloat(f)
		switch {
		case err == nil:
		case d.Type == vector.Float32 || d.Type == vector.Float64:
			v = math.NaN()
		default:
			v = -1
		}
		floats[i] = v
	}
	return th.cast(vector.Of(floats), d)
}
