package pyeval

// This file defines format specifications, as f-strings, format() and str.format read them.

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Formatter is a host object with its own __format__.
type Formatter interface {
	Object
	Format(th *Thread, spec string) string
}

// Format is Python's format(v, spec).
func (th *Thread) Format(v Value, spec string) string {
	if f, ok := v.o.(Formatter); ok {
		return f.Format(th, spec)
	}
	if i, ok := v.o.(*Instance); ok {
		if f, ok := i.method("__format__"); ok {
			return th.MustString(th.InvokeKw(f, []Value{v, String(spec)}, nil), "__format__")
		}
	}
	if spec == "" {
		return th.Str(v)
	}
	if v.o == nil && v.c.IsArray() {
		th.Raise(TypeError, "unsupported format string passed to numpy.ndarray.__format__")
	}
	s := th.parseSpec(spec)
	if text, ok := v.AsString(); ok {
		return s.text(th, text)
	}
	if v.o == nil && v.c.Type().Number() {
		return s.number(th, v)
	}
	if _, ok := v.o.(*bigInt); ok {
		return s.number(th, v)
	}
	if v.o == nil {
		return s.text(th, th.Str(v))
	}
	th.Raise(TypeError, "unsupported format string passed to %s.__format__", TypeName(v))
	return ""
}

// formatSpec is [[fill]align][sign][z][#][0][width][grouping][.precision][type].
type formatSpec struct {
	fill      rune
	align     byte
	sign      byte
	alternate bool
	width     int
	grouping  byte
	precision int // -1 means none
	verb      byte
}

func (th *Thread) parseSpec(text string) formatSpec {
	s := formatSpec{fill: ' ', precision: -1}
	rest := text
	r, n := utf8.DecodeRuneInString(rest)
	if n > 0 && n < len(rest) && strings.IndexByte("<>=^", rest[n]) >= 0 {
		s.fill, s.align = r, rest[n]
		rest = rest[n+1:]
	} else if rest != "" && strings.IndexByte("<>=^", rest[0]) >= 0 {
		s.align, rest = rest[0], rest[1:]
	}
	if rest != "" && strings.IndexByte("+- ", rest[0]) >= 0 {
		s.sign, rest = rest[0], rest[1:]
	}
	if strings.HasPrefix(rest, "#") {
		s.alternate, rest = true, rest[1:]
	}
	if strings.HasPrefix(rest, "0") {
		if s.align == 0 {
			s.fill, s.align = '0', '='
		}
		rest = rest[1:]
	}
	s.width, rest = th.specNumber(rest, 0)
	if rest != "" && (rest[0] == ',' || rest[0] == '_') {
		s.grouping, rest = rest[0], rest[1:]
	}
	if strings.HasPrefix(rest, ".") {
		s.precision, rest = th.specNumber(rest[1:], -1)
		if s.precision < 0 {
			th.Raise(ValueError, "Format specifier missing precision")
		}
	}
	if len(rest) > 1 {
		th.Raise(ValueError, "Invalid format specifier '%s'", text)
	}
	if rest != "" {
		s.verb = rest[0]
	}
	return s
}

func (th *Thread) specNumber(text string, none int) (n int, rest string) {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	if i == 0 {
		return none, text
	}
	n, err := strconv.Atoi(text[:i])
	if err != nil {
		n = maxSpecNumber + 1
	}
	th.checkSpecNumber(n)
	return n, text[i:]
}

// maxSpecNumber bounds the width and the precision of a field.
const maxSpecNumber = 1 << 20

func (th *Thread) checkSpecNumber(n int) {
	if n > maxSpecNumber {
		th.Raise(ValueError, "Too many decimal digits in format string")
	}
	th.Work(n)
}

func (s formatSpec) text(th *Thread, text string) string {
	if s.verb != 0 && s.verb != 's' {
		th.Raise(ValueError, "Unknown format code '%c' for object of type 'str'", s.verb)
	}
	if s.precision >= 0 {
		if r := []rune(text); len(r) > s.precision {
			text = string(r[:s.precision])
		}
	}
	if s.align == 0 || s.align == '=' {
		s.align = '<'
	}
	return s.pad(th, "", text)
}

// pad fills to the width, between sign and digits for '='.
func (s formatSpec) pad(th *Thread, sign, body string) string {
	n := s.width - utf8.RuneCountInString(sign) - utf8.RuneCountInString(body)
	if n <= 0 {
		return sign + body
	}
	fill := func(n int) string { return th.repeated(string(s.fill), n) }
	switch s.align {
	case '<':
		return sign + body + fill(n)
	case '^':
		return fill(n/2) + sign + body + fill(n-n/2)
	case '=':
		return sign + fill(n) + body
	}
	return fill(n) + sign + body
}

