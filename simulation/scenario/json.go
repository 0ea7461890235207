package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// maxDepth bounds the nesting of a document.
const maxDepth = 100

// DecodeJSON reads one JSON value. Objects keep the order of their keys; of a key that occurs twice the last value
// counts. Numbers with a fraction or an exponent are floats, others integers.
func DecodeJSON(text []byte) (legislation.Data, error) {
	if !utf8.Valid(text) {
		return legislation.Data{}, errors.New("the text is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	value, err := decode(d, 0)
	if err != nil {
		return value, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return value, fmt.Errorf("there is something after the value, at byte %d", d.InputOffset())
	}
	return value, nil
}

func decode(d *json.Decoder, depth int) (legislation.Data, error) {
	token, err := d.Token()
	if errors.Is(err, io.EOF) {
		return legislation.Data{}, io.ErrUnexpectedEOF
	}
	if err != nil {
		return legislation.Data{}, err
	}
	if depth > maxDepth {
		return legislation.Data{}, fmt.Errorf("the document is nested more than %d levels deep", maxDepth)
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			return decodeList(d, depth)
		}
		return decodeObject(d, depth)
	case bool:
		return legislation.DataOf(vector.PyBool(t)), nil
	case string:
		return legislation.DataOf(vector.PyStr(t)), nil
	case json.Number:
		return decodeNumber(t.String())
	}
	return legislation.Data{}, nil
}

func decodeNumber(text string) (legislation.Data, error) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return legislation.DataOf(vector.PyInt(i)), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return legislation.Data{}, fmt.Errorf("%s is not a number", text)
	}
	return legislation.DataOf(vector.PyFloat(f)), nil
}

func decodeList(d *json.Decoder, depth int) (legislation.Data, error) {
	out := legislation.Data{Kind: legislation.List, List: []legislation.Data{}}
	for d.More() {
		item, err := decode(d, depth+1)
		if err != nil {
			return out, err
		}
		out.List = append(out.List, item)
	}
	_, err := d.Token()
	return out, err
}

func decodeObject(d *json.Decoder, depth int) (legislation.Data, error) {
	out := legislation.Data{Kind: legislation.Mapping, Map: mapping()}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return out, err
		}
		value, err := decode(d, depth+1)
		if err != nil {
			return out, err
		}
		out.Map.Set(key.(string), value)
	}
	_, err := d.Token()
	return out, err
}

// AppendJSON writes data as JSON on one line. Floats are the shortest text that reads back to the same number, and have
// a fraction or an exponent; what JSON has no number for is null.
func AppendJSON(buf []byte, d legislation.Data) []byte {
	switch d.Kind {
	case legislation.Scalar:
		return appendScalar(buf, d.Scalar)
	case legislation.List:
		buf = append(buf, '[')
		for i, item := range d.List {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = AppendJSON(buf, item)
		}
		return append(buf, ']')
	case legislation.Mapping:
		buf = append(buf, '{')
		first := true
		for key, value := range d.Map.All() {
			if !first {
				buf = append(buf, ',')
			}
			first = false
			buf = append(appendText(buf, key), ':')
			buf = AppendJSON(buf, value)
		}
		return append(buf, '}')
	}
	return append(buf, "null"...)
}

func appendScalar(buf []byte, c vector.Column) []byte {
	switch c.Type() {
	case vector.Bool:
		return strconv.AppendBool(buf, c.Bool(0))
	case vector.Str, vector.Bytes, vector.Enum:
		return appendText(buf, c.Text(0))
	case vector.Date:
		return appendText(buf, c.Format(0))
	case vector.Float32, vector.Float64:
		return appendFloat(buf, c)
	}
	return strconv.AppendInt(buf, c.Int(0), 10)
}

func appendFloat(buf []byte, c vector.Column) []byte {
	f := c.Float(0)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(buf, "null"...)
	}
	bits := 64
	if c.Type() == vector.Float32 {
		bits = 32
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		format = 'e'
	}
	start := len(buf)
	buf = strconv.AppendFloat(buf, f, format, -1, bits)
	if !bytes.ContainsAny(buf[start:], ".e") {
		buf = append(buf, ".0"...)
	}
	return buf
}

// appendText escapes what JSON must have escaped, and nothing else.
func appendText(buf []byte, s string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return append(buf, `""`...)
	}
	return append(buf, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}
