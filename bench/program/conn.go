package program

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
)

// Conn is an HTTP/1.1 connection with one request under way at a time, which leaves the CPU to the server.
type Conn struct {
	net.Conn
	Buf []byte // of the answer
}

// Dial connects to an address.
func Dial(addr string) (*Conn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: c, Buf: make([]byte, 0, 4096)}, nil
}

var (
	headEnd       = []byte("\r\n\r\n")
	contentLength = []byte("\r\nContent-Length: ")
)

// Do sends a request and returns status and body of the answer, which are good until the next call.
func (c *Conn) Do(request []byte) (status int, body []byte, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, nil, err
	}
	c.Buf = c.Buf[:0]
	head := -1
	for head < 0 {
		if err := c.more(); err != nil {
			return 0, nil, err
		}
		head = bytes.Index(c.Buf, headEnd)
	}
	_, rest, ok := bytes.Cut(c.Buf[:head+2], contentLength)
	digits, _, _ := bytes.Cut(rest, []byte("\r"))
	length, err := strconv.Atoi(string(digits))
	if !ok || err != nil {
		return 0, nil, fmt.Errorf("an answer without Content-Length: %q", c.Buf[:head])
	}
	end := head + len(headEnd) + length
	for len(c.Buf) < end {
		if err := c.more(); err != nil {
			return 0, nil, err
		}
	}
	status, err = strconv.Atoi(string(c.Buf[9:12])) // "HTTP/1.1 201 …"
	return status, c.Buf[head+len(headEnd) : end], err
}

// Until reads on until a text has come.
func (c *Conn) Until(text string) error {
	for !bytes.Contains(c.Buf, []byte(text)) {
		if err := c.more(); err != nil {
			return fmt.Errorf("opening a stream: %w after %q", err, c.Buf)
		}
	}
	return nil
}

// more reads what has come.
func (c *Conn) more() error {
	if len(c.Buf) == cap(c.Buf) {
		c.Buf = append(c.Buf, make([]byte, max(cap(c.Buf), 4096))...)[:len(c.Buf)]
	}
	n, err := c.Read(c.Buf[len(c.Buf):cap(c.Buf)])
	c.Buf = c.Buf[:len(c.Buf)+n]
	return err
}
