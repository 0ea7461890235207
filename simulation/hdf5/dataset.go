package hdf5

import (
	"errors"
	"fmt"
)

// Dataset is an array of a file.
type Dataset struct {
	f        *File
	path     string
	shape    []int // nil for a scalar
	null     bool  // it has no elements at all
	of       *datatype
	fill     []byte // an element that was not written, nil for zeros
	layout   layout
	filters  []filter
	messages []message
	cache    chunkCache
}

// layout is where the elements are.
type layout struct {
	compact []byte
	address uint64
	chunk   []int  // shape of a chunk, nil if there are none
	index   int    // of chunks: 0 a tree of version 1, 1 a single one
	single  uint64 // bytes of a single filtered chunk, 0 for unfiltered
	skipped uint32 // filters that a single chunk goes without
}

func (f *File) dataset(path string, messages []message) (*Dataset, error) {
	d := &Dataset{f: f, path: path, messages: messages}
	var layout cursor
	for _, m := range messages {
		c := &cursor{f: f, data: m.data}
		var err error
		switch m.kind {
		case dataspaceMessage:
			d.dataspace(c)
		case datatypeMessage:
			d.of, err = f.datatype(m)
		case fillMessage:
			d.fillValue(c)
		case layoutMessage:
			layout = *c
		case filterMessage:
			d.filters = filters(c)
		case externalMessage:
			return nil, unsupported("data in other files")
		}
		if err = errors.Join(c.err, err); err != nil {
			return nil, err
		}
	}
	if d.of == nil || d.of.size == 0 && d.of.class != classText {
		return nil, damaged("a dataset without a type")
	}
	d.readLayout(&layout)
	if d.fill != nil && len(d.fill) != d.of.size {
		d.fill = nil
	}
	return d, layout.err
}

// dataspace decodes the shape.
func (d *Dataset) dataspace(c *cursor) {
	version, rank, flags := c.u8(), c.u8(), c.u8()
	switch version {
	case 1:
		c.skip(5)
	case 2:
		d.null = c.u8() == 2
	default:
		c.err = damaged("a shape of version %d", version)
	}
	_ = flags // whether the largest shape follows, which nothing depends on
	if rank > 32 {
		c.err = damaged("an array of %d dimensions", rank)
	}
	elements := uint64(1)
	for range rank {
		n := c.length()
		if n > 1<<40 || elements > 1<<40/max(n, 1) {
			c.err = errors.Join(c.err, damaged("an array of more than 2^40 elements"))
			return
		}
		elements *= n
		d.shape = append(d.shape, int(n))
	}
}

// fillValue decodes the element that stands for those that were not written.
func (d *Dataset) fillValue(c *cursor) {
	switch version := c.u8(); version {
	case 1, 2:
		c.skip(2)
		if c.u8() == 0 && version == 2 {
			return
		}
	case 3:
		if c.u8()&0x20 == 0 {
			return
		}
	default:
		c.err = damaged("a fill value of version %d", version)
		return
	}
	if n := int(c.u32()); n > 0 {
		d.fill = c.take(n)
	}
}

// readLayout decodes where the elements are.
func (d *Dataset) readLayout(c *cursor) {
	l := &d.layout
	version := c.u8()
	switch version {
	case 1, 2:
		rank, class := c.u8(), c.u8()
		c.skip(5)
		if class != 0 {
			l.address = c.address()
		}
		dims := make([]int, rank)
		for i := range dims {
			dims[i] = int(c.u32())
		}
		switch class {
		case 0:
			l.compact = c.take(int(c.u32()))
		case 2:
			l.chunk = dims
			c.skip(4) // bytes of an element
			if len(dims) > len(d.shape) {
				l.chunk = dims[:len(d.shape)]
			}
		}
	case 3, 4, 5: // 5 differs from 4 in indexes that are not read
		switch class := c.u8(); class {
		case 0:
			l.compact = c.take(c.u16())
		case 1:
			l.address = c.address()
		case 2:
			if version == 3 {
				d.chunksThree(c)
			} else {
				d.chunksFour(c)
			}
		default:
			c.err = unsupported("a virtual dataset")
		}
	default:
		c.err = errors.Join(c.err, unsupported("a layout of version %d", version))
	}
	if c.err == nil && l.chunk != nil {
		c.err = d.checkChunk()
	}
}

