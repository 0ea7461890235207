//go:build unix

package main

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
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a program that answers requests, with its children.
type server struct {
	addr   string // host:port
	admin  string // of profiles; "" if there are none
	cmd    *exec.Cmd
	stderr bytes.Buffer
}

// startEdict starts the program and waits until its legislation is loaded.
func startEdict(binary, country string) (*server, error) {
	admin, err := freePort()
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--only", "simulation", "--listen", "127.0.0.1:0", "--admin-listen", admin, "--log-level", "warn"}
	if country != "" {
		args = append(args, "--country", country)
	}
	s := &server{admin: admin, cmd: exec.Command(binary, args...)}
	s.cmd.Stderr = &s.stderr
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "edict listening on http://")
	if err != nil || !ok {
		return nil, errors.Join(fmt.Errorf("edict serve said %q", line), s.stop())
	}
	s.addr = addr
	return s, s.await("/entities")
}

// startReference starts the OpenFisca web API as its own documentation says.
func startReference(ctx context.Context, o options, l legislation) (*server, error) {
	addr, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &server{addr: addr, cmd: exec.CommandContext(ctx, o.python, "-m", "openfisca_core.scripts.openfisca_command", "serve",
		"--country-package", l.module, "--bind", addr, "--workers", strconv.Itoa(o.workers))}
	s.cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if l.pythons != "" {
		s.cmd.Env = append(s.cmd.Env, "PYTHONPATH="+l.pythons)
	}
	s.cmd.Stderr = &s.stderr
	s.cmd.WaitDelay = time.Second
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	return s, s.await("/entities")
}

// await asks until the server answers; one that does not is stopped.
func (s *server) await(path string) error {
	var last error
	for range 600 {
		resp, err := http.Get("http://" + s.addr + path)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New(resp.Status)
		}
		last = err
		time.Sleep(100 * time.Millisecond)
	}
	return errors.Join(fmt.Errorf("the server does not answer: %w", last), s.stop())
}

// stop ends the server in an orderly way.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the server ended with %w\n%s", err, s.stderr.String())
	}
	return nil
}

// tick is the unit of the times in /proc: a hundredth of a second on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// cpu is the processor time that the server and its children have used so far; 0 where the system does not tell.
func (s *server) cpu() time.Duration {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	pid := strconv.Itoa(s.cmd.Process.Pid)
	var sum time.Duration
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// The fields follow the command's name, which is in parentheses: state, parent …, utime is the twelfth.
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) < 13 || filepath.Base(filepath.Dir(file)) != pid && fields[1] != pid {
			continue
		}
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		sum += time.Duration(user+system) * tick
	}
	return sum
}

// profile writes a CPU profile of the time that a measurement takes.
func (s *server) profile(ctx context.Context, file string, during time.Duration) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.admin, max(1, int(during.Seconds()))), nil)
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

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
