package scenario

import "testing"

func TestParsePeriod(t *testing.T) {
	for text, want := range map[string]string{
		`"2015"`: "2015", `2015`: "2015", `"year:2015"`: "2015", `"2015:2"`: "year:2015:2", `"2015-2"`: "2015-02", `"2015-02:3"`: "month:2015-02:3",
		`"2015-02-03"`: "2015-02-03", `"year:2015-02"`: "year:2015-02", `"year:2015-02:2"`: "year:2015-02:2", `"month:2015"`: "2015",
		`{"unit": "year", "start": 2015}`: "2015", `{"unit": "month", "start": "2015-02", "size": 3}`: "month:2015-02:3", `["month", [2015, 2], 3]`: "month:2015-02:3",
		`["year", 2015]`: "2015", `"2015-W10"`: "2015-W10", `"eternity"`: "ETERNITY",
	} {
		d, err := DecodeJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := ParsePeriod(d); err != nil || p.String() != want {
			t.Errorf("%s is %v (%v), want %s", text, p, err, want)
		}
	}
	for _, text := range []string{`"abc"`, `"2015-13"`, `"2015-02-31"`, `true`, `null`, `[]`, `{"start": {"year": 1}}`, `1800`, `"2015:0"`, `"2015:x"`, `["year", 2015, 1, 1]`, `{"unit": "year", "start": 2015, "foo": 1}`} {
		d, err := DecodeJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := ParsePeriod(d); err == nil {
			t.Errorf("%s is %v, want a refusal", text, p)
		}
	}
}
