package messaging

import (
	"encoding/binary"
)

// A cursor is text to its holder. Inside: the epoch of the store, a position, and for paged lists
// what the following pages need. All cursors share one check of the epoch.

const (
	cursorStream byte = 's'
	cursorItems  byte = 'i'
	cursorInbox  byte = 'm'
	cursorTies   byte = 't'

	cursorDeliveries byte = 'd'
)

const cursorHead = 1 + 8 + 8 // kind, epoch, position

// StreamCursor returns the cursor of a stream that has everything up to and including p.
func (c *Codec) StreamCursor(p Position) string { return c.cursor(cursorStream, p, nil) }

// AppendStreamCursor appends what StreamCursor returns.
func (c *Codec) AppendStreamCursor(b []byte, p Position) []byte {
	var raw [cursorHead]byte
	c.putCursor(raw[:], cursorStream, p)
	return text.AppendEncode(b, raw[:])
}

// ParseStreamCursor returns the position of a stream cursor. A malformed cursor is illegal; one of
// another epoch is a conflict that says so.
func (c *Codec) ParseStreamCursor(s string) (Position, error) {
	p, _, err := c.parseCursor(cursorStream, s, 0)
	return p, err
}

func (c *Codec) cursor(kind byte, p Position, more []byte) string {
	raw := make([]byte, cursorHead, cursorHead+len(more))
	c.putCursor(raw, kind, p)
	return text.EncodeToString(append(raw, more...))
}

func (c *Codec) putCursor(raw []byte, kind byte, p Position) {
	raw[0] = kind
	binary.BigEndian.PutUint64(raw[1:], c.epoch.Load())
	binary.BigEndian.PutUint64(raw[9:], uint64(p))
}

func (c *Codec) parseCursor(kind byte, s string, more int) (Position, []byte, error) {
	if len(s) > 128 {
		return 0, nil, invalid("the cursor is malformed: pass one back exactly as it was given")
	}
	raw, err := text.DecodeString(s)
	// Encoded again, because the last character has spare bits and a cursor is to have one spelling.
	if err != nil || len(raw) != cursorHead+more || raw[0] != kind || text.EncodeToString(raw) != s {
		return 0, nil, invalid("the cursor %q is malformed: pass one back exactly as it was given", Clip(s))
	}
	p := Position(binary.BigEndian.Uint64(raw[9:]))
	if p < 0 {
		return 0, nil, invalid("the cursor %q is malformed: pass one back exactly as it was given", Clip(s))
	}
	if binary.BigEndian.Uint64(raw[1:]) != c.epoch.Load() {
		return 0, nil, conflict("the cursor belongs to another history of this store (other data, or a restored backup): start again without one")
	}
	return p, raw[cursorHead:], nil
}

// itemCursor continues a list of items. It carries the total of the first page: counting again for
// every page would cost what it counts.
type itemCursor struct {
	channel    ChannelID
	after      Position // last item of the page before
	since      Position
	until      Position
	descending bool
	total      int64
}

const itemCursorMore = 8 + 8 + 1 + 8 + 8

func (c *Codec) itemCursor(i itemCursor) string {
	var more [itemCursorMore]byte
	binary.BigEndian.PutUint64(more[0:], uint64(i.since))
	binary.BigEndian.PutUint64(more[8:], uint64(i.until))
	if i.descending {
		more[16] = 1
	}
	binary.BigEndian.PutUint64(more[17:], uint64(i.total))
	binary.BigEndian.PutUint64(more[25:], uint64(i.channel))
	return c.cursor(cursorItems, i.after, more[:])
}

func (c *Codec) parseItemCursor(s string) (itemCursor, error) {
	p, more, err := c.parseCursor(cursorItems, s, itemCursorMore)
	if err != nil {
		return itemCursor{}, err
	}
	return itemCursor{
		after:      p,
		since:      Position(binary.BigEndian.Uint64(more[0:])),
		until:      Position(binary.BigEndian.Uint64(more[8:])),
		descending: more[16] == 1,
		total:      int64(binary.BigEndian.Uint64(more[17:])),
		channel:    ChannelID(binary.BigEndian.Uint64(more[25:])),
	}, nil
}

func (c *Codec) inboxCursor(p Position) string { return c.cursor(cursorInbox, p, nil) }

func (c *Codec) parseInboxCursor(s string) (Position, error) {
	p, _, err := c.parseCursor(cursorInbox, s, 0)
	return p, err
}

// tieCursor continues a list of ties.
type tieCursor struct {
	channel ChannelID
	after   int64 // key of the last one of the page before
}

const tieCursorMore = 8

func (c *Codec) tieCursor(t tieCursor) string {
	return c.cursor(cursorTies, Position(t.after), binary.BigEndian.AppendUint64(nil, uint64(t.channel)))
}

func (c *Codec) parseTieCursor(s string) (tieCursor, error) {
	p, more, err := c.parseCursor(cursorTies, s, tieCursorMore)
	if err != nil {
		return tieCursor{}, err
	}
	return tieCursor{channel: ChannelID(binary.BigEndian.Uint64(more)), after: int64(p)}, nil
}
