package image

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Codec knows how values of a graph are written and read. It is made in the same way by whoever writes and whoever reads.
type Codec struct {
	root  reflect.Type
	kinds []*kind // in the order in which they were met
	known map[reflect.Type]*kind
	held  map[reflect.Type]uint64 // types that interfaces may hold, by number
	types []*kind                 // the same in their order

	zero   map[reflect.Type]bool
	left   map[field]bool
	stands map[reflect.Type]stand
	refers map[field]refer
	checks map[reflect.Type]func(unsafe.Pointer) error
	after  map[reflect.Type]func(unsafe.Pointer)
}

// field is one of a struct.
type field struct {
	of   reflect.Type
	name string
}

// kind is one type.
type kind struct {
	id    int
	t     reflect.Type
	maps  bool // of the maps themselves: values of their type are references to them
	write func(w *writer, p unsafe.Pointer)
	read  func(r *reader, p unsafe.Pointer)
}

// stand is how values of a type are written as those of another one.
type stand struct {
	as   reflect.Type
	to   func(p, as unsafe.Pointer) error
	from func(p, as unsafe.Pointer)
}

// New makes a codec for graphs that begin with a value of root's type.
func New(root any) *Codec {
	return &Codec{
		root: reflect.TypeOf(root), known: map[reflect.Type]*kind{}, held: map[reflect.Type]uint64{}, zero: map[reflect.Type]bool{}, left: map[field]bool{},
		stands: map[reflect.Type]stand{}, refers: map[field]refer{}, checks: map[reflect.Type]func(unsafe.Pointer) error{}, after: map[reflect.Type]func(unsafe.Pointer){},
	}
}

// Hold tells of types that interfaces in the graph may hold, by a value of each.
func (c *Codec) Hold(values ...any) {
	for _, v := range values {
		t := reflect.TypeOf(v)
		if _, twice := c.held[t]; !twice {
			c.held[t] = uint64(len(c.types))
			c.types = append(c.types, &kind{t: t})
		}
	}
}

// Zero leaves values of these types out: they are zero when they are read.
func (c *Codec) Zero(values ...any) {
	for _, v := range values {
		c.zero[reflect.TypeOf(v)] = true
	}
}

// Leave leaves fields of a struct out.
func (c *Codec) Leave(of any, names ...string) {
	t := reflect.TypeOf(of)
	for _, name := range names {
		if _, ok := t.FieldByName(name); !ok {
			panic(fmt.Sprintf("%s has no field %s", t, name))
		}
		c.left[field{t, name}] = true
	}
}

// Check has every value of a type looked at before it is written.
func Check[T any](c *Codec, check func(*T) error) {
	c.checks[reflect.TypeFor[T]()] = func(p unsafe.Pointer) error { return check((*T)(p)) }
}

// After has every value of a type that others point to looked at when all of them are read.
func After[T any](c *Codec, after func(*T)) {
	c.after[reflect.TypeFor[T]()] = func(p unsafe.Pointer) { after((*T)(p)) }
}

// Stand has values of type T written as those of S. to must give the same pointers each time; from may not follow pointers.
func Stand[T, S any](c *Codec, to func(*T) (S, error), from func(*T, *S)) {
	c.stands[reflect.TypeFor[T]()] = stand{
		as:   reflect.TypeFor[S](),
		to:   func(p, as unsafe.Pointer) (err error) { *(*S)(as), err = to((*T)(p)); return err },
		from: func(p, as unsafe.Pointer) { from((*T)(p), (*S)(as)) },
	}
}

// refer is a pointer of a type that only the other fields of its struct tell.
type refer struct {
	to    func(p unsafe.Pointer) (t reflect.Type, n int)
	types []reflect.Type
}

// Refer tells what a field of T, an unsafe.Pointer, points to: n values of a type, or with n of -1 one that others may point to as well. to is
// asked when the other fields are there, and gives one of types, or nil for what cannot be written.
func Refer[T any](c *Codec, name string, to func(*T) (t reflect.Type, n int), types ...any) {
	r := refer{to: func(p unsafe.Pointer) (reflect.Type, int) { return to((*T)(p)) }}
	for _, v := range types {
		r.types = append(r.types, reflect.TypeOf(v))
	}
	c.refers[field{reflect.TypeFor[T](), name}] = r
}

// complete builds what writes and reads every type. It is called once, by the first Write or Read.
func (c *Codec) complete() {
	if len(c.kinds) > 0 {
		return
	}
	c.kind(c.root)
	for i, k := range c.types {
		c.types[i] = c.kind(k.t)
	}
}

// kind returns what is known of a type.
func (c *Codec) kind(t reflect.Type) *kind {
	if k, ok := c.known[t]; ok {
		return k
	}
	k := &kind{id: len(c.kinds), t: t}
	c.known[t] = k
	c.kinds = append(c.kinds, k)
	if c.zero[t] {
		k.write, k.read = func(*writer, unsafe.Pointer) {}, func(*reader, unsafe.Pointer) {}
		return k
	}
	if s, ok := c.stands[t]; ok {
		c.standing(k, s)
		return k
	}
	c.build(k)
	if check, ok := c.checks[t]; ok {
		write := k.write
		k.write = func(w *writer, p unsafe.Pointer) {
			if err := check(p); err != nil {
				w.fail(k, err)
			}
			write(w, p)
		}
	}
	return k
}

