package population

import "encoding/binary"

// Most cells are short numbers and days. Columns of them are read row after row without a detour: what is anything else, an
// empty cell too, is left to cell.

// plainNumbers reads the cells of a column as far as they are plain, and returns how many.
func plainNumbers[T float32 | float64](out []T, b *csvBatch, from, column int) int {
	var words [256]uint64
	for done := 0; done < len(out); {
		n := b.words(words[:min(len(words), len(out)-done)], from+done, column, zeros)
		for i := 0; i < n; {
			if narrow, ok := any(out[done:]).([]float32); ok {
				i += shortNumbers(narrow[i:], words[i:n])
			}
			for some := min(i+4, n); i < some; i++ {
				f, ok := shortNumber(words[i])
				if !ok {
					if f, ok = plainNumber(b.field(from+done+i, column)); !ok {
						return done + i
					}
				}
				out[done+i] = T(f)
			}
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
	var words [256]uint64
	for done := 0; done < len(out); {
		n := b.fieldDates(words[:min(len(words), len(out)-done)], from+done, column)
		for i := 0; i < n; {
			i += shortDays(out[done+i:], words[i:n])
			for some := min(i+4, n); i < some; i++ {
				day, ok := dayOf(words[i])
				if !ok {
					return done + i
				}
				out[done+i] = day
			}
		}
		if done += n; n == len(words) || done == len(out) {
			continue
		}
		day, ok := plainDate(b.field(from+done, column))
		if !ok {
			return done
		}
		out[done] = day
		done++
	}
	return len(out)
}

// plainDate reads a day, as nearly all dates are written.
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
	return dayOf(pairs&0xff*100 + pairs>>16&0xff + pairs>>48<<32 + pairs>>32&0xff<<40)
}

// dayOf is the day of a word as csvBatch.fieldDates gives it, counted from 1970; false if there is no such day.
func dayOf(word uint64) (int64, bool) {
	year, day, month := uint32(word), uint32(word>>32)&0xff, uint32(word>>40)
	m := &months[month&15]
	if year < 1 || month > 12 || day-1 >= m.days && (month != 2 || day != 29 || year%4 != 0 || year%100 == 0 && year%400 != 0) {
		return 0, false
	}
	year -= m.late // the leap day is the last of a year that begins in March
	return int64(year*365+year/4-year/100+year/400+m.before+day) - 719469, true
}

// months are what dates are computed with, by number.
var months = func() (all [16]struct{ days, late, before uint32 }) {
	for i := range 12 {
		m := &all[(i+2)%12+1]
		m.before = uint32(153*i+2) / 5
		m.days = uint32(153*i+155)/5 - m.before
		if i > 9 {
			m.late = 1
		}
	}
	all[2].days = 28
	return all
}()
