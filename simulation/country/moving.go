package country

import (
	"cmp"
	"sync/atomic"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Most formulas by the month do in June what they did in May. The engine repeats what such a formula gave, if what it asks
// for has not changed either, but it has to know that the formula saw nothing else of its month. So a formula gets its
// month as an object that tells: whatever is derived from it is a period that moves along with the month, or one that all
// months of the year share, or else the formula is marked as having seen its month. The same goes for the law: the days
// are kept on which everything that was read is the same.

// watch is what is known of the formula under way.
type watch struct {
	formula *formula
	where   legislation.Where
	month   *period.Entry    // its period, if it is a month; else nothing is watched
	saw     bool             // it has seen which month it is
	same    legislation.Span // the days on which the law, and the calendar, say the same to it
}

// begin watches a formula and returns the period that it gets.
func (r *run) begin(f *formula, at *period.Entry) py.Value {
	if r.blind {
		r.watch = watch{}
		return entryValue(at)
	}
	if at.Unit != period.Month || at.Size != 1 || at.Start.Day != 1 {
		r.watch = watch{formula: f, where: legislation.SameAnswers}
		return entryValue(at)
	}
	r.watch = watch{formula: f, where: legislation.SameAnswers, month: at}
	return movingValue(at)
}

// end tells where what the formula gave holds again.
func (w *watch) end() legislation.Validity {
	return legislation.Validity{Where: w.where, Moves: w.month != nil && !w.saw, Months: w.same}
}

// only limits where the result holds again.
func (w *watch) only(where legislation.Where) { w.where = min(w.where, where) }

// readOn is told that the law is read on a day, and marks the formula unless that is the first day of its month.
func (w *watch) readOn(day period.Instant) {
	if w.month == nil || w.month.Start != day {
		w.saw = true
	}
}

// yearOf is told that the formula sees the year that a day is in.
func (w *watch) yearOf(day period.Instant) {
	if w.readOn(day); !w.saw {
		w.same.Narrow(legislation.Span{From: period.Instant{Year: day.Year, Month: 1, Day: 1}, Until: period.Instant{Year: day.Year + 1, Month: 1, Day: 1}})
	}
}

// seen marks the formula under way, if there is one.
func seen(th *py.Thread) {
	if r := runOf(th); r != nil {
		r.watch.saw = true
	}
}

// movingPeriod is the month of the formula under way, or a period that lies so many months from it, whatever month it is.
type movingPeriod period.Entry

// movingInstant is the first day of such a period.
type movingInstant struct{ period.Instant }

func movingValue(e *period.Entry) py.Value { return py.Obj((*movingPeriod)(e)) }

// seen returns the same period as one that does not move, and marks the formula.
func (o *movingPeriod) seen(th *py.Thread) *entryObject {
	seen(th)
	return (*entryObject)(o)
}

func (o movingInstant) seen(th *py.Thread) instantObject {
	seen(th)
	return instantObject(o)
}

// Type implements pyeval.Object.
func (*movingPeriod) Type() *py.Class { return periodClass }

// Type implements pyeval.Object.
func (movingInstant) Type() *py.Class { return instantClass }

// Attr implements pyeval.Attrer.
func (o *movingPeriod) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "start":
		return py.Obj(movingInstant{o.Start}), true
	case "first_day", "first_month", "last_month", "last_3_months":
		v, ok := (*entryObject)(o).Attr(th, name)
		return alongside(v), ok
	case "this_year", "last_year", "n_2":
		runOf(th).watch.yearOf(o.Start)
		return (*entryObject)(o).Attr(th, name)
	case "size", "unit":
		return (*entryObject)(o).Attr(th, name)
	}
	if v, ok := boundMethod(o, name); ok {
		return v, true
	}
	return o.seen(th).Attr(th, name)
}

// alongside makes a period that was derived from a moving one move, too.
func alongside(v py.Value) py.Value {
	if e, ok := v.Object().(*entryObject); ok {
		return movingValue((*period.Entry)(e))
	}
	return v
}

