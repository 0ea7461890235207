// Command torture publishes, sends, acknowledges and reads while it kills the server again and again, and then checks
// that every promise of the service held (docs/concepts/durability.md).
//
//	torture -kills 1000            the long form: kill -9 of the real program at random moments
//	torture -how power -kills 100  power cuts: what was written and not yet synced is lost, or half of it, or torn
//	torture -nodes 3 -kills 1000   several nodes on PostgreSQL: nodes killed, stopped with the lock and cut off, the primary lost (docs/guides/cluster.md)
//	torture -nodes 3 -kills 200 -only 'PostgreSQL away until all leases end'
//	torture -check FILE            checks a history that was kept
//
// The kills are spread over lives, each a data directory of its own that is killed many times. The moments, the load and
// what the readers do come from a seed; how the processes are scheduled does not, so the same seed gives a similar run, not
// the same one. A history that shows a broken promise is kept in a file.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"edict/bench/program"
	"edict/bench/torture/history"
)

type options struct {
	binary string
	how    string
	kills  int
	lives  int
	nodes  int
	bus    string
	only   string
	seed   uint64
	keep   string
	check  string
}

func main() { program.Main("torture", parse, run) }

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("torture", flag.ContinueOnError)
	f.StringVar(&o.binary, "edict", "", "program to torture; built when empty")
	f.StringVar(&o.how, "how", "kill", "kill: kill -9 of the program; power: power cuts, in process")
	f.IntVar(&o.kills, "kills", 1000, "how often to kill")
	f.IntVar(&o.lives, "lives", 0, "data directories to spread them over; 0: one for every 50 kills")
	f.IntVar(&o.nodes, "nodes", 0, "nodes on one PostgreSQL with a standby, with other faults beside the kills; 0: one, in a data directory")
	f.StringVar(&o.bus, "bus", "", "of several nodes: postgres or nats; by turns of lives when empty")
	f.StringVar(&o.only, "only", "", "fault of several nodes that happens -kills times, and no other, as the table of faults names it; all of them when empty")
	f.Uint64Var(&o.seed, "seed", 0, "of everything random; 0: another one each time")
	f.StringVar(&o.keep, "keep", os.TempDir(), "directory for histories that show a broken promise")
	f.StringVar(&o.check, "check", "", "check a history that was kept, and do nothing else")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.kills < 1 || o.lives < 0 || o.lives > o.kills || o.how != "kill" && o.how != "power" {
		return o, errors.New("-kills is 1 or more, -lives at most as many, -how is kill or power")
	}
	if o.nodes < 0 || o.nodes == 1 || o.nodes > 1 && (o.how != "kill" || !canStop) {
		return o, errors.New("-nodes is 2 or more, with -how kill, where processes can be stopped by signals")
	}
	if o.bus != "" && o.bus != "postgres" && o.bus != "nats" {
		return o, errors.New("-bus is postgres or nats")
	}
	if o.only != "" && (o.nodes == 0 || !slices.Contains(names(faults), o.only)) {
		return o, fmt.Errorf("-only is a fault of -nodes: %s", strings.Join(names(faults), "; "))
	}
	if o.lives == 0 {
		o.lives = (o.kills + 49) / 50
	}
	if o.seed == 0 {
		o.seed = rand.Uint64()
	}
	return o, nil
}

func run(ctx context.Context, o options, w io.Writer) error {
	if o.check != "" {
		return checkFile(o.check, w)
	}
	if o.how == "kill" {
		binary, remove, err := program.Given(ctx, o.binary)
		if err != nil {
			return err
		}
		defer remove()
		o.binary = binary
	}

	fmt.Fprintf(w, "torture: %d times %s over %d lives, seed %d\n", o.kills, o.how, o.lives, o.seed)
	began := time.Now()
	var all figures
	tally := newTally()
	for n := range o.lives {
		kills := o.kills/o.lives + btoi(n < o.kills%o.lives)
		f, err := runLife(ctx, o, uint64(n), kills, tally)
		all.add(f)
		if err != nil {
			tally.print(w)
			return fmt.Errorf("life %d of seed %d: %w", n, o.seed, err)
		}
		fmt.Fprintf(w, "life %3d: %v\n", n, f)
	}
	if o.nodes > 0 {
		tally.print(w)
	}
	fmt.Fprintf(w, "all kept in %v: %v\n", time.Since(began).Round(time.Second), all)
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// runLife lives one life in its own directory, and checks it.
func runLife(ctx context.Context, o options, n uint64, kills int, tally *tally) (f figures, err error) {
	dir, err := os.MkdirTemp("", "edict-torture-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	if o.nodes > 0 {
		return liveOnNodes(ctx, o, n, kills, dir, tally)
	}
	var v victim = &process{binary: o.binary, data: filepath.Join(dir, "data")}
	if o.how == "power" {
		v = newPowered(dir, o.seed+n)
	}
	h, failed := newLife(v, o.seed, n).live(ctx, kills)
	f = figuresOf(h)
	f.kills = kills
	return f, judge(h, o, n, failed)
}

// liveOnNodes lives a life of several nodes, which ends with the loss of history.
func liveOnNodes(ctx context.Context, o options, n uint64, kills int, dir string, tally *tally) (f figures, err error) {
	c, err := newCluster(o.binary, dir, o.nodes, o.bus == "nats" || o.bus == "" && (o.seed+n)%2 == 0)
	if err != nil {
		return f, err
	}
	defer c.close()
	l := newLife(c, o.seed, n)
	t := &torment{cluster: c, life: l, random: l.random(0), tally: tally, only: o.only}
	l.torment = t.run
	h, failed := l.live(ctx, kills)
	f = figuresOf(h)
	f.kills = kills
	err = judge(h, o, n, append(t.acknowledgedBlind(h), failed)...)
	if err == nil && o.only == "" {
		err = t.loseHistory(ctx)
	}
	return f, err
}

// judge checks a history, which is kept if something is wrong with it or something else failed.
func judge(h *history.History, o options, n uint64, failed ...error) error {
	errs := []error{errors.Join(failed...)}
	for _, v := range history.Check(h) {
		errs = append(errs, errors.New(v.String()))
	}
	if err := errors.Join(errs...); err != nil {
		return errors.Join(err, keep(h, o, n))
	}
	return nil
}

// keep writes a history to a file, and returns an error that names it.
func keep(h *history.History, o options, life uint64) error {
	name := filepath.Join(o.keep, fmt.Sprintf("edict-history-%d-%d.json", o.seed, life))
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := errors.Join(h.Write(file), file.Close()); err != nil {
		return err
	}
	return fmt.Errorf("the history is in %s", name)
}

func checkFile(name string, w io.Writer) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	h, err := history.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintln(w, figuresOf(h))
	var errs []error
	for _, v := range history.Check(h) {
		errs = append(errs, errors.New(v.String()))
	}
	return errors.Join(errs...)
}
