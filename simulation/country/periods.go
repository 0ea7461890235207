package country

import (
	"cmp"
	"fmt"
	"strings"

	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// Periods are three kinds of object: the entries of a simulation's table, which remember what is derived
// from them; those that move along with the month of a formula (moving.go); and plain ones, which modules
// make while they are loaded and which all simulations share. All answer the same questions.

// entryObject is a period of a simulation.
type entryObject period.Entry

// plainPeriod is a period of no simulation.
type plainPeriod struct{ period.Period }

// instantObject is a day.
type instantObject struct{ period.Instant }

// Type implements pyeval.Object.
func (*entryObject) Type() *py.Class { return periodClass }

// Type implements pyeval.Object.
func (plainPeriod) Type() *py.Class { return periodClass }

// Type implements pyeval.Object.
func (instantObject) Type() *py.Class { return instantClass }

func entryValue(e *period.Entry) py.Value { return py.Obj((*entryObject)(e)) }

func instantValue(i period.Instant) py.Value { return py.Obj(instantObject{i}) }

// periodOf returns the period that a value is, if it is a period object.
func periodOf(th *py.Thread, v py.Value) (period.Period, bool) {
	switch o := v.Object().(type) {
	case *entryObject:
		return o.Period, true
	case *movingPeriod:
		return o.seen(th).Period, true
	case plainPeriod:
		return o.Period, true
	}
	return period.Period{}, false
}

// newPeriod makes a period object, one of the simulation if the thread runs one.
func newPeriod(th *py.Thread, p period.Period) py.Value {
	if r := runOf(th); r != nil {
		return entryValue(r.sim.Periods().Intern(p))
	}
	return py.Obj(plainPeriod{p})
}

// toPeriod reads whatever Python code may give as a period: a period, an instant, a year, a text, a tuple.
func toPeriod(th *py.Thread, v py.Value) period.Period {
	if p, ok := periodOf(th, v); ok {
		return p
	}
	switch o := v.Object().(type) {
	case instantObject:
		return period.Period{Start: o.Instant, Size: 1, Unit: period.Day}
	case movingInstant:
		return period.Period{Start: o.seen(th).Instant, Size: 1, Unit: period.Day}
	case *py.Tuple:
		return periodOfTuple(th, o.Items())
	}
	text, ok := v.AsString()
	if !ok {
		if _, isInt := v.AsInt(); !isInt {
			text = th.Str(v) // dates print as ISO days
		} else {
			n, _ := v.AsInt()
			text = fmt.Sprint(n)
		}
	}
	parse := period.Parse
	if lenientPeriods(th) {
		parse = period.ParseLenient
	}
	p, err := parse(text)
	if err != nil {
		th.Raise(py.ValueError, "%s", err.Error())
	}
	return p
}

func periodOfTuple(th *py.Thread, items []py.Value) period.Period {
	if len(items) != 3 {
		th.Raise(py.ValueError, "a period consists of a unit, an instant and a size, not of %d values", len(items))
	}
	size, ok := items[2].AsInt()
	if !ok {
		th.Raise(py.TypeError, "the size of a period must be a whole number")
	}
	return period.Period{Unit: toUnit(th, items[0]), Start: toInstant(th, items[1]), Size: int32(size)}
}

// derivedEntry finds the attribute of a period that is another period, nil if there is none of that name.
func derivedEntry(name string) func(*period.Entry) (*period.Entry, error) {
	switch name {
	case "first_day":
		return (*period.Entry).FirstDay
	case "first_month":
		return (*period.Entry).FirstMonth
	case "first_week":
		return (*period.Entry).FirstWeek
	case "first_weekday":
		return (*period.Entry).FirstWeekday
	case "last_3_months":
		return (*period.Entry).Last3Months
	case "last_fortnight":
		return (*period.Entry).LastFortnight
	case "last_month":
		return (*period.Entry).LastMonth
	case "last_week":
		return (*period.Entry).LastWeek
	case "last_year":
		return (*period.Entry).LastYear
	case "n_2":
		return (*period.Entry).N2
	case "this_year":
		return (*period.Entry).ThisYear
	}
	return nil
}

// Attr implements pyeval.Attrer.
func (o *entryObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	e := (*period.Entry)(o)
	if name == "start" {
		return instantValue(e.Start), true
	}
	if derive := derivedEntry(name); derive != nil {
		d, err := derive(e)
		if err != nil {
			th.Raise(py.ValueError, "%s", err.Error())
		}
		return entryValue(d), true
	}
	if v, ok := boundMethod(o, name); ok {
		return v, true
	}
	return periodAttr(th, py.Obj(o), e.Period, name)
}

// Method implements pyeval.Methoder.
func (o *entryObject) Method(name string) py.MethodFunc {
	if name == "offset" {
		return entryOffset
	}
	return nil
}

func entryOffset(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
	return self.(*entryObject).offset(th, args, kws)
}

// GetPath resolves period.start.year and its like without the instant in between.
func (o *entryObject) GetPath(_ *py.Thread, site *py.Site) (py.Value, int) {
	if len(site.Path) < 2 || site.Path[0] != "start" {
		return py.Value{}, 0
	}
	switch site.Path[1] {
	case "year":
		return py.Int(int64(o.Start.Year)), 2
	case "month":
		return py.Int(int64(o.Start.Month)), 2
	case "day":
		return py.Int(int64(o.Start.Day)), 2
	}
	return py.Value{}, 0
}

func (o *entryObject) offset(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	n, unit, word := offsetArgs(th, args, kws, o.Unit)
	e := (*period.Entry)(o)
	if word != "" {
		return newPeriod(th, offsetToWord(th, e.Period, word, unit))
	}
	moved, err := e.Offset(n, unit)
	if err != nil {
		th.Raise(py.ValueError, "%s", err.Error())
	}
	return entryValue(moved)
}

// offsetArgs reads offset(n, unit) and offset("first-of", unit).
func offsetArgs(th *py.Thread, args []py.Value, kws []py.Kw, own period.Unit) (n int, unit period.Unit, word string) {
	amount, by := py.None, py.None
	th.Unpack("offset", args, kws, "offset", &amount, "unit?", &by)
	unit = own
	if !by.IsNone() {
		unit = toUnit(th, by)
	}
	if text, ok := amount.AsString(); ok {
		if text != "first-of" && text != "last-of" {
			th.Raise(py.ValueError, "offset must be a whole number, 'first-of' or 'last-of', not %s", th.Repr(amount))
		}
		return 0, unit, text
	}
	count, ok := amount.AsInt()
	if !ok {
		th.Raise(py.TypeError, "offset must be a whole number, 'first-of' or 'last-of', not %s", py.TypeName(amount))
	}
	return int(count), unit, ""
}

func offsetToWord(th *py.Thread, p period.Period, word string, unit period.Unit) period.Period {
	p.Start = instantToWord(th, p.Start, word, unit)
	return p
}

func instantToWord(th *py.Thread, i period.Instant, word string, unit period.Unit) period.Instant {
	move := period.Instant.FirstOf
	if word == "last-of" {
		move = period.Instant.LastOf
	}
	moved, err := move(i, unit)
	if err != nil {
		th.Raise(py.ValueError, "%s", err.Error())
	}
	return moved
}

// Attr implements pyeval.Attrer.
func (o plainPeriod) Attr(th *py.Thread, name string) (py.Value, bool) {
	if derive := derivedEntry(name); derive != nil {
		e, err := derive(period.NewTable().Intern(o.Period))
		if err != nil {
			th.Raise(py.ValueError, "%s", err.Error())
		}
		return newPeriod(th, e.Period), true
	}
	if name == "offset" {
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			n, unit, word := offsetArgs(th, args, kws, o.Unit)
			if word != "" {
				return newPeriod(th, offsetToWord(th, o.Period, word, unit))
			}
			moved, err := o.Offset(n, unit)
			if err != nil {
				th.Raise(py.ValueError, "%s", err.Error())
			}
			return newPeriod(th, moved)
		}), true
	}
	return periodAttr(th, py.Obj(o), o.Period, name)
}

