package simapi

import (
	"encoding/json"
	"fmt"
	"strconv"

	"edict/platform/jsonio"
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
	e := encoder{jsonio.Writer{Text: buf}}
	e.value(v)
	return e.Text
}

// encoder writes values.
type encoder struct{ jsonio.Writer }

func (e *encoder) value(v any) {
	switch v := v.(type) {
	case nil:
		e.Text = append(e.Text, "null"...)
	case object:
		e.object(v)
	case list:
		e.List(len(v), func(i int) { e.value(v[i]) })
	case []string:
		e.List(len(v), func(i int) { e.Text = jsonio.AppendString(e.Text, v[i]) })
	case figureRow:
		e.List(len(v), func(i int) { e.Text = jsonio.AppendFloat(e.Text, float64(float32(v[i])), 32) })
	case legislation.Data:
		scenario.WriteJSON(&e.Writer, &v)
	case *legislation.Data:
		scenario.WriteJSON(&e.Writer, v)
	case *suggestion:
		e.suggestion(v)
	case shownElement:
		e.Text = v.appendTo(e.Text)
	case vector.Column:
		e.List(v.Len(), func(i int) { e.Text = scenario.AppendElement(e.Text, v, i, 32) })
	case expanded:
		e.List(v.Len(), func(i int) { e.Text = scenario.AppendElement(e.Text, v.Column, i, 64) })
	case httpDates:
		e.List(v.Len(), func(i int) { e.Text = jsonio.AppendString(e.Text, httpDate(v.Format(i))) })
	case labelled:
		e.List(v.Len(), func(i int) { e.Text = jsonio.AppendString(e.Text, v.enum.Labels[v.Int(i)]) })
	default:
		e.Text = appendPlain(e.Text, v)
	}
}

func (e *encoder) object(o object) {
	e.Text = append(e.Text, '{')
	for i := range o {
		if e.Err() != nil {
			return
		}
		e.Name(i == 0, o[i].key)
		e.value(o[i].value)
		e.Spill()
	}
	e.Text = append(e.Text, '}')
}

func (e *encoder) suggestion(s *suggestion) {
	e.Text = strconv.AppendInt(append(e.Text, `{"scenario":`...), int64(s.scenario), 10)
	e.Text = jsonio.AppendString(append(e.Text, `,"entity":`...), s.Entity)
	e.Text = scenario.AppendJSON(append(e.Text, `,"id":`...), s.ID)
	e.Text = jsonio.AppendString(append(e.Text, `,"variable":`...), s.Variable)
	e.Text = jsonio.AppendString(append(e.Text, `,"period":`...), s.Period)
	e.Text = append(scenario.AppendJSON(append(e.Text, `,"value":`...), s.Value), '}')
}

// appendPlain writes what has no parts of ours.
func appendPlain(buf []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return jsonio.AppendString(buf, v)
	case bool:
		return strconv.AppendBool(buf, v)
	case int:
		return strconv.AppendInt(buf, int64(v), 10)
	case float64:
		return jsonio.AppendFloat(buf, v, 64)
	case float32:
		return jsonio.AppendFloat(buf, float64(v), 32)
	case json.RawMessage:
		return append(buf, v...)
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("simapi: %T cannot be written as JSON: %v", v, err)) // an answer of our own making
	}
	return append(buf, text...)
}
