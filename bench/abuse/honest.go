package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The kinds of honest requests, in the order in which they are shown.
var kinds = []string{"publish", "deliver", "calculate", "connect", "sign in", "refresh"}

// patience is how long an honest client waits before it calls a request failed.
const patience = 15 * time.Second

// sample is what was seen of one kind in one phase.
type sample struct {
	took   []time.Duration
	failed int
	last   error // the last failure
}

// phase is a time in which honest requests are recorded: those that begin in it, however long they take.
type phase struct {
	under sync.WaitGroup // requests under way

	mu   sync.Mutex
	seen map[string]*sample
}

// record notes what became of a request that began in the phase; a nil phase notes nothing.
func (p *phase) record(ctx context.Context, kind string, took time.Duration, err error) {
	if p == nil {
		return
	}
	defer p.under.Done()
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.seen[kind]
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.failed++
		s.last = err
	default:
		s.took = append(s.took, took)
	}
}

// honest are the honest clients of a server. Each kind has a connection and its own pace, so that one that is held
// up does not hold up the others.
type honest struct {
	base   string
	token  string
	sent   chan publication
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu  sync.Mutex
	now *phase // nil between phases
}

// publication is an item on its way to the reader.
type publication struct {
	number int
	at     time.Time
	phase  *phase
}

const (
	honestUser     = "honest"
	honestPassword = "correct horse battery"
	honestChannel  = "honest"
)

// startHonest begins the clients' work; nothing is recorded yet.
func startHonest(ctx context.Context, addr, token string) (*honest, error) {
	ctx, cancel := context.WithCancel(ctx)
	h := &honest{base: "http://" + addr, token: token, cancel: cancel, sent: make(chan publication, 100_000)}
	client := newClient(false)
	if err := h.call(ctx, client, "/message/api/v2/channels", asJSON, `{"channelName":"`+honestChannel+`"}`, nil); err != nil {
		return nil, errors.Join(err, h.stop())
	}
	events, err := h.open(ctx)
	if err != nil {
		return nil, errors.Join(err, h.stop())
	}
	h.work.Go(func() { h.read(ctx, events) })
	h.work.Go(func() { h.publish(ctx, client) })
	h.work.Go(func() {
		h.paced(ctx, "calculate", 50*time.Millisecond, newClient(false), func(ctx context.Context, c *http.Client, n int) error {
			return h.call(ctx, c, "/calculate", asJSON, fmt.Sprintf(household, 10_000+n%40_000), nil)
		})
	})
	h.work.Go(func() {
		h.paced(ctx, "connect", 50*time.Millisecond, newClient(true), func(ctx context.Context, c *http.Client, _ int) error {
			return h.call(ctx, c, "/healthz", "", "", nil)
		})
	})
	h.work.Go(func() { h.signIn(ctx, newClient(false)) })
	return h, nil
}

const household = `{"individus": {"ada": {"salaire_imposable": {"2024": %d}}}, "foyers_fiscaux": {"f": {"declarants": ["ada"], "irpp": {"2024": null}}},
 "menages": {"m": {"personne_de_reference": ["ada"], "revdisp": {"2024": null}}}}`

func newClient(fresh bool) *http.Client {
	return &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: fresh, MaxIdleConnsPerHost: 1}}
}

// stop ends the clients.
func (h *honest) stop() error {
	h.cancel()
	h.work.Wait()
	return nil
}

// measure records for a time, waits for what is under way, and returns what was seen, by kind.
func (h *honest) measure(ctx context.Context, d time.Duration) (map[string]*sample, error) {
	p := &phase{seen: map[string]*sample{}}
	for _, kind := range kinds {
		p.seen[kind] = &sample{}
	}
	h.enter(p)
	rest(ctx, d)
	h.enter(nil)
	p.under.Wait()
	return p.seen, ctx.Err()
}

func (h *honest) enter(p *phase) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = p
}

// begin returns the phase that a request belongs to, which then waits for its record.
func (h *honest) begin() *phase {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now != nil {
		h.now.under.Add(1)
	}
	return h.now
}

