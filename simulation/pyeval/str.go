package pyeval

// This file defines the methods of str.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// strMethod is a method of str; args are those after self.
type strMethod func(th *Thread, s string, args []Value, kws []Kw) Value

// strMethods are the methods of str.
var strMethods = map[string]strMethod{
	"capitalize": func(_ *Thread, s string, _ []Value, _ []Kw) Value {
		r, n := utf8.DecodeRuneInString(s)
		if n == 0 {
			return String("")
		}
		return String(strings.ToUpper(string(r)) + strings.ToLower(s[n:]))
	},
	"casefold": func(_ *Thread, s string, _ []Value, _ []Kw) Value {
		return String(strings.ReplaceAll(strings.ToLower(s), "ß", "ss"))
	},
	"center":     strPad("center", func(total, _ int) (int, int) { return total / 2, total - total/2 }),
	"count":      strCount,
	"encode":     strEncode,
	"endswith":   strAffix("endswith", strings.HasSuffix),
	"expandtabs": strExpandtabs,
	"find":       strFind("find", strings.Index, false),
	"format":     func(th *Thread, s string, args []Value, kws []Kw) Value { return String(th.strFormat(s, args, kws)) },
	"format_map": func(th *Thread, s string, args []Value, _ []Kw) Value {
		var kws []Kw
		th.toDict(th.OnlyArg("format_map", args)).each(func(k, v Value) { kws = append(kws, Kw{th.MustString(k, "key"), v}) })
		return String(th.strFormat(s, nil, kws))
	},
	"index":     strFind("index", strings.Index, true),
	"isalnum":   strAll(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }),
	"isalpha":   strAll(unicode.IsLetter),
	"isascii":   func(_ *Thread, s string, _ []Value, _ []Kw) Value { return Bool(isASCII(s)) },
	"isdecimal": strAll(unicode.IsDigit),
	"isdigit":   strAll(unicode.IsDigit),
	"isidentifier": func(_ *Thread, s string, _ []Value, _ []Kw) Value {
		first := strings.TrimLeftFunc(s, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
		r, _ := utf8.DecodeRuneInString(s)
		return Bool(s != "" && first == "" && !unicode.IsDigit(r))
	},
	"islower": func(_ *Thread, s string, _ []Value, _ []Kw) Value {
		return Bool(strings.ToLower(s) == s && strings.ToUpper(s) != s)
	},
	"isnumeric": strAll(unicode.IsNumber),
	"isspace":   strAll(unicode.IsSpace),
	"isprintable": func(_ *Thread, s string, _ []Value, _ []Kw) Value {
		return Bool(strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0)
	},
	"istitle": func(_ *Thread, s string, _ []Value, _ []Kw) Value { return Bool(isTitle(s)) },
	"isupper": func(_ *Thread, s string, _ []Value, _ []Kw) Value {
		return Bool(strings.ToUpper(s) == s && strings.ToLower(s) != s)
	},
	"join":      strJoin,
	"ljust":     strPad("ljust", func(total, _ int) (int, int) { return 0, total }),
	"lower":     func(_ *Thread, s string, _ []Value, _ []Kw) Value { return String(strings.ToLower(s)) },
	"lstrip":    strStrip("lstrip", strings.TrimLeft, func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }),
	"partition": strPartition("partition", strings.Index, false),
	"removeprefix": func(th *Thread, s string, args []Value, _ []Kw) Value {
		return String(strings.TrimPrefix(s, th.MustString(th.OnlyArg("removeprefix", args), "prefix")))
	},
	"removesuffix": func(th *Thread, s string, args []Value, _ []Kw) Value {
		return String(strings.TrimSuffix(s, th.MustString(th.OnlyArg("removesuffix", args), "suffix")))
	},
	"replace":    strReplace,
	"rfind":      strFind("rfind", strings.LastIndex, false),
	"rindex":     strFind("rindex", strings.LastIndex, true),
	"rjust":      strPad("rjust", func(total, _ int) (int, int) { return total, 0 }),
	"rpartition": strPartition("rpartition", strings.LastIndex, true),
	"rsplit":     strSplit("rsplit", true),
	"rstrip":     strStrip("rstrip", strings.TrimRight, func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }),
	"split":      strSplit("split", false),
	"splitlines": strSplitlines,
	"startswith": strAffix("startswith", strings.HasPrefix),
	"strip":      strStrip("strip", strings.Trim, strings.TrimSpace),
	"swapcase": func(_ *Thread, s string, _ []Value, _ []Kw) Value {
		return String(strings.ReplaceAll(strings.Map(func(r rune) rune {
			if unicode.IsUpper(r) {
				return unicode.ToLower(r)
			}
			return unicode.ToUpper(r)
		}, s), "ß", "SS"))
	},
	"title":     func(_ *Thread, s string, _ []Value, _ []Kw) Value { return String(title(s)) },
	"translate": strTranslate,
	"upper":     func(_ *Thread, s string, _ []Value, _ []Kw) Value { return String(upper(s)) },
	"zfill": func(th *Thread, s string, args []Value, _ []Kw) Value {
		n := int(th.ToIndex(th.OnlyArg("zfill", args), "zfill")) - utf8.RuneCountInString(s)
		sign := ""
		if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
			sign, s = s[:1], s[1:]
		}
		return String(sign + th.repeated("0", n) + s)
	},
}

