package stdlib

// This file defines dates and durations: module datetime, whose constructors are in datetime_new.go.

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Date is a datetime.date, or a datetime.datetime, which is a date with a time of day. It counts
// microseconds since 1970, so that all arithmetic is that of integers.
type Date struct {
	micros   int64
	withTime bool
}

// Delta is a datetime.timedelta.
type Delta struct{ micros int64 }

const (
	microsPerSecond = 1_000_000
	microsPerDay    = 24 * 3600 * microsPerSecond
)

var (
	dateType     = py.NewClass("date", py.Table{})
	datetimeType = py.NewClass("datetime", py.Table{}, dateType)
	deltaType    = py.NewClass("timedelta", py.Table{})
)

// NewDate makes a datetime.date from days since 1970.
func NewDate(days int64) py.Value { return py.Obj(Date{micros: days * microsPerDay}) }

// Days returns the day of the date, counted from 1970.
func (d Date) Days() int64 { return floorDiv(d.micros, microsPerDay) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Type implements [py.Object].
func (d Date) Type() *py.Class {
	if d.withTime {
		return datetimeType
	}
	return dateType
}

// Type implements [py.Object].
func (Delta) Type() *py.Class { return deltaType }

func (d Date) time() time.Time { return time.UnixMicro(d.micros).UTC() }

// Column implements [py.Columner]: numpy reads a date as datetime64[D], a datetime as datetime64[us].
func (d Date) Column(*py.Thread) vector.Column {
	if d.withTime {
		return vector.DateScalar(vector.Micro, d.micros)
	}
	return vector.DateScalar(vector.Day, d.Days())
}

// Column implements [py.Columner].
func (d Delta) Column(*py.Thread) vector.Column { return vector.DurationScalar(vector.Micro, d.micros) }

// HashKey implements [py.Hasher].
func (d Date) HashKey(*py.Thread) any { return d }

// HashKey implements [py.Hasher].
func (d Delta) HashKey(*py.Thread) any { return d }

// Str implements [py.Strer].
func (d Date) Str(*py.Thread) string {
	if d.withTime {
		return strings.TrimSuffix(d.time().Format("2006-01-02 15:04:05.000000"), ".000000")
	}
	return d.time().Format(time.DateOnly)
}

// Repr implements [py.Reprer].
func (d Date) Repr(*py.Thread) string {
	t := d.time()
	if d.withTime {
		text := fmt.Sprintf("datetime.datetime(%d, %d, %d, %d, %d", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute())
		micros := t.Nanosecond() / 1000
		if t.Second() != 0 || micros != 0 {
			text += fmt.Sprintf(", %d", t.Second())
		}
		if micros != 0 {
			text += fmt.Sprintf(", %d", micros)
		}
		return text + ")"
	}
	return fmt.Sprintf("datetime.date(%d, %d, %d)", t.Year(), t.Month(), t.Day())
}

// Repr implements [py.Reprer].
func (d Delta) Repr(*py.Thread) string {
	days := floorDiv(d.micros, microsPerDay)
	rest := d.micros - days*microsPerDay
	var parts []string
	add := func(name string, v int64) {
		if v != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", name, v))
		}
	}
	add("days", days)
	add("seconds", rest/microsPerSecond)
	add("microseconds", rest%microsPerSecond)
	if len(parts) == 0 {
		parts = []string{"0"}
	}
	return "datetime.timedelta(" + strings.Join(parts, ", ") + ")"
}

// Str implements [py.Strer]: "2 days, 3:00:00".
func (d Delta) Str(*py.Thread) string {
	days := floorDiv(d.micros, microsPerDay)
	rest := d.micros - days*microsPerDay
	text := ""
	if days != 0 {
		text = fmt.Sprintf("%d days, ", days)
		if days == 1 || days == -1 {
			text = fmt.Sprintf("%d day, ", days)
		}
	}
	seconds := rest / microsPerSecond
	text += fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	if micros := rest % microsPerSecond; micros != 0 {
		text += fmt.Sprintf(".%06d", micros)
	}
	return text
}

// Truth implements [py.Truther].
func (d Delta) Truth(*py.Thread) bool { return d.micros != 0 }

// Format implements [py.Formatter]: f"{day:%Y}".
func (d Date) Format(th *py.Thread, spec string) string {
	if spec == "" {
		return d.Str(th)
	}
	return d.time().Format(timeLayout(th, spec))
}

// Compare implements [py.Comparer].
func (d Date) Compare(_ *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	o, ok := other.Object().(Date)
	if !ok || o.withTime != d.withTime {
		return py.Value{}, false
	}
	return compareInts(op, d.micros, o.micros), true
}

// Compare implements [py.Comparer].
func (d Delta) Compare(_ *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	o, ok := other.Object().(Delta)
	if !ok {
		return py.Value{}, false
	}
	return compareInts(op, d.micros, o.micros), true
}

func compareInts(op pysyntax.CompareOp, a, b int64) py.Value {
	switch op {
	case pysyntax.Eq:
		return py.Bool(a == b)
	case pysyntax.NotEq:
		return py.Bool(a != b)
	case pysyntax.Lt:
		return py.Bool(a < b)
	case pysyntax.LtE:
		return py.Bool(a <= b)
	case pysyntax.Gt:
		return py.Bool(a > b)
	}
	return py.Bool(a >= b)
}

