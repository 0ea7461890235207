package jsonio

import (
	"fmt"
	"reflect"
	"strings"

	"edict/platform/nearest"
)

// structFiller reads objects into one struct type.
type structFiller struct {
	fields []structField
	byName map[string]int // nil when the fields are few enough to compare
}

type structField struct {
	name  string
	index []int
	fill  filler
}

// maxUnknown is how many unknown fields of one text are looked at: whoever sends more made no typing error.
const maxUnknown = 100

// maxFields is how many fields the set of those seen can hold.
const maxFields = 64

func newStructFiller(t reflect.Type, open map[reflect.Type]*filler) (filler, error) {
	f := &structFiller{}
	for _, field := range reflect.VisibleFields(t) {
		name, ok := FieldName(field)
		if !ok {
			continue
		}
		fill, err := makeFiller(field.Type, open)
		if err != nil {
			return nil, fmt.Errorf("field %s of %v: %w", field.Name, t, err)
		}
		f.fields = append(f.fields, structField{name: name, index: field.Index, fill: fill})
	}
	if len(f.fields) > maxFields {
		return nil, fmt.Errorf("JSON cannot be read into %v: it has more than %d fields", t, maxFields)
	}
	if len(f.fields) > 8 {
		f.byName = make(map[string]int, len(f.fields))
		for i := range f.fields {
			f.byName[f.fields[i].name] = i
		}
	}
	return orNull(f.fill), nil
}

// FieldName is the key of a field, false for fields that are not in the JSON. Embedded structs without
// a name of their own are represented by their fields.
func FieldName(field reflect.StructField) (string, bool) {
	tag := field.Tag.Get("json")
	name, _, _ := strings.Cut(tag, ",")
	switch {
	case tag == "-" || !field.IsExported():
		return "", false
	case name != "":
		return name, true
	case field.Anonymous && field.Type.Kind() == reflect.Struct:
		return "", false
	}
	return field.Name, true
}

func (f *structFiller) find(key []byte) int {
	if f.byName != nil {
		if i, ok := f.byName[string(key)]; ok {
			return i
		}
		return -1
	}
	for i := range f.fields {
		if f.fields[i].name == string(key) {
			return i
		}
	}
	return -1
}

func (f *structFiller) fill(r *Reader, v reflect.Value) {
	if r.peek() != '{' {
		r.mismatch("an object")
	}
	r.Enter()
	r.path = append(r.path, step{index: beforeKey})
	var seen uint64
	for first := true; r.More(first, '}'); first = false {
		pos := r.pos
		key := r.key()
		i := f.find(key)
		if i < 0 {
			f.unknown(r, pos, key)
			continue
		}
		field := &f.fields[i]
		r.path[len(r.path)-1] = step{name: field.name, index: isKey}
		if seen&(1<<i) != 0 && !r.rules.LastWins {
			r.fail(GivenTwice, pos, fmt.Sprintf("%q is given twice", key))
		}
		seen |= 1 << i
		if len(field.index) == 1 {
			field.fill(r, v.Field(field.index[0]))
		} else {
			field.fill(r, v.FieldByIndex(field.index))
		}
	}
	r.path = r.path[:len(r.path)-1]
}

// unknown passes a field that the struct does not have, or refuses it as a typing error.
func (f *structFiller) unknown(r *Reader, pos int, key []byte) {
	name := string(key)
	r.path[len(r.path)-1] = step{name: name, index: isKey}
	if r.rules.RefuseTypos && r.unknown < maxUnknown {
		r.unknown++
		if near := nearest.Typo(name, f.names); near != "" {
			r.path = r.path[:len(r.path)-1]
			r.fail(WrongShape, pos, fmt.Sprintf("there is no field %q: did you mean %q?", name, near))
		}
	}
	r.once(pos, key)
	r.Skip()
}

// names yields the keys of the fields.
func (f *structFiller) names(yield func(string) bool) {
	for i := range f.fields {
		if !yield(f.fields[i].name) {
			return
		}
	}
}
