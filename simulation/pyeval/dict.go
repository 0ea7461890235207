package pyeval

// This file defines dict: entries in the order of insertion, found by the key of hash.go, perhaps shared until somebody changes them.

import (
	"maps"
	"slices"
	"strconv"
)

// Dict is a Python dict: insertion order, any hashable key.
type Dict struct {
	entries []entry
	texts   map[string]int // where the entries of str keys are; nil while there are few
	index   map[key]int    // where all others are; nil while there are few
	dead    int            // entries deleted and not yet removed
	chain   int            // how many unequal keys share a hash, at most
	frozen  bool
	shared  bool        // entries and maps belong to other dicts too: copied before a change
	of      *columnPair // what entries are made of when they are needed; nil once they are there
}

// entry has a text for its key, nearly always, or another one; one that was deleted has none.
type entry struct {
	v     Value
	text  Object // a Str
	other *otherKey
}

type otherKey struct {
	hash key
	v    Value
}

func newEntry(k key, name, v Value) entry {
	if _, ok := name.o.(Str); ok {
		return entry{v: v, text: name.o}
	}
	return entry{v: v, other: &otherKey{k, name}}
}

func (e *entry) live() bool { return e.text != nil || e.other != nil }

func (e *entry) key() Value {
	if e.text != nil {
		return Value{o: e.text}
	}
	return e.other.v
}

// lookup is the key that the entry is found by.
func (e *entry) lookup() key {
	if text, ok := e.text.(Str); ok {
		return key{kind: 's', s: string(text)}
	}
	return e.other.hash
}

// NewDict makes an empty dict.
func NewDict() *Dict { return &Dict{} }

// NewDictFor makes an empty dict with room for n entries of str keys.
func NewDictFor(n int) *Dict {
	d := &Dict{entries: make([]entry, 0, n)}
	if n > fewEntries {
		d.texts = make(map[string]int, n)
	}
	return d
}

// share gives a dict with the entries of a shared one.
func (d *Dict) share() *Dict {
	out := *d
	return &out
}

// own makes the entries the dict's own before a change.
func (d *Dict) own() {
	if d.shared {
		if d.of != nil {
			d.fill()
		} else {
			d.entries = slices.Clone(d.entries)
		}
		d.texts, d.index = maps.Clone(d.texts), maps.Clone(d.index)
		d.shared = false
	}
}

// Merge is d.update(other). A dict without entries has those of the other, as long as neither changes.
func (d *Dict) Merge(other *Dict) {
	if len(d.entries) == 0 && d.of == nil {
		other.fill()
		frozen := d.frozen
		other.shared = true
		*d = *other
		d.frozen = frozen
		return
	}
	other.Items(func(k, v Value) bool {
		if name, ok := k.AsString(); ok {
			if old, has := d.Get(name); has && Same(old, v) {
				return true
			}
		}
		d.Set(k, v)
		return true
	})
}

// Type implements [Object].
func (*Dict) Type() *Class { return dictType }

// Len returns the number of entries.
func (d *Dict) Len() int {
	if d.of != nil {
		return len(d.texts)
	}
	return len(d.entries) - d.dead
}

// find returns where a key's entry is.
func (d *Dict) find(k *key) (int, bool) {
	if k.kind == 's' {
		if d.texts == nil {
			return d.search(k)
		}
		i, ok := d.texts[k.s]
		return i, ok
	}
	if d.index == nil {
		return d.search(k)
	}
	i, ok := d.index[*k]
	return i, ok
}

// fewEntries are searched one by one, which is faster than a map and takes a third of the memory.
const fewEntries = 8

// search finds an entry among few. Among many there is none that no map knows.
func (d *Dict) search(k *key) (int, bool) {
	if len(d.entries) > fewEntries {
		return 0, false
	}
	for i := range d.entries {
		e := &d.entries[i]
		if text, ok := e.text.(Str); ok {
			if string(text) == k.s && k.kind == 's' {
				return i, true
			}
		} else if e.other != nil && e.other.hash == *k {
			return i, true
		}
	}
	return 0, false
}

// place notes where a key's entry is.
func (d *Dict) place(k *key, at int) {
	if k.kind == 's' {
		if d.texts != nil {
			d.texts[k.s] = at
		}
	} else if d.index != nil {
		d.index[*k] = at
	}
}

// reindex notes where all entries are that have no map yet, once there are more than few.
func (d *Dict) reindex() {
	texts, others := d.texts == nil, d.index == nil
	if texts {
		d.texts = make(map[string]int, 2*fewEntries)
	}
	if others {
		d.index = map[key]int{}
	}
	for i := range d.entries {
		if e := &d.entries[i]; e.text != nil && texts || e.other != nil && others {
			k := e.lookup()
			d.place(&k, i)
		}
	}
}

func (d *Dict) get(k key) (Value, bool) {
	i, ok := d.find(&k)
	if !ok {
		return Value{}, false
	}
	if d.of != nil {
		return d.of.at(i), true
	}
	return d.entries[i].v, true
}

func (d *Dict) put(k key, name, v Value) {
	d.own()
	if i, ok := d.find(&k); ok {
		d.entries[i].v = v
		return
	}
	if k.kind == 'H' {
		n, _ := strconv.Atoi(k.s)
		d.chain = max(d.chain, n)
	}
	d.place(&k, len(d.entries))
	d.entries = append(d.entries, newEntry(k, name, v))
	if len(d.entries) > fewEntries && (d.texts == nil || d.index == nil) {
		d.reindex()
	}
}

