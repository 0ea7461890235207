package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"edict/bench/program"
	"edict/bench/seed"
)

// benchPublish publishes on each number of connections, each on data of its own, and prints a line for each.
func benchPublish(ctx context.Context, o options, w io.Writer) error {
	fmt.Fprintf(w, "durable publishes of %d bytes to %d channels, %d streams reading along, every id read back\n", o.size, o.channels, o.streams)
	fmt.Fprintf(w, "%11s %12s %10s %14s %14s %10s %10s\n", "connections", "publishes/s", "per fsync", "server CPU/µs", "client CPU/µs", "p50", "p99")
	for _, n := range o.connections {
		r, err := publishOn(ctx, o, n)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%11d %s\n", n, r)
	}
	return nil
}

// result is what a load came to.
type result struct {
	perSecond, perFsync float64
	serverCPU, ownCPU   float64 // µs of each
	p50, p99            time.Duration
}

func (r result) String() string {
	return fmt.Sprintf("%12.0f %10.1f %14.1f %14.1f %10v %10v", r.perSecond, r.perFsync, r.serverCPU, r.ownCPU, r.p50, r.p99)
}

func publishOn(ctx context.Context, o options, connections int) (r result, err error) {
	dir, err := os.MkdirTemp("", "edict-bench-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	s, err := startServer(ctx, o.binary, filepath.Join(dir, "data"), o.rate)
	if err != nil {
		return r, err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	l, err := newLoad(s, o, connections)
	if err != nil {
		return r, err
	}
	defer l.close()
	along, err := listen(s, o.streams)
	if err != nil {
		return r, err
	}
	defer func() { _ = along.close() }() // the server closes them first
	if r, err = l.measure(ctx, s, o, strconv.Itoa(connections)); err != nil {
		return r, err
	}
	stored, err := s.figures(ctx)
	if err != nil {
		return r, err
	}
	r.perFsync = stored.writes / max(1, stored.groups)
	if err := l.verify(s); err != nil {
		return r, err
	}
	return r, s.Stop()
}

// measure runs the load for a time and returns what it came to, but for the commits. Name is what the profile of it gets added.
func (l *load) measure(ctx context.Context, s *server, o options, name string) (r result, err error) {
	for _, p := range l.publishers {
		p.took = p.took[:0]
	}
	if o.profile != "" {
		profiled := make(chan error, 1)
		go func() { profiled <- s.Profile(ctx, o.profile+"."+name, o.duration) }()
		defer func() { err = errors.Join(err, <-profiled) }()
	}
	serverCPU, ownCPU, began := s.CPU(), selfCPU(), time.Now()
	if err := l.run(ctx, o.duration); err != nil {
		return result{}, err
	}
	took := time.Since(began)
	serverCPU, ownCPU = s.CPU()-serverCPU, selfCPU()-ownCPU
	latency := l.latencies()
	n := float64(max(1, len(latency)))
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / n }
	return result{
		perSecond: n / took.Seconds(), serverCPU: each(serverCPU), ownCPU: each(ownCPU), p50: percentile(latency, 50), p99: percentile(latency, 99),
	}, nil
}

// load is a number of publishers, each on its own connection.
type load struct {
	act        func(*publisher) error // what the publishers do
	channels   int
	size       int
	publishers []*publisher
}

// publisher publishes on one connection. Its items are numbered, so that they can be distinguished and put in order.
type publisher struct {
	conn    *program.Conn
	number  int
	channel int
	request []byte // the bytes at digits are replaced for every item
	digits  []byte
	ids     []string // in the order they were given
	took    []time.Duration
	failed  error

	correction []byte // as request, for what corrects items
	corrected  int
}

const digits = seed.Digits

func newLoad(s *server, o options, connections int) (*load, error) {
	l := &load{act: (*publisher).publish, channels: o.channels, size: o.size}
	c, err := program.Dial(s.Addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for i := range o.channels {
		status, body, err := c.Do(post(s, "/channels", fmt.Sprintf(`{"channelName":"bench%d"}`, i)))
		if err != nil || status != 201 {
			return nil, fmt.Errorf("creating a channel: status %d, %s (%w)", status, body, err)
		}
	}
	for i := range connections {
		p := &publisher{number: i, channel: i % o.channels}
		if p.conn, err = program.Dial(s.Addr); err != nil {
			return nil, err
		}
		p.request = post(s, fmt.Sprintf("/channels/bench%d/items", p.channel), fmt.Sprintf(`{"content":%s}`, seed.Content(i, 0, o.size)))
		at := bytes.Index(p.request, []byte(`"n":"`)) + len(`"n":"`)
		p.digits = p.request[at : at+digits]
		l.publishers = append(l.publishers, p)
	}
	return l, nil
}

func (l *load) close() {
	for _, p := range l.publishers {
		p.conn.Close()
	}
}

// run publishes for a time. It returns early when a publisher fails, with what the first one that failed says.
func (l *load) run(ctx context.Context, d time.Duration) error {
	var stop atomic.Bool
	defer time.AfterFunc(d, func() { stop.Store(true) }).Stop()
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var wg sync.WaitGroup
	for _, p := range l.publishers {
		wg.Go(func() {
			for !stop.Load() {
				if p.failed = l.act(p); p.failed != nil {
					stop.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, p := range l.publishers {
		if p.failed != nil {
			return p.failed
		}
	}
	return ctx.Err()
}

var (
	idBegin = []byte(`"messageId":"`)
	idEnd   = []byte(`"`)
)

func (p *publisher) publish() error {
	for i, n := digits-1, len(p.ids); i >= 0; i, n = i-1, n/10 {
		p.digits[i] = byte('0' + n%10)
	}
	began := time.Now()
	status, body, err := p.conn.Do(p.request)
	if err != nil {
		return err
	}
	_, rest, ok := bytes.Cut(body, idBegin)
	id, _, closed := bytes.Cut(rest, idEnd)
	if status != 201 || !ok || !closed {
		return fmt.Errorf("publish: status %d, %s", status, body)
	}
	p.took = append(p.took, time.Since(began))
	p.ids = append(p.ids, string(id))
	return nil
}

// latencies returns how long every publish took, sorted.
func (l *load) latencies() []time.Duration {
	var all []time.Duration
	for _, p := range l.publishers {
		all = append(all, p.took...)
	}
	slices.Sort(all)
	return all
}

func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)].Round(time.Microsecond)
}
