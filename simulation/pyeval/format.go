package pyeval

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
			return th.mustString(th.call(f, []Value{v, String(spec)}, nil), "__format__")
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
	if err != nil || n > 1<<20 {
		th.Raise(ValueError, "Too many decimal digits in format string")
	}
	return n, text[i:]
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
	th.Alloc(n)
	fill := func(n int) string { return strings.Repeat(string(s.fill), n) }
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
		return s.float(th, th.toFloat(v))
	}
	z, ok := asBig(th.toInt(v))
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
		digits = abs.String()
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
			for len(sign)+len(group(whole, s.grouping))+len(rest) < s.width {
				whole = "0" + whole
			}
		}
		whole = group(whole, s.grouping)
	}
	if s.align == 0 {
		s.align = '>'
	}
	return s.pad(th, sign, whole+rest)
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

// strFormat is str.format.
func (th *Thread) strFormat(text string, args []Value, kws []Kw) string {
	var b strings.Builder
	auto := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (c == '{' || c == '}') && i+1 < len(text) && text[i+1] == c {
			b.WriteByte(c)
			i++
			continue
		}
		if c == '}' {
			th.Raise(ValueError, "Single '}' encountered in format string")
		}
		if c != '{' {
			b.WriteByte(c)
			continue
		}
		end := closing(text, i)
		if end < 0 {
			th.Raise(ValueError, "Single '{' encountered in format string")
		}
		b.WriteString(th.formatField(text[i+1:end], &auto, args, kws))
		i = end
	}
	return b.String()
}

func closing(text string, from int) int {
	depth := 0
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (th *Thread) formatField(field string, auto *int, args []Value, kws []Kw) string {
	name, spec, _ := strings.Cut(field, ":")
	conversion := ""
	if i := strings.IndexByte(name, '!'); i >= 0 {
		name, conversion = name[:i], name[i+1:]
	}
	v := th.formatValue(name, auto, args, kws)
	switch conversion {
	case "r":
		v = String(th.Repr(v))
	case "s":
		v = String(th.Str(v))
	case "a":
		v = String(ascii(th.Repr(v)))
	}
	if strings.Contains(spec, "{") {
		spec = th.strFormatNested(spec, auto, args, kws)
	}
	return th.Format(v, spec)
}

func (th *Thread) strFormatNested(spec string, auto *int, args []Value, kws []Kw) string {
	var b strings.Builder
	for i := 0; i < len(spec); i++ {
		if spec[i] != '{' {
			b.WriteByte(spec[i])
			continue
		}
		end := strings.IndexByte(spec[i:], '}')
		if end < 0 {
			th.Raise(ValueError, "expected '}' before end of string")
		}
		b.WriteString(th.Str(th.formatValue(spec[i+1:i+end], auto, args, kws)))
		i += end
	}
	return b.String()
}

// formatValue resolves a field name: number or keyword, then .attribute and [key].
func (th *Thread) formatValue(name string, auto *int, args []Value, kws []Kw) Value {
	end := strings.IndexAny(name, ".[")
	first, rest := name, ""
	if end >= 0 {
		first, rest = name[:end], name[end:]
	}
	v := th.formatArg(first, auto, args, kws)
	for rest != "" {
		if rest[0] == '.' {
			rest = rest[1:]
			end = strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			v, rest = th.attr(v, rest[:end]), rest[end:]
			continue
		}
		key, after, ok := strings.Cut(rest[1:], "]")
		if !ok {
			th.Raise(ValueError, "expected '}' before end of string")
		}
		k := String(key)
		if n, err := strconv.Atoi(key); err == nil {
			k = Int(int64(n))
		}
		v, rest = th.index(v, k), after
	}
	return v
}

func (th *Thread) formatArg(name string, auto *int, args []Value, kws []Kw) Value {
	if name == "" {
		name = strconv.Itoa(*auto)
		*auto++
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n < 0 || n >= len(args) {
			th.Raise(IndexError, "Replacement index %d out of range for positional args tuple", n)
		}
		return args[n]
	}
	for _, kw := range kws {
		if kw.Name == name {
			return kw.Value
		}
	}
	th.keyError(String(name), nil)
	return Value{}
}

// percent is text % values.
func (th *Thread) percent(text string, values Value) string {
	var b strings.Builder
	args := []Value{values}
	if t, ok := values.o.(*Tuple); ok {
		args = t.items
	}
	next := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		f := th.percentField(text, i+1)
		i = f.end
		if f.verb == '%' {
			b.WriteByte('%')
			continue
		}
		take := func() Value {
			if next >= len(args) {
				th.Raise(TypeError, "not enough arguments for format string")
			}
			next++
			return args[next-1]
		}
		if f.starWidth {
			f.spec.width = int(th.indexOf(take(), "width"))
		}
		var v Value
		if f.key != "" {
			v = th.index(values, String(f.key))
			next = len(args)
		} else {
			v = take()
		}
		b.WriteString(f.format(th, v))
	}
	if _, isDict := values.o.(*Dict); next < len(args) && !isDict {
		th.Raise(TypeError, "not all arguments converted during string formatting")
	}
	return b.String()
}