func (d *Dict) remove(k key) (Value, bool) {
	d.own()
	i, ok := d.find(&k)
	if !ok {
		return Value{}, false
	}
	v := d.entries[i].v
	d.entries[i] = entry{}
	if k.kind == 's' {
		delete(d.texts, k.s)
	} else {
		delete(d.index, k)
	}
	d.dead++
	if d.dead > 16 && d.dead > len(d.entries)/2 {
		d.compact()
	}
	return v, true
}

func (d *Dict) compact() {
	d.entries = slices.DeleteFunc(d.entries, func(e entry) bool { return !e.live() })
	d.dead = 0
	for i := range d.entries {
		k := d.entries[i].lookup()
		d.place(&k, i)
	}
}

// Get returns the value of a str key.
func (d *Dict) Get(name string) (Value, bool) { return d.get(key{kind: 's', s: name}) }

// Set sets a key, which must be a str, int or another value of Go's own; [Thread.SetKey] takes any.
func (d *Dict) Set(name, v Value) {
	if s, ok := name.AsString(); ok {
		d.put(key{kind: 's', s: s}, name, v)
		return
	}
	d.put((*Thread)(nil).hash(name), name, v)
}

// SetKey sets any key of a dict, and raises for one that cannot be.
func (th *Thread) SetKey(d *Dict, k, v Value) {
	th.mayChange(d.frozen, Obj(d))
	th.step()
	th.Alloc(entryBytes)
	d.put(th.keyIn(d, k), k, v)
}

// each calls f for every entry in order.
func (d *Dict) each(f func(k, v Value)) {
	d.fill()
	for i := range d.entries {
		if e := &d.entries[i]; e.live() {
			f(e.key(), e.v)
		}
	}
}

// Items calls yield for every entry in order until it returns false.
func (d *Dict) Items(yield func(k, v Value) bool) {
	d.fill()
	for i := range d.entries {
		if e := &d.entries[i]; e.live() && !yield(e.key(), e.v) {
			return
		}
	}
}

func (d *Dict) copy() *Dict {
	d.fill()
	out := NewDict()
	out.chain = d.chain
	for _, e := range d.entries {
		if e.live() {
			out.put(e.lookup(), e.key(), e.v)
		}
	}
	return out
}

// CopyDict is d.copy(), counted.
func (th *Thread) CopyDict(d *Dict) *Dict {
	th.AllocMany(d.Len(), entryBytes)
	return d.copy()
}

func (d *Dict) keys() []Value {
	out := make([]Value, 0, d.Len())
	d.each(func(k, _ Value) { out = append(out, k) })
	return out
}

// Item implements [Indexer].
func (d *Dict) Item(th *Thread, k Value) Value {
	if v, ok := d.get(th.keyIn(d, k)); ok {
		return v
	}
	th.RaiseKey(k)
	return Value{}
}

// RaiseKey raises KeyError. Its text is the key alone, as in Python: a hint would change str(e).
func (th *Thread) RaiseKey(k Value) {
	panic(&raised{newException(KeyError, k)})
}

// SetItem implements [ItemSetter].
func (d *Dict) SetItem(th *Thread, k Value, v *Value) {
	if v != nil {
		th.SetKey(d, k, *v)
		return
	}
	th.mayChange(d.frozen, Obj(d))
	if _, ok := d.remove(th.keyIn(d, k)); !ok {
		th.RaiseKey(k)
	}
}

// toDict reads a dict, or pairs, as dict() does.
func (th *Thread) toDict(v Value) *Dict {
	switch o := v.o.(type) {
	case *Dict:
		return o
	case *moduleDict:
		return o.copy(th)
	case moduleDict:
		return o.copy(th)
	}
	out := NewDict()
	if keys, ok := th.Attr(v, "keys"); ok {
		th.Each(th.InvokeKw(keys, nil, nil), func(k Value) bool {
			th.step()
			th.SetKey(out, k, th.Index(v, k))
			return true
		})
		return out
	}
	th.Each(v, func(pair Value) bool {
		th.step()
		kv := th.Collect(pair)
		if len(kv) != 2 {
			th.Raise(ValueError, "dictionary update sequence element #%d has length %d; 2 is required", out.Len(), len(kv))
		}
		th.SetKey(out, kv[0], kv[1])
		return true
	})
	return out
}

// dictView is d.keys(), d.values() or d.items(): it follows the dict.
type dictView struct {
	d    *Dict
	kind byte // 'k', 'v' or 'i'
}

func (v dictView) Type() *Class {
	switch v.kind {
	case 'k':
		return dictKeysType
	case 'v':
		return dictValuesType
	}
	return dictItemsType
}

func (v dictView) of(e *entry) Value {
	switch v.kind {
	case 'k':
		return e.key()
	case 'v':
		return e.v
	}
	return NewTuple([]Value{e.key(), e.v})
}

// Each implements [Iterable].
func (v dictView) Each(th *Thread, yield func(Value) bool) {
	v.d.fill()
	n := v.d.Len()
	for i := 0; i < len(v.d.entries); i++ {
		th.step()
		if e := &v.d.entries[i]; e.live() && !yield(v.of(e)) {
			return
		}
		if v.d.Len() != n {
			th.Raise(RuntimeError, "dictionary changed size during iteration")
		}
	}
}

// Len implements [Lener].
func (v dictView) Len(*Thread) int { return v.d.Len() }

// Contains implements [Container].
func (v dictView) Contains(th *Thread, x Value) bool {
	if v.kind == 'k' {
		_, ok := v.d.get(th.keyIn(v.d, x))
		return ok
	}
	found := false
	v.Each(th, func(y Value) bool {
		th.step()
		found = th.Equal(x, y)
		return !found
	})
	return found
}

// set gives the elements as a set, for comparisons and set operators.
func (v dictView) set(th *Thread) *Set {
	s := newSet(false)
	v.Each(th, func(x Value) bool {
		th.step()
		s.add(th, x)
		return true
	})
	return s
}
