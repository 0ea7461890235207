package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"edict/platform/fault"
	"edict/platform/web"
)

// warmUp is the requests of --warm, which a server plays to itself before it is ready: what it remembers makes those that follow faster
// and changes no answer.
type warmUp struct {
	file     string
	requests []warmRequest
	played   atomic.Int64
	done     atomic.Bool
}

// warmRequest is one line of the file.
type warmRequest struct {
	line int
	Path string          `json:"path"`
	Body json.RawMessage `json:"body"`
}

const (
	warmTimes = 9        // each is played: the eighth of a kind is recorded, the next one finds the recording
	warmLine  = 16 << 20 // bytes of the longest line
)

// warmPaths are what can be played: everything that computes and answers at once.
var warmPaths = []string{"/api/1/calculate", "/api/1/simulate", "/api/2/why", "/calculate", "/trace"}

// readWarmUp reads the file of --warm; nil without one.
func readWarmUp(file string) (*warmUp, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, &UsageError{fmt.Sprintf("--warm: %s; give a file with a request in each line", unread(err))}
	}
	defer f.Close()
	u := &warmUp{file: file}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, warmLine)
	n := 0
	for lines.Scan() {
		n++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		r, err := parseWarmRequest(text)
		if err != nil {
			return nil, &UsageError{fmt.Sprintf("--warm: %s:%d: %v", file, n, err)}
		}
		r.line = n
		u.requests = append(u.requests, r)
	}
	if err := lines.Err(); err != nil {
		return nil, &UsageError{fmt.Sprintf("--warm: %s:%d: %v", file, n+1, err)}
	}
	if len(u.requests) == 0 {
		return nil, &UsageError{fmt.Sprintf("--warm: %s has no requests: a line of it is {\"path\": \"/calculate\", \"body\": {…}}", file)}
	}
	return u, nil
}

func parseWarmRequest(text []byte) (r warmRequest, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("%w: a line is {\"path\": \"/calculate\", \"body\": {…}}", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return r, errors.New("text after the request: write each request on its own line")
	}
	if !slices.Contains(warmPaths, r.Path) {
		return r, fmt.Errorf("the path %q cannot be played; these can: %s", r.Path, strings.Join(warmPaths, ", "))
	}
	if len(r.Body) == 0 {
		return r, errors.New("the request has no body")
	}
	return r, nil
}

// ready says how far it is.
func (u *warmUp) ready(context.Context) error {
	if u.done.Load() {
		return nil
	}
	e := fault.New(fault.Unavailable, "%d of %d requests have been played (--warm)", u.played.Load(), len(u.requests))
	e.RetryAfter = 1
	return e
}

// insider is a caller that nobody can be: the services are called from inside.
type insider struct{}

// Authenticate implements web.Authenticator.
func (insider) Authenticate(context.Context, string) (*web.Caller, error) { return &web.Caller{}, nil }

// run plays the requests, one after the other. One that is refused is logged: the law may have changed since the file was written.
func (u *warmUp) run(ctx context.Context, services []web.Service, log *slog.Logger) error {
	server, err := web.New(web.Options{Logger: slog.New(slog.DiscardHandler), Authenticator: insider{}}, services...)
	if err != nil {
		return err
	}
	for _, r := range u.requests {
		for range warmTimes {
			answer, err := askInside(ctx, server, r.Path, r.Body, "")
			if err != nil {
				return err
			}
			if answer.status >= http.StatusBadRequest {
				log.Warn("a request of --warm is refused", "place", fmt.Sprintf("%s:%d", u.file, r.line), "status", answer.status, "answer", answer.start())
				break
			}
		}
		u.played.Add(1)
	}
	u.done.Store(true)
	return nil
}
