package messaging

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base32"
	"encoding/binary"
	"sync/atomic"
	"time"
)

// Position is a place in the store-wide log: milliseconds since 1970 in the upper bits, a count
// inside the millisecond in the lower 20. Positions only grow, also when the clock steps back, so
// the position of an item is its key, its place in the order and its time at once.
type Position int64

const sequenceBits = 20

// MaxPosition is after every position.
const MaxPosition = Position(1<<63 - 1)

// PositionAt returns the first position of a millisecond. Times outside the range of positions give
// its ends.
func PositionAt(t time.Time) Position {
	switch {
	case t.Before(time.UnixMilli(0)):
		return 0
	case t.After(MaxPosition.Time()):
		return MaxPosition
	}
	return Position(t.UnixMilli() << sequenceBits)
}

// Time returns the time of a position, in UTC, to the millisecond.
func (p Position) Time() time.Time { return time.UnixMilli(int64(p) >> sequenceBits).UTC() }

// Next returns the position for something that happens now, after p.
func (p Position) Next(now time.Time) Position { return max(p+1, PositionAt(now)) }

// LogReader reads the log as a whole.
type LogReader interface {
	// Head returns the last position given out.
	Head() (Position, error)
}

// LogWriter gives out positions.
type LogWriter interface {
	// Next gives out the next position of the log. A position not used is lost, which is fine.
	Next() Position
}

// Identity is what a store is known by. It is made with the store and kept in it.
type Identity struct {
	// Epoch tells histories of positions apart. A restored backup gets a new one, because what
	// followed the backup is not in it and a cursor beyond it would skip what follows now.
	Epoch uint64
	// IDKey makes public ids unguessable. It stays for the life of the data, restored or not, so
	// that ids remain good.
	IDKey [16]byte
}

// Codec makes public ids and cursors from positions and reads them back. An id is the position
// followed by a tag that only the holder of the store's key can compute: ids sort by time as text,
// need no index of their own, and one of another data directory (or a guess) does not decode.
type Codec struct {
	epoch atomic.Uint64
	block cipher.Block
}

// NewCodec returns the codec of a store.
func NewCodec(id Identity) *Codec {
	block, err := aes.NewCipher(id.IDKey[:])
	if err != nil {
		panic("messaging: " + err.Error()) // a 16 byte key is always good
	}
	c := &Codec{block: block}
	c.SetEpoch(id.Epoch)
	return c
}

// SetEpoch has cursors be of another history from now on: those from before are refused.
func (c *Codec) SetEpoch(epoch uint64) { c.epoch.Store(epoch) }

// The kinds of id; the tag depends on it, so an item's id is no message's id.
const (
	kindItem byte = iota + 1
	kindMessage
	kindSubscription
)

// text sorts as the bytes it encodes.
var text = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

const (
	tagBytes = 7 // with the 8 of the position: 15 bytes, 24 characters, no spare bits
	idBytes  = 8 + tagBytes
	idChars  = idBytes * 8 / 5
)

func (c *Codec) seal(kind byte, n int64) string {
	var raw [idBytes]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(n))
	tag := c.tag(kind, raw[:8])
	copy(raw[8:], tag[:tagBytes])
	var out [idChars]byte
	text.Encode(out[:], raw[:])
	return string(out[:])
}

func (c *Codec) tag(kind byte, n []byte) (tag [aes.BlockSize]byte) {
	// Position and kind fit into one block, so that encrypting it is a keyed hash of both.
	copy(tag[:8], n)
	tag[15] = kind
	c.block.Encrypt(tag[:], tag[:])
	return tag
}

// open returns false for whatever seal did not make with this key and kind.
func (c *Codec) open(kind byte, id string) (int64, bool) {
	if len(id) != idChars {
		return 0, false
	}
	var raw [idBytes]byte
	if _, err := text.Decode(raw[:], []byte(id)); err != nil {
		return 0, false
	}
	tag := c.tag(kind, raw[:8])
	if [tagBytes]byte(raw[8:]) != [tagBytes]byte(tag[:tagBytes]) {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(raw[:8])), true
}

// ItemID returns the public id of the item at p.
func (c *Codec) ItemID(p Position) string { return c.seal(kindItem, int64(p)) }

// ParseItemID returns the position behind an id, false if this store never gave it out.
func (c *Codec) ParseItemID(id string) (Position, bool) {
	n, ok := c.open(kindItem, id)
	return Position(n), ok
}

// MessageID returns the public id of the direct message at p.
func (c *Codec) MessageID(p Position) string { return c.seal(kindMessage, int64(p)) }

// ParseMessageID returns the position behind an id, false if this store never gave it out.
func (c *Codec) ParseMessageID(id string) (Position, bool) {
	n, ok := c.open(kindMessage, id)
	return Position(n), ok
}

// SubscriptionID returns the public id of a subscription.
func (c *Codec) SubscriptionID(key int64) string { return c.seal(kindSubscription, key) }
