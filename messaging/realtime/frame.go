package realtime

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"edict/messaging"
	"edict/platform/jsonio"
)

// format is a wire format. Frames are made once per format.
type format uint8

const (
	formatSSE     format = iota
	formatChunked        // SSE in chunks of HTTP/1.1
	formatWS
	formats
)

// wire is encoded events, ready to be written by any stream of its format. Its bytes are shared and must
// not be changed.
type wire struct {
	bytes  []byte
	head   int // length of what precedes the payload: the header of a WebSocket frame, the size of a chunk
	tail   int // length of what follows it
	events int
	last   messaging.Position // of the last event; 0 for what is no event
}

func (w *wire) payload() []byte { return w.bytes[w.head : len(w.bytes)-w.tail] }

// frame is one event of a stream before it is encoded: its name, its id ("" for none) and its data.
type frame struct {
	event string
	id    string
	data  []byte // JSON in one line
}

// appendTo appends the frame in a format. In WebSocket frames events are separated by line feeds.
func (f *frame) appendTo(b []byte, as format) []byte {
	if as != formatWS {
		b = append(append(b, "event: "...), f.event...)
		if f.id != "" {
			b = append(append(b, "\nid: "...), f.id...)
		}
		b = append(append(b, "\ndata: "...), f.data...)
		return append(b, "\n\n"...)
	}
	b = append(append(b, `{"event":"`...), f.event...)
	if f.id != "" {
		b = append(append(append(b, `","id":"`...), f.id...), '"')
	} else {
		b = append(b, `","id":null`...)
	}
	b = append(append(b, `,"data":`...), f.data...)
	return append(b, '}')
}

// separate appends what stands between two events of a format.
func separate(b []byte, as format) []byte {
	if as == formatWS && len(b) > 0 {
		b = append(b, '\n')
	}
	return b
}

// The opcodes of WebSocket frames that a server sends here, with the bit of a final fragment.
const (
	wsText  = 0x81
	wsClose = 0x88
	wsPing  = 0x89
	wsPong  = 0x8a
)

// appendWSHeader appends the header of an unmasked frame.
func appendWSHeader(b []byte, opcode byte, n int) []byte {
	switch {
	case n < 126:
		return append(b, opcode, byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(b, opcode, 126), uint16(n))
	}
	return binary.BigEndian.AppendUint64(append(b, opcode, 127), uint64(n))
}

// maxWSHeader is the longest header appendWSHeader makes.
const maxWSHeader = 10

// newWire makes a wire of a payload, which it copies unless it is sent as it is.
func newWire(payload []byte, events int, as format) *wire {
	switch as {
	case formatSSE:
		return &wire{bytes: payload, events: events}
	case formatChunked:
		b := append(strconv.AppendInt(make([]byte, 0, len(payload)+maxChunkFraming), int64(len(payload)), 16), chunkEnd...)
		return &wire{head: len(b), bytes: append(append(b, payload...), chunkEnd...), tail: len(chunkEnd), events: events}
	}
	b := appendWSHeader(make([]byte, 0, len(payload)+maxWSHeader), wsText, len(payload))
	return &wire{head: len(b), bytes: append(b, payload...), events: events}
}

const (
	chunkEnd        = "\r\n"
	lastChunk       = "0\r\n\r\n"
	maxChunkFraming = 16 + 2*len(chunkEnd)
)

// encoder makes the frames of events.
type encoder struct{ codec *messaging.Codec }

// append appends an event with its own position as id.
func (e encoder) append(b []byte, as format, ev *messaging.Event) []byte {
	if ev.Item != nil {
		return e.appendItem(b, as, ev.At, &ev.Item.Item)
	}
	f := e.frameOf(ev)
	return f.appendTo(b, as)
}

// frameOf returns the frame of an event that is not an item, with its own position as id.
func (e encoder) frameOf(ev *messaging.Event) frame {
	id := e.codec.StreamCursor(ev.At)
	switch {
	case ev.Message != nil:
		return e.message(id, &ev.Message.Message)
	case ev.Receipt != nil:
		return e.receipt(id, ev.Receipt)
	case ev.Read != nil:
		return e.read(id, ev.Read)
	}
	return e.channel(id, ev.Channel)
}

