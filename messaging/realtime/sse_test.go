package realtime_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"edict/messaging/realtime"
)

// TestChunks: over HTTP/1.1 each event is a chunk of its own that comes at once, and a stream that the server ends has a last chunk.
func TestChunks(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	f.subscribe(bob, "news")
	in, head := openRaw(t, f, "HTTP/1.1")
	if !strings.Contains(head, "\r\nTransfer-Encoding: chunked\r\n") || !strings.Contains(head, "\r\nConnection: close\r\n") {
		t.Errorf("the head is %q", head)
	}
	if first := chunk(t, in); !regexp.MustCompile(`^retry: \d+\nevent: ready\nid: \w+\ndata: \{\}\n\n$`).MatchString(first) {
		t.Errorf("the first chunk is %q", first)
	}
	for n := range 3 {
		id := f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
		if got := chunk(t, in); !strings.HasPrefix(got, "event: item\nid: ") || !strings.Contains(got, id) || !strings.HasSuffix(got, "}}\n\n") {
			t.Errorf("the chunk of event %d is %q", n, got)
		}
	}
	f.revoke("bob")
	if got := chunk(t, in); !strings.HasPrefix(got, ": 4001 ") || strings.Count(got, "\n") != 1 {
		t.Errorf("the goodbye is %q", got)
	}
	if rest, err := io.ReadAll(in); string(rest) != "0\r\n\r\n" || err != nil {
		t.Errorf("the stream ends with %q, %v", rest, err)
	}
}

// TestNoChunks: HTTP/1.0 has none.
func TestNoChunks(t *testing.T) {
	f := setUp(t, settings{})
	f.create(ann, "news", nil)
	f.subscribe(bob, "news")
	in, head := openRaw(t, f, "HTTP/1.0")
	if strings.Contains(head, "Transfer-Encoding") || !strings.HasPrefix(head, "HTTP/1.0 200 ") {
		t.Errorf("the head is %q", head)
	}
	f.publish(ann, "news", `{"n":1}`)
	var text string
	for !strings.HasSuffix(text, "}}\n") {
		line, err := in.ReadString('\n')
		f.ok(err)
		text += line
	}
	f.revoke("bob")
	rest, err := io.ReadAll(in)
	if text += string(rest); err != nil || !strings.HasPrefix(text, "retry: ") || !strings.Contains(text, "\n\nevent: item\n") || !strings.HasSuffix(text, "}}\n\n: 4001 the token was revoked: sign in again\n") {
		t.Errorf("%q, %v", text, err)
	}
}

// TestNoEmptyBlocks: every block of a stream has data, also with heartbeats between blocks. Some clients, httpx-sse among them, make an event of a block
// without data.
func TestNoEmptyBlocks(t *testing.T) {
	f := setUp(t, settings{hub: realtime.Options{Heartbeat: 20 * time.Millisecond}})
	f.create(ann, "news", nil)
	f.subscribe(bob, "news")
	in, _ := openRaw(t, f, "HTTP/1.0")
	beats, items := 0, 0
	var block []string
	for items < 3 || beats < 3 {
		line, err := in.ReadString('\n')
		f.ok(err)
		switch {
		case line == ":\n":
			if beats++; items < 3 {
				f.publish(ann, "news", `{"n":1}`)
				items++
			}
		case line != "\n":
			block = append(block, line)
		case !slices.ContainsFunc(block, func(l string) bool { return strings.HasPrefix(l, "data: ") }):
			t.Fatalf("a block without data: %q", block)
		default:
			block = nil
		}
	}
}

// TestGoodbyeBeforeTheFirstEvent: a stream that ends before its first event tells the time to wait all the same, in no block.
func TestGoodbyeBeforeTheFirstEvent(t *testing.T) {
	var f *fixture
	var looks atomic.Int32
	f = setUp(t, settings{replays: func() {
		if looks.Add(1) == 1 {
			f.revoke("bob")
		}
	}})
	for version, want := range map[string]string{
		"HTTP/1.0": `^retry: \d+\n: 4001 [^\n]*\n$`,
		"HTTP/1.1": `^[0-9a-f]+\r\nretry: \d+\n: 4001 [^\n]*\n\r\n0\r\n\r\n$`,
	} {
		looks.Store(0)
		f.mu.Lock()
		clear(f.revoked)
		f.mu.Unlock()
		in, head := openRaw(t, f, version)
		if !strings.Contains(head, " 200 ") {
			t.Fatalf("%s: %q", version, head)
		}
		if rest, err := io.ReadAll(in); !regexp.MustCompile(want).Match(rest) || err != nil {
			t.Errorf("%s: %q, %v", version, rest, err)
		}
	}
}

// openRaw asks for bob's events and returns what comes after the head of the answer, and the head.
func openRaw(t *testing.T, f *fixture, version string) (in *bufio.Reader, head string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
	f.ok(err)
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	_, err = fmt.Fprintf(conn, "GET %s %s\r\nHost: a\r\nAuthorization: Bearer bob\r\nAccept: text/event-stream\r\n\r\n", eventsPath, version)
	f.ok(err)
	in = bufio.NewReader(conn)
	for !strings.HasSuffix(head, "\r\n\r\n") {
		line, err := in.ReadString('\n')
		f.ok(err)
		head += line
	}
	return in, head
}

func chunk(t *testing.T, in *bufio.Reader) string {
	t.Helper()
	line, err := in.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	size, err := strconv.ParseInt(strings.TrimSuffix(line, "\r\n"), 16, 32)
	if err != nil {
		t.Fatalf("the size of a chunk is %q", line)
	}
	text := make([]byte, size+2)
	if _, err := io.ReadFull(in, text); err != nil || string(text[size:]) != "\r\n" {
		t.Fatalf("the chunk is %q, %v", text, err)
	}
	return string(text[:size])
}
