package image

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

var errDamaged = errors.New("the image is damaged")

// Named finds what is outside of an image by its name, nil if there is no such thing.
type Named map[string]unsafe.Pointer

// Read fills root, a pointer to a value of the codec's root type, with what Write wrote. The texts of the graph are parts of data.
// If it fails, root is not to be used.
func (c *Codec) Read(data string, root any, outside Named) (err error) {
	c.complete()
	r := &reader{codec: c, in: data}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errDamaged, p)
		}
	}()
	start := reflect.ValueOf(root)
	if start.Type() != reflect.PointerTo(c.root) {
		return fmt.Errorf("%s is not the root of this codec", start.Type())
	}
	values := r.tail()
	r.allocate()
	for _, name := range r.list() {
		p := outside[name]
		if p == nil {
			return fmt.Errorf("the image needs %s, which is not there", name)
		}
		r.outside = append(r.outside, p)
	}
	r.texts = r.list()
	r.at = 0
	for i, k := range c.kinds {
		r.values(k, &r.sections[i])
	}
	if r.at != values {
		return errDamaged
	}
	r.finish()
	reflect.NewAt(c.root, start.UnsafePointer()).Elem().Set(reflect.NewAt(c.root, r.sections[c.known[c.root].id].first).Elem())
	return nil
}

// reader makes all values, type by type, and then fills them: so every pointer can be set at once.
type reader struct {
	codec    *Codec
	in       string
	at       int
	texts    []string
	outside  []unsafe.Pointer
	sections []section
}

// section is the values of one type, in a row, or its maps.
type section struct {
	n     int
	first unsafe.Pointer
	maps  []unsafe.Pointer
}

// tail goes to what stands behind the values, and returns how long they are.
func (r *reader) tail() int {
	end := len(r.in) - 8
	r.at = end
	size := r.fixed(8)
	if size > uint64(end) {
		panic("the end is longer than the image")
	}
	r.at = end - int(size)
	return r.at
}

// allocate makes the values of all types. No type has more values than bytes are left.
func (r *reader) allocate() {
	r.sections = make([]section, len(r.codec.kinds))
	for i, k := range r.codec.kinds {
		n := int(r.count())
		if n == 0 {
			continue
		}
		s := &r.sections[i]
		s.n = n
		if n > len(r.in) && k.t.Size() > 0 {
			panic("a type has more values than the image has bytes")
		}
		if !k.maps {
			s.first = reflect.MakeSlice(reflect.SliceOf(k.t), n, n).UnsafePointer()
			continue
		}
		s.maps = make([]unsafe.Pointer, n)
		for j := range s.maps {
			s.maps[j] = reflect.MakeMap(k.t).UnsafePointer()
		}
	}
}

func (r *reader) values(k *kind, s *section) {
	if k.maps {
		for i := range s.maps {
			r.entries(k, reflect.NewAt(k.t, unsafe.Pointer(&s.maps[i])).Elem())
		}
		return
	}
	size := k.t.Size()
	for i := range s.n {
		k.read(r, unsafe.Add(s.first, uintptr(i)*size))
	}
}

// finish calls what is to be called when everything is there.
func (r *reader) finish() {
	for t, after := range r.codec.after {
		k, ok := r.codec.known[t]
		if !ok {
			continue
		}
		s := &r.sections[k.id]
		for i := range s.n {
			after(unsafe.Add(s.first, uintptr(i)*t.Size()))
		}
	}
}

func (r *reader) entries(k *kind, m reflect.Value) {
	key, value := r.codec.known[k.t.Key()], r.codec.known[k.t.Elem()]
	for range r.count() {
		a, b := reflect.New(key.t), reflect.New(value.t)
		key.read(r, a.UnsafePointer())
		value.read(r, b.UnsafePointer())
		m.SetMapIndex(a.Elem(), b.Elem())
	}
}

func (r *reader) byte() byte {
	b := r.in[r.at]
	r.at++
	return b
}

func (r *reader) count() uint64 {
	if b := r.in[r.at]; b < 0x80 {
		r.at++
		return uint64(b)
	}
	n, size := binary.Uvarint(unsafe.Slice(unsafe.StringData(r.in), len(r.in))[r.at:])
	if size <= 0 {
		panic("a number is too long")
	}
	r.at += size
	return n
}

func (r *reader) fixed(size int) (n uint64) {
	for i, b := range []byte(r.in[r.at : r.at+size]) {
		n |= uint64(b) << (8 * i)
	}
	r.at += size
	return n
}

func (r *reader) text() string { return r.texts[r.count()] }

func (r *reader) pointer(to *kind) unsafe.Pointer {
	switch n := r.count(); n {
	case 0:
		return nil
	case 1:
		return r.outside[r.count()]
	default:
		return r.place(to, n-2, 1)
	}
}

// place is where n values of a type begin.
func (r *reader) place(k *kind, number uint64, n int) unsafe.Pointer {
	s := &r.sections[k.id]
	if n < 0 || number > uint64(s.n) || n > s.n-int(number) {
		panic("something is where nothing is")
	}
	return unsafe.Add(s.first, uintptr(number)*k.t.Size())
}

func (r *reader) slice(h *header, of *kind) {
	n := r.count()
	if n == 0 {
		return
	}
	h.len, h.cap = int(n-1), int(n-1)
	if h.len == 0 {
		h.p = reflect.MakeSlice(reflect.SliceOf(of.t), 0, 0).UnsafePointer()
		return
	}
	h.p = r.place(of, r.count(), h.len)
}

func (r *reader) mapping(k *kind) unsafe.Pointer {
	n := r.count()
	if n == 0 {
		return nil
	}
	return r.sections[k.id].maps[n-1]
}

func (r *reader) dynamic(into reflect.Value) {
	n := r.count()
	if n == 0 {
		return
	}
	k := r.codec.types[n-1]
	v := reflect.New(k.t)
	k.read(r, v.UnsafePointer())
	into.Set(v.Elem())
}

func (r *reader) list() []string {
	lengths := make([]int, min(r.count(), uint64(len(r.in))))
	for i := range lengths {
		lengths[i] = int(r.count())
	}
	texts := make([]string, len(lengths))
	for i, n := range lengths {
		texts[i] = r.in[r.at : r.at+n]
		r.at += n
	}
	return texts
}
