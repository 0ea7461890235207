package pgtest

import (
	"errors"
	"net/url"
	"path/filepath"
	"testing"
)

// Pair is a primary with a standby, both of the test alone. Each is a server of its own: either can be taken away, and the standby can be made
// the primary. What fails ends the test.
type Pair struct {
	t testing.TB
	r *Replicas
}

// NewPair starts a primary and its standby, which every commit waits for if it is synchronous. Both end with the test.
func NewPair(t testing.TB, synchronous bool) *Pair {
	t.Helper()
	r, err := LaunchReplicas(synchronous)
	switch {
	case errors.Is(err, errAbsent):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return &Pair{t, r}
}

func (p *Pair) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// Synchronous sets what the primary asks its commits to wait for; "" is nothing.
func (p *Pair) Synchronous(names string) {
	p.t.Helper()
	p.must(p.r.Synchronous(Primary, names))
}

// Start starts a server that does not run.
func (p *Pair) Start(name string) {
	p.t.Helper()
	p.must(p.r.Start(name))
}

// Stop ends a server at once, as the loss of its machine would.
func (p *Pair) Stop(name string) { p.r.Stop(name) }

// CaughtUp returns when the standby has all that the primary has.
func (p *Pair) CaughtUp() {
	p.t.Helper()
	p.must(p.r.CaughtUp(Primary))
}

// Promote makes the standby a primary.
func (p *Pair) Promote() {
	p.t.Helper()
	p.must(p.r.Promote(Standby))
}

// Exec runs a statement on a server.
func (p *Pair) Exec(name, text string) {
	p.t.Helper()
	p.must(p.r.Exec(name, text))
}

// Address is that of one of the servers.
func (p *Pair) Address(name string) string { return p.r.Address(name) }

// Both is the address of whichever server can be written.
func (p *Pair) Both() string {
	q := url.Values{"host": {p.r.dir + "," + p.r.dir}, "port": {ports[Primary] + "," + ports[Standby]}, "user": {"postgres"}, "target_session_attrs": {"read-write"}}
	return "postgres:///postgres?" + q.Encode()
}

// Dump writes what the primary holds to a file.
func (p *Pair) Dump() (file string) {
	p.t.Helper()
	file = filepath.Join(p.r.dir, "dump")
	p.must(p.r.command("pg_dump", "-h", p.r.dir, "-p", ports[Primary], "-U", "postgres", "-Fc", "-f", file, "postgres"))
	return file
}

// Restore makes the primary hold what a file of Dump does.
func (p *Pair) Restore(file string) {
	p.t.Helper()
	p.Exec(Primary, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
	p.must(p.r.command("pg_restore", "-h", p.r.dir, "-p", ports[Primary], "-U", "postgres", "-d", "postgres", file))
}
