package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestBackoff holds the pauses to the cases that all clients share.
func TestBackoff(t *testing.T) {
	raw, err := os.ReadFile("../clients/reconnect.json")
	if err != nil {
		t.Fatal(err)
	}
	var shared struct {
		Cases []struct {
			Name                 string
			First, Random, Pause float64
			Failures, Least      int
		}
	}
	if err := json.Unmarshal(raw, &shared); err != nil || len(shared.Cases) == 0 {
		t.Fatalf("%d cases: %v", len(shared.Cases), err)
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	for _, c := range shared.Cases {
		b := backoff{first: seconds(c.First), failures: c.Failures}
		b.asked(c.Least)
		if got := b.pause(c.Random).Seconds(); math.Abs(got-c.Pause) > 1e-6 {
			t.Errorf("%s: %g s, want %g s", c.Name, got, c.Pause)
		}
	}
}

// away is a server that serves streams, is away from the first second on until back, and counts attempts per second meanwhile.
type away struct {
	begun    time.Time
	back     time.Duration
	answer   func() (*http.Response, error) // while it is away: none, or one that refuses
	mu       sync.Mutex
	attempts map[int]int
}

func (a *away) RoundTrip(r *http.Request) (*http.Response, error) {
	at := time.Since(a.begun)
	if at < time.Second {
		return streaming(r.Context(), time.Second-at), nil
	}
	a.mu.Lock()
	a.attempts[int(at.Seconds())]++
	a.mu.Unlock()
	if at < a.back {
		answer, err := a.answer()
		if err == nil {
			answer.Request = r
		}
		return answer, err
	}
	return streaming(r.Context(), time.Hour), nil
}

// streaming is an answer that brings ready and ends after a while.
func streaming(ctx context.Context, lasts time.Duration) *http.Response {
	in, out := io.Pipe()
	go func() {
		_, _ = io.WriteString(out, "event: ready\nid: c0\ndata: {}\n\n") // fails with its reader
		select {
		case <-time.After(lasts):
		case <-ctx.Done():
		}
		out.Close()
	}()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: in}
}

// TestFollowReturns: a server is away for 30 s. All of 50 clients are live within 10 s of its return, and never attempt all at once.
func TestFollowReturns(t *testing.T) {
	for name, answer := range map[string]func() (*http.Response, error){
		"unreachable": func() (*http.Response, error) { return nil, errors.New("connection refused") },
		"503": func() (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"5"}}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const clients, back = 50, 31 * time.Second
				server := &away{begun: time.Now(), back: back, answer: answer, attempts: map[int]int{}}
				ctx, cancel := context.WithCancel(t.Context())
				var live sync.WaitGroup
				for range clients {
					live.Add(1)
					go func() {
						err := (&Client{URL: "http://edict.example", HTTP: &http.Client{Transport: server}}).Follow(ctx, Following{Handle: func(Event) error {
							if time.Since(server.begun) >= back {
								live.Done()
							}
							return nil
						}})
						if err != nil {
							t.Error(err)
						}
					}()
				}
				live.Wait()
				if late := time.Since(server.begun) - back; late > 10*time.Second {
					t.Errorf("the last client is live %v after the server's return", late)
				}
				sum := 0
				for second, n := range server.attempts {
					if second < int(back.Seconds()) {
						sum += n
					}
					if n > 2*clients || second > 15 && n > clients*4/5 {
						t.Errorf("%d attempts in second %d", n, second)
					}
				}
				if most := clients * 7; name == "503" && sum > most { // one each, and one every 5 s
					t.Errorf("%d attempts in 30 s with Retry-After: 5, want at most %d", sum, most)
				}
				cancel()
				synctest.Wait()
			})
		})
	}
}
