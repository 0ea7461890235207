package pyeval

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"edict/simulation/vector"
)

// jsonWriter is json.dumps with its options.
type jsonWriter struct {
	th        *Thread
	b         textBuilder
	unicode   bool // characters beyond ASCII are written as they are
	sorted    bool
	indent    string // of one level; "" for one line
	item, key string // separators
	fallback  Value  // called with what JSON has no form for; None: an error
	depth     int
}

// newJSONEncoder is class json.JSONEncoder, of which packages derive to give objects a form.
func newJSONEncoder() *Class {
	c := NewClass("JSONEncoder", Table{
		"default": Pure("default", func(th *Thread, args []Value, _ []Kw) Value {
			th.Raise(TypeError, "Object of type %s is not JSON serializable", TypeName(args[len(args)-1]))
			return Value{}
		}),
		"encode": Pure("encode", func(th *Thread, args []Value, _ []Kw) Value {
			var v Value
			th.Unpack("encode", args[1:], nil, "o", &v)
			fallback, _ := th.Attr(args[0], "default")
			w := &jsonWriter{th: th, b: textBuilder{th: th}, item: ", ", key: ": ", fallback: fallback}
			w.write(v)
			return String(w.b.String())
		}),
	})
	c.Module = "json"
	return c
}

func jsonDumps(th *Thread, args []Value, kws []Kw) Value {
	var v Value
	indent, separators, class, fallback, ignored := None, None, None, None, None
	ascii, sorted := true, false
	th.Unpack("dumps", args, kws, "obj", &v, "skipkeys?", &ignored, "ensure_ascii?", &ascii, "check_circular?", &ignored, "allow_nan?", &ignored,
		"cls?", &class, "indent?", &indent, "separators?", &separators, "default?", &fallback, "sort_keys?", &sorted)
	w := &jsonWriter{th: th, b: textBuilder{th: th}, unicode: !ascii, sorted: sorted, item: ", ", key: ": ", fallback: fallback}
	if !class.IsNone() {
		w.fallback, _ = th.Attr(th.Invoke(class), "default")
	}
	if !indent.IsNone() {
		text, ok := indent.AsString()
		if !ok {
			text = strings.Repeat(" ", int(min(max(th.indexOf(indent, "indent"), 0), 100)))
		}
		w.indent, w.item = "\n"+text, ","
	}
	if !separators.IsNone() {
		pair := th.Collect(separators)
		if len(pair) != 2 {
			th.Raise(ValueError, "separators are two: that of items and that of keys")
		}
		w.item, w.key = th.mustString(pair[0], "separators"), th.mustString(pair[1], "separators")
	}
	w.write(v)
	return String(w.b.String())
}

func (w *jsonWriter) write(v Value) {
	w.th.step()
	switch o := v.o.(type) {
	case *Dict:
		w.object(o)
		return
	case *List:
		w.list(o.items)
		return
	case *Tuple:
		w.list(o.items)
		return
	case Str:
		w.text(string(o))
		return
	case *bigInt:
		w.b.add(w.th.decimal(o.big()))
		return
	}
	switch {
	case v.IsNone():
		w.b.WriteString("null")
	case v.isPy():
		w.b.WriteString(w.number(v))
	case w.fallback.IsNone():
		w.th.Raise(TypeError, "Object of type %s is not JSON serializable", TypeName(v))
	default:
		w.th.nest(1)
		w.write(w.th.Invoke(w.fallback, v))
		w.th.nest(-1)
	}
}

func (w *jsonWriter) number(v Value) string {
	text := w.th.Repr(v)
	if v.c.Type() == vector.Float64 {
		text = strings.NewReplacer("nan", "NaN", "inf", "Infinity").Replace(text)
	} else if v.c.Type() == vector.Bool {
		text = strings.ToLower(text)
	}
	return text
}

// pair is a member of an object that is to be written.
type pair struct {
	key   string
	value Value
}

func (w *jsonWriter) object(d *Dict) {
	var members []pair
	d.Items(func(k, v Value) bool {
		members = append(members, pair{w.keyText(k), v})
		return true
	})
	if w.sorted {
		slices.SortStableFunc(members, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	}
	w.enclosed("{", len(members), "}", func(i int) {
		w.text(members[i].key)
		w.b.add(w.key)
		w.write(members[i].value)
	})
}

func (w *jsonWriter) keyText(k Value) string {
	switch s, ok := k.AsString(); {
	case ok:
		return s
	case k.IsNone():
		return "null"
	case k.isPy():
		return w.number(k)
	}
	w.th.Raise(TypeError, "keys must be str, int, float, bool or None, not %s", TypeName(k))
	return ""
}

func (w *jsonWriter) list(items []Value) {
	w.enclosed("[", len(items), "]", func(i int) { w.write(items[i]) })
}

// enclosed writes n items between brackets, each on a line of its own if there is an indent.
func (w *jsonWriter) enclosed(open string, n int, end string, item func(i int)) {
	w.th.nest(1)
	w.b.add(open)
	w.depth++
	for i := range n {
		if i > 0 {
			w.b.add(w.item)
		}
		w.line()
		item(i)
	}
	w.depth--
	if n > 0 {
		w.line()
	}
	w.b.add(end)
	w.th.nest(-1)
}

func (w *jsonWriter) line() {
	if w.indent != "" {
		w.b.add("\n")
		w.b.repeat(w.indent[1:], w.depth)
	}
}

// text writes a str.
func (w *jsonWriter) text(s string) {
	w.th.work(len(s))
	w.b.add("")
	w.th.Alloc(len(s))
	w.b.WriteByte('"')
	for _, r := range s {
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
