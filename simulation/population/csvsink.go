package population

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"edict/platform/heap"
	"edict/simulation/vector"
)

// csvSink writes comma-separated values: numbers with the fewest digits that give them back, dates as 1985-03-02,
// enumerations by name, true and false.
type csvSink struct {
	out *bufio.Writer
}

func createCSV(f io.Writer, s schema) (sink, error) {
	w := bufio.NewWriterSize(f, 1<<16)
	_, err := w.Write(s.csvHeader())
	return &csvSink{w}, err
}

// csvHeader is the first line of a file.
func (s *schema) csvHeader() []byte {
	var head []byte
	for _, name := range s.IDs {
		head = append(appendText(head, []byte(name)), ',')
	}
	for _, c := range s.Columns {
		head = append(appendText(head, []byte(c.Name)), ',')
	}
	head[len(head)-1] = '\n'
	return head
}

func (s *csvSink) encode(p part) (any, error) {
	lent := encodings.Get()
	columns := lent.columnsOf(p.values)
	out := slices.Grow(lent.bytes[:0], p.rows*10*(len(p.ids)+len(columns)))
	alone := len(p.ids) == 1 && p.ids[0].of == nil && len(columns) == 1
	for row := 0; row < p.rows; row++ {
		if alone {
			if out, row = columns[0].lines(out, p.ids[0].names, row); row == p.rows {
				break
			}
		}
		for i := range p.ids {
			id := &p.ids[i]
			if word := id.word(row); word != 0 {
				out = appendWord(out, word)
			} else {
				out = appendText(out, id.text(row))
			}
			out = append(out, ',')
		}
		for i := range columns {
			out = append(columns[i].append(out, row), ',')
		}
		out[len(out)-1] = '\n'
	}
	lent.bytes = out
	for i := range columns {
		columns[i].values, columns[i].other = nil, nil
	}
	return lent, nil
}

// encoding is rows as they are written.
type encoding struct {
	bytes   []byte
	columns []csvColumn
}

var encodings heap.Pool[encoding]

// columnsOf makes columns ready to be written.
func (e *encoding) columnsOf(values []vector.Column) []csvColumn {
	if len(e.columns) != len(values) {
		e.columns = make([]csvColumn, len(values))
	}
	for i, c := range values {
		if e.columns[i].values = floatsOf(c); e.columns[i].values == nil {
			e.columns[i].other = cellWriter(c)
		}
	}
	return e.columns
}

// csvColumn is a column whose cells are written in order.
type csvColumn struct {
	values []float32 // nil for anything but floats that vary
	some   shorts    // of those from at on
	at     int
	other  func(out []byte, row int) []byte
}

// append writes the cell of a row.
func (c *csvColumn) append(out []byte, row int) []byte {
	if c.values == nil {
		return c.other(out, row)
	}
	k := c.reach(row)
	if c.some.behind[k] != 0 {
		return appendDigits(out, c.values[row], c.some.before[k], c.some.behind[k])
	}
	return appendNumber(out, float64(c.values[row]), 32)
}

// reach makes some those floats that have the one of a row among them, and returns its place there.
func (c *csvColumn) reach(row int) int {
	k := row % len(c.some.before)
	if at := row - k; k == 0 || at != c.at {
		c.some.fill(c.values[at:min(at+len(c.some.before), len(c.values))])
		c.at = at
	}
	return k
}

// lines writes lines of a name and a float, from a row on, as far as they are short, and returns the row that is to be written in another way.
func (c *csvColumn) lines(out []byte, names []uint64, row int) ([]byte, int) {
	for row < min(len(names), len(c.values)) {
		k := c.reach(row)
		some := c.values[row:min(row+len(c.some.before)-k, len(c.values))]
		out = slices.Grow(out, mostLine*len(some))
		var n int
		if out, n = manyLines(out, names[row:], some, &c.some, k); n < len(some) {
			return out, row + n
		}
		row += n
	}
	return out, row
}

// floatsOf is the elements of a column that csvColumn writes as floats of 32 bits, nil for any other.
func floatsOf(c vector.Column) []float32 {
	if c.Type() != vector.Float32 || c.Constant() && c.Len() > 1 {
		return nil
	}
	return vector.Slice[float32](c)
}

