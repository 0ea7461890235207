package pyeval

// This file defines the methods of bytes, and the encodings between bytes and str.

import (
	"encoding/hex"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

func strEncode(th *Thread, s string, args []Value, kws []Kw) Value {
	encoding, errors := "utf-8", "strict"
	th.Unpack("encode", args, kws, "encoding?", &encoding, "errors?", &errors)
	return th.encode(s, encoding)
}

// codecName reads the spellings of an encoding's name.
func codecName(name string) string {
	if name == "utf-8" {
		return name
	}
	switch n := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(name)); n {
	case "utf8", "utf-8", "u8":
		return "utf-8"
	case "utf-8-sig":
		return n
	case "latin-1", "latin1", "iso-8859-1", "l1":
		return "latin-1"
	case "cp1252", "windows-1252":
		return "cp1252"
	case "ascii", "us-ascii":
		return "ascii"
	default:
		return ""
	}
}

func (th *Thread) unknownCodec(name string) {
	th.Raise(exceptionsByName["LookupError"], "unknown encoding: %s", name)
}

func (th *Thread) encode(s, encoding string) Value {
	th.AllocText(len(s))
	switch codecName(encoding) {
	case "utf-8":
		return BytesValue(s)
	case "utf-8-sig":
		return BytesValue("\uFEFF" + s)
	case "ascii":
		if !isASCII(s) {
			th.Raise(UnicodeEncodeError, "'ascii' codec can't encode this text: ordinal not in range(128)")
		}
		return BytesValue(s)
	case "latin-1", "cp1252":
		out, err := charmapOf(encoding).NewEncoder().String(s)
		if err != nil {
			th.Raise(UnicodeEncodeError, "'%s' codec can't encode this text", encoding)
		}
		return BytesValue(out)
	}
	th.unknownCodec(encoding)
	return Value{}
}

func charmapOf(encoding string) *charmap.Charmap {
	if codecName(encoding) == "cp1252" {
		return charmap.Windows1252
	}
	return charmap.ISO8859_1
}

func (th *Thread) decode(b, encoding string) Value {
	th.AllocText(len(b))
	switch codecName(encoding) {
	case "utf-8", "utf-8-sig":
		if codecName(encoding) == "utf-8-sig" {
			b = strings.TrimPrefix(b, "\uFEFF")
		}
		if !th.prog.library.validText(b) {
			th.Raise(UnicodeDecodeError, "'utf-8' codec can't decode these bytes: invalid start or continuation byte")
		}
		return String(b)
	case "ascii":
		if !isASCII(b) {
			th.Raise(UnicodeDecodeError, "'ascii' codec can't decode these bytes: ordinal not in range(128)")
		}
		return String(b)
	case "latin-1", "cp1252":
		out, err := charmapOf(encoding).NewDecoder().String(b)
		if err != nil {
			th.Throw(err)
		}
		return String(out)
	}
	th.unknownCodec(encoding)
	return Value{}
}

// bytesTable are the methods of bytes.
func bytesTable() Table {
	m := func(name string, f func(th *Thread, b string, args []Value, kws []Kw) Value) Value {
		return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
			if len(args) == 0 {
				th.Raise(TypeError, "%s() needs a bytes object", name)
			}
			if c := args[0]; c.o == nil {
				return f(th, c.c.Text(0), args[1:], kws)
			}
			b, _ := Self[Bytes](th, name, args)
			th.Work(len(b))
			return f(th, string(b), args[1:], kws)
		})
	}
	affix := func(name string, has func(s, affix string) bool) Value {
		return m(name, func(th *Thread, b string, args []Value, _ []Kw) Value {
			x := th.OnlyArg(name, args)
			a, ok := x.o.(Bytes)
			if !ok {
				th.Raise(TypeError, "%s first arg must be bytes, not %s", name, TypeName(x))
			}
			return Bool(has(b, string(a)))
		})
	}
	return Table{
		"decode": m("decode", func(th *Thread, b string, args []Value, kws []Kw) Value {
			encoding, errors := "utf-8", "strict"
			th.Unpack("decode", args, kws, "encoding?", &encoding, "errors?", &errors)
			return th.decode(b, encoding)
		}),
		"endswith": affix("endswith", strings.HasSuffix),
		"hex":      m("hex", func(_ *Thread, b string, _ []Value, _ []Kw) Value { return String(hex.EncodeToString([]byte(b))) }),
		"join": m("join", func(th *Thread, b string, args []Value, _ []Kw) Value {
			joined, n := TextBuilder{th: th}, 0
			th.Each(th.OnlyArg("join", args), func(v Value) bool {
				th.step()
				p, ok := v.o.(Bytes)
				if !ok {
					th.Raise(TypeError, "sequence item %d: expected a bytes-like object, %s found", n, TypeName(v))
				}
				if n > 0 {
					joined.Add(b)
				}
				joined.Add(string(p))
				n++
				return true
			})
			return BytesValue(joined.String())
		}),
		"lower": m("lower", func(_ *Thread, b string, _ []Value, _ []Kw) Value { return BytesValue(strings.ToLower(b)) }),
		"split": m("split", func(th *Thread, b string, args []Value, kws []Kw) Value {
			sep := None
			th.Unpack("split", args, kws, "sep?", &sep)
			th.AllocMany(len(b)/2+1, PartBytes)
			parts := strings.Fields(b)
			if s, ok := sep.o.(Bytes); ok && s != "" {
				parts = strings.Split(b, string(s))
			}
			out := make([]Value, len(parts))
			for i, p := range parts {
				out[i] = BytesValue(p)
			}
			return Obj(NewList(out))
		}),
		"startswith": affix("startswith", strings.HasPrefix),
		"strip":      m("strip", func(_ *Thread, b string, _ []Value, _ []Kw) Value { return BytesValue(strings.TrimSpace(b)) }),
		"upper":      m("upper", func(_ *Thread, b string, _ []Value, _ []Kw) Value { return BytesValue(strings.ToUpper(b)) }),
	}
}
