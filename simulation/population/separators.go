package population

import "slices"

const (
	bytesAtOnce = 4096
	roomBehind  = 16 // places that may be written behind those that were found
)

// manyRows is plainRows for processors that find separators in many bytes at once. It takes no row at all unless all of them are
// plain.
func (s *csvSource) manyRows(b *csvBatch) (used int) {
	ends, fine := 0, true // of lines
	for at := 0; fine && at+64 <= len(b.data); at += bytesAtOnce {
		n := len(b.ends)
		b.ends = slices.Grow(b.ends, bytesAtOnce+roomBehind)
		found, newlines, quotes, ok := separators(b.ends[n:cap(b.ends)], b.data[at:min(at+bytesAtOnce, len(b.data))], s.comma, int32(at))
		ends += newlines
		b.ends = b.ends[:n+found]
		fine = ok && !quotes && b.beginMany(&used)
	}
	// There are as many ends of lines as rows. If each row has one of them last, it has none before.
	if !fine || ends != len(b.starts) {
		b.starts, b.ends = b.starts[:0], b.ends[:0]
		return 0
	}
	b.ends = b.ends[:ends*b.width]
	s.line += ends
	return used
}

// beginMany begins the rows of which ends has the separators, the first of them at used, and puts there where they end. It is false if one has no end
// of a line last, or is empty.
func (b *csvBatch) beginMany(used *int) bool {
	at, row, width := *used, len(b.starts), b.width
	data, ends, rows := b.data, b.ends, len(b.ends)/width
	starts := slices.Grow(b.starts, rows-row)[:rows]
	for last := (row+1)*width - 1; row < rows; row, last = row+1, last+width {
		newline := int(ends[last])
		if newline == at || data[newline] != '\n' {
			return false
		}
		if data[newline-1] == '\r' {
			ends[last]--
			if newline-1 == at {
				return false
			}
		}
		starts[row] = int32(at)
		at = newline + 1
	}
	*used, b.starts = at, starts
	return true
}
