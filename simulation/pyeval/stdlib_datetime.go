package pyeval

import (
	"fmt"
	"strings"
	"time"

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
	dateType     = NewClass("date", Table{})
	datetimeType = NewClass("datetime", Table{}, dateType)
	deltaType    = NewClass("timedelta", Table{})
)

// NewDate makes a datetime.date from days since 1970.
func NewDate(days int64) Value { return Obj(Date{micros: days * microsPerDay}) }

// Days returns the day of the date, counted from 1970.
func (d Date) Days() int64 { return floorDiv(d.micros, microsPerDay) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Type implements [Object].
func (d Date) Type() *Class {
	if d.withTime {
		return datetimeType
	}
	return dateType
}

// Type implements [Object].
func (Delta) Type() *Class { return deltaType }

func (d Date) time() time.Time { return time.UnixMicro(d.micros).UTC() }

// Column implements [Columner]: numpy reads a date as datetime64[D], a datetime as datetime64[us].
func (d Date) Column(*Thread) vector.Column {
	if d.withTime {
		return vector.DateScalar(vector.Micro, d.micros)
	}
	return vector.DateScalar(vector.Day, d.Days())
}

// Column implements [Columner].
func (d Delta) Column(*Thread) vector.Column { return vector.DurationScalar(vector.Micro, d.micros) }

// HashKey implements [Hasher].
func (d Date) HashKey(*Thread) any { return d }

// HashKey implements [Hasher].
func (d Delta) HashKey(*Thread) any { return d }

// Str implements [Strer].
func (d Date) Str(*Thread) string {
	if d.withTime {
		return strings.TrimSuffix(d.time().Format("2006-01-02 15:04:05.000000"), ".000000")
	}
	return d.time().Format(time.DateOnly)
}

// Repr implements [Reprer].
func (d Date) Repr(*Thread) string {
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

// Repr implements [Reprer].
func (d Delta) Repr(*Thread) string {
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

// Str implements [Strer]: "2 days, 3:00:00".
func (d Delta) Str(*Thread) string {
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

// Truth implements [Truther].
func (d Delta) Truth(*Thread) bool { return d.micros != 0 }

// Format implements [Formatter]: f"{day:%Y}".
func (d Date) Format(th *Thread, spec string) string {
	if spec == "" {
		return d.Str(th)
	}
	return d.time().Format(th.timeLayout(spec))
}

// Compare implements [Comparer].
func (d Date) Compare(_ *Thread, op pysyntax.CompareOp, other Value) (Value, bool) {
	o, ok := other.o.(Date)
	if !ok || o.withTime != d.withTime {
		return Value{}, false
	}
	return compareInts(op, d.micros, o.micros), true
}

// Compare implements [Comparer].
func (d Delta) Compare(_ *Thread, op pysyntax.CompareOp, other Value) (Value, bool) {
	o, ok := other.o.(Delta)
	if !ok {
		return Value{}, false
	}
	return compareInts(op, d.micros, o.micros), true
}

func compareInts(op pysyntax.CompareOp, a, b int64) Value {
	switch op {
	case pysyntax.Eq:
		return Bool(a == b)
	case pysyntax.NotEq:
		return Bool(a != b)
	case pysyntax.Lt:
		return Bool(a < b)
	case pysyntax.LtE:
		return Bool(a <= b)
	case pysyntax.Gt:
		return Bool(a > b)
	}
	return Bool(a >= b)
}

// Binary implements [Binarier]: dates and deltas add and subtract.
func (d Date) Binary(th *Thread, op pysyntax.BinaryOp, other Value, swapped bool) (Value, bool) {
	switch o := other.o.(type) {
	case Delta:
		shift := o.micros
		if !d.withTime {
			shift = floorDiv(shift, microsPerDay) * microsPerDay
		}
		if op == pysyntax.Add {
			return th.dateAt(d.micros+shift, d.withTime), true
		}
		if op == pysyntax.Sub && !swapped {
			return th.dateAt(d.micros-shift, d.withTime), true
		}
	case Date:
		if op == pysyntax.Sub {
			if swapped {
				d, o = o, d
			}
			return Obj(Delta{d.micros - o.micros}), true
		}
	}
	return Value{}, false
}

// The first and last day of Python's calendar.
var (
	minDate = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	maxDate = time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC).UnixMicro()
)

func (th *Thread) dateAt(micros int64, withTime bool) Value {
	if micros < minDate || micros > maxDate {
		th.Raise(OverflowError, "date value out of range")
	}
	return Obj(Date{micros, withTime})
}

// Binary implements [Binarier].
func (d Delta) Binary(th *Thread, op pysyntax.BinaryOp, other Value, swapped bool) (Value, bool) {
	if o, ok := other.o.(Delta); ok {
		return d.withDelta(th, op, o, swapped)
	}
	f, ok := other.AsFloat()
	if !ok {
		return Value{}, false
	}
	switch {
	case op == pysyntax.Mult:
		return Obj(Delta{int64(float64(d.micros) * f)}), true
	case op == pysyntax.Div && !swapped && f != 0:
		return Obj(Delta{int64(float64(d.micros) / f)}), true
	}
	return Value{}, false
}

func (d Delta) withDelta(th *Thread, op pysyntax.BinaryOp, o Delta, swapped bool) (Value, bool) {
	if swapped {
		d, o = o, d
	}
	switch op {
	case pysyntax.Add:
		return Obj(Delta{d.micros + o.micros}), true
	case pysyntax.Sub:
		return Obj(Delta{d.micros - o.micros}), true
	case pysyntax.Div:
		return th.Binary(op, Float(float64(d.micros)), Float(float64(o.micros))), true
	case pysyntax.FloorDiv:
		return th.Binary(op, Int(d.micros), Int(o.micros)), true
	}
	return Value{}, false
}

// Unary implements [Unarier].
func (d Delta) Unary(_ *Thread, op pysyntax.UnaryOp) (Value, bool) {
	if op == pysyntax.USub {
		return Obj(Delta{-d.micros}), true
	}
	return Value{}, false
}

// Attr implements [Attrer].
func (d Date) Attr(_ *Thread, name string) (Value, bool) {
	t := d.time()
	switch name {
	case "year":
		return Int(int64(t.Year())), true
	case "month":
		return Int(int64(t.Month())), true
	case "day":
		return Int(int64(t.Day())), true
	}
	if d.withTime {
		switch name {
		case "hour":
			return Int(int64(t.Hour())), true
		case "minute":
			return Int(int64(t.Minute())), true
		case "second":
			return Int(int64(t.Second())), true
		}
	}
	if method, ok := dateMethods[name]; ok {
		return Pure(name, func(th *Thread, args []Value, kws []Kw) Value { return method(th, d, args, kws) }), true
	}
	return Value{}, false
}

var dateMethods = map[string]func(th *Thread, d Date, args []Value, kws []Kw) Value{
	"date": func(_ *Thread, d Date, _ []Value, _ []Kw) Value { return NewDate(d.Days()) },
	"isocalendar": func(_ *Thread, d Date, _ []Value, _ []Kw) Value {
		year, week := d.time().ISOWeek()
		return NewTuple([]Value{Int(int64(year)), Int(int64(week)), Int(int64((d.time().Weekday()+6)%7) + 1)})
	},
	"isoformat": func(th *Thread, d Date, _ []Value, _ []Kw) Value {
		return String(strings.Replace(d.Str(th), " ", "T", 1))
	},
	"isoweekday": func(_ *Thread, d Date, _ []Value, _ []Kw) Value { return Int(int64((d.time().Weekday()+6)%7) + 1) },
	"replace":    replaceDate,
	"strftime": func(th *Thread, d Date, args []Value, kws []Kw) Value {
		var format string
		th.Unpack("strftime", args, kws, "format", &format)
		return String(d.time().Format(th.timeLayout(format)))
	},
	"toordinal": func(_ *Thread, d Date, _ []Value, _ []Kw) Value { return Int(d.Days() + 719163) },
	"weekday":   func(_ *Thread, d Date, _ []Value, _ []Kw) Value { return Int(int64((d.time().Weekday() + 6) % 7)) },
}

func replaceDate(th *Thread, d Date, args []Value, kws []Kw) Value {
	t := d.time()
	year, month, day := t.Year(), int(t.Month()), t.Day()
	if !d.withTime {
		th.Unpack("replace", args, kws, "year?", &year, "month?", &month, "day?", &day)
		return NewDate(th.dayOf(year, month, day))
	}
	hour, minute, second, micro := t.Hour(), t.Minute(), t.Second(), t.Nanosecond()/1000
	th.Unpack("replace", args, kws, "year?", &year, "month?", &month, "day?", &day, "hour?", &hour, "minute?", &minute,
		"second?", &second, "microsecond?", &micro)
	return Obj(Date{th.dayOf(year, month, day)*microsPerDay + th.timeOfDay(hour, minute, second, micro), true})
}

// timeOfDay checks a time of day and counts its microseconds.
func (th *Thread) timeOfDay(hour, minute, second, micro int) int64 {
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || micro < 0 || micro >= microsPerSecond {
		th.Raise(ValueError, "the time of day is out of range")
	}
	return int64(hour*3600+minute*60+second)*microsPerSecond + int64(micro)
}

// dayOf checks a day and counts it from 1970.
func (th *Thread) dayOf(year, month, day int) int64 {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	switch {
	case year < 1 || year > 9999:
		th.Raise(ValueError, "year %d is out of range", year)
	case month < 1 || month > 12:
		th.Raise(ValueError, "month must be in 1..12")
	case t.Day() != day:
		th.Raise(ValueError, "day is out of range for month")
	}
	return floorDiv(t.Unix(), 24*3600)
}

// Attr implements [Attrer].
func (d Delta) Attr(_ *Thread, name string) (Value, bool) {
	days := floorDiv(d.micros, microsPerDay)
	rest := d.micros - days*microsPerDay
	switch name {
	case "days":
		return Int(days), true
	case "seconds":
		return Int(rest / microsPerSecond), true
	case "microseconds":
		return Int(rest % microsPerSecond), true
	case "total_seconds":
		return Pure(name, func(*Thread, []Value, []Kw) Value { return Float(float64(d.micros) / microsPerSecond) }), true
	}
	return Value{}, false
}

// timeLayout turns a format of strftime into a layout of package time.
func (th *Thread) timeLayout(format string) string {
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
			th.Raise(ValueError, "'%c' is a bad directive in format '%s'", format[i], format)
		}
		b.WriteString(layout)
	}
	return b.String()
}

// datetimeTable is module datetime.
func datetimeTable() Table {
	linkDates()
	return Table{"MAXYEAR": Int(9999), "MINYEAR": Int(1), "date": Obj(dateType), "datetime": Obj(datetimeType), "timedelta": Obj(deltaType)}
}
