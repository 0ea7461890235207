package watch

import (
	"strings"
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n      float64
		en, fr string
	}{
		{0, "0", "0"}, {1300, "1,300", "1\u202f300"}, {1234.5, "1,234.50", "1\u202f234,50"}, {-816.33, "\u2212816.33", "\u2212816,33"},
		{1234567.891, "1,234,567.89", "1\u202f234\u202f567,89"}, {0.075, "0.075", "0,075"}, {-0.0001, "\u22120.0001", "\u22120,0001"}, {999.999, "1,000", "1\u202f000"}, {100, "100", "100"},
	} {
		if en, fr := writeNumber(c.n, "en"), writeNumber(c.n, "fr"); en != c.en || fr != c.fr {
			t.Errorf("%v is %q and %q, want %q and %q", c.n, en, fr, c.en, c.fr)
		}
	}
	if got := writeChange(65.5, "en") + writeChange(-65.5, "en"); got != "+65.50\u221265.50" {
		t.Error(got)
	}
	day := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	if got := writeDay(day, "en") + " " + writeDay(day, "fr") + " " + writeDay(day.AddDate(0, 1, 1), "fr"); got != "1 January 2027 1er janvier 2027 2 février 2027" {
		t.Error(got)
	}
}

func TestDay(t *testing.T) {
	for _, c := range []struct {
		spec RunSpec
		want string
	}{
		{RunSpec{Date: "2027-03-01", New: LawChoice{Parameters: []byte(`{"a": {"2027-01-01": 1}}`)}}, "2027-03-01"},
		{RunSpec{New: LawChoice{Parameters: []byte(`{"a": {"2028-01-01": 1, "2027-01-01.2027-12-31": 2}}`)}}, "2027-01-01"},
		{RunSpec{New: LawChoice{Reforms: []byte(`["key", {"parameters": {"a": {"2027": 1}}}]`)}}, "2027-01-01"},
		{RunSpec{Period: "month:2027-06:3"}, "2027-06-01"},
		{RunSpec{}, "2026-01-01"},
	} {
		if got := c.spec.day("2026").Format(time.DateOnly); got != c.want {
			t.Errorf("%+v: %s, want %s", c.spec, got, c.want)
		}
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		t             *Threshold
		want          bool
	}{
		{100, 101, nil, true}, {100, 100, nil, false}, {100, 100.00001, nil, false}, {0, 0.01, nil, true},
		{100, 109, &Threshold{Amount: new(10.0)}, false}, {100, 90, &Threshold{Amount: new(10.0)}, true},
		{100, 104, &Threshold{Percent: new(5.0)}, false}, {-100, -105, &Threshold{Percent: new(5.0)}, true}, {0, 1, &Threshold{Percent: new(5.0)}, true},
		{100, 106, &Threshold{Amount: new(10.0), Percent: new(5.0)}, true}, {100, 101, &Threshold{}, true},
	} {
		if got := (&change{[]float64{c.before}, []float64{c.after}}).tells(c.t); got != c.want {
			t.Errorf("%v to %v with %+v: %v", c.before, c.after, c.t, got)
		}
	}
}

// FuzzText: a text that is accepted is filled to the last field, and one that is not says why.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "{before}", "{", "}", "a {label} b {difference}", "{{before}}", "{befor}", "{}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := parseText(text)
		if err != nil {
			return
		}
		again := ""
		for _, p := range parts {
			if p.field != "" {
				again += "{" + p.field + "}"
			}
			again += p.text
		}
		if again != text {
			t.Errorf("%q became %q", text, again)
		}
		fields := map[string]string{}
		for _, name := range fieldNames {
			fields[name] = "X"
		}
		if strings.Contains(fill(text, fields), "{") {
			t.Errorf("%q has a field left", fill(text, fields))
		}
	})
}

// FuzzKeys: a file that is no key file is refused, and never has a key that is not written in it.
func FuzzKeys(f *testing.F) {
	s, err := freshSealer()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("# a\n" + s.id + " AAAA\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, text []byte) {
		first, byID, err := parseKeys(text)
		if err == nil && byID[first].aead == nil {
			t.Error("no key")
		}
	})
}
