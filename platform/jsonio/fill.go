package jsonio

// encoding/json takes the last of two equal keys, matches names without case, looks at every byte at least twice, and speaks of
// Go types in its errors. Here the walk over the text and the walk over the Go value are the same, so an error knows the position
// in one and the field in the other.

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"sync"
	"time"

	"edict/platform/fault"
)

// Decode reads data into v, a non-nil pointer; names match exactly. It fills structs (by their json tags), pointers, slices, maps
// with string keys, strings, booleans, numbers, json.Number and json.RawMessage (both keep numbers as written), time.Time
// (RFC 3339), any (objects as map[string]any, numbers as json.Number), and what implements json.Unmarshaler or
// encoding.TextUnmarshaler. null leaves a field as if it were absent. Of all elements of lists that are filled, and of the names of
// one object, there may be 100 000.
//
// Its errors are faults of kind Invalid around an *[Error], and Internal for a v of a type it cannot fill. Values of type
// json.RawMessage alias data. After an error v holds what was read so far.
func (o Rules) Decode(data []byte, v any) error {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fault.Wrap(fmt.Errorf("decoding into %T: want a non-nil pointer", v), fault.Internal, "internal error")
	}
	fill, err := fillerOf(target.Type().Elem())
	if err != nil {
		return fault.Wrap(err, fault.Internal, "internal error")
	}
	r := readers.Get()
	r.filling = filling{target.Elem(), fill}
	err = r.run(o, data, &r.filling)
	if wrong, ok := errors.AsType[*Error](err); ok {
		return &fault.Error{Kind: fault.Invalid, Message: wrong.Error(), Cause: wrong}
	}
	return err
}

// filling is the walk over a Go value.
type filling struct {
	target reflect.Value
	fill   filler
}

// Read implements Walker.
func (f *filling) Read(r *Reader) {
	if r.peek() == 'n' && f.target.Kind() == reflect.Struct {
		r.mismatch("an object")
	}
	f.fill(r, f.target)
}

// filler reads the next value into v. Fillers are made once per type.
type filler func(r *Reader, v reflect.Value)

var fillers sync.Map // reflect.Type -> filler

var (
	rawType         = reflect.TypeFor[json.RawMessage]()
	numberType      = reflect.TypeFor[json.Number]()
	timeType        = reflect.TypeFor[time.Time]()
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
	textType        = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func fillerOf(t reflect.Type) (filler, error) {
	if f, ok := fillers.Load(t); ok {
		return f.(filler), nil
	}
	f, err := makeFiller(t, map[reflect.Type]*filler{})
	if err != nil {
		return nil, err
	}
	fillers.Store(t, f)
	return f, nil
}

// makeFiller knows the types above it, so that a type may contain itself.
func makeFiller(t reflect.Type, open map[reflect.Type]*filler) (filler, error) {
	if self, ok := open[t]; ok {
		return func(r *Reader, v reflect.Value) { (*self)(r, v) }, nil
	}
	self := new(filler)
	open[t] = self
	f, err := newFiller(t, open)
	*self = f
	return f, err
}

func newFiller(t reflect.Type, open map[reflect.Type]*filler) (filler, error) {
	switch {
	case t == rawType:
		return fillRaw, nil
	case t == numberType:
		return orNull(fillNumber), nil
	case t == timeType:
		return orNull(fillTime), nil
	case reflect.PointerTo(t).Implements(unmarshalerType):
		return fillUnmarshaler, nil
	case reflect.PointerTo(t).Implements(textType):
		return orNull(fillText), nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return orNull(fillBool), nil
	case reflect.String:
		return orNull(fillString), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return orNull(fillInt), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return orNull(fillUint), nil
	case reflect.Float32, reflect.Float64:
		return orNull(fillFloat), nil
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return fillAny, nil
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return newElementFiller(t, open)
	case reflect.Struct:
		return newStructFiller(t, open)
	}
	return nil, fmt.Errorf("JSON cannot be read into %v", t)
}

func newElementFiller(t reflect.Type, open map[reflect.Type]*filler) (filler, error) {
	element, err := makeFiller(t.Elem(), open)
	switch {
	case err != nil:
		return nil, err
	case t.Kind() == reflect.Pointer:
		return orNull(func(r *Reader, v reflect.Value) {
			if v.IsNil() {
				v.Set(reflect.New(t.Elem()))
			}
			element(r, v.Elem())
		}), nil
	case t.Kind() == reflect.Slice:
		return orNull(func(r *Reader, v reflect.Value) { r.fillSlice(v, element) }), nil
	case t.Key().Kind() == reflect.String:
		return orNull(func(r *Reader, v reflect.Value) { r.fillMap(v, element) }), nil
	}
	return nil, fmt.Errorf("JSON cannot be read into %v: the keys are not strings", t)
}

// orNull lets null stand for the zero value.
func orNull(f filler) filler {
	return func(r *Reader, v reflect.Value) {
		if r.peek() == 'n' {
			r.Word("null")
			v.SetZero()
			return
		}
		f(r, v)
	}
}

// refuseNull rejects null as an element of a list or map: unlike a field, an element cannot be absent.
func (r *Reader) refuseNull(element reflect.Type) {
	switch k := element.Kind(); {
	case r.peek() != 'n', k == reflect.Pointer, k == reflect.Interface, element == rawType, reflect.PointerTo(element).Implements(unmarshalerType):
	default:
		r.mismatch("a value")
	}
}

func fillRaw(r *Reader, v reflect.Value) {
	start := r.pos
	r.Skip()
	v.SetBytes(r.data[start:r.pos:r.pos])
}

func fillNumber(r *Reader, v reflect.Value) {
	if r.what() != "a number" {
		r.mismatch("a number")
	}
	text, _ := r.Number()
	v.SetString(string(text))
}

func fillBool(r *Reader, v reflect.Value) {
	switch r.peek() {
	case 't':
		r.Word("true")
		v.SetBool(true)
	case 'f':
		r.Word("false")
		v.SetBool(false)
	default:
		r.mismatch("a boolean")
	}
}

func fillString(r *Reader, v reflect.Value) {
	if r.peek() != '"' {
		r.mismatch("a string")
	}
	v.SetString(string(r.Text()))
}

func fillInt(r *Reader, v reflect.Value) {
	start := r.pos
	text := r.wholeNumber()
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || v.OverflowInt(n) {
		r.outOfRange(start, text)
	}
	v.SetInt(n)
}

func fillUint(r *Reader, v reflect.Value) {
	start := r.pos
	text := r.wholeNumber()
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || v.OverflowUint(n) {
		r.outOfRange(start, text)
	}
	v.SetUint(n)
}

func fillFloat(r *Reader, v reflect.Value) {
	if r.what() != "a number" {
		r.mismatch("a number")
	}
	start := r.pos
	text, _ := r.Number()
	f, err := strconv.ParseFloat(string(text), v.Type().Bits())
	if err != nil || math.IsInf(f, 0) {
		r.outOfRange(start, text)
	}
	v.SetFloat(f)
}

func (r *Reader) wholeNumber() []byte {
	if r.what() != "a number" {
		r.mismatch("a whole number")
	}
	start := r.pos
	text, whole := r.Number()
	if !whole {
		r.fail(WrongShape, start, fmt.Sprintf("expected a whole number, got %.40s", text))
	}
	return text
}

func (r *Reader) outOfRange(pos int, text []byte) {
	r.fail(WrongShape, pos, fmt.Sprintf("the number %.40s is out of range", text))
}

func fillTime(r *Reader, v reflect.Value) {
	if r.peek() != '"' {
		r.mismatch("a date and time in a string")
	}
	start := r.pos
	text := r.Text()
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		r.fail(WrongShape, start, fmt.Sprintf("expected a date and time like 2026-01-31T12:00:00Z, got %.40q", text))
	}
	*v.Addr().Interface().(*time.Time) = t
}

