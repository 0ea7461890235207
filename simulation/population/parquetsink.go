package population

import (
	"errors"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// parquetSink writes a Parquet file: numbers in the width of the legislation, days as dates, ids and enumerations as text.
// Rows are gathered into blocks of a fixed size, so that the bytes do not depend on how the population was cut.
type parquetSink struct {
	schema  schema
	writer  *parquet.GenericWriter[any]
	pending [][]parquet.Value // by column
	rows    int               // of the row group
}

const (
	parquetBlock = 1 << 14 // rows that are written at once
	parquetGroup = 1 << 19 // rows of a row group
)

func createParquet(f io.Writer, s schema) (sink, error) {
	group := orderedGroup{Group: parquet.Group{}}
	add := func(name string, n parquet.Node) {
		group.Group[name] = n
		group.names = append(group.names, name)
	}
	for _, name := range s.IDs {
		add(name, parquet.String())
	}
	for _, c := range s.Columns {
		add(c.Name, nodeOf(c.Type, s.Wide))
	}
	w := parquet.NewGenericWriter[any](f, parquet.NewSchema("population", group), parquet.Compression(&parquet.Snappy))
	return &parquetSink{schema: s, writer: w, pending: make([][]parquet.Value, len(group.names))}, nil
}

// orderedGroup keeps the columns in the order in which they were named.
type orderedGroup struct {
	parquet.Group
	names []string
}

// Fields implements parquet.Node.
func (g orderedGroup) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return slices.Index(g.names, a.Name()) - slices.Index(g.names, b.Name()) })
	return fields
}

// nodeOf is the type of a variable in Parquet.
func nodeOf(t legislation.ValueType, wide bool) parquet.Node {
	switch t {
	case legislation.Bool:
		return parquet.Leaf(parquet.BooleanType)
	case legislation.Int:
		if wide {
			return parquet.Int(64)
		}
		return parquet.Int(32)
	case legislation.Float:
		if wide {
			return parquet.Leaf(parquet.DoubleType)
		}
		return parquet.Leaf(parquet.FloatType)
	case legislation.Date:
		return parquet.Date()
	}
	return parquet.String()
}

// encode returns the values by column.
func (s *parquetSink) encode(p part) (any, error) {
	var columns [][]parquet.Value
	var texts []byte // of its own: values wait for others after the rows that they come from are given back
	for _, id := range p.ids {
		values := make([]parquet.Value, p.rows)
		for row := range values {
			from := len(texts)
			texts = append(texts, id.text(row)...)
			values[row] = parquet.ByteArrayValue(texts[from:])
		}
		columns = append(columns, values)
	}
	for i, c := range p.values {
		convert := valueOf(s.schema.Columns[i].Type, s.schema.Wide)
		values := make([]parquet.Value, p.rows)
		for row := range values {
			values[row] = convert(c, row)
		}
		columns = append(columns, values)
	}
	return columns, nil
}

// valueOf returns what makes a value of an element.
func valueOf(of legislation.ValueType, wide bool) func(c vector.Column, row int) parquet.Value {
	switch of {
	case legislation.Bool:
		return func(c vector.Column, row int) parquet.Value { return parquet.BooleanValue(c.Bool(row)) }
	case legislation.Int:
		if wide {
			return func(c vector.Column, row int) parquet.Value { return parquet.Int64Value(c.Int(row)) }
		}
		return func(c vector.Column, row int) parquet.Value { return parquet.Int32Value(int32(c.Int(row))) }
	case legislation.Float:
		if wide {
			return func(c vector.Column, row int) parquet.Value { return parquet.DoubleValue(c.Float(row)) }
		}
		return func(c vector.Column, row int) parquet.Value { return parquet.FloatValue(float32(c.Float(row))) }
	case legislation.Date:
		return func(c vector.Column, row int) parquet.Value { return parquet.Int32Value(int32(c.Int(row))) }
	}
	return func(c vector.Column, row int) parquet.Value {
		if t := c.Type(); t == vector.Enum || t == vector.Str || t == vector.Bytes {
			return parquet.ByteArrayValue([]byte(c.Text(row)))
		}
		return parquet.ByteArrayValue([]byte(c.Format(row)))
	}
}

func (s *parquetSink) write(encoded any) error {
	for i, values := range encoded.([][]parquet.Value) {
		s.pending[i] = append(s.pending[i], values...)
	}
	for len(s.pending[0]) >= parquetBlock {
		if err := s.block(parquetBlock); err != nil {
			return err
		}
	}
	return nil
}

func (s *parquetSink) add(f Object, of schema) error {
	file, err := parquet.OpenFile(f, f.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if n := len(file.Schema().Fields()); n != len(of.IDs)+len(of.Columns) {
		return errors.New("the file has other columns")
	}
	for _, g := range file.RowGroups() {
		if err := s.addGroup(g); err != nil {
			return err
		}
	}
	return nil
}

// addGroup copies a row group block by block.
func (s *parquetSink) addGroup(g parquet.RowGroup) error {
	chunks := g.ColumnChunks()
	columns := make([]parquetColumn, len(chunks))
	defer func() {
		for i := range columns {
			_ = columns[i].end() // of what was only read
		}
	}()
	for i := range columns {
		if err := columns[i].begin(chunks[i]); err != nil {
			return err
		}
	}
	for left := g.NumRows(); left > 0; left -= min(left, parquetBlock) {
		block := make([][]parquet.Value, len(columns))
		for i := range columns {
			err := columns[i].each(int(min(left, parquetBlock)), func(v parquet.Value) {
				v = v.Clone()
				block[i] = append(block[i], v)
			})
			if err != nil {
				return err
			}
		}
		if err := s.write(block); err != nil {
			return err
		}
	}
	return nil
}

// block writes the first n rows that wait.
func (s *parquetSink) block(n int) error {
	for i, w := range s.writer.ColumnWriters() {
		if _, err := w.WriteRowValues(s.pending[i][:n]); err != nil {
			return err
		}
		s.pending[i] = append(s.pending[i][:0], s.pending[i][n:]...)
	}
	if s.rows += n; s.rows < parquetGroup {
		return nil
	}
	s.rows = 0
	return s.writer.Flush()
}

func (s *parquetSink) close() error {
	if n := len(s.pending[0]); n > 0 {
		if err := s.block(n); err != nil {
			return err
		}
	}
	return s.writer.Close()
}
