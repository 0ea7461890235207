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
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is edict as a process of its own.
type server struct {
	binary, data string
	addr         string // host:port
	admin        string // of profiles
	token        string
	cmd          *exec.Cmd
	stderr       bytes.Buffer
}

// user is who publishes and reads.
const user = "bench"

// startServer starts the program on a data directory that may be new.
func startServer(ctx context.Context, binary, data string) (*server, error) {
	s := &server{binary: binary, data: data}
	admin, err := freePort()
	if err != nil {
		return nil, err
	}
	s.admin = admin
	s.cmd = exec.Command(binary, "serve", "--only", "messaging", "--listen", "127.0.0.1:0", "--admin-listen", admin,
		"--data", data, "--messaging-rate", "0", "--log-level", "warn")
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
		return nil, errors.Join(fmt.Errorf("edict serve said %q", line), s.kill(), errors.New(s.stderr.String()))
	}
	s.addr = addr
	return s, s.signIn(ctx)
}

// signIn creates the user unless it is there, and gets a token.
func (s *server) signIn(ctx context.Context) error {
	_ = exec.CommandContext(ctx, s.binary, "user", "add", user, "--id", user, "--data", s.data).Run() // it may be there
	out, err := exec.CommandContext(ctx, s.binary, "token", "create", "--user", user, "--ttl", "24h", "--data", s.data).Output()
	if err != nil {
		return errors.Join(fmt.Errorf("token create: %w", err), s.kill())
	}
	s.token = strings.TrimSpace(string(out))
	return nil
}

// stop ends the server in an orderly way.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("edict ended with %w\n%s", err, s.stderr.String())
	}
	return nil
}

// kill ends the server as a power cut would end the process.
func (s *server) kill() error {
	if err := s.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = s.cmd.Wait() // it was killed
	return nil
}

// ticks of /proc are hundredths of a second on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// cpu returns the processor time the server has used so far; 0 where the system does not tell.
func (s *server) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	// The fields follow the command's name, which is in parentheses: state is the third of all, utime the fourteenth.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}

// profile writes a CPU profile of the next seconds.
func (s *server) profile(ctx context.Context, file string, seconds int) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.admin, seconds), nil)
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

// figures are what the server says of its store so far.
type figures struct {
	rows, pages    float64 // read
	writes, groups float64 // committed: publishes, and transactions with their fsync
}

// figures asks the server's metrics.
func (s *server) figures(ctx context.Context) (figures, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.admin+"/metrics", nil)
	if err != nil {
		return figures{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return figures{}, err
	}
	defer response.Body.Close()
	var f figures
	places := map[string]*float64{
		"edict_store_rows_read_total": &f.rows, "edict_store_pages_read_total": &f.pages,
		"edict_store_group_writes_sum": &f.writes, "edict_store_group_writes_count": &f.groups,
	}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if place := places[name]; place != nil {
			if *place, err = strconv.ParseFloat(value, 64); err != nil {
				return figures{}, err
			}
		}
	}
	return f, nil
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
