package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"edict/bench/program"
	"edict/cli"
)

// edict is the server under measurement, in its own process on data of its own.
type edict struct {
	server *program.Server
	dir    string
	token  string
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
	cmd := program.Edict(os.Args[0], "--only", "messaging", "--data", data, "--messaging-rate", "0",
		"--messaging-streams", "0", "--messaging-streams-per-address", "0", "--limits-per-address", "1000000")
	cmd.Env = append(os.Environ(), serving+"=1")
	cmd.Stderr = os.Stderr
	if s.server, err = program.Start(cmd); err != nil {
		return nil, err
	}
	if err := s.server.Await(); err != nil {
		return nil, err
	}
	return s, s.create("bench", 1000)
}

func newToken(data string) (string, error) {
	var out bytes.Buffer
	env := &cli.Env{Stdin: new(bytes.Reader), Stdout: &out, Stderr: os.Stderr, Now: time.Now}
	for _, args := range [][]string{
		{"user", "create", "bench", "--id", "bench", "--data", data},
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
func (s *edict) address() string { return s.server.Addr }

func (s *edict) process() int {
	if s.server == nil {
		return 0
	}
	return s.server.PID()
}

func (s *edict) stop() {
	if s.process() != 0 {
		_ = s.server.Stop() // it ends with the bench in any case
	}
	_ = os.RemoveAll(s.dir)
}

func (s *edict) authorization() string { return "Authorization: Bearer " + s.token + "\r\n" }

func (s *edict) create(channel string, maxItems int) error {
	c, err := dial(s.address())
	if err != nil {
		return err
	}
	defer c.Close()
	body := fmt.Sprintf(`{"channelName":%q,"maxItems":%d}`, channel, maxItems)
	err = c.do(request("POST", "/message/api/v2/channels", s.address(), s.authorization()+jsonType, body))
	return err
}

func (s *edict) subscription(transport string) (subscription, error) {
	const path = "/message/api/v2/events"
	if transport == sse {
		return subscription{request: request("GET", path, s.address(), s.authorization(), ""), ready: "event: ready"}, nil
	}
	return subscription{request: request("GET", path, s.address(), s.authorization()+upgrade, ""), frames: []string{`{"type":"resume"}`}, ready: `"ready"`}, nil
}

func (s *edict) publication(text string) []byte { return s.publicationTo("bench", text) }

func (s *edict) publicationTo(channel, text string) []byte {
	return request("POST", "/message/api/v2/channels/"+channel+"/items", s.address(), s.authorization()+jsonType, `{"content":{"text":"`+text+`"}}`)
}

// errNotOffered reports that a peer has no such thing; it is left out.
var errNotOffered = errors.New("not offered")
