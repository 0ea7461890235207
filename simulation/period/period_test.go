package period

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRecordedAnswers asks every question of testdata/cases.tsv again; generate.py recorded the answers of OpenFisca-Core.
func TestRecordedAnswers(t *testing.T) {
	f, err := os.Open("testdata/cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	asked := 0
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		op, args, want := fields[0], fields[1:len(fields)-1], fields[len(fields)-1]
		got, err := answer(t, op, args)
		if err != nil {
			got = "!"
		}
		if got != want {
			t.Errorf("%s(%s) = %s (%v), want %s", op, strings.Join(args, ", "), got, err, want)
		}
		asked++
	}
	if asked < 5000 {
		t.Errorf("only %d cases were asked", asked)
	}
}

var properties = map[string]func(Period) (Period, error){
	"this_year": Period.ThisYear, "first_month": Period.FirstMonth, "first_week": Period.FirstWeek,
	"first_day":     func(p Period) (Period, error) { return p.FirstDay(), nil },
	"first_weekday": func(p Period) (Period, error) { return p.FirstWeekday(), nil },
	"last_month":    Period.LastMonth, "last_3_months": Period.Last3Months, "last_year": Period.LastYear, "n_2": Period.N2,
	"last_week": Period.LastWeek, "last_fortnight": Period.LastFortnight,
	"last_2_weeks":  func(p Period) (Period, error) { return p.LastWeeks(2) },
	"last_26_weeks": func(p Period) (Period, error) { return p.LastWeeks(26) },
	"last_52_weeks": func(p Period) (Period, error) { return p.LastWeeks(52) },
}

func answer(t *testing.T, op string, args []string) (string, error) {
	switch op {
	case "parse":
		p, err := Parse(args[0])
		return show(p), err
	case "instant":
		i, err := ParseInstant(args[0])
		return showInstant(i), err
	}
	p := read(t, args[0])
	if property, ok := properties[op]; ok {
		q, err := property(p)
		return show(q), err
	}
	if unit, ok := strings.CutPrefix(op, "size_in_"); ok {
		u, _ := ParseUnit(strings.TrimSuffix(unit, "s"))
		n, err := p.SizeIn(u)
		return strconv.Itoa(n), err
	}
	return answerRest(t, op, p, args)
}

func answerRest(t *testing.T, op string, p Period, args []string) (string, error) {
	switch op {
	case "str":
		if p.Unit != Eternity {
			return p.String(), p.Start.check()
		}
		return p.String(), nil
	case "stop":
		e := NewTable().Intern(p)
		_, _ = e.Stop()
		i, err := e.Stop()
		return showInstant(i), err
	case "date":
		i, err := p.Date()
		return showInstant(i), err
	case "days":
		n, err := p.Days()
		return strconv.Itoa(n), err
	case "key":
		return p.SizeKey(), nil
	case "offset":
		n, _ := strconv.Atoi(args[1])
		q, err := p.Offset(n, readUnit(t, args[2]))
		return show(q), err
	case "first-of":
		q, err := p.FirstOf(readUnit(t, args[1]))
		return show(q), err
	case "last-of":
		q, err := p.LastOf(readUnit(t, args[1]))
		return show(q), err
	case "contains":
		table := NewTable()
		yes, err := p.Contains(read(t, args[1]))
		again, err2 := table.Intern(p).Contains(table.Intern(read(t, args[1])))
		if yes != again || (err == nil) != (err2 == nil) {
			t.Errorf("%s in a table contains differently", p)
		}
		return title(yes), err
	case "less":
		return title(p.Compare(read(t, args[1])) < 0), nil
	case "intersection":
		q, ok, err := p.Intersection(readInstant(t, args[1]), readInstant(t, args[2]))
		if !ok && err == nil {
			return "None", nil
		}
		return show(q), err
	case "subperiods":
		return showSubperiods(p.Subperiods(readUnit(t, args[1])))
	}
	t.Fatalf("unknown operation %s", op)
	return "", nil
}

func showSubperiods(subs []Period, err error) (string, error) {
	parts := []string{strconv.Itoa(len(subs))}
	for _, p := range subs[:min(2, len(subs))] {
		parts = append(parts, show(p))
	}
	if len(subs) > 0 {
		parts = append(parts, show(subs[len(subs)-1]))
	}
	return strings.Join(parts, ","), err
}

