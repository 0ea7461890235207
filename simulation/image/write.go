package image

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

var errNoData = errors.New("it is no data")

// Outside names objects that are not written: those that whoever reads an image has too, by their addresses.
type Outside map[unsafe.Pointer]string

// Write writes the graph that begins at root, a pointer to a value of the codec's root type.
func (c *Codec) Write(root any, outside Outside) (data []byte, err error) {
	c.complete()
	defer func() {
		if r := recover(); r != nil {
			failed, ok := r.(*cannot)
			if !ok {
				panic(r)
			}
			data, err = nil, failed
		}
	}()
	w := &writer{codec: c, outside: outside, objects: make([][]object, len(c.kinds)), lengths: make([]int, len(c.kinds)), places: map[place]int{}, texts: map[string]int{}, used: map[string]int{}}
	start := reflect.ValueOf(root)
	if start.Type() != reflect.PointerTo(c.root) {
		return nil, fmt.Errorf("%s is not the root of this codec", start.Type())
	}
	w.pointer(start.UnsafePointer(), c.known[c.root])
	w.scan()
	return w.emit(), nil
}

// cannot is why a graph cannot be written.
type cannot struct {
	what reflect.Type
	in   reflect.Type
	err  error
}

func (c *cannot) Error() string {
	return fmt.Sprintf("%s, in %s, cannot be written: %v", c.what, c.in, c.err)
}

// object is one value of the graph, or several in a row, or a map.
type object struct {
	p unsafe.Pointer
	n int
}

// place is where something lies. What has one address may be of several types: a struct and its first field.
type place struct {
	p    unsafe.Pointer
	kind int
	n    int // elements of a slice, -1 for a value alone
}

// header is that of a slice.
type header struct {
	p        unsafe.Pointer
	len, cap int
}

// writer goes through the graph twice: first to find every object and number it, within its type, then to write them type by type.
type writer struct {
	codec   *Codec
	outside Outside
	out     []byte
	done    bool // all objects are found
	size    int  // of what was written to find them

	objects [][]object // by kind
	lengths []int      // values, by kind
	places  map[place]int
	waiting []waiting
	at      *kind // whose object is under way

	texts map[string]int
	order []string
	used  map[string]int // of outside
	names []string
}

type waiting struct {
	object
	*kind
}

func (w *writer) fail(k *kind, err error) { panic(&cannot{k.t, w.at.t, err}) }

// scan finds all objects.
func (w *writer) scan() {
	for len(w.waiting) > 0 {
		next := w.waiting[len(w.waiting)-1]
		w.waiting = w.waiting[:len(w.waiting)-1]
		w.object(next.kind, next.object)
		w.size += len(w.out)
		w.out = w.out[:0]
	}
}

// object writes one.
func (w *writer) object(k *kind, o object) {
	w.at = k
	if k.maps {
		w.entries(k, o.p)
		return
	}
	for i := range max(o.n, 1) {
		k.write(w, unsafe.Add(o.p, uintptr(i)*k.t.Size()))
	}
}

func (w *writer) entries(k *kind, p unsafe.Pointer) {
	m := reflect.NewAt(k.t, unsafe.Pointer(&p)).Elem()
	w.count(uint64(m.Len()))
	key, value := w.codec.known[k.t.Key()], w.codec.known[k.t.Elem()]
	for entry := m.MapRange(); entry.Next(); {
		w.copied(key, entry.Key())
		w.copied(value, entry.Value())
	}
}

// copied writes a value that has no address.
func (w *writer) copied(k *kind, v reflect.Value) {
	c := reflect.New(k.t)
	c.Elem().Set(v)
	k.write(w, c.UnsafePointer())
}

// number returns the number of something, within its type. n is how many values a slice has, -1 for a value alone.
func (w *writer) number(k *kind, p unsafe.Pointer, n int) int {
	at := place{p, k.id, n}
	number, ok := w.places[at]
	if ok {
		return number
	}
	if w.done {
		w.fail(k, errors.New("it changed meanwhile"))
	}
	number = w.lengths[k.id]
	w.places[at] = number
	w.lengths[k.id] += max(n, 1)
	w.objects[k.id] = append(w.objects[k.id], object{p, n})
	w.waiting = append(w.waiting, waiting{object{p, n}, k})
	return number
}

func (w *writer) count(n uint64) { w.out = binary.AppendUvarint(w.out, n) }
func (w *writer) fixed(n uint64, size int) {
	w.out = append(w.out, binary.LittleEndian.AppendUint64(nil, n)[:size]...)
}

func (w *writer) text(s string) {
	i, ok := w.texts[s]
	if !ok {
		i = len(w.order)
		w.texts[s] = i
		w.order = append(w.order, s)
	}
	w.count(uint64(i))
}

// A pointer is 0 for none, 1 and a number for something outside, else the number of the object, 2 higher.
func (w *writer) pointer(p unsafe.Pointer, to *kind) {
	if p == nil {
		w.count(0)
		return
	}
	if name, ok := w.outside[p]; ok {
		i, ok := w.used[name]
		if !ok {
			i = len(w.names)
			w.used[name] = i
			w.names = append(w.names, name)
		}
		w.count(1)
		w.count(uint64(i))
		return
	}
	w.count(uint64(w.number(to, p, -1)) + 2)
}

// A slice is 0 for none, else its length, 1 higher, and the number of its first element.
func (w *writer) slice(h *header, of *kind) {
	if h.p == nil {
		w.count(0)
		return
	}
	w.count(uint64(h.len) + 1)
	if h.len > 0 {
		w.count(uint64(w.number(of, h.p, h.len)))
	}
}

// A map is 0 for none, else its number, 1 higher.
func (w *writer) mapping(p unsafe.Pointer, k *kind) {
	if p == nil {
		w.count(0)
		return
	}
	w.count(uint64(w.number(k, p, -1)) + 1)
}

// What an interface holds is 0 for nothing, else the number of its type, 1 higher, and the value.
func (w *writer) dynamic(v reflect.Value) {
	if v.IsNil() {
		w.count(0)
		return
	}
	v = v.Elem()
	id, ok := w.codec.held[v.Type()]
	if !ok {
		panic(&cannot{v.Type(), w.at.t, errors.New("the codec does not know the type")})
	}
	w.count(id + 1)
	w.copied(w.codec.types[id], v)
}

// emit writes what scan found: the values of all types, how many there are, what is outside, the texts, and how long all but the values is.
func (w *writer) emit() []byte {
	for _, s := range w.order {
		w.size += len(s) + binary.MaxVarintLen32
	}
	w.done, w.out = true, make([]byte, 0, w.size+w.size/16)
	for id, objects := range w.objects {
		k := w.codec.kinds[id]
		for _, o := range objects {
			w.object(k, o)
		}
	}
	values := len(w.out)
	for _, n := range w.lengths {
		w.count(uint64(n))
	}
	w.list(w.names)
	w.list(w.order)
	return binary.LittleEndian.AppendUint64(w.out, uint64(len(w.out)-values))
}

func (w *writer) list(texts []string) {
	w.count(uint64(len(texts)))
	for _, s := range texts {
		w.count(uint64(len(s)))
	}
	for _, s := range texts {
		w.out = append(w.out, s...)
	}
}