func strTable() Table {
	t := Table{"maketrans": Obj(&staticMethod{Pure("maketrans", strMaketrans)})}
	for name, f := range strMethods {
		t[name] = Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
			if len(args) == 0 {
				th.Raise(TypeError, "unbound method str.%s() needs an argument", name)
			}
			s, ok := args[0].AsString()
			if !ok {
				th.Raise(TypeError, "descriptor '%s' for 'str' objects doesn't apply to a '%s' object", name, TypeName(args[0]))
			}
			th.Work(len(s))
			return f(th, s, args[1:], kws)
		})
	}
	return t
}

func strPad(name string, share func(total, n int) (left, right int)) strMethod {
	return func(th *Thread, s string, args []Value, kws []Kw) Value {
		var width int
		fill := " "
		th.Unpack(name, args, kws, "width", &width, "fillchar?", &fill)
		n := width - utf8.RuneCountInString(s)
		if n <= 0 {
			return String(s)
		}
		if utf8.RuneCountInString(fill) != 1 {
			th.Raise(TypeError, "The fill character must be exactly one character long")
		}
		left, right := share(n, width)
		th.AllocText(len(s))
		return String(th.repeated(fill, left) + s + th.repeated(fill, right))
	}
}

func strExpandtabs(th *Thread, s string, args []Value, kws []Kw) Value {
	size := 8
	th.Unpack("expandtabs", args, kws, "tabsize?", &size)
	b := TextBuilder{th: th}
	col := 0
	for _, r := range s {
		switch {
		case r == '\t' && size > 0:
			n := size - col%size
			b.Repeat(" ", n)
			col += n
		case r == '\t':
		case r == '\n' || r == '\r':
			b.WriteRune(r)
			col = 0
		default:
			b.WriteRune(r)
			col++
		}
	}
	return String(b.String())
}

// bounds cuts s by optional start and end, counted in characters, and returns where the cut begins.
func (th *Thread) bounds(s string, start, end Value) (cutText string, from int) {
	if start.IsNone() && end.IsNone() {
		return s, 0
	}
	n := utf8.RuneCountInString(s)
	lo, hi, _ := (&Slice{start, end, None}).indices(th, n)
	return s[offset(s, n, lo):offset(s, n, max(lo, hi))], lo
}

func strCount(th *Thread, s string, args []Value, kws []Kw) Value {
	var sub string
	start, end := None, None
	th.Unpack("count", args, kws, "sub", &sub, "start?", &start, "end?", &end)
	part, _ := th.bounds(s, start, end)
	return Int(int64(strings.Count(part, sub)))
}

func strFind(name string, find func(s, sub string) int, must bool) strMethod {
	return func(th *Thread, s string, args []Value, kws []Kw) Value {
		var sub string
		start, end := None, None
		th.Unpack(name, args, kws, "sub", &sub, "start?", &start, "end?", &end)
		part, from := th.bounds(s, start, end)
		i := find(part, sub)
		if i < 0 {
			if must {
				th.Raise(ValueError, "substring not found")
			}
			return Int(-1)
		}
		return Int(int64(utf8.RuneCountInString(part[:i]) + from))
	}
}

