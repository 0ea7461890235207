package main

import (
	"fmt"
	"strings"
	"sync"

	"edict/bench/program"
)

// conn is a connection, to publish over or to read from.
type conn struct{ *program.Conn }

func dial(addr string) (conn, error) {
	c, err := program.Dial(addr)
	return conn{c}, err
}

// do sends a request and returns an error unless it succeeds.
func (c conn) do(request []byte) error {
	status, body, err := c.Do(request)
	if err == nil && status/100 != 2 {
		err = fmt.Errorf("status %d: %s", status, body)
	}
	return err
}

// subscribe opens a stream and reads until it is live.
func subscribe(t target, s subscription) (conn, error) {
	c, err := dial(t.address())
	if err != nil {
		return conn{}, err
	}
	if _, err := c.Write(s.request); err != nil {
		return conn{}, err
	}
	if err := c.Until("\r\n\r\n"); err != nil {
		return conn{}, err
	}
	if !strings.HasPrefix(string(c.Buf), "HTTP/1.1 200") && !strings.HasPrefix(string(c.Buf), "HTTP/1.1 101") {
		return conn{}, fmt.Errorf("opening a stream: %q", c.Buf)
	}
	for _, frame := range s.frames {
		if _, err := c.Write(append([]byte{0x81, 0x80 | byte(len(frame)), 0, 0, 0, 0}, frame...)); err != nil { // masked with zeros
			return conn{}, err
		}
	}
	if err := c.Until(s.ready); err != nil {
		return conn{}, err
	}
	c.Buf = nil
	return c, nil
}

// subscribeAll opens streams, a few at a time.
func subscribeAll(t target, transport string, n int) ([]conn, error) {
	s, err := t.subscription(transport)
	if err != nil {
		return nil, err
	}
	streams := make([]conn, n)
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

func closeAll(streams []conn) {
	for _, c := range streams {
		if c.Conn != nil {
			_ = c.Close() // nothing is lost
		}
	}
}
