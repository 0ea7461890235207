//go:build poison

package heap

import (
	"math"
	"reflect"
	"unsafe"
)

// Poisoned says that what is given back is spoiled.
const Poisoned = true

// spoil overwrites what x points at, and the elements of its slices up to their capacity, but for what those lead to in turn: texts
// become one that stands out, numbers extreme ones; pointers, maps and functions nil.
func spoil(x any) { spoilValue(reflect.ValueOf(x).Elem(), true) }

const spoiled = "given back"

func spoilValue(v reflect.Value, owned bool) {
	if !v.CanSet() { // a field that is not exported
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			spoilValue(v.Field(i), owned)
		}
	case reflect.Slice:
		if owned {
			all := v.Slice(0, v.Cap())
			for i := range all.Len() {
				spoilValue(all.Index(i), false)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			spoilValue(v.Index(i), owned)
		}
	case reflect.String:
		v.SetString(spoiled)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(math.MinInt64 >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(math.MaxUint64 >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.NaN())
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Map:
		if owned && !v.IsNil() {
			v.Clear()
		}
	default: // pointers, interfaces, functions, channels
		v.SetZero()
	}
}