func strAffix(name string, has func(s, affix string) bool) strMethod {
	return func(th *Thread, s string, args []Value, kws []Kw) Value {
		if len(args) == 1 && len(kws) == 0 { // nearly always, and often
			if text, ok := args[0].AsString(); ok {
				return Bool(has(s, text))
			}
		}
		var affix Value
		start, end := None, None
		th.Unpack(name, args, kws, "affix", &affix, "start?", &start, "end?", &end)
		part, _ := th.bounds(s, start, end)
		if t, ok := affix.o.(*Tuple); ok {
			for _, a := range t.items {
				th.step()
				if has(part, th.MustString(a, name)) {
					return True
				}
			}
			return False
		}
		text, ok := affix.AsString()
		if !ok {
			th.Raise(TypeError, "%s first arg must be str or a tuple of str, not %s", name, TypeName(affix))
		}
		return Bool(has(part, text))
	}
}

func strAll(is func(rune) bool) strMethod {
	return func(_ *Thread, s string, _ []Value, _ []Kw) Value {
		for _, r := range s {
			if !is(r) {
				return False
			}
		}
		return Bool(s != "")
	}
}

func strJoin(th *Thread, s string, args []Value, _ []Kw) Value {
	b, n := TextBuilder{th: th}, 0
	th.Each(th.OnlyArg("join", args), func(v Value) bool {
		th.step()
		text, ok := v.AsString()
		if !ok {
			th.Raise(TypeError, "sequence item %d: expected str instance, %s found", n, TypeName(v))
		}
		if n > 0 {
			b.Add(s)
		}
		b.Add(text)
		n++
		return true
	})
	return String(b.String())
}

func strStrip(name string, of func(s, cutset string) string, space func(string) string) strMethod {
	return func(th *Thread, s string, args []Value, kws []Kw) Value {
		chars := None
		th.Unpack(name, args, kws, "chars?", &chars)
		if chars.IsNone() {
			return String(space(s))
		}
		return String(of(s, th.MustString(chars, name)))
	}
}

func strPartition(name string, find func(s, sep string) int, last bool) strMethod {
	return func(th *Thread, s string, args []Value, _ []Kw) Value {
		sep := th.MustString(th.OnlyArg(name, args), name)
		if sep == "" {
			th.Raise(ValueError, "empty separator")
		}
		i := find(s, sep)
		switch {
		case i >= 0:
			return NewTuple(StringValues([]string{s[:i], sep, s[i+len(sep):]}))
		case last:
			return NewTuple(StringValues([]string{"", "", s}))
		}
		return NewTuple(StringValues([]string{s, "", ""}))
	}
}

func strReplace(th *Thread, s string, args []Value, kws []Kw) Value {
	var from, to string
	n := -1
	th.Unpack("replace", args, kws, "old", &from, "new", &to, "count?", &n)
	if len(to) > len(from) {
		times := strings.Count(s, from)
		if n >= 0 {
			times = min(times, n)
		}
		th.AllocMany(times, len(to))
		th.AllocText(len(s) + times*(len(to)-len(from)))
	}
	return String(strings.Replace(s, from, to, n))
}

func strSplit(name string, fromRight bool) strMethod {
	return func(th *Thread, s string, args []Value, kws []Kw) Value {
		sep, n := None, -1
		th.Unpack(name, args, kws, "sep?", &sep, "maxsplit?", &n)
		if sep.IsNone() {
			th.AllocMany(len(s)/2+1, PartBytes)
			return Obj(NewList(StringValues(splitSpace(s, n, fromRight))))
		}
		by := th.MustString(sep, name)
		if by == "" {
			th.Raise(ValueError, "empty separator")
		}
		th.AllocMany(strings.Count(s, by)+1, PartBytes)
		if n < 0 {
			return Obj(NewList(StringValues(strings.Split(s, by))))
		}
		if !fromRight {
			return Obj(NewList(StringValues(strings.SplitN(s, by, n+1))))
		}
		parts := strings.Split(s, by)
		if keep := len(parts) - n; keep > 1 {
			parts = append([]string{strings.Join(parts[:keep], by)}, parts[keep:]...)
		}
		return Obj(NewList(StringValues(parts)))
	}
}

