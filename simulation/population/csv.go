package population

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"sync/atomic"
	"unicode/utf8"
)

// csvSource reads comma-separated values. It cuts the file into fields, as RFC 4180 has them, and leaves what they mean to
// those who compute with them. Commas may also be semicolons or tabs, whichever the header has.
type csvSource struct {
	file   Object
	body   int64  // where the first row begins
	origin int64  // where the lines are counted from
	offset int64  // of what was read
	rest   []byte // read, and not yet part of a batch
	block  *block // that it lies in, nil of nothing
	ended  bool
	comma  byte
	names  []string
	line   int // of the next row
	rows   int // that a batch is expected to have
}

const (
	csvBlock    = 128 << 10
	csvLongest  = 16 << 20 // bytes of one row
	maxColumns  = 100_000
	markOfOrder = "\ufeff" // some programs begin files with it
)

func openCSV(f Object) (source, error) {
	s := &csvSource{file: f, line: 1}
	if err := s.fill(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	s.rest = bytes.TrimPrefix(s.rest, []byte(markOfOrder))
	s.comma = separator(s.rest)
	for s.names == nil {
		b := &csvBatch{line: s.line, data: s.rest}
		used, err := s.split(b, 1)
		if err != nil {
			return nil, err
		}
		if b.ends == nil {
			if s.ended {
				return nil, errors.New("the file is empty: its first line names the columns")
			}
			if err := s.fill(); err != nil && !errors.Is(err, io.EOF) {
				return nil, err
			}
			continue
		}
		s.rest = s.rest[used:]
		for c := range len(b.ends) {
			s.names = append(s.names, string(b.field(0, c)))
		}
	}
	s.body = s.at()
	return s, nil
}

// separator is what separates the names of a header: the first candidate in it outside of quotes.
func separator(data []byte) byte {
	quoted := false
	for _, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			return ','
		case c == ',' || c == ';' || c == '\t':
			return c
		}
	}
	return ','
}

func (s *csvSource) header() []string { return s.names }

func (*csvSource) only([]int) error { return nil }

func (s *csvSource) close() error { return s.file.Close() }

func (s *csvSource) read() float64 {
	if s.file.Size() == 0 {
		return 1
	}
	return min(1, float64(s.at())/float64(s.file.Size()))
}

// at is the position of the next row.
func (s *csvSource) at() int64 { return s.offset - int64(len(s.rest)) }

func (s *csvSource) bounds() (from, to int64) { return s.body, s.file.Size() }

// fill reads another block behind the rest, into memory of its own: batches keep theirs.
func (s *csvSource) fill() error {
	if s.ended {
		return io.EOF
	}
	if len(s.rest) > csvLongest {
		return fmt.Errorf("line %d has more than %d MB: is a quote missing?", s.line, csvLongest>>20)
	}
	grown := newBlock(len(s.rest) + max(csvBlock, len(s.rest)))
	n := copy(grown.bytes, s.rest)
	k, err := s.file.ReadAt(grown.bytes[n:], s.offset)
	s.rest, s.offset = grown.bytes[:n+k], s.offset+int64(k)
	s.block.release()
	s.block = grown
	if errors.Is(err, io.EOF) {
		s.ended = true
		return nil
	}
	return err
}

