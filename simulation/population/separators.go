package population

import (
	"encoding/binary"
	"slices"
)

const (
	bytesAtOnce = 4096
	roomBehind  = 16 // places that may be written behind those that were found
)

// manyRows is plainRows for processors that find separators in many bytes at once. It takes no row at all unless all of them are
// plain.
func (s *csvSource) manyRows(b *csvBatch) (used int) {
	rows := 0
	for at := 0; at+64 <= len(b.data); at += bytesAtOnce {
		n := len(b.ends)
		b.ends = slices.Grow(b.ends, bytesAtOnce+roomBehind)
		found, newlines, quotes, ok := separators(b.ends[n:cap(b.ends)], b.data[at:min(at+bytesAtOnce, len(b.data))], s.comma, int32(at))
		if !ok || quotes {
			b.ends = b.ends[:0]
			return 0
		}
		rows += newlines
		b.ends = b.ends[:n+found]
	}
	if used = b.beginAll(rows); used == 0 {
		b.starts, b.ends = b.starts[:0], b.ends[:0]
		return 0
	}
	s.line += rows
	return used
}

// beginAll begins so many rows, of which ends has the separators, and returns how many bytes they take: 0 if not all of them are as
// wide as they should be, or one is empty.
func (b *csvBatch) beginAll(rows int) (used int) {
	if rows*b.width > len(b.ends) {
		return 0
	}
	// There are as many ends of lines as rows. If each row has one of them last, it has none before.
	b.ends = b.ends[:rows*b.width]
	b.starts = slices.Grow(b.starts, rows)[:rows]
	for row := range b.starts {
		last := &b.ends[(row+1)*b.width-1]
		newline := int(*last)
		if newline == used {
			return 0
		}
		end := binary.LittleEndian.Uint16(b.data[newline-1:])
		if end&0xff == '\r' {
			*last--
		}
		if end>>8 != '\n' || int(*last) == used {
			return 0
		}
		b.starts[row] = int32(used)
		used = newline + 1
	}
	return used
}
