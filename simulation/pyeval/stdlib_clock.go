package pyeval

import (
	"time"

	"edict/simulation/vector"
)

// now is the time that the program was given: it stands still, so that the same input gives the same output.
func (th *Thread) now() time.Time {
	if th.prog.Now.IsZero() {
		th.Raise(NotImplementedError, "packages have no clock here: the same input gives the same output")
	}
	return th.prog.Now
}

// naive is a time as its place shows it, without the place.
func naive(t time.Time) Date {
	_, offset := t.Zone()
	return Date{t.UnixMicro() + int64(offset)*microsPerSecond, true}
}

func dateToday(th *Thread, _ []Value, _ []Kw) Value { return NewDate(naive(th.now()).Days()) }

func datetimeNow(th *Thread, args []Value, kws []Kw) Value {
	zone := None
	th.Unpack("now", args, kws, "tz?", &zone)
	if !zone.IsNone() {
		th.Raise(NotImplementedError, "times with a time zone are not supported: use datetime.now()")
	}
	return Obj(naive(th.now()))
}

func datetimeUTC(th *Thread, _ []Value, _ []Kw) Value { return Obj(naive(th.now().UTC())) }

// clockWord is numpy.datetime64("today"), the day here, and numpy.datetime64("now"), the second in universal time.
func (th *Thread) clockWord(word string) (vector.Column, bool) {
	switch word {
	case "today":
		return vector.DateScalar(vector.Day, naive(th.now()).Days()), true
	case "now":
		return vector.DateScalar(vector.Second, th.now().Unix()), true
	}
	return vector.Column{}, false
}