func (s *csvSink) write(encoded any) error {
	rows := encoded.(*encoding)
	_, err := s.out.Write(rows.bytes)
	encodings.Put(rows)
	return err
}

func (s *csvSink) add(f Object, of schema) error {
	head := of.csvHeader()
	begins := make([]byte, len(head))
	if _, err := f.ReadAt(begins, 0); err != nil || !bytes.Equal(begins, head) {
		return errors.Join(errors.New("the file has other columns"), err)
	}
	_, err := io.Copy(s.out, io.NewSectionReader(f, int64(len(head)), f.Size()-int64(len(head))))
	return err
}

func (s *csvSink) close() error { return s.out.Flush() }

// cellWriter returns what writes the elements of a column, in order. A column without variation is written once and copied.
func cellWriter(c vector.Column) func(out []byte, row int) []byte {
	if c.Constant() && c.Len() > 1 {
		one := cellWriter(c.Range(0, 1))(nil, 0)
		return func(out []byte, _ int) []byte { return append(out, one...) }
	}
	switch c.Type() {
	case vector.Float32:
		return func(out []byte, row int) []byte { return appendNumber(out, c.Float(row), 32) }
	case vector.Float64:
		return func(out []byte, row int) []byte { return appendNumber(out, c.Float(row), 64) }
	case vector.Bool:
		return func(out []byte, row int) []byte { return strconv.AppendBool(out, c.Bool(row)) }
	case vector.Int16, vector.Int32, vector.Int64:
		return func(out []byte, row int) []byte { return strconv.AppendInt(out, c.Int(row), 10) }
	case vector.Enum, vector.Str, vector.Bytes:
		return func(out []byte, row int) []byte { return appendText(out, []byte(c.Text(row))) }
	}
	return func(out []byte, row int) []byte { return appendText(out, []byte(c.Format(row))) }
}

// appendNumber writes the shortest text that reads back to the same number.
func appendNumber(out []byte, f float64, bits int) []byte {
	// Most amounts are whole, and integers are written faster; -0 is no integer.
	if i := int64(f); float64(i) == f && i > -1e7 && i < 1e7 && (i != 0 || !math.Signbit(f)) {
		return strconv.AppendInt(out, i, 10)
	}
	switch a := math.Abs(f); {
	case math.IsNaN(f):
		return append(out, "nan"...)
	case math.IsInf(f, 1):
		return append(out, "inf"...)
	case math.IsInf(f, -1):
		return append(out, "-inf"...)
	case a != 0 && (a < 1e-4 || a >= 1e16):
		return strconv.AppendFloat(out, f, 'e', -1, bits)
	}
	return strconv.AppendFloat(out, f, 'f', -1, bits)
}

// special reports whether a text with that byte needs quotes.
func special(c byte) bool {
	return c <= ';' && (c == ',' || c == ';' || c == '\t' || c == '"' || c == '\r' || c == '\n')
}

// appendWord writes a text that is a word behind ends of lines.
func appendWord(out []byte, word uint64) []byte {
	text, n := textOf(word)
	if !allDigits(text | zeros&^(^uint64(0)>>(64-8*n))) {
		var room [8]byte
		binary.LittleEndian.PutUint64(room[:], text)
		return appendText(out, room[:n])
	}
	end := len(out)
	out = slices.Grow(out, 8)[:end+8]
	binary.LittleEndian.PutUint64(out[end:], text)
	return out[:end+n]
}

// appendText writes a text, in quotes if it needs them.
func appendText(out, s []byte) []byte {
	// Most names are short numbers. What lies behind one, in the file, is read with it and not written.
	if n := len(s); n > 0 && n <= 8 && cap(s) >= 8 && cap(out)-len(out) >= 8 {
		word := binary.LittleEndian.Uint64(s[:8])
		if all := ^uint64(0) >> (64 - 8*n); allDigits(word&all | zeros&^all) {
			binary.LittleEndian.PutUint64(out[len(out):len(out)+8], word)
			return out[:len(out)+n]
		}
	}
	if !slices.ContainsFunc(s, special) && (len(s) == 0 || s[0] != ' ' && s[len(s)-1] != ' ') {
		return append(out, s...)
	}
	out = append(out, '"')
	for _, c := range s {
		if c == '"' {
			out = append(out, '"')
		}
		out = append(out, c)
	}
	return append(out, '"')
}
