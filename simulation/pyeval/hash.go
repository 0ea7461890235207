package pyeval

// This file defines which values are equal as keys of dicts and sets.

import (
	"fmt"
	"math"
	"strconv"

	"edict/simulation/vector"
)

// key is what a dict finds a value by: equal values have equal keys. 1, 1.0 and True share one.
type key struct {
	kind byte
	n    int64
	s    string
	x    any
}

// keyIn returns the key of a value in a dict. Instances whose class has __hash__ share a key only if
// they are equal; unequal ones with the same hash are told apart by a number.
func (th *Thread) keyIn(d *Dict, v Value) key {
	k := th.hash(v)
	if k.kind != 'H' {
		return k
	}
	free := -1
	for i := 0; i <= d.chain; i++ {
		k.s = strconv.Itoa(i)
		at, taken := d.find(&k)
		switch {
		case taken && th.Equal(d.entries[at].key(), v):
			return k
		case !taken && free < 0:
			free = i
		}
	}
	if free < 0 {
		free = d.chain + 1
	}
	k.s = strconv.Itoa(free)
	return k
}

// hash returns the key of a value, or raises for what can change.
func (th *Thread) hash(v Value) key {
	switch o := v.o.(type) {
	case nil:
		return th.hashColumn(v.c)
	case Str:
		return key{kind: 's', s: string(o)}
	case Bytes:
		return key{kind: 'b', s: string(o)}
	case *bigInt:
		return key{kind: 'i', s: o.big().Text(16)}
	case *Tuple:
		text, by := th.hashText(o.items)
		return key{kind: by, s: text}
	case *List, *Dict:
		th.unhashable(v)
	case *Set:
		if !o.immutable {
			th.unhashable(v)
		}
		return key{kind: 'f', s: th.hashSet(o)}
	case *Instance:
		return th.hashInstance(o)
	case Hasher:
		return key{kind: 'h', x: o.HashKey(th)}
	}
	if !canCompare(v.o) {
		th.unhashable(v)
	}
	return key{kind: 'o', x: v.o}
}

func (th *Thread) unhashable(v Value) {
	th.Raise(TypeError, "unhashable type: '%s'", TypeName(v))
}

func (th *Thread) hashColumn(c vector.Column) key {
	if c.IsArray() {
		th.unhashable(Value{c: c})
	}
	switch c.Type() {
	case vector.Float32, vector.Float64:
		f := c.Float(0)
		if i, ok := floatIsInt(f); ok {
			return key{kind: 'i', n: i}
		}
		return key{kind: 'f', n: int64(math.Float64bits(f))}
	case vector.Str:
		return key{kind: 's', s: c.Text(0)}
	case vector.Bytes:
		return key{kind: 'b', s: c.Text(0)}
	case vector.Date, vector.Duration:
		return key{kind: 'd', n: c.Int(0), s: c.DType().String()}
	}
	return key{kind: 'i', n: c.Int(0)}
}

// addressed is the kind of the key of a tuple that is told from others by the addresses of objects in it.
const addressed = 'T'

// hashText writes the keys of several values as one text, and tells of what kind the key of a tuple of them is.
func (th *Thread) hashText(items []Value) (text string, kind byte) {
	th.Nest(1)
	kind = 't'
	b := TextBuilder{th: th}
	for _, v := range items {
		th.step()
		k := th.hash(v)
		b.Add(fmt.Sprintf("%c%d,%d:", k.kind, k.n, len(k.s)))
		b.Add(k.s)
		if k.x != nil {
			b.Add(fmt.Sprintf("%p%v", k.x, identityText(k.x)))
		}
		if k.x != nil || k.kind == addressed {
			kind = addressed
		}
		b.Add(";")
	}
	th.Nest(-1)
	return b.String(), kind
}

// identityText tells host keys that are plain values apart; pointers are told by their address.
func identityText(x any) any {
	if _, isObject := x.(Object); isObject {
		return ""
	}
	return x
}

func (th *Thread) hashSet(s *Set) string {
	n := int64(0)
	s.d.each(func(k, _ Value) {
		th.step()
		text, _ := th.hashText([]Value{k})
		for _, c := range text {
			n = n*31 + int64(c)
		}
	})
	return fmt.Sprint(s.d.Len(), n)
}

// hashInstance follows __hash__; a class with __eq__ and without __hash__ cannot be a key.
func (th *Thread) hashInstance(o *Instance) key {
	if f, ok := o.class.Lookup("__hash__"); ok && !f.IsNone() {
		n, _ := th.InvokeKw(f, []Value{Obj(o)}, nil).AsInt()
		return key{kind: 'H', n: n, x: o.class}
	}
	if _, ok := o.class.Lookup("__eq__"); ok {
		th.unhashable(Obj(o))
	}
	if h, ok := o.Host.(Hasher); ok {
		return key{kind: 'h', x: h.HashKey(th)}
	}
	return key{kind: 'o', x: o}
}

// hashNumber is hash(): any number that equal values share.
func (th *Thread) hashNumber(v Value) int64 {
	k := th.hash(v)
	if k.kind == 'i' && k.s == "" {
		return k.n
	}
	h := uint64(14695981039346656037)
	for _, c := range fmt.Sprintf("%c%d%s%v", k.kind, k.n, k.s, k.x) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return int64(h >> 1)
}
