package legislation

import (
	"iter"
	"slices"
)

// Ordered is a map from names that remembers the order in which they were added, as Python's dict does.
// A nil *Ordered reads as an empty one.
type Ordered[V any] struct {
	keys   []string
	values map[string]V
}

// NewOrdered makes an empty map.
func NewOrdered[V any]() *Ordered[V] { return &Ordered[V]{values: make(map[string]V)} }

// Len counts the names.
func (o *Ordered[V]) Len() int {
	if o == nil {
		return 0
	}
	return len(o.keys)
}

// Get finds the value of a name.
func (o *Ordered[V]) Get(key string) (V, bool) {
	if o == nil {
		var none V
		return none, false
	}
	v, ok := o.values[key]
	return v, ok
}

// Set gives a name a value; a new name comes last, a known one keeps its place.
func (o *Ordered[V]) Set(key string, v V) {
	if _, known := o.values[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

// Delete takes a name out and tells whether it was there.
func (o *Ordered[V]) Delete(key string) bool {
	if _, known := o.Get(key); !known {
		return false
	}
	delete(o.values, key)
	o.keys = slices.Delete(o.keys, slices.Index(o.keys, key), slices.Index(o.keys, key)+1)
	return true
}

// Keys lists the names in order; the caller must not change the list.
func (o *Ordered[V]) Keys() []string {
	if o == nil {
		return nil
	}
	return o.keys
}

// All walks over the names and values in order.
func (o *Ordered[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		if o == nil {
			return
		}
		for _, k := range o.keys {
			if !yield(k, o.values[k]) {
				return
			}
		}
	}
}
