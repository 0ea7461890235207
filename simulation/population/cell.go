package population

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// kind is how a file holds a value.
type kind uint8

const (
	missing kind = iota
	text
	integer
	number
	truth
	day // counted from 1970
)

// cell is a value as the file holds it.
type cell struct {
	kind kind
	text []byte // borrowed
	int  int64
	num  float64
}

// String is the cell as a message shows it.
func (c cell) String() string {
	switch c.kind {
	case text:
		return quoted(c.text)
	case integer:
		return strconv.FormatInt(c.int, 10)
	case number:
		return vector.FormatFloat(c.num)
	case truth:
		return strconv.FormatBool(c.int != 0)
	case day:
		return vector.DateScalar(vector.Day, c.int).Format(0)
	}
	return "nothing"
}

// name is the cell as the id of somebody, in a form that lasts as long as the batch.
func (c cell) name() []byte {
	switch c.kind {
	case text:
		return c.text
	case integer:
		return strconv.AppendInt(nil, c.int, 10)
	case number:
		if c.num == math.Trunc(c.num) && math.Abs(c.num) < 1<<53 {
			return strconv.AppendInt(nil, int64(c.num), 10)
		}
		return strconv.AppendFloat(nil, c.num, 'g', -1, 64)
	case missing:
		return nil
	}
	return []byte(c.String())
}

// absent are the texts that stand for a missing number, date or choice in files that statistics programs write.
var absent = [][]byte{[]byte("NA"), []byte("NaN"), []byte("nan"), []byte("NULL"), []byte("null"), []byte("None"), []byte("NaT")}

// given reports whether a cell has a value. Text is taken as it is, so that only an empty cell lacks it.
func (c cell) given(t legislation.ValueType) bool {
	switch c.kind {
	case missing:
		return false
	case number:
		return !math.IsNaN(c.num)
	case text:
		return len(c.text) > 0 && (t == legislation.String || !slices.ContainsFunc(absent, func(a []byte) bool { return bytes.Equal(a, c.text) }))
	}
	return true
}

var (
	errNumber  = errors.New("a number is expected, such as 1250.5")
	errInteger = errors.New("a whole number is expected, such as 3")
	errBool    = errors.New("true or false is expected, or 1 or 0")
	errDate    = errors.New("a day is expected, such as 1985-03-02")
	errText    = errors.New("a text is expected")
	errRange   = errors.New("the number does not fit: whole numbers have 32 bits here; --profile 64 has larger ones")
)

func (c cell) float() (float64, error) {
	switch c.kind {
	case number:
		return c.num, nil
	case integer, truth:
		return float64(c.int), nil
	case text:
		if f, ok := plainNumber(c.text); ok {
			return f, nil
		}
		// Underscores and other bases are spellings of programs, not of files.
		if f, err := strconv.ParseFloat(string(bytes.TrimSpace(c.text)), 64); err == nil && !bytes.ContainsAny(c.text, "_xX") {
			return f, nil
		}
	}
	return 0, errNumber
}

// plainNumber reads digits with at most one point, as long as a float64 holds them exactly: what nearly all cells are.
func plainNumber(b []byte) (float64, bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	mantissa, decimals, point := int64(0), 0, false
	for _, d := range b {
		switch {
		case d >= '0' && d <= '9':
			mantissa = mantissa*10 + int64(d-'0')
			if point {
				decimals++
			}
		case d == '.' && !point && len(b) > 1:
			point = true
		default:
			return 0, false
		}
	}
	if mantissa >= 1<<53 {
		return 0, false
	}
	f := float64(mantissa)
	if negative {
		f = -f // of 0 too
	}
	return f / powersOfTen[decimals], true
}

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16}

func (c cell) integer() (int64, error) {
	f, err := c.float()
	switch {
	case c.kind == integer || c.kind == truth:
		return c.int, nil
	case err != nil || f != math.Trunc(f):
		return 0, errInteger
	case math.Abs(f) >= 1<<63:
		return 0, errRange
	}
	return int64(f), nil
}

func (c cell) narrow() (int32, error) {
	i, err := c.integer()
	if err == nil && int64(int32(i)) != i {
		err = errRange
	}
	return int32(i), err
}

func (c cell) truth() (bool, error) {
	if c.kind == text {
		switch string(bytes.ToLower(c.text)) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	f, err := c.float()
	if err != nil || f != 0 && f != 1 {
		return false, errBool
	}
	return f == 1, nil
}

// date reads a day; midnight may follow it, as programs write that know only moments.
func (c cell) date() (int64, error) {
	switch c.kind {
	case day:
		return c.int, nil
	case text:
		b := c.text
		if len(b) > 10 && (b[10] == ' ' || b[10] == 'T') && len(bytes.Trim(b[11:], "0:.Z")) == 0 {
			b = b[:10]
		}
		if len(b) != 10 || b[4] != '-' || b[7] != '-' {
			return 0, errDate
		}
		y, okY := digits(b[:4])
		m, okM := digits(b[5:7])
		d, okD := digits(b[8:])
		if at, err := period.NewInstant(y, m, d); err == nil && okY && okM && okD {
			return int64(at.Days()), nil
		}
	}
	return 0, errDate
}

func digits(b []byte) (n int, ok bool) {
	for _, d := range b {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = n*10 + int(d-'0')
	}
	return n, true
}

func (c cell) string() (string, error) {
	switch c.kind {
	case text:
		return string(c.text), nil
	case missing:
		return "", errText
	}
	return string(c.name()), nil
}

// member reads a value of an enumeration: its name, or its number.
func (c cell) member(e *legislation.Enum) (int16, error) {
	if c.kind == text {
		if i, ok := e.Index(string(c.text)); ok {
			return i, nil
		}
	}
	if i, err := c.integer(); err == nil && i >= 0 && i < int64(e.Len()) {
		return int16(i), nil
	}
	hint := ""
	if near := legislation.Nearest(string(c.text), slices.Values(e.Domain.Members)); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return 0, fmt.Errorf("a value of %s is expected%s (%s)", e.Domain.Name, hint, listed(e.Domain.Members))
}

// listed returns the first names of a list.
func listed(names []string) string {
	const most = 12
	out := ""
	for i, n := range names {
		if i == most {
			return fmt.Sprintf("%s and %d more", out, len(names)-most)
		}
		if i > 0 {
			out += ", "
		}
		out += n
	}
	return out
}
