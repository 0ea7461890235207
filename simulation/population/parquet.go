package population

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetSource reads the columns of a Parquet file that are asked for, side by side.
type parquetSource struct {
	file    Object
	parquet *parquet.File
	names   []string
	columns []*parquetColumn
	group   int // the row group being read
	left    int // rows of it that are left
	rows    int // given so far
}

func openParquet(f Object) (source, error) {
	file, err := parquet.OpenFile(f, f.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, notParquet(f, err)
	}
	s := &parquetSource{file: f, parquet: file, group: -1}
	for _, field := range file.Schema().Fields() {
		s.names = append(s.names, field.Name())
		c := &parquetColumn{name: field.Name(), index: -1}
		if leaf, ok := file.Schema().Lookup(field.Name()); ok && field.Leaf() && !field.Repeated() {
			c.index = leaf.ColumnIndex
			c.read = reader(leaf.Node.Type())
		}
		s.columns = append(s.columns, c)
	}
	return s, nil
}

// notParquet says why a file could not be opened as Parquet, which begins and ends with the same four letters.
func notParquet(f Object, err error) error {
	begins := make([]byte, 4)
	switch _, wrong := f.ReadAt(begins, 0); {
	case f.Size() == 0:
		return errors.New("the file is empty, and no Parquet file")
	case wrong == nil && string(begins) == "PAR1":
		return fmt.Errorf("the Parquet file is cut off or damaged: copy or write it again (%w)", err)
	}
	return fmt.Errorf("this is no Parquet file: a CSV file has a name in .csv (%w)", err)
}

func (s *parquetSource) header() []string { return s.names }

// only says which columns are wanted.
func (s *parquetSource) only(columns []int) error {
	for _, i := range columns {
		c := s.columns[i]
		if c.read == nil {
			return fmt.Errorf("column %s is of a type that is not understood: numbers, texts, days and truths are, not lists, groups, decimals or moments in 96 bits", quoted(c.name))
		}
		c.wanted = true
	}
	return nil
}

func (s *parquetSource) read() float64 {
	return float64(s.rows) / float64(max(s.parquet.NumRows(), 1))
}

func (s *parquetSource) bounds() (from, to int64) { return 0, s.parquet.NumRows() }

// seek finds the row group, and the page, that has a row.
func (s *parquetSource) seek(position int64) error {
	s.rows, s.left, s.group = int(position), 0, -1
	for i, g := range s.parquet.RowGroups() {
		if n := g.NumRows(); position >= n {
			position -= n
			s.group = i
			continue
		}
		s.group, s.left = i, int(g.NumRows()-position)
		return s.begin(position)
	}
	return nil
}

// begin opens the columns of the row group at one of its rows.
func (s *parquetSource) begin(row int64) error {
	chunks := s.parquet.RowGroups()[s.group].ColumnChunks()
	for _, c := range s.columns {
		if !c.wanted {
			continue
		}
		if err := c.begin(chunks[c.index]); err != nil {
			return err
		}
		if row > 0 {
			if err := c.pages.SeekToRow(row); err != nil {
				return fmt.Errorf("column %s: %w", quoted(c.name), err)
			}
		}
	}
	return nil
}

func (s *parquetSource) close() error {
	var wrong []error
	for _, c := range s.columns {
		wrong = append(wrong, c.end())
	}
	return errors.Join(append(wrong, s.file.Close())...)
}

func (s *parquetSource) next() (batch, error) {
	groups := s.parquet.RowGroups()
	for s.left == 0 {
		s.group++
		if s.group >= len(groups) {
			return nil, io.EOF
		}
		s.left = int(groups[s.group].NumRows())
		if err := s.begin(0); err != nil {
			return nil, err
		}
	}
	n := min(s.left, columnRows)
	b := &columnBatch{start: s.rows, count: n, columns: make([]typedCells, len(s.columns))}
	for i, c := range s.columns {
		if !c.wanted {
			continue
		}
		if err := c.take(n, &b.columns[i]); err != nil {
			return nil, fmt.Errorf("column %s: %w", quoted(c.name), err)
		}
	}
	s.left -= n
	s.rows += n
	return b, nil
}

