package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"edict/cli"
	"edict/platform/db/faultfs"
)

// powered is the server in this process, on files whose power can be cut: after each cut it starts again on what the disk
// would have had. kill -9 cannot show a missing fsync, because the system keeps what a dead process wrote; this can.
type powered struct {
	dir    string
	random *rand.Rand
	lying  bool // the disk: what it says is synced is not
	cuts   int
	data   string
	files  *faultfs.Dir
	server *cli.Server
	last   sync.WaitGroup // servers without power, which are being stopped
}

func newPowered(dir string, seed uint64) *powered {
	return &powered{dir: dir, data: filepath.Join(dir, "data0"), random: rand.New(rand.NewPCG(seed, 1))}
}

func (p *powered) start(ctx context.Context, mercy time.Duration) (urls []string, err error) {
	if err := os.MkdirAll(p.data, 0o700); err != nil {
		return nil, err
	}
	if p.files, err = faultfs.Watch(p.data); err != nil {
		return nil, err
	}
	p.files.LieSync(p.lying)
	cfg := cli.DefaultConfig()
	cfg.Server.Listen, cfg.Server.Data, cfg.Server.Only, cfg.Server.Drain = "127.0.0.1:0", p.data, "messaging", time.Second
	cfg.Messaging.Rate, cfg.Messaging.StreamQueue, cfg.Auth.Rate = 0, queueSize, 0
	cfg.Push.Services, cfg.Push.Permit, cfg.Push.Timeout = []string{"unifiedpush"}, []string{"127.0.0.1"}, pushTimeout
	p.server = cli.NewServer(cfg, environment(io.Discard, io.Discard))
	started := make(chan error, 1)
	go func() { started <- p.server.Start(ctx) }()
	if mercy > 0 {
		select {
		case err = <-started:
		case <-time.After(mercy):
			failed := p.cut()
			p.bury(<-started == nil)
			return nil, failed
		}
	} else {
		err = <-started
	}
	if err != nil {
		return nil, err
	}
	return []string{p.server.URL()}, nil
}

func (p *powered) kill() error {
	if p.random.IntN(2) == 0 {
		p.holdCommit()
	}
	err := p.cut()
	p.bury(true)
	return err
}

const (
	commitWithin = 500 * time.Millisecond // a commit comes, unless no client writes any more
	held         = 30 * time.Millisecond  // time for an answer or an event to arrive
)

// holdCommit waits until a commit is written and not yet synced, and leaves it there for a while: an answer or an event that
// did not wait for the disk arrives meanwhile, and tells of something that the cut takes away.
func (p *powered) holdCommit() {
	select {
	case <-p.files.StallSync():
		time.Sleep(held)
	case <-time.After(commitWithin):
	}
}

// cut cuts the power; the data is now what the disk had.
func (p *powered) cut() error {
	p.cuts++
	left := filepath.Join(p.dir, fmt.Sprint("data", p.cuts))
	err := p.files.Cut(p.random, left)
	p.data = left
	return err
}

// bury stops a server that has no power, if it has started, which no client waits for. Its files have no power until it is gone: it may open
// them again.
func (p *powered) bury(started bool) {
	server, files, before := p.server, p.files, filepath.Join(p.dir, fmt.Sprint("data", p.cuts-1))
	p.last.Go(func() {
		if started {
			_ = server.Stop() // it cannot store anything, and reports it
		}
		files.Close()
		_ = os.RemoveAll(before)
	})
}

// end waits until nothing is left of the servers.
func (p *powered) end() { p.last.Wait() }

// beside implements victim: the data of a server without power is elsewhere at the next moment.
func (p *powered) beside() bool { return false }

func (p *powered) hears() bool { return false }

func (p *powered) command(ctx context.Context, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	if status := cli.Run(ctx, append(args, "--data", p.data), environment(&stdout, &stderr)); status != 0 {
		return "", fmt.Errorf("edict %s: exit status %d: %s", strings.Join(args, " "), status, stderr.String())
	}
	return strings.TrimSpace(stdout.String()), nil
}

func environment(stdout, stderr io.Writer) *cli.Env {
	return &cli.Env{Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Now: time.Now}
}
