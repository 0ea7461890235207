package stdlib

// This file defines json.dumps.

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// jsonWriter is json.dumps with its options.
type jsonWriter struct {
	th        *py.Thread
	b         py.TextBuilder
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
			w := &jsonWriter{th: th, b: py.NewTextBuilder(th), item: ", ", key: ": ", fallback: fallback}
			w.write(v)
			return py.String(w.b.String())
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
	w := &jsonWriter{th: th, b: py.NewTextBuilder(th), unicode: !ascii, sorted: sorted, item: ", ", key: ": ", fallback: fallback}
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
	w.write(v)
	return py.String(w.b.String())
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
			w.b.Add(w.th.Decimal(whole))
			return
		}
	}
	switch {
	case v.IsNone():
		w.b.WriteString("null")
	case v.IsPy():
		w.b.WriteString(w.number(v))
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
		w.b.Add(w.key)
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
	w.b.Add(open)
	w.depth++
	for i := range n {
		if i > 0 {
			w.b.Add(w.item)
		}
		w.line()
		item(i)
	}
	w.depth--
	if n > 0 {
		w.line()
	}
	w.b.Add(end)
	w.th.Nest(-1)
}

func (w *jsonWriter) line() {
	if w.indent != "" {
		w.b.Add("\n")
		w.b.Repeat(w.indent[1:], w.depth)
	}
}

// text writes a str.
func (w *jsonWriter) text(s string) {
	w.th.Work(len(s))
	w.b.Add("")
	w.th.Alloc(len(s))
	w.b.WriteByte('"')
	plain := 0
	for plain < len(s) && s[plain] >= ' ' && s[plain] < 0x7f && s[plain] != '"' && s[plain] != '\\' {
		plain++
	}
	w.b.WriteString(s[:plain])
	for _, r := range s[plain:] {
		switch {
		case r == '"' || r == '\\':
			w.b.WriteByte('\\')
			w.b.WriteRune(r)
		case r == '\n':
			w.b.WriteString(`\n`)
		case r == '\r':
			w.b.WriteString(`\r`)
		case r == '\t':
			w.b.WriteString(`\t`)
		case r >= ' ' && r < 0x7f || r > 0x7f && w.unicode:
			w.b.WriteRune(r)
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&w.b, `\u%04x`, u)
			}
		}
	}
	w.b.WriteByte('"')
}
