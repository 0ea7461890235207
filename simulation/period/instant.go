package period

import (
	"cmp"
	"fmt"
)

// Instant is a day. The zero value is not a day; [EternityInstant] is the start and the stop of eternity.
type Instant struct {
	Year       int16
	Month, Day int8
}

// EternityInstant is where eternity starts and stops: (-1, -1, -1).
var EternityInstant = Instant{-1, -1, -1}

const (
	minYear = 1
	maxYear = 9999
	// epochOrdinal is the ordinal (days since 31 December of the year 0) of 1 January 1970.
	epochOrdinal = 719163
	maxOrdinal   = 3652059
)

var daysBeforeMonth = [...]int{0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}

// NewInstant makes an instant of a year, a month and a day, which must exist in the calendar.
func NewInstant(year, month, day int) (Instant, error) {
	if year < minYear || year > maxYear || month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month) {
		return Instant{}, fmt.Errorf("%04d-%02d-%02d is not a day of the calendar", year, month, day)
	}
	return Instant{int16(year), int8(month), int8(day)}, nil
}

// FromDays makes the instant that lies the given number of days after 1 January 1970.
func FromDays(days int) (Instant, error) { return fromOrdinal(days + epochOrdinal) }

// Valid reports whether the instant is a day of the calendar.
func (i Instant) Valid() bool {
	return i.Year >= minYear && i.Year <= maxYear && i.Month >= 1 && i.Month <= 12 &&
		i.Day >= 1 && int(i.Day) <= DaysInMonth(int(i.Year), int(i.Month))
}

// Days counts the days from 1 January 1970 to a valid instant.
func (i Instant) Days() int { return i.ordinal() - epochOrdinal }

// Compare orders instants as their (year, month, day).
func (i Instant) Compare(j Instant) int {
	return cmp.Or(cmp.Compare(i.Year, j.Year), cmp.Compare(i.Month, j.Month), cmp.Compare(i.Day, j.Day))
}

// Before reports whether i comes before j.
func (i Instant) Before(j Instant) bool { return i.Compare(j) < 0 }

// String returns the ISO form, 2021-09-13.
func (i Instant) String() string {
	return fmt.Sprintf("%04d-%02d-%02d", i.Year, i.Month, i.Day)
}

// Offset moves the instant by a number of units; years and months clamp the day to the month they arrive in.
func (i Instant) Offset(n int, unit Unit) (Instant, error) {
	switch unit {
	case Year:
		return i.add(n, 0, 0)
	case Month:
		return i.add(0, n, 0)
	case Week:
		if n > maxOrdinal || n < -maxOrdinal {
			return Instant{}, outOfCalendar(i, n, unit)
		}
		return i.add(0, 0, 7*n)
	case Day, Weekday:
		return i.add(0, 0, n)
	}
	return Instant{}, fmt.Errorf("an instant cannot be moved by %d %s", n, unit)
}

// FirstOf returns the first day of the year, month or week that the instant lies in.
func (i Instant) FirstOf(unit Unit) (Instant, error) {
	switch unit {
	case Year:
		return Instant{i.Year, 1, 1}, nil
	case Month:
		return Instant{i.Year, i.Month, 1}, nil
	case Week:
		if err := i.check(); err != nil {
			return Instant{}, err
		}
		return fromOrdinal(i.ordinal() - i.weekday() + 1)
	}
	return Instant{}, fmt.Errorf("there is no first day of a %s: use year, month or week", unit)
}

// LastOf returns the last day of the year, month or week that the instant lies in.
func (i Instant) LastOf(unit Unit) (Instant, error) {
	switch unit {
	case Year:
		return Instant{i.Year, 12, 31}, nil
	case Month:
		if err := i.check(); err != nil {
			return Instant{}, err
		}
		return Instant{i.Year, i.Month, int8(DaysInMonth(int(i.Year), int(i.Month)))}, nil
	case Week:
		if err := i.check(); err != nil {
			return Instant{}, err
		}
		return fromOrdinal(i.ordinal() - i.weekday() + 7)
	}
	return Instant{}, fmt.Errorf("there is no last day of a %s: use year, month or week", unit)
}

