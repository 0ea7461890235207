package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// benchKill kills the server in the middle of the load, starts it again and reads everything back.
func benchKill(ctx context.Context, o options, w io.Writer) error {
	dir, err := os.MkdirTemp("", "edict-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	data := filepath.Join(dir, "data")
	s, err := startServer(ctx, o.binary, data, o.rate)
	if err != nil {
		return err
	}
	l, err := newLoad(s, o, slices.Max(o.connections))
	if err != nil {
		return err
	}
	defer l.close()
	killed := make(chan error, 1)
	time.AfterFunc(o.duration/2, func() { killed <- s.Kill() })
	failed := l.run(ctx, o.duration)
	if err := <-killed; err != nil {
		return err
	}
	if failed == nil {
		return fmt.Errorf("the server was killed, and no publisher noticed")
	}
	if s, err = startServer(ctx, o.binary, data, o.rate); err != nil {
		return err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	if err := l.verify(s); err != nil {
		return err
	}
	fmt.Fprintf(w, "killed under %d connections: all of %d acknowledged publishes are there, in order\n", len(l.publishers), len(l.latencies()))
	return s.Stop()
}
