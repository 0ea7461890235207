package e2e

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"edict/cli"
	"edict/platform/filelock"
	"edict/platform/web"
)

// Server is a server that runs inside the test.
type Server struct {
	URL  string
	Data string // its data directory, or the address of its store

	stop func() error
}

// Stop drains and stops the server before the test ends; the test does it otherwise. Later calls repeat what the first returned.
func (s *Server) Stop() error { return s.stop() }

// Options says how the server of a test differs from the default.
type Options struct {
	Configure func(*cli.Config) // changes the configuration before the start
	Services  []web.Service     // to serve beside the real ones
	Now       func() time.Time  // nil: time.Now
	Program   string            // that computes populations; "": the process of the test
	MayFail   bool              // the test takes away what the server needs to stop cleanly
}

// Start starts the server in process. It listens on a free port of the loopback interface, keeps its data in a
// temporary directory and logs to the test's output. It is stopped when the test ends, and must then stop cleanly.
func Start(t testing.TB, opts Options) *Server {
	t.Helper()
	cfg := cli.DefaultConfig()
	cfg.Server.Listen = "127.0.0.1:0"
	cfg.Server.Data = filepath.Join(t.TempDir(), "data")
	cfg.Server.Headroom = 0 // all servers of a test share a heap
	if opts.Configure != nil {
		opts.Configure(&cfg)
	}
	env := &cli.Env{Stdin: new(bytes.Reader), Stdout: io.Discard, Stderr: t.Output(), Now: opts.Now, Program: opts.Program, Services: opts.Services}
	if env.Now == nil {
		env.Now = time.Now
	}
	server := cli.NewServer(cfg, env)
	if err := server.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := &Server{URL: server.URL(), Data: cmp.Or(cfg.Server.Store, cfg.Server.Data), stop: sync.OnceValue(server.Stop)}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil && !opts.MayFail {
			t.Errorf("the server did not stop cleanly: %v", err)
		}
	})
	return s
}

// AwaitReady waits until the server says that it is ready: it listens before its legislation is loaded.
func AwaitReady(t testing.TB, url string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		resp, err := http.Get(url + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is not ready after a minute", url)
		}
		time.Sleep(5 * time.Millisecond) // there is no event across processes
	}
}

// Run runs a command line in process, as "edict ARGS…" with input on standard input, and returns what it printed on
// standard output. The test ends when the command fails.
func Run(t testing.TB, input string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(input), Stdout: &stdout, Stderr: &stderr, Now: time.Now}
	if status := cli.Run(t.Context(), args, env); status != 0 {
		t.Fatalf("edict %s: exit status %d\n%s%s", strings.Join(args, " "), status, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// Tokens returns a Golden.Token for the server with this data directory or store. It creates each user the first time it is asked
// for one, with the name as id, and issues one token for it; the user admin is an administrator. A name may end in
// @DEVICE: the token then acts for that device. Files that share a server share the function.
func Tokens(data string) func(t testing.TB, name string) string {
	users, issued := map[string]bool{}, map[string]string{}
	return func(t testing.TB, name string) string {
		t.Helper()
		if token, ok := issued[name]; ok {
			return token
		}
		user, device, _ := strings.Cut(name, "@")
		if !users[user] {
			add := []string{"user", "create", user, "--id", user, dataFlag(data), data}
			if user == "admin" {
				add = append(add, "--admin")
			}
			Run(t, "", add...)
			users[user] = true
		}
		issued[name] = strings.TrimSpace(Run(t, "", "token", "create", "--user", user, "--device", device, dataFlag(data), data))
		return issued[name]
	}
}

// dataFlag returns the flag of commands that names a data directory, or the address of a store.
func dataFlag(data string) string {
	if strings.HasPrefix(data, "postgres:") {
		return "--store"
	}
	return "--data"
}

// Process is a server that runs as a process of its own.
type Process struct {
	URL    string
	Data   string
	Stderr func() string // what it has logged so far

	cmd  *exec.Cmd
	wait func() error
}

// Signal sends the process a signal.
func (p *Process) Signal(sig os.Signal) error { return p.cmd.Process.Signal(sig) }

// Pid is the process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Wait waits for the process to end; the error is that of exec.Cmd.Wait. It may be called more than once.
func (p *Process) Wait() error { return p.wait() }

// StartBinary builds cmd/edict, unless it is built, and starts "edict serve" with the arguments on a free port of the
// loopback interface with a temporary data directory. The process is told to stop when the test ends.
func StartBinary(t testing.TB, args ...string) *Process {
	t.Helper()
	return StartProcess(t, exec.Command(Binary(t)), args)
}

// StartProcess starts cmd with the arguments of serve and waits until it listens.
func StartProcess(t testing.TB, cmd *exec.Cmd, args []string) *Process {
	t.Helper()
	p := &Process{Data: filepath.Join(t.TempDir(), "data"), cmd: cmd}
	cmd.Args = slices.Concat(cmd.Args, []string{"serve", "--listen", "127.0.0.1:0", "--data", p.Data}, args)
	var stderr syncBuffer
	cmd.Stderr, p.Stderr = &stderr, stderr.String
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	p.wait = sync.OnceValue(cmd.Wait)
	t.Cleanup(func() { p.End(t) })
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "edict listening on ")
	if err != nil || !ok {
		t.Fatalf("edict serve said %q (%v), and on standard error:\n%s", line, err, stderr.String())
	}
	p.URL = url
	return p
}

// End tells the process to stop, and waits for it.
func (p *Process) End(t testing.TB) {
	if err := p.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("stopping edict: %v", err)
	}
	_ = p.Wait() // a test that cares about the status asks for it
	if t.Failed() {
		t.Logf("standard error of edict:\n%s", p.Stderr())
	}
}

// Binary builds cmd/edict without a C compiler, as it is released, and returns its path. The Go tool sees to it
// that this is quick when nothing has changed.
func Binary(t testing.TB) string {
	t.Helper()
	path, err := buildBinary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var buildBinary = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, "bin", "e2e", "edict")
	unlock, err := lock(path + ".lock") // the packages below e2e run side by side, and none may start a file that another one writes
	if err != nil {
		return "", err
	}
	defer unlock()
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./cmd/edict")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// lock waits until this process holds the lock of a file.
func lock(name string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for err = filelock.Try(f); errors.Is(err, filelock.ErrLocked); err = filelock.Try(f) {
		time.Sleep(20 * time.Millisecond) // the end of another process's lock cannot be awaited
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the test's directory")
		}
		dir = parent
	}
}

// syncBuffer is a buffer that is written by a process and read by a test.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