// Binary implements [py.Binarier]: dates and deltas add and subtract.
func (d Date) Binary(th *py.Thread, op pysyntax.BinaryOp, other py.Value, swapped bool) (py.Value, bool) {
	switch o := other.Object().(type) {
	case Delta:
		shift := o.micros
		if !d.withTime {
			shift = floorDiv(shift, microsPerDay) * microsPerDay
		}
		if op == pysyntax.Add {
			return dateAt(th, d.micros+shift, d.withTime), true
		}
		if op == pysyntax.Sub && !swapped {
			return dateAt(th, d.micros-shift, d.withTime), true
		}
	case Date:
		if op == pysyntax.Sub {
			if swapped {
				d, o = o, d
			}
			return py.Obj(Delta{d.micros - o.micros}), true
		}
	}
	return py.Value{}, false
}

// The first and last day of Python's calendar.
var (
	minDate = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	maxDate = time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC).UnixMicro()
)

func dateAt(th *py.Thread, micros int64, withTime bool) py.Value {
	if micros < minDate || micros > maxDate {
		th.Raise(py.OverflowError, "date value out of range")
	}
	return py.Obj(Date{micros, withTime})
}

// Binary implements [py.Binarier].
func (d Delta) Binary(th *py.Thread, op pysyntax.BinaryOp, other py.Value, swapped bool) (py.Value, bool) {
	if o, ok := other.Object().(Delta); ok {
		return d.withDelta(th, op, o, swapped)
	}
	f, ok := other.AsFloat()
	if !ok {
		return py.Value{}, false
	}
	switch {
	case op == pysyntax.Mult:
		return py.Obj(Delta{int64(float64(d.micros) * f)}), true
	case op == pysyntax.Div && !swapped && f != 0:
		return py.Obj(Delta{int64(float64(d.micros) / f)}), true
	}
	return py.Value{}, false
}

func (d Delta) withDelta(th *py.Thread, op pysyntax.BinaryOp, o Delta, swapped bool) (py.Value, bool) {
	if swapped {
		d, o = o, d
	}
	switch op {
	case pysyntax.Add:
		return py.Obj(Delta{d.micros + o.micros}), true
	case pysyntax.Sub:
		return py.Obj(Delta{d.micros - o.micros}), true
	case pysyntax.Div:
		return th.Binary(op, py.Float(float64(d.micros)), py.Float(float64(o.micros))), true
	case pysyntax.FloorDiv:
		return th.Binary(op, py.Int(d.micros), py.Int(o.micros)), true
	}
	return py.Value{}, false
}

// Unary implements [py.Unarier].
func (d Delta) Unary(_ *py.Thread, op pysyntax.UnaryOp) (py.Value, bool) {
	if op == pysyntax.USub {
		return py.Obj(Delta{-d.micros}), true
	}
	return py.Value{}, false
}

// Attr implements [py.Attrer].
func (d Date) Attr(_ *py.Thread, name string) (py.Value, bool) {
	t := d.time()
	switch name {
	case "year":
		return py.Int(int64(t.Year())), true
	case "month":
		return py.Int(int64(t.Month())), true
	case "day":
		return py.Int(int64(t.Day())), true
	}
	if d.withTime {
		switch name {
		case "hour":
			return py.Int(int64(t.Hour())), true
		case "minute":
			return py.Int(int64(t.Minute())), true
		case "second":
			return py.Int(int64(t.Second())), true
		}
	}
	if method, ok := dateMethods[name]; ok {
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value { return method(th, d, args, kws) }), true
	}
	return py.Value{}, false
}

var dateMethods = map[string]func(th *py.Thread, d Date, args []py.Value, kws []py.Kw) py.Value{
	"date": func(_ *py.Thread, d Date, _ []py.Value, _ []py.Kw) py.Value { return NewDate(d.Days()) },
	"isocalendar": func(_ *py.Thread, d Date, _ []py.Value, _ []py.Kw) py.Value {
		year, week := d.time().ISOWeek()
		return py.NewTuple([]py.Value{py.Int(int64(year)), py.Int(int64(week)), py.Int(int64((d.time().Weekday()+6)%7) + 1)})
	},
	"isoformat": isoFormat,
	"isoweekday": func(_ *py.Thread, d Date, _ []py.Value, _ []py.Kw) py.Value {
		return py.Int(int64((d.time().Weekday()+6)%7) + 1)
	},
	"replace": replaceDate,
	"strftime": func(th *py.Thread, d Date, args []py.Value, kws []py.Kw) py.Value {
		var format string
		th.Unpack("strftime", args, kws, "format", &format)
		return py.String(d.time().Format(timeLayout(th, format)))
	},
	"toordinal": func(_ *py.Thread, d Date, _ []py.Value, _ []py.Kw) py.Value { return py.Int(d.Days() + 719163) },
	"weekday": func(_ *py.Thread, d Date, _ []py.Value, _ []py.Kw) py.Value {
		return py.Int(int64((d.time().Weekday() + 6) % 7))
	},
}