// parquetColumn is a column being read.
type parquetColumn struct {
	name   string
	index  int
	wanted bool
	read   func(parquet.Value, *typedCells)
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buffer [512]parquet.Value
}

func (c *parquetColumn) begin(chunk parquet.ColumnChunk) error {
	err := c.end()
	c.pages = chunk.Pages()
	return err
}

func (c *parquetColumn) end() error {
	parquet.Release(c.page)
	c.page, c.values = nil, nil
	if c.pages == nil {
		return nil
	}
	err := c.pages.Close()
	c.pages = nil
	return err
}

// take reads the next n values.
func (c *parquetColumn) take(n int, into *typedCells) error {
	return c.each(n, func(v parquet.Value) {
		if v.IsNull() {
			into.add(cell{})
		} else {
			c.read(v, into)
		}
	})
}

// each calls fn with the next n values.
func (c *parquetColumn) each(n int, fn func(parquet.Value)) error {
	for n > 0 {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				return err
			}
			c.page, c.values = page, page.Values()
		}
		k, err := c.values.ReadValues(c.buffer[:min(n, len(c.buffer))])
		for _, v := range c.buffer[:k] {
			fn(v)
		}
		n -= k
		// A page ends with io.EOF, or without anything.
		if err != nil || k == 0 {
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			parquet.Release(c.page)
			c.page, c.values = nil, nil
		}
	}
	return nil
}

// reader returns what reads the values of a type, nil if it is not understood.
func reader(t parquet.Type) func(parquet.Value, *typedCells) {
	of := func(read func(parquet.Value) cell) func(parquet.Value, *typedCells) {
		return func(v parquet.Value, into *typedCells) { into.add(read(v)) }
	}
	var logical format.LogicalTypeValue
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	if _, ok := logical.(*format.DecimalType); ok {
		return nil
	}
	switch t.Kind() {
	case parquet.Boolean:
		return of(func(v parquet.Value) cell {
			c := cell{kind: truth}
			if v.Boolean() {
				c.int = 1
			}
			return c
		})
	case parquet.Int32:
		if _, ok := logical.(*format.DateType); ok {
			return of(func(v parquet.Value) cell { return cell{kind: day, int: int64(v.Int32())} })
		}
		return of(func(v parquet.Value) cell { return cell{kind: integer, int: int64(v.Int32())} })
	case parquet.Int64:
		if moment, ok := logical.(*format.TimestampType); ok && moment.Unit.Value != nil {
			perDay := int64(24 * time.Hour / moment.Unit.Value.Duration())
			return of(func(v parquet.Value) cell { return cell{kind: day, int: floorDiv(v.Int64(), perDay)} })
		}
		return of(func(v parquet.Value) cell { return cell{kind: integer, int: v.Int64()} })
	case parquet.Float:
		return of(func(v parquet.Value) cell { return cell{kind: number, num: float64(v.Float())} })
	case parquet.Double:
		return of(func(v parquet.Value) cell { return cell{kind: number, num: v.Double()} })
	case parquet.ByteArray:
		return of(func(v parquet.Value) cell {
			if len(v.ByteArray()) == 0 {
				return cell{}
			}
			return cell{kind: text, text: v.ByteArray()}
		})
	}
	return nil
}

func floorDiv(a, b int64) int64 {
	q := a / b
	// A moment before 1970 belongs to the day that began before it.
	if a%b < 0 {
		q--
	}
	return q
}

// isIndex recognises the column in which pandas keeps the numbers of rows.
func isIndex(name string) bool {
	return strings.HasPrefix(name, "__index_level_") && strings.HasSuffix(name, "__")
}
