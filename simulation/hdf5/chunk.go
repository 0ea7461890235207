package hdf5

import (
	"fmt"
	"slices"
	"sync"
)

// chunk is a chunk of a dataset as it lies in the file.
type chunk struct {
	at      []int // its first element
	size    int   // bytes in the file
	skipped uint32
	address uint64
}

// maxChunks bounds the chunks of one dataset.
const maxChunks = 1 << 22

// chunks lists the chunks that were written, in the order of their first elements.
func (d *Dataset) chunks() ([]chunk, error) {
	l := &d.layout
	if l.address == undefined {
		return nil, nil
	}
	if l.index == 1 {
		size := int(l.single)
		if l.single == 0 {
			size = d.chunkBytes()
		}
		return []chunk{{make([]int, len(d.shape)), size, l.skipped, l.address}}, nil
	}
	var all []chunk
	err := d.f.tree(l.address, 1, 8+8*(len(d.shape)+1), func(key []byte, address uint64) error {
		c := cursor{f: d.f, data: key}
		found := chunk{size: int(c.u32()), skipped: c.u32(), address: address}
		for _, n := range d.shape {
			at := c.number(8)
			if at >= uint64(n) { // a chunk of a dataset that was made smaller
				return nil
			}
			found.at = append(found.at, int(at))
		}
		if all = append(all, found); len(all) > maxChunks {
			return damaged("a dataset of more than %d chunks", maxChunks)
		}
		return c.err
	})
	return all, err
}

func (d *Dataset) chunkBytes() int {
	n := d.of.size
	for _, m := range d.layout.chunk {
		n *= m
	}
	return n
}

// chunked reads rows from the chunks that have them.
func (d *Dataset) chunked(from, n int) ([]byte, error) {
	all, err := d.cache.index(d)
	if err != nil {
		return nil, err
	}
	out := d.filled(n * d.width() * d.of.size)
	for _, c := range all {
		if c.at[0] >= from+n || c.at[0]+d.layout.chunk[0] <= from {
			continue
		}
		data, err := d.cache.content(d, c)
		if err != nil {
			return nil, err
		}
		d.place(out, from, n, c.at, data)
	}
	return out, nil
}

// unpacked is the content of a chunk.
func (d *Dataset) unpacked(c chunk) ([]byte, error) {
	want := d.chunkBytes()
	if c.size < 0 || c.size > maxChunk {
		return nil, damaged("a chunk of %d bytes", c.size)
	}
	data, err := d.f.read(c.address, c.size)
	if err != nil {
		return nil, err
	}
	for i, f := range slices.Backward(d.filters) {
		if c.skipped&(1<<i) != 0 {
			continue
		}
		if data, err = f.undo(data, want); err != nil {
			return nil, fmt.Errorf("a chunk of rows from %d on: %w", c.at[0]+1, err)
		}
	}
	if len(data) != want {
		return nil, damaged("a chunk of %d bytes has %d", want, len(data))
	}
	return data, nil
}

// place copies the part of a chunk that lies within some rows to where it belongs.
func (d *Dataset) place(out []byte, from, n int, at []int, data []byte) {
	last := len(d.shape) - 1
	run := min(d.layout.chunk[last], d.shape[last]-at[last]) * d.of.size
	if last == 0 {
		begin, end := max(from, at[0]), min(from+n, at[0]+d.layout.chunk[0], d.shape[0])
		copy(out[(begin-from)*d.of.size:(end-from)*d.of.size], data[(begin-at[0])*d.of.size:])
		return
	}
	index := slices.Clone(at)
	for {
		if index[0] >= from && index[0] < from+n {
			target, source := index[0]-from, index[0]-at[0]
			for i := 1; i <= last; i++ {
				target, source = target*d.shape[i]+index[i], source*d.layout.chunk[i]+index[i]-at[i]
			}
			copy(out[target*d.of.size:target*d.of.size+run], data[source*d.of.size:])
		}
		i := last - 1
		for ; i >= 0; i-- {
			if index[i]++; index[i] < min(at[i]+d.layout.chunk[i], d.shape[i]) {
				break
			}
			index[i] = at[i]
		}
		if i < 0 {
			return
		}
	}
}

// chunkCache holds the list of a dataset's chunks and the contents of those read last: the columns of a table are read one after another from the same
// chunks.
type chunkCache struct {
	mu      sync.Mutex
	listed  bool
	all     []chunk
	err     error
	recent  []cachedChunk // the one read last is last
	holding int           // bytes
}

type cachedChunk struct {
	address uint64
	data    []byte
}

// A cache holds at least two chunks, which rows that are read at once may lie in, and further ones within this many bytes.
const cachedBytes = 32 << 20

func (k *chunkCache) index(d *Dataset) ([]chunk, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.listed {
		k.all, k.err = d.chunks()
		k.listed = true
	}
	return k.all, k.err
}

func (k *chunkCache) content(d *Dataset, c chunk) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.IndexFunc(k.recent, func(r cachedChunk) bool { return r.address == c.address }); i >= 0 {
		found := k.recent[i]
		k.recent = append(slices.Delete(k.recent, i, i+1), found)
		return found.data, nil
	}
	data, err := d.unpacked(c)
	if err != nil {
		return nil, err
	}
	k.recent, k.holding = append(k.recent, cachedChunk{c.address, data}), k.holding+len(data)
	for len(k.recent) > 2 && k.holding > cachedBytes {
		k.holding -= len(k.recent[0].data)
		k.recent = slices.Delete(k.recent, 0, 1)
	}
	return data, nil
}
