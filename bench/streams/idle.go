package main

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// benchIdle compares the memory of the server with and without streams that have nothing to do. edict starts again for each transport; a peer
// is compared with what it took at first.
func benchIdle(o options, w io.Writer) error {
	fmt.Fprintf(w, "\n%d idle streams: resident memory of the server for each\n", o.idle)
	base := map[string]int{}
	for _, transport := range o.transports {
		own, err := startEdict()
		if err != nil {
			return err
		}
		var first float64
		for _, t := range append([]target{own}, o.peers...) {
			each, err := idle(t, transport, o.idle, base)
			if errors.Is(err, errNotOffered) {
				continue
			}
			if err != nil {
				own.stop()
				return fmt.Errorf("%s: %w", t.name(), err)
			}
			fmt.Fprintf(w, "%-9s %-10s %6.1f KB", transport, t.name(), each)
			if t != own {
				fmt.Fprintf(w, "  edict: ×%.2f", each/first)
			} else {
				first = each
			}
			fmt.Fprintln(w)
		}
		own.stop()
	}
	return nil
}

func idle(t target, transport string, n int, base map[string]int) (float64, error) {
	warm, err := subscribeAll(t, transport, 200) // what the server needs once is there then
	if err != nil {
		return 0, err
	}
	closeAll(warm)
	time.Sleep(time.Second) // until the server has noticed
	before, known := base[t.name()]
	if _, own := t.(*edict); own || !known {
		before = memory(t.process())
		base[t.name()] = before
	}
	streams, err := subscribeAll(t, transport, n)
	if err != nil {
		return 0, err
	}
	defer closeAll(streams)
	time.Sleep(2 * time.Second) // let the garbage of the handshakes go
	return float64(memory(t.process())-before) / float64(n), nil
}
