package pyeval

import (
	"strings"
	"sync"
	"time"
)

// linkDates gives the classes of module datetime their constructors, which refer to them.
var linkDates = sync.OnceFunc(func() {
	for _, c := range []*Class{dateType, datetimeType, deltaType} {
		c.Module = "datetime"
	}
	dateType.New, datetimeType.New, deltaType.New = newDate, newDatetime, newDelta
	dateType.Pure, datetimeType.Pure, deltaType.Pure = true, true, true
	dateType.attrs.addTable(dateType, Table{
		"fromisoformat": Obj(&staticMethod{Pure("fromisoformat", fromISO)}),
		"fromordinal":   Obj(&staticMethod{Pure("fromordinal", fromOrdinal)}),
		"max":           Obj(Date{micros: maxDate - maxDate%microsPerDay}),
		"min":           Obj(Date{micros: minDate}),
		"today":         Obj(&staticMethod{Pure("today", dateToday)}),
	})
	datetimeType.attrs.addTable(datetimeType, Table{
		"combine":  Obj(&staticMethod{Pure("combine", combineTime)}),
		"now":      Obj(&staticMethod{Pure("now", datetimeNow)}),
		"strptime": Obj(&staticMethod{Pure("strptime", parseTime)}),
		"today":    Obj(&staticMethod{Pure("today", datetimeNow)}),
		"utcnow":   Obj(&staticMethod{Pure("utcnow", datetimeUTC)}),
	})
})

func newDate(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	var year, month, day int
	th.Unpack("date", args, kws, "year", &year, "month", &month, "day", &day)
	return NewDate(th.dayOf(year, month, day))
}

func newDatetime(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	var year, month, day, hour, minute, second, micro int
	th.Unpack("datetime", args, kws, "year", &year, "month", &month, "day", &day, "hour?", &hour, "minute?", &minute,
		"second?", &second, "microsecond?", &micro)
	return Obj(Date{th.dayOf(year, month, day)*microsPerDay + th.timeOfDay(hour, minute, second, micro), true})
}

func newDelta(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	var days, seconds, micros, millis, minutes, hours, weeks float64
	th.Unpack("timedelta", args, kws, "days?", &days, "seconds?", &seconds, "microseconds?", &micros, "milliseconds?", &millis,
		"minutes?", &minutes, "hours?", &hours, "weeks?", &weeks)
	total := (days+7*weeks)*microsPerDay + (seconds+60*minutes+3600*hours)*microsPerSecond + 1000*millis + micros
	if total > maxMicros || total < -maxMicros || total != total {
		th.Raise(OverflowError, "timedelta is too large")
	}
	return Obj(Delta{int64(total)})
}

// maxMicros bounds deltas to what both ends of the calendar are apart.
const maxMicros = 3652059 * microsPerDay

func fromISO(th *Thread, args []Value, kws []Kw) Value {
	var text string
	th.Unpack("fromisoformat", args, kws, "date_string", &text)
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		th.Raise(ValueError, "Invalid isoformat string: '%s'", text)
	}
	return NewDate(floorDiv(t.Unix(), 24*3600))
}

func fromOrdinal(th *Thread, args []Value, kws []Kw) Value {
	var n int64
	th.Unpack("fromordinal", args, kws, "n", &n)
	if n < 1 || n > 3652059 {
		th.Raise(ValueError, "ordinal must be between 1 and 3652059")
	}
	return NewDate(n - 719163)
}

func parseTime(th *Thread, args []Value, kws []Kw) Value {
	var text, format string
	th.Unpack("strptime", args, kws, "date_string", &text, "format", &format)
	layout := th.timeLayout(format)
	// Python reads one digit where Go's layouts want two.
	loose := strings.NewReplacer("01", "1", "02", "2", "04", "4", "05", "5").Replace(layout)
	t, err := time.Parse(layout, text)
	if err != nil {
		t, err = time.Parse(loose, text)
	}
	if err != nil {
		th.Raise(ValueError, "time data '%s' does not match format '%s'", text, format)
	}
	return Obj(Date{t.UnixMicro(), true})
}

func combineTime(th *Thread, args []Value, kws []Kw) Value {
	var day, clock Value
	th.Unpack("combine", args, kws, "date", &day, "time", &clock)
	d, ok := day.o.(Date)
	if !ok {
		th.Raise(TypeError, "combine() argument 1 must be datetime.date, not %s", TypeName(day))
	}
	return Obj(Date{d.Days() * microsPerDay, true})
}
