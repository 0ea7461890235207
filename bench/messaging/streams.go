package main

import (
	"errors"
	"io"
	"sync"

	"edict/bench/program"
)

// listeners are live streams that take everything that is published, while it is.
type listeners struct {
	conns []*program.Conn
	wg    sync.WaitGroup
}

// listen opens streams and waits until they are live.
func listen(s *server, n int) (*listeners, error) {
	l := &listeners{}
	for range n {
		c, err := program.Dial(s.Addr)
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
		l.conns = append(l.conns, c)
		if _, err := c.Write(get(s, "/events")); err != nil {
			return nil, errors.Join(err, l.close())
		}
		if err := c.Until("event: ready"); err != nil {
			return nil, errors.Join(err, l.close())
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
