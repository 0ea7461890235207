package vector

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Cast is a.astype(d). Str and Bytes of width 0 become as wide as numpy makes them. The form of a is kept, except that
// a Python scalar becomes a numpy scalar. An Enum column casts as its int16 codes.
func (r *Rules) Cast(a Column, d DType) (Column, error) {
	if a.Taped() {
		if a.DType() == d && a.typ != Enum && a.IsArray() {
			return a, nil
		}
		return record(step{kind: castStep, dtype: d}, r, a)
	}
	if a.DType() == d && a.typ != Enum {
		return a.As(resultForm(a)), nil
	}
	switch {
	case d.eight():
		out, err := r.Cast(a, DType{Type: Int16})
		if err != nil {
			return Column{}, err
		}
		return eightBits(out, d.Unit), nil
	case a.typ == Object:
		return r.castObjects(a, d)
	case d.Type == Object:
		return r.castToObjects(a)
	case d.Type.text():
		return r.castToText(a, d)
	case d.Type == Enum:
		return Column{}, typeError("an enum column is made with its domain, not cast")
	case a.typ.text():
		return castText(a, d)
	case d.Type.time() && a.typ.time():
		return castTime(r.pool(), a, d)
	case d.Type.time():
		return castToTime(a, d)
	}
	return castInto(r.pool(), a, d.Type), nil
}

// castNumber casts numbers, dates, durations and enum codes to a number.
func castNumber(a Column, t Type) Column { return castInto(nil, a, t) }

// castInto is castNumber into storage of a pool.
func castInto(p *Pool, a Column, t Type) Column {
	switch t {
	case Bool:
		return castAs[bool](p, a, t)
	case Int16:
		return castAs[int16](p, a, t)
	case Int32:
		return castAs[int32](p, a, t)
	case Int64:
		return castAs[int64](p, a, t)
	case Float32:
		return castAs[float32](p, a, t)
	}
	return castAs[float64](p, a, t)
}

func castTo[T Element](a Column, t Type) Column { return castAs[T](nil, a, t) }

func castAs[T Element](p *Pool, a Column, t Type) Column {
	s := unaryShape(a)
	if s.constant {
		return constColumn(s, t, constAs[T](a))
	}
	out := lend[T](p, int(a.n))
	convert(out, a, 0)
	return finish(s, out)
}

// mapTexts builds text column d from a by element; a constant calls f once.
func mapTexts(a Column, d DType, f func(i int) (string, error)) (Column, error) {
	n := int(a.n)
	if a.constant {
		n = min(n, 1)
	}
	out := make([]string, n)
	for i := range out {
		s, err := f(i)
		if err != nil {
			return Column{}, err
		}
		out[i] = clipText(d, s)
	}
	if n == 0 {
		return Zeros(int(a.n), d).As(resultForm(a)), nil
	}
	c := texts(d, out)
	c.n, c.constant, c.form = a.n, a.constant, resultForm(a)
	return c, nil
}

// clipText cuts what exceeds the width of d, and trailing NULs, which numpy does not keep.
func clipText(d DType, s string) string {
	s = strings.TrimRight(s, "\x00")
	if d.Width == 0 || textWidth(d.Type, s) <= int(d.Width) {
		return s
	}
	if d.Type == Bytes {
		return s[:d.Width]
	}
	for i, k := 0, 0; i < len(s); k++ {
		if k == int(d.Width) {
			return s[:i]
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return s
}

func (r *Rules) castToText(a Column, d DType) (Column, error) {
	if d.Width == 0 {
		d.Width = asTextWidth(a.DType())
	}
	return mapTexts(a, d, func(i int) (string, error) {
		switch {
		case a.typ == Enum:
			return strconv.FormatInt(a.Int(i), 10), nil
		case a.typ == Bytes && d.Type == Str:
			return ascii(a.Text(i), "decode byte")
		case a.typ == Str && d.Type == Bytes:
			return ascii(a.Text(i), "encode character")
		case a.typ.text():
			return a.Text(i), nil
		}
		return a.Format(i), nil
	})
}

func ascii(s, verb string) (string, error) {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return "", valueError("'ascii' codec can't %s in position %d: ordinal not in range(128)", verb, i)
		}
	}
	return s, nil
}

// castText parses text to numbers and dates as Python's int() and float() and numpy's datetime64() do.
func castText(a Column, d DType) (Column, error) {
	switch d.Type {
	case Bool:
		return parseTexts(a, d, func(s string) (bool, error) {
			v, err := ParseInt(s)
			return v != 0, err
		})
	case Int16:
		return parseTexts(a, d, parseIntAs[int16])
	case Int32:
		return parseTexts(a, d, parseIntAs[int32])
	case Int64:
		return parseTexts(a, d, parseIntAs[int64])
	case Float32:
		return parseTexts(a, d, func(s string) (float32, error) {
			v, err := ParseFloat(s)
			return float32(v), err
		})
	case Float64:
		return parseTexts(a, d, ParseFloat)
	case Date:
		return castTextToDates(a, d)
	}
	return parseTexts(a, d, parseIntAs[int64])
}

func parseIntAs[T signed](s string) (T, error) {
	v, err := ParseInt(s)
	if err == nil && int64(T(v)) != v {
		return 0, &Error{OverflowError, "Python int too large to convert to C long"}
	}
	return T(v), err
}

func parseTexts[T Element](a Column, d DType, parse func(string) (T, error)) (Column, error) {
	n := int(a.n)
	if a.constant {
		n = min(n, 1)
	}
	out := make([]T, n)
	for i := range out {
		v, err := parse(a.Text(i))
		if err != nil {
			return Column{}, err
		}
		out[i] = v
	}
	return spreadRaw(a, d, out), nil
}

// spreadRaw makes a column shaped like a from its elements, or from the one element of a constant.
func spreadRaw[T Element](a Column, d DType, out []T) Column {
	c := raw(d.Type, d.Unit, out)
	c.form, c.n = resultForm(a), a.n
	if a.constant && a.n == 0 {
		c.constant = true
	}
	return c
}

// ParseInt reads an integer as Python's int(s) does.
func ParseInt(s string) (int64, error) {
	text := strings.TrimSpace(s)
	v, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	if err != nil || misplacedUnderscore(text) {
		return 0, valueError("invalid literal for int() with base 10: %s", reprStr(s))
	}
	return v, nil
}

// ParseFloat reads a float as Python's float(s) does.
func ParseFloat(s string) (float64, error) {
	text := strings.TrimSpace(s)
	bad := misplacedUnderscore(text) || strings.ContainsAny(text, "xXpP")
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil && !math.IsInf(v, 0) || bad {
		return 0, valueError("could not convert string to float: %s", reprStr(s))
	}
	return v, nil
}

// misplacedUnderscore reports an underscore that is not between two digits.
func misplacedUnderscore(s string) bool {
	for i := range len(s) {
		if s[i] == '_' && (i == 0 || i == len(s)-1 || !isDigit(s[i-1]) || !isDigit(s[i+1])) {
			return true
		}
	}
	return false
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
