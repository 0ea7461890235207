package vector

import "math"

// Operations on dates and durations. They compute on int64 counts in the common unit of the operands.

// binaryTime computes op when one operand at least is a Date or Duration and neither is text or object.
func binaryTime(op Op, a, b Column, s shape) (Column, error) {
	switch {
	case a.typ == Date && b.typ == Date:
		return datePair(op, a, b, s)
	case a.typ == Duration && b.typ == Duration:
		return durationPair(op, a, b, s)
	case a.typ == Date:
		return dateShift(op, a, b, s)
	case b.typ == Date:
		if op != Add {
			return incomparable(op, a, b, s)
		}
		return dateShift(op, b, a, s)
	case a.typ == Duration:
		return durationNumber(op, a, b, s)
	}
	return numberDuration(op, a, b, s)
}

// incomparable is numpy's answer for operands that have nothing in common: equality is false, the rest is refused.
func incomparable(op Op, a, b Column, s shape) (Column, error) {
	if op == Equal || op == NotEqual {
		return constColumn(s, Bool, op == NotEqual), nil
	}
	return Column{}, typeError("ufunc '%s' cannot use operands with types dtype('%s') and dtype('%s')", op, a.DType(), b.DType())
}

func datePair(op Op, a, b Column, s shape) (Column, error) {
	u := finerDate(a.unit, b.unit)
	x, y := counts(s.pool, a, Date, u), counts(s.pool, b, Date, u)
	switch {
	case op == Subtract && !x.constant && !y.constant && x.n == y.n:
		out := lend[int64](s.pool, int(s.n))
		subtractAll(out, elems[int64](x), elems[int64](y))
		c := finish(s, out)
		c.typ, c.unit = Duration, u
		return c, nil
	case op == Subtract:
		return runTime(DType{Type: Duration, Unit: u}, x, y, s, subtractTimes), nil
	case op == Minimum || op == Maximum:
		return runTime(DType{Type: Date, Unit: u}, x, y, s, extreme(op)), nil
	case op.comparison():
		return runTime(DType{Type: Bool}, x, y, s, comparison(op)), nil
	}
	return incomparable(op, a, b, s)
}

func durationPair(op Op, a, b Column, s shape) (Column, error) {
	u, err := finer(a.unit, b.unit)
	if err != nil {
		return Column{}, err
	}
	x, y := counts(s.pool, a, Duration, u), counts(s.pool, b, Duration, u)
	d := DType{Type: Duration, Unit: u}
	switch {
	case op == Add:
		return runTime(d, x, y, s, addTimes), nil
	case op == Subtract:
		return runTime(d, x, y, s, subtractTimes), nil
	case op == Remainder:
		return runTime(d, x, y, s, remainderTimes), nil
	case op == Divide:
		return runTime(DType{Type: Float64}, x, y, s, divideTimes), nil
	case op == FloorDivide:
		return runTime(DType{Type: Int64}, x, y, s, floorDivideTimes), nil
	case op == Minimum || op == Maximum:
		return runTime(d, x, y, s, extreme(op)), nil
	case op.comparison():
		return runTime(DType{Type: Bool}, x, y, s, comparison(op)), nil
	}
	return incomparable(op, a, b, s)
}

// dateShift adds a duration, or an integer in the date's own unit, to a date, or takes it away.
func dateShift(op Op, a, b Column, s shape) (Column, error) {
	if op != Add && op != Subtract || b.typ.float() {
		return incomparable(op, a, b, s)
	}
	u := a.unit
	if b.typ == Duration && b.unit != Generic {
		if b.unit <= Month && a.unit > Month {
			return Column{}, typeError("Cannot cast ufunc '%s' input 1 from dtype('<m8[%s]') to dtype('<m8[%s]') with casting rule 'same_kind'", op, b.unit, a.unit)
		}
		u = max(a.unit, b.unit)
	}
	x, y := counts(s.pool, a, Date, u), counts(s.pool, b, Duration, u)
	if op == Add {
		return runTime(DType{Type: Date, Unit: u}, x, y, s, addTimes), nil
	}
	return runTime(DType{Type: Date, Unit: u}, x, y, s, subtractTimes), nil
}