type percentField struct {
	key       string
	spec      formatSpec
	starWidth bool
	verb      byte
	end       int
}

func (th *Thread) percentField(text string, i int) percentField {
	f := percentField{spec: formatSpec{fill: ' ', precision: -1, align: '>'}}
	if i < len(text) && text[i] == '(' {
		end := strings.IndexByte(text[i:], ')')
		if end < 0 {
			th.Raise(ValueError, "incomplete format key")
		}
		f.key = text[i+1 : i+end]
		i += end + 1
	}
	for ; i < len(text) && strings.IndexByte("-+ #0", text[i]) >= 0; i++ {
		switch text[i] {
		case '-':
			f.spec.align, f.spec.fill = '<', ' '
		case '0':
			if f.spec.align != '<' {
				f.spec.align, f.spec.fill = '=', '0'
			}
		case '#':
			f.spec.alternate = true
		default:
			f.spec.sign = text[i]
		}
	}
	rest := text[min(i, len(text)):]
	if strings.HasPrefix(rest, "*") {
		f.starWidth, rest = true, rest[1:]
	} else {
		f.spec.width, rest = th.specNumber(rest, 0)
	}
	if strings.HasPrefix(rest, ".") {
		f.spec.precision, rest = th.specNumber(rest[1:], 0)
	}
	rest = strings.TrimLeft(rest, "hlL")
	if rest == "" {
		th.Raise(ValueError, "incomplete format")
	}
	f.verb = rest[0]
	f.end = len(text) - len(rest)
	return f
}

func (f percentField) format(th *Thread, v Value) string {
	switch f.verb {
	case 's':
		return f.spec.padText(th, th.Str(v))
	case 'r':
		return f.spec.padText(th, th.Repr(v))
	case 'a':
		return f.spec.padText(th, ascii(th.Repr(v)))
	case 'd', 'i', 'u':
		if _, ok := v.AsFloat(); !ok {
			th.Raise(TypeError, "%%%c format: a real number is required, not %s", f.verb, TypeName(v))
		}
		f.spec.verb = 'd'
		return f.spec.number(th, th.toInt(v))
	case 'x', 'X', 'o', 'c':
		f.spec.verb = f.verb
		if s, ok := v.AsString(); ok && f.verb == 'c' {
			return f.spec.padText(th, s)
		}
		return f.spec.number(th, v)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if _, ok := v.AsFloat(); !ok {
			th.Raise(TypeError, "must be real number, not %s", TypeName(v))
		}
		f.spec.verb = f.verb
		return f.spec.float(th, th.toFloat(v))
	}
	th.Raise(ValueError, "unsupported format character '%c' (0x%x)", f.verb, f.verb)
	return ""
}

func (s formatSpec) padText(th *Thread, text string) string {
	s.fill = ' '
	if s.align == '=' {
		s.align = '>'
	}
	if s.precision >= 0 {
		if r := []rune(text); len(r) > s.precision {
			text = string(r[:s.precision])
		}
	}
	return s.pad(th, "", text)
}
