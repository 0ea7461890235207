package image

import (
	"math"
	"reflect"
	"unsafe"
)

// scalar is how numbers and texts are written.
func (c *Codec) scalar(k *kind) {
	switch k.t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		k.write = func(w *writer, p unsafe.Pointer) { w.out = append(w.out, *(*byte)(p)) }
		k.read = func(r *reader, p unsafe.Pointer) { *(*byte)(p) = r.byte() }
	case reflect.Int16:
		signed[int16](k)
	case reflect.Int32:
		signed[int32](k)
	case reflect.Int64:
		signed[int64](k)
	case reflect.Int:
		signed[int](k)
	case reflect.Uint16:
		unsigned[uint16](k)
	case reflect.Uint32:
		unsigned[uint32](k)
	case reflect.Uint64:
		unsigned[uint64](k)
	case reflect.Uint:
		unsigned[uint](k)
	case reflect.Float32:
		k.write = func(w *writer, p unsafe.Pointer) { w.fixed(uint64(*(*uint32)(p)), 4) }
		k.read = func(r *reader, p unsafe.Pointer) { *(*uint32)(p) = uint32(r.fixed(4)) }
	case reflect.Float64:
		// Most numbers of a law are whole.
		k.write = func(w *writer, p unsafe.Pointer) { w.float(*(*float64)(p)) }
		k.read = func(r *reader, p unsafe.Pointer) { *(*float64)(p) = r.float() }
	case reflect.String:
		k.write = func(w *writer, p unsafe.Pointer) { w.text(*(*string)(p)) }
		k.read = func(r *reader, p unsafe.Pointer) { *(*string)(p) = r.text() }
	default:
		k.write = func(w *writer, _ unsafe.Pointer) { w.fail(k, errNoData) }
		k.read = func(*reader, unsafe.Pointer) { panic(errDamaged) }
	}
}

func signed[T int | int16 | int32 | int64](k *kind) {
	k.write = func(w *writer, p unsafe.Pointer) { n := int64(*(*T)(p)); w.count(uint64(n<<1) ^ uint64(n>>63)) }
	k.read = func(r *reader, p unsafe.Pointer) { n := r.count(); *(*T)(p) = T(int64(n>>1) ^ -int64(n&1)) }
}

func unsigned[T uint | uint16 | uint32 | uint64](k *kind) {
	k.write = func(w *writer, p unsafe.Pointer) { w.count(uint64(*(*T)(p))) }
	k.read = func(r *reader, p unsafe.Pointer) { *(*T)(p) = T(r.count()) }
}

// wholeFloats is how far whole numbers are written as such; the number before it marks one that is written by its bits.
const wholeFloats = 1 << 40

func (w *writer) float(f float64) {
	if n := int64(f); f >= 0 && f < wholeFloats && float64(n) == f && !(n == 0 && math.Signbit(f)) {
		w.count(uint64(n) + 1)
		return
	}
	w.count(0)
	w.fixed(math.Float64bits(f), 8)
}

func (r *reader) float() float64 {
	if n := r.count(); n > 0 {
		return float64(n - 1)
	}
	return math.Float64frombits(r.fixed(8))
}