// GetPath resolves period.start.year and its like without the instant in between.
func (o *movingPeriod) GetPath(th *py.Thread, site *py.Site) (py.Value, int) {
	v, steps := (*entryObject)(o).GetPath(th, site)
	// Every month begins on its first day: to see that is to see nothing.
	if steps == 2 && site.Path[1] != "day" {
		if site.Path[1] == "year" {
			runOf(th).watch.yearOf(o.Start)
		} else {
			seen(th)
		}
	}
	return v, steps
}

// ComparePath answers period.start.month < 7 and its like: the formula sees the months that have the same answer.
func (o *movingPeriod) ComparePath(th *py.Thread, path []string, op pysyntax.CompareOp, number int64) (is, ok bool) {
	if len(path) != 2 || path[0] != "start" || path[1] != "month" || op > pysyntax.GtE {
		return false, false
	}
	answer := func(month int8) bool {
		v, _ := ordered(op, cmp.Compare(int64(month), number)).AsInt()
		return v != 0
	}
	first, last := o.Start.Month, o.Start.Month
	is = answer(o.Start.Month)
	// What the formula has learnt is that its month is one of those around it with the same answer.
	for first > 1 && answer(first-1) == is {
		first--
	}
	for last < 12 && answer(last+1) == is {
		last++
	}
	w := &runOf(th).watch
	w.yearOf(o.Start)
	w.same.Narrow(legislation.Span{From: period.Instant{Year: o.Start.Year, Month: first, Day: 1}, Until: period.Instant{Year: o.Start.Year, Month: last + 1, Day: 1}})
	return is, true
}

// Method implements pyeval.Methoder.
func (o *movingPeriod) Method(name string) py.MethodFunc {
	if name == "offset" {
		return movingOffset
	}
	return nil
}

func movingOffset(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
	o := self.(*movingPeriod)
	v := (*entryObject)(o).offset(th, args, kws)
	_, unit, word := offsetArgs(th, args, kws, o.Unit)
	if movesBy(th, o.Start, unit, word) {
		return alongside(v)
	}
	return v
}

// movesBy reports whether an offset from a day is one that moves along, and marks the formula if the offset does not come out
// the same in all months of the year either.
func movesBy(th *py.Thread, day period.Instant, unit period.Unit, word string) bool {
	switch {
	case word == "" && (unit == period.Month || unit == period.Year), word == "first-of" && unit == period.Month:
		return true
	case word == "first-of" && unit == period.Year:
		runOf(th).watch.yearOf(day)
	default:
		seen(th)
	}
	return false
}

// Str implements pyeval.Strer.
func (o *movingPeriod) Str(th *py.Thread) string { return o.seen(th).Str(th) }

// Repr implements pyeval.Reprer.
func (o *movingPeriod) Repr(th *py.Thread) string { return o.seen(th).Repr(th) }

// HashKey implements pyeval.Hasher.
func (o *movingPeriod) HashKey(th *py.Thread) any { return o.seen(th).HashKey(th) }

// Compare implements pyeval.Comparer.
func (o *movingPeriod) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	return o.seen(th).Compare(th, op, other)
}

// Each implements pyeval.Iterable.
func (o *movingPeriod) Each(th *py.Thread, yield func(py.Value) bool) { o.seen(th).Each(th, yield) }

// Item implements pyeval.Indexer.
func (o *movingPeriod) Item(th *py.Thread, key py.Value) py.Value { return o.seen(th).Item(th, key) }

// Len implements pyeval.Lener.
func (o *movingPeriod) Len(th *py.Thread) int { return (*entryObject)(o).Len(th) }

// Attr implements pyeval.Attrer.
func (o movingInstant) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "day":
		return instantObject(o).Attr(th, name)
	case "year":
		runOf(th).watch.yearOf(o.Instant)
		return instantObject(o).Attr(th, name)
	}
	if v, ok := boundMethod(o, name); ok {
		return v, true
	}
	return o.seen(th).Attr(th, name)
}

// Method implements pyeval.Methoder.
func (o movingInstant) Method(name string) py.MethodFunc {
	switch name {
	case "offset":
		return movingInstantOffset
	case "period":
		return movingInstantPeriod
	}
	return nil
}

