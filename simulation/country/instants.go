package country

import (
	"fmt"

	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Attr implements pyeval.Attrer.
func (o instantObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "year":
		return py.Int(int64(o.Year)), true
	case "month":
		return py.Int(int64(o.Month)), true
	case "day":
		return py.Int(int64(o.Day)), true
	case "date":
		return dateValue(th, o.Instant), true
	case "is_eternal":
		return py.Bool(o.Instant == period.EternityInstant), true
	}
	return boundMethod(o, name)
}

// Method implements pyeval.Methoder.
func (o instantObject) Method(name string) py.MethodFunc {
	switch name {
	case "offset":
		return func(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
			return self.(instantObject).offset(th, args, kws)
		}
	case "period":
		return func(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
			return self.(instantObject).period(th, args, kws)
		}
	}
	return nil
}

func (o instantObject) offset(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	n, unit, word := offsetArgs(th, args, kws, period.Day)
	if word != "" {
		return instantValue(instantToWord(th, o.Instant, word, unit))
	}
	moved, err := o.Offset(n, unit)
	check(th, err)
	return instantValue(moved)
}

func (o instantObject) period(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var unit py.Value
	size := 1
	th.Unpack("period", args, kws, "unit", &unit, "size?", &size)
	return newPeriod(th, period.Period{Unit: toUnit(th, unit), Start: o.Instant, Size: int32(size)})
}

// Column implements pyeval.Columner: numpy reads an instant as a day.
func (o instantObject) Column(th *py.Thread) vector.Column {
	if !o.Valid() {
		th.Raise(py.ValueError, "%s is not a day", instantRepr(o.Instant))
	}
	return vector.DateScalar(vector.Day, int64(o.Days()))
}

// Str implements pyeval.Strer.
func (o instantObject) Str(*py.Thread) string { return o.String() }

// Repr implements pyeval.Reprer.
func (o instantObject) Repr(*py.Thread) string { return instantRepr(o.Instant) }

// HashKey implements pyeval.Hasher.
func (o instantObject) HashKey(*py.Thread) any { return o.Instant }

// Compare implements pyeval.Comparer.
func (o instantObject) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	switch i := other.Object().(type) {
	case instantObject:
		return ordered(op, o.Instant.Compare(i.Instant)), true
	case movingInstant:
		return ordered(op, o.Instant.Compare(i.seen(th).Instant)), true
	}
	return equalityOnly(op)
}

// Each implements pyeval.Iterable: an instant is a tuple of year, month and day.
func (o instantObject) Each(_ *py.Thread, yield func(py.Value) bool) {
	_ = yield(py.Int(int64(o.Year))) && yield(py.Int(int64(o.Month))) && yield(py.Int(int64(o.Day)))
}

// toInstant reads an instant, a period (its start), a date, a text, a year or a tuple.
func toInstant(th *py.Thread, v py.Value) period.Instant {
	if p, ok := periodOf(th, v); ok {
		return p.Start
	}
	switch o := v.Object().(type) {
	case instantObject:
		return o.Instant
	case movingInstant:
		return o.seen(th).Instant
	case *py.Tuple:
		return instantOfNumbers(th, o.Items())
	case *py.List:
		return instantOfNumbers(th, o.Items())
	}
	text, ok := v.AsString()
	if !ok {
		if n, isInt := v.AsInt(); isInt {
			text = fmt.Sprintf("%04d", n)
		} else {
			text = th.Str(v)
		}
	}
	if text == "0000-01-01" {
		if c := coreOf(th); c != nil && c.policy {
			return period.Instant{Month: 1, Day: 1} // from when on values hold that a breakdown adds
		}
	}
	parse := period.ParseInstant
	if lenientPeriods(th) {
		parse = period.ParseInstantLenient
	}
	i, err := parse(text)
	if err != nil {
		th.Raise(py.ValueError, "%s", err.Error())
	}
	return i
}

func instantOfNumbers(th *py.Thread, items []py.Value) period.Instant {
	parts := [3]int64{0, 1, 1}
	if len(items) == 0 || len(items) > 3 {
		th.Raise(py.ValueError, "an instant consists of a year, a month and a day, not of %d values", len(items))
	}
	for k, item := range items {
		n, ok := item.AsInt()
		if !ok {
			th.Raise(py.TypeError, "year, month and day of an instant must be whole numbers")
		}
		parts[k] = n
	}
	// As in the original, nothing is checked here: what is no day fails when it is used as one.
	return period.Instant{Year: int16(parts[0]), Month: int8(parts[1]), Day: int8(parts[2])}
}

// periodTable is the part of module _edict about time.
func periodTable() py.Table {
	return py.Table{
		"Instant": py.Obj(instantClass),
		"Period":  py.Obj(periodClass),
		"instant": py.Pure("instant", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var v py.Value
			if len(args) == 1 && len(kws) == 0 {
				v = args[0] // nearly always, and often
			} else {
				th.Unpack("instant", args, kws, "value", &v)
			}
			if v.IsNone() {
				return py.None
			}
			return instantValue(toInstant(th, v))
		}),
		"key_period_size": py.Pure("key_period_size", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var v py.Value
			th.Unpack("key_period_size", args, kws, "period", &v)
			return py.String(toPeriod(th, v).SizeKey())
		}),
		"period": py.Pure("period", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var v py.Value
			th.Unpack("period", args, kws, "value", &v)
			return newPeriod(th, toPeriod(th, v))
		}),
	}
}

// makePeriod is Period((unit, instant, size)).
func makePeriod(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var v py.Value
	th.Unpack("Period", args, kws, "value", &v)
	if t, ok := v.Object().(*py.Tuple); ok && len(t.Items()) == 3 {
		if start, ok := t.Items()[1].Object().(movingInstant); ok {
			return start.tuplePeriod(th, t.Items())
		}
	}
	return newPeriod(th, toPeriod(th, v))
}

// makeInstant is Instant((year, month, day)).
func makeInstant(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var v py.Value
	th.Unpack("Instant", args, kws, "value", &v)
	return instantValue(toInstant(th, v))
}
