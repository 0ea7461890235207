package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"edict/client"
	"edict/platform/fault"
)

// TestFollow loses its connection in several ways and goes on where it was.
func TestFollow(t *testing.T) {
	var asked []string
	parts := []string{
		"retry: 1\n\nevent: ready\nid: c0\ndata: {}\n\nevent: item\nid: c1\ndata: {\"n\":1}\n\nevent: item\nid: c2\nda", // cut in an event
		"503",
		"event: item\nid: c2\ndata: {\"n\":2}\n\n: 4008 slow reader\n\n",
		"event: item\nid: c3\ndata: {\"n\":3}\n\n",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part := parts[len(asked)]
		asked = append(asked, r.Header.Get("Last-Event-ID"))
		if part == "503" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, part)
	}))
	defer server.Close()
	enough := errors.New("enough")
	var got []string
	lost := 0
	err := (&client.Client{URL: server.URL, Token: "t"}).Follow(t.Context(), client.Following{
		Lost: func(error) { lost++ },
		Handle: func(e client.Event) error {
			got = append(got, e.Event+string(e.Data))
			if e.ID == "c3" {
				return enough
			}
			return nil
		},
	})
	if !errors.Is(err, enough) || lost != 3 {
		t.Errorf("%v after %d losses", err, lost)
	}
	if want := []string{"ready{}", `item{"n":1}`, `item{"n":2}`, `item{"n":3}`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := []string{"", "c1", "c1", "c2"}; !slices.Equal(asked, want) {
		t.Errorf("resumed with %q, want %q", asked, want)
	}
}

// TestFollowRefused gives up where trying again is useless.
func TestFollowRefused(t *testing.T) {
	for answer, kind := range map[string]fault.Kind{"401": fault.Unauthenticated, "409": fault.Conflict, ": 4001 revoked\n\n": fault.Unauthenticated} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			var status int
			if _, err := fmt.Sscanf(answer, "%d", &status); err == nil {
				w.WriteHeader(status)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, answer)
		}))
		err := (&client.Client{URL: server.URL, Token: "t"}).Follow(t.Context(), client.Following{Handle: func(client.Event) error { return nil }})
		if fault.KindOf(err) != kind {
			t.Errorf("%q: %v", answer, err)
		}
		server.Close()
	}
}

// TestStrangers: what is no edict server, or has another version of messaging, is said with the remedy, and not asked again.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		status           int
		kind, body, want string
	}{
		{http.StatusOK, "text/html", "<!doctype html>", "answers text/html where a stream should be"},
		{http.StatusNotFound, "application/json", `{"error":"not found","message":"there is nothing at /message/api/v2/events"}`, "has no /message/api/v2/events"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.kind)
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		}))
		err := (&client.Client{URL: server.URL, Token: "t"}).Follow(t.Context(), client.Following{Handle: func(client.Event) error { return nil }})
		if err == nil || !strings.HasPrefix(err.Error(), "the server at "+server.URL+" "+c.want) || !strings.Contains(err.Error(), "not older than the server") {
			t.Errorf("%d %s: %v", c.status, c.kind, err)
		}
		server.Close()
	}
	_, err := (&client.Client{URL: "http://127.0.0.1:1", Token: "t"}).Publish(t.Context(), "news", client.Item{})
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "http://127.0.0.1:1 cannot be reached: is the server running there?") {
		t.Errorf("nobody there: %v", err)
	}
}
