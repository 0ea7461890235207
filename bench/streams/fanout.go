package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"edict/bench/program"
)

// outcome is one cell of one target.
type outcome struct {
	published  float64 // a second
	delivered  float64 // a second
	cpu        float64 // µs of the server's CPU, for each delivery
	p50, p99   time.Duration
	missing    int64
	notOffered bool
}

// benchFanOut publishes to one channel with many subscribers, in every combination.
func benchFanOut(o options, w io.Writer) error {
	own, err := startEdict()
	if err != nil {
		return err
	}
	defer own.stop()
	targets := append([]target{own}, o.peers...)
	fmt.Fprintf(w, "\nfan-out: items of %d bytes, publish to receive\n", len(payload(time.Time{})))
	fmt.Fprintf(w, "%-9s %11s %10s  %-10s %11s %13s %13s %9s %9s\n", "transport", "subscribers", "publishers", "", "publishes/s", "deliveries/s", "CPU µs each", "p50", "p99")
	for _, transport := range o.transports {
		for _, subscribers := range o.subscribers {
			for _, publishers := range o.publishers {
				if err := fanOutCell(o, w, targets, transport, subscribers, publishers); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func fanOutCell(o options, w io.Writer, targets []target, transport string, subscribers, publishers int) error {
	var first outcome
	for i, t := range targets {
		r, err := fanOut(t, transport, subscribers, publishers, o.time)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name(), err)
		}
		if r.notOffered {
			continue
		}
		fmt.Fprintf(w, "%-9s %11d %10d  %-10s %11.0f %13.0f %13.2f %9v %9v", transport, subscribers, publishers, t.name(), r.published, r.delivered, r.cpu, r.p50, r.p99)
		switch {
		case r.missing != 0:
			fmt.Fprintf(w, "  %d deliveries are missing", r.missing)
		case i == 0:
			first = r
		default:
			fmt.Fprintf(w, "  edict: deliveries ×%.2f, CPU ×%.2f, p50 ×%.2f, p99 ×%.2f", first.delivered/r.delivered, r.cpu/first.cpu,
				r.p50.Seconds()/first.p50.Seconds(), r.p99.Seconds()/first.p99.Seconds())
		}
		fmt.Fprintln(w)
	}
	return nil
}

// fanOut publishes for a time and waits for the last delivery.
func fanOut(t target, transport string, subscribers, publishers int, d time.Duration) (r outcome, err error) {
	streams, err := subscribeAll(t, transport, subscribers)
	if errors.Is(err, errNotOffered) {
		return outcome{notOffered: true}, nil
	}
	if err != nil {
		return r, err
	}
	defer closeAll(streams)
	var delivered atomic.Int64
	var ages []time.Duration
	var readers sync.WaitGroup
	for i, c := range streams {
		readers.Go(func() {
			if i == 0 {
				ages = readAges(c, &delivered)
			} else {
				count(c, &delivered)
			}
		})
	}
	used, began := program.CPU(t.process()), time.Now()
	published, err := publishAll(t, publishers, d)
	if err != nil {
		return r, err
	}
	want := published * int64(subscribers)
	for wait := time.Now(); delivered.Load() < want && time.Since(wait) < 20*time.Second; {
		time.Sleep(time.Millisecond)
	}
	took := time.Since(began)
	used = program.CPU(t.process()) - used
	closeAll(streams)
	readers.Wait()
	got := float64(delivered.Load())
	r = outcome{published: float64(published) / d.Seconds(), delivered: got / took.Seconds(), cpu: float64(used.Microseconds()) / got, missing: want - delivered.Load()}
	slices.Sort(ages)
	r.p50, r.p99 = percentile(ages, 50), percentile(ages, 99)
	return r, nil
}

func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)].Round(10 * time.Microsecond)
}

// publishAll publishes over n connections for a time and returns how many items were acknowledged.
func publishAll(t target, n int, d time.Duration) (int64, error) {
	var published atomic.Int64
	failed := make([]error, n)
	var wg sync.WaitGroup
	until := time.Now().Add(d)
	for i := range n {
		wg.Go(func() {
			c, err := dial(t.address())
			if err != nil {
				failed[i] = err
				return
			}
			defer c.Close()
			for now := time.Now(); err == nil && now.Before(until); now = time.Now() {
				if err = c.do(t.publication(payload(now))); err == nil {
					published.Add(1)
				}
			}
			failed[i] = err
		})
	}
	wg.Wait()
	return published.Load(), errors.Join(failed...)
}

// mark precedes, in every item once, when it was published. It looks the same however the text is quoted.
var mark = []byte("@t=")

const digits = 19 // of a time in nanoseconds

var filler = strings.Repeat("x", 160)

func payload(now time.Time) string {
	return fmt.Sprintf("%s%0*d %s", mark, digits, now.UnixNano(), filler)
}

// count counts the events of a stream until it ends.
func count(c conn, delivered *atomic.Int64) {
	buffer := make([]byte, 32<<10)
	kept := 0
	for {
		n, err := c.Read(buffer[kept:])
		if err != nil {
			return
		}
		all := buffer[:kept+n]
		delivered.Add(int64(bytes.Count(all, mark)))
		kept = copy(buffer, all[max(0, len(all)-len(mark)+1):]) // the beginning of a mark, at most
	}
}

// readAges counts as well, and returns how old each event was.
func readAges(c conn, delivered *atomic.Int64) (ages []time.Duration) {
	buffer := make([]byte, 64<<10)
	kept := 0
	for {
		n, err := c.Read(buffer[kept:])
		if err != nil {
			return ages
		}
		all, now := buffer[:kept+n], time.Now().UnixNano()
		for {
			i := bytes.Index(all, mark)
			if i < 0 {
				all = all[max(0, len(all)-len(mark)+1):]
				break
			}
			if all = all[i:]; len(all) < len(mark)+digits {
				break
			}
			at, _ := strconv.ParseInt(string(all[len(mark):len(mark)+digits]), 10, 64) // a wrong one would show as an absurd age
			ages = append(ages, time.Duration(now-at))
			delivered.Add(1)
			all = all[len(mark)+digits:]
		}
		kept = copy(buffer, all)
	}
}