func durationNumber(op Op, a, b Column, s shape) (Column, error) {
	d := a.DType()
	if b.typ.float() {
		x, y := counts(s.pool, a, Duration, a.unit), castTo[float64](b, Float64)
		switch op {
		case Multiply:
			return runFloatTime(d, x, y, s, func(x, y float64) float64 { return x * y }), nil
		case Divide, FloorDivide:
			return runFloatTime(d, x, y, s, func(x, y float64) float64 { return x / y }), nil
		}
		return incomparable(op, a, b, s)
	}
	x, y := counts(s.pool, a, Duration, a.unit), castTo[int64](b, Int64)
	switch op {
	case Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual:
		if a.form == Array && b.form != Array && b.typ != Bool && b.Int(0) >= 0 {
			return refuseDuration(op, a, b)
		}
		return runTime(DType{Type: Bool}, x, y, s, comparison(op)), nil
	case Add:
		return runTime(d, x, y, s, addTimes), nil
	case Subtract:
		return runTime(d, x, y, s, subtractTimes), nil
	case Multiply:
		return runTime(d, x, y, s, multiplyTime), nil
	case Divide, FloorDivide:
		if b.typ == Bool {
			return incomparable(op, a, b, s)
		}
		return runTime(d, x, y, s, divideTime), nil
	case Minimum, Maximum:
		return runTime(d, x, y, s, extreme(op)), nil
	}
	return refuseDuration(op, a, b)
}

func numberDuration(op Op, a, b Column, s shape) (Column, error) {
	d := b.DType()
	y := counts(s.pool, b, Duration, b.unit)
	switch {
	case op == Multiply:
		return durationNumber(op, b, a, s)
	case a.typ.float():
		return incomparable(op, a, b, s)
	case op == Add:
		return runTime(d, castTo[int64](a, Int64), y, s, addTimes), nil
	case op == Subtract:
		return runTime(d, castTo[int64](a, Int64), y, s, subtractTimes), nil
	case op == Minimum || op == Maximum:
		return runTime(d, castTo[int64](a, Int64), y, s, extreme(op)), nil
	case op.comparison():
		return durationNumber(mirrored(op), b, a, s)
	}
	return refuseDuration(op, a, b)
}

// mirrored gives the comparison that holds for (b, a) when op holds for (a, b).
func mirrored(op Op) Op {
	switch op {
	case Less:
		return Greater
	case LessEqual:
		return GreaterEqual
	case Greater:
		return Less
	case GreaterEqual:
		return LessEqual
	}
	return op
}

// refuseDuration refuses to compare an array of durations with a bare number, even for equality, as numpy does.
func refuseDuration(op Op, a, b Column) (Column, error) {
	return Column{}, typeError("Cannot cast ufunc '%s' inputs from dtype('%s') and dtype('%s') to a common duration: compare with timedelta64, or cast with astype(int)", op, a.DType(), b.DType())
}

// counts gives the int64 counts of a date, duration or integer in unit u.
func counts(p *Pool, c Column, as Type, u Unit) Column {
	if !c.typ.time() {
		return castTo[int64](c, Int64)
	}
	convert := dateConverter(c.unit, u)
	if as != Date {
		convert = durationConverter(c.unit, u)
	}
	out := mapCounts(p, c, convert, c.unit == u)
	out.typ, out.unit = Int64, Generic
	return out
}

func mapCounts(p *Pool, c Column, f converter, identity bool) Column {
	switch {
	case identity:
	case c.constant:
		one := [1]int64{int64(c.bits)}
		f(one[:], one[:])
		c.bits = uint64(one[0])
	default:
		in, out := elems[int64](c), lend[int64](p, int(c.n))
		f(out[:len(in)], in)
		form := c.form
		c = raw(c.typ, c.unit, out)
		c.form = form
	}
	return c
}

