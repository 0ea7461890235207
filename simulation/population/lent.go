package population

import (
	"sync/atomic"

	"edict/platform/heap"
)

// Rows, the tables that cut them into fields, and who belongs to which group are in memory that is used again: chunk after chunk of a
// file needs as much, and memory that comes from the system anew has to be cleared and mapped first. What is not given
// back is garbage like any other.

// block is bytes of a file, which several batches may have rows in.
type block struct {
	users atomic.Int32
	bytes []byte
}

var (
	blocks  heap.Pool[block]
	batches heap.Pool[csvBatch]
	chunks  heap.Pool[chunk]
)

// newBlock lends room for so many bytes, for one user.
func newBlock(size int) *block {
	b := blocks.Get()
	if cap(b.bytes) < size {
		b.bytes = make([]byte, max(size, csvBlock*3/2)) // what all but the largest need
	}
	b.bytes = b.bytes[:size]
	b.users.Store(1)
	return b
}

func (b *block) hold() { b.users.Add(1) }

func (b *block) release() {
	if b != nil && b.users.Add(-1) == 0 {
		blocks.Put(b)
	}
}

// newBatch lends an empty batch of the bytes at hand, for one user.
func (s *csvSource) newBatch() *csvBatch {
	s.block.hold()
	b := batches.Get()
	b.width, b.line, b.data, b.block, b.base, b.origin = len(s.names), s.line, s.rest, s.block, s.at(), s.origin
	b.users.Store(1)
	return b
}

func (b *csvBatch) hold() { b.users.Add(1) }

func (b *csvBatch) release() {
	if b.users.Add(-1) > 0 {
		return
	}
	b.block.release()
	b.data, b.block, b.quoted, b.lines, b.starts, b.ends = nil, nil, nil, nil, b.starts[:0], b.ends[:0]
	batches.Put(b)
}

// newChunk lends an empty chunk with groups of so many entities.
func newChunk(entities, first int) *chunk {
	c := chunks.Get()
	for len(c.groups) < entities {
		c.groups, c.room = append(c.groups, membership{}), append(c.room, nil)
	}
	c.groups, c.room, c.first = c.groups[:entities], c.room[:entities], first
	return c
}

// done gives back the rows of a chunk, and, if nothing that was computed may hold who belongs to whom, the chunk itself.
func (c *chunk) done(all bool) {
	for _, s := range c.spans {
		s.release()
	}
	if !all {
		return
	}
	for i := range c.groups {
		m := &c.groups[i]
		if m.roles != nil {
			c.room[i] = m.roles[:0]
		}
		clear(m.long)
		*m = membership{groupOf: m.groupOf[:0], names: m.names[:0], long: m.long[:0]}
	}
	clear(c.spans)
	c.spans, c.persons, c.index = c.spans[:0], 0, 0
	chunks.Put(c)
}
