package realtime_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"edict/messaging"
	"edict/messaging/realtime"
	"edict/messaging/sqlstore"
	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is the streams of a service on a real store, behind the real HTTP chain.
type fixture struct {
	testing.TB
	*messaging.Service
	store messaging.Store
	hub   *realtime.Hub
	api   *realtime.API
	url   string
	dial  func(ctx context.Context, network, address string) (net.Conn, error) // nil: over the network
	stop  func() error
	leave func(context.Context) error // begins to stop the server: its streams and its store stay

	admitted func() // called when a request has been found to be its caller's

	mu      sync.Mutex
	revoked map[string]bool
	expires map[string]time.Time
}

var (
	ann = messaging.Caller{UserID: "ann"}
	bob = messaging.Caller{UserID: "bob"}
)

// LookupUsers knows everybody.
func (f *fixture) LookupUsers(_ context.Context, ids []messaging.UserID) (map[string]messaging.User, error) {
	found := map[string]messaging.User{}
	for _, id := range ids {
		found[id.Fold()] = messaging.User{ID: id, Name: string(id)}
	}
	return found, nil
}

// Authenticate takes "user" or "user@device", with a number behind a "/" to tell tokens apart.
func (f *fixture) Authenticate(_ context.Context, token string) (*web.Caller, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.revoked[token] {
		return nil, fault.New(fault.Unauthenticated, "revoked")
	}
	name, _, _ := strings.Cut(token, "/")
	user, device, _ := strings.Cut(name, "@")
	return &web.Caller{UserID: user, DeviceID: device, TokenID: token, Expires: f.expires[token], Admin: user == "root"}, nil
}

func (f *fixture) AuthenticateTicket(ctx context.Context, ticket string) (*web.Caller, error) {
	token, ok := strings.CutPrefix(ticket, "ticket-")
	if !ok {
		return nil, fault.New(fault.Unauthenticated, "no ticket")
	}
	return f.Authenticate(ctx, token)
}

func (f *fixture) revoke(token string) {
	f.mu.Lock()
	f.revoked[token] = true
	f.mu.Unlock()
	user, _, _ := strings.Cut(token, "/")
	f.hub.Revoke(user, func(c *web.Caller) bool { return c.TokenID == token })
}

type settings struct {
	hub     realtime.Options
	origins []string
	wait    time.Duration
	pipes   bool   // connections inside the process, for tests with a clock of their own
	replays func() // called when a replay has looked at the log
}

// awaited is a store that says when it was looked at.
type awaited struct {
	messaging.Store
	looked func()
}

func (s awaited) View(ctx context.Context, fn func(messaging.Reader) error) error {
	defer s.looked()
	return s.Store.View(ctx, fn)
}

func setUp(t testing.TB, s settings) *fixture {
	t.Helper()
	f := &fixture{TB: t, revoked: map[string]bool{}, expires: map[string]time.Time{}}
	quiet := slog.New(slog.DiscardHandler)
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{Logger: quiet}, sqlstore.Migrations())
	f.ok(err)
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{})
	f.ok(err)
	s.hub.Codec = messaging.NewCodec(store.Identity())
	if s.hub.Log == nil {
		s.hub.Log = quiet
	}
	f.hub, err = realtime.NewHub(s.hub)
	f.ok(err)
	f.store = store
	f.Service = messaging.New(messaging.Config{Store: store, Users: f, Announcer: f.hub, Presence: f.hub, Log: quiet})
	if s.replays != nil {
		f.store = awaited{store, s.replays}
	}
	f.api = realtime.NewAPI(realtime.APIOptions{Hub: f.hub, Service: f.Service, Store: f.store, Authenticator: f, Origins: s.origins, ResumeWait: s.wait})
	server, err := web.New(web.Options{Listen: "127.0.0.1:0", Title: "test", Version: "1", Logger: quiet, Authenticator: f, MaxPerAddress: math.MaxInt},
		web.Service{Name: "messaging", Prefixes: []string{"/message/api/v2"}, Routes: f.routes(), Access: web.RequiredCaller})
	f.ok(err)
	end := f.serve(server, s.pipes)
	f.leave = server.Shutdown
	f.stop = sync.OnceValue(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		return errors.Join(server.Shutdown(ctx), end(), f.api.Close(ctx), d.Close())
	})
	t.Cleanup(func() { f.ok(f.stop()) })
	return f
}

