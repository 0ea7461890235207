package pyeval

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// jsonTable is module json.
func jsonTable() Table {
	return Table{
		"JSONDecodeError": Obj(jsonDecodeError),
		"JSONEncoder":     Obj(newJSONEncoder()),
		"dumps":           Pure("dumps", jsonDumps),
		"load": Pure("load", func(th *Thread, args []Value, _ []Kw) Value {
			read, _ := th.Attr(th.one("load", args[:min(1, len(args))]), "read")
			return th.loadJSON(th.call(read, nil, nil))
		}),
		"loads": Pure("loads", func(th *Thread, args []Value, _ []Kw) Value {
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
	th.allocText(len(text))
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
	th.step()
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
		th.SetKey(out, String(key.(string)), v)
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
		items = grown(th, items, v)
	}
	_, err := d.Token()
	return Obj(NewList(items)), err
}
