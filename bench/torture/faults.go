package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"edict/bench/torture/history"
	"edict/platform/db/bustest"
	"edict/platform/db/pgtest"
)

// fault is something that happens to nodes, to PostgreSQL, or between them.
type fault struct {
	name  string
	share int  // how often for every 20 kills
	loud  bool // PostgreSQL or its lock is away meanwhile: no command may run
	do    func(t *torment, ctx context.Context) error
}

// kills is the name of the fault that the others are counted by.
const kills = "node killed"

// faults are what a life of several nodes is about.
var faults = []fault{
	{kills, 20, false, (*torment).killNode},
	{"node stopped with the lock", 1, true, (*torment).stopNode},
	{"node cut off", 2, true, (*torment).cutOff},
	{"hints lost, late, doubled or cut", 4, false, (*torment).spoilHints},
	{"answer to COMMIT lost", 3, false, (*torment).loseAnswer},
	{"primary lost, standby promoted", 2, true, (*torment).failOver},
	{"standby gone", 1, true, (*torment).loseStandby},
	{"old primary still answers", 1, true, (*torment).splitBrain},
	{"PostgreSQL away until all leases end", 1, true, (*torment).outage},
}

// asynchronous is the name of the fault that ends a life (asynchronous.go).
const asynchronous = "asynchronous standby promoted"

// torment is a life of several nodes under its faults.
type torment struct {
	*cluster
	life   *life
	random *rand.Rand
	tally  *tally
	only   string // the one fault of the life, by its name; "": all of them
	blind  []blindness
}

// blindness is a time in which nothing may be acknowledged.
type blindness struct {
	what       string
	begin, end int64
}

// run has every fault happen as often as its share says, at least once, in a random order; with -only, that fault n times.
func (t *torment) run(ctx context.Context, n int) error {
	for i, f := range t.plan(n) {
		if err := t.suffer(ctx, f); err != nil {
			return fmt.Errorf("fault %d, %s: %w", i+1, f.name, err)
		}
	}
	return nil
}

