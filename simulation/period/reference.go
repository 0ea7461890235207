package period

import "fmt"

// First returns the year, month or week that the period starts in, or the day or weekday it starts on.
func (p Period) First(unit Unit) (Period, error) {
	switch unit {
	case Year, Month, Week:
		start, err := p.Start.FirstOf(unit)
		return Of(unit, start, 1), err
	case Day, Weekday:
		return Of(unit, p.Start, 1), nil
	}
	return Period{}, fmt.Errorf("there is no first %s of a period", unit)
}

// last returns the size units that end before the first unit of the period.
func (p Period) last(size int, unit Unit, back int) (Period, error) {
	first, err := p.First(unit)
	if err != nil {
		return Period{}, err
	}
	first.Size = int32(size)
	return first.Offset(-back, unit)
}

// ThisYear is the calendar year the period starts in.
func (p Period) ThisYear() (Period, error) { return p.First(Year) }

// FirstMonth is the calendar month the period starts in.
func (p Period) FirstMonth() (Period, error) { return p.First(Month) }

// FirstWeek is the ISO week the period starts in.
func (p Period) FirstWeek() (Period, error) { return p.First(Week) }

// FirstDay is the day the period starts on.
func (p Period) FirstDay() Period { return Of(Day, p.Start, 1) }

// FirstWeekday is the day the period starts on, as a weekday.
func (p Period) FirstWeekday() Period { return Of(Weekday, p.Start, 1) }

// LastMonth is the month before [Period.FirstMonth].
func (p Period) LastMonth() (Period, error) { return p.last(1, Month, 1) }

// Last3Months is the three months before [Period.FirstMonth].
func (p Period) Last3Months() (Period, error) { return p.last(3, Month, 3) }

// LastYear is the year before [Period.ThisYear].
func (p Period) LastYear() (Period, error) { return p.last(1, Year, 1) }

// N2 is the year two years before [Period.ThisYear].
func (p Period) N2() (Period, error) { return p.last(1, Year, 2) }

// LastWeek is the week before [Period.FirstWeek].
func (p Period) LastWeek() (Period, error) { return p.last(1, Week, 1) }

// LastFortnight is the week two weeks before [Period.FirstWeek].
func (p Period) LastFortnight() (Period, error) { return p.last(1, Week, 2) }

// LastWeeks is the given number of weeks before [Period.FirstWeek], as one period.
func (p Period) LastWeeks(n int) (Period, error) { return p.last(n, Week, n) }
