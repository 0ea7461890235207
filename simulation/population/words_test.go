package population

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// batchOf is rows of one field each.
func batchOf(fields ...string) *csvBatch {
	b := &csvBatch{width: 1}
	for _, f := range fields {
		b.starts = append(b.starts, int32(len(b.data)))
		b.data = append(b.data, f...)
		b.ends = append(b.ends, int32(len(b.data)))
		b.data = append(b.data, '\n')
	}
	return b
}

// TestWords: what is read eight bytes at a time is what is read byte by byte.
func TestWords(t *testing.T) {
	text := rapid.OneOf(rapid.StringMatching(`-?[0-9]{0,5}\.?[0-9]{0,5}`), rapid.StringMatching(`[-0-9./:;e]{0,10}`), rapid.StringMatching(`[0-9]{3,4}-[0-9]{2}.[0-9]{2}`), rapid.StringN(0, 9, 12))
	rapid.Check(t, func(r *rapid.T) {
		field := text.Draw(r, "field")
		b := batchOf("adult,x", field) // there are eight bytes before what is read
		if word := wordOf([]byte(field), zeros); word != 0 {
			got, ok := shortNumber(word)
			want, plain := plainNumber([]byte(field))
			if ok && (!plain || math.Float64bits(got) != math.Float64bits(want)) {
				r.Errorf("%q: %v, want %v (%v)", field, got, want, plain)
			}
			if !ok && plain && field[0] != '-' && word != nothingButAPoint { // "0." is the word that "." is
				r.Errorf("%q is not read at once", field)
			}
			number, ok := serialWord(wordOf([]byte(field), newlines))
			if field[0] == '\n' {
				return // no field begins so
			}
			if want, fine := serial([]byte(field)); ok != fine || ok && number != want {
				r.Errorf("%q: %d (%v), want %d (%v)", field, number, ok, want, fine)
			}
		}
		if got, ok := plainDate([]byte(field)); ok {
			if want, err := (cell{kind: 1, text: []byte(field)}).date(); err != nil || got != want {
				r.Errorf("%q: day %d, want %d (%v)", field, got, want, err)
			}
		}
		for _, fill := range []uint64{zeros, newlines} {
			var word [1]uint64
			if b.words(word[:], 1, 0, fill); word[0] != wordOf([]byte(field), fill) {
				r.Errorf("%q is the word %x, want %x", field, word, wordOf([]byte(field), fill))
			}
		}
	})
}

// TestFields: columns of words, numbers and days that are read many at once are what they are one by one, and end where they should.
func TestFields(t *testing.T) {
	text := rapid.OneOf(rapid.StringMatching(`[0-9]{1,5}(\.[0-9]{0,2})?`), rapid.StringMatching(`[0-9]{4}-[01][0-9]-[0-3][0-9]`), rapid.StringMatching(`-?[0-9]{0,5}\.?[0-9]{0,5}`),
		rapid.StringMatching(`[-0-9.:/a]{0,10}`), rapid.Just("."), rapid.Just("0."))
	few := rapid.SliceOfN(text, 1, 3)
	rapid.Check(t, func(r *rapid.T) {
		kinds := few.Draw(r, "fields")
		fields := make([]string, rapid.IntRange(1, 40).Draw(r, "rows"))
		b := &csvBatch{width: 3}
		for i := range fields {
			fields[i] = kinds[rapid.IntRange(0, len(kinds)-1).Draw(r, "field")]
			b.starts = append(b.starts, int32(len(b.data)))
			for _, f := range []string{rapid.SampledFrom([]string{"", "1", "person 12345"}).Draw(r, "before"), fields[i], "x"} {
				b.data = append(b.data, f...)
				b.ends = append(b.ends, int32(len(b.data)))
				b.data = append(b.data, ',')
			}
		}
		var words [64]uint64
		n := b.words(words[:len(fields)], 0, 1, zeros)
		for i, f := range fields {
			word := wordOf([]byte(f), zeros)
			switch enough := int(b.ends[3*i+1]) >= 8; {
			case i < n && words[i] != word:
				r.Fatalf("%q is the word %x, want %x", f, words[i], word)
			case i == n && word != 0 && enough:
				r.Fatalf("%q is no word", f)
			}
		}
		numbers := make([]float32, len(fields))
		n = plainNumbers(numbers, b, 0, 1)
		for i, f := range fields[:min(n+1, len(fields))] {
			want, ok := plainNumber([]byte(f))
			if ok != (i < n) || ok && math.Float32bits(numbers[i]) != math.Float32bits(float32(want)) {
				r.Fatalf("%q, row %d of %d, is %v, want %v (%v)", f, i, n, numbers[i], want, ok)
			}
		}
		days := make([]int64, len(fields))
		n = plainDates(days, b, 0, 1)
		for i, f := range fields[:min(n+1, len(fields))] {
			want, err := cell{kind: 1, text: []byte(f)}.date()
			if (err == nil) != (i < n) || err == nil && days[i] != want {
				r.Fatalf("%q, row %d of %d, is day %d, want %d (%v)", f, i, n, days[i], want, err)
			}
		}
	})
}

