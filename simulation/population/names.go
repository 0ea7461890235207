package population

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Most groups have names of up to eight bytes. Those are kept as words: a chunk has a third of the memory to go through, and writes them without
// another look at the file.

// add gives the next group a name, which is borrowed; nil is none.
func (m *membership) add(name []byte) {
	word := uint64(0)
	if len(name) > 0 && name[0] != '\n' { // as one in quotes may begin
		word = wordOf(name, newlines)
	}
	if word == 0 {
		m.fitLong()
		if len(name) > 0 {
			m.long = append(slices.Grow(m.long, len(m.names)+1-len(m.long))[:len(m.names)], name)
		}
	}
	m.names = append(m.names, word)
}

// fitLong takes away the names of groups that are no more. What lies behind is empty.
func (m *membership) fitLong() {
	if n := len(m.names); n < len(m.long) {
		clear(m.long[n:])
		m.long = m.long[:n]
	}
}

// addAll gives the next groups the names of another membership.
func (m *membership) addAll(n membership) {
	m.fitLong()
	if len(n.long) > 0 {
		m.long = append(slices.Grow(m.long, len(m.names)-len(m.long))[:len(m.names)], n.long...)
	}
	m.names = append(m.names, n.names...)
}

// appendName adds the name of a group to a text.
func (m *membership) appendName(out []byte, i int) []byte {
	if m.names[i] == 0 {
		if i < len(m.long) {
			out = append(out, m.long[i]...)
		}
		return out
	}
	var text [8]byte
	word, n := textOf(m.names[i])
	binary.LittleEndian.PutUint64(text[:], word)
	return append(out, text[:n]...)
}

// name is what a group is called.
func (m *membership) name(i int) []byte { return m.appendName(nil, i) }

// textOf gives the n bytes of a text that is a word behind ends of lines, the first lowest, below others.
func textOf(word uint64) (text uint64, n int) {
	missing := bits.TrailingZeros64(word^newlines) &^ 7
	return word >> missing, 8 - missing/8
}

// ids is a column of the output that says who its rows are about.
type ids struct {
	names []uint64 // words, some of them 0; nil for a column of texts alone
	of    []int32  // the name that each row has; nil: its own
	text  func(row int) []byte
}

// word is the name of a row if it is a word, 0 otherwise.
func (d *ids) word(row int) uint64 {
	switch {
	case d.names == nil:
		return 0
	case d.of != nil:
		row = int(d.of[row])
	}
	return d.names[row]
}

// idsOf names groups, or those of each person. A text is good until the next one is asked for.
func idsOf(m *membership, of []int32) ids {
	var room []byte
	return ids{m.names, of, func(row int) []byte {
		if of != nil {
			row = int(of[row])
		}
		room = m.appendName(slices.Grow(room[:0], 8), row)
		return room
	}}
}
