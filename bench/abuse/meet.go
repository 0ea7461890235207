package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"edict/bench/program"
	"edict/bench/seed"
)

// result is what an attack did.
type result struct {
	attack attack
	quiet  map[string]*sample
	under  map[string]*sample
	did    [3]int64 // requests of the attackers: served, refused, without an answer
	peak   int64    // bytes that the server held at most, 0 when the system does not tell

	// Processor time under attack: both share the cores of one machine, and what attackers take the server lacks.
	serverCPU, attackersCPU, lasted time.Duration
}

// meet starts a server, measures it in quiet and under an attack, and stops it.
func meet(ctx context.Context, o options, a attack) (r result, err error) {
	dir, err := os.MkdirTemp("", "edict-abuse-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	data := filepath.Join(dir, "data")
	if a.channels {
		if err := seedChannels(ctx, o, data); err != nil {
			return r, err
		}
	}
	s, err := serve(o.binary, a, data)
	if err != nil {
		return r, err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	t, token, err := introduce(ctx, o.binary, data, s.Addr)
	if err != nil {
		return r, err
	}
	h, err := startHonest(ctx, s.Addr, token)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, h.stop()) }()
	r = result{attack: a}
	rest(ctx, time.Second) // the first requests of a server are not like the others
	if r.quiet, err = h.measure(ctx, o.quiet); err != nil {
		return r, err
	}
	attackers, err := startAttackers(a, t)
	if err != nil {
		return r, err
	}
	began, before := time.Now(), s.CPU()
	r.under, err = h.measure(ctx, o.during)
	r.peak, r.serverCPU, r.lasted = s.PeakMemory(), s.CPU()-before, time.Since(began)
	did, stopErr := attackers.stop()
	r.attackersCPU = attackers.cmd.ProcessState.UserTime() + attackers.cmd.ProcessState.SystemTime()
	r.did = did
	return r, errors.Join(err, stopErr)
}

// serve starts the server of an attack. The rates are the defaults: they are what is tested.
func serve(binary string, a attack, data string) (*program.Server, error) {
	cmd := program.Edict(binary, append([]string{"--data", data}, a.args...)...)
	if a.descriptors > 0 {
		cmd = exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, a.descriptors)}, cmd.Args...)...)
	}
	cmd.Stderr = io.Discard // warnings by the thousand
	s, err := program.Start(cmd)
	if err != nil {
		return nil, err
	}
	if err := s.Await(); err != nil {
		return nil, errors.Join(err, s.Kill())
	}
	return s, nil
}

// introduce makes the users, and returns what attackers know and the token of the honest ones.
func introduce(ctx context.Context, binary, data, addr string) (*target, string, error) {
	edict := func(input string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, binary, append(args, "--data", data)...)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("edict %s: %w", strings.Join(args, " "), err)
		}
		return strings.TrimSpace(string(out)), nil
	}
	t := &target{Addr: addr, Victim: honestUser}
	names := []string{honestUser}
	for i := range attackUsers {
		names = append(names, fmt.Sprintf("mallory%d", i))
	}
	for _, name := range names {
		if _, err := edict(honestPassword+"\n", "user", "create", name, "--id", name, "--password-stdin"); err != nil {
			return nil, "", err
		}
		token, err := edict("", "token", "create", "--user", name)
		if err != nil {
			return nil, "", err
		}
		t.Tokens = append(t.Tokens, token)
	}
	token := t.Tokens[0]
	t.Tokens = t.Tokens[1:]
	return t, token, nil
}

// seedChannels copies data with many channels, which are made in the store, as requests would take minutes.
func seedChannels(ctx context.Context, o options, data string) error {
	kept := filepath.Join(o.cache, fmt.Sprintf("names-%d", o.channels))
	if err := seed.Once(ctx, kept, o.channels, seed.Names, os.Stderr); err != nil {
		return err
	}
	return os.CopyFS(data, os.DirFS(kept))
}

// percentile returns a percentile of what was seen, the largest where there are few.
func (s *sample) percentile(p int) time.Duration {
	if len(s.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.took))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)].Round(10 * time.Microsecond)
}

// grew returns how many times longer a kind took under attack.
func (r *result) grew(kind string, o options) float64 {
	quiet := max(o.least, r.quiet[kind].percentile(99))
	return float64(r.under[kind].percentile(99)) / float64(quiet)
}

// wrong reports what is wrong with a kind of honest request, "" when nothing is.
func (r *result) wrong(kind string, o options) string {
	switch under := r.under[kind]; {
	case under.failed > 0:
		return fmt.Sprintf("failed: %v", under.last)
	case len(under.took) == 0:
		return "nothing was answered"
	case !o.short && r.grew(kind, o) > o.ratio:
		return "slow"
	}
	return ""
}

// holds reports whether the server stood the attack.
func (r *result) holds(o options) bool {
	return r.peak <= o.bound<<20 && !slices.ContainsFunc(kinds, func(kind string) bool { return r.wrong(kind, o) != "" })
}

func (r *result) print(w io.Writer, o options) {
	verdict := "ok"
	if r.peak > o.bound<<20 {
		verdict = "TOO MUCH"
	}
	fmt.Fprintf(w, "%s: %s\n  attackers: %d served, %d refused, %d without an answer; memory at most %d MiB of %d %s\n",
		r.attack.name, r.attack.what, r.did[0], r.did[1], r.did[2], r.peak>>20, o.bound, verdict)
	fmt.Fprintf(w, "  processor time in %v: server %v, attackers %v\n", r.lasted.Round(100*time.Millisecond), r.serverCPU.Round(10*time.Millisecond), r.attackersCPU.Round(10*time.Millisecond))
	fmt.Fprintf(w, "  %-10s %10s %10s %12s %8s %8s %8s\n", "honest", "quiet p50", "quiet p99", "attacked p99", "ratio", "answered", "failed")
	for _, kind := range kinds {
		quiet, under := r.quiet[kind], r.under[kind]
		fmt.Fprintf(w, "  %-10s %10v %10v %12v %8.1f %8d %8d %s\n", kind, quiet.percentile(50), quiet.percentile(99), under.percentile(99),
			float64(under.percentile(99))/float64(max(1, quiet.percentile(99))), len(under.took), under.failed, r.wrong(kind, o))
	}
	fmt.Fprintln(w)
}
