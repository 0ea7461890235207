package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"edict/bench/program"
	"edict/bench/seed"
)

// benchCorrections publishes and corrects alternating on the same connections.
func benchCorrections(ctx context.Context, o options, w io.Writer) error {
	const connections = 64
	dir, err := os.MkdirTemp("", "edict-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := startServer(ctx, o.binary, filepath.Join(dir, "data"), o.rate)
	if err != nil {
		return err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	l, err := newLoad(s, o, connections)
	if err != nil {
		return err
	}
	defer l.close()
	published, corrected := make([]result, 0, o.rounds), make([]result, 0, o.rounds)
	for range o.rounds {
		for _, turn := range []struct {
			name string
			act  func(*publisher) error
			to   *[]result
		}{{"publish", (*publisher).publish, &published}, {"correct", (*publisher).correct, &corrected}} {
			l.act = turn.act
			r, err := l.measure(ctx, s, o, turn.name)
			if err != nil {
				return err
			}
			*turn.to = append(*turn.to, r)
		}
	}
	p, c := median(published), median(corrected)
	fmt.Fprintf(w, "by turns, %d connections, medians of %d\n%12s %12s %14s %10s %10s\n", connections, o.rounds, "", "per second", "server CPU/µs", "p50", "p99")
	fmt.Fprintf(w, "%12s %12.0f %14.1f %10v %10v\n", "publish", p.perSecond, p.serverCPU, p.p50, p.p99)
	fmt.Fprintf(w, "%12s %12.0f %14.1f %10v %10v\n", "correct", c.perSecond, c.serverCPU, c.p50, c.p99)
	return s.Stop()
}

// correct corrects the next of the items that were published.
func (p *publisher) correct() error {
	id := p.ids[p.corrected%len(p.ids)]
	p.corrected++
	if p.correction == nil {
		p.correction = []byte(fmt.Sprintf("PUT%s", bytes.TrimPrefix(bytes.Replace(p.request, []byte("/items "), []byte("/items/"+id+" "), 1), []byte("POST"))))
	}
	copy(p.correction[bytes.Index(p.correction, []byte("/items/"))+len("/items/"):], id)
	began := time.Now()
	status, body, err := p.conn.Do(p.correction)
	if err != nil || status != 200 {
		return fmt.Errorf("correct: status %d, %s (%w)", status, body, err)
	}
	p.took = append(p.took, time.Since(began))
	return nil
}

// benchSleepers publishes to a channel without subscribers and to one of many who sleep, alternating, one item at a time with a pause between them: the waking continues meanwhile.
func benchSleepers(ctx context.Context, o options, w io.Writer) error {
	data := filepath.Join(o.cache, fmt.Sprintf("sleepers-%d", o.sleepers))
	if err := seed.Once(ctx, data, o.sleepers, seed.Sleepers, w); err != nil {
		return err
	}
	s, err := startServer(ctx, o.binary, data, o.rate)
	if err != nil {
		return err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	c, err := program.Dial(s.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	took := map[string][]time.Duration{}
	channels := []string{"quiet", "sleepers"}
	for began := time.Now(); time.Since(began) < 4*o.duration && ctx.Err() == nil; {
		for _, name := range channels {
			at := time.Now()
			status, body, err := c.Do(post(s, "/channels/"+name+"/items", fmt.Sprintf(`{"content":%s}`, seed.Content(0, 0, o.size))))
			if err != nil || status != 201 {
				return fmt.Errorf("publish: status %d, %s (%w)", status, body, err)
			}
			took[name] = append(took[name], time.Since(at))
			time.Sleep(5 * time.Millisecond)
		}
	}
	fmt.Fprintf(w, "publishes by turns to a channel of nobody and to one of %d who sleep and asked to be woken\n", o.sleepers)
	for _, name := range channels {
		slices.Sort(took[name])
		fmt.Fprintf(w, "%12s %8d publishes, p50 %v, p99 %v\n", name, len(took[name]), percentile(took[name], 50), percentile(took[name], 99))
	}
	return s.Stop()
}