// ISOWeek returns the ISO year, week and weekday (Monday is 1) of a valid instant.
func (i Instant) ISOWeek() (year, week, weekday int) {
	weekday = i.weekday()
	year = int(i.Year)
	thursday := i.ordinal() - weekday + 4
	switch jan1 := ordinalOf(year, 1, 1); {
	case thursday < jan1:
		year--
	case thursday >= ordinalOf(year+1, 1, 1):
		year++
	}
	return year, (thursday-ordinalOf(year, 1, 1))/7 + 1, weekday
}

// IsLeap reports whether a year has 366 days.
func IsLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// DaysInMonth counts the days of a month, 1 to 12.
func DaysInMonth(year, month int) int {
	switch month {
	case 2:
		if IsLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func (i Instant) check() error {
	if i.Valid() {
		return nil
	}
	if i == EternityInstant {
		return fmt.Errorf("eternity has no start and no stop that could be used as a date")
	}
	return fmt.Errorf("%d-%d-%d is not a day of the calendar", i.Year, i.Month, i.Day)
}

// add moves by years and months first, clamps the day, then moves by days; the day in between must exist too.
func (i Instant) add(years, months, days int) (Instant, error) {
	if err := i.check(); err != nil {
		return Instant{}, err
	}
	if years > 2*maxYear || years < -2*maxYear || months > 24*maxYear || months < -24*maxYear || days > maxOrdinal || days < -maxOrdinal {
		return Instant{}, fmt.Errorf("%s cannot be moved that far: the calendar has the years %d to %d", i, minYear, maxYear)
	}
	count := (int(i.Year)+years)*12 + int(i.Month) - 1 + months
	year, month := floorDiv(count, 12), 1+floorMod(count, 12)
	if year < minYear || year > maxYear {
		return Instant{}, fmt.Errorf("%s cannot be moved to the year %d: the calendar has the years %d to %d", i, year, minYear, maxYear)
	}
	moved := Instant{int16(year), int8(month), min(i.Day, int8(DaysInMonth(year, month)))}
	if days == 0 {
		return moved, nil
	}
	return fromOrdinal(moved.ordinal() + days)
}

func outOfCalendar(i Instant, n int, unit Unit) error {
	return fmt.Errorf("%s cannot be moved by %d %ss: the calendar has the years %d to %d", i, n, unit, minYear, maxYear)
}

func (i Instant) ordinal() int { return ordinalOf(int(i.Year), int(i.Month), int(i.Day)) }

// weekday is 1 on Monday and 7 on Sunday; the ordinal 1 is a Monday.
func (i Instant) weekday() int { return floorMod(i.ordinal()-1, 7) + 1 }

func ordinalOf(year, month, day int) int {
	y := year - 1
	ordinal := y*365 + floorDiv(y, 4) - floorDiv(y, 100) + floorDiv(y, 400) + daysBeforeMonth[month] + day
	if month > 2 && IsLeap(year) {
		ordinal++
	}
	return ordinal
}

func fromOrdinal(n int) (Instant, error) {
	if n < 1 || n > maxOrdinal {
		return Instant{}, fmt.Errorf("day %d lies outside the calendar, which has the years %d to %d", n, minYear, maxYear)
	}
	year := n*400/146097 + 1
	for ordinalOf(year, 1, 1) > n {
		year--
	}
	for year < maxYear && ordinalOf(year+1, 1, 1) <= n {
		year++
	}
	rest := n - ordinalOf(year, 1, 1)
	month := 1
	for rest >= DaysInMonth(year, month) {
		rest -= DaysInMonth(year, month)
		month++
	}
	return Instant{int16(year), int8(month), int8(rest + 1)}, nil
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int) int { return a - b*floorDiv(a, b) }
