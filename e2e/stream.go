package e2e

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Stream is a stream of the real server.
type Stream struct {
	t    *testing.T
	Body io.ReadCloser
	In   *bufio.Reader
}

// OpenStream opens a stream of server-sent events, which ends with the test.
func OpenStream(t *testing.T, url, token string) *Stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("the stream is answered %s", resp.Status)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return &Stream{t: t, Body: resp.Body, In: bufio.NewReader(resp.Body)}
}

// Until returns the next line that begins so, without its beginning.
func (s *Stream) Until(prefix string) string {
	s.t.Helper()
	for {
		line, err := s.In.ReadString('\n')
		if err != nil {
			s.t.Fatalf("the stream ended (%v) before a line %q came", err, prefix)
		}
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSuffix(rest, "\n")
		}
	}
}
