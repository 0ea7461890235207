package period

import "fmt"

// SizeIn counts the whole units of the given kind in the period, by the rules of the original: years only in years,
// months in years and months, weeks and weekdays also in spans of months and years (a year has 52 weeks).
func (p Period) SizeIn(unit Unit) (int, error) {
	switch unit {
	case Year:
		if p.Unit == Year {
			return int(p.Size), nil
		}
	case Month:
		switch p.Unit {
		case Year:
			return int(p.Size) * 12, nil
		case Month:
			return int(p.Size), nil
		}
	case Week:
		return p.sizeInWeeks()
	case Day:
		return p.sizeInDays(p.Unit == Year || p.Unit == Month)
	case Weekday:
		if p.Unit == Year {
			weeks, err := p.sizeInWeeks()
			return weeks * 7, err
		}
		return p.sizeInDays(p.Unit == Month)
	}
	return 0, fmt.Errorf("the number of %ss in a period of %ss is undefined (%s)", unit, p.Unit, p)
}

// Days counts the days from start to stop, both included.
func (p Period) Days() (int, error) {
	stop, err := p.Stop()
	if err != nil {
		return 0, err
	}
	if err := stop.check(); err != nil {
		return 0, err
	}
	return stop.ordinal() - p.Start.ordinal() + 1, nil
}

func (p Period) sizeInDays(calendar bool) (int, error) {
	switch {
	case calendar:
		after, err := p.Start.Offset(int(p.Size), p.Unit)
		if err != nil {
			return 0, err
		}
		last, err := after.Offset(-1, Day)
		if err != nil {
			return 0, err
		}
		return last.ordinal() - p.Start.ordinal() + 1, nil
	case p.Unit == Week:
		return int(p.Size) * 7, nil
	case p.Unit == Day || p.Unit == Weekday:
		return int(p.Size), nil
	}
	return 0, fmt.Errorf("the number of days in a period of %ss is undefined (%s)", p.Unit, p)
}

func (p Period) sizeInWeeks() (int, error) {
	switch p.Unit {
	case Year, Month:
		after, err := p.Start.Offset(int(p.Size), p.Unit)
		if err != nil {
			return 0, err
		}
		days := after.ordinal() - p.Start.ordinal()
		return max(days, -days) / 7, nil
	case Week:
		return int(p.Size), nil
	}
	return 0, fmt.Errorf("the number of weeks in a period of %ss is undefined (%s)", p.Unit, p)
}

// Subperiods lists the periods of one unit that the period consists of, in order.
func (p Period) Subperiods(unit Unit) ([]Period, error) {
	if p.Unit.Weight() < unit.Weight() || unit == Eternity {
		return nil, fmt.Errorf("a period of %ss cannot be divided into %ss (%s)", p.Unit, unit, p)
	}
	count, err := p.countOf(unit)
	if err != nil || count <= 0 {
		return nil, err
	}
	first, err := p.First(unit)
	if err != nil {
		return nil, err
	}
	// The calendar ends before a senseless size could fill the memory.
	var subs []Period
	for i := range count {
		sub, err := first.Offset(i, unit)
		if err != nil {
			return nil, err
		}
		subs = append(subs, sub)
	}
	return subs, nil
}

func (p Period) countOf(unit Unit) (int, error) {
	if unit == Year {
		return int(p.Size), nil
	}
	return p.SizeIn(unit)
}
