package pyeval

// This file defines text % values.

import "strings"

// percent is text % values.
func (th *Thread) percent(text string, values Value) string {
	b := TextBuilder{th: th}
	args := []Value{values}
	if values.o != nil && typeOf(values).IsSub(tupleType) {
		args = th.Collect(values)
	}
	next := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		th.step()
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
			f.spec.width = int(min(th.ToIndex(take(), "width"), maxSpecNumber+1))
			th.checkSpecNumber(f.spec.width)
		}
		var v Value
		if f.key != "" {
			v = th.Index(values, String(f.key))
			next = len(args)
		} else {
			v = take()
		}
		b.Add(f.format(th, v))
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
		return f.spec.number(th, th.ToInt(v))
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
		return f.spec.float(th, th.ToFloat(v))
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
