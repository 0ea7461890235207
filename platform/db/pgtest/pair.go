package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Pair is a primary with a standby, both of the test alone. Each is a server of its own: either can be taken away, and the standby can be made
// the primary.
type Pair struct {
	t        testing.TB
	bin, dir string
	running  map[string]*running // by the name of the server
}

// The servers of a pair.
const (
	Primary = "primary"
	Standby = "standby"
)

// ports tell their sockets apart.
var ports = map[string]string{Primary: "5432", Standby: "5433"}

// running is a server that was started.
type running struct {
	input io.Closer
	ended chan struct{}
}

// runScript runs a server until its input ends, which it does with this process: then the server ends as if its machine had been lost.
const runScript = `
trap '' INT TERM
"$BIN/postgres" "$@" >>"$DIR/log" 2>&1 <&- &
server=$!
cat >/dev/null
kill -QUIT $server 2>/dev/null
wait $server
`

// NewPair starts a primary and its standby, which every commit waits for if it is synchronous. Both end with the test.
func NewPair(t testing.TB, synchronous bool) *Pair {
	t.Helper()
	bin, err := binaries()
	switch {
	case errors.Is(err, errAbsent):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(place(), "edict-pg-")
	if err != nil {
		t.Fatal(err)
	}
	p := &Pair{t: t, bin: bin, dir: dir, running: map[string]*running{}}
	t.Cleanup(func() {
		for name := range p.running {
			p.Stop(name)
		}
		os.RemoveAll(dir)
	})
	p.command("initdb", "-D", filepath.Join(dir, Primary), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
	p.Start(Primary)
	p.Exec(Primary, "CREATE EXTENSION pg_trgm")
	p.command("pg_basebackup", "-h", dir, "-p", ports[Primary], "-U", "postgres", "-D", filepath.Join(dir, Standby), "-R", "-X", "stream", "-c", "fast", "-N")
	p.Start(Standby)
	if synchronous {
		p.Synchronous("*")
	}
	return p
}

// Synchronous sets what the primary asks its commits to wait for; "" is nothing.
func (p *Pair) Synchronous(names string) {
	p.t.Helper()
	p.Exec(Primary, "ALTER SYSTEM SET synchronous_standby_names = '"+names+"'")
	p.Exec(Primary, "SELECT pg_reload_conf()")
	want := "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
	if names != "" {
		want += " AND sync_state = 'sync'"
	}
	p.await(Primary, want, "1")
	p.await(Primary, "SHOW synchronous_standby_names", names)
}

// Start starts a server that does not run.
func (p *Pair) Start(name string) {
	p.t.Helper()
	data := filepath.Join(p.dir, name)
	cmd := exec.Command("/bin/sh", "-c", runScript, "server", "-D", data, "-k", p.dir, "-p", ports[name], "-c", "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "wal_receiver_status_interval=1s",
		"-c", "wal_retrieve_retry_interval=100ms")
	cmd.Env = append(os.Environ(), "BIN="+p.bin, "DIR="+p.dir, "LC_ALL=C.UTF-8")
	cmd.Dir = p.dir
	if err := unprivileged(cmd, p.dir); err != nil {
		p.t.Fatal(err)
	}
	input, err := cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	r := &running{input: input, ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		_ = cmd.Wait() // by a signal, always
	}()
	p.running[name] = r
	p.await(name, "SELECT 1", "1")
}

// Stop ends a server at once, as the loss of its machine would.
func (p *Pair) Stop(name string) {
	r := p.running[name]
	delete(p.running, name)
	r.input.Close()
	<-r.ended
}

// Promote makes the standby a primary.
func (p *Pair) Promote() {
	p.t.Helper()
	p.Exec(Standby, "SELECT pg_promote(true, 60)")
	p.await(Standby, "SELECT pg_is_in_recovery()", "f")
}

// Dump writes what the primary holds to a file.
func (p *Pair) Dump() (file string) {
	p.t.Helper()
	file = filepath.Join(p.dir, "dump")
	p.command("pg_dump", "-h", p.dir, "-p", ports[Primary], "-U", "postgres", "-Fc", "-f", file, "postgres")
	return file
}

// Restore makes the primary hold what a file of Dump does.
func (p *Pair) Restore(file string) {
	p.t.Helper()
	p.Exec(Primary, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
	p.command("pg_restore", "-h", p.dir, "-p", ports[Primary], "-U", "postgres", "-d", "postgres", file)
}

// Address is that of one of the servers.
func (p *Pair) Address(name string) string {
	q := url.Values{"host": {p.dir}, "port": {ports[name]}, "user": {"postgres"}}
	return "postgres:///postgres?" + q.Encode()
}

// Both is the address of whichever server can be written.
func (p *Pair) Both() string {
	q := url.Values{"host": {p.dir + "," + p.dir}, "port": {ports[Primary] + "," + ports[Standby]}, "user": {"postgres"}, "target_session_attrs": {"read-write"}}
	return "postgres:///postgres?" + q.Encode()
}

// Exec runs a statement on a server.
func (p *Pair) Exec(name, text string) {
	p.t.Helper()
	if _, err := p.ask(name, text); err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
}

func (p *Pair) ask(name, text string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := pgconn.Connect(ctx, p.Address(name))
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	results, err := c.Exec(ctx, text).ReadAll()
	if err != nil || len(results) == 0 || len(results[0].Rows) == 0 {
		return "", err
	}
	return string(results[0].Rows[0][0]), nil
}

// await waits until a server answers a question so.
func (p *Pair) await(name, question, want string) {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // nobody tells
		got, err := p.ask(name, question)
		if err == nil && got == want {
			return
		}
		if time.Now().After(end) {
			log, _ := os.ReadFile(filepath.Join(p.dir, "log"))
			p.t.Fatalf("%s: %q (%v), want %q\n%s", question, got, err, want, log)
		}
	}
}

// command runs a program of PostgreSQL to its end.
func (p *Pair) command(name string, args ...string) {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.bin, name), args...)
	cmd.Dir = p.dir
	if err := unprivileged(cmd, p.dir); err != nil {
		p.t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatal(fmt.Errorf("%s: %w\n%s", name, err, out))
	}
}
