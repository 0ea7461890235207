package period

import "fmt"

// ID is the number of a period within a [Table]: 0, 1, 2… in the order in which the periods were met.
type ID int32

// Table numbers periods. It belongs to one goroutine, as the simulation does that owns it.
type Table struct {
	byPeriod map[Period]*Entry
	byText   map[string]*Entry
	entries  []*Entry
}

// Entry is a period of a table: the same period is always the same *Entry, so pointers may be compared.
// What is derived from it is computed once.
type Entry struct {
	Period
	ID ID

	table   *Table
	derived [derivedCount]*Entry
	offsets map[offsetKey]*Entry
	subs    [Eternity][]*Entry
	stop    Instant // of which the zero value is not a day
}

type derivation uint8

const (
	thisYear derivation = iota
	firstMonth
	firstWeek
	firstDay
	firstWeekday
	lastMonth
	last3Months
	lastYear
	n2
	lastWeek
	lastFortnight
	derivedCount
)

type offsetKey struct {
	n    int
	unit Unit
}

// NewTable makes an empty table.
func NewTable() *Table {
	return &Table{byPeriod: make(map[Period]*Entry), byText: make(map[string]*Entry)}
}

// Len counts the periods of the table; every ID is below it.
func (t *Table) Len() int { return len(t.entries) }

// At returns the period with a number of this table.
func (t *Table) At(id ID) *Entry { return t.entries[id] }

// Intern returns the entry of a period, a new one if it was not met before.
func (t *Table) Intern(p Period) *Entry {
	if e, ok := t.byPeriod[p]; ok {
		return e
	}
	e := &Entry{Period: p, ID: ID(len(t.entries)), table: t}
	t.entries = append(t.entries, e)
	t.byPeriod[p] = e
	return e
}

// Parse is [Parse] followed by [Table.Intern]; it remembers texts.
func (t *Table) Parse(text string) (*Entry, error) {
	if e, ok := t.byText[text]; ok {
		return e, nil
	}
	p, err := Parse(text)
	if err != nil {
		return nil, err
	}
	e := t.Intern(p)
	t.byText[text] = e
	return e, nil
}

// derive computes a derived period once; failures are not remembered, they end the formula anyway.
func (e *Entry) derive(d derivation, compute func(Period) (Period, error)) (*Entry, error) {
	if known := e.derived[d]; known != nil {
		return known, nil
	}
	p, err := compute(e.Period)
	if err != nil {
		return nil, err
	}
	e.derived[d] = e.table.Intern(p)
	return e.derived[d], nil
}

// ThisYear is [Period.ThisYear].
func (e *Entry) ThisYear() (*Entry, error) { return e.derive(thisYear, Period.ThisYear) }

// FirstMonth is [Period.FirstMonth].
func (e *Entry) FirstMonth() (*Entry, error) { return e.derive(firstMonth, Period.FirstMonth) }

// FirstWeek is [Period.FirstWeek].
func (e *Entry) FirstWeek() (*Entry, error) { return e.derive(firstWeek, Period.FirstWeek) }

// FirstDay is [Period.FirstDay].
func (e *Entry) FirstDay() (*Entry, error) {
	return e.derive(firstDay, func(p Period) (Period, error) { return p.FirstDay(), nil })
}

// FirstWeekday is [Period.FirstWeekday].
func (e *Entry) FirstWeekday() (*Entry, error) {
	return e.derive(firstWeekday, func(p Period) (Period, error) { return p.FirstWeekday(), nil })
}

// LastMonth is [Period.LastMonth].
func (e *Entry) LastMonth() (*Entry, error) { return e.derive(lastMonth, Period.LastMonth) }

// Last3Months is [Period.Last3Months].
func (e *Entry) Last3Months() (*Entry, error) { return e.derive(last3Months, Period.Last3Months) }

// LastYear is [Period.LastYear].
func (e *Entry) LastYear() (*Entry, error) { return e.derive(lastYear, Period.LastYear) }

// N2 is [Period.N2].
func (e *Entry) N2() (*Entry, error) { return e.derive(n2, Period.N2) }

// LastWeek is [Period.LastWeek].
func (e *Entry) LastWeek() (*Entry, error) { return e.derive(lastWeek, Period.LastWeek) }

// LastFortnight is [Period.LastFortnight].
func (e *Entry) LastFortnight() (*Entry, error) { return e.derive(lastFortnight, Period.LastFortnight) }

// Stop is [Period.Stop].
func (e *Entry) Stop() (Instant, error) {
	if e.stop != (Instant{}) {
		return e.stop, nil
	}
	stop, err := e.Period.Stop()
	if err == nil {
		e.stop = stop
	}
	return stop, err
}

// Contains is [Period.Contains].
func (e *Entry) Contains(f *Entry) (bool, error) {
	if e.Start.Compare(f.Start) > 0 {
		return false, nil
	}
	stop, err := e.Stop()
	if err != nil {
		return false, err
	}
	other, err := f.Stop()
	return stop.Compare(other) >= 0, err
}

// First is [Period.First].
func (e *Entry) First(unit Unit) (*Entry, error) {
	switch unit {
	case Year:
		return e.ThisYear()
	case Month:
		return e.FirstMonth()
	case Week:
		return e.FirstWeek()
	case Day:
		return e.FirstDay()
	case Weekday:
		return e.FirstWeekday()
	}
	return nil, fmt.Errorf("there is no first %s of a period", unit)
}

// Offset is [Period.Offset].
func (e *Entry) Offset(n int, unit Unit) (*Entry, error) {
	key := offsetKey{n, unit}
	if known := e.offsets[key]; known != nil {
		return known, nil
	}
	p, err := e.Period.Offset(n, unit)
	if err != nil {
		return nil, err
	}
	if e.offsets == nil {
		e.offsets = make(map[offsetKey]*Entry)
	}
	e.offsets[key] = e.table.Intern(p)
	return e.offsets[key], nil
}

// Subperiods is [Period.Subperiods]; the caller must not change the list.
func (e *Entry) Subperiods(unit Unit) ([]*Entry, error) {
	if unit < Eternity && e.subs[unit] != nil {
		return e.subs[unit], nil
	}
	periods, err := e.Period.Subperiods(unit)
	if err != nil {
		return nil, err
	}
	subs := make([]*Entry, len(periods))
	for i, p := range periods {
		subs[i] = e.table.Intern(p)
	}
	e.subs[unit] = subs
	return subs, nil
}
