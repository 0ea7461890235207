package stdlib

// This file makes dates: the constructors of module datetime.

import (
	"strings"
	"sync"
	"time"

	py "edict/simulation/pyeval"
)

// linkDates gives the classes of module datetime their constructors, which refer to them.
var linkDates = sync.OnceFunc(func() {
	for _, c := range []*py.Class{dateType, datetimeType, deltaType} {
		c.Module = "datetime"
	}
	dateType.New, datetimeType.New, deltaType.New = newDate, newDatetime, newDelta
	dateType.Pure, datetimeType.Pure, deltaType.Pure = true, true, true
	dateType.AddTable(py.Table{
		"fromisoformat": py.StaticMethod(py.Pure("fromisoformat", fromISO)),
		"fromordinal":   py.StaticMethod(py.Pure("fromordinal", fromOrdinal)),
		"max":           py.Obj(Date{micros: maxDate - maxDate%microsPerDay}),
		"min":           py.Obj(Date{micros: minDate}),
		"today":         py.StaticMethod(py.Pure("today", dateToday)),
	})
	datetimeType.AddTable(py.Table{
		"combine":       py.StaticMethod(py.Pure("combine", combineTime)),
		"fromisoformat": py.StaticMethod(py.Pure("fromisoformat", datetimeFromISO)),
		"now":           py.StaticMethod(py.Pure("now", datetimeNow)),
		"strptime":      py.StaticMethod(py.Pure("strptime", parseTime)),
		"today":         py.StaticMethod(py.Pure("today", datetimeNow)),
		"utcnow":        py.StaticMethod(py.Pure("utcnow", datetimeUTC)),
	})
})

func newDate(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var year, month, day int
	th.Unpack("date", args, kws, "year", &year, "month", &month, "day", &day)
	return NewDate(dayOf(th, year, month, day))
}

func newDatetime(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var year, month, day, hour, minute, second, micro int
	th.Unpack("datetime", args, kws, "year", &year, "month", &month, "day", &day, "hour?", &hour, "minute?", &minute,
		"second?", &second, "microsecond?", &micro)
	return py.Obj(Date{dayOf(th, year, month, day)*microsPerDay + timeOfDay(th, hour, minute, second, micro), true})
}

func newDelta(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var days, seconds, micros, millis, minutes, hours, weeks float64
	th.Unpack("timedelta", args, kws, "days?", &days, "seconds?", &seconds, "microseconds?", &micros, "milliseconds?", &millis,
		"minutes?", &minutes, "hours?", &hours, "weeks?", &weeks)
	total := (days+7*weeks)*microsPerDay + (seconds+60*minutes+3600*hours)*microsPerSecond + 1000*millis + micros
	if total > maxMicros || total < -maxMicros || total != total {
		th.Raise(py.OverflowError, "timedelta is too large")
	}
	return py.Obj(Delta{int64(total)})
}

// maxMicros bounds deltas to what both ends of the calendar are apart.
const maxMicros = 3652059 * microsPerDay

func fromISO(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var text string
	th.Unpack("fromisoformat", args, kws, "date_string", &text)
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		th.Raise(py.ValueError, "Invalid isoformat string: '%s'", text)
	}
	return NewDate(floorDiv(t.Unix(), 24*3600))
}

// isoTimes are the forms of a day with a time that datetime.fromisoformat reads; fractions of a second may follow.
var isoTimes = []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02 15", time.DateOnly}

// datetimeFromISO reads a day and perhaps a time, with any one character between them. Time zones are not supported.
func datetimeFromISO(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var text string
	th.Unpack("fromisoformat", args, kws, "date_string", &text)
	iso := text
	if len(iso) > len(time.DateOnly) && iso[len(time.DateOnly)] < 0x80 {
		iso = iso[:len(time.DateOnly)] + " " + iso[len(time.DateOnly)+1:]
	}
	whole, _, _ := strings.Cut(iso, ".")
	for _, form := range isoTimes {
		if t, err := time.Parse(form, iso); err == nil && t.Year() > 0 && len(whole) == len(form) {
			return py.Obj(Date{t.UnixMicro(), true})
		}
	}
	th.Raise(py.ValueError, "Invalid isoformat string: '%s'", text)
	return py.Value{}
}

func fromOrdinal(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var n int64
	th.Unpack("fromordinal", args, kws, "n", &n)
	if n < 1 || n > 3652059 {
		th.Raise(py.ValueError, "ordinal must be between 1 and 3652059")
	}
	return NewDate(n - 719163)
}

func parseTime(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var text, format string
	th.Unpack("strptime", args, kws, "date_string", &text, "format", &format)
	layout := timeLayout(th, format)
	// Python reads one digit where Go's layouts want two.
	loose := strings.NewReplacer("01", "1", "02", "2", "04", "4", "05", "5").Replace(layout)
	t, err := time.Parse(layout, text)
	if err != nil {
		t, err = time.Parse(loose, text)
	}
	if err != nil {
		th.Raise(py.ValueError, "time data '%s' does not match format '%s'", text, format)
	}
	return py.Obj(Date{t.UnixMicro(), true})
}

func combineTime(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var day, clock py.Value
	th.Unpack("combine", args, kws, "date", &day, "time", &clock)
	d, ok := day.Object().(Date)
	if !ok {
		th.Raise(py.TypeError, "combine() argument 1 must be datetime.date, not %s", py.TypeName(day))
	}
	return py.Obj(Date{d.Days() * microsPerDay, true})
}
