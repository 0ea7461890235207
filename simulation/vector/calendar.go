package vector

// Calendar arithmetic of datetime64 and timedelta64: counts of a unit since 1970, proleptic Gregorian, weeks counted
// from Thursday 1970-01-01 as numpy does. Divisions go towards minus infinity. NaT stays NaT.

// DaysOf returns the number of days from 1970-01-01 to a date.
func DaysOf(year, month, day int) int64 {
	y, m := int64(year), int64(month)
	if m <= 2 {
		y--
		m += 12
	}
	if uint64(y) < 1<<20 && uint64(m) < 1<<4 && uint64(day) < 1<<8 { // in 32 bits, without a division
		u := uint32(y)
		return int64(u*365+u/4-u/100+u/400+(153*uint32(m-3)+2)/5+uint32(day)) - 719469
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + int64(day) - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

// CivilOf returns the date that is days after 1970-01-01.
func CivilOf(days int64) (year, month, day int) {
	days += 719468
	era := floorDiv(days, 146097)
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d := doy - (153*mp+2)/5 + 1
	m := mp + 3
	y := yoe + era*400
	if m > 12 {
		m -= 12
		y++
	}
	return int(y), int(m), int(d)
}

func floorDiv(a, b int64) int64 { return intFloorDiv(a, b) }

// perDay is how many of a unit make a day, from Day on.
var perDay = [...]int64{Day: 1, Hour: 24, Minute: 1440, Second: 86400, Milli: 86400e3, Micro: 86400e6, Nano: 86400e9}

// convertDate converts a count of from since 1970 to a count of to.
func convertDate(v int64, from, to Unit) int64 {
	if v == NaT || from == to || from == Generic || to == Generic {
		return v
	}
	switch {
	case from <= Month && to <= Month:
		if from == Year {
			return v * 12
		}
		return floorDiv(v, 12)
	case from <= Month:
		months := v
		if from == Year {
			months = v * 12
		}
		year := floorDiv(months, 12)
		return fromDays(DaysOf(int(1970+year), int(months-year*12)+1, 1), to)
	case from >= Day && to >= Day:
		return scale(v, perDay[to], perDay[from])
	}
	days := v * 7
	if from >= Day {
		days = floorDiv(v, perDay[from])
	}
	return fromDays(days, to)
}

// converter converts counts one by one, into a slice of the same length.
type converter func(out, in []int64)

// each converts by a function.
func each(f func(int64) int64) converter {
	return func(out, in []int64) {
		for i, v := range in {
			out[i] = f(v)
		}
	}
}

// dateConverter is convertDate between two units, chosen once for a whole column.
func dateConverter(from, to Unit) converter {
	switch {
	case from == Day && to == Month:
		return monthsOfDays
	case from == Day && to == Year:
		return yearsOfDays
	case from == Month && to == Day:
		return daysOfMonths
	}
	return each(func(v int64) int64 { return convertDate(v, from, to) })
}

// marchOf takes a day since 1970, from year 0 to the year 29000, apart: the year and the month since 1 March 0000, with 3
// for March and 13 for the January that follows. It needs 32 bits, multiplications and shifts, after Neri and Schneider,
// "Euclidean affine functions and their application to calendar algorithms" (2023).
func marchOf(day int64) (year, month uint32) {
	n := 4*uint32(day+marchEpoch) + 3
	century, rest := n/146097, n%146097|3
	scaled := uint64(rest) * 2939745 // 2³²/1461
	dayOfYear := uint32(scaled) / 2939745 / 4
	return 100*century + uint32(scaled>>32), (2141*dayOfYear + 197913) >> 16
}

const (
	marchEpoch = 719468 // days from 0000-03-01 to 1970-01-01
	marchLast  = 10_000_000
)

// monthsOfDays gives the months since 1970 of days since 1970.
func monthsOfDays(out, in []int64) {
	for i, v := range in {
		if v < -marchEpoch || v > marchLast {
			out[i] = convertDate(v, Day, Month)
			continue
		}
		year, month := marchOf(v)
		out[i] = int64(year)*12 + int64(month) - 1 - 1970*12
	}
}

// yearsOfDays gives the years since 1970 of days since 1970.
func yearsOfDays(out, in []int64) {
	for i, v := range in {
		if v < -marchEpoch || v > marchLast {
			out[i] = convertDate(v, Day, Year)
			continue
		}
		year, month := marchOf(v)
		out[i] = int64(year) + int64(month/13) - 1970
	}
}

// daysOfMonths gives the first days, since 1970, of months since 1970.
func daysOfMonths(out, in []int64) {
	const march = 1970*12 - 2 // months from March 0000 to January 1970
	for i, v := range in {
		if v < -march || v > 1<<18 {
			out[i] = convertDate(v, Month, Day)
			continue
		}
		months := uint32(v + march)
		year := months / 12
		out[i] = int64(year*365+year/4-year/100+year/400+(153*(months%12)+2)/5) - marchEpoch
	}
}

func fromDays(days int64, to Unit) int64 {
	switch to {
	case Year:
		y, _, _ := CivilOf(days)
		return int64(y) - 1970
	case Month:
		y, m, _ := CivilOf(days)
		return (int64(y)-1970)*12 + int64(m) - 1
	case Week:
		return floorDiv(days, 7)
	}
	return days * perDay[to]
}

// scale returns floor(v*num/den) for num and den one of which divides the other.
func scale(v, num, den int64) int64 {
	if num >= den {
		return v * (num / den)
	}
	return floorDiv(v, den/num)
}

// daysPer is the length of a unit in days as a fraction: a year is 146097/400 days.
var daysPer = [...][2]int64{
	Year: {146097, 400}, Month: {146097, 4800}, Week: {7, 1}, Day: {1, 1}, Hour: {1, 24}, Minute: {1, 1440}, Second: {1, 86400},
	Milli: {1, 86400e3}, Micro: {1, 86400e6}, Nano: {1, 86400e9},
}

// durationConverter converts counts of from to counts of to, rounding down: a year is 146097/400 days.
func durationConverter(from, to Unit) converter {
	if from == to || from == Generic || to == Generic {
		return each(func(v int64) int64 { return v })
	}
	num, den := durationFactor(from, to)
	return each(func(v int64) int64 {
		if v == NaT {
			return v
		}
		return floorDiv(v*num, den)
	})
}

func durationFactor(from, to Unit) (num, den int64) {
	f, t := daysPer[from], daysPer[to]
	a, b := reduce(f[0], t[0])
	c, d := reduce(t[1], f[1])
	a, d = reduce(a, d)
	c, b = reduce(c, b)
	return a * c, b * d
}

func reduce(a, b int64) (int64, int64) {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x, b / x
}

// ParseDate reads numpy's ISO dates and gives a datetime64 scalar in the unit the text implies: "2020", "2020-03",
// "2020-03-05", "2020-03-05T10:30", "NaT".
func ParseDate(s string) (Column, error) {
	if s == "" || s == "NaT" || s == "nat" {
		return DateScalar(Generic, NaT), nil
	}
	p := dateParser{rest: s}
	v, unit, ok := p.parse()
	if !ok || p.rest != "" {
		return Column{}, valueError("Error parsing datetime string %s at position %d", reprText(s), len(s)-len(p.rest))
	}
	return DateScalar(unit, v), nil
}

type dateParser struct{ rest string }

// number takes exactly width digits.
func (p *dateParser) number(width int) (int64, bool) {
	if len(p.rest) < width {
		return 0, false
	}
	var v int64
	for i := range width {
		if !isDigit(p.rest[i]) {
			return 0, false
		}
		v = v*10 + int64(p.rest[i]-'0')
	}
	p.rest = p.rest[width:]
	return v, true
}

func (p *dateParser) take(chars string) bool {
	for i := range len(chars) {
		if p.rest != "" && p.rest[0] == chars[i] {
			p.rest = p.rest[1:]
			return true
		}
	}
	return false
}

func (p *dateParser) parse() (int64, Unit, bool) {
	negative := p.take("-")
	year, ok := p.number(4)
	if negative {
		year = -year
	}
	if !ok || p.rest == "" {
		return year - 1970, Year, ok
	}
	if !p.take("-") {
		return 0, 0, false
	}
	month, ok := p.number(2)
	if !ok || month < 1 || month > 12 {
		return 0, 0, false
	}
	if p.rest == "" {
		return (year-1970)*12 + month - 1, Month, true
	}
	if !p.take("-") {
		return 0, 0, false
	}
	day, ok := p.number(2)
	if !ok || day < 1 || int(day) > DaysIn(int(year), int(month)) {
		return 0, 0, false
	}
	days := DaysOf(int(year), int(month), int(day))
	if p.rest == "" {
		return days, Day, true
	}
	return p.clock(days)
}

// clock parses what follows the day: Thh[:mm[:ss[.fraction]]].
func (p *dateParser) clock(v int64) (int64, Unit, bool) {
	if !p.take("T ") {
		return 0, 0, false
	}
	unit := Day
	for _, limit := range []int64{24, 60, 60} {
		if unit > Day && !p.take(":") {
			return v, unit, true
		}
		x, ok := p.number(2)
		if !ok || x >= limit {
			return 0, 0, false
		}
		v = v*limit + x
		unit++
	}
	if !p.take(".") {
		return v, unit, true
	}
	for digits := 0; digits == 0 || p.rest != "" && digits < 9; digits++ {
		x, ok := p.number(1)
		if !ok {
			return 0, 0, false
		}
		if digits%3 == 0 {
			unit++
			v *= 1000
		}
		v += x * [...]int64{100, 10, 1}[digits%3]
	}
	return v, unit, true
}

// DaysIn returns the number of days of a month.
func DaysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