// periodAttr is what both kinds of period answer alike.
func periodAttr(th *py.Thread, self py.Value, p period.Period, name string) (py.Value, bool) {
	switch name {
	case "unit":
		return py.String(p.Unit.String()), true
	case "size":
		return py.Int(int64(p.Size)), true
	case "start":
		return instantValue(p.Start), true
	case "stop":
		stop, err := p.Stop()
		check(th, err)
		return instantValue(stop), true
	case "date":
		if p.Size != 1 {
			th.Raise(py.ValueError, "\"date\" is undefined for a period of size > 1: %s.", p)
		}
		return dateValue(th, p.Start), true
	case "is_eternal":
		return py.Bool(p.IsEternal()), true
	case "days":
		n, err := p.Days()
		check(th, err)
		return py.Int(int64(n)), true
	}
	if weeks, ok := lastWeeks[name]; ok {
		before, err := p.LastWeeks(weeks)
		check(th, err)
		return newPeriod(th, before), true
	}
	if unit, ok := strings.CutPrefix(name, "size_in_"); ok {
		return sizeIn(th, p, strings.TrimSuffix(unit, "s"))
	}
	if method, ok := periodMethods[name]; ok {
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value { return method(th, self, p, args, kws) }), true
	}
	return py.Value{}, false
}

// lastWeeks are the attributes that mean so many weeks before this one.
var lastWeeks = map[string]int{"last_2_weeks": 2, "last_26_weeks": 26, "last_52_weeks": 52}

func sizeIn(th *py.Thread, p period.Period, unit string) (py.Value, bool) {
	u, ok := period.ParseUnit(unit)
	if !ok {
		return py.Value{}, false
	}
	n, err := p.SizeIn(u)
	check(th, err)
	return py.Int(int64(n)), true
}

var periodMethods = map[string]func(th *py.Thread, self py.Value, p period.Period, args []py.Value, kws []py.Kw) py.Value{
	"contains":       periodContains,
	"get_subperiods": periodSubperiods,
	"intersection":   periodIntersection,
}

