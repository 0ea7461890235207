package vector

import (
	"slices"
	"unsafe"
)

// Operations as a tape writes them down: each with a key, by which the same operation on the same columns is known again.

func anyTaped(cs []Column) bool {
	for _, c := range cs {
		if c.Taped() {
			return true
		}
	}
	return false
}

func (r *Rules) recordSelect(conds, choices []Column, otherwise Column) (Column, error) {
	n := len(conds)
	all := append(append(append(make([]Column, 0, 2*n+1), conds...), choices...), otherwise)
	return record(step{moves: true, key: selectKey(n)}, r, all...)
}

func (r *Rules) recordClip(a Column, lo, hi *Column) (Column, error) {
	all := []Column{a}
	for _, bound := range []*Column{lo, hi} {
		if bound != nil {
			all = append(all, *bound)
		}
	}
	return record(step{key: clipKey{lo != nil, hi != nil}}, r, all...)
}

func (c Column) tapeAs(f Form) Column {
	if c.Form() == f {
		return c
	}
	return recordKeyed(asKey(f), c)
}

func recordGather(c Column, index []int32) Column {
	t := tapeOf(c)
	if t == nil {
		return c.Plain().Gather(index)
	}
	if t.rowTape != nil {
		return t.recordRowGather(c, index)
	}
	key := keyOf(index)
	index = kept(t.indexes, key, index)
	return recordOne(gatherKey(key), func(c Column) Column { return c.Gather(index) }, c)
}

func recordGroups(what string, do func(Column, []int32, int, []bool) Column, c Column, index []int32, n int, mask []bool) Column {
	t := tapeOf(c)
	if t == nil {
		return do(c.Plain(), index, n, mask)
	}
	if t.rowTape != nil {
		return t.recordRowGroups(what, do, c, index, n, mask)
	}
	key := groupKey{what, keyOf(index), keyOf(mask), mask != nil, n}
	index, mask = kept(t.indexes, key.index, index), kept(t.masks, key.mask, mask)
	return recordOne(key, func(c Column) Column { return do(c, index, n, mask) }, c)
}

// keyOf is what a slice holds, to be compared: its owner may use it again.
func keyOf[T int32 | bool](data []T) string {
	var size T
	return string(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(size))))
}

// kept gives a copy of a slice, the same one for all that hold the same.
func kept[T any](known map[string][]T, key string, data []T) []T {
	if data == nil {
		return nil
	}
	copied, ok := known[key]
	if !ok {
		copied = slices.Clone(data)
		known[key] = copied
	}
	return copied
}

// promoted gives columns whose types are asked for: of arrays that is all that counts, of scalars their values may.
func promoted(cs []Column) []Column {
	out := make([]Column, len(cs))
	for i, c := range cs {
		if out[i] = c.Plain(); !c.IsArray() {
			out[i] = c.Looked()
		}
	}
	return out
}

// Keys of operations.
type (
	asKey     Form
	spreadKey int
	atKey     int
	selectKey int
	clipKey   struct{ low, high bool }
	groupKey  struct {
		what        string
		index, mask string
		masked      bool
		groups      int
	}
	gatherKey string
	unaryKey  Op
	intoKey   Op
	roundKey  int
	namedKey  string
	// Of a place in what is sorted: whether it is to the right.
	searchKey   bool
	digitizeKey bool
)
