// Command streams measures live streams against a server in its own process: how many deliveries it makes, what each costs
// the server and how long it takes, how much memory a stream takes that has nothing to do, and how fast the log is replayed.
//
//	go -C bench run ./streams
//	go -C bench run ./streams -only fanout -subscribers 1000 -publishers 64 -transport sse
//	go -C bench run ./streams -peer centrifugo=http://:KEY@127.0.0.1:8000
//
// A peer is another server that runs already on this machine, spoken to in its own protocol (centrifugo, mercure, ntfy); its credential is the
// password of the URL. It is measured cell by cell next to edict, and each cell ends with what edict makes of it: a ratio above 1 is in
// edict's favour. Peers need not be durable; edict always is.
//
// Server and clients share the machine. Each cell is a few seconds of publishing and the time until the last delivery; every
// delivery is counted at the subscriber.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"edict/bench/program"
	"edict/cli"
)

// serving is set in the environment of the process that is the server.
const serving = "EDICT_BENCH_SERVE"

func main() {
	if os.Getenv(serving) != "" {
		os.Exit(cli.Main(cli.Build{}))
	}
	program.Main("streams", parse, run)
}

// options are the flags.
type options struct {
	only        string
	transports  []string
	subscribers []int
	publishers  []int
	time        time.Duration
	idle        int
	items       int
	peers       []target
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("streams", flag.ContinueOnError)
	f.StringVar(&o.only, "only", "all", "fanout, idle, replay or all")
	transports := f.String("transport", "sse,websocket", "how to read")
	subscribers := f.String("subscribers", "100,1000", "numbers of streams of one channel")
	publishers := f.String("publishers", "1,64", "numbers of connections that publish")
	f.DurationVar(&o.time, "for", 3*time.Second, "how long to publish")
	f.IntVar(&o.idle, "idle", 5000, "idle streams")
	f.IntVar(&o.items, "items", 50_000, "items to replay")
	f.Func("peer", "NAME=URL of another server; may be repeated", func(s string) error {
		p, err := newPeer(s)
		o.peers = append(o.peers, p)
		return err
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.transports = strings.Split(*transports, ",")
	for _, t := range o.transports {
		if t != sse && t != webSocket {
			return o, fmt.Errorf("-transport: %q is neither %s nor %s", t, sse, webSocket)
		}
	}
	if !slices.Contains([]string{"fanout", "idle", "replay", "all"}, o.only) {
		return o, errors.New("-only is fanout, idle, replay or all")
	}
	var err error
	if o.subscribers, err = program.Numbers(*subscribers); err != nil {
		return o, fmt.Errorf("-subscribers: %w", err)
	}
	if o.publishers, err = program.Numbers(*publishers); err != nil {
		return o, fmt.Errorf("-publishers: %w", err)
	}
	return o, nil
}

func run(_ context.Context, o options, w io.Writer) error {
	fmt.Fprintf(w, "%s, %d processors\n", runtime.Version(), runtime.NumCPU())
	for _, part := range []struct {
		name string
		run  func(options, io.Writer) error
	}{{"fanout", benchFanOut}, {"idle", benchIdle}, {"replay", benchReplay}} {
		if o.only != part.name && o.only != "all" {
			continue
		}
		if err := part.run(o, w); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}
