package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"edict/cli"
)

// edict is the server under measurement, in a process of its own on data of its own.
type edict struct {
	cmd   *exec.Cmd
	dir   string
	addr  string
	token string
}

// startEdict starts a server with the channel that is measured.
func startEdict() (s *edict, err error) {
	dir, err := os.MkdirTemp("", "edict-bench-")
	if err != nil {
		return nil, err
	}
	s = &edict{dir: dir}
	defer func() {
		if err != nil {
			s.stop()
		}
	}()
	data := filepath.Join(dir, "data")
	if s.token, err = newToken(data); err != nil {
		return nil, err
	}
	s.cmd = exec.Command(os.Args[0], "serve", "--listen", "127.0.0.1:0", "--data", data, "--messaging-rate", "0", "--only", "messaging", "--log-level", "warn")
	s.cmd.Env = append(os.Environ(), serving+"=1")
	s.cmd.Stderr = os.Stderr
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("edict serve said %q: %w", line, err)
	}
	_, s.addr, _ = strings.Cut(strings.TrimSpace(line), "http://")
	return s, s.create("bench", 1000)
}

func newToken(data string) (string, error) {
	var out bytes.Buffer
	env := &cli.Env{Stdin: new(bytes.Reader), Stdout: &out, Stderr: os.Stderr, Now: time.Now}
	for _, args := range [][]string{
		{"user", "add", "bench", "--id", "bench", "--data", data},
		{"token", "create", "--user", "bench", "--data", data},
	} {
		out.Reset()
		if status := cli.Run(context.Background(), args, env); status != 0 {
			return "", fmt.Errorf("edict %s: exit status %d", strings.Join(args, " "), status)
		}
	}
	return strings.TrimSpace(out.String()), nil
}

func (s *edict) name() string    { return "edict" }
func (s *edict) address() string { return s.addr }

func (s *edict) process() int {
	if s.cmd == nil || s.cmd.Process == nil {
		return 0
	}
	return s.cmd.Process.Pid
}

func (s *edict) stop() {
	if s.process() != 0 {
		_ = s.cmd.Process.Signal(os.Interrupt) // it ends with the bench in any case
		_ = s.cmd.Wait()
	}
	_ = os.RemoveAll(s.dir)
}

func (s *edict) authorization() string { return "Authorization: Bearer " + s.token + "\r\n" }

func (s *edict) create(channel string, maxItems int) error {
	c, err := dial(s.addr)
	if err != nil {
		return err
	}
	defer c.Close()
	body := fmt.Sprintf(`{"channelName":%q,"maxItems":%d}`, channel, maxItems)
	_, err = c.do(request("POST", "/message/api/v2/channels", s.addr, s.authorization()+jsonType, body))
	return err
}

func (s *edict) subscription(transport string) (subscription, error) {
	const path = "/message/api/v2/events"
	if transport == sse {
		return subscription{request: request("GET", path, s.addr, s.authorization(), ""), ready: "event: ready"}, nil
	}
	return subscription{request: request("GET", path, s.addr, s.authorization()+upgrade, ""), frames: []string{`{"type":"resume"}`}, ready: `"ready"`}, nil
}

func (s *edict) publication(text string) []byte { return s.publicationTo("bench", text) }

func (s *edict) publicationTo(channel, text string) []byte {
	return request("POST", "/message/api/v2/channels/"+channel+"/items", s.addr, s.authorization()+jsonType, `{"content":{"text":"`+text+`"}}`)
}

// errNotOffered says that a peer has no such thing; it is left out.
var errNotOffered = errors.New("not offered")
