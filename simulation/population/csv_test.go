package population

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// records reads all of a CSV file as we do.
func records(t testing.TB, text string) ([][]string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := (&Job{Input: path}).open(t.Context())
	if err != nil {
		return nil, err
	}
	defer s.close()
	out := [][]string{s.header()}
	for {
		b, err := s.next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		for row := range b.rows() {
			var record []string
			for column := range s.header() {
				record = append(record, string(b.cell(row, column).text))
			}
			out = append(out, record)
		}
	}
}

func TestCSV(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"plain":           {"a,b\n1,2\n", "a|b / 1|2"},
		"no last newline": {"a,b\n1,2", "a|b / 1|2"},
		"CRLF":            {"a,b\r\n1,2\r\n\"3\",4\r\n", "a|b / 1|2 / 3|4"},
		"semicolons":      {"a;b\n1,5;2\n", "a|b / 1,5|2"},
		"tabs":            {"a\tb\n1\t2\n", "a|b / 1|2"},
		"mark of order":   {"\ufeffa,b\n1,2\n", "a|b / 1|2"},
		"blank lines":     {"\na,b\n\n1,2\n\n\n3,4\n\n", "a|b / 1|2 / 3|4"},
		"quotes":          {"a,b\n\"x,\"\"y\"\"\",2\n,\"\"\n", "a|b / x,\"y\"|2 / |"},
		"lines in quotes": {"a,b\n\"x\ny\",2\n3,\"\n\"\n", "a|b / x\ny|2 / 3|\n"},
		"one column":      {"a\n1\n2\n", "a / 1 / 2"},
		"only a header":   {"a,b\n", "a|b"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := records(t, c.text)
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, r := range got {
				rows = append(rows, strings.Join(r, "|"))
			}
			if text := strings.Join(rows, " / "); text != c.want {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}

// TestCSVRoundTrip reads what encoding/csv writes, in files larger than a block.
func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(2, 4).Draw(rt, "width")
		field := rapid.SampledFrom([]string{"", "1", "a b", "x,y", "\"", "é\"\"", "line\nline", "12.5", strings.Repeat("long ", 2000)})
		rows := rapid.SliceOfN(rapid.SliceOfN(field, width, width), 1, 80).Draw(rt, "rows")
		rows[0] = []string{"a", "b", "c", "d"}[:width]
		// A row of nothing but empty fields may look like a blank line to others; ours has commas.
		var text bytes.Buffer
		if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
			rt.Fatal(err)
		}
		got, err := records(t, text.String())
		if err != nil {
			rt.Fatal(err)
		}
		if !slices.EqualFunc(got, rows, func(a, b []string) bool { return slices.Equal(a, b) }) {
			rt.Fatalf("got %q, want %q", got, rows)
		}
	})
}

// TestCSVPlain: rows without quotes are cut eight bytes at a time; what the blocks of a file end in, and lines that are blank, makes no
// difference.
func TestCSVPlain(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := "a,b,c\n"
		lines := rapid.SliceOfN(rapid.StringMatching(`[-0-9.x]{0,9},[0-9]{0,3},[^,;"\r\n]{0,12}\r?\n|\r?\n`), 0, 40).Draw(r, "lines")
		text += strings.Repeat(strings.Join(lines, ""), rapid.SampledFrom([]int{1, 2, 2000}).Draw(r, "times"))
		text = strings.TrimSuffix(text, rapid.SampledFrom([]string{"", "\n"}).Draw(r, "end"))
		want, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			r.Skip(err)
		}
		got, err := records(t, text)
		if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			r.Fatalf("%d rows, want %d (%v)", len(got), len(want), err)
		}
	})
}

// TestPlainDate: what is read at a glance is what is read with care.
func TestPlainDate(t *testing.T) {
	for _, s := range []string{"1985-03-02", "0001-01-01", "1600-02-28", "2000-12-28", "9999-12-28", "2023-01-01", "2024-02-29", "2023-02-30", "0000-01-01",
		"2023-13-01", "2023-00-10", "2023-10-00", "2023-1-001", "20x3-01-01", "2023/01/01"} {
		glance, ok := plainDate([]byte(s))
		care, err := cell{kind: text, text: []byte(s)}.date()
		if ok != (err == nil) || ok && glance != care {
			t.Errorf("%s: %d, want %d (%v)", s, glance, care, err)
		}
	}
	for year := range 10_000 {
		for month := range 14 {
			for _, day := range []int{0, 1, 2, 28, 29, 30, 31, 32} {
				glance, ok := dayOf(uint64(year) + uint64(day)<<32 + uint64(month)<<40)
				care, err := period.NewInstant(year, month, day)
				if ok != (err == nil) || ok && glance != int64(care.Days()) {
					t.Fatalf("%d-%d-%d: %d (%v), want %d (%v)", year, month, day, glance, ok, care.Days(), err)
				}
			}
		}
	}
}

func FuzzCSV(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "a\n\"", "\"a\nb\",c\r\n\"\"\"\",\r\n", "a;b\n\n;", "a,b\n1\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := records(t, text)
		if err == nil && len(rows) == 0 {
			t.Error("no header and no error")
		}
	})
}

func TestCells(t *testing.T) {
	of := func(s string) cell { return cell{kind: text, text: []byte(s)} }
	for s, want := range map[string]float64{"0": 0, "1250.5": 1250.5, "-3": -3, "1e3": 1000, " 7 ": 7, ".5": .5, "5.": 5, "0.1": 0.1, "12345678901234567890": 12345678901234567890} {
		if f, err := of(s).float(); err != nil || f != want {
			t.Errorf("%q: %v, %v, want %v", s, f, err, want)
		}
	}
	for _, s := range []string{"", ".", "-", "1.2.3", "1,5", "x", "--1"} {
		if f, err := of(s).float(); err == nil {
			t.Errorf("%q: %v, want an error", s, f)
		}
	}
	for s, want := range map[string]int64{"1970-01-02": 1, "1969-12-31": -1, "2000-02-29 00:00:00": 11016, "2000-02-29T00:00:00.000Z": 11016} {
		if d, err := of(s).date(); err != nil || d != want {
			t.Errorf("%q: %v, %v, want %v", s, d, err, want)
		}
	}
	for _, s := range []string{"2001-02-29", "2001-2-9", "2001", "2001-02-29T12:00:00", "29/02/2000"} {
		if d, err := of(s).date(); err == nil {
			t.Errorf("%q: %v, want an error", s, d)
		}
	}
	for _, s := range []string{"", "NA", "NaN", "null"} {
		if of(s).given(legislation.Float) {
			t.Errorf("%q is a number that is given", s)
		}
	}
	if !of("NA").given(legislation.String) {
		t.Error("a text cannot be NA")
	}
}

// TestNumbers writes the shortest text that reads back to the same float32.
func TestNumbers(t *testing.T) {
	for want, f := range map[string]float32{"0.1": 0.1, "1250": 1250, "-0": float32(negativeZero()), "16777216": 16777216, "1e+20": 1e20, "3.4e-05": 3.4e-5, "28330.621": 28330.621} {
		if got := string(appendNumber(nil, float64(f), 32)); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
}

func negativeZero() float64 {
	zero := 0.0
	return -zero
}