// routes are those of the package, with the device of every token registered, as the wire of the service does at its first use.
func (f *fixture) routes() []web.Route {
	routes := f.api.Routes()
	for i, route := range routes {
		routes[i].Handle = func(w http.ResponseWriter, r *http.Request) error {
			from := web.CallerOf(r)
			if f.admitted != nil {
				f.admitted()
			}
			if err := f.SeenDevice(r.Context(), messaging.Caller{UserID: messaging.UserID(from.UserID), DeviceID: from.DeviceID}); err != nil {
				return err
			}
			return route.Handle(w, r)
		}
	}
	return routes
}

// serve starts the server and returns what waits for its end.
func (f *fixture) serve(server *web.Server, pipes bool) (end func() error) {
	f.Helper()
	served := make(chan error, 1)
	if pipes {
		in := newPipes()
		f.url, f.dial = "http://pipes", in.dial
		h := &http.Server{Handler: server}
		go func() { served <- h.Serve(in) }()
		return func() error {
			if err := errors.Join(h.Close(), <-served); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		}
	}
	addr, err := server.Listen(f.Context())
	f.ok(err)
	f.url = "http://" + addr.String()
	go func() { served <- server.Serve() }()
	return func() error { return <-served }
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func ref(name string) messaging.Ref {
	owner, bare, full := strings.Cut(name, "#")
	if full {
		return messaging.Ref{Owner: messaging.UserID(owner), Name: bare}
	}
	return messaging.Ref{Name: name}
}

func (f *fixture) create(caller messaging.Caller, name string, change func(*messaging.NewChannel)) {
	f.Helper()
	n := messaging.DefaultNewChannel(name)
	if change != nil {
		change(&n)
	}
	_, err := f.CreateChannel(context.Background(), caller, n)
	f.ok(err)
}

func (f *fixture) subscribe(caller messaging.Caller, name string) {
	f.Helper()
	_, err := f.Subscribe(context.Background(), caller, ref(name), messaging.NewSubscription{})
	f.ok(err)
}

func (f *fixture) publish(caller messaging.Caller, channel, content string) string {
	f.Helper()
	id, err := f.Publish(context.Background(), caller, ref(channel), messaging.NewItem{Content: []byte(content)})
	f.ok(err)
	return id
}

func (f *fixture) send(caller messaging.Caller, to messaging.UserID, content string) string {
	f.Helper()
	r, err := f.Send(context.Background(), caller, messaging.NewMessage{Recipients: []messaging.UserID{to}, Content: []byte(content), Receipt: true})
	f.ok(err)
	return r.MessageID
}

// got is one event that a client received, or the end of the stream with its last words.
type got struct {
	Event string          `json:"event"`
	ID    string          `json:"id"`
	Data  json.RawMessage `json:"data"`
	end   string
}

// field returns a text of the data.
func (g got) field(name string) string {
	var all map[string]any
	_ = json.Unmarshal(g.Data, &all)
	s, _ := all[name].(string)
	return s
}

// n returns the number that the tests put into content.
func (g got) n() int {
	var data struct {
		Content struct{ N int }
	}
	_ = json.Unmarshal(g.Data, &data)
	return data.Content.N
}

// client is a stream as its client sees it.
type client struct {
	f      *fixture
	events <-chan got
	close  func()
	send   func(text string)       // WebSocket only
	try    func(text string) error // send that may fail
}

const patience = 2 * time.Minute // far beyond what anything here takes on a machine that is busy with other things; nothing is measured by it

// next returns the next event.
func (c *client) next() got {
	c.f.Helper()
	select {
	case g, ok := <-c.events:
		if !ok {
			c.f.Fatal("the stream is over")
		}
		return g
	case <-time.After(patience):
		c.f.Fatal("no event comes")
	}
	return got{}
}

// want returns the next event, which has to have this name.
func (c *client) want(event string) got {
	c.f.Helper()
	g := c.next()
	if g.Event != event {
		c.f.Fatalf("the next event is %s %s %s, want %s", g.Event, g.Data, g.end, event)
	}
	return g
}

// transports opens streams both ways.
var transports = map[string]func(f *fixture, token, query string, header ...string) (*client, error){
	"SSE": openSSE, "WebSocket": openWS,
}

func open(f *fixture, transport, token, query string) *client {
	f.Helper()
	c, err := transports[transport](f, token, query)
	f.ok(err)
	return c
}

func request(f *fixture, method, url, token string, header ...string) *http.Request {
	r, err := http.NewRequest(method, url, nil)
	f.ok(err)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	return r
}

const eventsPath = "/message/api/v2/events"

// streamPath returns the path of a stream: that of the caller's own with a query, or another one of the API that begins with "/".
func streamPath(query string) string {
	if strings.HasPrefix(query, "/") {
		return "/message/api/v2" + query
	}
	return eventsPath + query
}

func openSSE(f *fixture, token, query string, header ...string) (*client, error) {
	transport := &http.Transport{DisableCompression: true, DialContext: f.dial}
	return openSSEWith(f, transport, token, query, header...)
}

func openSSEWith(f *fixture, transport *http.Transport, token, query string, header ...string) (*client, error) {
	ctx, cancel := context.WithCancel(context.Background())
	r := request(f, "GET", f.url+streamPath(query), token, header...).WithContext(ctx)
	resp, err := transport.RoundTrip(r)
	if err != nil {
		cancel()
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		cancel()
		transport.CloseIdleConnections()
		return nil, &refusal{resp.StatusCode, string(body), resp.Header.Get("Retry-After")}
	}
	events := make(chan got)
	done := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer close(events)
		readSSE(resp.Body, events, done)
	}()
	stop := sync.OnceFunc(func() {
		close(done)
		cancel()
		resp.Body.Close()
		transport.CloseIdleConnections()
		<-over
	})
	f.Cleanup(stop)
	return &client{f: f, events: events, close: stop}, nil
}

