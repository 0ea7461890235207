package population

import (
	"math/bits"
	"slices"
)

const masksAtOnce = 64

// manyRows is plainRows for processors that find separators in many bytes at once. It takes no row at all unless all of them are
// plain.
func (s *csvSource) manyRows(b *csvBatch) (used int) {
	rows := 0
	for at := 0; at+64 <= len(b.data); {
		var masks [masksAtOnce]uint64
		some := masks[:min(masksAtOnce, (len(b.data)-at)/64)]
		newlines, quotes, ok := separators(some, b.data[at:], s.comma)
		if !ok || quotes {
			b.ends = b.ends[:0]
			return 0
		}
		rows += newlines
		b.ends = appendPlaces(b.ends, some, int32(at))
		at += 64 * len(some)
	}
	if used = b.beginAll(rows); used == 0 {
		b.starts, b.ends = b.starts[:0], b.ends[:0]
		return 0
	}
	s.line += rows
	return used
}

// appendPlaces appends where the bits of masks are, counted from at.
func appendPlaces(places []int32, masks []uint64, at int32) []int32 {
	n := len(places)
	places = slices.Grow(places, 64*len(masks))[:n+64*len(masks)]
	for _, m := range masks {
		for ; m != 0; m &= m - 1 {
			places[n] = at + int32(bits.TrailingZeros64(m))
			n++
		}
		at += 64
	}
	return places[:n]
}

// beginAll begins so many rows, of which ends has the separators, and returns how many bytes they take: 0 if not all of them are as
// wide as they should be, or one is empty.
func (b *csvBatch) beginAll(rows int) (used int) {
	if rows*b.width > len(b.ends) {
		return 0
	}
	// There are as many ends of lines as rows. If each row has one of them last, it has none before.
	b.ends = b.ends[:rows*b.width]
	b.starts = slices.Grow(b.starts, rows)
	for last := b.width - 1; last < len(b.ends); last += b.width {
		newline := int(b.ends[last])
		if newline > used && b.data[newline-1] == '\r' {
			b.ends[last]--
		}
		if b.data[newline] != '\n' || int(b.ends[last]) == used {
			return 0
		}
		b.starts = append(b.starts, int32(used))
		used = newline + 1
	}
	return used
}