// PartBytes is what a part of a text that was split takes: as Go has it, and as an element of a list.
const PartBytes = 16 + 16 + ValueBytes

func splitSpace(s string, n int, fromRight bool) []string {
	parts := strings.Fields(s)
	if n < 0 || len(parts) <= n+1 {
		return parts
	}
	if fromRight {
		rest := s
		for range n {
			rest = strings.TrimRightFunc(rest, unicode.IsSpace)
			rest = strings.TrimRightFunc(rest, func(r rune) bool { return !unicode.IsSpace(r) })
		}
		return append([]string{strings.TrimSpace(rest)}, parts[len(parts)-n:]...)
	}
	rest := s
	for range n {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return !unicode.IsSpace(r) })
	}
	return append(parts[:n:n], strings.TrimLeftFunc(rest, unicode.IsSpace))
}

func strSplitlines(th *Thread, s string, args []Value, kws []Kw) Value {
	keep := false
	th.Unpack("splitlines", args, kws, "keepends?", &keep)
	var out []Value
	for s != "" {
		th.step()
		i := strings.IndexAny(s, "\n\r")
		if i < 0 {
			out = append(out, String(s))
			break
		}
		end := i + 1
		if s[i] == '\r' && end < len(s) && s[end] == '\n' {
			end++
		}
		if keep {
			out = Grown(th, out, String(s[:end]))
		} else {
			out = Grown(th, out, String(s[:i]))
		}
		s = s[end:]
	}
	return Obj(NewList(out))
}

func title(s string) string {
	inside := false
	return strings.Map(func(r rune) rune {
		was := inside
		inside = unicode.IsLetter(r)
		if !inside {
			return r
		}
		if was {
			return unicode.ToLower(r)
		}
		return unicode.ToTitle(r)
	}, s)
}

func strMaketrans(th *Thread, args []Value, kws []Kw) Value {
	var x, y, z Value
	y, z = None, None
	th.Unpack("maketrans", args, kws, "x", &x, "y?", &y, "z?", &z)
	d := NewDict()
	if y.IsNone() {
		th.toDict(x).each(func(k, v Value) {
			if s, ok := k.AsString(); ok {
				r, _ := utf8.DecodeRuneInString(s)
				k = Int(int64(r))
			}
			th.SetKey(d, k, v)
		})
		return Obj(d)
	}
	from, to := []rune(th.MustString(x, "maketrans")), []rune(th.MustString(y, "maketrans"))
	if len(from) != len(to) {
		th.Raise(ValueError, "the first two maketrans arguments must have equal length")
	}
	for i, r := range from {
		th.step()
		th.SetKey(d, Int(int64(r)), Int(int64(to[i])))
	}
	if s, ok := z.AsString(); ok {
		for _, r := range s {
			th.SetKey(d, Int(int64(r)), None)
		}
	}
	return Obj(d)
}

func strTranslate(th *Thread, s string, args []Value, _ []Kw) Value {
	d := th.toDict(th.OnlyArg("translate", args))
	b := TextBuilder{th: th}
	for _, r := range s {
		v, ok := d.get(key{kind: 'i', n: int64(r)})
		text, isText := v.AsString()
		n, isInt := v.AsInt()
		switch {
		case !ok:
			b.WriteRune(r)
		case isText:
			th.step()
			b.Add(text)
		case isInt:
			b.WriteRune(rune(n))
		}
	}
	return String(b.String())
}

// upper is the text in capital letters. Of the letters that have no capital of their own, as Unicode has it, this knows the one that laws are written with.
func upper(s string) string { return strings.ReplaceAll(strings.ToUpper(s), "ß", "SS") }

// isTitle reports whether words begin with a capital letter, and have no other.
func isTitle(s string) bool {
	words, within := false, false
	for _, r := range s {
		upper, lower := unicode.IsUpper(r) || unicode.IsTitle(r), unicode.IsLower(r)
		if upper && within || lower && !within {
			return false
		}
		within = upper || lower
		words = words || within
	}
	return words
}