func fillText(r *Reader, v reflect.Value) {
	if r.peek() != '"' {
		r.mismatch("a string")
	}
	start := r.pos
	text := r.Text()
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(text); err != nil {
		r.fail(WrongShape, start, callerText(err))
	}
}

func fillUnmarshaler(r *Reader, v reflect.Value) {
	start := r.pos
	r.Skip()
	if err := v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(r.data[start:r.pos]); err != nil {
		r.fail(WrongShape, start, callerText(err))
	}
}

// callerText is the message of a type that reads itself: it knows best what it takes.
func callerText(err error) string {
	if fault.KindOf(err) != fault.Internal {
		return fault.From(err).Message
	}
	return err.Error()
}

func fillAny(r *Reader, v reflect.Value) {
	if value := r.value(); value != nil {
		v.Set(reflect.ValueOf(value))
		return
	}
	v.SetZero()
}

// value reads anything into the general types, numbers as json.Number.
func (r *Reader) value() any {
	switch r.what() {
	case "an object":
		m := map[string]any{}
		r.eachKey(func(key string) { m[key] = r.value() })
		return m
	case "a list":
		list := []any{}
		r.eachElement(func(int) { list = append(list, r.value()) })
		return list
	case "a string":
		return string(r.Text())
	case "a number":
		text, _ := r.Number()
		return json.Number(text)
	case "null":
		r.Word("null")
		return nil
	}
	if r.peek() == 't' {
		r.Word("true")
		return true
	}
	r.Word("false")
	return false
}

func (r *Reader) fillSlice(v reflect.Value, element filler) {
	if r.peek() != '[' {
		r.mismatch("a list")
	}
	v.SetLen(0)
	r.eachElement(func(i int) {
		if i == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(i + 1)
		v.Index(i).SetZero()
		r.refuseNull(v.Type().Elem())
		element(r, v.Index(i))
	})
	if v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
}

func (r *Reader) fillMap(v reflect.Value, element filler) {
	if r.peek() != '{' {
		r.mismatch("an object")
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	t := v.Type()
	r.eachKey(func(key string) {
		value := reflect.New(t.Elem()).Elem()
		r.refuseNull(t.Elem())
		element(r, value)
		v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), value)
	})
}

func (r *Reader) eachKey(read func(key string)) {
	r.Enter()
	r.path = append(r.path, step{index: beforeKey})
	for first := true; r.More(first, '}'); first = false {
		pos := r.pos
		raw := r.key()
		key := string(raw)
		r.path[len(r.path)-1] = step{name: key, index: isKey}
		r.once(pos, raw)
		read(key)
	}
	r.path = r.path[:len(r.path)-1]
}

func (r *Reader) eachElement(read func(i int)) {
	r.Enter()
	r.path = append(r.path, step{})
	for i := 0; r.More(i == 0, ']'); i++ {
		r.path[len(r.path)-1].index = i
		if r.kept++; r.kept > maxKept {
			r.fail(TooLarge, r.pos, fmt.Sprintf("the lists have more than %d elements together: send fewer at a time", maxKept))
		}
		read(i)
	}
	r.path = r.path[:len(r.path)-1]
}
