package period

// Witness hears what is done with the periods of a [Table]. Who computes something for a period and only derives other
// periods from it, by steps that a witness knows, can have the same steps taken from another period.
type Witness interface {
	// Derived tells that to was derived from a period.
	Derived(from *Entry, by Derivation, to *Entry)
	// Seen tells what somebody knows about a part of the first day of a period.
	Seen(e *Entry, part Part, test Test)
	// Revealed tells that something else was learned about a period, or that one was made of something else than a period.
	Revealed()
}

// Derivation is a way from one period to another.
type Derivation struct {
	kind derivation // or derivedCount for an offset
	n    int32
	unit Unit
}

// From takes the way from a period.
func (d Derivation) From(e *Entry) (*Entry, error) {
	switch d.kind {
	case thisYear:
		return e.ThisYear()
	case firstMonth:
		return e.FirstMonth()
	case firstWeek:
		return e.FirstWeek()
	case firstDay:
		return e.FirstDay()
	case firstWeekday:
		return e.FirstWeekday()
	case lastMonth:
		return e.LastMonth()
	case last3Months:
		return e.Last3Months()
	case lastYear:
		return e.LastYear()
	case n2:
		return e.N2()
	case lastWeek:
		return e.LastWeek()
	case lastFortnight:
		return e.LastFortnight()
	}
	return e.Offset(int(d.n), d.unit)
}

// Part is a part of a day.
type Part uint8

// The parts.
const (
	PartYear Part = iota
	PartMonth
	PartDay
)

// Of gives the part of a day.
func (p Part) Of(i Instant) int {
	switch p {
	case PartYear:
		return int(i.Year)
	case PartMonth:
		return int(i.Month)
	}
	return int(i.Day)
}

// Test is a question with two answers about a number: one for what is less than N, for N itself, and for what is greater.
type Test struct {
	N                    int
	Less, Equal, Greater bool
}

// Answer gives the answer for a number.
func (t Test) Answer(n int) bool {
	switch {
	case n < t.N:
		return t.Less
	case n > t.N:
		return t.Greater
	}
	return t.Equal
}

// Watch lets w hear what is done with the periods of the table from now on; nil ends it.
func (t *Table) Watch(w Witness) { t.witness = w }

// See gives a part of the first day of the period, and tells the witness.
func (e *Entry) See(part Part) int {
	value := part.Of(e.Start)
	if w := e.table.witness; w != nil {
		w.Seen(e, part, Test{N: value, Equal: true})
	}
	return value
}

// SeeFor is See for somebody who needs the part for nothing but the answer to a test.
func (e *Entry) SeeFor(part Part, test Test) int {
	if w := e.table.witness; w != nil {
		w.Seen(e, part, test)
	}
	return part.Of(e.Start)
}

// Reveal tells the witness that the period is looked at in a way that it cannot follow. Whoever hands out what a period is
// calls it; the methods that derive periods tell the witness themselves.
func (e *Entry) Reveal() { e.table.Reveal() }

// Reveal is [Entry.Reveal] for whatever tells a day or a period without an entry.
func (t *Table) Reveal() {
	if t.witness != nil {
		t.witness.Revealed()
	}
}
