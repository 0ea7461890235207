package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"edict/bench/program"
)

// lag publishes on the first node, one item at a time, and measures how long after the answer the item is on a stream of the last node.
func (b *bench) lag(ctx context.Context) error {
	c, err := b.start(ctx, side{nodes: b.nodes, remote: true})
	if err != nil {
		return err
	}
	defer c.kill()
	clients, err := preparePublish(c, 1, b.options)
	if err != nil {
		return err
	}
	stream, err := program.Dial(c.nodes[len(c.nodes)-1].Addr)
	if err != nil {
		return err
	}
	defer stream.Close()
	if _, err := stream.Write(fmt.Appendf(nil, "GET /message/api/v2/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", c.sender)); err != nil {
		return err
	}
	if err := stream.Until("event: ready"); err != nil {
		return err
	}
	var took []time.Duration
	for began := time.Now(); time.Since(began) < b.duration && ctx.Err() == nil; {
		arrived := make(chan error, 1)
		var at time.Time
		stream.Buf = stream.Buf[:0]
		go func() {
			err := stream.Until("event: item")
			at = time.Now()
			arrived <- err
		}()
		if err := clients[0].act(); err != nil {
			return err
		}
		answered := time.Now()
		if err := <-arrived; err != nil {
			return err
		}
		took = append(took, max(0, at.Sub(answered)))
		time.Sleep(5 * time.Millisecond) // so that nodes have nothing else to do
	}
	slices.Sort(took)
	fmt.Fprintf(b.out, "\nfrom the answer to a publish on a node to a stream on another, %d nodes: p50 %v, p99 %v (%d items)\n", b.nodes, percentile(took, 50), percentile(took, 99), len(took))
	return c.stop()
}
