package stdlib

// This file defines what of datetime depends on the clock, which stands still.

import (
	"time"

	py "edict/simulation/pyeval"
)

// Now is the time that the program was given: it stands still, so that the same input gives the same output.
func Now(th *py.Thread) time.Time {
	now := th.Program().Clock()
	if now.IsZero() {
		th.Raise(py.NotImplementedError, "packages have no clock here: the same input gives the same output")
	}
	return now
}

// Naive is a time as its place shows it, without the place.
func Naive(t time.Time) Date {
	_, offset := t.Zone()
	return Date{t.UnixMicro() + int64(offset)*microsPerSecond, true}
}

func dateToday(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
	return NewDate(Naive(Now(th)).Days())
}

func datetimeNow(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	zone := py.None
	th.Unpack("now", args, kws, "tz?", &zone)
	if !zone.IsNone() {
		th.Raise(py.NotImplementedError, "times with a time zone are not supported: use datetime.now()")
	}
	return py.Obj(Naive(Now(th)))
}

func datetimeUTC(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
	return py.Obj(Naive(Now(th).UTC()))
}
