package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// The ways in which nodes hear of each other.
const (
	byPostgres = "LISTEN/NOTIFY"
	byNATS     = "NATS"
	byNobody   = "NATS, all hints lost"
)

// lags measures how long items take from node to node, by each way of hints.
func (b *bench) lags(ctx context.Context) error {
	fmt.Fprintf(b.out, "\nfrom the answer to a publish on a node to a stream on another, %d nodes\n%22s %8s %10s %10s %10s\n", b.nodes, "hints", "items", "p50", "p99", "at most")
	for _, hints := range []string{byPostgres, byNATS, byNobody} {
		took, err := b.lag(ctx, side{nodes: b.nodes, remote: true, hints: hints})
		if err != nil {
			return fmt.Errorf("%s: %w", hints, err)
		}
		fmt.Fprintf(b.out, "%22s %8d %10v %10v %10v\n", hints, len(took), percentile(took, 50), percentile(took, 99), percentile(took, 100))
	}
	return nil
}

// lag publishes on the first node, one item at a time, and returns how long after the answer each is on a stream of the last node, sorted.
func (b *bench) lag(ctx context.Context, side side) (took []time.Duration, err error) {
	c, err := b.start(ctx, side)
	if err != nil {
		return nil, err
	}
	defer c.kill()
	clients, err := preparePublish(c, 1, b.options)
	if err != nil {
		return nil, err
	}
	stream, err := c.listen(len(c.nodes) - 1)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
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
			return nil, err
		}
		answered := time.Now()
		if err := <-arrived; err != nil {
			return nil, err
		}
		took = append(took, max(0, at.Sub(answered)))
		time.Sleep(5 * time.Millisecond) // so that nodes have nothing else to do
	}
	slices.Sort(took)
	return took, c.stop()
}
