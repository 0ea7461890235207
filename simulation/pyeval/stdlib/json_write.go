package stdlib

// This file defines json.dumps.

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// jsonWriter is json.dumps with its options.
type jsonWriter struct {
	th        *py.Thread
	unicode   bool // characters beyond ASCII are written as they are
	sorted    bool
	indent    string   // of one level; "" for one line
	item, key string   // separators
	fallback  py.Value // called with what JSON has no form for; None: an error
	depth     int
	held      []pair // members of the objects that are being written
}

// newJSONEncoder is class json.JSONEncoder, of which packages derive to give objects a form.
func newJSONEncoder() *py.Class {
	c := py.NewClass("JSONEncoder", py.Table{
		"default": py.Pure("default", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			th.Raise(py.TypeError, "Object of type %s is not JSON serializable", py.TypeName(args[len(args)-1]))
			return py.Value{}
		}),
		"encode": py.Pure("encode", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			var v py.Value
			th.Unpack("encode", args[1:], nil, "o", &v)
			fallback, _ := th.Attr(args[0], "default")
			w := &jsonWriter{th: th, item: ", ", key: ": ", fallback: fallback}
			return py.String(th.Written(func() { w.write(v) }))
		}),
	})
	c.Module = "json"
	return c
}

func jsonDumps(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var v py.Value
	indent, separators, class, fallback, ignored := py.None, py.None, py.None, py.None, py.None
	ascii, sorted := true, false
	th.Unpack("dumps", args, kws, "obj", &v, "skipkeys?", &ignored, "ensure_ascii?", &ascii, "check_circular?", &ignored, "allow_nan?", &ignored,
		"cls?", &class, "indent?", &indent, "separators?", &separators, "default?", &fallback, "sort_keys?", &sorted)
	w := &jsonWriter{th: th, unicode: !ascii, sorted: sorted, item: ", ", key: ": ", fallback: fallback}
	if !class.IsNone() {
		w.fallback, _ = th.Attr(th.Invoke(class), "default")
	}
	if !indent.IsNone() {
		text, ok := indent.AsString()
		if !ok {
			text = strings.Repeat(" ", int(min(max(th.ToIndex(indent, "indent"), 0), 100)))
		}
		w.indent, w.item = "\n"+text, ","
	}
	if !separators.IsNone() {
		pair := th.Collect(separators)
		if len(pair) != 2 {
			th.Raise(py.ValueError, "separators are two: that of items and that of keys")
		}
		w.item, w.key = th.MustString(pair[0], "separators"), th.MustString(pair[1], "separators")
	}
	return py.String(th.Written(func() { w.write(v) }))
}

func (w *jsonWriter) write(v py.Value) {
	w.th.Tick(1)
	switch o := v.Object().(type) {
	case *py.Dict:
		w.object(o)
		return
	case *py.List:
		w.list(o.Items())
		return
	case *py.Tuple:
		w.list(o.Items())
		return
	case py.Str:
		w.text(string(o))
		return
	}
	if v.Object() != nil {
		if whole, ok := py.AsBig(v); ok {
			w.th.Write(w.th.Decimal(whole))
			return
		}
	}
	switch {
	case v.IsNone():
		w.th.Write("null")
	case v.IsPy():
		w.th.Write(w.number(v))
	case w.fallback.IsNone():
		w.th.Raise(py.TypeError, "Object of type %s is not JSON serializable", py.TypeName(v))
	default:
		w.th.Nest(1)
		w.write(w.th.Invoke(w.fallback, v))
		w.th.Nest(-1)
	}
}

// infinities has the names of what JSON has no number for.
var infinities = strings.NewReplacer("nan", "NaN", "inf", "Infinity")

func (w *jsonWriter) number(v py.Value) string {
	text := w.th.Repr(v)
	if v.Raw().Type() == vector.Float64 && strings.Contains(text, "n") {
		text = infinities.Replace(text)
	} else if v.Raw().Type() == vector.Bool {
		text = strings.ToLower(text)
	}
	return text
}

// pair is a member of an object that is to be written.
type pair struct {
	key   string
	value py.Value
}

func (w *jsonWriter) object(d *py.Dict) {
	floor := len(w.held)
	w.held = slices.Grow(w.held, d.Len())
	d.Items(func(k, v py.Value) bool {
		w.held = append(w.held, pair{w.keyText(k), v})
		return true
	})
	members := w.held[floor:]
	if w.sorted {
		slices.SortStableFunc(members, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	}
	w.enclosed("{", len(members), "}", func(i int) {
		w.text(members[i].key)
		w.th.Write(w.key)
		w.write(members[i].value)
	})
	w.held = w.held[:floor]
}

func (w *jsonWriter) keyText(k py.Value) string {
	switch s, ok := k.AsString(); {
	case ok:
		return s
	case k.IsNone():
		return "null"
	case k.IsPy():
		return w.number(k)
	}
	w.th.Raise(py.TypeError, "keys must be str, int, float, bool or None, not %s", py.TypeName(k))
	return ""
}

func (w *jsonWriter) list(items []py.Value) {
	w.enclosed("[", len(items), "]", func(i int) { w.write(items[i]) })
}

// enclosed writes n items between brackets, each on a line of its own if there is an indent.
func (w *jsonWriter) enclosed(open string, n int, end string, item func(i int)) {
	w.th.Nest(1)
	w.th.Write(open)
	w.depth++
	for i := range n {
		if i > 0 {
			w.th.Write(w.item)
		}
		w.line()
		item(i)
	}
	w.depth--
	if n > 0 {
		w.line()
	}
	w.th.Write(end)
	w.th.Nest(-1)
}

func (w *jsonWriter) line() {
	if w.indent != "" {
		w.th.Write("\n")
		for range w.depth {
			w.th.Write(w.indent[1:])
		}
	}
}

// text writes a str: what stands between characters that need another form as it is.
func (w *jsonWriter) text(s string) {
	w.th.Work(len(s))
	w.th.Write(`"`)
	plain := 0 // where what is not written yet begins
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if form := w.form(r); form != "" {
			w.th.Write(s[plain:i])
			w.th.Write(form)
			plain = i + size
		}
		i += size
	}
	w.th.Write(s[plain:])
	w.th.Write(`"`)
}

// form is how a character is written, "" if as it is.
func (w *jsonWriter) form(r rune) string {
	switch {
	case r == '"':
		return `\"`
	case r == '\\':
		return `\\`
	case r == '\b':
		return `\b`
	case r == '\f':
		return `\f`
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r == utf8.RuneError && w.unicode:
		return string(r)
	case r >= ' ' && (r < 0x7f || w.unicode):
		return ""
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
