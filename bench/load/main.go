//go:build unix

// Command load measures how long a country package takes to load, each time in its own process: without a cache, when
// the cache is filled, and from the cache; and, if a Python with OpenFisca-Core is given, there, in the same run.
//
//	go -C bench run ./load -country ../../openfisca-france -python python3
//
// It prints CPU time and wall time in ms, the best of all rounds, the peak of memory in MB, and how many times
// faster than the reference that is. Processor time counts all threads, the garbage collector's included. The reference
// imports the package and makes its CountryTaxBenefitSystem; starting Python and importing OpenFisca-Core are not counted, and
// its own cache of compiled modules is warm, except in the first of several rounds after a change.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"

	"edict/platform/heap"
	"edict/simulation/country"
	py "edict/simulation/pyeval"
)

//go:embed reference.py
var script string

// figures are what one load took; the reference prints them as JSON too.
type figures struct {
	Processor float64 `json:"processor"` // seconds
	Clock     float64 `json:"clock"`     // seconds
	Memory    float64 `json:"memory"`    // bytes, at most
	Variables int     `json:"variables"`
}

type options struct {
	country, python, cache string
	profile                string
	memory                 int64
	rounds                 int
	child                  bool
}

func main() {
	var o options
	flag.StringVar(&o.country, "country", "", "directory of the country package, or its wheel")
	flag.StringVar(&o.python, "python", os.Getenv("EDICT_PYTHON"), "a Python with OpenFisca-Core and the packages that the country package needs")
	flag.IntVar(&o.rounds, "rounds", 5, "loads of each kind")
	flag.StringVar(&o.cache, "cache", "", "for -child: directory of the cache")
	flag.StringVar(&o.profile, "profile", "", "for -child: file to write a processor profile to, and one of what was allocated beside it")
	flag.Int64Var(&o.memory, "memory", 8<<30, "bytes that the package's code may hold while it is loaded")
	flag.BoolVar(&o.child, "child", false, "load once in this process and print the figures as JSON")
	flag.Parse()
	run := o.run
	if o.child {
		run = o.load
	}
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// load is one load, as the program does it.
func (o options) load(w io.Writer) error {
	begin, clock := cpuTime(), time.Now()
	stop, err := o.profiled()
	if err != nil {
		return err
	}
	opts := country.Options{Limits: py.Limits{Bytes: o.memory}}
	if o.cache != "" {
		cache, err := country.OpenCache(o.cache)
		if err != nil {
			return err
		}
		opts.Cache = cache
	}
	source, err := country.Open(o.country)
	if err != nil {
		return err
	}
	restore := heap.DelayCollection(512 << 20)
	p, err := country.Load(context.Background(), opts, source)
	restore()
	if err = errors.Join(err, stop()); err != nil {
		return err
	}
	f := figures{Processor: cpuTime() - begin, Clock: time.Since(clock).Seconds(), Variables: len(p.System.Variables())}
	f.Memory = peak()
	return json.NewEncoder(w).Encode(f)
}

// profiled begins the profiles; what it returns writes them.
func (o options) profiled() (stop func() error, err error) {
	if o.profile == "" {
		return func() error { return nil }, nil
	}
	cpu, err := os.Create(o.profile)
	if err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		allocs, err := os.Create(o.profile + ".allocs")
		if err != nil {
			return err
		}
		return errors.Join(cpu.Close(), pprof.Lookup("allocs").WriteTo(allocs, 0), allocs.Close())
	}, pprof.StartCPUProfile(cpu)
}

func (o options) run(w io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cache, err := os.MkdirTemp("", "edict-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	child := []string{program, "-child", "-country", o.country}
	var theirs figures
	if o.python != "" {
		if theirs, err = o.reference(); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%-18s %12s %9s %12s %9s %8s\n", "load", "processor ms", "ratio", "clock ms", "ratio", "MB")
	print := func(name string, f figures) {
		fmt.Fprintf(w, "%-18s %12.1f %8.1fx %12.1f %8.1fx %8.0f\n", name, 1e3*f.Processor, theirs.Processor/f.Processor, 1e3*f.Clock, theirs.Clock/f.Clock, f.Memory/(1<<20))
	}
	for _, row := range []struct {
		name   string
		args   []string
		before func() error
	}{
		{"no cache", nil, nil},
		{"filling the cache", []string{"-cache", cache}, func() error { return empty(cache) }},
		{"from the cache", []string{"-cache", cache}, nil},
	} {
		f, err := o.best(append(child, row.args...), nil, row.before)
		if err != nil {
			return err
		}
		if theirs.Variables != 0 && f.Variables != theirs.Variables {
			return fmt.Errorf("%d variables are loaded, the reference has %d", f.Variables, theirs.Variables)
		}
		print(row.name, f)
	}
	if o.python != "" {
		print("reference", theirs)
	}
	return nil
}

func empty(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range names {
		if err == nil {
			err = os.Remove(name)
		}
	}
	return err
}

// best takes the best figure of each kind from several processes.
func (o options) best(command []string, input []byte, before func() error) (figures, error) {
	var best figures
	for round := range max(1, o.rounds) {
		if before != nil {
			if err := before(); err != nil {
				return best, err
			}
		}
		f, err := one(command, input)
		if err != nil {
			return best, fmt.Errorf("%s: %w", command[0], err)
		}
		if round == 0 {
			best = f
		}
		best.Processor, best.Clock, best.Memory = min(best.Processor, f.Processor), min(best.Clock, f.Clock), min(best.Memory, f.Memory)
	}
	return best, nil
}

func one(command []string, input []byte) (figures, error) {
	var f figures
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(answer, &f)
}

func (o options) reference() (figures, error) {
	source, err := country.Open(o.country)
	if err != nil {
		return figures{}, err
	}
	dir, err := filepath.Abs(o.country)
	if err != nil {
		return figures{}, err
	}
	question, err := json.Marshal(map[string]string{"dir": dir, "package": source.Name})
	if err != nil {
		return figures{}, err
	}
	return o.best([]string{o.python, "-c", script}, question, nil)
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u
}

// cpuTime returns the CPU time of this process so far, in seconds.
func cpuTime() float64 {
	u := usage()
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// peak is the most memory that this process had, in bytes.
func peak() float64 {
	u := usage()
	if runtime.GOOS == "darwin" {
		return float64(u.Maxrss)
	}
	return float64(u.Maxrss) * 1024
}
