package hdf5

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/zlib"
)

// filter is a step that packs chunks.
type filter struct {
	id     int
	name   string
	values []uint32
}

// The filters that this package undoes.
const (
	deflateFilter  = 1
	shuffleFilter  = 2
	checksumFilter = 3
	lzfFilter      = 32000
	bloscFilter    = 32001
)

// filters decodes the filters of a dataset, in the order in which they pack.
func filters(c *cursor) []filter {
	version, count := c.u8(), c.u8()
	if version == 1 {
		c.skip(6)
	}
	all := make([]filter, 0, min(count, 32))
	for range count {
		f := filter{id: c.u16()}
		named := 0
		if version == 1 || f.id >= 256 {
			named = c.u16()
		}
		c.skip(2) // whether the filter may be left out
		values := c.u16()
		if version == 1 {
			named += (8 - named%8) % 8
		}
		f.name = string(bytes.TrimRight(c.take(named), "\x00"))
		for range values {
			f.values = append(f.values, c.u32())
			if c.err != nil {
				return nil
			}
		}
		if version == 1 && values%2 == 1 {
			c.skip(4)
		}
		all = append(all, f)
	}
	if count > 32 {
		c.err = damaged("%d filters", count)
	}
	return all
}

// undo unpacks a chunk, of want bytes when all filters are undone.
func (f filter) undo(data []byte, want int) ([]byte, error) {
	switch f.id {
	case deflateFilter:
		r, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, damaged("a compressed chunk: %v", err)
		}
		// Four bytes more are a checksum that a later filter adds.
		out, err := io.ReadAll(io.LimitReader(r, int64(want)+5))
		if err != nil {
			return nil, damaged("a compressed chunk: %v", err)
		}
		return out, nil
	case shuffleFilter:
		return f.unshuffled(data), nil
	case checksumFilter:
		if len(data) < 4 {
			return nil, damaged("a chunk without its checksum")
		}
		sum := cursor{data: data[len(data)-4:]}
		data = data[:len(data)-4]
		if got, want := fletcher32(data), sum.u32(); got != want {
			return nil, damaged("a chunk whose checksum is %08x, not %08x", got, want)
		}
		return data, nil
	case lzfFilter:
		return unpackLZF(data, want)
	case bloscFilter:
		return nil, unsupported("compression with Blosc")
	}
	if f.name != "" {
		return nil, unsupported("the filter %q", f.name)
	}
	return nil, unsupported("filter %d", f.id)
}

// unshuffled puts the bytes of each element together again: the filter stores all first bytes, then all second ones, and so on.
func (f filter) unshuffled(data []byte) []byte {
	size := 0
	if len(f.values) > 0 {
		size = int(f.values[0])
	}
	if size <= 1 || size > len(data) {
		return data
	}
	n := len(data) / size
	out := make([]byte, len(data))
	for b := range size {
		for i, v := range data[b*n : (b+1)*n] {
			out[i*size+b] = v
		}
	}
	copy(out[n*size:], data[n*size:]) // a rest is not shuffled
	return out
}

// fletcher32 is the checksum as HDF5 computes it: over big-endian words of 16 bits.
func fletcher32(data []byte) uint32 {
	var a, b uint32
	add := func(word uint32) {
		a = (a + word) % 65535
		b = (b + a) % 65535
	}
	for ; len(data) >= 2; data = data[2:] {
		add(uint32(data[0])<<8 | uint32(data[1]))
	}
	if len(data) == 1 {
		add(uint32(data[0]) << 8)
	}
	return b<<16 | a
}

// unpackLZF undoes h5py's own compression. A control byte below 32 is followed by that many literal bytes and one; others repeat earlier bytes.
func unpackLZF(data []byte, want int) ([]byte, error) {
	bad := damaged("a chunk compressed with lzf")
	out := make([]byte, 0, want)
	for len(data) > 0 {
		control := int(data[0])
		data = data[1:]
		if control < 32 {
			n := control + 1
			if n > len(data) || len(out)+n > want {
				return nil, bad
			}
			out, data = append(out, data[:n]...), data[n:]
			continue
		}
		n := control >> 5
		if n == 7 {
			if len(data) == 0 {
				return nil, bad
			}
			n, data = n+int(data[0]), data[1:]
		}
		n += 2
		if len(data) == 0 {
			return nil, bad
		}
		back := (control&31)<<8 | int(data[0])
		data = data[1:]
		from := len(out) - back - 1
		if from < 0 || len(out)+n > want {
			return nil, bad
		}
		for i := range n { // bytes that are being written may be repeated
			out = append(out, out[from+i])
		}
	}
	return out, nil
}
