// Command streams measures live streams against a server in a process of its own: how many deliveries it makes and
// what each costs the server, how long they take, and how much memory a stream takes that has nothing to do.
//
//	go run ./bench/streams -subscribers 1000 -publishers 64
//	go run ./bench/streams -idle 5000 -transport websocket
//
// Server and clients share the machine. Each cell is a few seconds of publishing, acknowledged when durable, and the
// time until the last delivery; every delivery is counted at the subscriber.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"edict/cli"
)

// serving is set in the environment of the process that is the server.
const serving = "EDICT_BENCH_SERVE"

func main() {
	if os.Getenv(serving) != "" {
		os.Exit(cli.Main(cli.Build{}))
	}
	var o options
	flag.IntVar(&o.subscribers, "subscribers", 1000, "streams of one channel")
	flag.IntVar(&o.publishers, "publishers", 64, "connections that publish")
	flag.IntVar(&o.idle, "idle", 0, "measure the memory of so many idle streams instead")
	flag.DurationVar(&o.time, "time", 3*time.Second, "how long to publish")
	flag.StringVar(&o.transport, "transport", "sse", "sse or websocket")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "streams:", err)
		os.Exit(1)
	}
}

type options struct {
	subscribers, publishers, idle int
	time                          time.Duration
	transport                     string
}

func run(o options) error {
	dir, err := os.MkdirTemp("", "edict-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := startServer(filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	defer s.stop()
	if err := s.post("/message/api/v2/channels", `{"channelName":"bench","maxItems":1000}`); err != nil {
		return err
	}
	fmt.Printf("%s, %d processors, %s\n", runtime.Version(), runtime.NumCPU(), o.transport)
	if o.idle > 0 {
		return measureIdle(s, o)
	}
	return measureFanOut(s, o)
}

// measureIdle compares the memory of the server with and without streams.
func measureIdle(s *server, o options) error {
	if err := s.warm(o.transport); err != nil {
		return err
	}
	before, err := s.memory()
	if err != nil {
		return err
	}
	streams, err := s.openAll(o.idle, o.transport)
	if err != nil {
		return err
	}
	defer closeAll(streams)
	time.Sleep(2 * time.Second) // let the garbage of the handshakes go
	after, err := s.memory()
	if err != nil {
		return err
	}
	fmt.Printf("%d idle streams: %.1f KB each (%d -> %d KB)\n", o.idle, float64(after-before)/float64(o.idle), before, after)
	return nil
}

// measureFanOut publishes to one channel with many subscribers.
func measureFanOut(s *server, o options) error {
	streams, err := s.openAll(o.subscribers, o.transport)
	if err != nil {
		return err
	}
	defer closeAll(streams)
	var delivered atomic.Int64
	var latencies []time.Duration
	var readers sync.WaitGroup
	for i, st := range streams {
		readers.Go(func() {
			sample := readAll(st, &delivered, i == 0)
			if i == 0 {
				latencies = sample
			}
		})
	}
	cpu, began := s.processorTime(), time.Now()
	published, err := s.publishAll(o.publishers, o.time)
	if err != nil {
		return err
	}
	want := published * int64(o.subscribers)
	for wait := time.Now(); delivered.Load() < want && time.Since(wait) < 30*time.Second; {
		time.Sleep(time.Millisecond)
	}
	took, used := time.Since(began), s.processorTime()-cpu
	closeAll(streams)
	readers.Wait()
	got := delivered.Load()
	fmt.Printf("%d subscribers, %d publishers: %.0f publishes/s, %.0f deliveries/s, %.2f µs of the server's processor each",
		o.subscribers, o.publishers, float64(published)/o.time.Seconds(), float64(got)/took.Seconds(), float64(used.Microseconds())/float64(got))
	slices.Sort(latencies)
	if n := len(latencies); n > 0 {
		fmt.Printf(", latency p50 %v p99 %v", latencies[n/2].Round(10*time.Microsecond), latencies[n*99/100].Round(10*time.Microsecond))
	}
	fmt.Printf(", %d of %d delivered\n", got, want)
	return nil
}

// readAll counts the events of a stream until it ends; of a sample it returns how old each was.
func readAll(st *stream, delivered *atomic.Int64, sample bool) (ages []time.Duration) {
	buffer := make([]byte, 32<<10)
	kept := 0
	for {
		n, err := st.conn.Read(buffer[kept:])
		if err != nil {
			return ages
		}
		all := buffer[:kept+n]
		end := bytes.LastIndexByte(all, '}') + 1 // events are counted by what precedes the end of one
		delivered.Add(int64(bytes.Count(all[:end], mark)))
		if sample {
			ages = appendAges(ages, all[:end])
		}
		if kept = copy(buffer, all[end:]); kept == len(buffer) {
			kept = 0
		}
	}
}

// mark is in every item once, followed by when it was published.
var mark = []byte(`"t":"`)

func appendAges(ages []time.Duration, events []byte) []time.Duration {
	now := time.Now().UnixNano()
	for {
		_, rest, ok := bytes.Cut(events, mark)
		if !ok {
			return ages
		}
		events = rest
		var at int64
		if _, err := fmt.Sscanf(string(rest[:min(20, len(rest))]), "%d", &at); err == nil {
			ages = append(ages, time.Duration(now-at))
		}
	}
}

// payload is the rest of an item of about 200 bytes.
var payload = strings.Repeat("x", 150)

func content(now time.Time) string {
	return fmt.Sprintf(`{"content":{"t":"%d","text":"%s"}}`, now.UnixNano(), payload)
}

var background = context.Background()
