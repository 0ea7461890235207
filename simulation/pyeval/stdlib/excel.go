package stdlib

// This file reads workbooks for pandas.read_excel.

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// maxSheet bounds the text of one part of a workbook, which a small file may blow up.
const maxSheet = 256 << 20

// excelColumns is excel_columns(content, sheet): the names of the columns, from the first row, and a list of arrays. As for
// pandas a column of texts that are all numbers is one of numbers.
func excelColumns(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var content py.Value
	sheet := 0
	th.Unpack("excel_columns", args, kws, "content", &content, "sheet?", &sheet)
	data, ok := content.Object().(py.Bytes)
	if !ok {
		th.Raise(py.TypeError, "a workbook is read from bytes, not from '%s'", py.TypeName(content))
	}
	rows, err := readWorkbook([]byte(data), sheet)
	if err != nil {
		th.Raise(py.ValueError, "%s", err.Error())
	}
	if len(rows) == 0 {
		return py.NewTuple([]py.Value{py.Obj(py.NewList(nil)), py.Obj(py.NewList(nil))})
	}
	names := make([]py.Value, len(rows[0]))
	columns := make([]py.Value, len(rows[0]))
	for j := range names {
		names[j] = py.String(rows[0][j].text)
		cells := make([]excelCell, th.Elements(len(rows)-1, 1))
		for i, row := range rows[1:] {
			if j < len(row) {
				cells[i] = row[j]
			}
		}
		columns[j] = py.Raw(excelColumn(th, cells))
	}
	return py.NewTuple([]py.Value{py.Obj(py.NewList(names)), py.Obj(py.NewList(columns))})
}

func excelColumn(th *py.Thread, cells []excelCell) vector.Column {
	texts := make([]string, len(cells))
	numbers := false
	for i, cell := range cells {
		texts[i], numbers = cell.text, numbers || !cell.isText && cell.text != ""
	}
	r := frameReader{decimal: ".", absent: missing}
	c := r.column(texts, false)
	if c.Type().Number() || !numbers {
		return c
	}
	mixed := make([]any, len(cells))
	for i, cell := range cells {
		one := r.column(texts[i:i+1], cell.isText)
		mixed[i] = py.ToAny(th.PyScalar(one))
	}
	return vector.Objects(mixed)
}

type excelCell struct {
	text   string
	isText bool
}

// readWorkbook reads one sheet, by its place in the file, of an Office Open XML workbook.
func readWorkbook(data []byte, sheet int) ([][]excelCell, error) {
	book, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("not an .xlsx workbook: %w", err)
	}
	var shared struct {
		Items []struct {
			Text string   `xml:"t"`
			Runs []string `xml:"r>t"`
		} `xml:"si"`
	}
	if err := readPart(book, "xl/sharedStrings.xml", &shared); err != nil && !strings.Contains(err.Error(), "not exist") {
		return nil, err
	}
	var content struct {
		Rows []struct {
			Cells []struct {
				At     string `xml:"r,attr"`
				Kind   string `xml:"t,attr"`
				Value  string `xml:"v"`
				Inline string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := readPart(book, fmt.Sprintf("xl/worksheets/sheet%d.xml", sheet+1), &content); err != nil {
		return nil, err
	}
	rows := make([][]excelCell, len(content.Rows))
	for i, row := range content.Rows {
		for _, c := range row.Cells {
			cell := excelCell{c.Value, c.Kind == "s" || c.Kind == "str" || c.Kind == "inlineStr"}
			switch c.Kind {
			case "s":
				at, err := strconv.Atoi(c.Value)
				if err != nil || at < 0 || at >= len(shared.Items) {
					return nil, fmt.Errorf("cell %s has no text number %s", c.At, c.Value)
				}
				cell.text = shared.Items[at].Text + strings.Join(shared.Items[at].Runs, "")
			case "inlineStr":
				cell.text = c.Inline
			}
			for len(rows[i]) < columnOf(c.At, len(rows[i])) {
				rows[i] = append(rows[i], excelCell{})
			}
			rows[i] = append(rows[i], cell)
		}
	}
	return rows, nil
}

func readPart(book *zip.Reader, name string, into any) error {
	f, err := book.Open(name)
	if err != nil {
		return fmt.Errorf("the workbook has no %s: %w", name, err)
	}
	defer f.Close()
	if err := xml.NewDecoder(io.LimitReader(f, maxSheet)).Decode(into); err != nil {
		return fmt.Errorf("%s of the workbook: %w", name, err)
	}
	return nil
}

// columnOf is the column of a cell such as AB12, from 0; otherwise when the cell does not say. There are 16 384 columns.
func columnOf(at string, otherwise int) int {
	n := 0
	for _, r := range at {
		if r < 'A' || r > 'Z' || n > 16384 {
			break
		}
		n = n*26 + int(r-'A') + 1
	}
	if n == 0 || n > 16384 {
		return otherwise
	}
	return n - 1
}