func (s formatSpec) number(th *Thread, v Value) string {
	isFloat := v.o == nil && (v.c.Type() == vector.Float64 || v.c.Type() == vector.Float32)
	verb := s.verb
	if v.o == nil && v.c.Type() == vector.Bool && verb == 0 {
		return s.text(th, th.Str(v))
	}
	if isFloat || verb != 0 && strings.IndexByte("eEfFgG%", verb) >= 0 {
		return s.float(th, th.ToFloat(v))
	}
	z, ok := AsBig(th.ToInt(v))
	if !ok {
		th.Raise(ValueError, "cannot format this number")
	}
	return s.integer(th, z)
}

func (s formatSpec) integer(th *Thread, z *big.Int) string {
	sign := s.signOf(z.Sign() < 0)
	abs := new(big.Int).Abs(z)
	var digits, prefix string
	switch s.verb {
	case 0, 'd', 'n':
		digits = th.Decimal(abs)
	case 'b':
		digits, prefix = abs.Text(2), "0b"
	case 'o':
		digits, prefix = abs.Text(8), "0o"
	case 'x':
		digits, prefix = abs.Text(16), "0x"
	case 'X':
		digits, prefix = strings.ToUpper(abs.Text(16)), "0X"
	case 'c':
		return s.text(th, string(rune(abs.Int64())))
	default:
		th.Raise(ValueError, "Unknown format code '%c' for object of type 'int'", s.verb)
	}
	if s.alternate {
		sign += prefix
	}
	return s.padNumber(th, sign, digits, "")
}

func (s formatSpec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.sign == '+':
		return "+"
	case s.sign == ' ':
		return " "
	}
	return ""
}

func (s formatSpec) padNumber(th *Thread, sign, whole, rest string) string {
	if s.grouping != 0 {
		if s.fill == '0' && s.align == '=' {
			whole = zeroFilled(whole, s.width-len(sign)-len(rest))
		}
		whole = group(whole, s.grouping)
	}
	if s.align == 0 {
		s.align = '>'
	}
	return s.pad(th, sign, whole+rest)
}

// zeroFilled puts zeros before digits until they have the width with a separator between every three.
func zeroFilled(digits string, width int) string {
	n := max(len(digits), width*3/4-2)
	for n+(n-1)/3 < width {
		n++
	}
	return strings.Repeat("0", n-len(digits)) + digits
}

func group(digits string, sep byte) string {
	if len(digits) <= 3 {
		return digits
	}
	first := len(digits) % 3
	var parts []string
	if first > 0 {
		parts = append(parts, digits[:first])
	}
	for i := first; i < len(digits); i += 3 {
		parts = append(parts, digits[i:i+3])
	}
	return strings.Join(parts, string(rune(sep)))
}

func (s formatSpec) float(th *Thread, f float64) string {
	sign := s.signOf(math.Signbit(f) && !math.IsNaN(f))
	body := s.floatDigits(th, math.Abs(f))
	if s.verb == '%' {
		body += "%"
	}
	if s.verb == 'F' || s.verb == 'E' || s.verb == 'G' {
		body = strings.ToUpper(body)
	}
	i := 0
	for i < len(body) && body[i] >= '0' && body[i] <= '9' {
		i++
	}
	return s.padNumber(th, sign, body[:i], body[i:])
}

func (s formatSpec) floatDigits(th *Thread, f float64) string {
	if math.IsInf(f, 0) {
		return "inf"
	}
	if math.IsNaN(f) {
		return "nan"
	}
	p := s.precision
	switch s.verb {
	case 'f', 'F':
		return strconv.FormatFloat(f, 'f', or(p, 6), 64)
	case '%':
		return strconv.FormatFloat(f*100, 'f', or(p, 6), 64)
	case 'e', 'E':
		return strconv.FormatFloat(f, 'e', or(p, 6), 64)
	case 'g', 'G', 'n':
		return general(f, or(p, 6), s.alternate)
	case 0:
		if p < 0 {
			return pysyntax.FormatFloat(f)
		}
		text := general(f, p, false)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	}
	th.Raise(ValueError, "Unknown format code '%c' for object of type 'float'", s.verb)
	return ""
}

func or(p, fallback int) int {
	if p < 0 {
		return fallback
	}
	return p
}

// general is %g: significant digits, trailing zeros removed unless kept.
func general(f float64, digits int, keep bool) string {
	digits = max(digits, 1)
	exp := 0
	if f != 0 {
		e := strconv.FormatFloat(f, 'e', digits-1, 64)
		exp, _ = strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	}
	if exp < -4 || exp >= digits {
		text := strconv.FormatFloat(f, 'e', digits-1, 64)
		if keep {
			return text
		}
		mantissa, e, _ := strings.Cut(text, "e")
		return trimZeros(mantissa) + "e" + e
	}
	text := strconv.FormatFloat(f, 'f', max(digits-1-exp, 0), 64)
	if keep {
		return text
	}
	return trimZeros(text)
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}
