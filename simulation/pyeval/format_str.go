package pyeval

// This file defines str.format and its fields.

import (
	"strconv"
	"strings"
)

// strFormat is str.format.
func (th *Thread) strFormat(text string, args []Value, kws []Kw) string {
	b := TextBuilder{th: th}
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
		th.step()
		b.Add(th.formatField(text[i+1:end], &auto, args, kws))
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
	b := TextBuilder{th: th}
	for i := 0; i < len(spec); i++ {
		if spec[i] != '{' {
			b.WriteByte(spec[i])
			continue
		}
		end := strings.IndexByte(spec[i:], '}')
		if end < 0 {
			th.Raise(ValueError, "expected '}' before end of string")
		}
		b.Add(th.Str(th.formatValue(spec[i+1:i+end], auto, args, kws)))
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
			v, rest = th.GetAttr(v, rest[:end]), rest[end:]
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
		v, rest = th.Index(v, k), after
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
	th.RaiseKey(String(name))
	return Value{}
}
