// Command simulation measures the simulation service over HTTP: requests per second, latency and CPU per request of
// POST /calculate, beside a reference that serves the same country package.
//
//	go run ./bench/simulation -edict http://127.0.0.1:8080 -edict-pid 123 -reference http://127.0.0.1:5000 -reference-pid 456 -body situation.json
//
// Both are driven one after the other with the same body and the same number of connections. CPU is that of the
// process and its children, from /proc; without pids it is left out.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// template is a body for the country template.
const template = `{"persons":{"Alicia":{"birth":{"ETERNITY":"1980-01-01"},"salary":{"2017-01":4000}},"Javier":{"birth":{"ETERNITY":"1984-01-01"},"salary":{"2017-01":2500}}},
"households":{"_":{"adults":["Alicia","Javier"],"disposable_income":{"2017-01":null},"total_taxes":{"2017-01":null}}}}`

type target struct {
	name, url string
	pid       int
}

type figures struct {
	requests int
	elapsed  time.Duration
	median   time.Duration
	cpu      time.Duration // of all requests; 0 if it is not known
}

func main() {
	edict := flag.String("edict", "http://127.0.0.1:8080", "address of edict")
	reference := flag.String("reference", "", "address of an OpenFisca web API; none when empty")
	edictPid := flag.Int("edict-pid", 0, "process of edict")
	referencePid := flag.Int("reference-pid", 0, "process of the reference; its children are counted")
	file := flag.String("body", "", "file with the body of the requests; one for the country template when empty")
	path := flag.String("path", "/calculate", "path of the requests")
	connections := flag.Int("connections", 4, "requests at a time")
	seconds := flag.Int("seconds", 5, "how long each is driven")
	flag.Parse()
	body := []byte(template)
	if *file != "" {
		text, err := os.ReadFile(*file)
		if err != nil {
			fail(err)
		}
		body = text
	}
	targets := []target{{"edict", *edict + *path, *edictPid}}
	if *reference != "" {
		targets = append(targets, target{"reference", *reference + *path, *referencePid})
	}
	var all []figures
	for _, t := range targets {
		f, err := t.drive(body, *connections, time.Duration(*seconds)*time.Second)
		if err != nil {
			fail(err)
		}
		all = append(all, f)
		fmt.Printf("%-10s %8.0f requests/s, median %v, CPU per request %v (%d requests)\n", t.name, f.rate(), f.median.Round(time.Microsecond), f.cost(), f.requests)
	}
	if len(all) == 2 {
		fmt.Printf("%.1f times the requests per second\n", all[0].rate()/all[1].rate())
		if all[0].cpu > 0 && all[1].cpu > 0 {
			fmt.Printf("%.1f times less CPU per request\n", float64(all[1].cost())/float64(all[0].cost()))
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench/simulation:", err)
	os.Exit(1)
}

func (f figures) rate() float64 { return float64(f.requests) / f.elapsed.Seconds() }

func (f figures) cost() time.Duration {
	return (f.cpu / time.Duration(f.requests)).Round(time.Microsecond)
}

// drive sends requests for a while, after some to warm up.
func (t target) drive(body []byte, connections int, long time.Duration) (figures, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}, Timeout: time.Minute}
	for range 2 * connections {
		if err := t.send(client, body); err != nil {
			return figures{}, err
		}
	}
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	before, start := cpuOf(t.pid), time.Now()
	var group sync.WaitGroup
	for range connections {
		group.Go(func() {
			for time.Since(start) < long {
				began := time.Now()
				err := t.send(client, body)
				mu.Lock()
				took = append(took, time.Since(began))
				failed = cmpErr(failed, err)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	f := figures{requests: len(took), elapsed: time.Since(start), cpu: cpuOf(t.pid) - before}
	slices.Sort(took)
	f.median = took[len(took)/2]
	return f, failed
}

func cmpErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

func (t target) send(client *http.Client, body []byte) error {
	resp, err := client.Post(t.url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %.200s", t.url, resp.Status, text)
	}
	return err
}

// tick is the unit of the times in /proc.
const tick = 10 * time.Millisecond

// cpuOf is the CPU time of a process and its children so far; 0 where there is no /proc.
func cpuOf(pid int) time.Duration {
	if pid == 0 {
		return 0
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	var sum time.Duration
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, rest, ok := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if !ok || len(fields) < 13 {
			continue
		}
		own := filepath.Base(filepath.Dir(file)) == strconv.Itoa(pid)
		if own || fields[1] == strconv.Itoa(pid) {
			user, _ := strconv.Atoi(fields[11])
			system, _ := strconv.Atoi(fields[12])
			sum += time.Duration(user+system) * tick
		}
	}
	return sum
}