func periodContains(th *py.Thread, _ py.Value, p period.Period, args []py.Value, kws []py.Kw) py.Value {
	var other py.Value
	th.Unpack("contains", args, kws, "other", &other)
	inside, err := p.Contains(toPeriod(th, other))
	check(th, err)
	return py.Bool(inside)
}

func periodSubperiods(th *py.Thread, _ py.Value, p period.Period, args []py.Value, kws []py.Kw) py.Value {
	var unit py.Value
	th.Unpack("get_subperiods", args, kws, "unit", &unit)
	subs, err := p.Subperiods(toUnit(th, unit))
	check(th, err)
	items := make([]py.Value, len(subs))
	for i, s := range subs {
		items[i] = newPeriod(th, s)
	}
	return py.Obj(py.NewList(items))
}

func periodIntersection(th *py.Thread, self py.Value, p period.Period, args []py.Value, kws []py.Kw) py.Value {
	var start, stop py.Value
	th.Unpack("intersection", args, kws, "start", &start, "stop", &stop)
	if start.IsNone() && stop.IsNone() {
		return self
	}
	shared, ok, err := p.Intersection(optionalInstant(th, start), optionalInstant(th, stop))
	check(th, err)
	if !ok {
		return py.None
	}
	return newPeriod(th, shared)
}

func optionalInstant(th *py.Thread, v py.Value) *period.Instant {
	if v.IsNone() {
		return nil
	}
	i := toInstant(th, v)
	return &i
}

// check raises an error of package period as Python's ValueError.
func check(th *py.Thread, err error) {
	if err != nil {
		th.Raise(py.ValueError, "%s", err.Error())
	}
}

// dateValue makes a datetime.date.
func dateValue(th *py.Thread, i period.Instant) py.Value {
	m, err := th.Import("datetime")
	if err != nil {
		th.Throw(err)
	}
	date, _ := m.Get("date")
	return th.Invoke(date, py.Int(int64(i.Year)), py.Int(int64(i.Month)), py.Int(int64(i.Day)))
}

// Str implements pyeval.Strer.
func (o *entryObject) Str(*py.Thread) string { return o.Period.String() }

// Str implements pyeval.Strer.
func (o plainPeriod) Str(*py.Thread) string { return o.Period.String() }

// Repr implements pyeval.Reprer.
func (o *entryObject) Repr(*py.Thread) string { return periodRepr(o.Period) }

// Repr implements pyeval.Reprer.
func (o plainPeriod) Repr(*py.Thread) string { return periodRepr(o.Period) }

func periodRepr(p period.Period) string {
	return fmt.Sprintf("Period(('%s', %s, %d))", p.Unit, instantRepr(p.Start), p.Size)
}

func instantRepr(i period.Instant) string {
	return fmt.Sprintf("Instant((%d, %d, %d))", i.Year, i.Month, i.Day)
}

// HashKey implements pyeval.Hasher: equal periods are one key, wherever they come from.
func (o *entryObject) HashKey(*py.Thread) any { return o.Period }

// HashKey implements pyeval.Hasher.
func (o plainPeriod) HashKey(*py.Thread) any { return o.Period }

// Compare implements pyeval.Comparer: periods compare as their tuples do.
func (o *entryObject) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	return comparePeriods(th, op, o.Period, other)
}

// Compare implements pyeval.Comparer.
func (o plainPeriod) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	return comparePeriods(th, op, o.Period, other)
}

func comparePeriods(th *py.Thread, op pysyntax.CompareOp, p period.Period, other py.Value) (py.Value, bool) {
	q, ok := periodOf(th, other)
	if !ok {
		return equalityOnly(op)
	}
	order := cmp.Or(strings.Compare(p.Unit.String(), q.Unit.String()), p.Start.Compare(q.Start), cmp.Compare(p.Size, q.Size))
	return ordered(op, order), true
}

// equalityOnly answers == and != with something of another kind.
func equalityOnly(op pysyntax.CompareOp) (py.Value, bool) {
	switch op {
	case pysyntax.Eq:
		return py.False, true
	case pysyntax.NotEq:
		return py.True, true
	}
	return py.Value{}, false
}

func ordered(op pysyntax.CompareOp, order int) py.Value {
	switch op {
	case pysyntax.Eq:
		return py.Bool(order == 0)
	case pysyntax.NotEq:
		return py.Bool(order != 0)
	case pysyntax.Lt:
		return py.Bool(order < 0)
	case pysyntax.LtE:
		return py.Bool(order <= 0)
	case pysyntax.Gt:
		return py.Bool(order > 0)
	}
	return py.Bool(order >= 0)
}

// Each implements pyeval.Iterable: a period is a tuple of unit, start and size.
func (o *entryObject) Each(_ *py.Thread, yield func(py.Value) bool) { eachPart(o.Period, yield) }

// Each implements pyeval.Iterable.
func (o plainPeriod) Each(_ *py.Thread, yield func(py.Value) bool) { eachPart(o.Period, yield) }

func eachPart(p period.Period, yield func(py.Value) bool) {
	_ = yield(py.String(p.Unit.String())) && yield(instantValue(p.Start)) && yield(py.Int(int64(p.Size)))
}
