package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"edict/bench/torture/history"
)

// life is one data directory, from its beginning to the check: clients of all kinds work without pause while the
// server is killed and started again under them.
type life struct {
	victim victim
	rec    *history.Recorder
	gate   *gate
	seed   uint64
	number uint64
	stop   chan struct{} // closed: the load ends, readers read to the end

	stopOnce func()                                     // closes stop
	torment  func(ctx context.Context, kills int) error // does what the life is about
	meter    meter                                      // of acknowledged items

	tokens map[string]string // by user@device
	secret string            // of the backend
	minted issued            // what the backend got last
	sent   *pool             // messages, for those who ask for states
	items  shelf             // for those who correct and read them
	door   *doorbell         // of devices that sleep
	guests []*person         // who were erased
	dead   []deadToken       // that were taken back

	group  sync.WaitGroup // of all users
	load   sync.WaitGroup // of those who do not read to the end
	mu     sync.Mutex
	failed []error
	begun  map[string]bool // readers that were live once
	live1  chan struct{}   // closed when all readers were
}

func newLife(v victim, seed, number uint64) *life {
	l := &life{
		victim: v, rec: history.NewRecorder(seed, channels, users), gate: newGate(), seed: seed, number: number,
		stop: make(chan struct{}), tokens: map[string]string{}, sent: newPool(), begun: map[string]bool{}, live1: make(chan struct{}),
	}
	l.door = newDoorbell(l.rec)
	l.torment = l.torture
	l.stopOnce = sync.OnceFunc(func() { close(l.stop) })
	return l
}

const (
	publishers = 6
	senders    = 2
	watchers   = 2
	patience   = 4 * time.Minute // for all users to come to the end: longer than the wait for a push
)

// streams are the readers.
var streams = []struct {
	user, device string
	socket, slow bool
}{
	{"bob", "phone", false, false},
	{"bob", "desk", true, false},
	{"cal", "", false, true},
	{"ann", "", true, true},
}

// random returns its own source for each part of a life.
func (l *life) random(part int) *rand.Rand {
	return rand.New(rand.NewPCG(l.seed, l.number<<16|uint64(part)))
}

func (l *life) caller(user, device string) *caller {
	return newCaller(l.gate, user, device, l.tokens[user+"@"+device])
}

func (l *life) stopped() bool {
	select {
	case <-l.stop:
		return true
	default:
		return false
	}
}

// live lives the life and returns its history. The error is a failure of the harness, not a broken promise.
func (l *life) live(ctx context.Context, kills int) (*history.History, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := l.begin(ctx)
	if err == nil {
		err = l.torment(ctx, kills)
	}
	if err == nil {
		err = l.finish(ctx, cancel)
	}
	cancel()
	l.stopOnce()
	l.group.Wait()
	l.victim.end()
	l.door.server.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rec.History(), errors.Join(append(l.failed, err)...)
}

// begin makes users, channels and subscriptions, and starts all users.
func (l *life) begin(ctx context.Context) error {
	for _, name := range []string{owner, "bob", "cal", boss, account, member, sleeper, visitor, forgetful} {
		add := []string{"user", "create", name, "--id", name}
		if name == boss {
			add = append(add, "--admin")
		}
		if _, err := l.victim.command(ctx, add...); err != nil {
			return err
		}
		devices := users[name]
		if name == sleeper {
			devices = sleepers
		}
		for _, device := range append([]string{""}, devices...) {
			token, err := l.victim.command(ctx, "token", "create", "--ttl", "24h", "--user", name, "--device", device)
			if err != nil {
				return err
			}
			l.tokens[name+"@"+device] = token
		}
	}
	added, err := l.victim.command(ctx, "client", "create", backend, "--secret", "--scope", "mint")
	if err != nil {
		return err
	}
	var client struct{ ClientSecret string }
	if err := json.Unmarshal([]byte(added), &client); err != nil {
		return err
	}
	l.secret = client.ClientSecret
	if _, err := l.victim.command(ctx, "client", "create", app, "--redirect", backTo); err != nil {
		return err
	}
	urls, err := l.victim.start(ctx, 0)
	if err != nil {
		return err
	}
	l.gate.open(urls...)
	if err := l.setUp(ctx); err != nil {
		return err
	}
	l.startReaders(ctx)
	select {
	case <-l.live1:
	case <-time.After(patience):
		return errors.New("the readers do not become live")
	case <-ctx.Done():
		return ctx.Err()
	}
	for n := range publishers {
		l.work(func() error { return l.publisher(ctx, n, l.random(100+n)) })
	}
	for n := range senders {
		l.work(func() error { return l.sender(ctx, n, l.random(200+n)) })
	}
	for n := range watchers {
		l.work(func() error { return l.watcher(ctx, n, l.random(300+n)) })
	}
	l.work(func() error { return l.registrar(ctx, l.random(600)) })
	l.work(func() error { return l.keeper(ctx, l.random(700)) })
	l.work(func() error { return l.editor(ctx, l.random(800)) })
	for n, user := range []string{"bob", "cal"} {
		l.work(func() error { return l.marker(ctx, user, l.random(900+n)) })
	}
	for n, device := range sleepers {
		l.work(func() error { return l.sleep(ctx, device, l.random(1000+n)) })
	}
	l.work(func() error { return l.visit(ctx, l.random(1100)) })
	l.work(func() error { return l.forget(ctx, l.random(1200)) })
	l.work(func() error { return l.undertaker(ctx, l.random(1300)) })
	if l.victim.beside() {
		l.work(func() error { return l.clerk(ctx, l.random(1400)) })
	}
	return nil
}