// isoFormat is isoformat(sep="T", timespec="auto") of a moment, and isoformat() of a day.
func isoFormat(th *py.Thread, d Date, args []py.Value, kws []py.Kw) py.Value {
	day, clock, moment := strings.Cut(d.Str(th), " ")
	if !moment {
		th.Unpack("isoformat", args, kws)
		return py.String(day)
	}
	sep, spec := "T", "auto"
	th.Unpack("isoformat", args, kws, "sep?", &sep, "timespec?", &spec)
	if utf8.RuneCountInString(sep) != 1 {
		th.Raise(py.TypeError, "isoformat() argument 1 must be a unicode character, not str")
	}
	whole, fraction, _ := strings.Cut(clock, ".")
	fraction += "000000"[:6-len(fraction)]
	switch spec {
	case "auto":
	case "hours":
		clock = whole[:2]
	case "minutes":
		clock = whole[:5]
	case "seconds":
		clock = whole
	case "milliseconds":
		clock = whole + "." + fraction[:3]
	case "microseconds":
		clock = whole + "." + fraction
	default:
		th.Raise(py.ValueError, "Unknown timespec value")
	}
	return py.String(day + sep + clock)
}

func replaceDate(th *py.Thread, d Date, args []py.Value, kws []py.Kw) py.Value {
	t := d.time()
	year, month, day := t.Year(), int(t.Month()), t.Day()
	if !d.withTime {
		th.Unpack("replace", args, kws, "year?", &year, "month?", &month, "day?", &day)
		return NewDate(dayOf(th, year, month, day))
	}
	hour, minute, second, micro := t.Hour(), t.Minute(), t.Second(), t.Nanosecond()/1000
	th.Unpack("replace", args, kws, "year?", &year, "month?", &month, "day?", &day, "hour?", &hour, "minute?", &minute,
		"second?", &second, "microsecond?", &micro)
	return py.Obj(Date{dayOf(th, year, month, day)*microsPerDay + timeOfDay(th, hour, minute, second, micro), true})
}

// timeOfDay checks a time of day and counts its microseconds.
func timeOfDay(th *py.Thread, hour, minute, second, micro int) int64 {
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || micro < 0 || micro >= microsPerSecond {
		th.Raise(py.ValueError, "the time of day is out of range")
	}
	return int64(hour*3600+minute*60+second)*microsPerSecond + int64(micro)
}

// dayOf checks a day and counts it from 1970.
func dayOf(th *py.Thread, year, month, day int) int64 {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	switch {
	case year < 1 || year > 9999:
		th.Raise(py.ValueError, "year %d is out of range", year)
	case month < 1 || month > 12:
		th.Raise(py.ValueError, "month must be in 1..12")
	case t.Day() != day:
		th.Raise(py.ValueError, "day is out of range for month")
	}
	return floorDiv(t.Unix(), 24*3600)
}

// Attr implements [py.Attrer].
func (d Delta) Attr(_ *py.Thread, name string) (py.Value, bool) {
	days := floorDiv(d.micros, microsPerDay)
	rest := d.micros - days*microsPerDay
	switch name {
	case "days":
		return py.Int(days), true
	case "seconds":
		return py.Int(rest / microsPerSecond), true
	case "microseconds":
		return py.Int(rest % microsPerSecond), true
	case "total_seconds":
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Float(float64(d.micros) / microsPerSecond) }), true
	}
	return py.Value{}, false
}

// timeLayout turns a format of strftime into a layout of package time.
func timeLayout(th *py.Thread, format string) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		layout, ok := map[byte]string{
			'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'f': "000000", 'y': "06", 'B': "January", 'b': "Jan",
			'A': "Monday", 'a': "Mon", 'j': "002", '%': "%",
		}[format[i]]
		if !ok {
			th.Raise(py.ValueError, "'%c' is a bad directive in format '%s'", format[i], format)
		}
		b.WriteString(layout)
	}
	return b.String()
}

// datetimeTable is module datetime.
func datetimeTable() py.Table {
	linkDates()
	return py.Table{"MAXYEAR": py.Int(9999), "MINYEAR": py.Int(1), "date": py.Obj(dateType), "datetime": py.Obj(datetimeType), "timedelta": py.Obj(deltaType)}
}

// dateOf is the Python object of a numpy date or duration, as item() and astype(object) give it.
func dateOf(c vector.Column) py.Value {
	unit, v := c.DType().Unit, c.Int(0)
	in := func(u vector.Unit) int64 {
		out, err := (*vector.Rules)(nil).Cast(c, vector.DType{Type: c.Type(), Unit: u})
		if err != nil {
			return v // dates convert to any unit
		}
		return out.Int(0)
	}
	switch {
	case v == vector.NaT:
		return py.None
	case c.Type() == vector.Date && unit <= vector.Day:
		return NewDate(in(vector.Day))
	case c.Type() == vector.Date:
		return py.Obj(Date{micros: in(vector.Micro), withTime: true})
	case unit <= vector.Month:
		return py.Int(v)
	}
	return py.Obj(Delta{in(vector.Micro)})
}
