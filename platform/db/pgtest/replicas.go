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
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Replicas are two servers of which one follows the other. Either can be taken away, made the primary, and made to follow the other anew. A method
// may be called from any goroutine, but not two for the same server at once.
type Replicas struct {
	bin, dir string

	mu      sync.Mutex
	running map[string]*running // by the name of the server
}

// The servers of a pair, by what they are in the beginning.
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

// LaunchReplicas starts a primary and its standby in a new directory, which every commit waits for if it is synchronous. They end with Close, or with
// this process.
func LaunchReplicas(synchronous bool) (*Replicas, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(place(), "edict-pg-")
	if err != nil {
		return nil, err
	}
	r := &Replicas{bin: bin, dir: dir, running: map[string]*running{}}
	if err := r.launch(synchronous); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Replicas) launch(synchronous bool) error {
	if err := r.command("initdb", "-D", filepath.Join(r.dir, Primary), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"); err != nil {
		return err
	}
	if err := r.Start(Primary); err != nil {
		return err
	}
	if err := r.Exec(Primary, "CREATE EXTENSION pg_trgm"); err != nil {
		return err
	}
	if synchronous { // before the standby is made, which has it from the primary
		if err := r.WaitFor(Primary, "*"); err != nil {
			return err
		}
	}
	if err := r.Follow(Standby, Primary); err != nil {
		return err
	}
	return r.Streaming(Primary, synchronous)
}

// Close ends both servers and removes what they hold.
func (r *Replicas) Close() {
	for name := range ports {
		r.Stop(name)
	}
	os.RemoveAll(r.dir)
}

// Follow makes a server that does not run a standby of the other one: whatever it holds is replaced.
func (r *Replicas) Follow(name, primary string) error {
	data := filepath.Join(r.dir, name)
	if err := os.RemoveAll(data); err != nil {
		return err
	}
	if err := r.command("pg_basebackup", "-h", r.dir, "-p", ports[primary], "-U", "postgres", "-D", data, "-R", "-X", "stream", "-c", "fast", "-N"); err != nil {
		return err
	}
	return r.Start(name)
}

// Synchronous sets what a primary asks its commits to wait for; "" is nothing. It returns when that is so and the standby is there.
func (r *Replicas) Synchronous(primary, names string) error {
	if err := r.WaitFor(primary, names); err != nil {
		return err
	}
	return r.Streaming(primary, names != "")
}

// WaitFor sets what a primary asks its commits to wait for.
func (r *Replicas) WaitFor(primary, names string) error {
	for _, text := range []string{"ALTER SYSTEM SET synchronous_standby_names = '" + names + "'", "SELECT pg_reload_conf()"} {
		if err := r.Exec(primary, text); err != nil {
			return err
		}
	}
	return r.await(primary, "SHOW synchronous_standby_names", names)
}

// Streaming returns when the standby of a primary follows it, and counts for commits if it is to.
func (r *Replicas) Streaming(primary string, counts bool) error {
	want := "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
	if counts {
		want += " AND sync_state = 'sync'"
	}
	return r.await(primary, want, "1")
}

// CaughtUp returns when the standby of a primary has all that the primary has.
func (r *Replicas) CaughtUp(primary string) error {
	return r.await(primary, "SELECT bool_and(flush_lsn >= pg_current_wal_flush_lsn()) FROM pg_stat_replication", "t")
}

// Start starts a server that does not run.
func (r *Replicas) Start(name string) error {
	data := filepath.Join(r.dir, name)
	cmd := exec.Command("/bin/sh", "-c", runScript, "server", "-D", data, "-k", r.dir, "-p", ports[name], "-c", "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "wal_receiver_status_interval=1s",
		"-c", "wal_retrieve_retry_interval=100ms")
	cmd.Env = append(os.Environ(), "BIN="+r.bin, "DIR="+r.dir, "LC_ALL=C.UTF-8")
	cmd.Dir = r.dir
	if err := unprivileged(cmd, r.dir); err != nil {
		return err
	}
	input, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s := &running{input: input, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		_ = cmd.Wait() // by a signal, always
	}()
	r.mu.Lock()
	r.running[name] = s
	r.mu.Unlock()
	return r.await(name, "SELECT 1", "1")
}

// Stop ends a server at once, as the loss of its machine would. One that does not run stays so.
func (r *Replicas) Stop(name string) {
	r.mu.Lock()
	s := r.running[name]
	delete(r.running, name)
	r.mu.Unlock()
	if s != nil {
		s.input.Close()
		<-s.ended
	}
}

// Promote makes a standby a primary. A statement on a standby may be cancelled by what it replays, so it is asked until it is one.
func (r *Replicas) Promote(name string) error {
	for end := time.Now().Add(time.Minute); ; {
		err := r.Exec(name, "SELECT pg_promote(true, 60)")
		if standby, asked := r.Ask(name, "SELECT pg_is_in_recovery()"); asked == nil && standby == "f" {
			return nil
		}
		if time.Now().After(end) {
			return errors.Join(err, fmt.Errorf("the %s does not become a primary", name))
		}
	}
}

// Address is that of one of the servers.
func (r *Replicas) Address(name string) string {
	q := url.Values{"host": {r.dir}, "port": {ports[name]}, "user": {"postgres"}}
	return "postgres:///postgres?" + q.Encode()
}

// Exec runs a statement on a server.
func (r *Replicas) Exec(name, text string) error {
	_, err := r.Ask(name, text)
	return err
}

// Ask runs a statement on a server and returns the first value of its first row, "" when there is none.
func (r *Replicas) Ask(name, text string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := pgconn.Connect(ctx, r.Address(name))
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	results, err := c.Exec(ctx, text).ReadAll()
	if err != nil {
		return "", fmt.Errorf("%s: %w", text, err)
	}
	if len(results) == 0 || len(results[0].Rows) == 0 {
		return "", nil
	}
	return string(results[0].Rows[0][0]), nil
}

// await waits until a server answers a question so.
func (r *Replicas) await(name, question, want string) error {
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // nobody tells
		got, err := r.Ask(name, question)
		if err == nil && got == want {
			return nil
		}
		if time.Now().After(end) {
			log, _ := os.ReadFile(filepath.Join(r.dir, "log"))
			return errors.Join(err, fmt.Errorf("%s: %q, want %q\n%s", question, got, want, log[max(0, len(log)-1000):]))
		}
	}
}

// command runs a program of PostgreSQL to its end.
func (r *Replicas) command(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(r.bin, name), args...)
	cmd.Dir = r.dir
	if err := unprivileged(cmd, r.dir); err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}
