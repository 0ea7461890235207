package realtime

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/web"
)

const (
	maxClientFrame = 4 << 10 // bytes of a client's message: an acknowledgement or a cursor
	acksAtOnce     = 16      // acknowledgements of one stream on their way to the store
)

// newUpgrader returns the upgrader: small buffers, no compression (a few bytes of it can make many). It reads;
// frames are written by the stream itself, which has them ready.
func (a *API) newUpgrader() websocket.Upgrader {
	return websocket.Upgrader{
		ReadBufferSize: 1 << 10, WriteBufferSize: 256, WriteBufferPool: new(sync.Pool),
		CheckOrigin: a.allowed,
		Error:       func(http.ResponseWriter, *http.Request, int, error) {}, // the route answers
	}
}

// allowed reports whether the page that opens a WebSocket may: programs have no origin, and pages one of the
// server's own or of the list.
func (a *API) allowed(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err == nil && strings.EqualFold(u.Host, r.Host) {
		return true
	}
	return slices.ContainsFunc(a.opts.Origins, func(pattern string) bool { return matchOrigin(pattern, origin) })
}

// matchOrigin compares as CORS does: a "*" inside a pattern stands for any text.
func matchOrigin(pattern, origin string) bool {
	pattern, origin = strings.ToLower(pattern), strings.ToLower(origin)
	before, after, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == origin
	}
	return len(origin) >= len(before)+len(after) && strings.HasPrefix(origin, before) && strings.HasSuffix(origin, after)
}

func (a *API) serveWebSocket(w http.ResponseWriter, r *http.Request, s *stream, start opening) error {
	s.as = formatWS
	if !a.allowed(r) {
		return fault.New(fault.Forbidden, "pages of %.80q may not open streams here: the operator lists origins", r.Header.Get("Origin"))
	}
	late := &lateTransport{}
	s.transport = late
	if err := a.open(r.Context(), s, &start, a.ask(r)); err != nil {
		s.abandon()
		return err
	}
	conn, err := a.upgrader.Upgrade(w, r, nil)
	if err != nil {
		s.abandon()
		return refusedUpgrade(err)
	}
	late.set(conn.NetConn())
	s.heard.Store(time.Now().UnixNano())
	s.expire()
	c := &client{api: a, stream: s, conn: conn, start: start}
	if start.cursor != "" {
		go s.run(a, start.at, true)
	} else {
		c.mu.Lock() // the timer may fire before it is assigned
		c.wait = time.AfterFunc(a.opts.ResumeWait, func() { c.begin("") })
		c.mu.Unlock()
	}
	go c.read()
	return nil
}

// refusedUpgrade is the answer to a handshake that failed; nil when the connection went with it.
func refusedUpgrade(err error) error {
	if _, ok := errors.AsType[websocket.HandshakeError](err); ok {
		return fault.New(fault.Invalid, "the WebSocket handshake is not understood: %s", strings.TrimPrefix(err.Error(), "websocket: "))
	}
	return nil
}

// client reads what comes over a WebSocket.
type client struct {
	api    *API
	stream *stream
	conn   *websocket.Conn
	start  opening
	mu     sync.Mutex
	wait   *time.Timer // for a resume frame; nil when the cursor came with the request; under mu
	begun  sync.Once
	acks   chan struct{} // room for acknowledgements under way, made with the first
}

// begin starts the stream, once, with a cursor or without, and reports whether it did.
func (c *client) begin(cursor string) (first bool) {
	c.mu.Lock()
	wait := c.wait
	c.mu.Unlock()
	if wait == nil {
		return false
	}
	c.begun.Do(func() {
		first = true
		wait.Stop()
		at := c.start.at
		if cursor != "" {
			var err error
			if at, err = c.position(cursor); err != nil {
				go c.refuse(err)
				return
			}
		}
		go c.stream.run(c.api, at, cursor != "")
	})
	return first
}

// position reads the cursor of a resume frame. A stream that has not begun knows everything up to start.
func (c *client) position(cursor string) (messaging.Position, error) {
	at, err := c.api.opts.Hub.opts.Codec.ParseStreamCursor(cursor)
	if err == nil && at > c.start.at {
		err = fault.New(fault.Invalid, "the cursor is ahead of the log: start again without one").WithCode(int(messaging.CodeIllegalArgument))
	}
	return at, err
}

// refuse ends a stream whose cursor cannot be served, before it has begun.
func (c *client) refuse(err error) {
	s := c.stream
	if s.claim() {
		s.writeFrame(s.hub.enc.failure(err))
		s.end(endCursor)
		s.drain()
	}
}

// writeFrame writes a frame; only the writer calls it.
func (s *stream) writeFrame(f frame) {
	s.write(newWire(f.appendTo(nil, s.as), 1, s.as).bytes)
}

// read serves the frames of the client until the connection ends.
func (c *client) read() {
	c.conn.SetReadLimit(maxClientFrame)
	c.conn.SetPongHandler(func(string) error {
		c.stream.heard.Store(time.Now().UnixNano())
		return nil
	})
	c.conn.SetPingHandler(func(data string) error {
		c.stream.heard.Store(time.Now().UnixNano())
		b := appendWSHeader(make([]byte, 0, 2+len(data)), wsPong, len(data))
		c.stream.push(&wire{bytes: append(b, data...)})
		return nil
	})
	for {
		_, reader, err := c.conn.NextReader()
		if err == nil {
			err = c.serve(reader)
		}
		if err != nil {
			c.stream.end(endGone)
			return
		}
	}
}

// command is a frame of the client.
type command struct {
	Type      string `json:"type"`
	MessageID string `json:"messageId"`
	State     string `json:"state"`
	Cursor    string `json:"cursor"`
}

func (c *client) serve(reader io.Reader) error {
	raw, err := io.ReadAll(reader)
	if err != nil {
		return err
	}
	c.stream.heard.Store(time.Now().UnixNano())
	var cmd command
	if err := (web.Decoder{}).Decode(raw, &cmd); err != nil {
		c.begin("")
		c.fail(err)
		return nil
	}
	switch cmd.Type {
	case "resume":
		if !c.begin(cmd.Cursor) {
			c.fail(illegal("the stream has begun: resume comes first, and once"))
		}
	case "ack":
		c.begin("")
		c.acknowledge(cmd)
	default:
		c.begin("")
		c.fail(illegal("type: %.40q is unknown: send ack or resume", cmd.Type))
	}
	return nil
}

func illegal(format string, args ...any) error {
	return fault.New(fault.Invalid, format, args...).WithCode(int(messaging.CodeIllegalArgument))
}

func (c *client) fail(err error) {
	f := c.stream.hub.enc.failure(err)
	c.stream.push(newWire(f.appendTo(nil, formatWS), 1, formatWS))
}

// acknowledge hands an acknowledgement to the store and reads on: many of them then share one commit.
func (c *client) acknowledge(cmd command) {
	state, err := messaging.ParseAck(cmd.State)
	if err != nil {
		c.fail(err)
		return
	}
	if c.acks == nil {
		c.acks = make(chan struct{}, acksAtOnce)
	}
	c.acks <- struct{}{}
	c.api.acks.Go(func() {
		defer func() { <-c.acks }()
		err := c.api.opts.Service.Acknowledge(c.api.ctx, c.stream.caller, cmd.MessageID, state)
		c.stream.hub.metrics.acks.Inc()
		if err != nil && c.api.ctx.Err() == nil {
			c.fail(err)
		}
	})
}
