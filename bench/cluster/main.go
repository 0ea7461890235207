// Command cluster measures messaging on PostgreSQL next to messaging in a data directory: the released program as its own processes, over HTTP on the
// loopback interface, with everything on disk before it is answered. What goes to PostgreSQL passes through a proxy that adds to every round trip what
// a network does.
//
//	go -C bench run ./cluster                               one node next to SQLite, alternating: publishes, messages sent and acknowledged
//	go -C bench run ./cluster -nodes 3 -connections 768     three nodes on one PostgreSQL next to one node with a third of the clients
//	go -C bench run ./cluster -only lag -nodes 2            from the answer to a publish on one node to a stream on another, by each bus and without hints
//	go -C bench run ./cluster -only fanout -nodes 3         deliveries to streams that are spread over three nodes, next to as many on one
//
// Both stores are on the same disk, in -dir. Processor time is that of edict's processes and of PostgreSQL's, which tells more than the rate on a machine
// that does other things besides; so do ratios of turns in one run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"edict/bench/program"
	"edict/platform/db/pgtest"
)

// options are the flags.
type options struct {
	binary, dir, only, profile string
	nodes, connections         int
	streams                    int
	channels, size, rounds     int
	duration, delay            time.Duration
}

func main() { program.Main("cluster", parse, run) }

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("cluster", flag.ContinueOnError)
	f.StringVar(&o.binary, "edict", "", "program to measure; built when empty")
	f.StringVar(&o.dir, "dir", os.TempDir(), "where the data is")
	f.StringVar(&o.only, "only", "", "publish, send, lag or fanout; empty: publish and send, and with several nodes the others")
	f.StringVar(&o.profile, "profile", "", "write CPU profiles of the first node on PostgreSQL to this file, with what is measured added")
	f.IntVar(&o.nodes, "nodes", 1, "servers on PostgreSQL")
	f.IntVar(&o.connections, "connections", 64, "clients, in all")
	f.IntVar(&o.streams, "streams", 600, "streams that items are delivered to, in all")
	f.IntVar(&o.channels, "channels", 16, "channels to publish to")
	f.IntVar(&o.size, "size", 200, "bytes of an item's content, 100 or more")
	f.IntVar(&o.rounds, "rounds", 3, "turns of each")
	f.DurationVar(&o.duration, "for", 5*time.Second, "how long each turn takes")
	f.DurationVar(&o.delay, "delay", 300*time.Microsecond, "added to every round trip to PostgreSQL")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.size < 100 || o.nodes < 1 || o.connections < o.nodes || o.streams < 1 || !slices.Contains([]string{"", "publish", "send", "lag", "fanout"}, o.only) {
		return o, errors.New("-size is 100 or more, -streams 1 or more, -nodes 1 or more and at most -connections; -only is publish, send, lag or fanout")
	}
	if o.nodes == 1 && (o.only == "lag" || o.only == "fanout") {
		return o, fmt.Errorf("-only %s is about several nodes: give -nodes 2 or more", o.only)
	}
	return o, nil
}

func run(ctx context.Context, o options, w io.Writer) error {
	binary, remove, err := program.Given(ctx, o.binary)
	if err != nil {
		return err
	}
	defer remove()
	o.binary = binary
	b := &bench{options: o, out: w}
	if b.postgres, err = pgtest.Launch(o.dir); err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp(o.dir, "edict-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	fmt.Fprintf(w, "%v added to every round trip to PostgreSQL; medians of %d turns of %v\n", o.delay, o.rounds, o.duration)
	for _, act := range acts {
		if o.only == "" || o.only == act.name {
			if err := b.compare(ctx, act); err != nil {
				return fmt.Errorf("%s: %w", act.name, err)
			}
		}
	}
	if o.only == "lag" || o.only == "" && o.nodes > 1 {
		if err := b.lags(ctx); err != nil {
			return err
		}
	}
	if o.only == "fanout" || o.only == "" && o.nodes > 1 {
		return b.fanout(ctx)
	}
	return nil
}

// bench is a run of the command.
type bench struct {
	options
	out      io.Writer
	work     string
	postgres *pgtest.Instance
	places   int // made so far
}

// result is what a turn came to.
type result struct {
	perSecond float64
	edict, pg float64 // µs of CPU time for each
	p50, p99  time.Duration
}

// side is what is compared: a number of nodes with a number of clients, on PostgreSQL or, alone, in a data directory.
type side struct {
	name           string
	nodes, clients int
	remote         bool
	hints          string // byPostgres when empty
}

// sides are compared: one node with SQLite's, several with one that has its share of the clients.
func (b *bench) sides() []side {
	if b.nodes > 1 {
		return []side{
			{name: "one node", nodes: 1, clients: max(1, b.connections/b.nodes), remote: true},
			{name: fmt.Sprintf("%d nodes", b.nodes), nodes: b.nodes, clients: b.connections, remote: true},
		}
	}
	return []side{{name: "SQLite", nodes: 1, clients: b.connections}, {name: "PostgreSQL", nodes: 1, clients: b.connections, remote: true}}
}

// compare has both sides do the same alternating, and prints medians and their ratio.
func (b *bench) compare(ctx context.Context, act act) error {
	fmt.Fprintf(b.out, "\n%s\n%12s %8s %12s %14s %14s %10s %10s\n", act.what, "", "clients", "per second", "edict CPU/µs", "PG CPU/µs", "p50", "p99")
	sides := b.sides()
	results := make([][]result, len(sides))
	for round := range b.rounds {
		for i := range sides {
			i = (round + i) % len(sides) // neither always comes first
			r, err := b.turn(ctx, sides[i], act)
			if err != nil {
				return fmt.Errorf("%s: %w", sides[i].name, err)
			}
			results[i] = append(results[i], r)
		}
	}
	medians := make([]result, len(sides))
	for i, side := range sides {
		r := median(results[i])
		medians[i] = r
		fmt.Fprintf(b.out, "%12s %8d %12.0f %14.1f %14.1f %10v %10v\n", side.name, side.clients, r.perSecond, r.edict, r.pg, r.p50, r.p99)
	}
	fmt.Fprintf(b.out, "%12s %8s %12.2f\n", "ratio", "", medians[1].perSecond/medians[0].perSecond)
	return nil
}

// median returns the turn with the rate in the middle.
func median(all []result) result {
	return slices.SortedFunc(slices.Values(all), func(a, b result) int { return int(a.perSecond - b.perSecond) })[len(all)/2]
}