func (l *life) setUp(ctx context.Context) error {
	for _, name := range channelNames {
		body := fmt.Sprintf(`{"channelName":"%s","maxItems":%d}`, name, channels[name])
		if err := l.caller(owner, "").call(ctx, "POST", "/channels", "", body, nil); err != nil {
			return err
		}
		for user, devices := range users {
			if err := l.caller(user, "").call(ctx, "PUT", "/channels/"+name+"/subscribe", "", "", nil); err != nil {
				return err
			}
			for _, device := range devices { // a device is known from its first call on
				if err := l.caller(user, device).call(ctx, "GET", "/devices", "", "", nil); err != nil {
					return err
				}
			}
		}
	}
	if err := l.setUpKeeper(ctx); err != nil {
		return err
	}
	if err := l.caller(boss, "").call(ctx, "PUT", "/auth/users/"+visitor+"/password", "", `{"newPassword":"`+password(0)+`"}`, nil); err != nil {
		return err
	}
	return l.setUpSleepers(ctx)
}

func (l *life) startReaders(ctx context.Context) {
	for i, s := range streams {
		c := l.caller(s.user, s.device)
		r := &reader{life: l, caller: c, name: fmt.Sprintf("reader %d (%s@%s)", i, s.user, s.device), socket: s.socket, slow: s.slow, random: l.random(400 + i), got: newPool()}
		l.run(func() error { return r.run(ctx) })
		if s.user != owner {
			l.work(func() error { return l.acker(ctx, c, r.got, l.random(500+i)) })
		}
	}
}

// ready notes that a reader is live.
func (l *life) ready(reader string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.begun[reader] {
		return
	}
	if l.begun[reader] = true; len(l.begun) == len(streams) {
		close(l.live1)
	}
}

// run runs a part of the life; what it fails with is told in the end.
func (l *life) run(part func() error) {
	l.group.Go(func() {
		if err := part(); err != nil && !errors.Is(err, context.Canceled) {
			l.mu.Lock()
			l.failed = append(l.failed, err)
			l.mu.Unlock()
		}
	})
}

// work runs a part of the life that ends before the mark of the end is published.
func (l *life) work(part func() error) {
	l.load.Add(1)
	l.run(func() error {
		defer l.load.Done()
		return part()
	})
}

// troubled returns what has gone wrong so far.
func (l *life) troubled() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.failed...)
}

// torture kills the server at random moments: while it works, when it has just begun to listen, while it starts.
func (l *life) torture(ctx context.Context, kills int) error {
	random := l.random(0)
	for n := range kills {
		alive := time.Duration(random.IntN(400)) * time.Millisecond
		if random.IntN(4) == 0 {
			alive = time.Duration(random.IntN(20)) * time.Millisecond
		}
		select {
		case <-time.After(alive): // the moment is what is random
		case <-ctx.Done():
			return ctx.Err()
		}
		err := l.victim.kill()
		l.gate.close()
		l.rec.Add(&history.Kill{At: l.rec.Now()})
		if err == nil {
			err = l.restart(ctx, random)
		}
		if err := errors.Join(err, l.troubled()); err != nil {
			return fmt.Errorf("after kill %d: %w", n+1, err)
		}
	}
	return nil
}

// restart starts the server, now and then only to kill it before it has started.
func (l *life) restart(ctx context.Context, random *rand.Rand) error {
	var mercy time.Duration
	if random.IntN(6) == 0 {
		mercy = time.Duration(random.IntN(60_000)) * time.Microsecond
	}
	urls, err := l.victim.start(ctx, mercy)
	if err == nil && urls == nil {
		l.rec.Add(&history.Kill{At: l.rec.Now()})
		urls, err = l.victim.start(ctx, 0)
	}
	if err != nil {
		return err
	}
	l.gate.open(urls...)
	return nil
}

// finish ends the load, marks the end, waits for all users and reads everything again. What does not end in time is given up.
func (l *life) finish(ctx context.Context, giveUp func()) error {
	l.stopOnce()
	late := time.AfterFunc(patience, func() {
		l.mu.Lock()
		l.failed = append(l.failed, errors.New("the load and its readers do not come to the end"))
		l.mu.Unlock()
		giveUp()
	})
	defer late.Stop()
	l.load.Wait() // what is acknowledged is before the mark, so that readers have to see it
	c := l.caller(owner, "")
	for _, name := range append(channelNames[1:], channelNames[0]) {
		key := "last-" + name
		if name == channelNames[0] {
			key = endKey
		}
		if err := l.publish(ctx, c, name, key, 0, true); err != nil {
			return err
		}
	}
	l.group.Wait()
	if err := l.troubled(); err != nil {
		return errors.Join(err, l.victim.kill())
	}
	for _, name := range channelNames {
		f, err := c.fetch(ctx, l.rec, name)
		if err != nil {
			return err
		}
		l.rec.Add(f)
	}
	for _, user := range []string{owner, "bob", "cal"} {
		if err := l.readUnread(ctx, user); err != nil {
			return err
		}
	}
	return errors.Join(l.readMessages(ctx, c), l.readAccount(ctx), l.readThings(ctx), l.readPeople(ctx), l.readSecrets(ctx), l.victim.kill())
}

func (l *life) readMessages(ctx context.Context, c *caller) error {
	for user := range users {
		in, err := l.caller(user, "").inbox(ctx, l.rec)
		if err != nil {
			return err
		}
		l.rec.Add(in)
	}
	for _, id := range l.sent.ids {
		s, err := c.status(ctx, l.rec, id)
		if err != nil {
			return err
		}
		l.rec.Add(s)
	}
	return nil
}
