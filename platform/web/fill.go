package web

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"edict/platform/fault"
)

// filler reads the next value into v. Fillers are made once per type.
type filler func(s *scanner, v reflect.Value)

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
		return func(s *scanner, v reflect.Value) { (*self)(s, v) }, nil
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
		return orNull(func(s *scanner, v reflect.Value) {
			if v.IsNil() {
				v.Set(reflect.New(t.Elem()))
			}
			element(s, v.Elem())
		}), nil
	case t.Kind() == reflect.Slice:
		return orNull(func(s *scanner, v reflect.Value) { s.fillSlice(v, element) }), nil
	case t.Key().Kind() == reflect.String:
		return orNull(func(s *scanner, v reflect.Value) { s.fillMap(v, element) }), nil
	}
	return nil, fmt.Errorf("JSON cannot be read into %v: the keys are not strings", t)
}

// orNull lets null stand for the zero value.
func orNull(f filler) filler {
	return func(s *scanner, v reflect.Value) {
		if s.peek() == 'n' {
			s.literal("null")
			v.SetZero()
			return
		}
		f(s, v)
	}
}

func fillRaw(s *scanner, v reflect.Value) {
	start := s.pos
	s.skip()
	v.SetBytes(s.data[start:s.pos:s.pos])
}

func fillNumber(s *scanner, v reflect.Value) {
	if s.what() != "a number" {
		s.mismatch("a number")
	}
	v.SetString(string(s.number()))
}

func fillBool(s *scanner, v reflect.Value) {
	switch s.peek() {
	case 't':
		s.literal("true")
		v.SetBool(true)
	case 'f':
		s.literal("false")
		v.SetBool(false)
	default:
		s.mismatch("a boolean")
	}
}

func fillString(s *scanner, v reflect.Value) {
	if s.peek() != '"' {
		s.mismatch("a string")
	}
	v.SetString(string(s.text()))
}

func fillInt(s *scanner, v reflect.Value) {
	start := s.pos
	text := s.wholeNumber()
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || v.OverflowInt(n) {
		s.outOfRange(start, text)
	}
	v.SetInt(n)
}

func fillUint(s *scanner, v reflect.Value) {
	start := s.pos
	text := s.wholeNumber()
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || v.OverflowUint(n) {
		s.outOfRange(start, text)
	}
	v.SetUint(n)
}

func fillFloat(s *scanner, v reflect.Value) {
	if s.what() != "a number" {
		s.mismatch("a number")
	}
	start := s.pos
	text := s.number()
	f, err := strconv.ParseFloat(string(text), v.Type().Bits())
	if err != nil || math.IsInf(f, 0) {
		s.outOfRange(start, text)
	}
	v.SetFloat(f)
}

func (s *scanner) wholeNumber() []byte {
	if s.what() != "a number" {
		s.mismatch("a whole number")
	}
	start := s.pos
	text := s.number()
	if strings.ContainsAny(string(text), ".eE") {
		s.fail(start, false, fmt.Sprintf("expected a whole number, got %.40s", text))
	}
	return text
}

func (s *scanner) outOfRange(pos int, text []byte) {
	s.fail(pos, false, fmt.Sprintf("the number %.40s is out of range", text))
}

func fillTime(s *scanner, v reflect.Value) {
	if s.peek() != '"' {
		s.mismatch("a date and time in a string")
	}
	start := s.pos
	text := s.text()
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		s.fail(start, false, fmt.Sprintf("expected a date and time like 2026-01-31T12:00:00Z, got %.40q", text))
	}
	*v.Addr().Interface().(*time.Time) = t
}

func fillText(s *scanner, v reflect.Value) {
	if s.peek() != '"' {
		s.mismatch("a string")
	}
	start := s.pos
	text := s.text()
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(text); err != nil {
		s.fail(start, false, callerText(err))
	}
}

func fillUnmarshaler(s *scanner, v reflect.Value) {
	start := s.pos
	s.skip()
	if err := v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(s.data[start:s.pos]); err != nil {
		s.fail(start, false, callerText(err))
	}
}

// callerText is the message of a type that reads itself: it knows best what it takes.
func callerText(err error) string {
	if fault.KindOf(err) != fault.Internal {
		return fault.From(err).Message
	}
	return err.Error()
}

func fillAny(s *scanner, v reflect.Value) {
	if value := s.value(); value != nil {
		v.Set(reflect.ValueOf(value))
		return
	}
	v.SetZero()
}

// value reads anything into the general types, numbers as json.Number.
func (s *scanner) value() any {
	switch s.what() {
	case "an object":
		m := map[string]any{}
		s.eachKey(func(key string) { m[key] = s.value() })
		return m
	case "a list":
		list := []any{}
		s.eachElement(func(int) { list = append(list, s.value()) })
		return list
	case "a string":
		return string(s.text())
	case "a number":
		return json.Number(s.number())
	case "null":
		s.literal("null")
		return nil
	}
	if s.peek() == 't' {
		s.literal("true")
		return true
	}
	s.literal("false")
	return false
}

func (s *scanner) fillSlice(v reflect.Value, element filler) {
	if s.peek() != '[' {
		s.mismatch("a list")
	}
	v.SetLen(0)
	s.eachElement(func(i int) {
		if i == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(i + 1)
		v.Index(i).SetZero()
		element(s, v.Index(i))
	})
	if v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
}

func (s *scanner) fillMap(v reflect.Value, element filler) {
	if s.peek() != '{' {
		s.mismatch("an object")
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	t := v.Type()
	s.eachKey(func(key string) {
		value := reflect.New(t.Elem()).Elem()
		element(s, value)
		v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), value)
	})
}

func (s *scanner) eachKey(read func(key string)) {
	s.enter()
	mark := s.keys.open()
	s.path = append(s.path, step{index: beforeKey})
	for first := true; s.more(first, '}'); first = false {
		pos := s.pos
		raw := s.key()
		key := string(raw)
		s.path[len(s.path)-1] = step{name: key, index: isKey}
		s.once(mark, pos, raw)
		read(key)
	}
	s.path = s.path[:len(s.path)-1]
	s.keys.close(mark)
}

func (s *scanner) eachElement(read func(i int)) {
	s.enter()
	s.path = append(s.path, step{})
	for i := 0; s.more(i == 0, ']'); i++ {
		s.path[len(s.path)-1].index = i
		if s.kept++; s.kept > maxKept {
			s.fail(s.pos, false, fmt.Sprintf("the lists have more than %d elements together: send fewer at a time", maxKept))
		}
		read(i)
	}
	s.path = s.path[:len(s.path)-1]
}
