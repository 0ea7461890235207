package scenario

import (
	"slices"

	"edict/platform/heap"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// inputTable is what members say about variables. Keys tell entries apart: a variable on a period, however a form of documents
// tells whether periods are the same.
type inputTable[K comparable] struct {
	entries []entry
	keys    keyList[K]
	cells   heap.Slab[vector.Column]
	memory  *heap.Share // what entries take is held of it
}

// What an entry takes by itself, as an input that is set too, and for each member.
const (
	entryBytes = 512
	cellBytes  = 24 + 8 + 1
)

// entry is what is said about a variable on a period.
type entry struct {
	Input
	cells []vector.Column // by member
}

// find is the entry of a key, nil if there is none. It is good until another is added.
func (l *inputTable[K]) find(key K) *entry {
	if at := l.keys.index(key); at >= 0 {
		return &l.entries[at]
	}
	return nil
}

// add makes an entry, in the place of an earlier one with the same key, in which no member says anything yet. There may be no memory for it.
func (l *inputTable[K]) add(key K, in Input, members int) (*entry, error) {
	if err := l.memory.Take(entryBytes + int64(members)*cellBytes); err != nil {
		return nil, err
	}
	k := entry{in, l.cells.Take(members)}
	at := l.keys.index(key)
	if at < 0 {
		at = len(l.entries)
		l.keys.add(key)
		l.entries = append(l.entries, k)
	}
	l.entries[at] = k
	return &l.entries[at], nil
}

// appendInputs puts the columns together. Members that say nothing have the default.
func (l *inputTable[K]) appendInputs(out []Input, system *legislation.System) []Input {
	out = slices.Grow(out, len(l.entries))
	for i := range l.entries {
		k := &l.entries[i]
		k.fill()
		k.Values = assemble(k.Variable, system.Wide(), k.cells)
		out = append(out, k.Input)
	}
	return out
}

// fill gives the default to members that say nothing, and notes which they are.
func (k *entry) fill() {
	for i := range k.cells {
		if k.cells[i].Len() > 0 {
			continue
		}
		if k.silent == nil {
			k.silent = make([]bool, len(k.cells))
		}
		k.cells[i], k.silent[i] = k.Variable.Default, true
	}
}

// emptied is a table to be filled again.
func (l *inputTable[K]) emptied() inputTable[K] {
	l.cells.Reset()
	return inputTable[K]{entries: emptied(l.entries), keys: keyList[K]{list: emptied(l.keys.list)}, cells: l.cells}
}

// keyList finds keys: one by one while they are few.
type keyList[K comparable] struct {
	list  []K
	byKey map[K]int
}

const fewKeys = 16

// index is the position of a key, -1 if it is not there.
func (l *keyList[K]) index(key K) int {
	if l.byKey == nil {
		return slices.Index(l.list, key)
	}
	if at, ok := l.byKey[key]; ok {
		return at
	}
	return -1
}

// add appends a key that is not there yet.
func (l *keyList[K]) add(key K) {
	l.list = append(l.list, key)
	if l.byKey != nil {
		l.byKey[key] = len(l.list) - 1
	} else if len(l.list) > fewKeys {
		l.byKey = make(map[K]int, 4*fewKeys)
		for i, k := range l.list {
			l.byKey[k] = i
		}
	}
}

// mostKept bounds the lists that serve again.
const mostKept = 512

// emptied is a list to be filled again; one that grew large is left to the collector.
func emptied[T any](items []T) []T {
	if cap(items) > mostKept {
		return nil
	}
	clear(items[:cap(items)])
	return items[:0]
}
