package hdf5

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// File is an open HDF5 file. It may be used by several goroutines at once.
type File struct {
	r       io.ReaderAt
	size    int64
	base    uint64 // addresses count from here
	offsets int    // bytes of an address
	lengths int    // bytes of a length
	root    uint64 // address of the root group's object header
}

// undefined is the address of data that was never written.
const undefined = ^uint64(0)

var (
	signature = []byte("\x89HDF\r\n\x1a\n")

	// ErrNotHDF5 is returned by [Open] for files of another kind.
	ErrNotHDF5 = errors.New("not an HDF5 file")
)

// damaged reports a structure that cannot be true.
func damaged(format string, args ...any) error {
	return fmt.Errorf("the HDF5 file is damaged or truncated: %s; copy or write it again", fmt.Sprintf(format, args...))
}

// unsupported reports a structure that this package does not read.
func unsupported(format string, args ...any) error {
	return fmt.Errorf("%s is not supported: write the file with h5py's or pandas' default settings (without libver=\"latest\")", fmt.Sprintf(format, args...))
}

// Open reads the superblock of a file. The reader stays the caller's and must outlive the File.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	// A user block of 512, 1024, 2048, … bytes may precede the superblock.
	for at := int64(0); at+16 <= size; at = max(512, 2*at) {
		head := make([]byte, 16)
		if _, err := r.ReadAt(head, at); err != nil {
			return nil, err
		}
		if string(head[:8]) == string(signature) {
			f.base = uint64(at)
			return f, f.superblock(int(head[8]), head)
		}
	}
	return nil, ErrNotHDF5
}

// superblock reads the sizes of addresses and lengths, and the address of the root group.
func (f *File) superblock(version int, head []byte) error {
	switch version {
	case 0, 1:
		f.offsets, f.lengths = int(head[13]), int(head[14])
	case 2, 3:
		f.offsets, f.lengths = int(head[9]), int(head[10])
	default:
		return unsupported("version %d of the superblock", version)
	}
	for _, n := range []int{f.offsets, f.lengths} {
		if n != 2 && n != 4 && n != 8 {
			return damaged("addresses of %d and lengths of %d bytes", f.offsets, f.lengths)
		}
	}
	skip := 12
	if version < 2 {
		skip = 24 + 4*version
	}
	c, err := f.at(0, skip+6*f.offsets+8)
	if err != nil {
		return err
	}
	c.skip(skip)
	base := c.address() // equals the position of the signature; some tools that add user blocks leave 0
	if base != 0 {
		f.base = base
	}
	if version >= 2 {
		c.skip(2 * f.offsets) // superblock extension, end of file
		f.root = c.address()
		return c.err
	}
	c.skip(3 * f.offsets) // free space, end of file, driver
	c.skip(f.offsets)     // name of the root group
	f.root = c.address()
	return c.err
}

// read reads n bytes at an address.
func (f *File) read(address uint64, n int) ([]byte, error) {
	at := address + f.base
	if address == undefined || n < 0 || at < address || at > uint64(f.size) || uint64(n) > uint64(f.size)-at {
		return nil, damaged("%d bytes at address %d lie beyond its end", n, int64(address))
	}
	data := make([]byte, n)
	if _, err := f.r.ReadAt(data, int64(at)); err != nil {
		return nil, err
	}
	return data, nil
}

// at reads n bytes at an address, to be decoded.
func (f *File) at(address uint64, n int) (*cursor, error) {
	data, err := f.read(address, n)
	return &cursor{f: f, data: data}, err
}

// within is the number of bytes from an address to the end of the file, at most n.
func (f *File) within(address uint64, n int) int {
	at := address + f.base
	if at < address || at >= uint64(f.size) {
		return 0
	}
	return int(min(uint64(n), uint64(f.size)-at))
}

// cursor decodes bytes. After the first error it returns zeros.
type cursor struct {
	f    *File
	data []byte
	err  error
}

func (c *cursor) take(n int) []byte {
	if c.err != nil || n < 0 || n > len(c.data) {
		if c.err == nil {
			c.err = damaged("a structure ends after %d bytes", len(c.data))
		}
		return make([]byte, min(max(n, 0), 8))
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

func (c *cursor) skip(n int)   { c.take(n) }
func (c *cursor) u8() int      { return int(c.take(1)[0]) }
func (c *cursor) u16() int     { return int(binary.LittleEndian.Uint16(c.take(2))) }
func (c *cursor) u32() uint32  { return binary.LittleEndian.Uint32(c.take(4)) }
func (c *cursor) rest() []byte { return c.take(len(c.data)) }

// number decodes an unsigned number of n bytes, at most 8.
func (c *cursor) number(n int) uint64 {
	if n < 0 || n > 8 {
		c.err = errors.Join(c.err, damaged("a number of %d bytes", n))
		return 0
	}
	var b [8]byte
	copy(b[:], c.take(n))
	return binary.LittleEndian.Uint64(b[:])
}

// address decodes an address; all ones mean undefined, whatever their number.
func (c *cursor) address() uint64 {
	n := c.number(c.f.offsets)
	if n == undefined>>(64-8*c.f.offsets) {
		return undefined
	}
	return n
}

func (c *cursor) length() uint64 { return c.number(c.f.lengths) }

// text decodes a text that ends with a zero byte.
func (c *cursor) text() string {
	for i, b := range c.data {
		if b == 0 {
			s := string(c.data[:i])
			c.data = c.data[i+1:]
			return s
		}
	}
	c.skip(len(c.data) + 1)
	return ""
}

// expect reads a signature of four bytes.
func (c *cursor) expect(signature string) {
	if got := c.take(4); c.err == nil && string(got) != signature {
		c.err = damaged("%s expected, got %q", signature, got)
	}
}
