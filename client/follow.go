package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"edict/platform/fault"
)

// Event is an event of a live stream: "item", "message", "receipt", "channel", "read", "gap" or "ready", or of a kind that a later server has:
// pass over those. docs/reference/streams.md describes the data.
type Event struct {
	Event string          `json:"event"`
	ID    string          `json:"id"` // the cursor after it; "" for none
	Data  json.RawMessage `json:"data"`
}

// Following says how Follow follows a stream.
type Following struct {
	Cursor string            // where to go on; "" begins with what waits and goes on live
	Handle func(Event) error // gets every event; its error ends Follow
	Lost   func(err error)   // told when the connection is lost and will be made again; may be nil
}

const maxLine = 8 << 20 // a content of 2 MiB may be escaped

// Follow hands the events of the caller's stream to f.Handle, each once and in order, until ctx ends (nil), Handle fails, or the
// server refuses the stream for good: token, cursor. It reconnects whenever the connection is lost.
func (c *Client) Follow(ctx context.Context, f Following) error {
	return c.follow(ctx, prefix+"/events", f)
}

func (c *Client) follow(ctx context.Context, path string, f Following) error {
	s := stream{client: c, path: path, following: f, cursor: f.Cursor, backoff: backoff{first: firstWindow}}
	for {
		err := s.read(ctx)
		switch handled := (*handleError)(nil); {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &handled):
			return handled.err
		case final(err):
			return err
		}
		if f.Lost != nil {
			f.Lost(err)
		}
		s.backoff.asked(fault.From(err).RetryAfter)
		pause := s.backoff.pause(rand.Float64())
		s.backoff.failures++
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// final reports whether trying again is useless.
func final(err error) bool {
	switch fault.KindOf(err) {
	case fault.Unavailable, fault.TooMany, fault.Internal:
		return false
	}
	return true
}

type handleError struct{ err error }

func (e *handleError) Error() string { return e.err.Error() }

// stream is a stream over its connections.
type stream struct {
	client    *Client
	path      string
	following Following
	cursor    string
	backoff   backoff
}

var errEnded = fault.New(fault.Unavailable, "the stream has ended")

// read reads one connection; it always returns an error.
func (s *stream) read(ctx context.Context) error {
	r, err := s.client.request(ctx, http.MethodGet, s.path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	if s.cursor != "" {
		r.Header.Set("Last-Event-ID", s.cursor)
	}
	resp, err := s.client.http().Do(r)
	if err != nil {
		return unreachable(s.client.URL, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return failure(resp)
	}
	if kind := resp.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		return unknown(s.client.URL, "answers "+kind+" where a stream should be")
	}
	return s.events(resp.Body)
}

// events reads the lines of one connection.
func (s *stream) events(body io.Reader) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 4<<10), maxLine)
	why := error(errEnded)
	var e Event
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "event":
			e.Event = value
		case "id":
			e.ID = value
		case "data":
			e.Data = json.RawMessage(value)
		case "retry":
			if ms, err := strconv.ParseInt(value, 10, 32); err == nil && ms > 0 {
				s.backoff.first = time.Duration(ms) * time.Millisecond
			}
		case "":
			// A line that begins with a colon is a comment; the last one says why the stream ends.
			if value != "" {
				why = lastWords(value)
			} else if lines.Text() == "" && e.Event != "" {
				if err := s.handle(e); err != nil {
					return err
				}
				e = Event{}
			}
		}
	}
	return why
}

func (s *stream) handle(e Event) error {
	if e.ID != "" {
		defer func() { s.cursor = e.ID }()
	}
	s.backoff.failures = 0
	if err := s.following.Handle(e); err != nil {
		return &handleError{err}
	}
	return nil
}

// lastWords reads the comment that a server ends a stream with.
func lastWords(comment string) error {
	code, text, _ := strings.Cut(comment, " ")
	switch code {
	case "4001", "4002", "4003":
		return fault.New(fault.Unauthenticated, "%s", text)
	}
	return fault.New(fault.Unavailable, "%s", text)
}
