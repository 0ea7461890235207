// Package program runs servers as processes of their own, as the measurements do: it builds edict as it is released, starts it,
// waits until it listens, and ends it. What it used is in cpu.go.
package program

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Build builds edict into a directory, as it is released, and returns the path of the program.
func Build(ctx context.Context, dir string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, "edict"))
	if err != nil {
		return "", err
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Module.Dir}}", "edict/cmd/edict").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w: run this in the repository's bench directory", err)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, "./cmd/edict")
	cmd.Dir = strings.TrimSpace(string(root)) // its own module, which shares what "make build" has compiled
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// Server is a server in its own process.
type Server struct {
	Addr  string // host:port, once it listens
	Admin string // host:port of edict's metrics and profiles; "" if it has none

	cmd    *exec.Cmd
	stdout io.Reader
	stderr bytes.Buffer
}

// Edict is the command that serves on a free port of the loopback interface, with more arguments.
func Edict(binary string, args ...string) *exec.Cmd {
	return exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0", "--log-level", "warn"}, args...)...)
}

// Start starts a process and does not wait until it listens. What it says is for Await and Words, unless the command sends it
// elsewhere.
func Start(cmd *exec.Cmd) (s *Server, err error) {
	s = &Server{cmd: cmd}
	if cmd.Stderr == nil {
		cmd.Stderr = &s.stderr
	}
	if cmd.Stdout == nil {
		if s.stdout, err = cmd.StdoutPipe(); err != nil {
			return nil, err
		}
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return s, nil
}

// Serve starts edict with a port for metrics and profiles, and returns when it listens.
func Serve(binary string, args ...string) (*Server, error) {
	admin, err := FreePort()
	if err != nil {
		return nil, err
	}
	s, err := Start(Edict(binary, append([]string{"--admin-listen", admin}, args...)...))
	if err != nil {
		return nil, err
	}
	s.Admin = admin
	if err := s.Await(); err != nil {
		return nil, errors.Join(err, s.Kill(), errors.New(s.Words()))
	}
	return s, nil
}

// ErrSilent reports that a process ended before it listened.
var ErrSilent = errors.New("edict serve ended before it listened")

// Await waits until edict reports where it listens.
func (s *Server) Await() error {
	line, err := bufio.NewReader(s.stdout).ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "edict listening on http://")
	switch {
	case err != nil && line == "":
		return ErrSilent
	case err != nil || !ok:
		return fmt.Errorf("edict serve said %q", line)
	}
	s.Addr = addr
	return nil
}

// Words returns what the process said on standard error. It is complete once the process has ended.
func (s *Server) Words() string { return s.stderr.String() }

// PID returns the number of the process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Stop ends the server in an orderly way.
func (s *Server) Stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the server ended with %w\n%s", err, s.Words())
	}
	return nil
}

// Kill ends the server as a power cut would end the process. It fails when the process had ended before.
func (s *Server) Kill() error {
	err := s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	return err
}

// Wait waits until the process has ended and returns how.
func (s *Server) Wait() *os.ProcessState {
	_ = s.cmd.Wait() // the state reports it
	return s.cmd.ProcessState
}

// Signal is os.Process.Signal.
func (s *Server) Signal(sig os.Signal) error { return s.cmd.Process.Signal(sig) }

// Profile writes a CPU profile of the next seconds.
func (s *Server) Profile(ctx context.Context, file string, during time.Duration) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.Admin, max(1, int(during.Seconds()))), nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, response.Body)
	return errors.Join(err, out.Close())
}

// FreePort returns an address of the loopback interface that is not in use.
func FreePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