type refusal struct {
	status int
	body   string
	retry  string // when to come back
}

func (r *refusal) Error() string { return http.StatusText(r.status) + ": " + r.body }

func readSSE(body io.Reader, events chan<- got, done <-chan struct{}) {
	in := bufio.NewReader(body)
	var g got
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "event":
			g.Event = value
		case "id":
			g.ID = value
		case "data":
			g.Data = json.RawMessage(value)
		case "":
			if value != "" {
				g = got{Event: "end", end: value}
			}
		}
		if (line == "\n" || g.end != "") && g.Event != "" {
			select {
			case events <- g:
			case <-done:
				return
			}
			g = got{}
		}
	}
}

func openWS(f *fixture, token, query string, header ...string) (*client, error) {
	h := request(f, "GET", f.url, token, header...).Header
	dialer := websocket.Dialer{NetDialContext: f.dial}
	conn, resp, err := dialer.Dial("ws"+strings.TrimPrefix(f.url, "http")+streamPath(query), h)
	if err != nil {
		if resp != nil {
			body, _ := io.ReadAll(resp.Body)
			return nil, &refusal{resp.StatusCode, string(body), resp.Header.Get("Retry-After")}
		}
		return nil, err
	}
	events := make(chan got)
	done := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer close(events)
		readWS(conn, events, done)
	}()
	stop := sync.OnceFunc(func() {
		close(done)
		conn.Close()
		<-over
	})
	f.Cleanup(stop)
	try := func(text string) error { return conn.WriteMessage(websocket.TextMessage, []byte(text)) }
	return &client{f: f, events: events, close: stop, try: try, send: func(text string) { f.ok(try(text)) }}, nil
}

func readWS(conn *websocket.Conn, events chan<- got, done <-chan struct{}) {
	for {
		_, message, err := conn.ReadMessage()
		var all []got
		if closed := (*websocket.CloseError)(nil); errors.As(err, &closed) {
			all = []got{{Event: "end", end: closed.Error()}}
		} else if err == nil {
			for line := range strings.SplitSeq(string(message), "\n") {
				var g got
				if err := json.Unmarshal([]byte(line), &g); err != nil {
					g = got{Event: "malformed", end: line}
				}
				all = append(all, g)
			}
		}
		for _, g := range all {
			select {
			case events <- g:
			case <-done:
				return
			}
		}
		if err != nil {
			return
		}
	}
}
