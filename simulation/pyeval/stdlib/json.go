package stdlib

// This file defines module json, and reads JSON as Python does: NaN and the infinities are numbers, and errors say what was expected, and where.

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	py "edict/simulation/pyeval"
)

// jsonTable is module json.
func jsonTable() py.Table {
	return py.Table{
		"JSONDecodeError": py.Obj(jsonDecodeError),
		"JSONEncoder":     py.Obj(newJSONEncoder()),
		"dumps":           py.Pure("dumps", jsonDumps),
		"load": py.Pure("load", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			file, r := jsonArguments(th, "load", args, kws)
			read, _ := th.Attr(file, "read")
			return r.read(th.InvokeKw(read, nil, nil))
		}),
		"loads": py.Pure("loads", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			text, r := jsonArguments(th, "loads", args, kws)
			return r.read(text)
		}),
	}
}

var jsonDecodeError = py.NewExceptionClass("JSONDecodeError", "json", py.ValueError)

// jsonArguments are those of load and loads: what is read, and a reader with the functions that make values.
func jsonArguments(th *py.Thread, fn string, args []py.Value, kws []py.Kw) (source py.Value, r *jsonReader) {
	r = &jsonReader{th: th, keys: map[string]py.Value{}, ofDict: py.None, ofPairs: py.None, ofFloat: py.None, ofInt: py.None, ofConstant: py.None}
	th.Unpack(fn, args, kws, "s", &source, "*object_hook?", &r.ofDict, "*object_pairs_hook?", &r.ofPairs, "*parse_float?", &r.ofFloat, "*parse_int?", &r.ofInt, "*parse_constant?", &r.ofConstant)
	return source, r
}

func (r *jsonReader) read(v py.Value) py.Value {
	th := r.th
	text, ok := v.AsString()
	if b, isBytes := v.Object().(py.Bytes); isBytes {
		text, ok = string(b), true
	}
	if !ok {
		th.Raise(py.TypeError, "the JSON object must be str or bytes, not %s", py.TypeName(v))
	}
	th.AllocText(len(text))
	r.text = text
	out := r.value(0)
	if r.space(); r.at < len(text) {
		r.fail("Extra data", r.at)
	}
	return out
}

const maxJSONDepth = 1000

type jsonReader struct {
	th   *py.Thread
	text string
	at   int
	keys map[string]py.Value // names of members: most occur again and again
	held []jsonMember        // of the objects that are open

	// What makes objects (of their members as a dict, or as pairs) and numbers; None for Python's own.
	ofDict, ofPairs, ofFloat, ofInt, ofConstant py.Value
}

// made gives a value to the function that is there for its kind.
func (r *jsonReader) made(by, v py.Value) py.Value { return r.th.InvokeKw(by, []py.Value{v}, nil) }

type jsonMember struct{ key, value py.Value }

func (r *jsonReader) fail(what string, at int) {
	before := r.text[:at]
	line := 1 + strings.Count(before, "\n")
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	r.th.Raise(jsonDecodeError, "%s: line %d column %d (char %d)", what, line, column, utf8.RuneCountInString(before))
}

// space skips white space and gives the next byte, 0 at the end.
func (r *jsonReader) space() byte {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return c
		}
	}
	return 0
}

func (r *jsonReader) value(depth int) py.Value {
	r.th.Tick(1)
	if depth > maxJSONDepth {
		r.fail("nested too deeply", r.at)
	}
	switch c := r.space(); {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth)
	case c == '"':
		return py.String(strings.Clone(r.str()))
	case c == '-' && !strings.HasPrefix(r.text[r.at:], "-I") || '0' <= c && c <= '9':
		return r.number()
	}
	for _, w := range jsonWords {
		if strings.HasPrefix(r.text[r.at:], w.word) {
			r.at += len(w.word)
			if w.constant && !r.ofConstant.IsNone() {
				return r.made(r.ofConstant, py.String(w.word))
			}
			return w.value
		}
	}
	r.fail("Expecting value", r.at)
	return py.Value{}
}

var jsonWords = []struct {
	word     string
	value    py.Value
	constant bool
}{
	{"null", py.None, false}, {"true", py.True, false}, {"false", py.False, false},
	{"NaN", py.Float(math.NaN()), true}, {"Infinity", py.Float(math.Inf(1)), true}, {"-Infinity", py.Float(math.Inf(-1)), true},
}

func (r *jsonReader) digits() (n int) {
	for r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9' {
		r.at++
		n++
	}
	return n
}

