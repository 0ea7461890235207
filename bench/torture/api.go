package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"edict/bench/torture/history"
)

const prefix = "/message/api/v2"

// gate knows where the servers listen that are up.
type gate struct {
	mu   sync.Mutex
	urls []string        // "" of one that is down
	slow map[string]bool // those that are asked now and then only, as they may not answer for a while
	next int
	up   chan struct{} // closed while some server is up

	again chan struct{} // closed when the next server is up

	// http makes the connections of all callers. With one each, requests repeated through an outage leave so many idle ones that servers reject more.
	http http.Client
}

// idleConnections is how many connections to a server are kept for the next request: as many as goroutines of a life ask at a time.
const idleConnections = 64

func newGate() *gate {
	return &gate{
		slow: map[string]bool{}, up: make(chan struct{}), again: make(chan struct{}),
		http: http.Client{
			Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: idleConnections, DisableCompression: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// open reports that servers are up that were down, and where; "" of one that is not.
func (g *gate) open(urls ...string) {
	for i, url := range urls {
		g.set(i, url)
	}
}

// set reports where a server is; "": it is down.
func (g *gate) set(server int, url string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.urls) <= server {
		g.urls = append(g.urls, "")
	}
	delete(g.slow, g.urls[server])
	g.urls[server] = url
	was, is := isClosed(g.up), slices.ContainsFunc(g.urls, func(url string) bool { return url != "" })
	switch {
	case was && !is:
		g.up = make(chan struct{})
	case !was && is:
		close(g.up)
	}
	if url != "" {
		close(g.again)
		g.again = make(chan struct{})
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// slower has a server be asked now and then only, or as often as others again.
func (g *gate) slower(server int, slow bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.slow[g.urls[server]] = slow
}

// restart returns what is closed when another server than those of now is up.
func (g *gate) restart() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.again
}

// close reports that all servers are down.
func (g *gate) close() {
	for i := range g.urls {
		g.set(i, "")
	}
}

// has reports whether a server is up.
func (g *gate) has(url string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Contains(g.urls, url)
}

// seldom is how often a server is asked that may not answer for a while: every so many turns.
const seldom = 8

// pick returns the URL of one of the servers that are up, each in its turn; "" when there is none.
func (g *gate) pick() (url string, up chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	fallback := ""
	for range g.urls {
		g.next++
		switch url = g.urls[g.next%len(g.urls)]; {
		case url == "":
		case g.slow[url] && g.next%seldom != 0:
			fallback = url
		default:
			return url, g.up
		}
	}
	return fallback, g.up
}

// await returns the URL of a server that is up once one is, and an error as soon as ctx is over: whoever tries again until there is an answer comes by here.
func (g *gate) await(ctx context.Context) (string, error) {
	for ctx.Err() == nil {
		url, up := g.pick()
		if url != "" {
			return url, nil
		}
		select {
		case <-up:
		case <-ctx.Done():
		}
	}
	return "", ctx.Err()
}

// caller calls the server as a user, or as a device of one.
type caller struct {
	gate         *gate
	user, device string
	token        string
	only         string // the URL of the one server that it asks; "": any
}

// where returns the URL of the server that is asked next.
func (c *caller) where(ctx context.Context) (string, error) {
	if c.only != "" {
		return c.only, ctx.Err()
	}
	return c.gate.await(ctx)
}

func newCaller(g *gate, user, device, token string) *caller {
	return &caller{gate: g, user: user, device: device, token: token}
}

// call makes a request and decodes the answer of a success. An answer that is none is a *refusal.
func (c *caller) call(ctx context.Context, method, path, key, body string, answer any) error {
	resp, err := c.ask(ctx, method, path, key, body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		if resp.StatusCode == http.StatusServiceUnavailable {
			time.Sleep(busyPause)
		}
		return refused(resp)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(raw, answer)
}

// busyPause is how long a client leaves a server alone that reports that it cannot serve it now; it says five seconds.
const busyPause = 50 * time.Millisecond

// refusal is an answer that says no.
type refusal struct {
	request string
	status  int
	body    string
}

func (r *refusal) Error() string { return fmt.Sprint(r.request, ": ", r.status, " ", r.body) }

func refused(resp *http.Response) error {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return &refusal{resp.Request.Method + " " + resp.Request.URL.Path, resp.StatusCode, string(body)}
}

// statusOf returns the status of a refusal, 0 for any other error and none.
func statusOf(err error) int {
	if r := (*refusal)(nil); errors.As(err, &r) {
		return r.status
	}
	return 0
}

// outcomeOf reports what a client knows after call: a server that failed may have done what it was asked.
func outcomeOf(err error) history.Outcome {
	if err == nil {
		return history.Acknowledged
	}
	if status := statusOf(err); 0 < status && status < 500 && status != http.StatusTooManyRequests {
		return history.Refused
	}
	return history.Unknown
}

// ask sends a request once there is a server that takes it.
func (c *caller) ask(ctx context.Context, method, path, key, body string) (*http.Response, error) {
	for {
		url, err := c.where(ctx)
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(path, "/auth/") {
			url += prefix
		}
		r, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		r.Header.Set("Content-Type", "application/json")
		if path == "/auth/token" || path == "/auth/authorize" {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		if key != "" {
			r.Header.Set("Idempotency-Key", key)
		}
		resp, err := c.gate.http.Do(r)
		if dial := (*net.OpError)(nil); errors.As(err, &dial) && dial.Op == "dial" && ctx.Err() == nil {
			time.Sleep(time.Millisecond) // nothing was sent; the gate is about to close
			if c.only != "" {
				return resp, err
			}
			continue
		}
		return resp, err
	}
}

// content is what the load puts into items and messages.
type content struct {
	Key      string `json:"key"`
	Revision int    `json:"revision"`
}

// fetch reads a channel from end to end, and its summary; nil when the server went away meanwhile.
func (c *caller) fetch(ctx context.Context, rec *history.Recorder, channel string) (*history.Fetch, error) {
	f := &history.Fetch{Span: history.Span{Begin: rec.Now()}, Channel: channel, Count: -1}
	for cursor := ""; ; {
		var page struct {
			Items []struct {
				ItemID  string
				Content content
			}
			NextCursor string
		}
		if err := c.call(ctx, "GET", "/channels/"+channel+"/items/fetch?size=1000&cursor="+cursor, "", "", &page); err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			f.Items = append(f.Items, history.Entry{ID: item.ItemID, Key: item.Content.Key, Revision: item.Content.Revision})
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	f.End = rec.Now()
	var summary struct{ PublishedItemCount int }
	if err := c.call(ctx, "GET", "/channels/"+channel+"/summary", "", "", &summary); err != nil {
		return nil, err
	}
	f.Count = summary.PublishedItemCount
	return f, nil
}

// inbox reads the caller's inbox from end to end.
func (c *caller) inbox(ctx context.Context, rec *history.Recorder) (*history.Inbox, error) {
	in := &history.Inbox{Span: history.Span{Begin: rec.Now()}, User: c.user}
	for cursor := ""; ; {
		var page struct {
			Messages []struct {
				MessageID string
				Content   content
			}
			NextCursor *string
		}
		if err := c.call(ctx, "GET", "/messages?size=1000&cursor="+cursor, "", "", &page); err != nil {
			return nil, err
		}
		for _, m := range page.Messages {
			in.Messages = append(in.Messages, history.Entry{ID: m.MessageID, Key: m.Content.Key})
		}
		if page.NextCursor == nil || len(page.Messages) == 0 {
			break
		}
		cursor = *page.NextCursor
	}
	in.End = rec.Now()
	return in, nil
}

// status reads the states of a message's copies.
func (c *caller) status(ctx context.Context, rec *history.Recorder, message string) (*history.Status, error) {
	s := &history.Status{Span: history.Span{Begin: rec.Now()}, Message: message}
	var copies []struct{ State, Recipient, DeviceID string }
	if err := c.call(ctx, "GET", "/messages/"+message, "", "", &copies); err != nil {
		return nil, err
	}
	s.End = rec.Now()
	for _, copied := range copies {
		s.Copies = append(s.Copies, history.Copy{User: copied.Recipient, Device: copied.DeviceID, State: copied.State})
	}
	return s, nil
}
