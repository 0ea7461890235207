package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"edict/bench/program"
)

// benchReplay resumes far behind: the items of channels that alternate, over one stream and over several at once. Peers have no
// replay of this depth to compare with: they cap it, or keep nothing on disk.
func benchReplay(o options, w io.Writer) error {
	fmt.Fprintf(w, "\nreplay of %d items\n", o.items)
	fmt.Fprintf(w, "%-9s %9s %8s %10s %12s\n", "transport", "channels", "streams", "events/s", "CPU µs each")
	for _, channels := range []int{1, 4, 64} {
		if err := replayOf(o, w, channels); err != nil {
			return err
		}
	}
	return nil
}

func replayOf(o options, w io.Writer, channels int) error {
	s, err := startEdict()
	if err != nil {
		return err
	}
	defer s.stop()
	for i := range channels {
		if err := s.create(fmt.Sprint("c", i), -1); err != nil {
			return err
		}
	}
	cursor, err := s.cursor()
	if err != nil {
		return err
	}
	if err := s.publishItems(o.items, channels); err != nil {
		return err
	}
	for _, transport := range o.transports {
		for _, streams := range []int{1, 16} {
			used, began := program.CPU(s.process()), time.Now()
			if err := s.replayAll(transport, cursor, streams, o.items); err != nil {
				return err
			}
			took := time.Since(began)
			used = program.CPU(s.process()) - used
			n := float64(streams * o.items)
			fmt.Fprintf(w, "%-9s %9d %8d %10.0f %12.2f\n", transport, channels, streams, n/took.Seconds(), float64(used.Microseconds())/n)
		}
	}
	return nil
}

// cursor returns where the log ends now.
func (s *edict) cursor() (string, error) {
	sub, err := s.subscription(sse)
	if err != nil {
		return "", err
	}
	c, err := dial(s.address())
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := c.Write(sub.request); err != nil {
		return "", err
	}
	if err := c.Until("data: {}"); err != nil {
		return "", err
	}
	_, rest, _ := bytes.Cut(c.Buf, []byte("\nid: "))
	id, _, _ := bytes.Cut(rest, []byte("\n"))
	return string(id), nil
}

// publishItems publishes n items, each to the next channel.
func (s *edict) publishItems(n, channels int) error {
	const publishers = 64
	failed := make([]error, publishers)
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			c, err := dial(s.address())
			if err != nil {
				failed[p] = err
				return
			}
			defer c.Close()
			for i := p; i < n && failed[p] == nil; i += publishers {
				failed[p] = c.do(s.publicationTo(fmt.Sprint("c", i%channels), payload(time.Now())))
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// replayAll resumes streams at a cursor and reads until each has had all items.
func (s *edict) replayAll(transport, cursor string, streams, items int) error {
	header := s.authorization()
	if transport == webSocket {
		header += upgrade
	}
	resume := request("GET", "/message/api/v2/events?cursor="+cursor, s.address(), header, "")
	failed := make([]error, streams)
	var wg sync.WaitGroup
	for i := range streams {
		wg.Go(func() {
			c, err := dial(s.address())
			if err != nil {
				failed[i] = err
				return
			}
			defer c.Close()
			if _, err := c.Write(resume); err != nil {
				failed[i] = err
				return
			}
			failed[i] = c.countMarks(items)
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// countMarks reads until so many items have come.
func (c conn) countMarks(want int) error {
	buffer := make([]byte, 128<<10)
	for kept, got := 0, 0; got < want; {
		n, err := c.Read(buffer[kept:])
		if err != nil {
			return fmt.Errorf("the stream ended after %d of %d items: %w", got, want, err)
		}
		all := buffer[:kept+n]
		got += bytes.Count(all, mark)
		kept = copy(buffer, all[max(0, len(all)-len(mark)+1):])
	}
	return nil
}