func (r *jsonReader) number() py.Value {
	start := r.at
	if r.text[r.at] == '-' {
		r.at++
	}
	if r.at < len(r.text) && r.text[r.at] == '0' {
		r.at++ // nothing follows a leading zero
	} else if r.digits() == 0 {
		r.fail("Expecting value", start)
	}
	whole := r.at
	if r.at < len(r.text) && r.text[r.at] == '.' {
		if r.at++; r.digits() == 0 {
			r.at = whole
		}
	}
	fraction := r.at
	if r.at < len(r.text) && (r.text[r.at] == 'e' || r.text[r.at] == 'E') {
		if r.at++; r.at < len(r.text) && (r.text[r.at] == '+' || r.text[r.at] == '-') {
			r.at++
		}
		if r.digits() == 0 {
			r.at = fraction
		}
	}
	switch {
	case r.at == whole && !r.ofInt.IsNone():
		return r.made(r.ofInt, py.String(strings.Clone(r.text[start:whole])))
	case r.at > whole && !r.ofFloat.IsNone():
		return r.made(r.ofFloat, py.String(strings.Clone(r.text[start:r.at])))
	case r.at == whole:
		return r.th.ParseInt(r.text[start:whole], 10)
	}
	f, _ := strconv.ParseFloat(r.text[start:r.at], 64) // beyond all floats it is infinite
	return py.Float(f)
}

// str reads a string; without escapes it is a part of the text.
func (r *jsonReader) str() string {
	start := r.at
	r.at++
	for i := r.at; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == '"':
			s := r.text[r.at:i]
			r.at = i + 1
			return s
		case c == '\\':
			return r.escaped(start, i)
		case c < ' ':
			r.fail("Invalid control character at", i)
		}
	}
	r.fail("Unterminated string starting at", start)
	return ""
}

// escaped reads on from the first escape of a string.
func (r *jsonReader) escaped(start, i int) string {
	out := []byte(r.text[start+1 : i])
	for i < len(r.text) {
		switch c := r.text[i]; {
		case c == '"':
			r.at = i + 1
			return string(out)
		case c < ' ':
			r.fail("Invalid control character at", i)
		case c == '\\':
			out, i = r.escape(start, i, out)
		default:
			out = append(out, c)
			i++
		}
	}
	r.fail("Unterminated string starting at", start)
	return ""
}

// escape reads the escape at i; the second value is where it ends.
func (r *jsonReader) escape(start, i int, out []byte) ([]byte, int) {
	if i+1 == len(r.text) {
		r.fail("Unterminated string starting at", start)
	}
	c := r.text[i+1]
	if c != 'u' {
		at := strings.IndexByte(`"\/bfnrt`, c)
		if at < 0 {
			r.fail("Invalid \\escape", i)
		}
		return append(out, "\"\\/\b\f\n\r\t"[at]), i + 2
	}
	first, end := r.unit(i), i+6
	if utf16.IsSurrogate(first) && strings.HasPrefix(r.text[end:], `\u`) {
		if both := utf16.DecodeRune(first, r.unit(end)); both != utf8.RuneError {
			first, end = both, end+6
		}
	}
	return utf8.AppendRune(out, first), end
}

// unit is the number of \uXXXX.
func (r *jsonReader) unit(i int) rune {
	digits := r.text[i+2 : min(i+6, len(r.text))]
	n, err := strconv.ParseUint(digits, 16, 16)
	if err != nil || len(digits) != 4 {
		r.fail("Invalid \\uXXXX escape", i+1)
	}
	return rune(n)
}

func (r *jsonReader) key() py.Value {
	text := r.str()
	if known, ok := r.keys[text]; ok {
		return known
	}
	text = strings.Clone(text)
	v := py.String(text)
	r.keys[text] = v
	return v
}

func (r *jsonReader) object(depth int) py.Value {
	floor := len(r.held)
	r.at++
	if r.space() != '}' {
		for {
			if r.space() != '"' {
				r.fail("Expecting property name enclosed in double quotes", r.at)
			}
			k := r.key()
			if r.space() != ':' {
				r.fail("Expecting ':' delimiter", r.at)
			}
			r.at++
			r.held = append(r.held, jsonMember{k, r.value(depth + 1)})
			if c := r.space(); c == '}' {
				break
			} else if c != ',' {
				r.fail("Expecting ',' delimiter", r.at)
			}
			r.at++
		}
	}
	r.at++
	members := r.held[floor:]
	r.held = r.held[:floor] // what makes values reads nothing itself
	if !r.ofPairs.IsNone() {
		pairs := make([]py.Value, len(members))
		for i, m := range members {
			pairs[i] = py.NewTuple([]py.Value{m.key, m.value})
		}
		return r.made(r.ofPairs, py.Obj(py.NewList(pairs)))
	}
	out := py.NewDictFor(len(members))
	for _, m := range members {
		r.th.SetKey(out, m.key, m.value)
	}
	if !r.ofDict.IsNone() {
		return r.made(r.ofDict, py.Obj(out))
	}
	return py.Obj(out)
}

func (r *jsonReader) array(depth int) py.Value {
	var items []py.Value
	r.at++
	if r.space() != ']' {
		for {
			items = py.Grown(r.th, items, r.value(depth+1))
			if c := r.space(); c == ']' {
				break
			} else if c != ',' {
				r.fail("Expecting ',' delimiter", r.at)
			}
			r.at++
		}
	}
	r.at++
	return py.Obj(py.NewList(items))
}
