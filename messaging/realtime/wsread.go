package realtime

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"edict/platform/fault"
)

// The reading side of WebSocket (RFC 6455), for clients that have little to say: a connection that waits for its client holds a
// small buffer and nothing else.

// guid is what the accepting key is made with (RFC 6455, 1.3).
const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// checkHandshake returns the answer to the key of a request for a WebSocket.
func checkHandshake(r *http.Request) (accept string, err error) {
	key := r.Header.Get("Sec-WebSocket-Key")
	raw, bad := base64.StdEncoding.DecodeString(key)
	switch {
	case r.Header.Get("Sec-WebSocket-Version") != "13":
		return "", fault.New(fault.Invalid, "the WebSocket handshake is not understood: Sec-WebSocket-Version is to be 13")
	case bad != nil || len(raw) != 16:
		return "", fault.New(fault.Invalid, "the WebSocket handshake is not understood: Sec-WebSocket-Key is to be 16 bytes in base64")
	}
	sum := sha1.Sum([]byte(key + guid))
	return base64.StdEncoding.EncodeToString(sum[:]), nil
}

// wantsWebSocket reports whether a request asks for the upgrade.
func wantsWebSocket(r *http.Request) bool {
	return hasToken(r.Header["Connection"], "upgrade") && hasToken(r.Header["Upgrade"], "websocket")
}

func hasToken(values []string, token string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		return slices.ContainsFunc(strings.Split(v, ","), func(t string) bool { return strings.EqualFold(strings.TrimSpace(t), token) })
	})
}

// takeOver takes the connection out of net/http and answers the handshake. It returns no connection when that fails, and no error when there
// is nobody left to tell.
func takeOver(w http.ResponseWriter, accept string) (net.Conn, error) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the connection cannot become a WebSocket")
	}
	if buffered.Reader.Buffered() > 0 { // a client that does not wait for the answer does not speak the protocol
		_ = conn.Close()
		return nil, nil
	}
	_, err = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "+accept+"\r\n\r\n")
	if err != nil {
		_ = conn.Close()
		return nil, nil
	}
	return conn, nil
}

// The opcodes.
const (
	opContinuation = 0x0
	opText         = 0x1
	opBinary       = 0x2
	opClose        = 0x8
	opPing         = 0x9
	opPong         = 0xa
)

// frameReader reads the frames of a client.
type frameReader struct {
	conn net.Conn
	held []byte // what has come and is not used, in buf
	buf  [128]byte
}

// clientFrame is one frame.
type clientFrame struct {
	opcode  byte
	final   bool
	payload []byte
}

// next returns the next frame of up to limit bytes. An *ending says what is wrong with a frame that cannot be taken.
func (r *frameReader) next(limit int) (f clientFrame, err error) {
	head, err := r.take(2)
	if err != nil {
		return f, err
	}
	f.opcode, f.final = head[0]&0xf, head[0]&0x80 != 0
	size := int(head[1] & 0x7f)
	control := f.opcode >= opClose
	if head[0]&0x70 != 0 || head[1]&0x80 == 0 || control && (size > 125 || !f.final) || f.opcode > opPong || f.opcode > opBinary && !control {
		return f, endProtocol // reserved bits or opcodes, not masked, a control frame that is long or in parts
	}
	if size, err = r.size(size); err != nil {
		return f, err
	}
	if !control && size > limit {
		return f, endLarge
	}
	return f, r.payload(&f, size)
}

// size reads the rest of a length.
func (r *frameReader) size(first int) (int, error) {
	var n uint64
	switch first {
	case 126:
		b, err := r.take(2)
		if err != nil {
			return 0, err
		}
		n = uint64(binary.BigEndian.Uint16(b))
	case 127:
		b, err := r.take(8)
		if err != nil {
			return 0, err
		}
		n = binary.BigEndian.Uint64(b)
	default:
		return first, nil
	}
	return int(min(n, 1<<30)), nil // far beyond any limit
}

func (r *frameReader) payload(f *clientFrame, size int) error {
	b, err := r.take(4)
	if err != nil {
		return err
	}
	mask := [4]byte(b)
	f.payload = make([]byte, size)
	n := copy(f.payload, r.held)
	r.held = r.held[n:]
	if _, err := io.ReadFull(r.conn, f.payload[n:]); err != nil {
		return err
	}
	for i := range f.payload {
		f.payload[i] ^= mask[i&3]
	}
	return nil
}

// take returns the next n bytes, at most 8, which are good until the next call.
func (r *frameReader) take(n int) ([]byte, error) {
	if len(r.held) < n {
		kept := copy(r.buf[:], r.held)
		for kept < n {
			got, err := r.conn.Read(r.buf[kept:])
			if kept += got; err != nil && kept < n {
				return nil, err
			}
		}
		r.held = r.buf[:kept]
	}
	b := r.held[:n]
	r.held = r.held[n:]
	return b, nil
}