func movingInstantOffset(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
	o := self.(movingInstant)
	v := instantObject(o).offset(th, args, kws)
	_, unit, word := offsetArgs(th, args, kws, period.Day)
	if i, ok := v.Object().(instantObject); ok && movesBy(th, o.Instant, unit, word) {
		return py.Obj(movingInstant(i))
	}
	return v
}

func movingInstantPeriod(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
	return alongside(instantObject(self.(movingInstant)).period(th, args, kws))
}

// tuplePeriod is Period((unit, start, size)) with such a start.
func (o movingInstant) tuplePeriod(th *py.Thread, parts []py.Value) py.Value {
	return alongside(newPeriod(th, periodOfTuple(th, []py.Value{parts[0], instantValue(o.Instant), parts[2]})))
}

// Column implements pyeval.Columner.
func (o movingInstant) Column(th *py.Thread) vector.Column { return o.seen(th).Column(th) }

// Str implements pyeval.Strer.
func (o movingInstant) Str(th *py.Thread) string { return o.seen(th).Str(th) }

// Repr implements pyeval.Reprer.
func (o movingInstant) Repr(th *py.Thread) string { return o.seen(th).Repr(th) }

// HashKey implements pyeval.Hasher.
func (o movingInstant) HashKey(th *py.Thread) any { return o.seen(th).HashKey(th) }

// Compare implements pyeval.Comparer.
func (o movingInstant) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	return o.seen(th).Compare(th, op, other)
}

// Each implements pyeval.Iterable.
func (o movingInstant) Each(th *py.Thread, yield func(py.Value) bool) { o.seen(th).Each(th, yield) }

// Item implements pyeval.Indexer.
func (o movingInstant) Item(th *py.Thread, key py.Value) py.Value { return o.seen(th).Item(th, key) }

// Len implements pyeval.Lener.
func (o movingInstant) Len(th *py.Thread) int { return instantObject(o).Len(th) }

// HashKey implements pyeval.Hasher: a function that remembers what it gave for a node has read anything below it.
func (o *nodeObject) HashKey(th *py.Thread) any {
	o.readAll(th)
	return o
}

// readChild notes that a child is read, and keeps the days on which the node has the same child of that name.
func (o *nodeObject) readChild(th *py.Thread, name string) {
	r := runOf(th)
	if r == nil {
		return
	}
	if r.watch.formula != nil {
		o.node().ReadChild(r.watch.formula, name)
	}
	if r.watch.month != nil {
		r.watch.same.Narrow(o.node().ChildSpan(name))
	}
}

// readAll notes that anything below the node is read, and keeps the days on which all of it is the same.
func (o *nodeObject) readAll(th *py.Thread) {
	r := runOf(th)
	if r == nil {
		return
	}
	if r.watch.formula != nil {
		o.node().ReadAll(r.watch.formula)
	}
	if r.watch.month != nil {
		r.watch.same.Narrow(o.node().Span())
	}
}

// readBy is a formula that is known to read a path, in a legislation and those derived from it.
type readBy struct {
	formula *formula
	law     *legislation.Tree
}

// readPath notes that a path is read. The first reader of a site is remembered there, which is nearly always the only one.
func (w *watch) readPath(first *atomic.Pointer[readBy], view *legislation.View, path legislation.PathID) {
	if w.formula != nil {
		known := first.Load()
		if known == nil || known.formula != w.formula || known.law != view.Shared() {
			view.ReadPath(w.formula, path)
			if known == nil {
				first.Store(&readBy{w.formula, view.Shared()})
			}
		}
	}
	if w.month != nil {
		w.same.Narrow(view.Span(path))
	}
}

// readOwn is readChild for the attributes that every node has.
func (o *nodeObject) readOwn(th *py.Thread, name string) {
	switch name {
	case "_instant_str":
		seen(th)
	case "_children":
		o.readAll(th)
	case "__dict__":
		seen(th)
		o.readAll(th)
	}
}