func title(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func show(p Period) string { return fmt.Sprintf("%s/%s/%d", p.Unit, showInstant(p.Start), p.Size) }

func showInstant(i Instant) string { return fmt.Sprintf("%d-%d-%d", i.Year, i.Month, i.Day) }

func read(t *testing.T, text string) Period {
	parts := strings.Split(text, "/")
	size, _ := strconv.Atoi(parts[2])
	return Of(readUnit(t, parts[0]), *readInstant(t, parts[1]), size)
}

func readUnit(t *testing.T, name string) Unit {
	u, ok := ParseUnit(name)
	if !ok {
		t.Fatalf("unknown unit %q", name)
	}
	return u
}

func readInstant(t *testing.T, text string) *Instant {
	if text == "None" {
		return nil
	}
	if text == "-1--1--1" {
		return &EternityInstant
	}
	var y, m, d int
	if _, err := fmt.Sscanf(text, "%d-%d-%d", &y, &m, &d); err != nil {
		t.Fatalf("instant %q: %v", text, err)
	}
	return &Instant{int16(y), int8(m), int8(d)}
}

func TestLenient(t *testing.T) {
	for text, want := range map[string]string{"2014-1": "2014-01", "2014-2-3": "2014-02-03", "month:2014-2:3": "month:2014-02:3", "2014-12": "2014-12"} {
		p, err := ParseLenient(text)
		if err != nil || p.String() != want {
			t.Errorf("ParseLenient(%q) = %v, %v, want %s", text, p, err, want)
		}
		if _, err := Parse(text); (err == nil) != (text == want) {
			t.Errorf("Parse(%q) = %v", text, err)
		}
	}
}

// TestOrdinals walks over 800 years of days: the day numbers are consecutive and lead back.
func TestOrdinals(t *testing.T) {
	i, _ := NewInstant(1600, 1, 1)
	for n := i.ordinal(); n < i.ordinal()+292_000; n++ {
		j, err := fromOrdinal(n)
		if err != nil || j.ordinal() != n || !j.Valid() {
			t.Fatalf("fromOrdinal(%d) = %v, %v with the ordinal %d", n, j, err, j.ordinal())
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Of(rapid.SampledFrom([]Unit{Weekday, Week, Day, Month, Year}).Draw(t, "unit"),
			Instant{rapid.Int16Range(1000, 9990).Draw(t, "year"), rapid.Int8Range(1, 12).Draw(t, "month"), rapid.Int8Range(1, 28).Draw(t, "day")},
			rapid.IntRange(1, 300).Draw(t, "size"))
		if first, err := p.First(p.Unit); err == nil && p.Unit != Year {
			p.Start = first.Start
		} else {
			p.Start.Day = 1
		}
		q, err := Parse(p.String())
		if err != nil || q != p && !(p.Unit == Month && p.Size == 12) {
			t.Fatalf("%+v prints as %s, which reads as %+v (%v)", p, p, q, err)
		}
	})
}

func TestTable(t *testing.T) {
	table := NewTable()
	a, err := table.Parse("2014-03")
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := table.Parse("month:2014-03"); b != a || table.At(a.ID) != a {
		t.Errorf("the same period has two entries")
	}
	year, _ := a.ThisYear()
	months, err := year.Subperiods(Month)
	if err != nil || len(months) != 12 || months[2] != a {
		t.Errorf("the months of %s are %v (%v)", year, months, err)
	}
	if again, _ := a.Offset(-2, Month); again != months[0] {
		t.Errorf("two months before %s is %s", a, again)
	}
	if n2, _ := a.N2(); n2.String() != "2012" {
		t.Errorf("n_2 of %s is %s", a, n2)
	}
	if table.Len() != 14 {
		t.Errorf("the table has %d periods, want 14 (2014, its months, 2012)", table.Len())
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2014", "2014-W53-1", "week:2014-W01:3", "eternity", "year:0001:-1", "day:9999-12-31:2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse(s)
		if err != nil {
			return
		}
		if _, err := Parse(p.String()); err != nil && p.Size > 0 && p.Start.Year >= 1000 {
			t.Errorf("%q reads as %s, which is refused: %v", s, p, err)
		}
		_, _ = p.Stop()
		_, _ = p.N2()
		_, _ = p.Days()
	})
}