// TestSeparators holds many bytes at once to one at a time.
func TestSeparators(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		data := rapid.SliceOfN(rapid.SampledFrom([]byte(",,,;\n\n\"a1\xac\x8a\xa2\r ")), 64, 700).Draw(r, "data")
		if rapid.Bool().Draw(r, "without quotes") {
			data = slices.DeleteFunc(data, func(c byte) bool { return c == '"' })
		}
		const at = 1000
		places := make([]int32, len(data)+roomBehind)
		found, newlines, quotes, ok := separators(places, data, ',', at)
		if !ok {
			t.Skip("this processor has no way of its own")
		}
		var want []int32
		for i, c := range data[:len(data)/64*64] {
			if c == ',' || c == '\n' {
				want = append(want, at+int32(i))
			}
			if c == '\n' {
				newlines--
			}
			if c == '"' && !quotes {
				r.Fatal("a quote is not seen")
			}
		}
		if !slices.Equal(places[:found], want) || newlines != 0 || quotes && !slices.Contains(data, '"') {
			r.Fatalf("found %v, want %v; %d ends of lines too many, or no quotes (%v)", places[:found], want, newlines, quotes)
		}
	})
}

// TestManyRows: all rows at once are what they are one after the other, or none.
func TestManyRows(t *testing.T) {
	row := rapid.StringMatching(`[-0-9.]{0,9},[0-9]{0,3},[^,;"\n]{0,12}\r?\n`)
	odd := rapid.OneOf(row, row, row, row, rapid.SampledFrom([]string{"\n", "\r\n", "a\nb,c\n", "a,b\n", ",,,\n", "x,\"y\",z\n"}))
	rapid.Check(t, func(r *rapid.T) {
		rows := rapid.SliceOfN(rapid.SampledFrom([]*rapid.Generator[string]{row, odd}).Draw(r, "kind"), 1, 60).Draw(r, "rows")
		var data []byte
		for _, one := range rows {
			data = append(data, one...)
		}
		data = append(data, rapid.SampledFrom([]string{"", "1,2", "1,2,3"}).Draw(r, "rest")...)
		many, single := &csvBatch{width: 3, data: data}, &csvBatch{width: 3, data: data}
		a, b := &csvSource{comma: ','}, &csvSource{comma: ','}
		used := a.manyRows(many)
		if used == 0 {
			if len(many.ends) > 0 || len(many.starts) > 0 || a.line > 0 {
				r.Fatal("rows are left of none")
			}
			return
		}
		b.plainRows(single)
		n := len(many.starts)
		if n > len(single.starts) || !slices.Equal(many.starts, single.starts[:n]) || !slices.Equal(many.ends, single.ends[:3*n]) || a.line != n || used != int(many.ends[3*n-1])+1 && data[used-2] != '\r' {
			r.Fatalf("%d rows, one by one %d; %v, %v", n, len(single.starts), many.ends, single.ends)
		}
	})
}

// TestSerials: rows that are put into groups many at once go where they go one by one.
func TestSerials(t *testing.T) {
	odd := rapid.SampledFrom([]string{"0", "00", "07", "7a", "a7", "1.5", "-1", "/", ":", "99999999", "0000000a", "\xff1"})
	rapid.Check(t, func(r *rapid.T) {
		number := rapid.SampledFrom([]int{0, 7, 98, 99990, 9999980}).Draw(r, "first")
		names := []string{strconv.Itoa(number)}
		for range rapid.IntRange(1, 40).Draw(r, "rows") {
			number += rapid.SampledFrom([]int{0, 0, 1, 1, 2, 300}).Draw(r, "more")
			names = append(names, strconv.Itoa(number))
		}
		if rapid.Bool().Draw(r, "odd") {
			names[rapid.IntRange(1, len(names)-1).Draw(r, "where")] = odd.Draw(r, "name")
		}
		n := len(names) - 1
		words, groupOf, begins := make([]uint64, n+1), make([]int32, n), make([]int32, n)
		for i, name := range names {
			words[i] = wordOf([]byte(name), newlines)
		}
		rows, groups := serials(groupOf, begins, words, 5)
		var wantGroups, wantBegins []int32
		for i, name := range names[1:] {
			if name != names[i] {
				before, _ := serial([]byte(names[i]))
				if n, ok := serial([]byte(name)); !ok || n <= before {
					break
				}
				wantBegins = append(wantBegins, int32(i))
			}
			wantGroups = append(wantGroups, 5+int32(len(wantBegins)))
		}
		if !slices.Equal(groupOf[:rows], wantGroups) || !slices.Equal(begins[:groups], wantBegins) {
			r.Fatalf("%q: groups %v begin at %v, want %v at %v", names, groupOf[:rows], begins[:groups], wantGroups, wantBegins)
		}
	})
}
