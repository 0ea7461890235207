package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"edict/bench/torture/history"
)

// endKey is the key of the last item of a life; whoever has seen it has seen everything.
const endKey = "end"

// reader follows a stream over all its connections.
type reader struct {
	life   *life
	caller *caller
	name   string
	socket bool // WebSocket, else Server-Sent Events
	slow   bool
	random *rand.Rand
	cursor string
	got    *pool // of messages, for whoever acknowledges them
}

// frame is an event as it comes over the wire.
type frame struct {
	Event string          `json:"event"`
	ID    string          `json:"id"`
	Data  json.RawMessage `json:"data"`
}

// source is an open stream. next returns the events that came together; the error is how it ended.
type source interface {
	next() ([]frame, error)
	close()
}

// run reads until it has seen the end.
func (r *reader) run(ctx context.Context) error {
	for ctx.Err() == nil {
		url, err := r.caller.gate.await(ctx)
		if err != nil {
			return err
		}
		conn := &history.Connection{Span: history.Span{Begin: r.life.rec.Now()}, Reader: r.name, User: r.caller.user, Device: r.caller.device, Cursor: r.cursor}
		src, err := r.open(ctx, url)
		if outcomeOf(err) == history.Refused {
			conn.Refused = err.Error()
			r.life.rec.Add(conn)
			return err
		}
		if err != nil {
			time.Sleep(time.Millisecond) // the server is gone, or going
			continue
		}
		r.life.rec.Add(conn)
		err = r.read(ctx, src, conn)
		src.close()
		conn.End = r.life.rec.Now()
		if err != nil || conn.Complete {
			return err
		}
	}
	return ctx.Err()
}

// read reads one connection until it ends, until the end of everything, or until the reader has had enough of it.
func (r *reader) read(ctx context.Context, src source, conn *history.Connection) error {
	enough := 1 + r.random.IntN([]int{50, 500, 1 << 30}[r.random.IntN(3)])
	if r.cursor == "" {
		enough = 1 << 30 // the first one has to come to its cursor
	}
	for len(conn.Events) < enough || r.life.stopped() {
		frames, err := src.next()
		if err != nil {
			return nil
		}
		for _, f := range frames {
			if err := r.take(f, conn); err != nil {
				return err
			}
		}
		if conn.Complete {
			return nil
		}
		if r.slow && !r.life.stopped() && r.random.IntN(200) == 0 {
			select {
			case <-time.After(time.Duration(r.random.IntN(200)) * time.Millisecond): // slowness is what is tried
			case <-ctx.Done():
			}
		}
	}
	return nil
}

func (r *reader) take(f frame, conn *history.Connection) error {
	var data struct {
		ChannelName, ItemID, MessageID, From, To string
		Recipient, DeviceID, State               string // of a receipt
		ReadUpTo                                 string
		Edited                                   bool
		Content                                  content
	}
	if err := json.Unmarshal(f.Data, &data); err != nil {
		return fmt.Errorf("%s got a %s that is no JSON: %q", r.name, f.Event, f.Data)
	}
	e := history.Event{At: r.life.rec.Now(), Kind: f.Event, Cursor: f.ID, Channel: data.ChannelName, ID: data.ItemID, Key: data.Content.Key, Revision: data.Content.Revision, From: data.From, To: data.To}
	switch f.Event {
	case "item":
		if data.Edited {
			e.Kind = "correction"
		}
	case "read":
		e.ID = data.ReadUpTo
	case "receipt":
		e.ID, e.User, e.Device, e.State = data.MessageID, data.Recipient, data.DeviceID, data.State
	case "message":
		e.ID = data.MessageID
		if r.got != nil {
			r.got.add(e.ID)
		}
	}
	conn.Events = append(conn.Events, e)
	if f.ID != "" {
		r.cursor = f.ID
	}
	if f.Event == "ready" {
		r.life.ready(r.name)
	}
	conn.Complete = conn.Complete || e.Key == endKey
	return nil
}

func (r *reader) open(ctx context.Context, url string) (source, error) {
	query := ""
	if r.cursor != "" {
		query = "?cursor=" + r.cursor
	}
	if r.socket {
		return r.openSocket(ctx, "ws"+strings.TrimPrefix(url, "http")+prefix+"/events"+query)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+prefix+"/events"+query, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.caller.token)
	resp, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, refused(resp)
	}
	return &eventSource{body: resp.Body, in: bufio.NewReader(resp.Body)}, nil
}

func (r *reader) openSocket(ctx context.Context, url string) (source, error) {
	conn, resp, err := websocket.DefaultDialer.DialContext(ctx, url, http.Header{"Authorization": {"Bearer " + r.caller.token}})
	if err != nil {
		if resp != nil {
			return nil, refused(resp)
		}
		return nil, err
	}
	if r.cursor == "" {
		if err := conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"resume"}`)); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	return &socketSource{conn, context.AfterFunc(ctx, func() { _ = conn.Close() })}, nil
}

// eventSource is a stream of Server-Sent Events. An event that is cut off is none.
type eventSource struct {
	body io.Closer
	in   *bufio.Reader
}

func (s *eventSource) close() { _ = s.body.Close() }

func (s *eventSource) next() ([]frame, error) {
	var f frame
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "event":
			f.Event = value
		case "id":
			f.ID = value
		case "data":
			f.Data = json.RawMessage(value)
		}
		if line == "\n" && f.Event != "" {
			return []frame{f}, nil
		}
	}
}

// socketSource is a WebSocket.
type socketSource struct {
	conn *websocket.Conn
	stop func() bool
}

func (s *socketSource) close() {
	s.stop()
	_ = s.conn.Close()
}

func (s *socketSource) next() ([]frame, error) {
	_, message, err := s.conn.ReadMessage()
	if err != nil {
		return nil, err
	}
	var frames []frame
	for line := range strings.SplitSeq(string(message), "\n") {
		var f frame
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			f = frame{Event: "malformed", Data: json.RawMessage(line)}
		}
		frames = append(frames, f)
	}
	return frames, nil
}
