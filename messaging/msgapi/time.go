package msgapi

import (
	"regexp"
	"time"

	"edict/messaging"
)

// The two ways times are written: with a numeric offset everywhere, with Z in a summary.
const (
	offsetTime = "2006-01-02T15:04:05.000-07:00"
	zuluTime   = "2006-01-02T15:04:05.000Z07:00"
)

func formatTime(t time.Time) string { return t.UTC().Format(offsetTime) }

// formatTimeOrNull is for times that may not have come yet.
func formatTimeOrNull(t time.Time, layout string) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(layout)
	return &s
}

// isoLayouts are the forms of ISO 8601 that a time in a query may have; what has no offset is UTC.
// Fractions of a second are read by time.Parse wherever there are seconds.
var isoLayouts = []string{
	time.DateOnly,
	"2006-01-02T15:04", "2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700",
	"2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700",
}

// lostPlus finds the offset whose plus sign became a space, as it does in a URL that did not encode it.
var lostPlus = regexp.MustCompile(`^(.*T.*) (\d\d:?\d\d)$`)

// time reads a date or a date-time; the zero time when it is absent.
func (q *query) time(name string) time.Time {
	s, ok := q.one(name)
	if !ok || q.err != nil {
		return time.Time{}
	}
	text := lostPlus.ReplaceAllString(s, "$1+$2")
	for _, layout := range isoLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	q.fail("%s: %q is not a date or date-time of ISO 8601: write it like 2026-11-15 or 2026-11-15T09:30:00Z", name, messaging.Clip(s))
	return time.Time{}
}
