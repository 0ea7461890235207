package population

import (
	"os"
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

func createParquet(f *os.File, s schema) (sink, error) {
	group := orderedGroup{Group: parquet.Group{}}
	add := func(name string, n parquet.Node) {
		group.Group[name] = n
		group.names = append(group.names, name)
	}
	for _, name := range s.ids {
		add(name, parquet.String())
	}
	for _, o := range s.outputs {
		add(o.name, nodeOf(o.variable, s.wide))
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
func nodeOf(v *legislation.Variable, wide bool) parquet.Node {
	switch v.Type {
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
	for _, id := range p.ids {
		values := make([]parquet.Value, p.rows)
		for row := range values {
			values[row] = parquet.ByteArrayValue(id(row))
		}
		columns = append(columns, values)
	}
	for i, c := range p.values {
		convert := valueOf(s.schema.outputs[i].variable, s.schema.wide)
		values := make([]parquet.Value, p.rows)
		for row := range values {
			values[row] = convert(c, row)
		}
		columns = append(columns, values)
	}
	return columns, nil
}

// valueOf returns what makes a value of an element.
func valueOf(v *legislation.Variable, wide bool) func(c vector.Column, row int) parquet.Value {
	switch v.Type {
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
