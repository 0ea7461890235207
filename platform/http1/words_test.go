package http1

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
)

// TestUnreachable: those whose connection broke while it was read, or who were too slow, hear nothing; others are told what was wrong.
func TestUnreachable(t *testing.T) {
	broken := errors.New("connection reset")
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"the end":               {io.EOF, true},
		"the end, wrapped":      {fmt.Errorf("read: %w", io.EOF), true},
		"in the middle":         {io.ErrUnexpectedEOF, false},
		"too slow":              {os.ErrDeadlineExceeded, true},
		"a read that broke":     {&net.OpError{Op: "read", Err: broken}, true},
		"a write that broke":    {&net.OpError{Op: "write", Err: broken}, false},
		"what cannot be parsed": {errors.New("malformed HTTP request"), false},
	} {
		if got := unreachable(test.err); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestPlainOnTLS: what begins as a request of HTTP does, with a method in capital letters, is told of https.
func TestPlainOnTLS(t *testing.T) {
	for first, want := range map[byte]bool{'A': true, 'G': true, 'Z': true, '@': false, '[': false, 'g': false, 0: false} {
		client, server := net.Pipe()
		said := make(chan string)
		go func() {
			text, _ := io.ReadAll(client)
			said <- string(text)
		}()
		answerPlain(fmt.Errorf("handshake: %w", tls.RecordHeaderError{Conn: server, RecordHeader: [5]byte{first}}))
		server.Close()
		if got := strings.Contains(<-said, "use https://"); got != want {
			t.Errorf("%q: told of https: %v", first, got)
		}
		client.Close()
	}
	answerPlain(errors.New("something else"))
	answerPlain(tls.RecordHeaderError{RecordHeader: [5]byte{'G'}}) // nobody to tell
}
