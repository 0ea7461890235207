//go:build unix

// Command watch measures runs over many watches: the released program as its own process, on a data directory with as many watches as are asked
// for, 20 of each person, households of eight shapes with incomes that differ.
//
//	go -C bench run ./watch                                             100 000 watches on the embedded law
//	go -C bench run ./watch -country openfisca_france -watches 10000    the same on openfisca-france
//	go -C bench run ./watch -beside                                     how long households and messages wait while a run is under way, and without
//
// Processor time is that of the server; it tells more than the time that passed on a machine that does other things besides.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"edict/bench/program"
)

// options are the flags.
type options struct {
	binary, country, profile string
	watches                  int
	beside, send             bool
}

func main() { program.Main("watch", parse, run) }

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("watch", flag.ContinueOnError)
	f.StringVar(&o.binary, "edict", "", "program to measure; built when empty")
	f.StringVar(&o.country, "country", "", "directory of openfisca_france; the embedded law when empty")
	f.StringVar(&o.profile, "profile", "", "write CPU profiles of the first ten seconds of computing and of sending to this file, with .compute and .send added")
	f.IntVar(&o.watches, "watches", 100_000, "how many")
	f.BoolVar(&o.beside, "beside", false, "measure households and messages beside the run")
	f.BoolVar(&o.send, "send", true, "send the messages, too")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.watches < each {
		return o, fmt.Errorf("-watches is %d or more", each)
	}
	return o, nil
}

func run(ctx context.Context, o options, w io.Writer) error {
	binary, remove, err := program.Given(ctx, o.binary)
	if err != nil {
		return err
	}
	defer remove()
	data, err := os.MkdirTemp("", "watch")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	l := lawOf(o.country)
	began := time.Now()
	if err := makeWatches(ctx, data, o.watches, l); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d watches made in %v\n", o.watches, time.Since(began).Round(time.Second))
	args := []string{"--watch", "--data", data}
	if o.country != "" {
		args = append(args, "--country", o.country)
	}
	s, err := program.Serve(binary, args...)
	if err != nil {
		return err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	b := &bench{Server: s, options: o, law: l, out: w}
	if b.boss, err = token(binary, data, "boss"); err != nil {
		return err
	}
	if err := b.ready(ctx); err != nil {
		return err
	}
	if o.beside {
		err = b.measureBeside(ctx)
	} else {
		err = b.measure(ctx)
	}
	return errors.Join(err, s.Stop())
}

func token(binary, data, user string) (string, error) {
	cmd := exec.Command(binary, "token", "create", "--user", user, "--data", data)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	return strings.TrimSpace(string(text)), err
}

// bench is a server with watches.
type bench struct {
	*program.Server
	options
	law  law
	boss string
	out  io.Writer
}

// progress is what is read of a run.
type progress struct {
	ID, State, Failure         string
	Computed, Recipients, Sent int
	LeftOut                    struct{ Period, Figure, Failed int }
}

// ask makes a request as the admin.
func (b *bench) ask(ctx context.Context, method, path, body string) (p progress, err error) {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+b.Addr+path, strings.NewReader(body))
	if err != nil {
		return p, err
	}
	r.Header.Set("Authorization", "Bearer "+b.boss)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return p, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s %s", method, path, resp.Status, text)
	}
	if err == nil && strings.Contains(path, "/runs") {
		err = json.Unmarshal(text, &p)
	}
	return p, err
}

// ready waits until the law is loaded.
func (b *bench) ready(ctx context.Context) error {
	for {
		_, err := b.ask(ctx, http.MethodGet, "/readyz", "")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(200 * time.Millisecond):
		}
	}
}

const runs = "/watch/api/v1/runs"

// await waits until a run is no longer in a state.
func (b *bench) await(ctx context.Context, p progress, state string) (progress, error) {
	for p.State == state {
		select {
		case <-ctx.Done():
			return p, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
		var err error
		if p, err = b.ask(ctx, http.MethodGet, runs+"/"+p.ID, ""); err != nil {
			return p, err
		}
	}
	if p.State == "failed" || p.State == "cancelled" {
		return p, fmt.Errorf("the run is %s: %s", p.State, p.Failure)
	}
	return p, nil
}

// timed reports what a step of a run costs.
func (b *bench) timed(ctx context.Context, what string, step func() (progress, error)) (progress, error) {
	if b.profile != "" {
		profiled := make(chan error, 1)
		go func() { profiled <- b.Profile(ctx, b.profile+"."+what, 10*time.Second) }()
		defer func() { <-profiled }() // it is next to the measurement
	}
	cpu, began := b.CPU(), time.Now()
	p, err := step()
	if err != nil {
		return p, err
	}
	spent := b.CPU() - cpu
	fmt.Fprintf(b.out, "%8s: %v of processor time, %v passed; %.2f ms for each watch\n", what, spent.Round(10*time.Millisecond), time.Since(began).Round(10*time.Millisecond),
		spent.Seconds()*1000/float64(b.watches))
	return p, nil
}

// measure computes a dry run and sends it.
func (b *bench) measure(ctx context.Context) error {
	p, err := b.timed(ctx, "compute", func() (progress, error) {
		p, err := b.ask(ctx, http.MethodPost, runs, b.law.run)
		if err != nil {
			return p, err
		}
		return b.await(ctx, p, "computing")
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "          %d computed, about %d people to be notified\n", p.Computed, p.Recipients)
	if p.Computed != b.watches || p.LeftOut.Period+p.LeftOut.Figure+p.LeftOut.Failed > 0 { // null, and so 0, below 100
		return errors.New("not all were computed")
	}
	if !b.send {
		return nil
	}
	p, err = b.timed(ctx, "send", func() (progress, error) {
		p, err := b.ask(ctx, http.MethodPost, runs+"/"+p.ID+"/send", "")
		if err != nil {
			return p, err
		}
		return b.await(ctx, p, "sending")
	})
	fmt.Fprintf(b.out, "          about %d people notified; %.0f MB at the peak\n", p.Sent, float64(b.PeakMemory())/(1<<20))
	return err
}
