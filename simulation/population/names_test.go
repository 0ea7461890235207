package population

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"edict/simulation/vector"
)

// TestNames keeps names of all lengths, takes some of them back, and appends those of others.
func TestNames(t *testing.T) {
	name := rapid.SampledFrom([]string{"", "1", "17", "12345678", "123456789", "a household", "\nin quotes", "a,b", " ", "\xff"})
	rapid.Check(t, func(r *rapid.T) {
		var m membership
		var want []string
		add := func(m *membership) (added []string) {
			for range rapid.IntRange(0, 6).Draw(r, "more") {
				one := name.Draw(r, "name")
				m.add([]byte(one))
				added = append(added, one)
			}
			return added
		}
		for range rapid.IntRange(1, 4).Draw(r, "times") {
			want = append(want, add(&m)...)
			kept := rapid.IntRange(0, len(want)).Draw(r, "kept")
			want, m.names = want[:kept], m.names[:kept]
			want = append(want, add(&m)...)
			var other membership
			more := add(&other)
			m.addAll(other)
			want = append(want, more...)
		}
		id := idsOf(&m, nil)
		for i, name := range want {
			if got := m.name(i); string(got) != name || string(id.text(i)) != name {
				r.Fatalf("group %d of %q is %q", i, want, got)
			}
			if word := id.word(i); word != 0 {
				if got := appendWord(nil, word); !bytes.Equal(got, appendText(nil, []byte(name))) {
					r.Fatalf("%q is written %q", name, got)
				}
			}
		}
	})
}

// TestLines: many lines at once are what they are cell by cell.
func TestLines(t *testing.T) {
	number := rapid.OneOf(rapid.Float32(), rapid.Float32Range(-100, 9e6), rapid.Map(rapid.IntRange(-99999, 9999999), func(cents int) float32 { return float32(cents) / 100 }))
	usual := rapid.Map(rapid.IntRange(0, 99_999_999), strconv.Itoa)
	name := rapid.OneOf(usual, usual, usual, rapid.SampledFrom([]string{"", "a", "123:", "/1", "1,2", "123456789", "00000000", "\x8012"}))
	rapid.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(0, 200).Draw(r, "rows")
		var m membership
		var want []byte
		values := make([]float32, rows)
		for i := range values {
			one := rapid.SampledFrom([]*rapid.Generator[string]{usual, name}).Draw(r, "names").Draw(r, "name")
			values[i] = number.Draw(r, "value")
			m.add([]byte(one))
			want = append(appendText(want, []byte(one)), ',')
			want = append(appendNumber(want, float64(values[i]), 32), '\n')
		}
		if !slices.ContainsFunc(values, func(v float32) bool { return math.Float32bits(v) != math.Float32bits(values[0]) }) {
			return
		}
		for _, of := range [][]int32{nil, places(rows)} { // the second has the cells written one by one
			encoded, err := (&csvSink{}).encode(part{rows: rows, ids: []ids{idsOf(&m, of)}, values: []vector.Column{vector.Of(slices.Clone(values))}})
			if got := encoded.(*encoding).bytes; err != nil || !bytes.Equal(got, want) {
				r.Fatalf("%q, want %q (%v)", got, want, err)
			}
			encodings.Put(encoded.(*encoding))
		}
	})
}

// TestWordsBehindTexts writes names that are words behind texts of any length, in memory that is just enough for them.
func TestWordsBehindTexts(t *testing.T) {
	var m membership
	for i := range 600 {
		m.add(strconv.AppendInt(nil, int64(i*i), 10))
	}
	text := func(row int) []byte { return bytes.Repeat([]byte{'x'}, row%300) }
	values := vector.Of(make([]int32, 600)).Compact()
	for rows := 1; rows < 600; rows += 7 {
		encoded, err := (&csvSink{}).encode(part{rows: rows, ids: []ids{{text: text}, idsOf(&m, nil)}, values: []vector.Column{values.Range(0, rows)}})
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for row := range rows {
			want = append(append(append(append(want, text(row)...), ','), m.name(row)...), ",0\n"...)
		}
		if got := encoded.(*encoding).bytes; !bytes.Equal(got, want) {
			t.Fatalf("%d rows: %q, want %q", rows, got, want)
		}
	}
}

// places are all places from 0 on.
func places(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
