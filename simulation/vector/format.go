package vector

import (
	"math"
	"strconv"
	"strings"
)

// How Python and numpy print values. A float prints with the fewest digits that give its own type back: 0.1 is "0.1"
// as float32 and as float64.

// Format gives str() of element i: as Python prints its scalars, numpy its own.
func (c Column) Format(i int) string {
	c = c.Looked()
	switch c.typ {
	case Bool:
		if c.Bool(i) {
			return "True"
		}
		return "False"
	case Float32:
		return formatFloat(c.Float(i), 32)
	case Float64:
		return formatFloat(c.Float(i), 64)
	case Date:
		return formatDate(c.Int(i), c.unit)
	case Duration:
		return formatDuration(c.Int(i), c.unit)
	case Str, Enum:
		return c.Text(i)
	case Bytes:
		return "b" + reprBytes(c.Text(i))
	case Object:
		return formatObject(c.Object(i))
	}
	return strconv.FormatInt(c.Int(i), 10)
}

// Repr gives repr() of element i, as Python prints it inside a list.
func (c Column) Repr(i int) string {
	c = c.Looked()
	switch c.typ {
	case Str, Enum:
		return reprStr(c.Text(i))
	case Date:
		return "numpy.datetime64('" + formatDate(c.Int(i), c.unit) + "')"
	case Duration:
		if v := c.Int(i); v != NaT {
			return "numpy.timedelta64(" + strconv.FormatInt(v, 10) + ",'" + c.unit.String() + "')"
		}
		return "numpy.timedelta64('NaT','" + c.unit.String() + "')"
	}
	return c.Format(i)
}

// FormatFloat is Python's repr of a float.
func FormatFloat(f float64) string { return formatFloat(f, 64) }

func formatFloat(f float64, bits int) string {
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, bits)
	}
	s := strconv.FormatFloat(f, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

func formatDate(v int64, u Unit) string {
	if v == NaT {
		return "NaT"
	}
	y, m, d := CivilOf(convertDate(v, u, Day))
	year := pad(int64(y), 4)
	switch u {
	case Generic:
		return strconv.FormatInt(v, 10)
	case Year:
		return year
	case Month:
		return year + "-" + pad(int64(m), 2)
	}
	text := year + "-" + pad(int64(m), 2) + "-" + pad(int64(d), 2)
	if u <= Day {
		return text
	}
	return text + "T" + formatClock(intRemainder(v, perDay[u]), u)
}

// formatClock prints a count of u since midnight with the precision of u.
func formatClock(v int64, u Unit) string {
	perSecond := max(perDay[u]/86400, 1)
	seconds, fraction := v*86400/perDay[u], v%perSecond
	if perDay[u] > 86400 {
		seconds = v / perSecond
	}
	text := pad(seconds/3600, 2)
	if u >= Minute {
		text += ":" + pad(seconds/60%60, 2)
	}
	if u >= Second {
		text += ":" + pad(seconds%60, 2)
	}
	if u > Second {
		text += "." + pad(fraction, int(u-Second)*3)
	}
	return text
}

func pad(v int64, width int) string {
	s := strconv.FormatInt(v, 10)
	sign := ""
	if v < 0 {
		sign, s = "-", s[1:]
	}
	return sign + strings.Repeat("0", max(0, width-len(s))) + s
}

var durationNames = [...]string{"generic time units", "years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"}

func formatDuration(v int64, u Unit) string {
	if v == NaT {
		return "NaT"
	}
	return strconv.FormatInt(v, 10) + " " + durationNames[u]
}

func formatObject(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case interface{ String() string }:
		return v.String()
	case string:
		return v
	}
	return "object"
}

// reprStr quotes text as Python's repr does.
func reprStr(s string) string { return quote(s, strconv.IsPrint) }

func reprText(s string) string { return `"` + s + `"` }

func reprBytes(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return quote(string(runes), func(r rune) bool { return r >= ' ' && r < 0x7f })
}

func quote(s string, printable func(rune) bool) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	var b strings.Builder
	b.WriteByte(q)
	for _, r := range s {
		switch {
		case r == '\\' || r == rune(q):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case printable(r):
			b.WriteRune(r)
		case r < 0x100:
			b.WriteString(`\x` + hexOf(r, 2))
		case r < 0x10000:
			b.WriteString(`\u` + hexOf(r, 4))
		default:
			b.WriteString(`\U` + hexOf(r, 8))
		}
	}
	b.WriteByte(q)
	return b.String()
}

func hexOf(r rune, width int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", max(0, width-len(s))) + s
}

// String prints a scalar as str() does and an array as str(array) does, shortened beyond 1000 elements, on one line.
func (c Column) String() string {
	c = c.Looked()
	if c.form != Array {
		return c.Format(0)
	}
	return c.List(" ")
}

// List prints the elements of an array in brackets, padded as numpy does, with sep between them.
func (c Column) List(sep string) string {
	c = c.Looked()
	index := make([]int, 0, min(c.n, 1000))
	for i := range int(c.n) {
		if c.n <= 1000 || i < 3 || i >= int(c.n)-3 {
			index = append(index, i)
		}
	}
	cells := c.cells(index)
	if c.n > 1000 {
		cells = append(cells[:3:3], append([]string{"..."}, cells[3:]...)...)
	}
	return "[" + strings.Join(cells, sep) + "]"
}

// cells prints elements padded to one width as numpy does: floats with a common number of digits, at most 8.
func (c Column) cells(index []int) []string {
	cells := make([]string, len(index))
	for k, i := range index {
		switch {
		case c.typ.float():
			cells[k] = c.cell(i)
		case c.typ == Duration && c.Int(i) != NaT:
			cells[k] = strconv.FormatInt(c.Int(i), 10)
		case c.typ == Date:
			cells[k] = "'" + c.Format(i) + "'"
		default:
			cells[k] = c.Repr(i)
		}
	}
	if c.typ.float() {
		alignPoints(cells)
	}
	switch {
	case c.typ == Bool:
		padCells(cells, len("False"))
	case !c.typ.text() && c.typ != Object:
		padCells(cells, 0)
	}
	return cells
}

// cell prints a float with at most 8 digits behind the point.
func (c Column) cell(i int) string {
	s := strings.TrimSuffix(c.Format(i), "0")
	point := strings.IndexByte(s, '.')
	if point < 0 || strings.Contains(s, "e") || len(s)-point-1 <= 8 {
		return s
	}
	s = strconv.FormatFloat(c.Float(i), 'f', 8, 64)
	return strings.TrimRight(s, "0")
}

// alignPoints pads floats behind the point to one width.
func alignPoints(cells []string) {
	width := 0
	fraction := func(s string) int {
		if p := strings.IndexByte(s, '.'); p >= 0 && !strings.Contains(s, "e") {
			return len(s) - p - 1
		}
		return -1
	}
	for _, s := range cells {
		width = max(width, fraction(s))
	}
	for i, s := range cells {
		if f := fraction(s); f >= 0 {
			cells[i] = s + strings.Repeat(" ", width-f)
		}
	}
}

func padCells(cells []string, width int) {
	for _, s := range cells {
		width = max(width, len(s))
	}
	for i, s := range cells {
		cells[i] = strings.Repeat(" ", width-len(s)) + s
	}
}
