package simapi

import (
	"encoding/json"
	"fmt"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// set adds a member, in the place of an earlier one of that name.
func (o *object) set(key string, value any) {
	for i := range *o {
		if (*o)[i].key == key {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{key, value})
}

// add appends a member whose name is new.
func (o *object) add(key string, value any) { *o = append(*o, member{key, value}) }

// AppendJSON implements web.JSONAppender.
func (o object) AppendJSON(buf []byte) []byte { return appendValue(buf, o) }

// MarshalJSON implements json.Marshaler, for examples in the documentation.
func (o object) MarshalJSON() ([]byte, error) { return appendValue(nil, o), nil }

// list is a JSON list.
type list []any

// expanded is a column written as Python writes the elements of an array: 32-bit floats with all digits of a 64-bit one.
type expanded struct{ vector.Column }

// labelled is a column of an enumeration written with the labels of its members.
type labelled struct {
	vector.Column
	enum *legislation.Enum
}

// appendValue writes a value: of this file's types, plain Go scalars, data, columns (as lists), or anything that
// encoding/json can write.
func appendValue(buf []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(buf, "null"...)
	case object:
		return appendObject(buf, v)
	case list:
		return appendList(buf, len(v), func(buf []byte, i int) []byte { return appendValue(buf, v[i]) })
	case []string:
		return appendList(buf, len(v), func(buf []byte, i int) []byte { return scenario.AppendText(buf, v[i]) })
	case string:
		return scenario.AppendText(buf, v)
	case bool:
		return strconv.AppendBool(buf, v)
	case int:
		return strconv.AppendInt(buf, int64(v), 10)
	case float64:
		return scenario.AppendFloat(buf, v, 64)
	case float32:
		return scenario.AppendFloat(buf, float64(v), 32)
	case json.RawMessage:
		return append(buf, v...)
	case legislation.Data:
		return scenario.AppendJSON(buf, v)
	case vector.Column:
		return appendList(buf, v.Len(), func(buf []byte, i int) []byte { return appendElement(buf, v, i, 32) })
	case expanded:
		return appendList(buf, v.Len(), func(buf []byte, i int) []byte { return appendElement(buf, v.Column, i, 64) })
	case labelled:
		return appendList(buf, v.Len(), func(buf []byte, i int) []byte { return scenario.AppendText(buf, v.enum.Labels[v.Int(i)]) })
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("simapi: %T cannot be written as JSON: %v", v, err)) // an answer of our own making
	}
	return append(buf, text...)
}

func appendObject(buf []byte, o object) []byte {
	buf = append(buf, '{')
	for i, m := range o {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(scenario.AppendText(buf, m.key), ':')
		buf = appendValue(buf, m.value)
	}
	return append(buf, '}')
}

func appendList(buf []byte, n int, item func([]byte, int) []byte) []byte {
	buf = append(buf, '[')
	for i := range n {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = item(buf, i)
	}
	return append(buf, ']')
}

// appendElement writes one element of a column; bits says how a 32-bit float is read back.
func appendElement(buf []byte, c vector.Column, i, bits int) []byte {
	switch c.Type() {
	case vector.Bool:
		return strconv.AppendBool(buf, c.Bool(i))
	case vector.Float32:
		return scenario.AppendFloat(buf, c.Float(i), bits)
	case vector.Float64:
		return scenario.AppendFloat(buf, c.Float(i), 64)
	case vector.Enum, vector.Str, vector.Bytes:
		return scenario.AppendText(buf, c.Text(i))
	case vector.Date:
		return scenario.AppendText(buf, c.Format(i))
	}
	return strconv.AppendInt(buf, c.Int(i), 10)
}
