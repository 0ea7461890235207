package population

//go:noescape
func wordsAVX2(out *uint64, data *byte, ends *int32, width, n int, fill uint64) (done int)

//go:noescape
func numbersAVX2(out *float32, words *uint64, n int) (done int)

//go:noescape
func datesAVX2(out *uint64, data *byte, ends *int32, width, n int) (done int)

//go:noescape
func daysAVX2(out *int64, words *uint64, n int) (done int)

// fieldWords is csvBatch.words where this processor has a way of its own, for fields with others before them in the row.
func (b *csvBatch) fieldWords(out []uint64, from, column int, fill uint64) int {
	n := len(out) &^ 3
	if ends := b.endsOf(from, column, n, 8); ends != nil {
		return wordsAVX2(&out[0], &b.data[0], &ends[0], b.width, n, fill)
	}
	return 0
}

// fieldDates reads days as words: the year, 2³² times the day and 2⁴⁰ times the month, whether or not there is such a day.
func (b *csvBatch) fieldDates(out []uint64, from, column int) int {
	if ends := b.endsOf(from, column, len(out), 16); ends != nil {
		return datesAVX2(&out[0], &b.data[0], &ends[0], b.width, len(out))
	}
	return 0
}

// endsOf is where n fields lie: the place before each, and that behind it, row after row. It is nil if this processor has no way of its own,
// the fields are the first of their rows, or the first of them has not so many bytes of data before its end.
func (b *csvBatch) endsOf(from, column, n, bytes int) []int32 {
	at := from*b.width + column
	if !hasAVX2 || column == 0 || n == 0 || int(b.ends[at]) < bytes {
		return nil
	}
	return b.ends[at-1 : at+(n-1)*b.width+1]
}

// shortNumbers makes of words the numbers that they are, as far as they are some and this processor has a way of its own.
func shortNumbers(out []float32, words []uint64) int {
	n := len(words) &^ 3
	if !hasAVX2 || n == 0 {
		return 0
	}
	_ = out[n-1]
	return numbersAVX2(&out[0], &words[0], n)
}

// shortDays makes of words, as fieldDates gives them, days, as far as they are some and this processor has a way of its own.
func shortDays(out []int64, words []uint64) int {
	n := len(words) &^ 3
	if !hasAVX2 || n == 0 {
		return 0
	}
	_ = out[n-1]
	return daysAVX2(&out[0], &words[0], n)
}
