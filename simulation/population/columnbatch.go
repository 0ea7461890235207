package population

import (
	"fmt"
	"unicode/utf8"
)

const columnRows = 4096 // of a batch

// typedCells are the cells of a column of one type, some of which may be missing.
type typedCells struct {
	kind  kind
	ints  []int64
	nums  []float64
	texts [][]byte
	lacks []bool // nil if none is missing
	count int
	// foreign tells whether a text is not UTF-8.
	foreign bool
}

// add adds a cell. The text is copied: a value of Parquet is valid only as long as its page.
func (t *typedCells) add(c cell) {
	if c.kind == missing && t.lacks == nil {
		t.lacks = make([]bool, t.count, columnRows)
	}
	if t.lacks != nil {
		t.lacks = append(t.lacks, c.kind == missing)
	}
	if c.kind != missing {
		t.kind = c.kind
	}
	t.count++
	switch {
	case c.kind == number:
		t.nums = append(pad(t.nums, t.count-1), c.num)
	case c.kind == text:
		t.foreign = t.foreign || !utf8.Valid(c.text)
		t.texts = append(pad(t.texts, t.count-1), append([]byte(nil), c.text...))
	case c.kind != missing:
		t.ints = append(pad(t.ints, t.count-1), c.int)
	}
}

// pad fills a slice up to n elements, for the cells that were missing.
func pad[T any](s []T, n int) []T {
	var zero T
	for len(s) < n {
		s = append(s, zero)
	}
	return s
}

// columnBatch is rows of a file that stores columns: Parquet or HDF5. A position is the number of a row.
type columnBatch struct {
	start, count int
	columns      []typedCells
}

func (*columnBatch) hold()    {}
func (*columnBatch) release() {}

func (b *columnBatch) rows() int { return b.count }

func (b *columnBatch) place(row int) string { return fmt.Sprintf("row %d", b.start+row+1) }

func (b *columnBatch) position(row int) int64 { return int64(b.start + row) }

func (b *columnBatch) first(n int) batch {
	c := *b
	c.count = n
	return &c
}

func (b *columnBatch) name(row, column int) []byte { return b.cell(row, column).name() }

func (b *columnBatch) cell(row, column int) cell {
	t := &b.columns[column]
	if t.lacks != nil && t.lacks[row] {
		return cell{}
	}
	switch t.kind {
	case missing:
		return cell{}
	case number:
		return cell{kind: number, num: t.nums[row]}
	case text:
		return cell{kind: text, text: t.texts[row]}
	}
	return cell{kind: t.kind, int: t.ints[row]}
}