func (c *Codec) standing(k *kind, s stand) {
	as := c.kind(s.as)
	k.write = func(w *writer, p unsafe.Pointer) {
		v := reflect.New(s.as).UnsafePointer()
		if err := s.to(p, v); err != nil {
			w.fail(k, err)
		}
		as.write(w, v)
	}
	k.read = func(r *reader, p unsafe.Pointer) {
		v := reflect.New(s.as).UnsafePointer()
		as.read(r, v)
		s.from(p, v)
	}
}

func (c *Codec) build(k *kind) {
	switch k.t.Kind() {
	case reflect.Struct:
		c.structure(k)
	case reflect.Array:
		c.array(k)
	case reflect.Pointer:
		to := c.kind(k.t.Elem())
		k.write = func(w *writer, p unsafe.Pointer) { w.pointer(*(*unsafe.Pointer)(p), to) }
		k.read = func(r *reader, p unsafe.Pointer) { *(*unsafe.Pointer)(p) = r.pointer(to) }
	case reflect.Slice:
		of := c.kind(k.t.Elem())
		k.write = func(w *writer, p unsafe.Pointer) { w.slice((*header)(p), of) }
		k.read = func(r *reader, p unsafe.Pointer) { r.slice((*header)(p), of) }
	case reflect.Map:
		c.mapping(k)
	case reflect.Interface:
		k.write = func(w *writer, p unsafe.Pointer) { w.dynamic(reflect.NewAt(k.t, p).Elem()) }
		k.read = func(r *reader, p unsafe.Pointer) { r.dynamic(reflect.NewAt(k.t, p).Elem()) }
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		k.write = func(w *writer, p unsafe.Pointer) {
			if *(*unsafe.Pointer)(p) != nil {
				w.fail(k, errNoData)
			}
		}
		k.read = func(*reader, unsafe.Pointer) {}
	default:
		c.scalar(k)
	}
}

// part is a field of a struct that is written.
type part struct {
	at uintptr
	*kind
}

func (c *Codec) structure(k *kind) {
	var parts, last []part
	for f := range k.t.Fields() {
		if f.Name == "_" || c.left[field{k.t, f.Name}] {
			continue
		}
		if r, ok := c.refers[field{k.t, f.Name}]; ok {
			last = append(last, c.referring(r, f))
			continue
		}
		of := c.kind(f.Type)
		parts = append(parts, part{f.Offset, of})
	}
	parts = append(parts, last...)
	k.write = func(w *writer, p unsafe.Pointer) {
		for i := range parts {
			parts[i].write(w, unsafe.Add(p, parts[i].at))
		}
	}
	k.read = func(r *reader, p unsafe.Pointer) {
		for i := range parts {
			parts[i].read(r, unsafe.Add(p, parts[i].at))
		}
	}
}

// referring is a field that is written last, and read with the address of the whole struct.
func (c *Codec) referring(r refer, f reflect.StructField) part {
	for _, t := range r.types {
		c.kind(t)
	}
	k := &kind{t: f.Type}
	k.write = func(w *writer, p unsafe.Pointer) {
		to := *(*unsafe.Pointer)(unsafe.Add(p, f.Offset))
		if to == nil {
			w.count(0)
			return
		}
		t, n := r.to(p)
		if t == nil {
			w.fail(k, errNoData)
		}
		if n < 0 {
			w.pointer(to, c.known[t])
			return
		}
		w.count(uint64(w.number(c.known[t], to, n)) + 1)
	}
	k.read = func(in *reader, p unsafe.Pointer) {
		at := in.at
		number := in.count()
		if number == 0 {
			return
		}
		t, n := r.to(p)
		if n < 0 {
			in.at = at
			*(*unsafe.Pointer)(unsafe.Add(p, f.Offset)) = in.pointer(c.known[t])
			return
		}
		*(*unsafe.Pointer)(unsafe.Add(p, f.Offset)) = in.place(c.known[t], number-1, n)
	}
	return part{0, k}
}

func (c *Codec) mapping(k *kind) {
	c.kind(k.t.Key())
	c.kind(k.t.Elem())
	itself := &kind{id: len(c.kinds), t: k.t, maps: true}
	c.kinds = append(c.kinds, itself)
	k.write = func(w *writer, p unsafe.Pointer) { w.mapping(*(*unsafe.Pointer)(p), itself) }
	k.read = func(r *reader, p unsafe.Pointer) { *(*unsafe.Pointer)(p) = r.mapping(itself) }
}

func (c *Codec) array(k *kind) {
	of, n := c.kind(k.t.Elem()), k.t.Len()
	k.write = func(w *writer, p unsafe.Pointer) {
		for i := range n {
			of.write(w, unsafe.Add(p, uintptr(i)*of.t.Size()))
		}
	}
	k.read = func(r *reader, p unsafe.Pointer) {
		for i := range n {
			of.read(r, unsafe.Add(p, uintptr(i)*of.t.Size()))
		}
	}
}
