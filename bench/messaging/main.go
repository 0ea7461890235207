// Command messaging measures the messaging service as its users see it: the released program as its own process,
// over HTTP on the loopback interface, with every publish on disk before it is answered.
//
//	go -C bench run ./messaging                      durable publishes at 1, 16, 64 and 256 connections
//	go -C bench run ./messaging -only kill           kill -9 in the middle of the load, restart, compare
//	go -C bench run ./messaging -only large          search and fetch in large tables, built once and kept in -cache
//	go -C bench run ./messaging -beside OLD          durable publishes of another program and of this one, alternating
//	go -C bench run ./messaging -only acts           a correction next to a publish, lists of what is unread, a publish to many who sleep
//
// The load generator speaks HTTP/1.1 on plain connections, one request at a time on each, so that it leaves the
// CPU to the server. It remembers every id it was given and afterwards reads every item back: each must be there
// once, with what was sent, in the order in which its connection sent it. Processor time is that of the server's process,
// which tells more than the rate on a machine that does other things besides.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"time"

	"edict/bench/program"
)

// options are the flags.
type options struct {
	binary      string
	only        string
	connections []int
	channels    int
	size        int
	duration    time.Duration
	streams     int
	profile     string
	cache       string
	manyNames   int
	manyItems   int
	queries     int
	rate        int
	beside      string
	rounds      int
	sleepers    int
}

func main() { program.Main("messaging", parse, run) }

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("messaging", flag.ContinueOnError)
	f.StringVar(&o.binary, "edict", "", "program to measure; built when empty")
	f.StringVar(&o.only, "only", "publish", "publish, kill, large, acts (correct, unread, sleepers) or all")
	connections := f.String("connections", "1,16,64,256", "numbers of connections to publish on")
	f.IntVar(&o.channels, "channels", 16, "channels to publish to")
	f.IntVar(&o.size, "size", 200, "bytes of an item's content, 100 or more")
	f.DurationVar(&o.duration, "for", 5*time.Second, "how long to publish on each number of connections")
	f.IntVar(&o.streams, "streams", 0, "live streams that read along, each all channels")
	f.StringVar(&o.profile, "profile", "", "write a CPU profile of the server under each load to this file, with the number of connections or the act added")
	f.StringVar(&o.cache, "cache", program.Cache(), "where large tables are kept")
	f.IntVar(&o.manyNames, "names", 1_000_000, "channels to search in")
	f.IntVar(&o.manyItems, "items", 10_000_000, "items to fetch from")
	f.IntVar(&o.queries, "queries", 2000, "searches and fetches of each kind")
	f.IntVar(&o.rate, "rate", 0, "limit of requests per second and user; 0: none")
	f.StringVar(&o.beside, "beside", "", "another program, to publish with by turns")
	f.IntVar(&o.rounds, "rounds", 4, "turns of each with -beside, and of acts")
	f.IntVar(&o.sleepers, "sleepers", 1_000_000, "subscribers that asked to be woken")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	var err error
	if o.connections, err = program.Numbers(*connections); err != nil {
		return o, fmt.Errorf("-connections: %w", err)
	}
	if o.size < 100 || !slices.ContainsFunc(parts, func(p part) bool { return p.chosen(o.only) }) {
		return o, errors.New("-size is 100 or more; -only is publish, kill, large, acts (correct, unread, sleepers) or all")
	}
	return o, nil
}

// part is something to measure.
type part struct {
	name, group string
	run         func(context.Context, options, io.Writer) error
}

// The acts are what is to cost no more than something else: a correction than a publish, a list of what is unread than 5 ms, a publish to a channel of
// many who sleep and asked to be woken than to one without subscribers.
var parts = []part{
	{"publish", "", benchPublishes}, {"kill", "", benchKill}, {"large", "", benchLarge},
	{"correct", "acts", benchCorrections}, {"unread", "acts", benchUnread}, {"sleepers", "acts", benchSleepers},
}

func (p part) chosen(only string) bool {
	return only == "all" || only == p.name || only != "" && only == p.group
}

func run(ctx context.Context, o options, w io.Writer) error {
	binary, remove, err := program.Given(ctx, o.binary)
	if err != nil {
		return err
	}
	defer remove()
	o.binary = binary

	for _, part := range parts {
		if !part.chosen(o.only) {
			continue
		}
		if err := part.run(ctx, o, w); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}
