package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"edict/bench/program"
	"edict/platform/db/bustest"
	"edict/platform/db/pgtest"
)

// cluster is servers on one store, with tokens of two users.
type cluster struct {
	nodes         []*program.Server
	proxy         *pgtest.Proxy  // nil in a data directory
	nats          *bustest.NATS  // nil: PostgreSQL is the bus
	hints         *bustest.Proxy // to nats
	sender, other string
}

// start starts a side on a store that is empty.
func (b *bench) start(ctx context.Context, side side) (c *cluster, err error) {
	b.places++
	place := filepath.Join(b.work, fmt.Sprint(b.places))
	c = &cluster{}
	defer func() {
		if err != nil {
			c.kill()
		}
	}()
	var store []string
	if side.remote {
		address, err := b.postgres.Schema(fmt.Sprintf("turn%d", b.places))
		if err != nil {
			return c, err
		}
		if c.proxy, err = pgtest.StartProxy(address, b.delay); err != nil {
			return c, err
		}
		store = []string{"--store", c.proxy.Address}
	}
	bus, err := c.bus(side.hints)
	if err != nil {
		return c, err
	}
	for i := range side.nodes {
		args := append([]string{"--only", "messaging", "--messaging-rate", "0", "--messaging-streams", "0", "--messaging-streams-per-address", "0", "--limits-per-address", "100000", "--data", filepath.Join(place, fmt.Sprint(i))}, store...)
		s, err := program.Serve(b.binary, append(args, bus...)...)
		if err != nil {
			return c, err
		}
		c.nodes = append(c.nodes, s)
	}
	where := append([]string{"--data", filepath.Join(place, "0")}, store...)
	if c.sender, err = token(ctx, b.binary, "sender", "", where); err != nil {
		return c, err
	}
	c.other, err = token(ctx, b.binary, "other", "phone", where)
	return c, err
}

// bus starts what carries hints and returns the flags of nodes.
func (c *cluster) bus(hints string) (flags []string, err error) {
	if hints == "" || hints == byPostgres {
		return nil, nil
	}
	if c.nats, err = bustest.Launch("", ""); err != nil {
		return nil, err
	}
	if c.hints, err = bustest.StartProxy(c.nats); err != nil {
		return nil, err
	}
	c.hints.Set(bustest.Faults{Drop: hints == byNobody})
	return []string{"--bus", c.hints.URL}, nil
}

// token makes a user and returns a token of a device.
func token(ctx context.Context, binary, user, device string, where []string) (string, error) {
	for _, args := range [][]string{{"user", "create", user, "--id", user}, {"token", "create", "--user", user, "--ttl", "24h", "--device", device}} {
		out, err := exec.CommandContext(ctx, binary, append(args, where...)...).Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w", strings.Join(args[:2], " "), err)
		}
		if args[0] == "token" {
			return strings.TrimSpace(string(out)), nil
		}
	}
	return "", errors.New("no token")
}

// stop ends the servers in an orderly way.
func (c *cluster) stop() error {
	var errs []error
	for _, s := range c.nodes {
		errs = append(errs, s.Stop())
	}
	c.nodes = nil
	c.kill()
	return errors.Join(errs...)
}

func (c *cluster) kill() {
	for _, s := range c.nodes {
		_ = s.Kill()
	}
	if c.proxy != nil {
		c.proxy.Close()
	}
	if c.hints != nil {
		c.hints.Close()
	}
	if c.nats != nil {
		c.nats.Close()
	}
}

// cpu is the CPU time of all servers so far.
func (c *cluster) cpu() (sum time.Duration) {
	for _, s := range c.nodes {
		sum += s.CPU()
	}
	return sum
}

// turn starts a side, runs an act for a time, and reports what it came to.
func (b *bench) turn(ctx context.Context, side side, act act) (r result, err error) {
	c, err := b.start(ctx, side)
	if err != nil {
		return r, err
	}
	defer c.kill()
	clients, err := act.prepare(c, side.clients, b.options)
	if err != nil {
		return r, err
	}
	if b.profile != "" && side.remote {
		profiled := make(chan error, 1)
		go func() { profiled <- c.nodes[0].Profile(ctx, b.profile+"."+act.name, b.duration) }()
		defer func() { err = errors.Join(err, <-profiled) }()
	}
	edict, pg, began := c.cpu(), program.CPU(b.postgres.PID()), time.Now()
	took, err := drive(ctx, clients, b.duration)
	if err != nil {
		return r, err
	}
	passed := time.Since(began)
	n := float64(max(1, len(took)))
	r = result{
		perSecond: n / passed.Seconds(), edict: float64((c.cpu() - edict).Microseconds()) / n, p50: percentile(took, 50), p99: percentile(took, 99),
	}
	if side.remote {
		r.pg = float64((program.CPU(b.postgres.PID()) - pg).Microseconds()) / n
	}
	return r, c.stop()
}