func BenchmarkDerivedPeriods(b *testing.B) {
	table := NewTable()
	month := table.Intern(OfMonth(2014, 3))
	b.ReportAllocs()
	for b.Loop() {
		year, _ := month.ThisYear()
		last, _ := year.LastMonth()
		_, _ = last.Offset(-1, Month)
	}
}

// TestText writes every kind of period as the verbs of fmt do.
func TestText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Period{Start: Instant{rapid.Int16().Draw(t, "year"), rapid.Int8().Draw(t, "month"), rapid.Int8().Draw(t, "day")},
			Size: rapid.Int32Range(-20, 20).Draw(t, "size"), Unit: Unit(rapid.IntRange(0, int(Eternity)).Draw(t, "unit"))}
		if rapid.Bool().Draw(t, "valid") {
			p.Start, _ = FromDays(rapid.IntRange(-700000, 2900000).Draw(t, "days"))
		}
		if got, want := p.String(), written(p); got != want {
			t.Fatalf("%#v is written %s, want %s", p, got, want)
		}
		if back, err := Parse(p.Exact()); p.Start.Valid() && p.Unit != Eternity && p.Size > 0 && p.Start.Year >= 1000 && (err != nil || back != p) {
			t.Fatalf("%#v is exactly %s, which is read as %#v, %v", p, p.Exact(), back, err)
		}
		q := Period{Start: p.Start, Size: rapid.Int32Range(-20, 200).Draw(t, "other size"), Unit: Unit(rapid.IntRange(0, int(Eternity)).Draw(t, "other unit"))}
		if got, want := p.CompareSize(q), strings.Compare(p.SizeKey(), q.SizeKey()); got != want {
			t.Fatalf("%s compares to %s as %d, want %d", p, q, got, want)
		}
	})
}

func written(p Period) string {
	wholeYear := p.Unit == Year && p.Size == 1 || p.Unit == Month && p.Size == 12
	sized := func(start string) string {
		if p.Size == 1 {
			return start
		}
		return fmt.Sprintf("%s:%s:%d", p.Unit, start, p.Size)
	}
	switch {
	case p.Unit == Eternity:
		return "ETERNITY"
	case wholeYear && p.Start.Month == 1:
		return strconv.Itoa(int(p.Start.Year))
	case wholeYear:
		return fmt.Sprintf("year:%d-%02d", p.Start.Year, p.Start.Month)
	case p.Unit == Month && p.Size == 1:
		return fmt.Sprintf("%d-%02d", p.Start.Year, p.Start.Month)
	case p.Unit == Year && p.Start.Month == 1:
		return fmt.Sprintf("year:%d:%d", p.Start.Year, p.Size)
	case p.Unit == Day:
		return sized(fmt.Sprintf("%d-%02d-%02d", p.Start.Year, p.Start.Month, p.Start.Day))
	case p.Unit == Week && p.Size >= 1 && p.Start.Valid():
		year, week, _ := p.Start.ISOWeek()
		return sized(fmt.Sprintf("%d-W%02d", year, week))
	case p.Unit == Weekday && p.Size >= 1 && p.Start.Valid():
		year, week, weekday := p.Start.ISOWeek()
		return sized(fmt.Sprintf("%d-W%02d-%d", year, week, weekday))
	}
	return fmt.Sprintf("%s:%d-%02d:%d", p.Unit, p.Start.Year, p.Start.Month, p.Size)
}

// TestAllocations: periods that documents are full of are read and written without any.
func TestAllocations(t *testing.T) {
	for _, text := range []string{"2017", "2017-01", "2017-01-15", "month:2017-01:3", "2017-W04", "ETERNITY"} {
		var buf [32]byte
		if n := testing.AllocsPerRun(100, func() {
			p, err := Parse(text)
			if err != nil || string(p.Append(buf[:0])) != text {
				t.Fatalf("%s is read as %s: %v", text, p, err)
			}
		}); n != 0 {
			t.Errorf("%v allocations for %s", n, text)
		}
	}
}
