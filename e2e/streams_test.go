package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// sse is a stream of the real server.
type sse struct {
	t    *testing.T
	body io.ReadCloser
	in   *bufio.Reader
}

func openStream(t *testing.T, url, token string) *sse {
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
	return &sse{t: t, body: resp.Body, in: bufio.NewReader(resp.Body)}
}

// until returns the next line that begins so, without its beginning.
func (s *sse) until(prefix string) string {
	s.t.Helper()
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			s.t.Fatalf("the stream ended (%v) before a line %q came", err, prefix)
		}
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSuffix(rest, "\n")
		}
	}
}

func call(t *testing.T, method, url, token, contentType, body string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %s %v", method, url, resp.Status, answer, err)
	}
	return answer
}

// TestStreams publishes to streams of the real server, opened with a token and with a ticket, resumes one, and revokes the token
// under the others.
func TestStreams(t *testing.T) {
	server := Start(t, Options{})
	token := Tokens(server.Data)(t, "alice")
	base := server.URL + "/message/api/v2"
	call(t, "POST", base+"/channels", token, "application/json", `{"channelName":"news"}`)
	var ticket struct{ Ticket string }
	if err := json.Unmarshal(call(t, "POST", server.URL+"/auth/ticket", token, "application/json", ""), &ticket); err != nil {
		t.Fatal(err)
	}
	first, second := openStream(t, base+"/events", token), openStream(t, base+"/events?ticket="+ticket.Ticket, "")
	first.until("event: ready")
	second.until("event: ready")
	call(t, "POST", base+"/channels/news/items", token, "application/json", `{"content":{"n":1}}`)
	cursor := first.until("id: ")
	for first.until("data: ") == "{}" {
	}
	second.until("event: item")
	first.body.Close()
	call(t, "POST", base+"/channels/news/items", token, "application/json", `{"content":{"n":2}}`)
	again := openStream(t, base+"/events?cursor="+cursor, token)
	for _, want := range []string{`"n":1`, `"n":2`} {
		if data := again.until("data: {\"channelName\""); !strings.Contains(data, want) {
			t.Errorf("resumed: %s, want %s", data, want)
		}
	}
	call(t, "POST", server.URL+"/auth/revoke", token, "application/x-www-form-urlencoded", "token="+token)
	again.until(": 4001")
	second.until(": 4001")
}

// TestStreamsEndWithServer: a server with open streams stops at once, and says goodbye.
func TestStreamsEndWithServer(t *testing.T) {
	server := Start(t, Options{})
	s := openStream(t, server.URL+"/message/api/v2/events", Tokens(server.Data)(t, "alice"))
	s.until("event: ready")
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	s.until(": 1001")
}
