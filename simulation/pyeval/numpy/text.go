package numpy

// This file defines numpy.char, and the reading of tables from texts.

import (
	"bytes"
	"math"
	"strings"

	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/stdlib"
	"edict/simulation/vector"
)

// charTable is numpy.char and numpy.core.defchararray, in alphabetical order.
func charTable() py.Table {
	return py.Table{
		"add":        py.Pure("add", charAdd),
		"decode":     charMap("decode", vector.Str, func(s string) string { return s }),
		"encode":     charMap("encode", vector.Bytes, func(s string) string { return s }),
		"endswith":   charTest("endswith", strings.HasSuffix),
		"equal":      ufunc2("equal", vector.Equal),
		"lower":      charMap("lower", vector.Str, strings.ToLower),
		"not_equal":  ufunc2("not_equal", vector.NotEqual),
		"startswith": py.Pure("startswith", charStartswith),
		"strip":      charMap("strip", vector.Str, strings.TrimSpace),
		"upper":      charMap("upper", vector.Str, strings.ToUpper),
		"zfill":      py.Pure("zfill", charZfill),
	}
}

func charStartswith(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, prefix py.Value
	th.Unpack("startswith", args, kws, "a", &a, "prefix", &prefix)
	return py.Col(th.Must(vector.StartsWith(textOperand(th, a), textOperand(th, prefix))))
}

// textOperand reads text; an array of str objects, which is what a variable of type str holds, counts as text.
func textOperand(th *py.Thread, v py.Value) vector.Column {
	c := operand(th, "char", v)
	if c.Type() == vector.Object {
		c = castColumn(th, c, vector.DType{Type: vector.Str})
	}
	if t := c.Type(); t != vector.Str && t != vector.Bytes {
		th.Raise(py.TypeError, "string operation on non-string array")
	}
	return c
}

func charTest(name string, test func(s, t string) bool) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var a, other py.Value
		th.Unpack(name, args, kws, "a", &a, "suffix", &other)
		c, d := textOperand(th, a), textOperand(th, other)
		form := min(c.Form(), d.Form(), vector.NumpyScalar)
		n := max(c.Len(), d.Len())
		c, d = th.Must(c.Spread(n)), th.Must(d.Spread(n))
		out := make([]bool, n)
		for i := range out {
			th.Tick(1)
			th.Work(len(c.Text(i)))
			out[i] = test(c.Text(i), d.Text(i))
		}
		return py.Raw(vector.Of(out).As(form))
	})
}

func charMap(name string, t vector.Type, f func(string) string) py.Value {
	return py.Pure(name, func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
		if len(args) == 0 {
			th.Raise(py.TypeError, "%s() missing 1 required positional argument: 'a'", name)
		}
		c := textOperand(th, args[0])
		out := make([]string, c.Len())
		for i := range out {
			th.Tick(1)
			th.AllocText(len(c.Text(i)))
			out[i] = f(c.Text(i))
		}
		kind := t
		if c.Type() == vector.Bytes && name != "decode" {
			kind = vector.Bytes
		}
		return py.Raw(vector.Texts(vector.DType{Type: kind}, out).As(c.Form()))
	})
}

func charAdd(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, b py.Value
	th.Unpack("add", args, kws, "x1", &a, "x2", &b)
	c, d := textOperand(th, a), textOperand(th, b)
	n := max(c.Len(), d.Len())
	c, d = th.Must(c.Spread(n)), th.Must(d.Spread(n))
	out := make([]string, n)
	for i := range out {
		th.Tick(1)
		th.AllocText(len(c.Text(i)) + len(d.Text(i)))
		out[i] = c.Text(i) + d.Text(i)
	}
	return py.Raw(vector.Texts(vector.DType{Type: c.Type()}, out))
}

func charZfill(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	var width int
	th.Unpack("zfill", args, kws, "a", &a, "width", &width)
	c := textOperand(th, a)
	th.Elements(c.Len(), max(width, 0))
	out := make([]string, c.Len())
	for i := range out {
		out[i] = textOf(th.InvokeKw(th.GetAttr(py.String(c.Text(i)), "zfill"), []py.Value{py.Int(int64(width))}, nil))
	}
	return py.Raw(vector.Strs(out).As(c.Form()))
}

