package realtime_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
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
	if first := chunk(t, in); !strings.HasPrefix(first, "retry: ") {
		t.Errorf("the first chunk is %q", first)
	}
	if ready := chunk(t, in); !strings.HasPrefix(ready, "event: ready\n") {
		t.Errorf("the second chunk is %q", ready)
	}
	for n := range 3 {
		id := f.publish(ann, "news", fmt.Sprintf(`{"n":%d}`, n))
		if got := chunk(t, in); !strings.HasPrefix(got, "event: item\nid: ") || !strings.Contains(got, id) || !strings.HasSuffix(got, "}}\n\n") {
			t.Errorf("the chunk of event %d is %q", n, got)
		}
	}
	f.revoke("bob")
	if got := chunk(t, in); !strings.HasPrefix(got, ": 4001 ") {
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
	if text += string(rest); err != nil || !strings.HasPrefix(text, "retry: ") || !strings.Contains(text, "\n\nevent: item\n") || !strings.HasSuffix(text, "sign in again\n\n") {
		t.Errorf("%q, %v", text, err)
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