func runTime[T Element](d DType, a, b Column, s shape, f func(x, y int64) T) Column {
	if s.constant {
		c := constColumn(s, d.Type, f(int64(a.bits), int64(b.bits)))
		c.unit = d.Unit
		return c
	}
	out := lend[T](s.pool, int(s.n))
	switch {
	case a.constant:
		x := int64(a.bits)
		for i, y := range elems[int64](b) {
			out[i] = f(x, y)
		}
	case b.constant:
		y := int64(b.bits)
		for i, x := range elems[int64](a) {
			out[i] = f(x, y)
		}
	default:
		ys := elems[int64](b)
		for i, x := range elems[int64](a) {
			out[i] = f(x, ys[i])
		}
	}
	c := finish(s, out)
	c.typ, c.unit = d.Type, d.Unit
	return c
}

// runFloatTime computes a duration from a duration and a float; what is not finite is NaT.
func runFloatTime(d DType, a, b Column, s shape, f func(x, y float64) float64) Column {
	one := func(x int64, y float64) int64 {
		v := f(float64(x), y)
		if x == NaT || math.IsNaN(v) || math.IsInf(v, 0) {
			return NaT
		}
		return floatToInt64(v)
	}
	out := make([]int64, s.n)
	if s.constant {
		out = out[:min(1, len(out))]
	}
	for i := range out {
		out[i] = one(a.Int(i), b.Float(i))
	}
	c := raw(d.Type, d.Unit, out)
	c.n, c.form, c.constant = s.n, s.form, s.constant
	return c
}

func addTimes(x, y int64) int64 {
	if x == NaT || y == NaT {
		return NaT
	}
	return x + y
}

func subtractTimes(x, y int64) int64 {
	if x == NaT || y == NaT {
		return NaT
	}
	return x - y
}

// subtractAll is subtractTimes for columns.
func subtractAll(out, x, y []int64) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		d := x[i] - y[i]
		if x[i] == NaT || y[i] == NaT {
			d = NaT
		}
		out[i] = d
	}
}

func multiplyTime(x, k int64) int64 {
	if x == NaT {
		return NaT
	}
	return x * k
}

// divideTime truncates: numpy's // of a duration by an integer does.
func divideTime(x, k int64) int64 {
	if x == NaT || k == 0 {
		return NaT
	}
	return x / k
}

func divideTimes(x, y int64) float64 {
	if x == NaT || y == NaT {
		return math.NaN()
	}
	return float64(x) / float64(y)
}

func floorDivideTimes(x, y int64) int64 {
	if x == NaT || y == NaT {
		return 0
	}
	return intFloorDiv(x, y)
}

func remainderTimes(x, y int64) int64 {
	if x == NaT || y == NaT || y == 0 {
		return NaT
	}
	return intRemainder(x, y)
}

func extreme(op Op) func(x, y int64) int64 {
	return func(x, y int64) int64 {
		switch {
		case x == NaT || y == NaT:
			return NaT
		case op == Minimum:
			return min(x, y)
		}
		return max(x, y)
	}
}

// comparison gives op as a function; NaT is unequal to everything.
func comparison(op Op) func(x, y int64) bool {
	nat := func(f func(x, y int64) bool) func(x, y int64) bool {
		return func(x, y int64) bool { return x != NaT && y != NaT && f(x, y) }
	}
	switch op {
	case Equal:
		return nat(func(x, y int64) bool { return x == y })
	case NotEqual:
		return func(x, y int64) bool { return x != y || x == NaT }
	case Less:
		return nat(func(x, y int64) bool { return x < y })
	case LessEqual:
		return nat(func(x, y int64) bool { return x <= y })
	case Greater:
		return nat(func(x, y int64) bool { return x > y })
	}
	return nat(func(x, y int64) bool { return x >= y })
}

// unaryTime computes op on a date or duration; other types have no such operation.
func unaryTime(op Op, a Column) (Column, error) {
	if !a.typ.time() {
		return Column{}, unsupported(op)
	}
	s := unaryShape(a)
	x := counts(s.pool, a, a.typ, a.unit)
	test := func(want bool) (Column, error) {
		return runTime(DType{Type: Bool}, x, x, s, func(v, _ int64) bool { return (v == NaT) == want }), nil
	}
	switch {
	case op == IsNaN:
		return test(true)
	case op == IsFinite:
		return test(false)
	case op == IsInf:
		return constColumn(s, Bool, false), nil
	case a.typ == Date:
		return Column{}, unsupported(op)
	}
	f, ok := durationUnary(op)
	if !ok {
		return Column{}, unsupported(op)
	}
	return runTime(a.DType(), x, x, s, f), nil
}