// paced calls fn at a pace until ctx ends; a call that takes longer delays the next one only.
func (h *honest) paced(ctx context.Context, kind string, pace time.Duration, c *http.Client, fn func(context.Context, *http.Client, int) error) {
	for n := 0; ctx.Err() == nil; n++ {
		p, began := h.begin(), time.Now()
		err := fn(ctx, c, n)
		p.record(ctx, kind, time.Since(began), err)
		rest(ctx, pace-time.Since(began))
	}
}

// call makes a POST request, or GET without a content type, and reads the answer into v.
func (h *honest) call(ctx context.Context, c *http.Client, path, kind, body string, v any) error {
	method := http.MethodGet
	if kind != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, h.base+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+h.token)
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	response, err := c.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return err
	case response.StatusCode >= 300:
		return fmt.Errorf("%s %s: %d %.200s", method, path, response.StatusCode, text)
	case v == nil:
		return nil
	}
	return json.Unmarshal(text, v)
}

// publish publishes items that carry their number, and tells the reader what to expect.
func (h *honest) publish(ctx context.Context, c *http.Client) {
	h.paced(ctx, "publish", 20*time.Millisecond, c, func(ctx context.Context, c *http.Client, n int) error {
		p, at := h.begin(), time.Now()
		err := h.call(ctx, c, "/message/api/v2/channels/"+honestChannel+"/items", asJSON, fmt.Sprintf(`{"content":{"text":"hello","honest":"n%d."}}`, n), nil)
		if err != nil {
			p.record(ctx, "deliver", 0, errors.New("it was not published"))
			return err
		}
		h.sent <- publication{n, at, p}
		return nil
	})
}

// open opens the stream and waits until it is live.
func (h *honest) open(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.base+"/message/api/v2/events", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+h.token)
	response, err := (&http.Client{Transport: &http.Transport{}}).Do(request)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.Join(fmt.Errorf("the stream answers %s", response.Status), response.Body.Close())
	}
	return response, err
}

// read takes what the stream brings and measures from the moment an item was sent. A stream that ends, or an item that was
// acknowledged and does not come, is a failure.
func (h *honest) read(ctx context.Context, events *http.Response) {
	defer events.Body.Close()
	arrived := make(chan publication, 100_000)
	h.work.Go(func() {
		defer close(arrived)
		for lines := bufio.NewReader(events.Body); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			_, rest, ok := strings.Cut(line, `"honest":"n`)
			digits, _, _ := strings.Cut(rest, ".")
			if n, err := strconv.Atoi(digits); ok && err == nil {
				arrived <- publication{number: n, at: time.Now()}
			}
		}
	})
	came := map[int]time.Time{}
	for {
		select {
		case <-ctx.Done():
			return
		case p := <-h.sent:
			took, err := p.await(ctx, came, arrived)
			p.phase.record(ctx, "deliver", took, err)
		}
	}
}

// await waits until an item has come, and returns how long it took since it was sent.
func (p publication) await(ctx context.Context, came map[int]time.Time, arrived <-chan publication) (time.Duration, error) {
	late := time.After(patience)
	for came[p.number].IsZero() {
		select {
		case a, ok := <-arrived:
			if !ok {
				return 0, errors.New("the stream has ended")
			}
			came[a.number] = a.at
		case <-late:
			return 0, fmt.Errorf("item %d did not come", p.number)
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	defer delete(came, p.number)
	return came[p.number].Sub(p.at), nil
}

// signIn signs in with a password, again and again, and exchanges each session's refresh token twice.
func (h *honest) signIn(ctx context.Context, c *http.Client) {
	var tokens struct {
		Refresh string `json:"refresh_token"`
	}
	ask := func(ctx context.Context, kind, form string) {
		p, began := h.begin(), time.Now()
		err := h.call(ctx, c, "/auth/token", asForm, form, &tokens)
		p.record(ctx, kind, time.Since(began), err)
		rest(ctx, 200*time.Millisecond)
	}
	for ctx.Err() == nil {
		ask(ctx, "sign in", url.Values{"grant_type": {"password"}, "username": {honestUser}, "password": {honestPassword}}.Encode())
		for range 2 {
			ask(ctx, "refresh", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {tokens.Refresh}}.Encode())
		}
	}
}
