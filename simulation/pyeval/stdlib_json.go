package pyeval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
)

// jsonTable is module json.
func jsonTable() Table {
	return Table{
		"JSONDecodeError": Obj(jsonDecodeError),
		"dumps": Func("dumps", func(th *Thread, args []Value, kws []Kw) Value {
			if len(args) == 0 {
				th.Raise(TypeError, "dumps() missing 1 required positional argument: 'obj'")
			}
			var b strings.Builder
			th.writeJSON(&b, args[0])
			return String(b.String())
		}),
		"load": Func("load", func(th *Thread, args []Value, _ []Kw) Value {
			read, _ := th.Attr(th.one("load", args[:min(1, len(args))]), "read")
			return th.loadJSON(th.call(read, nil, nil))
		}),
		"loads": Func("loads", func(th *Thread, args []Value, _ []Kw) Value {
			return th.loadJSON(th.one("loads", args[:min(1, len(args))]))
		}),
	}
}

var jsonDecodeError = NewExceptionClass("JSONDecodeError", "json", ValueError)

func (th *Thread) loadJSON(v Value) Value {
	text, ok := v.AsString()
	if b, isBytes := v.o.(Bytes); isBytes {
		text, ok = string(b), true
	}
	if !ok {
		th.Raise(TypeError, "the JSON object must be str or bytes, not %s", TypeName(v))
	}
	th.Alloc(8 * len(text))
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	out, err := th.jsonValue(d, 0)
	if err == nil {
		if _, end := d.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("extra data")
		}
	}
	if err != nil {
		th.Raise(jsonDecodeError, "%s: char %d", err.Error(), d.InputOffset())
	}
	return out
}

const maxJSONDepth = 1000

func (th *Thread) jsonValue(d *json.Decoder, depth int) (Value, error) {
	token, err := d.Token()
	if err != nil {
		return Value{}, err
	}
	if depth > maxJSONDepth {
		return Value{}, errors.New("nested too deeply")
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return th.jsonObject(d, depth)
		}
		return th.jsonArray(d, depth)
	case string:
		return String(t), nil
	case json.Number:
		if strings.ContainsAny(string(t), ".eE") {
			f, _ := strconv.ParseFloat(string(t), 64)
			return Float(f), nil
		}
		return th.parseInt(string(t), 10), nil
	case bool:
		return Bool(t), nil
	}
	return None, nil
}

func (th *Thread) jsonObject(d *json.Decoder, depth int) (Value, error) {
	out := NewDict()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return Value{}, err
		}
		v, err := th.jsonValue(d, depth+1)
		if err != nil {
			return Value{}, err
		}
		out.Set(String(key.(string)), v)
	}
	_, err := d.Token()
	return Obj(out), err
}

func (th *Thread) jsonArray(d *json.Decoder, depth int) (Value, error) {
	var items []Value
	for d.More() {
		v, err := th.jsonValue(d, depth+1)
		if err != nil {
			return Value{}, err
		}
		items = append(items, v)
	}
	_, err := d.Token()
	return Obj(NewList(items)), err
}

// writeJSON writes what json.dumps writes without options.
func (th *Thread) writeJSON(b *strings.Builder, v Value) {
	switch o := v.o.(type) {
	case *Dict:
		sep := "{"
		o.Items(func(k, v Value) bool {
			b.WriteString(sep)
			b.WriteString(quoteText(th.Str(k)))
			b.WriteString(": ")
			th.writeJSON(b, v)
			sep = ", "
			return true
		})
		if sep == "{" {
			b.WriteString(sep)
		}
		b.WriteByte('}')
		return
	case *List:
		th.writeJSONList(b, o.items)
		return
	case *Tuple:
		th.writeJSONList(b, o.items)
		return
	case Str:
		b.WriteString(quoteText(string(o)))
		return
	}
	switch {
	case v.IsNone():
		b.WriteString("null")
	case v.o == nil && v.isPy():
		b.WriteString(strings.ToLower(th.Repr(v)))
	default:
		th.Raise(TypeError, "Object of type %s is not JSON serializable", TypeName(v))
	}
}

func (th *Thread) writeJSONList(b *strings.Builder, items []Value) {
	b.WriteByte('[')
	for i, v := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		th.writeJSON(b, v)
	}
	b.WriteByte(']')
}

// quoteText writes a str as json.dumps does: everything beyond ASCII escaped.
func quoteText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
