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
	appends := make([]func([]byte, int) []byte, len(p.values))
	for i, c := range p.values {
		appends[i] = cellWriter(c)
	}
	lent := encodings.Get()
	out := slices.Grow(lent.bytes[:0], p.rows*10*(len(p.ids)+len(p.values)))
	for row := range p.rows {
		for _, id := range p.ids {
			out = append(appendText(out, id(row)), ',')
		}
		for _, f := range appends {
			out = append(f(out, row), ',')
		}
		out[len(out)-1] = '\n'
	}
	lent.bytes = out
	return lent, nil
}

// encoding is rows as they are written.
type encoding struct{ bytes []byte }

var encodings heap.Pool[encoding]

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
		if values := vector.Slice[float32](c); values != nil {
			return floatWriter(values)
		}
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

// floatWriter is cellWriter for floats, which are asked for in order.
func floatWriter(values []float32) func(out []byte, row int) []byte {
	var some shorts
	return func(out []byte, row int) []byte {
		k := row % len(some.before)
		if k == 0 {
			some.fill(values[row:min(row+len(some.before), len(values))])
		}
		if some.behind[k] != 0 {
			return appendDigits(out, values[row], some.before[k], some.behind[k])
		}
		return appendNumber(out, float64(values[row]), 32)
	}
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
