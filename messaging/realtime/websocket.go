package realtime

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/jsonio"
)

const (
	maxClientFrame = 4 << 10 // bytes of a client's message: an acknowledgement or a cursor
	acksAtOnce     = 16      // acknowledgements of one stream on their way to the store
)

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
		return fault.New(fault.Forbidden, "pages of %.80q may not open streams here: the operator can add it to --messaging-origins", r.Header.Get("Origin"))
	}
	accept, err := checkHandshake(r)
	if err != nil {
		w.Header().Set("Sec-WebSocket-Version", "13")
		return err
	}
	late := &lateTransport{}
	s.transport = late
	if err := a.open(r.Context(), s, &start, a.ask(r)); err != nil {
		s.abandon()
		return err
	}
	conn, err := takeOver(w, accept)
	if conn == nil {
		s.abandon()
		return err
	}
	_ = conn.SetDeadline(time.Time{})
	late.set(conn)
	s.heard.Store(time.Now().UnixNano())
	s.expire()
	c := &client{api: a, stream: s, in: frameReader{conn: conn}, start: start}
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

// client reads what comes over a WebSocket.
type client struct {
	api    *API
	stream *stream
	in     frameReader
	parts  []byte // of a message that comes in several frames
	inPart bool
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
	if s.claim(s.seen()) {
		s.writeFrame(s.hub.enc.failure(err))
		s.end(endCursor)
		s.drain()
	}
}

// writeFrame writes a frame; only the writer calls it.
func (s *stream) writeFrame(f frame) {
	s.write(newWire(f.appendTo(nil, s.as), 1, s.as).bytes, 0)
}

// read waits for a frame, serves it, and leaves the next one to another goroutine, so that the stack of one that waits has
// never grown. It ends with the connection.
func (c *client) read() {
	f, err := c.in.next(maxClientFrame - len(c.parts))
	if err != nil {
		c.stream.end(endOf(err))
		return
	}
	c.stream.heard.Store(time.Now().UnixNano())
	if e := c.frame(f); e != nil {
		c.stream.end(e)
		return
	}
	go c.read()
}

// endOf says why a client is no longer read.
func endOf(err error) *ending {
	if e, ok := errors.AsType[*ending](err); ok {
		return e
	}
	return endGone
}

// frame serves a frame; it returns why the stream ends, if it does.
func (c *client) frame(f clientFrame) *ending {
	switch f.opcode {
	case opClose:
		return endClosed
	case opPing:
		b := appendWSHeader(make([]byte, 0, 2+len(f.payload)), wsPong, len(f.payload))
		c.stream.push(&wire{bytes: append(b, f.payload...)})
		return nil
	case opPong:
		return nil
	case opContinuation:
		if !c.inPart {
			return endProtocol
		}
	default:
		if c.inPart {
			return endProtocol
		}
	}
	message := f.payload
	if c.inPart || !f.final {
		c.parts = append(c.parts, f.payload...)
		message = c.parts
	}
	if c.inPart = !f.final; f.final {
		c.parts = nil
		c.serve(message)
	}
	return nil
}

// command is a frame of the client.
type command struct {
	Type      string `json:"type"`
	MessageID string `json:"messageId"`
	State     string `json:"state"`
	Cursor    string `json:"cursor"`
}

// serve serves a message of the client.
func (c *client) serve(raw []byte) {
	var cmd command
	if err := (jsonio.Rules{RefuseTypos: true}).Decode(raw, &cmd); err != nil {
		c.begin("")
		c.fail(err)
		return
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
	if err == nil && c.stream.tapped != nil {
		err = illegal("this stream carries a channel for an operator: acknowledge messages over a stream of their recipient")
	}
	if err != nil {
		c.fail(err)
		return
	}
	if c.acks == nil {
		c.acks = make(chan struct{}, acksAtOnce)
	}
	// With as many under way as may be, the client is not read until one is done.
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
