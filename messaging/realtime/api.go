package realtime

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/web"
)

// APIOptions configures an API. Hub, Service and Store are required.
type APIOptions struct {
	Hub     *Hub
	Service *messaging.Service
	Store   Store

	// Authenticator is asked again once a stream is known to the hub, so that a token revoked in between opens
	// none. Nil: not asked.
	Authenticator web.Authenticator

	Origins    []string      // web origins besides the server's own that may open a WebSocket; "*" for any
	ResumeWait time.Duration // how long a WebSocket without a cursor may take for its resume frame; 0: 1 s
	Retry      time.Duration // least time after which an SSE client should reconnect, at most four times it; 0: 1 s
}

// Store is what streams are read from: a [messaging.Store].
type Store interface {
	View(ctx context.Context, fn func(messaging.Reader) error) error
}

// API is the routes of live streams.
type API struct {
	opts   APIOptions
	ctx    context.Context // of what streams ask the store; ends with Close
	cancel context.CancelFunc
	acks   sync.WaitGroup // acknowledgements on their way to the store
}

// NewAPI returns the routes of a hub. Close ends the hub with all its streams.
func NewAPI(o APIOptions) *API {
	if o.ResumeWait <= 0 {
		o.ResumeWait = time.Second
	}
	if o.Retry <= 0 {
		o.Retry = time.Second
	}
	a := &API{opts: o}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	return a
}

// Close ends all streams and the hub, within ctx.
func (a *API) Close(ctx context.Context) error {
	err := a.opts.Hub.Close(ctx)
	a.cancel()
	a.acks.Wait()
	return err
}

// events opens a stream.
func (a *API) events(w http.ResponseWriter, r *http.Request) error {
	caller := callerOf(r)
	start, err := a.openingOf(r)
	if err != nil {
		return err
	}
	if err := a.opts.Service.CheckDevice(r.Context(), caller); err != nil {
		return err
	}
	return a.serve(w, r, a.newStream(caller, r), start)
}

// serve opens a stream over the transport that the request asks for.
func (a *API) serve(w http.ResponseWriter, r *http.Request, s *stream, start opening) error {
	a.opts.Hub.watchStop(web.Stopping(r.Context()))
	if wantsWebSocket(r) {
		return a.serveWebSocket(w, r, s, start)
	}
	return a.serveSSE(w, r, s, start)
}

// callerOf returns the caller of a request as the service knows it.
func callerOf(r *http.Request) messaging.Caller {
	from := web.CallerOf(r)
	return messaging.Caller{
		UserID: messaging.UserID(from.UserID), DeviceID: from.DeviceID, Admin: from.Admin, Address: web.AddressOf(r), Operation: web.OperationOf(r),
	}
}

// opening is where a stream wants to begin.
type opening struct {
	cursor string // "" for none
	at     messaging.Position
}

// openingOf reads where a request wants its stream to begin.
func (a *API) openingOf(r *http.Request) (start opening, err error) {
	if start.cursor, err = cursorOf(r); err != nil || start.cursor == "" {
		return start, err
	}
	start.at, err = a.opts.Hub.opts.Codec.ParseStreamCursor(start.cursor)
	return start, err
}

// cursorOf returns the cursor of a request: what a browser sends by itself when it reconnects is newer than what
// is in its URL.
func cursorOf(r *http.Request) (string, error) {
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		return id, nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return "", fault.New(fault.Invalid, "the query cannot be read: escape what is not plain in it")
	}
	return query.Get("cursor"), nil
}

func (a *API) newStream(caller messaging.Caller, r *http.Request) *stream {
	return &stream{
		hub: a.opts.Hub, caller: caller, identity: web.CallerOf(r), key: caller.UserID.Fold(), origin: caller.Address,
		done: make(chan struct{}), held: true,
	}
}

// open makes a stream with a transport known to the hub. It must not fail once the answer has begun, so whatever
// can be refused is refused before: ask is called when the stream can be found, so that no revocation is missed.
func (a *API) open(ctx context.Context, s *stream, start *opening, ask func() error) error {
	if err := a.opts.Hub.enter(s); err != nil {
		return err
	}
	if err := a.opts.Hub.entered(ctx, s); err != nil {
		return err
	}
	begun, err := a.begin(ctx, s)
	if err == nil {
		err = ask()
	}
	if err == nil && start.at > begun.Head {
		err = fault.New(fault.Invalid, "the cursor is ahead of the log: start again without one").WithCode(int(messaging.CodeIllegalArgument))
	}
	if err != nil {
		return err
	}
	horizon := s.shard.join(s, begun)
	if start.cursor == "" {
		start.at = horizon
	}
	return nil
}

// ask establishes the caller of a request once more.
func (a *API) ask(r *http.Request) func() error {
	return func() error {
		if a.opts.Authenticator == nil {
			return nil
		}
		var err error
		if token, ok := web.Bearer(r); ok && token != "" {
			_, err = a.opts.Authenticator.Authenticate(r.Context(), token)
		} else if tickets, ok := a.opts.Authenticator.(web.TicketAuthenticator); ok {
			_, err = tickets.AuthenticateTicket(r.Context(), r.URL.Query().Get("ticket"))
		}
		return err
	}
}

// expire ends a stream when its token does.
func (s *stream) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until := s.identity.Expires; !until.IsZero() && s.ending == nil {
		s.expiry = time.AfterFunc(until.Sub(s.hub.opts.Now()), func() { s.end(endExpired) })
	}
}

// retry returns the first line of a stream in a format: the SSE field with the time to wait before the next connection, different for each stream so that
// they do not all come at once. The line belongs to the block that follows: some clients make an event of a block without data.
func (a *API) retry(as format) []byte {
	if as == formatWS {
		return nil
	}
	least := a.opts.Retry.Milliseconds()
	return append(strconv.AppendInt([]byte("retry: "), least+rand.Int64N(3*least+1), 10), '\n')
}

// failureBody is the data of an error event: the body of every failure of the service.
type failureBody struct {
	Code    messaging.Code `json:"code"`
	Message string         `json:"message"`
}

func failureOf(err error) failureBody {
	return failureBody{Code: messaging.CodeOf(err), Message: fault.From(err).Message}
}
