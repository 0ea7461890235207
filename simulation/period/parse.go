package period

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrSyntax marks the errors of texts that are not periods or instants at all.
var ErrSyntax = errors.New("not a period")

// Parse reads a period: "2020", "2020-03", "2020-03-05", "2020-W12", "2020-W12-3", "unit:start", "unit:start:size",
// "eternity" in any case. The start may not be coarser than the unit ("month:2014").
func Parse(text string) (Period, error) { return parser{}.period(text) }

// ParseLenient is [Parse] for texts that write months and days with one digit ("2014-1"), as older versions allowed.
func ParseLenient(text string) (Period, error) { return parser{lenient: true}.period(text) }

// ParseInstant reads a day: a year, month, day, week or weekday stands for its first day.
func ParseInstant(text string) (Instant, error) { return parser{}.instant(text) }

// ParseInstantLenient is [ParseInstant] with months and days of one digit.
func ParseInstantLenient(text string) (Instant, error) { return parser{lenient: true}.instant(text) }

func (r parser) instant(text string) (Instant, error) {
	if day, ok := isoDay(text); ok {
		return day, nil
	}
	start, _, err := r.start(text)
	if errors.Is(err, ErrSyntax) {
		return Instant{}, syntaxError("'%s' is not an instant: write it as '2015-06-15' or '2015-W24-1'", text)
	}
	return start, err
}

// isoDay reads a day as nearly all texts of days are written, 2015-01-31; false for every other text.
func isoDay(text string) (day Instant, ok bool) {
	if len(text) != len("2015-01-31") || text[4] != '-' || text[7] != '-' {
		return day, false
	}
	number := func(digits string) (n int) {
		for i := range len(digits) {
			if digits[i] < '0' || digits[i] > '9' {
				return -1
			}
			n = 10*n + int(digits[i]-'0')
		}
		return n
	}
	year, month, last := number(text[:4]), number(text[5:7]), number(text[8:])
	if year < 1 || month < 1 || last < 1 {
		return day, false
	}
	day = Instant{Year: int16(year), Month: int8(month), Day: int8(last)}
	return day, day.Valid()
}

type parser struct{ lenient bool }

func syntaxError(format string, args ...any) error {
	return fmt.Errorf("%w%.0w", fmt.Errorf(format, args...), ErrSyntax)
}

func notAPeriod(text string) error {
	return syntaxError("'%s' is not a period: write for instance '2017', '2017-01', 'month:2017-01:3', 'week:2017-W01:2' or 'eternity'", text)
}

func (r parser) period(text string) (Period, error) {
	if strings.EqualFold(text, "eternity") {
		return Eternal, nil
	}
	name, rest, prefixed := strings.Cut(text, ":")
	if !prefixed {
		start, unit, err := r.start(text)
		return Of(unit, start, 1), err
	}
	begin, sizeText, sized := strings.Cut(rest, ":")
	unit, known := ParseUnit(name)
	if !known || unit == Eternity || strings.Contains(sizeText, ":") {
		return Period{}, notAPeriod(text)
	}
	start, startUnit, err := r.start(begin)
	if errors.Is(err, ErrSyntax) {
		return Period{}, notAPeriod(text)
	}
	if err != nil {
		return Period{}, err
	}
	size := 1
	if sized {
		if size, err = parseSize(sizeText); err != nil {
			return Period{}, notAPeriod(text)
		}
	}
	if startUnit.Weight() > unit.Weight() {
		return Period{}, syntaxError("'%s' is ambiguous: a period of %ss must start on a %s or on something shorter, not on a %s", text, unit, unit, startUnit)
	}
	return Of(unit, start, size), nil
}

// parseSize reads an integer as Python does: blanks around it, a sign, single underscores between digits.
func parseSize(text string) (int, error) {
	text = strings.TrimSpace(text)
	digits := strings.TrimLeft(text, "+-")
	if strings.HasPrefix(digits, "_") || strings.HasSuffix(digits, "_") || strings.Contains(digits, "__") {
		return 0, strconv.ErrSyntax
	}
	size, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 32)
	return int(size), err
}

// start reads what follows the unit: a year, month, day, week or weekday. An error that is not ErrSyntax means that the
// text has the right form and names no day, such as 2014-02-30.
func (r parser) start(text string) (Instant, Unit, error) {
	first, rest, more := strings.Cut(text, "-")
	second, third, most := strings.Cut(rest, "-")
	year, ok := number(first, 4, 4)
	if !ok || strings.Contains(third, "-") {
		return Instant{}, 0, notAPeriod(text)
	}
	if !more {
		start, err := NewInstant(year, 1, 1)
		return start, Year, err
	}
	if week, isWeek := strings.CutPrefix(second, "W"); isWeek {
		return isoStart(text, year, week, third, most)
	}
	if weekday, ok := number(second, 1, 1); ok && !r.lenient && !most && weekday >= 1 && weekday <= 7 {
		return Instant{}, 0, fmt.Errorf("'%s' names no day: a weekday needs its week, as in '%s-W01-%d'", text, first, weekday)
	}
	shortest := 2
	if r.lenient {
		shortest = 1
	}
	month, ok := number(second, shortest, 2)
	if !ok || month < 1 || month > 12 {
		return Instant{}, 0, notAPeriod(text)
	}
	if !most {
		start, err := NewInstant(year, month, 1)
		return start, Month, err
	}
	day, ok := number(third, shortest, 2)
	if !ok || day < 1 || day > 31 {
		return Instant{}, 0, notAPeriod(text)
	}
	start, err := NewInstant(year, month, day)
	return start, Day, err
}

// isoStart reads a week, or one of its days if there is one behind it.
func isoStart(text string, year int, week, day string, hasDay bool) (Instant, Unit, error) {
	number52, ok := number(week, 2, 2)
	if !ok || number52 < 1 || number52 > 53 {
		return Instant{}, 0, notAPeriod(text)
	}
	weekday, unit := 1, Week
	if hasDay {
		if weekday, ok = number(day, 1, 1); !ok || weekday < 1 || weekday > 7 {
			return Instant{}, 0, notAPeriod(text)
		}
		unit = Weekday
	}
	if number52 > weeksOf(year) {
		return Instant{}, 0, fmt.Errorf("'%s' names no week: %d has %d weeks", text, year, weeksOf(year))
	}
	// 4 January is always in the first week.
	fourth := ordinalOf(year, 1, 4)
	start, err := fromOrdinal(fourth - floorMod(fourth-1, 7) + 7*(number52-1) + weekday - 1)
	return start, unit, err
}

func weeksOf(year int) int {
	_, weeks, _ := Instant{int16(year), 12, 28}.ISOWeek()
	return weeks
}

// number reads a run of ASCII digits whose length is within bounds.
func number(text string, shortest, longest int) (int, bool) {
	if len(text) < shortest || len(text) > longest {
		return 0, false
	}
	n := 0
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}
