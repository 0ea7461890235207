package stdlib

// This file gives the cells of tables their types for pandas.read_csv.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// missing are the texts that pandas reads as a missing value.
var missing = []string{
	"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
}

// frameReader turns rows of text into columns as pandas.read_csv does.
type frameReader struct {
	decimal, thousands string
	absent             []string // texts of missing values
	texts              []string // columns that stay text
}

// csvColumns is csv_columns(text, delimiter, quotechar, header, skip, decimal, thousands, na, texts, usual): the names of the columns, or
// None without a header, and a list of arrays.
func csvColumns(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var text, delimiter, quote, decimal, thousands string
	var header, usual bool
	var skip int
	var na, texts py.Value
	th.Unpack("csv_columns", args, kws, "text", &text, "delimiter", &delimiter, "quotechar", &quote, "header", &header, "skip", &skip,
		"decimal", &decimal, "thousands", &thousands, "na", &na, "texts", &texts, "usual", &usual)
	r := frameReader{decimal: decimal, thousands: thousands, absent: textsOf(th, na), texts: textsOf(th, texts)}
	if usual {
		r.absent = append(r.absent, missing...)
	}
	var kept [][]string
	for _, row := range th.CSVTexts(text, delimiter, quote) {
		if len(row) > 1 || len(row) == 1 && row[0] != "" {
			kept = append(kept, row)
		}
	}
	kept = kept[min(skip, len(kept)):]
	names := py.None
	if header {
		if len(kept) == 0 {
			th.Raise(py.ValueError, "No columns to parse from file")
		}
		names, kept = py.Obj(py.NewList(py.StringValues(kept[0]))), kept[1:]
	}
	return py.NewTuple([]py.Value{names, py.Obj(py.NewList(r.columns(th, names, kept)))})
}

func textsOf(th *py.Thread, v py.Value) []string {
	var out []string
	for _, item := range th.Collect(v) {
		out = append(out, th.Str(item))
	}
	return out
}

func (r frameReader) columns(th *py.Thread, names py.Value, rows [][]string) []py.Value {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	var titles []string
	if !names.IsNone() {
		titles = textsOf(th, names)
		width = len(titles)
	}
	out := make([]py.Value, width)
	for j := range out {
		cells := make([]string, th.Elements(len(rows), 1))
		for i, row := range rows {
			if j < len(row) {
				cells[i] = row[j]
			}
		}
		keep := j < len(titles) && slices.Contains(r.texts, titles[j])
		out[j] = py.Raw(r.column(cells, keep))
	}
	return out
}

// column finds the type of cells: whole numbers, numbers, truth values, texts. Missing values make whole numbers numbers.
func (r frameReader) column(cells []string, keepText bool) vector.Column {
	absent := make([]bool, len(cells))
	some := false
	for i, cell := range cells {
		absent[i] = slices.Contains(r.absent, cell)
		some = some || absent[i]
	}
	if !keepText {
		if c, ok := r.numbers(cells, absent, some); ok {
			return c
		}
		if c, ok := truths(cells, some); ok {
			return c
		}
	}
	if !some {
		return vector.Strs(cells)
	}
	objects := make([]any, len(cells))
	for i, cell := range cells {
		objects[i] = py.ToAny(py.String(cell))
		if absent[i] {
			objects[i] = py.ToAny(py.Float(math.NaN()))
		}
	}
	return vector.Objects(objects)
}

func (r frameReader) numbers(cells []string, absent []bool, some bool) (vector.Column, bool) {
	whole, floats := make([]int64, 0, len(cells)), make([]float64, len(cells))
	for i, cell := range cells {
		if absent[i] {
			floats[i] = math.NaN()
			continue
		}
		text := strings.TrimSpace(cell)
		if r.thousands != "" {
			text = strings.ReplaceAll(text, r.thousands, "")
		}
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && len(whole) == i {
			whole = append(whole, n)
		}
		if r.decimal != "." {
			text = strings.Replace(text, r.decimal, ".", 1)
		}
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || strings.ContainsAny(text, "_xXpP") {
			return vector.Column{}, false
		}
		floats[i] = f
	}
	if len(whole) == len(cells) && !some && len(cells) > 0 {
		return vector.Of(whole), true
	}
	return vector.Of(floats), len(cells) > 0
}

func truths(cells []string, some bool) (vector.Column, bool) {
	out := make([]bool, len(cells))
	for i, cell := range cells {
		switch cell {
		case "True", "TRUE", "true":
			out[i] = true
		case "False", "FALSE", "false":
		default:
			return vector.Column{}, false
		}
	}
	return vector.Of(out), !some && len(cells) > 0
}