func (s *csvSource) next() (batch, error) {
	for {
		if len(s.rest) < csvBlock/2 && !s.ended {
			if err := s.fill(); err != nil {
				return nil, err
			}
		}
		b := s.newBatch()
		b.starts, b.ends = slices.Grow(b.starts, s.rows), slices.Grow(b.ends, s.rows*b.width+bytesAtOnce+roomBehind)
		used, err := s.split(b, len(s.rest))
		if err != nil {
			return nil, err
		}
		s.rest = s.rest[used:]
		if len(b.ends) > 0 {
			s.rows = len(b.starts) * 9 / 8
			return b, nil
		}
		b.release()
		if s.ended {
			return nil, io.EOF
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

// csvBatch is rows of a CSV file. A field ends at ends and begins one behind the end of the one before; fields with quotes
// inside are kept apart.
type csvBatch struct {
	users  atomic.Int32
	block  *block
	data   []byte // of the block
	base   int64  // where data begins in the file
	origin int64  // where lines are counted from
	width  int
	line   int     // of the first row
	starts []int32 // of rows
	ends   []int32 // of fields, negative for those with quotes
	quoted map[int32][]byte
	lines  []int32 // of rows, if some have several
}

func (b *csvBatch) rows() int { return len(b.starts) }

func (b *csvBatch) place(row int) string {
	line := b.line + row
	if b.lines != nil {
		line = int(b.lines[row])
	}
	if b.origin > 0 {
		return fmt.Sprintf("line %d from byte %d on", line, b.origin)
	}
	return "line " + strconv.Itoa(line)
}

func (b *csvBatch) position(row int) int64 { return b.base + int64(b.starts[row]) }

func (b *csvBatch) first(n int) batch {
	b.starts, b.ends = b.starts[:n], b.ends[:n*b.width]
	if b.lines != nil {
		b.lines = b.lines[:n]
	}
	return b
}

func (b *csvBatch) field(row, column int) []byte {
	start, end := b.extent(row, column)
	if end < 0 {
		return b.quoted[int32(row*b.width+column)]
	}
	return b.data[start:end]
}

// extent is where a field begins and ends in data; the end is negative if it has quotes.
func (b *csvBatch) extent(row, column int) (start, end int) {
	at := row*b.width + column
	if column == 0 {
		return int(b.starts[row]), int(b.ends[at])
	}
	both := b.ends[at-1 : at+1]
	return int(max(both[0], -both[0])) + 1, int(both[1])
}

func (b *csvBatch) name(row, column int) []byte { return b.field(row, column) }

func (b *csvBatch) cell(row, column int) cell {
	field := b.field(row, column)
	if len(field) == 0 {
		return cell{}
	}
	return cell{kind: text, text: field}
}

// split cuts whole rows out of the data of a batch, at most so many, and returns how many bytes they take. With a width of
// 0 the first row says how many fields there are.
func (s *csvSource) split(b *csvBatch, most int) (used int, err error) {
	if b.width > 0 && most >= len(b.data) {
		used = s.manyRows(b)
		if used == 0 && bytes.IndexByte(b.data, '"') < 0 {
			used = s.plainRows(b)
		}
	}
	for used < len(b.data) && len(b.starts) < most {
		line := b.data[used:]
		end := bytes.IndexByte(line, '\n')
		if end < 0 {
			if !s.ended {
				return used, nil
			}
			end = len(line)
		}
		if end == 0 || end == 1 && line[0] == '\r' {
			if used += end + 1; used > len(b.data) {
				used = len(b.data)
			}
			s.blank(b)
			continue
		}
		if bytes.IndexByte(line[:end], '"') >= 0 {
			whole, err := s.quotedRow(b, used)
			if err != nil || whole == 0 {
				return used, err
			}
			used += whole
		} else {
			if err := s.plainRow(b, used, end); err != nil {
				return used, err
			}
			used = min(used+end+1, len(b.data))
		}
		s.line++
	}
	return used, nil
}

// plainRows cuts rows out of data without quotes, as long as they are complete and as wide as they should be, and returns how
// many bytes they take. It looks for separators and ends of lines in eight bytes at a time.
func (s *csvSource) plainRows(b *csvBatch) (used int) {
	commas, data := everyByte*uint64(s.comma), b.data
	first := 0 // of the fields of the row
	for at := 0; at+8 <= len(data); at += 8 {
		word := binary.LittleEndian.Uint64(data[at:])
		for found := zeroBytes(word^commas) | zeroBytes(word^everyByte*'\n'); found != 0; found &= found - 1 {
			// The loop clears the lowest bit that is set, so separators come in order.
			end := at + bits.TrailingZeros64(found)/8
			if data[end] != '\n' {
				b.ends = append(b.ends, int32(end))
				continue
			}
			stop := end
			if stop > used && data[stop-1] == '\r' {
				stop--
			}
			// Empty, or of another width: split takes its time and says what it is.
			if stop == used || len(b.ends)-first+1 != b.width {
				b.ends = b.ends[:first]
				return used
			}
			b.ends = append(b.ends, int32(stop))
			b.begin(used, s.line)
			s.line++
			used, first = end+1, len(b.ends)
		}
	}
	b.ends = b.ends[:first]
	return used
}

// blank skips an empty line; from then on lines are not counted by rows.
func (s *csvSource) blank(b *csvBatch) {
	s.irregular(b)
	s.line++
}

func (s *csvSource) irregular(b *csvBatch) {
	if b.lines == nil {
		b.lines = make([]int32, len(b.starts))
		for i := range b.lines {
			b.lines[i] = int32(b.line + i)
		}
	}
}

func (s *csvSource) plainRow(b *csvBatch, at, length int) error {
	b.begin(at, s.line)
	first := len(b.ends)
	stop := at + length
	for from := at; ; {
		k := bytes.IndexByte(b.data[from:stop], s.comma)
		if k < 0 {
			break
		}
		b.ends = append(b.ends, int32(from+k))
		from += k + 1
	}
	if b.data[stop-1] == '\r' {
		stop--
	}
	b.ends = append(b.ends, int32(stop))
	return s.checkWidth(b, len(b.ends)-first)
}

func (b *csvBatch) begin(at, line int) {
	b.starts = append(b.starts, int32(at))
	if b.lines != nil {
		b.lines = append(b.lines, int32(line))
	}
}

func (s *csvSource) checkWidth(b *csvBatch, fields int) error {
	switch {
	case fields > maxColumns:
		return fmt.Errorf("line %d has more than %d fields", s.line, maxColumns)
	case b.width == 0:
		b.width = fields
	case fields != b.width:
		return fmt.Errorf("line %d: the header names %d columns, and this row has %d: every row needs a field for each, if only an empty one", s.line, b.width, fields)
	}
	return nil
}

// quotedRow reads a row with quotes, which may go over several lines; 0 if it does not end in the data at hand.
func (s *csvSource) quotedRow(b *csvBatch, at int) (int, error) {
	s.irregular(b)
	first, start, pos := len(b.ends), s.line, at
	mark := len(b.starts)
	b.begin(at, start)
	incomplete := func() (int, error) {
		if s.ended {
			return 0, fmt.Errorf("line %d: an opening quote is never closed", start)
		}
		b.starts, b.lines, b.ends, s.line = b.starts[:mark], b.lines[:mark], b.ends[:first], start
		return 0, nil
	}
	for {
		field, end, quotes := s.scanField(b.data[pos:])
		if end < 0 {
			return incomplete()
		}
		end += pos
		s.line += bytes.Count(b.data[pos:end], []byte{'\n'})
		if quotes {
			if b.quoted == nil {
				b.quoted = map[int32][]byte{}
			}
			b.quoted[int32(len(b.ends))] = field
			// A field with quotes ends behind its second one, so 0 is no end and the sign is free.
			b.ends = append(b.ends, -int32(end))
		} else {
			b.ends = append(b.ends, int32(pos+len(field)))
		}
		if end == len(b.data) || b.data[end] == '\n' {
			return min(end+1, len(b.data)) - at, s.checkWidth(b, len(b.ends)-first)
		}
		if b.data[end] != s.comma {
			return 0, fmt.Errorf("line %d: after a closing quote comes the end of the field, not %q; quotes inside of quotes are doubled", s.line, rune(b.data[end]))
		}
		pos = end + 1
	}
}

// scanField reads one field and returns where it ends, -1 if that is not known yet.
func (s *csvSource) scanField(data []byte) (field []byte, end int, quotes bool) {
	if len(data) == 0 || data[0] != '"' {
		end = slices.IndexFunc(data, func(c byte) bool { return c == s.comma || c == '\n' })
		if end < 0 {
			if !s.ended {
				return nil, -1, false
			}
			end = len(data)
		}
		field = data[:end]
		if end == len(data) || data[end] == '\n' {
			field = bytes.TrimSuffix(field, []byte{'\r'})
		}
		return field, end, false
	}
	for i := 1; ; i++ {
		k := bytes.IndexByte(data[i:], '"')
		if k < 0 || i+k+1 == len(data) && !s.ended {
			return nil, -1, true
		}
		field = append(field, data[i:i+k]...)
		if i += k; i+1 < len(data) && data[i+1] == '"' {
			field = append(field, '"')
			i++
			continue
		}
		end = i + 1
		if end < len(data) && data[end] == '\r' && (end+1 == len(data) || data[end+1] == '\n') {
			end++
		}
		return field, end, true
	}
}

// checkHeader refuses names that cannot be any.
func checkHeader(file string, names []string) error {
	for i, n := range names {
		if !utf8.ValidString(n) {
			return fmt.Errorf("the name of column %d is not UTF-8%s", i+1, unicodeRemedy(file))
		}
		if slices.Contains(names[:i], n) {
			return fmt.Errorf("two columns are named %s: keep one", quoted(n))
		}
	}
	return nil
}
