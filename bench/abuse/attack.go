package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// attack is one way to hurt the server.
type attack struct {
	name string
	what string // in a line: what the attackers do

	args        []string // further arguments of the server
	descriptors int      // open files the server may have; 0: as many as the machine gives
	channels    bool     // the server begins with -channels public channels

	run func(ctx context.Context, t *target) // until ctx ends
}

// attacks are all of them. A new family is a file with a table, and a word here.
func attacks() []attack {
	return slices.Concat(slowAttacks, bodyAttacks, streamAttacks, authAttacks, channelAttacks, simulationAttacks)
}

// attackUsers is how many users the attackers have.
const attackUsers = 4

// target is what attackers know. They are told over standard input.
type target struct {
	Addr    string
	Tokens  []string // of attackers
	Refresh []string // refresh tokens of attackers
	Victim  string   // the name an honest client signs in with

	did counts
}

// counts is how the requests of attackers ended, which they print in the end.
type counts struct {
	Served, Refused, Failed atomic.Int64 // 2xx, 4xx and 5xx, no answer
}

func (c *counts) MarshalJSON() ([]byte, error) {
	return json.Marshal([3]int64{c.Served.Load(), c.Refused.Load(), c.Failed.Load()})
}

// beAttacker is the process of the attackers: it attacks until its input ends.
func beAttacker(ctx context.Context, name string, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	var t target
	if err = errors.Join(err, json.Unmarshal(line, &t)); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		cancel()
	}()
	i := slices.IndexFunc(attacks(), func(a attack) bool { return a.name == name })
	if i < 0 {
		return fmt.Errorf("there is no attack named %q", name)
	}
	attacks()[i].run(ctx, &t)
	return json.NewEncoder(out).Encode(&t.did)
}

// attackers are a process of attackers.
type attackers struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out strings.Builder
}

func startAttackers(a attack, t *target) (*attackers, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &attackers{cmd: exec.Command("nice", self, "-attacker", a.name)} // their computers are not the server's
	p.cmd.Stdout, p.cmd.Stderr = &p.out, os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, json.NewEncoder(p.in).Encode(t)
}

// stop ends the attackers and returns what they did: served, refused, without an answer.
func (p *attackers) stop() (did [3]int64, err error) {
	err = errors.Join(p.in.Close(), p.cmd.Wait())
	if err == nil {
		err = json.Unmarshal([]byte(p.out.String()), &did)
	}
	return did, err
}

// dial connects from the address of attacker i, which is never 127.0.0.1.
func (t *target) dial(ctx context.Context, i int) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, byte(i/250%250), byte(2+i%250))}, Timeout: 5 * time.Second}
	return d.DialContext(ctx, "tcp", t.Addr)
}

// token is one of attacker i.
func (t *target) token(i int) string { return t.Tokens[i%len(t.Tokens)] }

// each runs fn for 0 to n-1 at once, and each again when it returns, until ctx ends. One whose connection fails rests a moment,
// as a program that reconnects does.
func each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for ctx.Err() == nil {
				if fn(ctx, i) != nil {
					rest(ctx, 20*time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
}

// rest waits, or until ctx ends.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// wire is one connection of an attacker, closed when the attack ends.
type wire struct {
	net.Conn
	in   *bufio.Reader
	did  *counts
	last bool // no request comes after the one that was answered
	stop func() bool
}

func (t *target) wire(ctx context.Context, i int) (*wire, error) {
	c, err := t.dial(ctx, i)
	if err != nil {
		t.did.Failed.Add(1)
		return nil, err
	}
	return &wire{Conn: c, in: bufio.NewReader(c), did: &t.did, stop: context.AfterFunc(ctx, func() { c.Close() })}, nil
}

func (w *wire) close() {
	w.stop()
	w.Close()
}

// message is a request of an attacker.
func message(method, path, token, kind, body string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: edict.example\r\n", method, path)
	if token != "" {
		fmt.Fprintf(&b, "Authorization: Bearer %s\r\n", token)
	}
	if kind != "" {
		fmt.Fprintf(&b, "Content-Type: %s\r\nContent-Length: %d\r\n", kind, len(body))
	}
	b.WriteString("\r\n")
	b.WriteString(body)
	return b.String()
}

const (
	asJSON = "application/json"
	asForm = "application/x-www-form-urlencoded"
)

// ask sends a request and reads the answer; it counts what became of it.
func (w *wire) ask(request string) (status int, body []byte, err error) {
	status, body, err = w.exchange(request)
	w.did.count(status, err)
	return status, body, err
}

func (c *counts) count(status int, err error) {
	switch {
	case err != nil:
		c.Failed.Add(1)
	case status < 400:
		c.Served.Add(1)
	default:
		c.Refused.Add(1)
	}
}

// flood has n connections send what next returns, one request after the other, as fast as they are answered.
func flood(ctx context.Context, t *target, n int, next func(i int) string) {
	each(ctx, n, func(ctx context.Context, i int) error {
		w, err := t.wire(ctx, i)
		if err != nil {
			return err
		}
		defer w.close()
		for ctx.Err() == nil && !w.last {
			if _, _, err := w.ask(next(i)); err != nil {
				return err
			}
		}
		return nil
	})
}
