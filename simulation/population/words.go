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

// lastBytes is the last n of the eight bytes before end, 1 to 8 of them, behind as many zero digits as are missing.
func lastBytes(data []byte, end, n int) uint64 {
	missing := uint64(1)<<(64-8*n) - 1
	return binary.LittleEndian.Uint64(data[end-8:end])&^missing | '0'*everyByte&missing
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
func withoutPoint(w uint64) (rest uint64, decimals int, found bool) {
	points := zeroBytes(w ^ '.'*everyByte)
	if points == 0 {
		return w, 0, false
	}
	bit := bits.TrailingZeros64(points) &^ 7
	below := uint64(1)<<bit - 1
	return w&^(below<<8|0xff) | w&below<<8 | '0', 7 - bit/8, true
}

// short is a field of 1 to 8 bytes as lastBytes has it, and its length; 0 for any other.
func (b *csvBatch) short(row, column int) (word uint64, n int) {
	start, end := b.extent(row, column)
	if n = end - start; n < 1 || n > 8 || end < 8 || end > len(b.data) {
		return 0, 0
	}
	return lastBytes(b.data, end, n), n
}

// shortOf is what short would give for a text, wherever it lies.
func shortOf(text []byte) (word uint64, n int) {
	if n = len(text); n < 1 || n > 8 {
		return 0, 0
	}
	var padded [8]byte
	copy(padded[8-n:], text)
	return lastBytes(padded[:], 8, n), n
}

// shortSerial is serial of a short field.
func shortSerial(word uint64, n int) (int64, bool) {
	return int64(eightDigits(word)), allDigits(word) && (n == 1 || word>>(64-8*n)&0xff != '0')
}
