package legislation

import (
	"iter"
	"slices"
	"sync"
)

// Ordered is a map from names that remembers the order in which they were added, as Python's dict does.
// A nil *Ordered reads as an empty one.
type Ordered[V any] struct {
	keys   []string
	values []V
	// index finds a key once there are many; few are searched one by one.
	index map[string]int
	// late makes the content when somebody looks at it.
	late *lateOrdered[V]
}

// lateOrdered is the content of a map that nobody looked at yet.
type lateOrdered[V any] struct {
	once sync.Once
	fill func() *Ordered[V]
}

// ready makes the content. The maps of a tree in use are read by many goroutines.
func (o *Ordered[V]) ready() {
	if o == nil || o.late == nil {
		return
	}
	o.late.once.Do(func() {
		full := o.late.fill()
		o.keys, o.values, o.index, o.late.fill = full.keys, full.values, full.index, nil
	})
}

const (
	fewKeys  = 16
	roomKeys = 4 // of a map that is filled one by one
)

// NewOrdered makes an empty map.
func NewOrdered[V any]() *Ordered[V] { return &Ordered[V]{} }

// OrderedOf makes a map of names and their values, which both belong to it from then on. Of a name that occurs twice the
// last value counts, in the place of the first.
func OrderedOf[V any](keys []string, values []V) Ordered[V] {
	if len(keys) <= fewKeys {
		for i := 1; i < len(keys); i++ {
			if slices.Contains(keys[:i], keys[i]) {
				return orderedOneByOne(keys, values)
			}
		}
		return Ordered[V]{keys: keys, values: values}
	}
	o := Ordered[V]{keys: keys, values: values}
	if o.reindex(); len(o.index) < len(keys) {
		return orderedOneByOne(keys, values)
	}
	return o
}

// orderedOneByOne is OrderedOf for names that do occur twice.
func orderedOneByOne[V any](keys []string, values []V) Ordered[V] {
	var o Ordered[V]
	for i, key := range keys {
		o.Set(key, values[i])
	}
	return o
}

// Len counts the names.
func (o *Ordered[V]) Len() int {
	o.ready()
	if o == nil {
		return 0
	}
	return len(o.keys)
}

func (o *Ordered[V]) find(key string) int {
	o.ready()
	if o == nil {
		return -1
	}
	if o.index == nil {
		return slices.Index(o.keys, key)
	}
	if i, ok := o.index[key]; ok {
		return i
	}
	return -1
}

// Index is the position of a name, -1 if it is not there.
func (o *Ordered[V]) Index(key string) int { return o.find(key) }

// Get finds the value of a name.
func (o *Ordered[V]) Get(key string) (V, bool) {
	if i := o.find(key); i >= 0 {
		return o.values[i], true
	}
	var none V
	return none, false
}

// Set gives a name a value; a new name comes last, a known one keeps its place.
func (o *Ordered[V]) Set(key string, v V) {
	if i := o.find(key); i >= 0 {
		o.values[i] = v
		return
	}
	if o.keys == nil {
		o.keys, o.values = make([]string, 0, roomKeys), make([]V, 0, roomKeys)
	}
	o.keys = append(o.keys, key)
	o.values = append(o.values, v)
	if o.index != nil {
		o.index[key] = len(o.keys) - 1
	} else if len(o.keys) > fewKeys {
		o.reindex()
	}
}

// Copy gives a map with the same names and values that changes alone.
func (o *Ordered[V]) Copy() *Ordered[V] {
	c := NewOrdered[V]()
	for k, v := range o.All() {
		c.Set(k, v)
	}
	return c
}

// withOwnValues gives a map with the same names, for ever, whose values may change.
func (o *Ordered[V]) withOwnValues() *Ordered[V] {
	o.ready()
	return &Ordered[V]{keys: slices.Clip(o.keys), values: slices.Clone(o.values), index: o.index}
}

// Delete takes a name out and tells whether it was there.
func (o *Ordered[V]) Delete(key string) bool {
	i := o.find(key)
	if i < 0 {
		return false
	}
	o.keys = slices.Delete(o.keys, i, i+1)
	o.values = slices.Delete(o.values, i, i+1)
	if o.index != nil {
		o.reindex()
	}
	return true
}

func (o *Ordered[V]) reindex() {
	o.index = make(map[string]int, 2*len(o.keys))
	for i, k := range o.keys {
		o.index[k] = i
	}
}

// Keys lists the names in order; the caller must not change the list.
func (o *Ordered[V]) Keys() []string {
	o.ready()
	if o == nil {
		return nil
	}
	return o.keys
}

// Ref is the place of the value at a position; it is good until the map changes.
func (o *Ordered[V]) Ref(i int) *V { return &o.values[i] }

// All walks over the names and values in order.
func (o *Ordered[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		o.ready()
		if o == nil {
			return
		}
		for i, k := range o.keys {
			if !yield(k, o.values[i]) {
				return
			}
		}
	}
}
