package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// listeners are live streams that take everything that is published, while it is.
type listeners struct {
	conns []*conn
	wg    sync.WaitGroup
}

// listen opens streams and waits until they are live.
func listen(s *server, n int) (*listeners, error) {
	l := &listeners{}
	for range n {
		c, err := dial(s.Addr)
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
		l.conns = append(l.conns, c)
		if _, err := c.Write(get(s, "/events")); err != nil {
			return nil, errors.Join(err, l.close())
		}
		for !bytes.Contains(c.buf, []byte("event: ready")) {
			if err := c.more(); err != nil {
				return nil, errors.Join(fmt.Errorf("opening a stream: %w after %q", err, c.buf), l.close())
			}
		}
		l.wg.Go(func() { _, _ = io.Copy(io.Discard, c) }) // until it is closed
	}
	return l, nil
}

func (l *listeners) close() error {
	var errs []error
	for _, c := range l.conns {
		errs = append(errs, c.Close())
	}
	l.wg.Wait()
	return errors.Join(errs...)
}