// textOf is the text of a str value, else "".
func textOf(v py.Value) string {
	s, _ := v.AsString()
	return s
}

// pathName reads a path: text, or an object with __fspath__.
func pathName(th *py.Thread, v py.Value) (string, bool) {
	if p, ok := th.Special(v, "__fspath__"); ok {
		return p.AsString()
	}
	return v.AsString()
}

// numpyGenfromtxt reads a table of numbers or text from a file of the package, or from lines.
func numpyGenfromtxt(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var src py.Value
	dtype, delimiter, skip, ignored := py.None, py.None, 0, py.None
	columns, comments, names, filling := py.None, py.String("#"), py.None, py.None
	th.Unpack("genfromtxt", args, kws, "fname", &src, "dtype?", &dtype, "*comments?", &comments, "*delimiter?", &delimiter,
		"*skip_header?", &skip, "*skiprows?", &skip, "*encoding?", &ignored, "*usecols?", &columns, "*names?", &names,
		"*filling_values?", &filling, "*autostrip?", &ignored)
	if s, _ := comments.AsString(); s != "#" || !names.IsNone() || !filling.IsNone() {
		th.Raise(py.NotImplementedError, "genfromtxt takes no names, filling_values or other comments here")
	}
	d := vector.DType{Type: vector.Float64}
	if !dtype.IsNone() {
		d = dtypeArg(th, dtype)
	}
	separator := ""
	if !delimiter.IsNone() {
		separator = th.MustString(delimiter, "delimiter")
	}
	rows := textRows(th, src, separator, skip)
	if !columns.IsNone() {
		rows = useColumns(th, rows, columns)
	}
	return tableOfText(th, rows, d)
}

// textRows splits the lines of a file, or of a list, into fields; comments begin with #.
func textRows(th *py.Thread, src py.Value, separator string, skip int) [][]string {
	var lines []string
	if name, ok := pathName(th, src); ok {
		data, err := th.Program().ReadFile(name)
		if err != nil {
			stdlib.RaiseFile(th, name, err)
		}
		th.AllocText(len(data))
		th.AllocMany(bytes.Count(data, []byte("\n"))+1, 16)
		lines = strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	} else {
		th.Each(src, func(v py.Value) bool {
			lines = append(lines, textOf(v))
			return true
		})
	}
	var rows [][]string
	for i, line := range lines {
		th.Tick(1)
		line, _, _ = strings.Cut(line, "#")
		if i < skip || strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Fields(line)
		if separator != "" {
			fields = strings.Split(strings.TrimRight(line, "\r\n"), separator)
		}
		if len(rows) > 0 && len(fields) != len(rows[0]) {
			th.Raise(py.ValueError, "Some errors were detected ! Line #%d (got %d columns instead of %d)", i+1, len(fields), len(rows[0]))
		}
		th.AllocMany(len(fields), 16)
		rows = append(rows, fields)
	}
	return rows
}

func useColumns(th *py.Thread, rows [][]string, columns py.Value) [][]string {
	wanted := []py.Value{columns}
	if columns.Object() != nil {
		wanted = th.Collect(columns)
	}
	out := make([][]string, len(rows))
	for i, row := range rows {
		for _, k := range wanted {
			th.Tick(1)
			th.Alloc(16)
			out[i] = append(out[i], row[th.Position(th.ToIndex(k, "usecols"), len(row), "usecols")])
		}
	}
	return out
}

// tableOfText parses fields: a table, or an array if there is one row or one column.
func tableOfText(th *py.Thread, rows [][]string, d vector.DType) py.Value {
	var flat []string
	for _, row := range rows {
		for _, f := range row {
			flat = append(flat, strings.TrimSpace(f))
		}
	}
	c := parseFields(th, flat, d)
	if len(rows) <= 1 || len(rows[0]) == 1 {
		return py.Raw(c)
	}
	return reshape(th, c, []py.Value{py.Int(int64(len(rows))), py.Int(int64(len(rows[0])))})
}

// parseFields reads fields as genfromtxt does: what is no number is nan, or -1 among integers.
func parseFields(th *py.Thread, fields []string, d vector.DType) vector.Column {
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
	return castColumn(th, vector.Of(floats), d)
}
