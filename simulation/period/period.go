package period

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Period is a number of units that start on a day. It is comparable: two periods are the same if all fields are.
type Period struct {
	Start Instant
	Size  int32
	Unit  Unit
}

// Eternal is the period that contains all time.
var Eternal = Period{Start: EternityInstant, Size: -1, Unit: Eternity}

// Of makes the period of size units that starts on the given day.
func Of(unit Unit, start Instant, size int) Period {
	return Period{Start: start, Size: int32(size), Unit: unit}
}

// OfYear makes the calendar year.
func OfYear(year int) Period { return Of(Year, Instant{int16(year), 1, 1}, 1) }

// OfMonth makes the calendar month.
func OfMonth(year, month int) Period { return Of(Month, Instant{int16(year), int8(month), 1}, 1) }

// IsEternal reports whether the period is eternity.
func (p Period) IsEternal() bool { return p == Eternal }

// Compare orders periods as OpenFisca does: by the name of the unit, then by start, then by size.
func (p Period) Compare(q Period) int {
	return cmp.Or(strings.Compare(p.Unit.String(), q.Unit.String()), p.Start.Compare(q.Start), cmp.Compare(p.Size, q.Size))
}

// String returns the canonical text, which [Parse] reads back unless the start is finer than the text can say:
// "2020", "2020-03", "2020-03-05", "2020-W12", "2020-W12-3", "month:2020-03:3", "year:2020-03", "ETERNITY".
func (p Period) String() string { return string(p.Append(make([]byte, 0, 32))) }

// Exact returns a text that no other period has: "month:2020-03-15:1". It is for keys; people read [Period.String].
func (p Period) Exact() string { return fmt.Sprintf("%s:%s:%d", p.Unit, p.Start, p.Size) }

// Append writes the text that String gives.
func (p Period) Append(buf []byte) []byte {
	if p.Unit == Eternity {
		return append(buf, "ETERNITY"...)
	}
	wholeYear := p.Unit == Year && p.Size == 1 || p.Unit == Month && p.Size == 12
	switch {
	case wholeYear && p.Start.Month == 1:
		return appendInt(buf, p.Start.Year)
	case wholeYear:
		return p.Start.appendMonth(append(buf, "year:"...))
	case p.Unit == Month && p.Size == 1:
		return p.Start.appendMonth(buf)
	case p.Unit == Year && p.Start.Month == 1:
		return appendInt(append(appendInt(append(buf, "year:"...), p.Start.Year), ':'), p.Size)
	case p.Unit == Day, (p.Unit == Week || p.Unit == Weekday) && p.Size >= 1 && p.Start.Valid():
		return p.appendSized(buf)
	}
	buf = p.Start.appendMonth(append(append(buf, p.Unit.String()...), ':'))
	return appendInt(append(buf, ':'), p.Size)
}

// appendSized writes the start, with the unit and the size around it unless the size is one.
func (p Period) appendSized(buf []byte) []byte {
	if p.Size != 1 {
		buf = append(append(buf, p.Unit.String()...), ':')
	}
	if p.Unit == Day {
		buf = appendTwo(append(p.Start.appendMonth(buf), '-'), int(p.Start.Day))
	} else {
		year, week, weekday := p.Start.ISOWeek()
		buf = appendTwo(append(appendInt(buf, year), "-W"...), week)
		if p.Unit == Weekday {
			buf = appendInt(append(buf, '-'), weekday)
		}
	}
	if p.Size != 1 {
		buf = appendInt(append(buf, ':'), p.Size)
	}
	return buf
}

// appendMonth writes the year and the month.
func (i Instant) appendMonth(buf []byte) []byte {
	return appendTwo(append(appendInt(buf, i.Year), '-'), int(i.Month))
}

func appendInt[T int | int16 | int32](buf []byte, n T) []byte {
	return strconv.AppendInt(buf, int64(n), 10)
}

// appendTwo writes a number with at least two characters.
func appendTwo(buf []byte, n int) []byte {
	if n >= 0 && n < 10 {
		buf = append(buf, '0')
	}
	return appendInt(buf, n)
}

