package population

import (
	"encoding/binary"
	"math/bits"
)

// Short fields are read eight bytes at a time: a word has the first byte of a field lowest.

const everyByte = 0x0101010101010101

// zeroBytes has the highest bit of every byte that is zero in w.
func zeroBytes(w uint64) uint64 {
	// The shorter (w-ones)&^w also marks a byte of 1 above a zero; this form marks zeroes alone.
	const low = 0x7f * everyByte
	return ^((w&low + low) | w | low)
}

// What stands where a word has no bytes of its field: digits, or what no field has outside of quotes, so that no two fields are the same
// word.
const (
	zeros    = '0' * everyByte
	newlines = '\n' * everyByte
)

// lastBytes is the last n of the eight bytes before end, 1 to 8 of them, behind bytes of fill.
func lastBytes(data []byte, end, n int, fill uint64) uint64 {
	missing := uint64(1)<<(64-8*n) - 1
	return binary.LittleEndian.Uint64(data[end-8:end])&^missing | fill&missing
}

// allDigits tells whether a word is eight digits.
func allDigits(w uint64) bool {
	return (w&(0xf0*everyByte))|((w+6*everyByte)&(0xf0*everyByte))>>4 == 0x33*everyByte
}

// digitPairs makes of eight digits four numbers of two, 16 bits each.
func digitPairs(w uint64) uint64 {
	w &= 0x0f * everyByte
	return (w*10 + w>>8) & 0x00ff00ff00ff00ff
}

// eightDigits is the number that eight digits are.
func eightDigits(w uint64) uint64 {
	w = digitPairs(w)
	w = (w*100 + w>>16) & 0x0000ffff0000ffff
	return w&0xffffffff*10000 + w>>32
}

// withoutPoint takes the lowest point out of a word, and tells how many bytes follow it: none if there is no point.
func withoutPoint(w uint64) (rest uint64, decimals int) {
	points := zeroBytes(w ^ '.'*everyByte)
	if points == 0 {
		return w, 0
	}
	bit := bits.TrailingZeros64(points) &^ 7
	below := uint64(1)<<bit - 1
	return w&^(below<<8|0xff) | w&below<<8 | '0', 7 - bit/8
}

// words gives the fields of a column as words, from a row on, as far as they have 1 to 8 bytes and no quotes, and returns how many.
func (b *csvBatch) words(out []uint64, from, column int, fill uint64) int {
	ends, data := b.ends[from*b.width:(from+len(out))*b.width], b.data
	for i := b.fieldWords(out, from, column, fill); i < len(out); i++ {
		at := i*b.width + column
		start := int(b.starts[from+i])
		if column > 0 {
			start = int(ends[at-1]) + 1 // negative behind quotes, which makes the field too long: its end is 8 at least, that of quotes 2
		}
		end := int(ends[at])
		n := end - start
		if n < 1 || n > 8 || end < 8 {
			return i
		}
		out[i] = lastBytes(data, end, n, fill)
	}
	return len(out)
}

// wordOf is what words gives for a text, 0 if that is too short or too long.
func wordOf(text []byte, fill uint64) uint64 {
	if len(text) < 1 || len(text) > 8 {
		return 0
	}
	var padded [8]byte
	copy(padded[8-len(text):], text)
	return lastBytes(padded[:], 8, len(text), fill)
}

// serialWord is serial of a text that is a word behind ends of lines.
func serialWord(word uint64) (int64, bool) {
	missing := bits.TrailingZeros64(word^newlines) &^ 7
	first, fill := byte(word>>missing), uint64(1)<<missing-1
	word = word&^fill | zeros&fill
	return int64(eightDigits(word)), allDigits(word) && (missing == 56 || first != '0')
}
