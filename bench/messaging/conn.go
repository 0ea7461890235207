package main

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
)

// conn is one HTTP/1.1 connection with one request under way at a time.
type conn struct {
	net.Conn
	buf []byte // of the answer
}

func dial(addr string) (*conn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, buf: make([]byte, 0, 4096)}, nil
}

var (
	headEnd       = []byte("\r\n\r\n")
	contentLength = []byte("\r\nContent-Length: ")
)

// do sends a request and returns status and body of the answer, which are good until the next call.
func (c *conn) do(request []byte) (status int, body []byte, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, nil, err
	}
	c.buf = c.buf[:0]
	head := -1
	for head < 0 {
		if err := c.more(); err != nil {
			return 0, nil, err
		}
		head = bytes.Index(c.buf, headEnd)
	}
	length, err := lengthOf(c.buf[:head+2])
	if err != nil {
		return 0, nil, err
	}
	for end := head + len(headEnd) + length; len(c.buf) < end; {
		if err := c.more(); err != nil {
			return 0, nil, err
		}
	}
	status, err = strconv.Atoi(string(c.buf[9:12])) // "HTTP/1.1 201 …"
	return status, c.buf[head+len(headEnd):], err
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

func lengthOf(head []byte) (int, error) {
	_, rest, ok := bytes.Cut(head, contentLength)
	if !ok {
		return 0, fmt.Errorf("an answer without Content-Length: %q", head)
	}
	digits, _, _ := bytes.Cut(rest, []byte("\r"))
	return strconv.Atoi(string(digits))
}

// get makes a GET request of the service.
func get(s *server, path string) []byte {
	return fmt.Appendf(nil, "GET /message/api/v2%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, s.Addr, s.token)
}

// post makes a POST request of the service.
func post(s *server, path, body string) []byte {
	return fmt.Appendf(nil, "POST /message/api/v2%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, s.Addr, s.token, len(body), body)
}
