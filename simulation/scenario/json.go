package scenario

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"edict/platform/heap"
	"edict/platform/jsonio"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Bounds are what reading a document may use. The zero value has none.
type Bounds struct {
	Context context.Context // ends the reading when it is done; nil: nothing does
	Values  int             // most values, lists and objects included; 0: any number
	Memory  *heap.Share     // what values take is held of it; nil: of nothing
}

// What a value takes: while it is read, on the stack as well, and afterwards. Objects have their names besides, and
// find them by a map.
const (
	valueRead = 256
	valueKept = 160
)

// MemoryForValues is how much memory the values of a document take at most while it is read.
func MemoryForValues(n int) int64 { return valueRead * int64(n) }

// DecodeJSON reads one JSON value. Objects keep the order of their keys; of a key that occurs twice the last value
// counts. Numbers with a fraction or an exponent are floats, others integers. A byte order mark may come first.
func DecodeJSON(text []byte) (legislation.Data, error) {
	members, objects := bytes.Count(text, []byte{':'}), bytes.Count(text, []byte{'{'})
	d := &documentReader{took: members / 2}
	d.slabs.keys.Next, d.slabs.values.Next, d.slabs.maps.Next = members, members+members/4, objects
	return d.document(bytes.Clone(text), Bounds{})
}

// documentReader makes documents, which are read for every request and are mostly short texts and numbers in small
// objects. What is not finished yet is on two stacks; what is finished is cut from slabs. Texts are parts of the JSON, but for
// those with escapes.
type documentReader struct {
	keys   []string           // of the objects that are open
	values []legislation.Data // of the objects and lists that are open, and the last that was read

	slabs  slabs
	texts  heap.Slab[string]
	took   int // texts of the last document
	memory *heap.Share
}

// document reads the whole text, which belongs to the document from then on.
func (d *documentReader) document(text []byte, b Bounds) (legislation.Data, error) {
	d.texts, d.took, d.memory = heap.Slab[string]{Next: d.took}, 0, b.Memory
	rules := jsonio.Rules{LastWins: true, ByteOrderMark: true, Context: b.Context, Values: b.Values, Memory: b.Memory, PerValue: valueRead}
	if err := rules.Read(text, d); err != nil {
		return legislation.Data{}, err
	}
	return d.pop(), nil
}

// Read implements jsonio.Walker.
func (d *documentReader) Read(r *jsonio.Reader) {
	d.value(r)
	d.memory.Give(r.Held() * (valueRead - valueKept))
}

func (d *documentReader) push(value legislation.Data) { d.values = append(d.values, value) }

func (d *documentReader) pop() legislation.Data {
	last := len(d.values) - 1
	value := d.values[last]
	d.values = d.values[:last]
	return value
}

// value reads a value and pushes it.
func (d *documentReader) value(r *jsonio.Reader) {
	switch r.Next() {
	case '{':
		d.object(r)
	case '[':
		d.list(r)
	case '"':
		kept := d.texts.New()
		*kept = textOf(r.Text())
		d.took++
		d.push(legislation.DataOf(vector.PyStrAt(kept)))
	case 'n':
		r.Word("null")
		d.push(legislation.Data{})
	case 't':
		r.Word("true")
		d.push(legislation.DataOf(vector.PyBool(true)))
	case 'f':
		r.Word("false")
		d.push(legislation.DataOf(vector.PyBool(false)))
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		text, whole := r.Number()
		d.push(numberOf(textOf(text), whole))
	default:
		r.WantValue()
	}
}

// textOf is a part of the JSON, which nobody changes, as text.
func textOf(part []byte) string { return unsafe.String(unsafe.SliceData(part), len(part)) }

func (d *documentReader) list(r *jsonio.Reader) {
	r.Enter()
	base := len(d.values)
	for first := true; r.More(first, ']'); first = false {
		d.value(r)
	}
	items := d.slabs.values.Copy(d.values[base:])
	d.values = d.values[:base]
	d.push(legislation.Data{Kind: legislation.List, List: items})
}

func (d *documentReader) object(r *jsonio.Reader) {
	r.Enter()
	firstKey, firstValue := len(d.keys), len(d.values)
	for first := true; r.More(first, '}'); first = false {
		d.keys = append(d.keys, textOf(r.Key()))
		d.value(r)
	}
	object := d.slabs.objectOf(d.slabs.keys.Copy(d.keys[firstKey:]), d.slabs.values.Copy(d.values[firstValue:]))
	d.keys, d.values = d.keys[:firstKey], d.values[:firstValue]
	d.push(object)
}

func numberOf(text string, whole bool) legislation.Data {
	if whole {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return legislation.DataOf(vector.PyInt(i))
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		panic(fmt.Sprintf("scenario: %s is not a number", text)) // the reader has checked it
	}
	d := legislation.DataOf(vector.PyFloat(f))
	if math.IsInf(f, 0) || whole {
		written := strings.Clone(text)
		d.Written = &written
	}
	return d
}

// AppendJSON writes data as JSON on one line. Floats are the shortest text that reads back to the same number, and have
// a fraction or an exponent; what JSON has no number for is null.
func AppendJSON(buf []byte, d legislation.Data) []byte {
	w := jsonio.Writer{Text: buf}
	WriteJSON(&w, &d)
	return w.Text
}

// WriteJSON is [AppendJSON] for a text that may be long.
func WriteJSON(w *jsonio.Writer, d *legislation.Data) {
	switch d.Kind {
	case legislation.Mapping:
		w.Text = append(w.Text, '{')
		for i, key := range d.Map.Keys() {
			if w.Err() != nil {
				return
			}
			w.Name(i == 0, key)
			WriteJSON(w, d.Map.Ref(i))
			w.Spill()
		}
		w.Text = append(w.Text, '}')
	case legislation.List:
		w.List(len(d.List), func(i int) { WriteJSON(w, &d.List[i]) })
	case legislation.Scalar:
		if d.Written != nil {
			w.Text = append(w.Text, *d.Written...)
		} else {
			w.Text = AppendElement(w.Text, d.Scalar, 0, 32)
		}
	default:
		w.Text = append(w.Text, "null"...)
	}
}

// AppendElement writes one element of a column; bits says how a 32-bit float is read back.
func AppendElement(buf []byte, c vector.Column, i, bits int) []byte {
	switch c.Type() {
	case vector.Bool:
		return strconv.AppendBool(buf, c.Bool(i))
	case vector.Float32:
		return jsonio.AppendFloat(buf, c.Float(i), bits)
	case vector.Float64:
		return jsonio.AppendFloat(buf, c.Float(i), 64)
	case vector.Enum, vector.Str, vector.Bytes:
		return jsonio.AppendString(buf, c.Text(i))
	case vector.Date:
		return jsonio.AppendString(buf, c.Format(i))
	}
	return strconv.AppendInt(buf, c.Int(i), 10)
}
