package hdf5

// message is one message of an object header.
type message struct {
	kind   int
	shared bool
	data   []byte
}

// The messages that this package reads.
const (
	dataspaceMessage    = 0x01
	linkInfoMessage     = 0x02
	datatypeMessage     = 0x03
	fillMessage         = 0x05
	linkMessage         = 0x06
	externalMessage     = 0x07
	layoutMessage       = 0x08
	filterMessage       = 0x0B
	attributeMessage    = 0x0C
	continuationMessage = 0x10
	symbolTableMessage  = 0x11
	attributeInfo       = 0x15
)

const (
	maxMessages = 1 << 16  // of one header; h5py writes at most some hundred
	maxHeader   = 64 << 20 // bytes of one block of messages
	maxBlocks   = 1 << 12  // of one header
	maxElement  = 16 << 20 // bytes of one element of a dataset
	maxChunk    = 64 << 20 // bytes of one chunk, and of the rows of one read
)

// header reads the messages of an object.
func (f *File) header(address uint64) ([]message, error) {
	start, err := f.read(address, f.within(address, 4))
	if err != nil {
		return nil, err
	}
	if string(start) == "OHDR" {
		return f.headerTwo(address)
	}
	c, err := f.at(address, 16)
	if err != nil {
		return nil, err
	}
	if version := c.u8(); version != 1 {
		return nil, damaged("an object header of version %d at address %d", version, address)
	}
	c.skip(7)
	blocks := []block{{address + 16, uint64(c.u32())}}
	return f.messages(blocks, func(c *cursor) message {
		m := message{kind: c.u16()}
		n := c.u16()
		m.shared = c.u8()&2 != 0
		c.skip(3)
		m.data = c.take(n)
		return m
	}, 8, 0)
}

// headerTwo reads an object header of version 2.
func (f *File) headerTwo(address uint64) ([]message, error) {
	c, err := f.at(address, f.within(address, 64))
	if err != nil {
		return nil, err
	}
	before := len(c.data)
	c.expect("OHDR")
	if version := c.u8(); version != 2 {
		return nil, damaged("an object header of version %d at address %d", version, address)
	}
	flags := c.u8()
	if flags&0x20 != 0 {
		c.skip(16) // times
	}
	if flags&0x10 != 0 {
		c.skip(4) // when links become dense
	}
	first := c.number(1 << (flags & 3))
	if c.err != nil {
		return nil, c.err
	}
	blocks := []block{{address + uint64(before-len(c.data)), first}}
	ordered := flags&4 != 0
	least := 4
	if ordered {
		least = 6
	}
	return f.messages(blocks, func(c *cursor) message {
		m := message{kind: c.u8()}
		n := c.u16()
		m.shared = c.u8()&2 != 0
		if ordered {
			c.skip(2)
		}
		m.data = c.take(n)
		return m
	}, least, 4)
}

// block is a part of the file that holds messages.
type block struct{ address, size uint64 }

// messages reads the messages of blocks, which name further ones. Bytes at the end of a block that no message fits into are padding. Of version 2 the
// first block is followed by a checksum, later ones begin with a signature and end with a checksum (framed bytes each).
func (f *File) messages(blocks []block, next func(*cursor) message, least, framed int) ([]message, error) {
	var messages []message
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		if b.size > maxHeader || i >= maxBlocks {
			return nil, damaged("an object header of %d bytes", b.size)
		}
		c, err := f.at(b.address, int(b.size))
		if err != nil {
			return nil, err
		}
		if i > 0 && framed > 0 {
			c.expect("OCHK")
			c.data = c.data[:max(len(c.data)-framed, 0)]
		}
		for len(c.data) >= least && c.err == nil {
			m := next(c)
			if m.kind == continuationMessage {
				more := cursor{f: f, data: m.data}
				blocks = append(blocks, block{more.address(), more.length()})
				c.err = more.err
				continue
			}
			messages = append(messages, m)
			if len(messages) > maxMessages {
				return nil, damaged("an object header of more than %d messages", maxMessages)
			}
		}
		if c.err != nil {
			return nil, c.err
		}
	}
	return messages, nil
}
