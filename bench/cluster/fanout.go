package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"edict/bench/program"
)

// listeners are streams, spread over the nodes, that count the items they get.
type listeners struct {
	conns   []*program.Conn
	got     atomic.Int64
	running sync.WaitGroup
}

// listen opens a stream of the sender on a node.
func (c *cluster) listen(node int) (*program.Conn, error) {
	stream, err := program.Dial(c.nodes[node%len(c.nodes)].Addr)
	if err != nil {
		return nil, err
	}
	_, err = stream.Write(fmt.Appendf(nil, "GET /message/api/v2/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", c.sender))
	if err == nil {
		err = stream.Until("event: ready")
	}
	if err != nil {
		return nil, errors.Join(err, stream.Close())
	}
	return stream, nil
}

// listenAll opens streams and counts what comes until close.
func listenAll(c *cluster, n int) (*listeners, error) {
	l := &listeners{}
	for i := range n {
		stream, err := c.listen(i)
		if err != nil {
			l.close()
			return nil, err
		}
		l.conns = append(l.conns, stream)
		l.running.Go(func() { l.count(stream) })
	}
	return l, nil
}

// count counts the items of a stream until it is closed.
func (l *listeners) count(stream *program.Conn) {
	item := []byte("event: item")
	buffer := make([]byte, 64<<10)
	kept := 0 // the end of what came before, of which an item may have begun
	for {
		n, err := stream.Read(buffer[kept:])
		if err != nil {
			return
		}
		seen := buffer[:kept+n]
		l.got.Add(int64(bytes.Count(seen, item)))
		kept = copy(buffer, seen[len(seen)-min(len(seen), len(item)-1):])
	}
}

func (l *listeners) close() {
	for _, c := range l.conns {
		_ = c.Close()
	}
	l.running.Wait()
}

// pace is how items come that are delivered.
type pace struct {
	what       string
	publishers int
	every      time.Duration // 0: as fast as they are answered
}

// atPace is how many deliveries a second leave CPU time, so that one server and several do the same work.
const atPace = 60_000

// paces are how items come to a number of streams: as fast as some clients publish, and one by one.
func paces(streams int) []pace {
	every := time.Duration(streams) * time.Second / atPace
	return []pace{
		{"as fast as 6 clients publish", 6, 0},
		{fmt.Sprintf("one every %v", every), 1, every},
	}
}

// fanout publishes with streams open on all nodes, and measures deliveries: as many streams on one node, and on several.
func (b *bench) fanout(ctx context.Context) error {
	for _, pace := range paces(b.streams) {
		fmt.Fprintf(b.out, "\nitems, %s, delivered to %d streams of all nodes\n%12s %12s %14s %14s\n", pace.what, b.streams, "", "per second", "edict CPU/µs", "PG CPU/µs")
		results := make([][]result, 2)
		for range b.rounds {
			for i, side := range b.sides() {
				side.clients = pace.publishers
				r, err := b.deliver(ctx, side, pace.every)
				if err != nil {
					return fmt.Errorf("%s: %w", side.name, err)
				}
				results[i] = append(results[i], r)
			}
		}
		medians := make([]result, 2)
		for i, side := range b.sides() {
			medians[i] = median(results[i])
			fmt.Fprintf(b.out, "%12s %12.0f %14.2f %14.2f\n", side.name, medians[i].perSecond, medians[i].edict, medians[i].pg)
		}
		fmt.Fprintf(b.out, "%12s %12.2f %14.2f\n", "ratio", medians[1].perSecond/medians[0].perSecond, medians[1].edict/medians[0].edict)
	}
	return nil
}

// paced has a client act at a pace.
func (c *client) paced(every time.Duration) {
	act, tick := c.act, time.NewTicker(every)
	c.act = func() error {
		<-tick.C
		return act()
	}
}

// deliver publishes for a time and waits until every stream has everything.
func (b *bench) deliver(ctx context.Context, side side, every time.Duration) (r result, err error) {
	c, err := b.start(ctx, side)
	if err != nil {
		return r, err
	}
	defer c.kill()
	l, err := listenAll(c, b.streams)
	if err != nil {
		return r, err
	}
	defer l.close()
	first := &cluster{nodes: c.nodes[:1], sender: c.sender} // groups of publishes are of one size on both sides
	clients, err := preparePublish(first, side.clients, b.options)
	if err != nil {
		return r, err
	}
	if every > 0 {
		for _, one := range clients {
			one.paced(every)
		}
	}
	edict, pg, began := c.cpu(), program.CPU(b.postgres.PID()), time.Now()
	took, err := drive(ctx, clients, b.duration)
	if err != nil {
		return r, err
	}
	all := int64(len(took)) * int64(b.streams)
	for end := time.Now().Add(time.Minute); l.got.Load() < all; time.Sleep(time.Millisecond) {
		if time.Now().After(end) || ctx.Err() != nil {
			return r, fmt.Errorf("%d of %d items came", l.got.Load(), all)
		}
	}
	n := float64(max(1, all))
	r = result{perSecond: n / time.Since(began).Seconds(), edict: float64((c.cpu() - edict).Microseconds()) / n}
	if side.remote {
		r.pg = float64((program.CPU(b.postgres.PID()) - pg).Microseconds()) / n
	}
	return r, c.stop()
}
