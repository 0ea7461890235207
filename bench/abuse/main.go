// Command abuse attacks the server from outside while honest clients use it, and reports what the attacks cost them.
//
//	go -C bench run ./abuse                       every attack, ten seconds each after ten quiet ones
//	go -C bench run ./abuse -only refresh,slow    attacks whose names begin so
//	go -C bench run ./abuse -short                every attack for three seconds, without reading times: what continuous integration runs
//	go -C bench run ./abuse -list                 the attacks in a line each
//
// Each attack meets its own server: the released program as a process, both services, on data that is new. Honest
// clients (honest.go) publish, read a stream, calculate, sign in, refresh and connect from 127.0.0.1; first alone, then
// beside the attackers, who are their own process and come from other addresses of the loopback range, so that
// limits per address tell them apart. An attack is a row of a table: one file per family, NAME.go.
//
// The status is 1 when an honest request failed, when the server held more memory than -bound, or when the 99th
// percentile of an honest kind was more than -ratio times the quiet one. A quiet one below -least counts as -least: under
// that it is the scheduler that is measured, since attackers, server and honest clients share the cores of one machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"edict/bench/program"
)

// options are the flags.
type options struct {
	binary   string
	only     []string
	short    bool
	list     bool
	attacker string
	quiet    time.Duration
	during   time.Duration
	bound    int64 // MiB
	ratio    float64
	least    time.Duration
	cache    string
	channels int
}

func main() { program.Main("abuse", parse, run) }

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("abuse", flag.ContinueOnError)
	f.StringVar(&o.binary, "edict", "", "program to attack; built when empty")
	only := f.String("only", "", "beginnings of the names of attacks, with commas between them; all when empty")
	f.BoolVar(&o.short, "short", false, "a few seconds per attack, and only what does not depend on the speed of the machine")
	f.BoolVar(&o.list, "list", false, "list the attacks")
	f.DurationVar(&o.quiet, "quiet", 10*time.Second, "how long honest clients are measured alone")
	f.DurationVar(&o.during, "for", 10*time.Second, "how long they are measured under attack")
	f.Int64Var(&o.bound, "bound", 1536, "most memory of the server in MiB: what a machine of 2 GB can give it")
	f.Float64Var(&o.ratio, "ratio", 10, "most times that the 99th percentile of honest clients may grow")
	f.DurationVar(&o.least, "least", 5*time.Millisecond, "least quiet 99th percentile to compare with")
	f.StringVar(&o.cache, "cache", program.Cache(), "where data that takes long to make is kept")
	f.IntVar(&o.channels, "channels", 1_000_000, "channels there are where an attack wants many; 20000 with -short")
	f.StringVar(&o.attacker, "attacker", "", "be the attackers of this name; started by the program itself")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	if o.short {
		o.quiet, o.during, o.channels = time.Second, 3*time.Second, min(o.channels, 20_000)
	}
	return o, nil
}

func run(ctx context.Context, o options, w io.Writer) error {
	if o.attacker != "" {
		return beAttacker(ctx, o.attacker, os.Stdin, w)
	}
	chosen := slices.DeleteFunc(slices.Clone(attacks()), func(a attack) bool {
		return len(o.only) > 0 && !slices.ContainsFunc(o.only, func(prefix string) bool { return strings.HasPrefix(a.name, prefix) })
	})
	if len(chosen) == 0 {
		return errors.New("-only: no attack has such a name; -list shows them")
	}
	if o.list {
		for _, a := range chosen {
			fmt.Fprintf(w, "%-24s %s\n", a.name, a.what)
		}
		return nil
	}
	binary, remove, err := program.Given(ctx, o.binary)
	if err != nil {
		return err
	}
	defer remove()
	o.binary = binary

	return attackAll(ctx, o, chosen, w)
}

func attackAll(ctx context.Context, o options, chosen []attack, w io.Writer) error {
	var broken []string
	for _, a := range chosen {
		r, err := meet(ctx, o, a)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		r.print(w, o)
		if !r.holds(o) {
			broken = append(broken, a.name)
		}
	}
	if len(broken) > 0 {
		return fmt.Errorf("the server did not stand %s", strings.Join(broken, ", "))
	}
	fmt.Fprintf(w, "the server stood %d attacks\n", len(chosen))
	return nil
}
