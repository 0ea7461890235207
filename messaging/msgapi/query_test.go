package msgapi

import (
	"net/http/httptest"
	"testing"
	"time"
)

func TestTimesInQueries(t *testing.T) {
	utc := func(h, m, s, ms int) time.Time { return time.Date(2026, 11, 15, h, m, s, ms*1e6, time.UTC) }
	for raw, want := range map[string]time.Time{
		"2026-11-15":                          utc(0, 0, 0, 0),
		"2026-11-15T09:30":                    utc(9, 30, 0, 0),
		"2026-11-15T09:30Z":                   utc(9, 30, 0, 0),
		"2026-11-15T09:30:15":                 utc(9, 30, 15, 0),
		"2026-11-15T09:30:15.250Z":            utc(9, 30, 15, 250),
		"2026-11-15T09:30:15%2B02:00":         utc(7, 30, 15, 0),
		"2026-11-15T09:30:15+0200":            utc(7, 30, 15, 0), // the plus sign arrives as a space
		"2026-11-15T09:30:15.5-01:00":         utc(10, 30, 15, 500),
		"15/11/2026":                          {},
		"yesterday":                           {},
		"2026-11-15T25:00":                    {},
		"2026-11-15T09:30:15+02:00&since=now": {},
	} {
		q := queryOf(httptest.NewRequest("GET", "/?since="+raw, nil))
		got := q.time("since")
		if want.IsZero() != (q.err != nil) || !got.Equal(want) {
			t.Errorf("since=%s: got %v (%v), want %v", raw, got, q.err, want)
		}
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("since=2026-11-15&personal=true&offset=1")
	f.Add("since=%zz&id=a&id=b")
	f.Add("personal=;&sort_order=desc")
	f.Fuzz(func(t *testing.T, raw string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL.RawQuery = raw
		q := queryOf(r)
		since, personal, n := q.time("since"), q.personal(), q.integer("offset", 7)
		if q.err == nil && len(q.values["offset"]) == 0 && n != 7 {
			t.Errorf("%q: an absent offset is %d", raw, n)
		}
		if q.err == nil && len(q.values["since"]) == 0 && !since.IsZero() {
			t.Errorf("%q: an absent time is %v", raw, since)
		}
		if q.err == nil && len(q.values["personal"]) == 0 && personal != 0 {
			t.Errorf("%q: an absent personal is %v", raw, personal)
		}
	})
}
