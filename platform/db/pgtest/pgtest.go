// Package pgtest runs PostgreSQL for tests: one server per test process, from the binaries of the system, in a temporary directory. It
// ends with the process, however that ends.
//
// EDICT_POSTGRES names the directory of the binaries (initdb, postgres). When it is set they must work; when it is not, they are
// looked for where Debian installs them, and tests that need them are skipped without, and if it is "none".
package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// variable is the environment variable that names the directory of the binaries.
const variable = "EDICT_POSTGRES"

// Address returns the address of an empty schema, which goes with the test.
func Address(t testing.TB) string {
	t.Helper()
	return In(t, t.TempDir())
}

// In returns the address of the schema that stands for a directory: the same for the same directory. It is empty the first time, and goes
// with the test.
func In(t testing.TB, dir string) string {
	t.Helper()
	server := start(t)
	sum := sha256.Sum256([]byte(dir))
	name := "t_" + hex.EncodeToString(sum[:8])
	server.run(t, "CREATE SCHEMA IF NOT EXISTS "+name)
	t.Cleanup(func() { server.run(t, "SET lock_timeout = '10s'; DROP SCHEMA IF EXISTS "+name+" CASCADE") })
	return server.address(name)
}

// Server returns the address of the database in which the schemas are.
func Server(t testing.TB) string {
	t.Helper()
	return start(t).address("public")
}

// Copy returns the address of a copy of a database that prepare filled once in this process, which goes with the test. Creating it costs
// a tenth of what it costs to create the tables of edict. Prepare gets an empty database and has no connections left when it returns.
func Copy(t testing.TB, name string, prepare func(address string)) string {
	t.Helper()
	server := start(t)
	server.mu.Lock()
	defer server.mu.Unlock()
	if server.prepared == nil {
		server.prepared = map[string]int{}
	}
	model := "model_" + name
	if _, ok := server.prepared[name]; !ok {
		server.run(t, "CREATE DATABASE "+model)
		address := server.addressOf(model, "public")
		if err := execAt(address, "CREATE EXTENSION pg_trgm"); err != nil {
			t.Fatal(err)
		}
		prepare(address)
	}
	server.prepared[name]++
	copied := fmt.Sprintf("%s_%d", model, server.prepared[name])
	server.run(t, "CREATE DATABASE "+copied+" TEMPLATE "+model)
	t.Cleanup(func() { server.run(t, "DROP DATABASE "+copied+" WITH (FORCE)") })
	return server.addressOf(copied, "public")
}

// server is a running PostgreSQL.
type server struct {
	dir string

	mu       sync.Mutex
	prepared map[string]int // copies made, by name of what is copied
}

var once = sync.OnceValues(func() (*server, error) { return launch(place()) })

// Instance is a PostgreSQL for a program that is no test. It ends with the process.
type Instance struct{ server *server }

// Launch starts a PostgreSQL in a new directory below one.
func Launch(below string) (*Instance, error) {
	s, err := launch(below)
	if err != nil {
		return nil, err
	}
	return &Instance{s}, nil
}

// Schema makes a schema and returns its address.
func (i *Instance) Schema(name string) (string, error) {
	return i.server.address(name), i.server.exec("CREATE SCHEMA " + name)
}

// PID is the number of the process whose children serve the connections; 0 if it cannot be told.
func (i *Instance) PID() int {
	text, err := os.ReadFile(filepath.Join(i.server.dir, "data", "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// errAbsent says that there is no PostgreSQL to be found.
var errAbsent = fmt.Errorf("there is no PostgreSQL here, or %[1]s is none; install it (Debian: apt-get install postgresql) or name the directory of its binaries with %[1]s", variable)

func start(t testing.TB) *server {
	t.Helper()
	s, err := once()
	switch {
	case errors.Is(err, errAbsent):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return s
}

// binaries finds the directory of the binaries.
func binaries() (string, error) {
	switch dir := os.Getenv(variable); dir {
	case "":
	case "none":
		return "", errAbsent
	default:
		return dir, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) > 0 {
		slices.Sort(found)
		return filepath.Dir(found[len(found)-1]), nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	return "", errAbsent
}

// script makes a cluster, runs the server until its input ends, which it does with this process, and removes everything.
const script = `
trap '' INT TERM
"$BIN/initdb" -D "$DIR/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 -N >"$DIR/log" 2>&1 || { cat "$DIR/log" >&2; rm -rf "$DIR"; exit 1; }
"$BIN/postgres" -D "$DIR/data" -k "$DIR" -c listen_addresses= -c max_connections=300 -c shared_buffers=32MB -c max_wal_size=256MB >>"$DIR/log" 2>&1 <&- &
server=$!
cat >/dev/null
kill -QUIT $server
wait $server
rm -rf "$DIR"
`

// place is where the cluster is: in memory where Linux has a directory of it, since what is tested is not the disk.
func place() string {
	const memory = "/dev/shm"
	if f, err := os.CreateTemp(memory, "edict-pg-"); err == nil {
		f.Close()
		os.Remove(f.Name())
		return memory
	}
	return os.TempDir()
}

func launch(below string) (*server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(bin, "initdb")); err != nil {
		return nil, fmt.Errorf("%s=%s holds no initdb: %w", variable, bin, err)
	}
	dir, err := os.MkdirTemp(below, "edict-pg-")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Env = append(os.Environ(), "BIN="+bin, "DIR="+dir, "LC_ALL=C.UTF-8")
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	if err := unprivileged(cmd, dir); err != nil {
		return nil, err
	}
	if _, err := cmd.StdinPipe(); err != nil { // held open until this process ends
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("PostgreSQL does not start: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	s := &server{dir: dir}
	return s, s.await(ended)
}

// await waits until the server answers.
func (s *server) await(ended chan error) error {
	for end := time.Now().Add(2 * time.Minute); ; {
		err := s.exec("CREATE EXTENSION IF NOT EXISTS pg_trgm")
		if err == nil {
			return nil
		}
		select {
		case err := <-ended:
			return fmt.Errorf("PostgreSQL ended: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
		if !time.Now().Before(end) {
			return fmt.Errorf("PostgreSQL does not answer: %w", err)
		}
	}
}

func (s *server) address(schema string) string { return s.addressOf("postgres", schema) }

func (s *server) addressOf(database, schema string) string {
	q := url.Values{"host": {s.dir}, "user": {"postgres"}, "options": {"-csearch_path=" + strings.Join(slices.Compact([]string{schema, "public"}), ",")}}
	return "postgres:///" + database + "?" + q.Encode()
}

func (s *server) exec(text string) error { return execAt(s.address("public"), text) }

func execAt(address, text string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, err := pgconn.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	_, err = c.Exec(ctx, text).ReadAll()
	return err
}

// run executes a command. PostgreSQL goes on with what a client that has gone asked for last, and may end the command in its favour: then it is
// tried again.
func (s *server) run(t testing.TB, text string) {
	t.Helper()
	var err error
	for range 5 {
		if err = s.exec(text); !isDeadlock(err) {
			break
		}
	}
	if err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

func isDeadlock(err error) bool {
	var told *pgconn.PgError
	return errors.As(err, &told) && told.Code == "40P01"
}