// SizeKey is the text by which inputs are ordered before they are set: small units first, then the size as text
// (so "200_12" comes before "200_3").
func (p Period) SizeKey() string {
	return strconv.Itoa(p.Unit.Weight()) + "_" + strconv.Itoa(int(p.Size))
}

// CompareSize orders periods by their SizeKey.
func (p Period) CompareSize(q Period) int {
	if p.Unit.Weight() != q.Unit.Weight() || p.Size == q.Size {
		return cmp.Compare(p.Unit.Weight(), q.Unit.Weight())
	}
	return strings.Compare(strconv.Itoa(int(p.Size)), strconv.Itoa(int(q.Size)))
}

// Stop returns the last day of the period.
func (p Period) Stop() (Instant, error) {
	size := int(p.Size)
	switch p.Unit {
	case Eternity:
		return EternityInstant, nil
	case Year:
		return p.Start.add(size, 0, -1)
	case Month:
		return p.Start.add(0, size, -1)
	case Week:
		if size > maxOrdinal || size < -maxOrdinal {
			return Instant{}, outOfCalendar(p.Start, size, Week)
		}
		return p.Start.add(0, 0, 7*size-1)
	}
	return p.Start.add(0, 0, size-1)
}

// Date returns the first day of a period of size one.
func (p Period) Date() (Instant, error) {
	if p.Size != 1 {
		return Instant{}, fmt.Errorf("the date of %s is undefined: its size is not 1", p)
	}
	return p.Start, p.Start.check()
}

// Contains reports whether every day of q is a day of p.
func (p Period) Contains(q Period) (bool, error) {
	if p.Start.Compare(q.Start) > 0 {
		return false, nil
	}
	stop, err := p.Stop()
	if err != nil {
		return false, err
	}
	other, err := q.Stop()
	return stop.Compare(other) >= 0, err
}

// Offset moves the period by a number of units of the given kind; its unit and size stay.
func (p Period) Offset(n int, unit Unit) (Period, error) {
	start, err := p.Start.Offset(n, unit)
	return Period{start, p.Size, p.Unit}, err
}

// FirstOf moves the start to the first day of the year, month or week it lies in.
func (p Period) FirstOf(unit Unit) (Period, error) {
	start, err := p.Start.FirstOf(unit)
	return Period{start, p.Size, p.Unit}, err
}

// LastOf moves the start to the last day of the year, month or week it lies in.
func (p Period) LastOf(unit Unit) (Period, error) {
	start, err := p.Start.LastOf(unit)
	return Period{start, p.Size, p.Unit}, err
}

// Intersection returns the days that p shares with the days from start to stop, either of which may be nil for
// "unbounded", as the largest unit that fits; ok is false if there are none.
func (p Period) Intersection(start, stop *Instant) (shared Period, ok bool, err error) {
	if start == nil && stop == nil {
		return p, true, nil
	}
	last, err := p.Stop()
	if err != nil {
		return Period{}, false, err
	}
	from, to := p.Start, last
	if start != nil {
		from = *start
	}
	if stop != nil {
		to = *stop
	}
	// An empty period stops before it starts: it shares nothing, not even with itself.
	if to.Before(p.Start) || last.Before(from) {
		return Period{}, false, nil
	}
	if from.Before(p.Start) {
		from = p.Start
	}
	if last.Before(to) {
		to = last
	}
	if from == p.Start && to == last {
		return p, true, nil
	}
	shared, err = span(from, to)
	return shared, err == nil, err
}

// span is the period from one day to another, in years or months if it is made of whole ones.
func span(from, to Instant) (Period, error) {
	years := int(to.Year) - int(from.Year)
	if from.Day == 1 && from.Month == 1 && to.Day == 31 && to.Month == 12 {
		return Of(Year, from, years+1), nil
	}
	if err := to.check(); err != nil {
		return Period{}, err
	}
	if from.Day == 1 && int(to.Day) == DaysInMonth(int(to.Year), int(to.Month)) {
		return Of(Month, from, years*12+int(to.Month)-int(from.Month)+1), nil
	}
	if err := from.check(); err != nil {
		return Period{}, err
	}
	return Of(Day, from, to.ordinal()-from.ordinal()+1), nil
}
