//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"
)

// figures are what a server did for a while.
type figures struct {
	requests int
	elapsed  time.Duration
	median   time.Duration
	cpu      time.Duration // of all requests
	answer   []byte        // for the first household
}

func (f figures) rate() float64 { return float64(f.requests) / f.elapsed.Seconds() }

func (f figures) cost() time.Duration { return f.cpu / time.Duration(f.requests) }

// drive sends a request over and over on some connections, after a second to warm up.
func (s *server) drive(b body, connections int, long time.Duration) (figures, error) {
	requests := make([][]byte, households)
	for i := range requests {
		text := b.of(i)
		requests[i] = fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", b.path, s.Addr, len(text), text)
	}
	first := &conn{addr: s.Addr}
	defer first.close()
	if err := first.do(requests[0]); err != nil {
		return figures{}, err
	}
	if _, err := s.round(requests, connections, time.Second); err != nil {
		return figures{}, err
	}
	before := s.CPU()
	f, err := s.round(requests, connections, long)
	f.cpu, f.answer = s.CPU()-before, first.body
	return f, err
}

func (s *server) round(requests [][]byte, connections int, long time.Duration) (figures, error) {
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	start := time.Now()
	var group sync.WaitGroup
	for i := range connections {
		group.Go(func() {
			c := &conn{addr: s.Addr}
			defer c.close()
			own, err := c.repeat(requests, i*len(requests)/connections, start.Add(long))
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
			if err != nil {
				failed = err
			}
		})
	}
	group.Wait()
	if failed != nil {
		return figures{}, failed
	}
	slices.Sort(took)
	return figures{requests: len(took), elapsed: time.Since(start), median: took[len(took)/2]}, nil
}

// conn is an HTTP/1.1 connection with one request under way at a time. A server that closes it after an answer, as
// gunicorn's plain workers do, gets a new one. Its socket blocks: a read that waits costs one system call, not the four of
// a poller, and what the load generator does not use of the CPU is the server's.
type conn struct {
	addr string
	net  *os.File
	buf  []byte
	body []byte // of the last answer
}

func (c *conn) close() {
	if c.net != nil {
		_ = c.net.Close()
		c.net = nil
	}
}

// repeat sends requests in turn until the time is over, at least one, and returns how long each answer took.
func (c *conn) repeat(requests [][]byte, from int, until time.Time) ([]time.Duration, error) {
	var took []time.Duration
	for len(took) == 0 || time.Now().Before(until) {
		began := time.Now()
		if err := c.do(requests[(from+len(took))%len(requests)]); err != nil {
			return took, err
		}
		took = append(took, time.Since(began))
	}
	return took, nil
}

func (c *conn) do(request []byte) (err error) {
	if c.net == nil {
		if c.net, err = dial(c.addr); err != nil {
			return err
		}
	}
	if _, err := c.net.Write(request); err != nil {
		return err
	}
	c.buf = c.buf[:0]
	head := -1
	for head < 0 {
		if err := c.more(); err != nil {
			return err
		}
		head = bytes.Index(c.buf, []byte("\r\n\r\n"))
	}
	top := c.buf[:head+2]
	length, err := lengthOf(top)
	if err != nil {
		return err
	}
	for end := head + 4 + length; len(c.buf) < end; {
		if err := c.more(); err != nil {
			return err
		}
	}
	c.body = c.buf[head+4:]
	if !bytes.Contains(top, []byte(" 200 ")) {
		return fmt.Errorf("%s%s", top, c.body)
	}
	if bytes.Contains(top, []byte("\r\nConnection: close\r\n")) {
		c.close()
	}
	return nil
}

func dial(addr string) (*os.File, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	file, err := c.(*net.TCPConn).File()
	if err != nil {
		return nil, err
	}
	file.Fd() // makes it block
	return file, nil
}

// more reads what has come.
func (c *conn) more() error {
	if len(c.buf) == cap(c.buf) {
		c.buf = append(c.buf, make([]byte, 4096+cap(c.buf))...)[:len(c.buf)]
	}
	n, err := c.net.Read(c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	return err
}

func lengthOf(head []byte) (int, error) {
	_, rest, ok := bytes.Cut(head, []byte("\r\nContent-Length: "))
	if !ok {
		return 0, fmt.Errorf("an answer without Content-Length: %q", head)
	}
	digits, _, _ := bytes.Cut(rest, []byte("\r"))
	return strconv.Atoi(string(digits))
}
