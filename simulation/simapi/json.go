package simapi

import (
	"encoding/json"
	"fmt"
	"strconv"

	"edict/platform/heap"
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

// figureRow is a list of figures, written as 32-bit floats.
type figureRow []float64

// expanded is a column written as Python writes the elements of an array: 32-bit floats with all digits of a 64-bit one.
type expanded struct{ vector.Column }

// httpDates is a column of days written as the original writes computed ones.
type httpDates struct{ vector.Column }

// labelled is a column of an enumeration written with the labels of its members.
type labelled struct {
	vector.Column
	enum *legislation.Enum
}

// appendValue writes a value: of this file's types, plain Go scalars, data, columns (as lists), or anything that
// encoding/json can write.
func appendValue(buf []byte, v any) []byte {
	e := encoder{buf: buf}
	e.value(v)
	return e.buf
}

// encoder writes JSON into a buffer, and into another whenever one is full if its memory is weighed.
type encoder struct {
	buf    []byte
	last   *piece      // that buf is of
	full   []*piece    // before it
	size   int64       // of their text
	held   int64       // of memory for them
	most   int64       // bytes of the whole text
	memory *heap.Share // what full buffers are held of; nil: everything stays in one
	err    error       // why the text cannot be made; nothing is written after it
}

func (e *encoder) value(v any) {
	switch v := v.(type) {
	case nil:
		e.buf = append(e.buf, "null"...)
	case object:
		e.object(v)
	case list:
		e.list(len(v), func(i int) { e.value(v[i]) })
	case []string:
		e.list(len(v), func(i int) { e.buf = scenario.AppendText(e.buf, v[i]) })
	case figureRow:
		e.list(len(v), func(i int) { e.buf = scenario.AppendFloat(e.buf, float64(float32(v[i])), 32) })
	case legislation.Data:
		e.data(&v)
	case *legislation.Data:
		e.data(v)
	case *suggestion:
		e.suggestion(v)
	case vector.Column:
		e.list(v.Len(), func(i int) { e.buf = appendElement(e.buf, v, i, 32) })
	case expanded:
		e.list(v.Len(), func(i int) { e.buf = appendElement(e.buf, v.Column, i, 64) })
	case httpDates:
		e.list(v.Len(), func(i int) { e.buf = scenario.AppendText(e.buf, httpDate(v.Format(i))) })
	case labelled:
		e.list(v.Len(), func(i int) { e.buf = scenario.AppendText(e.buf, v.enum.Labels[v.Int(i)]) })
	default:
		e.buf = appendPlain(e.buf, v)
	}
}

// data writes a document of a request, and what was put into it.
func (e *encoder) data(d *legislation.Data) {
	switch d.Kind {
	case legislation.Mapping:
		e.buf = append(e.buf, '{')
		for i, key := range d.Map.Keys() {
			if e.err != nil {
				return
			}
			if i > 0 {
				e.buf = append(e.buf, ',')
			}
			e.buf = append(scenario.AppendText(e.buf, key), ':')
			e.data(d.Map.Ref(i))
			e.spill()
		}
		e.buf = append(e.buf, '}')
	case legislation.List:
		e.list(len(d.List), func(i int) { e.data(&d.List[i]) })
	default:
		e.buf = scenario.AppendJSON(e.buf, *d)
	}
}

func (e *encoder) object(o object) {
	e.buf = append(e.buf, '{')
	for i := range o {
		if e.err != nil {
			return
		}
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.buf = append(scenario.AppendText(e.buf, o[i].key), ':')
		e.value(o[i].value)
		e.spill()
	}
	e.buf = append(e.buf, '}')
}

func (e *encoder) suggestion(s *suggestion) {
	e.buf = strconv.AppendInt(append(e.buf, `{"scenario":`...), int64(s.scenario), 10)
	e.buf = scenario.AppendText(append(e.buf, `,"entity":`...), s.Entity)
	e.buf = scenario.AppendJSON(append(e.buf, `,"id":`...), s.ID)
	e.buf = scenario.AppendText(append(e.buf, `,"variable":`...), s.Variable)
	e.buf = scenario.AppendText(append(e.buf, `,"period":`...), s.Period)
	e.buf = append(scenario.AppendJSON(append(e.buf, `,"value":`...), s.Value), '}')
}

func (e *encoder) list(n int, item func(int)) {
	e.buf = append(e.buf, '[')
	for i := 0; i < n && e.err == nil; i++ {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		item(i)
		e.spill()
	}
	e.buf = append(e.buf, ']')
}

// appendPlain writes what has no parts of ours.
func appendPlain(buf []byte, v any) []byte {
	switch v := v.(type) {
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
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("simapi: %T cannot be written as JSON: %v", v, err)) // an answer of our own making
	}
	return append(buf, text...)
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
