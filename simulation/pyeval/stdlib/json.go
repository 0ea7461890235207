package stdlib

// This file defines json.loads.

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	py "edict/simulation/pyeval"
)

// jsonTable is module json.
func jsonTable() py.Table {
	return py.Table{
		"JSONDecodeError": py.Obj(jsonDecodeError),
		"JSONEncoder":     py.Obj(newJSONEncoder()),
		"dumps":           py.Pure("dumps", jsonDumps),
		"load": py.Pure("load", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			read, _ := th.Attr(th.OnlyArg("load", args[:min(1, len(args))]), "read")
			return loadJSON(th, th.InvokeKw(read, nil, nil))
		}),
		"loads": py.Pure("loads", func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			return loadJSON(th, th.OnlyArg("loads", args[:min(1, len(args))]))
		}),
	}
}

var jsonDecodeError = py.NewExceptionClass("JSONDecodeError", "json", py.ValueError)

func loadJSON(th *py.Thread, v py.Value) py.Value {
	text, ok := v.AsString()
	if b, isBytes := v.Object().(py.Bytes); isBytes {
		text, ok = string(b), true
	}
	if !ok {
		th.Raise(py.TypeError, "the JSON object must be str or bytes, not %s", py.TypeName(v))
	}
	th.AllocText(len(text))
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	out, err := jsonValue(th, d, 0)
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

func jsonValue(th *py.Thread, d *json.Decoder, depth int) (py.Value, error) {
	th.Tick(1)
	token, err := d.Token()
	if err != nil {
		return py.Value{}, err
	}
	if depth > maxJSONDepth {
		return py.Value{}, errors.New("nested too deeply")
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return jsonObject(th, d, depth)
		}
		return jsonArray(th, d, depth)
	case string:
		return py.String(t), nil
	case json.Number:
		if strings.ContainsAny(string(t), ".eE") {
			f, _ := strconv.ParseFloat(string(t), 64)
			return py.Float(f), nil
		}
		return th.ParseInt(string(t), 10), nil
	case bool:
		return py.Bool(t), nil
	}
	return py.None, nil
}

func jsonObject(th *py.Thread, d *json.Decoder, depth int) (py.Value, error) {
	out := py.NewDict()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return py.Value{}, err
		}
		v, err := jsonValue(th, d, depth+1)
		if err != nil {
			return py.Value{}, err
		}
		th.SetKey(out, py.String(key.(string)), v)
	}
	_, err := d.Token()
	return py.Obj(out), err
}

func jsonArray(th *py.Thread, d *json.Decoder, depth int) (py.Value, error) {
	var items []py.Value
	for d.More() {
		v, err := jsonValue(th, d, depth+1)
		if err != nil {
			return py.Value{}, err
		}
		items = py.Grown(th, items, v)
	}
	_, err := d.Token()
	return py.Obj(py.NewList(items)), err
}