// appendItem appends an item, or its correction if the position is not its own, without a frame in between: most events are items.
func (e encoder) appendItem(b []byte, as format, at messaging.Position, i *messaging.Item) []byte {
	b = slices.Grow(b, itemOverhead+len(i.Content))
	if as != formatWS {
		b = append(e.codec.AppendStreamCursor(append(b, "event: item\nid: "...), at), "\ndata: "...)
	} else {
		b = append(e.codec.AppendStreamCursor(append(b, `{"event":"item","id":"`...), at), `","data":`...)
	}
	b = jsonio.AppendString(append(b, `{"channelName":`...), i.Channel)
	b = jsonio.AppendString(append(b, `,"itemId":`...), i.ID)
	if at != i.At {
		b = append(b, `,"edited":true`...)
	}
	b = jsonio.AppendString(append(b, `,"publisher":{"userId":`...), i.Publisher.OrDeleted())
	b = jsonio.AppendStringOrNull(append(b, `,"deviceId":`...), i.Device)
	b = append(append(b, `},"content":`...), i.Content...)
	b = appendTime(append(b, `,"metaData":{"creationDate":`...), i.Created())
	if i.Edited != 0 {
		b = appendTime(append(b, `,"editedDate":`...), i.Edited.Time())
	}
	b = jsonio.AppendStringOrNull(append(b, `,"messageType":`...), i.MessageType)
	b = jsonio.AppendStringOrNull(append(b, `,"contentType":`...), i.ContentType)
	if as != formatWS {
		return append(b, "}}\n\n"...)
	}
	return append(b, "}}}"...)
}

// itemOverhead is about what the frame of an item has besides its content.
const itemOverhead = 384

func (e encoder) message(id string, m *messaging.Message) frame {
	b := make([]byte, 0, 256+len(m.Content)+len(m.Metadata))
	b = jsonio.AppendString(append(b, `{"messageId":`...), m.ID)
	b = jsonio.AppendString(append(b, `,"sender":`...), m.Sender.OrDeleted())
	b = jsonio.AppendStringOrNull(append(b, `,"deviceId":`...), m.Device)
	b = appendContent(append(b, `,"content":`...), m.Content)
	b = appendContent(append(b, `,"metadata":`...), m.Metadata)
	b = append(b, `,"receipt":`...)
	if m.Receipt {
		b = append(b, "true"...)
	} else {
		b = append(b, "false"...)
	}
	b = appendTime(append(b, `,"queuedAt":`...), m.Queued())
	return frame{event: "message", id: id, data: append(b, '}')}
}

func (e encoder) receipt(id string, r *messaging.ReceiptEvent) frame {
	b := jsonio.AppendString([]byte(`{"messageId":`), r.ID)
	b = jsonio.AppendString(append(b, `,"recipient":`...), string(r.Delivery.Recipient))
	b = jsonio.AppendStringOrNull(append(b, `,"deviceId":`...), r.Delivery.Device)
	b = jsonio.AppendString(append(b, `,"state":`...), r.Delivery.State.String())
	b = append(b, `,"receivedAt":`...)
	if r.Delivery.Received.IsZero() {
		b = append(b, "null"...)
	} else {
		b = appendTime(b, r.Delivery.Received)
	}
	return frame{event: "receipt", id: id, data: append(b, '}')}
}

func (e encoder) read(id string, r *messaging.ReadEvent) frame {
	b := jsonio.AppendString([]byte(`{"channelName":`), r.Name)
	b = jsonio.AppendString(append(b, `,"readUpTo":`...), e.codec.ItemID(r.UpTo))
	return frame{event: "read", id: id, data: append(b, '}')}
}

func (e encoder) channel(id string, c *messaging.ChannelEvent) frame {
	b := jsonio.AppendString([]byte(`{"channelName":`), c.Name)
	b = jsonio.AppendString(append(b, `,"change":`...), string(c.Change))
	return frame{event: "channel", id: id, data: append(b, '}')}
}

// gap says, to a stream that has come to a position, that retention removed items of a channel after the cursor from, up to and including to.
func (e encoder) gap(at messaging.Position, channel string, from, to messaging.Position) frame {
	b := jsonio.AppendString([]byte(`{"channelName":`), channel)
	b = jsonio.AppendString(append(b, `,"from":`...), e.codec.StreamCursor(from))
	b = jsonio.AppendString(append(b, `,"to":`...), e.codec.StreamCursor(to))
	return frame{event: "gap", id: e.codec.StreamCursor(at), data: append(b, '}')}
}

// failure answers a client frame that cannot be served.
func (e encoder) failure(err error) frame {
	data, _ := json.Marshal(failureOf(err)) // two plain fields: never fails
	return frame{event: "error", data: data}
}

func appendContent(b []byte, c messaging.Content) []byte {
	if len(c) == 0 {
		return append(b, "null"...)
	}
	return append(b, c...)
}

// timeLayout is how times are written: with milliseconds and a numeric offset.
const timeLayout = `"2006-01-02T15:04:05.000-07:00"`

func appendTime(b []byte, t time.Time) []byte { return t.UTC().AppendFormat(b, timeLayout) }