func durationUnary(op Op) (f func(v, _ int64) int64, ok bool) {
	switch op {
	case Negative:
		return func(v, _ int64) int64 { return -v }, true // -NaT wraps to NaT
	case Absolute:
		return func(v, _ int64) int64 { return intUnary(Absolute, v) }, true
	case Positive:
		return func(v, _ int64) int64 { return v }, true
	case Sign:
		return func(v, _ int64) int64 { return intUnary(Sign, v) }, true
	}
	return nil, false
}

// castTime casts among dates and durations.
func castTime(p *Pool, a Column, d DType) (Column, error) {
	convert := each(func(v int64) int64 { return v })
	switch {
	case a.typ == Date && d.Type == Date:
		convert = dateConverter(a.unit, d.Unit)
	case a.typ == Duration && d.Type == Duration:
		convert = durationConverter(a.unit, d.Unit)
	}
	c := mapCounts(p, a, convert, a.unit == d.Unit)
	c.typ, c.unit, c.form = d.Type, d.Unit, resultForm(a)
	if d.Unit == Generic {
		c.unit = a.unit
	}
	return c, nil
}

// castToTime takes numbers as counts; NaN is NaT.
func castToTime(a Column, d DType) (Column, error) {
	c := castTo[int64](a, Int64)
	c.typ, c.unit = d.Type, d.Unit
	return c, nil
}

// castTextToDates parses text; a type without unit takes the finest that the texts need.
func castTextToDates(a Column, d DType) (Column, error) {
	n := int(a.n)
	if a.constant {
		n = min(n, 1)
	}
	dates := make([]Column, n)
	unit := d.Unit
	for i := range dates {
		c, err := ParseDate(a.Text(i))
		if err != nil {
			return Column{}, err
		}
		if dates[i] = c; d.Unit == Generic {
			unit = max(unit, c.unit)
		}
	}
	out := make([]int64, n)
	for i, c := range dates {
		out[i] = convertDate(int64(c.bits), c.unit, unit)
	}
	return spreadRaw(a, DType{Type: Date, Unit: unit}, out), nil
}

// busDaysKey tells counts of days apart.
type busDaysKey struct{ mask [7]bool }

// BusDayCount is numpy.busday_count(from, to, weekmask): the days of [from, to) that are in mask, Monday first, negative
// if to comes before from.
func (r *Rules) BusDayCount(from, to Column, mask [7]bool) (Column, error) {
	if (from.form|to.form)&boxed != 0 {
		return record(step{each: true, key: busDaysKey{mask}}, r, from, to)
	}
	s, err := shapeOf(from, to)
	if err != nil {
		return Column{}, err
	}
	if from.typ != Date || to.typ != Date {
		return Column{}, typeError("Iterator operand 0 dtype could not be cast from dtype('%s') to dtype('<M8[D]') according to the rule 'safe'", from.DType())
	}
	if mask == [7]bool{} {
		return Column{}, valueError("the business day weekmask must have at least one valid business day")
	}
	x, y := counts(s.pool, from, Date, Day), counts(s.pool, to, Date, Day)
	return runTime(DType{Type: Int64}, x, y, s, func(lo, hi int64) int64 { return busDays(lo, hi, mask) }), nil
}

func busDays(lo, hi int64, mask [7]bool) int64 {
	if lo > hi {
		return -busDays(hi+1, lo+1, mask)
	}
	weekday := func(day int64) int64 { return intRemainder(day+3, 7) }
	var perWeek int64
	for _, on := range mask {
		if on {
			perWeek++
		}
	}
	weeks := (hi - lo) / 7
	count := weeks * perWeek
	for day := lo + weeks*7; day < hi; day++ {
		if mask[weekday(day)] {
			count++
		}
	}
	return count
}