// chunksThree decodes the layout of chunks in a tree of version 1.
func (d *Dataset) chunksThree(c *cursor) {
	rank := c.u8()
	d.layout.address = c.address()
	for range max(rank-1, 0) {
		d.layout.chunk = append(d.layout.chunk, int(c.u32()))
	}
	c.skip(4) // bytes of an element
}

// chunksFour decodes the layouts that libver="latest" writes. A dataset of one chunk has no index.
func (d *Dataset) chunksFour(c *cursor) {
	flags, rank, bytes := c.u8(), c.u8(), c.u8()
	for i := range rank {
		if n := int(c.number(bytes)); i < rank-1 {
			d.layout.chunk = append(d.layout.chunk, n)
		}
	}
	if d.layout.index = c.u8(); d.layout.index != 1 {
		c.err = errors.Join(c.err, unsupported("chunks with an index of kind %d", d.layout.index))
		return
	}
	if flags&2 != 0 {
		d.layout.single, d.layout.skipped = c.length(), c.u32()
	}
	d.layout.address = c.address()
}

// checkChunk rejects chunks that do not fit the shape or that memory would not bear.
func (d *Dataset) checkChunk() error {
	if len(d.layout.chunk) != len(d.shape) || len(d.shape) == 0 {
		return damaged("chunks of %d dimensions in an array of %d", len(d.layout.chunk), len(d.shape))
	}
	bytes := d.of.size
	for _, n := range d.layout.chunk {
		if n <= 0 || bytes > maxChunk/n {
			return damaged("chunks of more than %d bytes", maxChunk)
		}
		bytes *= n
	}
	return nil
}

// Path is where the dataset is in the file.
func (d *Dataset) Path() string { return d.path }

// Shape is the number of elements along each dimension; a scalar has none.
func (d *Dataset) Shape() []int { return d.shape }

// rows is the number of elements along the first dimension; a scalar is one row.
func (d *Dataset) rows() int {
	switch {
	case d.null:
		return 0
	case len(d.shape) == 0:
		return 1
	}
	return d.shape[0]
}

// width is the number of elements in a row.
func (d *Dataset) width() int {
	n := 1
	for i, m := range d.shape {
		if i > 0 {
			n *= m
		}
	}
	return n
}

// raw reads the bytes of some rows.
func (d *Dataset) raw(from, n int) ([]byte, error) {
	row := d.width() * d.of.size
	if from < 0 || n < 0 || from > d.rows()-n {
		return nil, fmt.Errorf("%s: rows %d to %d of %d", d.path, from, from+n, d.rows())
	}
	if row > 0 && n > maxChunk/row {
		return nil, fmt.Errorf("%s: %d rows of %d bytes at once: read fewer", d.path, n, row)
	}
	l := &d.layout
	switch {
	case l.compact != nil:
		if (from+n)*row > len(l.compact) {
			return nil, damaged("%s has %d bytes", d.path, len(l.compact))
		}
		return l.compact[from*row : (from+n)*row], nil
	case l.chunk != nil:
		return d.chunked(from, n)
	case l.address == undefined:
		return d.filled(n * row), nil
	}
	return d.f.read(l.address+uint64(from*row), n*row)
}

// filled is bytes of elements that were not written.
func (d *Dataset) filled(n int) []byte {
	b := make([]byte, n)
	if d.fill != nil {
		for at := 0; at < n; at += len(d.fill) {
			copy(b[at:], d.fill)
		}
	}
	return b
}
