package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"edict/bench/program"
)

// victim is a server, or several, that can be killed and started again on the same data.
type victim interface {
	// start starts the servers and returns where they listen. When mercy is not 0 the server is killed after that time,
	// whatever it is doing, and there may be no URL.
	start(ctx context.Context, mercy time.Duration) (urls []string, err error)
	// kill ends the servers at once. It fails when one ended before by itself.
	kill() error
	// end waits until nothing is left of the servers that were killed.
	end()
	// beside reports whether commands may run while the server does.
	beside() bool
	// hears reports whether servers know what a command did as soon as it has ended.
	hears() bool
	// command runs "edict ARGS…" next to the server and returns what it prints.
	command(ctx context.Context, args ...string) (string, error)
}

const (
	queueSize   = 64 << 10    // small, so that slow readers are cut
	pushTimeout = time.Second // short, as a push that a server died of is sent again when twice that and ten seconds have passed
)

func serverFlags() []string {
	return []string{
		"--only", "messaging", "--messaging-rate", "0", "--messaging-stream-queue", strconv.Itoa(queueSize), "--auth-rate", "0",
		"--push-services", "unifiedpush", "--push-permit", "127.0.0.1", "--push-timeout", pushTimeout.String(),
	}
}

// process is the real program.
type process struct {
	binary, data string
	server       *program.Server
}

func (p *process) start(_ context.Context, mercy time.Duration) (_ []string, err error) {
	p.server, err = program.Start(program.Edict(p.binary, append(serverFlags(), "--data", p.data)...))
	if err != nil {
		return nil, err
	}
	url, err := await(p.server, mercy)
	switch {
	case err != nil:
		return nil, errors.Join(err, p.kill(), errors.New(p.server.Words()))
	case url == "":
		return nil, p.bury()
	}
	return []string{url}, nil
}

// await waits until a server listens and returns where; "" when it was killed before, because it had no more time.
func await(s *program.Server, mercy time.Duration) (url string, err error) {
	if mercy > 0 {
		defer time.AfterFunc(mercy, func() { _ = s.Signal(os.Kill) }).Stop() // it may listen by then, and is killed later
	}
	switch err = s.Await(); {
	case err == nil:
		return "http://" + s.Addr, nil
	case mercy > 0 && errors.Is(err, program.ErrSilent):
		return "", nil
	}
	return "", err
}

func (p *process) kill() error {
	if err := p.server.Signal(os.Kill); err != nil {
		return errors.Join(fmt.Errorf("the server ended by itself: %w", err), p.bury())
	}
	return p.bury()
}

// bury waits for the end of a process that was killed, and reads its last words.
func (p *process) bury() error {
	state, words := p.server.Wait(), p.server.Words()
	if state.Exited() {
		return fmt.Errorf("the server ended by itself: %v\n%s", state, words)
	}
	if strings.Contains(words, "panic") || strings.Contains(words, "level=ERROR") {
		return fmt.Errorf("the server complained:\n%s", words)
	}
	return nil
}

func (p *process) end() {}

func (p *process) beside() bool { return true }

func (p *process) hears() bool { return false }

func (p *process) command(ctx context.Context, args ...string) (string, error) {
	return runCommand(ctx, p.binary, append(args, "--data", p.data))
}

func runCommand(ctx context.Context, binary string, args []string) (string, error) {
	out, err := exec.CommandContext(ctx, binary, args...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("edict %s: %w: %s", strings.Join(args, " "), err, failed.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}
