package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"edict/cli"
)

// server is the server under measurement.
type server struct {
	cmd   *exec.Cmd
	addr  string
	token string
}

func startServer(data string) (*server, error) {
	var out bytes.Buffer
	env := &cli.Env{Stdin: new(bytes.Reader), Stdout: &out, Stderr: os.Stderr, Now: time.Now}
	for _, args := range [][]string{
		{"user", "add", "bench", "--id", "bench", "--data", data},
		{"token", "create", "--user", "bench", "--data", data},
	} {
		out.Reset()
		if status := cli.Run(background, args, env); status != 0 {
			return nil, fmt.Errorf("edict %s: exit status %d", strings.Join(args, " "), status)
		}
	}
	s := &server{token: strings.TrimSpace(out.String())}
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
	_, s.addr, _ = strings.Cut(strings.TrimSpace(line), "http://")
	return s, err
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt) // it ends with the bench in any case
	_ = s.cmd.Wait()
}

// request returns the bytes of a request.
func (s *server) request(method, path, header, body string) []byte {
	return fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s",
		method, path, s.addr, s.token, len(body), header, body)
}

func (s *server) post(path, body string) error {
	c, err := s.dial()
	if err != nil {
		return err
	}
	defer c.conn.Close()
	return c.do(s.request("POST", path, "", body))
}

// stream is a connection, to publish over or to read from.
type stream struct {
	conn net.Conn
	in   *bufio.Reader
}

func (s *server) dial() (*stream, error) {
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		return nil, err
	}
	return &stream{conn: conn, in: bufio.NewReaderSize(conn, 4<<10)}, nil
}

// do sends a request and reads its answer.
func (c *stream) do(request []byte) error {
	if _, err := c.conn.Write(request); err != nil {
		return err
	}
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s: %s", resp.Status, body)
	}
	return err
}

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

// resume is the frame {"type":"resume"}, masked with zeros.
var resume = append([]byte{0x81, 0x80 | 17, 0, 0, 0, 0}, `{"type":"resume"}`...)

// open opens a stream and reads until it is live.
func (s *server) open(transport string) (*stream, error) {
	c, err := s.dial()
	if err != nil {
		return nil, err
	}
	header := ""
	if transport == "websocket" {
		header = upgrade
	}
	if _, err := c.conn.Write(s.request("GET", "/message/api/v2/events", header, "")); err != nil {
		return nil, err
	}
	if transport == "websocket" {
		if err := c.until("\r\n\r\n"); err != nil {
			return nil, err
		}
		if _, err := c.conn.Write(resume); err != nil {
			return nil, err
		}
	}
	if err := c.until(`"ready"`, "event: ready"); err != nil {
		return nil, err
	}
	c.in = nil
	return c, nil
}

// until reads on until one of some texts has come.
func (c *stream) until(texts ...string) error {
	seen := ""
	b := make([]byte, 512)
	for {
		n, err := c.conn.Read(b)
		if err != nil {
			return fmt.Errorf("opening a stream: %w after %q", err, seen)
		}
		seen += string(b[:n])
		for _, text := range texts {
			if strings.Contains(seen, text) {
				return nil
			}
		}
	}
}

// openAll opens streams, a few at a time.
func (s *server) openAll(n int, transport string) ([]*stream, error) {
	streams := make([]*stream, n)
	failed := make([]error, n)
	var wg sync.WaitGroup
	room := make(chan struct{}, 32)
	for i := range n {
		room <- struct{}{}
		wg.Go(func() {
			streams[i], failed[i] = s.open(transport)
			<-room
		})
	}
	wg.Wait()
	return streams, cmp.Or(failed...)
}

// warm opens and closes some streams, so that what the server needs once is there.
func (s *server) warm(transport string) error {
	streams, err := s.openAll(200, transport)
	closeAll(streams)
	time.Sleep(time.Second) // until the server has noticed
	return err
}

func closeAll(streams []*stream) {
	for _, c := range streams {
		if c != nil {
			_ = c.conn.Close() // nothing is lost
		}
	}
}

// publishAll publishes over n connections for a time and returns how many items were acknowledged.
func (s *server) publishAll(n int, d time.Duration) (int64, error) {
	var published atomic.Int64
	failed := make([]error, n)
	var wg sync.WaitGroup
	until := time.Now().Add(d)
	for i := range n {
		wg.Go(func() {
			c, err := s.dial()
			for err == nil && time.Now().Before(until) {
				if err = c.do(s.request("POST", "/message/api/v2/channels/bench/items", "", content(time.Now()))); err == nil {
					published.Add(1)
				}
			}
			failed[i] = err
		})
	}
	wg.Wait()
	return published.Load(), cmp.Or(failed...)
}

// memory returns the resident memory of the server in KB.
func (s *server) memory() (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	return strconv.Atoi(strings.Fields(rest)[0])
}

// processorTime returns what the server has used so far; 0 where it cannot be known.
func (s *server) processorTime() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])   // fields after the name: utime is the 12th
	system, _ := strconv.Atoi(fields[12]) // and stime the 13th, in hundredths of a second
	return time.Duration(user+system) * 10 * time.Millisecond
}