// plan returns the faults of a life in their order.
func (t *torment) plan(n int) (all []fault) {
	for _, f := range faults {
		times := max(1, n*f.share/20)
		if t.only != "" {
			times = n * btoi(f.name == t.only)
		}
		for range times {
			all = append(all, f)
		}
	}
	t.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// suffer has one fault happen, and waits until things continue.
func (t *torment) suffer(ctx context.Context, f fault) error {
	if err := t.wait(ctx, 300*time.Millisecond); err != nil {
		return err
	}
	if f.loud {
		t.calm.Lock()
		defer t.calm.Unlock()
	}
	t.life.meter.begin()
	t.life.rec.Add(&history.Kill{At: t.life.rec.Now(), What: f.name})
	if err := errors.Join(f.do(t, ctx), t.life.troubled()); err != nil {
		return err
	}
	t.life.rec.Add(&history.Kill{At: t.life.rec.Now()})
	pause, err := t.life.meter.end(ctx)
	t.tally.add(f.name, pause)
	return errors.Join(err, t.life.troubled())
}

// wait lets a random time pass.
func (t *torment) wait(ctx context.Context, most time.Duration) error {
	select {
	case <-time.After(time.Duration(t.random.Int64N(int64(most)))): // the moment is what is random
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// any returns one of the nodes.
func (t *torment) any() *node { return t.nodes[t.random.IntN(len(t.nodes))] }

// killNode kills a node, and now and then again while it starts.
func (t *torment) killNode(ctx context.Context) error {
	n := t.any()
	if err := n.kill(); err != nil {
		return err
	}
	t.life.gate.set(n.number, "")
	var mercy time.Duration
	if t.random.IntN(6) == 0 {
		mercy = time.Duration(1+t.random.IntN(600_000)) * time.Microsecond
	}
	url, err := t.startNode(ctx, n, mercy)
	if err == nil && url == "" {
		t.life.rec.Add(&history.Kill{At: t.life.rec.Now()})
		url, err = t.startNode(ctx, n, 0)
	}
	if err != nil {
		return err
	}
	t.life.gate.set(n.number, url)
	return nil
}

// holdsLock asks whether some transaction has waited for its node for a while: nodes that run do not leave one alone.
const holdsLock = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND wait_event = 'ClientRead' AND clock_timestamp() - state_change > interval '40 ms'"

// stopNode stops a node with the lock in its hands, for up to longer than its lease, and has it go on as if nothing had been.
func (t *torment) stopNode(ctx context.Context) error {
	n := t.any()
	for try := 0; ; try++ {
		if err := t.wait(ctx, 20*time.Millisecond); err != nil {
			return err
		}
		if err := n.server.Signal(stopSignal); err != nil {
			return err
		}
		time.Sleep(60 * time.Millisecond) // the others would have had the lock by now
		held, err := t.pg.Ask(t.primary, holdsLock)
		if err == nil && held != "0" || try == 100 {
			break
		}
		if err := errors.Join(err, n.server.Signal(continueSignal)); err != nil {
			return err
		}
	}
	t.life.gate.slower(n.number, true)
	defer t.life.gate.slower(n.number, false)
	long := 7 * time.Second // PostgreSQL ends the transaction after five
	if t.random.IntN(4) == 0 {
		long = 12 * time.Second
	}
	return errors.Join(t.wait(ctx, long), n.server.Signal(continueSignal))
}

// cutOff keeps a node from PostgreSQL: what it sends arrives late, or never.
func (t *torment) cutOff(ctx context.Context) error {
	n := t.any()
	t.life.gate.slower(n.number, true)
	defer t.life.gate.slower(n.number, false)
	n.link.each(func(p *pgtest.Proxy) { p.Freeze(true) })
	long := 6 * time.Second
	if t.random.IntN(4) == 0 {
		long = 12 * time.Second
	}
	err := t.wait(ctx, long)
	if t.random.IntN(2) == 0 {
		n.link.each(func(p *pgtest.Proxy) { p.Refuse(true) })
	}
	n.link.each(func(p *pgtest.Proxy) { p.Freeze(false) })
	n.link.each(func(p *pgtest.Proxy) { p.Refuse(false) })
	return err
}

// spoilHints ends the connections on which nodes wait for notifications of PostgreSQL. Those of NATS it ends, or loses, delays and doubles their messages
// for a while, otherwise for each node.
func (t *torment) spoilHints(ctx context.Context) error {
	for _, n := range t.nodes {
		if n.bus == nil {
			n.link.each(func(p *pgtest.Proxy) { p.CutListeners() })
			continue
		}
		spoilt := []bustest.Faults{{}, {Drop: true}, {Twice: true}, {Delay: time.Duration(t.random.Int64N(int64(time.Second)))}}
		n.bus.Refuse(t.random.IntN(4) == 0)
		n.bus.Set(spoilt[t.random.IntN(len(spoilt))])
	}
	if t.nats == nil {
		return nil
	}
	err := t.wait(ctx, 3*time.Second)
	for _, n := range t.nodes {
		n.bus.Refuse(false)
		n.bus.Set(bustest.Faults{})
	}
	return err
}

// loseAnswer loses the answer to a commit, and now and then the way to PostgreSQL with it.
func (t *torment) loseAnswer(ctx context.Context) error {
	n := t.any()
	away := t.random.IntN(2) == 0
	lost := make(chan struct{})
	p := n.link.proxies[t.primary]
	p.LoseAnswer("COMMIT\x00", func() {
		if away {
			n.link.each(func(p *pgtest.Proxy) { p.Refuse(true) })
		}
		close(lost)
	})
	select {
	case <-lost:
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(patience):
		return errors.New("a node commits nothing")
	}
	if !away {
		return nil
	}
	err := t.wait(ctx, 4*time.Second)
	n.link.each(func(p *pgtest.Proxy) { p.Refuse(false) })
	return err
}

// failOver loses the primary, makes its standby the primary and has it followed by another.
func (t *torment) failOver(ctx context.Context) error {
	t.pg.Stop(t.primary)
	if t.random.IntN(2) == 0 {
		if err := t.wait(ctx, 2*time.Second); err != nil {
			return err
		}
	}
	if err := t.pg.Promote(t.standby); err != nil {
		return err
	}
	return t.replace()
}

// replace has the primary of before, which does not run, follow the new one.
func (t *torment) replace() error {
	t.primary, t.standby = t.standby, t.primary
	if err := t.pg.Follow(t.standby, t.primary); err != nil {
		return err
	}
	return t.pg.Streaming(t.primary, true)
}

// loseStandby takes the standby away: nothing may be acknowledged until it is back.
func (t *torment) loseStandby(ctx context.Context) error {
	t.pg.Stop(t.standby)
	b := blindness{what: "the standby was gone", begin: t.life.rec.Now()}
	err := t.wait(ctx, 7*time.Second)
	b.end = t.life.rec.Now()
	t.blind = append(t.blind, b)
	if err != nil {
		return err
	}
	if err := t.pg.Start(t.standby); err != nil {
		return err
	}
	return t.pg.Streaming(t.primary, true)
}

// splitBrain makes the standby a primary while the old one still answers, to nodes that are connected to it and to those that connect. Neither has
// a standby: nothing may be acknowledged by either.
func (t *torment) splitBrain(ctx context.Context) error {
	if err := t.pg.Promote(t.standby); err != nil {
		return err
	}
	b := blindness{what: "two primaries answered", begin: t.life.rec.Now()}
	err := t.wait(ctx, 6*time.Second)
	b.end = t.life.rec.Now()
	t.blind = append(t.blind, b)
	t.pg.Stop(t.primary)
	return errors.Join(err, t.replace())
}

// leases counts the nodes whose lease has not ended.
const leases = "SELECT count(*) FROM node WHERE lease > extract(epoch FROM clock_timestamp()) * 1000"

// outage takes PostgreSQL away from all nodes until the lease of each has ended. One node returns first and commits while it is alone. The next makes the
// first tell what it commits. The last returns late, so that it reads notices of commits that followed others without any.
func (t *torment) outage(ctx context.Context) error {
	held := t.random.IntN(2) == 0
	part := func(n *node, away bool) {
		t.life.gate.slower(n.number, away)
		n.link.each(func(p *pgtest.Proxy) {
			if held {
				p.Freeze(away)
			} else {
				p.Refuse(away)
			}
		})
	}
	for _, n := range t.nodes {
		part(n, true)
		defer part(n, false)
	}
	if err := t.until(ctx, leases, "0"); err != nil {
		return err
	}
	for i, number := range t.random.Perm(len(t.nodes)) {
		part(t.nodes[number], false)
		if err := t.until(ctx, leases, strconv.Itoa(i+1)); err != nil {
			return err
		}
		if err := t.wait(ctx, time.Second); err != nil { // the moment of the next return is what is random
			return err
		}
	}
	return nil
}

// until waits until PostgreSQL answers a question so.
func (t *torment) until(ctx context.Context, question, want string) error {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) { // no event announces it
		got, err := t.pg.Ask(t.primary, question)
		switch {
		case err == nil && got == want:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case time.Now().After(end):
			return errors.Join(err, fmt.Errorf("%s: %s, want %s", question, got, want))
		}
	}
}

// acknowledgedBlind returns what was asked for and acknowledged at times at which nothing may be.
func (t *torment) acknowledgedBlind(h *history.History) (found []error) {
	look := func(o history.Outcome, s history.Span, what string) {
		for _, b := range t.blind {
			if o == history.Acknowledged && b.begin < s.Begin && s.End < b.end {
				found = append(found, fmt.Errorf("%s was acknowledged while %s (%d to %d)", what, b.what, s.Begin, s.End))
			}
		}
	}
	for _, p := range h.Publishes {
		look(p.Outcome, p.Span, "the item "+p.Key)
	}
	for _, s := range h.Sends {
		look(s.Outcome, s.Span, "the message "+s.Key)
	}
	for _, a := range h.Acks {
		look(a.Outcome, a.Span, "the receipt of "+a.Message)
	}
	return found
}
