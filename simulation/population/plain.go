package population

import (
	"encoding/binary"

	"edict/simulation/vector"
)

// Most cells are short numbers and days. Columns of them are read row after row without a detour: what is anything else, an
// empty cell too, is left to cell.

// plainNumbers reads the cells of a column as far as they are plain, and returns how many.
func plainNumbers[T float32 | float64](out []T, b *csvBatch, from, column int) int {
	var words [256]uint64
	for done := 0; done < len(out); {
		n := b.words(words[:min(len(words), len(out)-done)], from+done, column, zeros)
		for i, w := range words[:n] {
			f, ok := shortNumber(w)
			if !ok {
				if f, ok = plainNumber(b.field(from+done+i, column)); !ok {
					return done + i
				}
			}
			out[done+i] = T(f)
		}
		if done += n; n == len(words) || done == len(out) {
			continue
		}
		f, ok := plainNumber(b.field(from+done, column))
		if !ok {
			return done
		}
		out[done] = T(f)
		done++
	}
	return len(out)
}

// shortNumber is plainNumber for a word that has zeros before it, unless there is a sign, or zeros and a point alone.
func shortNumber(word uint64) (float64, bool) {
	digits, decimals := withoutPoint(word)
	return float64(int64(eightDigits(digits))) / powersOfTen[decimals&7], allDigits(digits) && word != nothingButAPoint
}

const nothingButAPoint = zeros&^(0xff<<56) | '.'<<56

// plainDates reads the days of a column as far as they are plain, and returns how many.
func plainDates(out []int64, b *csvBatch, from, column int) int {
	for i := range out {
		start, end := b.extent(from+i, column)
		if end-start != 10 || end > len(b.data) {
			return i
		}
		day, ok := plainDate(b.data[start:end])
		if !ok {
			return i
		}
		out[i] = day
	}
	return len(out)
}

// plainDate reads a day that is in every month: what nearly all dates are.
func plainDate(b []byte) (int64, bool) {
	if len(b) != 10 {
		return 0, false
	}
	first, last := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint16(b[8:])
	const dashes = 0xff0000ff << 32
	digits := first&0xffffffff | first>>8&(0xffff<<32) | uint64(last)<<48
	if first&dashes != '-'*everyByte&dashes || !allDigits(digits) {
		return 0, false
	}
	pairs := digitPairs(digits)
	year, month, day := int(pairs&0xff)*100+int(pairs>>16&0xff), int(pairs>>32&0xff), int(pairs>>48)
	if year < 1 || month < 1 || month > 12 || day < 1 || day > 28 {
		return 0, false
	}
	return vector.DaysOf(year, month, day), true
}
