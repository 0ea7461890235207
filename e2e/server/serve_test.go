package server_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"edict/e2e"
	"edict/platform/web"
)

func TestOperations(t *testing.T) {
	e2e.RunGolden(t, "testdata/operations/*.txtar", func(t *testing.T) e2e.Golden {
		server := e2e.Start(t, e2e.Options{})
		e2e.AwaitReady(t, server.URL)
		return e2e.Golden{URL: server.URL}
	})
}

// TestOperationsOfBinary runs the same files against the program as it is released.
func TestOperationsOfBinary(t *testing.T) {
	server := e2e.StartBinary(t)
	e2e.AwaitReady(t, server.URL)
	e2e.RunGolden(t, "testdata/operations/*.txtar", func(*testing.T) e2e.Golden { return e2e.Golden{URL: server.URL} })
}

// TestBodiesOfBinary sends the released program bodies that it must refuse.
func TestBodiesOfBinary(t *testing.T) {
	server := e2e.StartBinary(t)
	golden := e2e.Golden{URL: server.URL, Token: e2e.Tokens(server.Data)}
	e2e.RunGolden(t, "testdata/bodies/*.txtar", func(*testing.T) e2e.Golden { return golden })
}

// TestRequests shows how the server treats bodies, good and bad, on a route of the test's own.
func TestRequests(t *testing.T) {
	server := e2e.Start(t, e2e.Options{Services: []web.Service{echoService()}})
	e2e.RunGolden(t, "testdata/echo/*.txtar", func(*testing.T) e2e.Golden { return e2e.Golden{URL: server.URL} })
}

// TestSignalFinishesRequests: a request that is under way when the signal comes is answered, new ones are not
// accepted, and the process ends with status 0.
func TestSignalFinishesRequests(t *testing.T) {
	e2e.NeedSignals(t)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			server := startEcho(t)
			slow := openSlow(t, server.URL)
			if err := server.Signal(sig); err != nil {
				t.Fatal(err)
			}
			awaitRefusal(t, server.URL)
			if body := slow.finish(t); body != `{"text":"hello"}`+"\n" {
				t.Errorf("the request under way was answered %q", body)
			}
			if err := server.Wait(); err != nil {
				t.Errorf("edict ended with %v, want status 0", err)
			}
		})
	}
}

// TestSecondSignalEnds: whoever signals twice does not want to wait.
func TestSecondSignalEnds(t *testing.T) {
	e2e.NeedSignals(t)
	server := startEcho(t)
	openSlow(t, server.URL)
	if err := server.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	awaitRefusal(t, server.URL)
	if err := server.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err == nil {
		t.Error("edict ended with status 0 although it left a request unanswered")
	}
}

// TestDrainIsBounded: a request that does not finish in time is cut, and the exit status tells.
func TestDrainIsBounded(t *testing.T) {
	e2e.NeedSignals(t)
	server := startEcho(t, "--drain", "50ms")
	openSlow(t, server.URL)
	if err := server.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	exit, ok := errors.AsType[*exec.ExitError](server.Wait())
	if !ok || exit.ExitCode() != 1 || !strings.Contains(server.Stderr(), "were cut") {
		t.Errorf("edict ended with %v and said\n%s", exit, server.Stderr())
	}
}

// slowRequest is a request whose head and half of whose body have arrived.
type slowRequest struct {
	conn net.Conn
	in   *bufio.Reader
}

// openSlow begins a request. The server says 100 once its handler waits for the body, so the request is under way
// when openSlow returns.
func openSlow(t *testing.T, url string) *slowRequest {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 17\r\nExpect: 100-continue\r\n\r\n")
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		t.Fatalf("the server said %q (%v), want 100 Continue", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, `{"text": "`)
	return &slowRequest{conn, in}
}

func (s *slowRequest) finish(t *testing.T) string {
	t.Helper()
	fmt.Fprint(s.conn, `hello"}`)
	answer, err := http.ReadResponse(s.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// awaitRefusal returns when the server accepts no more connections.
func awaitRefusal(t *testing.T, url string) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			return
		}
		conn.Close()
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal("the server went on accepting connections")
		}
	}
}

// TestGOMAXPROCS: the program has a place for the network beside the cores that compute, unless the environment says otherwise.
func TestGOMAXPROCS(t *testing.T) {
	usual := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(usual)
	runtime.SetDefaultGOMAXPROCS() // what Go does by itself, here and there
	spared := runtime.GOMAXPROCS(0)
	if spared == runtime.NumCPU() {
		spared++
	}
	for given, want := range map[string]int{"": spared, "1": 1} {
		cmd := exec.Command(e2e.Binary(t))
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+given)
		server := e2e.StartProcess(t, cmd, []string{"--only", "messaging", "--admin-listen", "127.0.0.1:0"})
		if line := fmt.Sprintf("\ngo_sched_gomaxprocs_threads %d\n", want); !bytes.Contains(e2e.MetricsOf(t, server), []byte(line)) {
			t.Errorf("with GOMAXPROCS=%q the metrics have no line %q", given, line)
		}
	}
}
