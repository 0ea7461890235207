package main

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
)

// conn is a connection, to publish over or to read from.
type conn struct {
	net.Conn
	buf []byte // of an answer
}

func dial(addr string) (*conn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, buf: make([]byte, 0, 2048)}, nil
}

var (
	headEnd       = []byte("\r\n\r\n")
	contentLength = []byte("\r\nContent-Length: ")
)

// do sends a request and returns the body of its answer, which is good until the next call.
func (c *conn) do(request []byte) (body []byte, err error) {
	if _, err := c.Write(request); err != nil {
		return nil, err
	}
	c.buf = c.buf[:0]
	head := -1
	for head < 0 {
		if err := c.more(); err != nil {
			return nil, err
		}
		head = bytes.Index(c.buf, headEnd)
	}
	_, rest, ok := bytes.Cut(c.buf[:head+2], contentLength)
	digits, _, _ := bytes.Cut(rest, []byte("\r"))
	length, err := strconv.Atoi(string(digits))
	if !ok || err != nil {
		return nil, fmt.Errorf("an answer without Content-Length: %q", c.buf[:head])
	}
	end := head + len(headEnd) + length
	for len(c.buf) < end {
		if err := c.more(); err != nil {
			return nil, err
		}
	}
	if status := string(c.buf[9:12]); status[0] != '2' { // "HTTP/1.1 201 …"
		return nil, fmt.Errorf("status %s: %s", status, c.buf[head+len(headEnd):end])
	}
	return c.buf[head+len(headEnd) : end], nil
}

// more reads what has come.
func (c *conn) more() error {
	if len(c.buf) == cap(c.buf) {
		c.buf = append(c.buf, make([]byte, cap(c.buf))...)[:len(c.buf)]
	}
	n, err := c.Read(c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	return err
}

// until reads on until a text has come.
func (c *conn) until(text string) error {
	for !bytes.Contains(c.buf, []byte(text)) {
		if err := c.more(); err != nil {
			return fmt.Errorf("opening a stream: %w after %q", err, c.buf)
		}
	}
	return nil
}

// subscribe opens a stream and reads until it is live.
func subscribe(t target, s subscription) (*conn, error) {
	c, err := dial(t.address())
	if err != nil {
		return nil, err
	}
	if _, err := c.Write(s.request); err != nil {
		return nil, err
	}
	if err := c.until("\r\n\r\n"); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(string(c.buf), "HTTP/1.1 200") && !strings.HasPrefix(string(c.buf), "HTTP/1.1 101") {
		return nil, fmt.Errorf("opening a stream: %q", c.buf)
	}
	for _, frame := range s.frames {
		if _, err := c.Write(append([]byte{0x81, 0x80 | byte(len(frame)), 0, 0, 0, 0}, frame...)); err != nil { // masked with zeros
			return nil, err
		}
	}
	if err := c.until(s.ready); err != nil {
		return nil, err
	}
	c.buf = nil
	return c, nil
}

// subscribeAll opens streams, a few at a time.
func subscribeAll(t target, transport string, n int) ([]*conn, error) {
	s, err := t.subscription(transport)
	if err != nil {
		return nil, err
	}
	streams := make([]*conn, n)
	var wg sync.WaitGroup
	var once sync.Once
	room := make(chan struct{}, 32)
	for i := range n {
		room <- struct{}{}
		wg.Go(func() {
			c, failed := subscribe(t, s)
			if failed != nil {
				once.Do(func() { err = failed })
			}
			streams[i] = c
			<-room
		})
	}
	wg.Wait()
	if err != nil {
		closeAll(streams)
	}
	return streams, err
}

func closeAll(streams []*conn) {
	for _, c := range streams {
		if c != nil {
			_ = c.Close() // nothing is lost
		}
	}
}
