package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"edict/platform/fault"
	"edict/platform/web"
)

// fixture is a server with a service of each kind: "closed" needs callers and shapes errors as
// {code, message}; "open" is public, with CORS, trailing slashes and an envelope.
type fixture struct {
	*web.Server
	logs *bytes.Buffer
	gate chan struct{} // holds /closed/slow
	in   chan struct{} // told when /closed/slow was entered
}

type tokens map[string]*web.Caller

func (t tokens) Authenticate(_ context.Context, token string) (*web.Caller, error) {
	if c, ok := t[token]; ok {
		return c, nil
	}
	return nil, fault.New(fault.Unauthenticated, "the token is not valid: sign in again")
}

func (t tokens) AuthenticateTicket(ctx context.Context, ticket string) (*web.Caller, error) {
	return t.Authenticate(ctx, strings.TrimPrefix(ticket, "ticket-"))
}

type note struct {
	Text  string          `json:"text"`
	Count int             `json:"count,omitempty"`
	Extra json.RawMessage `json:"extra,omitempty"`
}

func doc(summary string) web.Doc {
	return web.Doc{
		Summary: summary, Description: summary + ", in the tests.",
		Answers: []web.Answer{{Status: http.StatusOK, Type: note{}, Example: note{Text: "hello"}}},
	}
}

func bodyDoc(summary string) web.Doc {
	d := doc(summary)
	d.Body = &web.Body{Type: note{}, Example: note{Text: "hello"}}
	return d
}

func newFixture(t testing.TB, change ...func(*web.Options)) *fixture {
	t.Helper()
	f := &fixture{logs: new(bytes.Buffer), gate: make(chan struct{}), in: make(chan struct{}, 1)}
	opts := web.Options{
		Listen: "127.0.0.1:0", Authenticator: tokens{"good": {UserID: "u1"}},
		Logger: slog.New(slog.NewTextHandler(f.logs, nil)), AccessLog: web.LogAll,
	}
	for _, c := range change {
		c(&opts)
	}
	server, err := web.New(opts, f.closed(), f.open())
	if err != nil {
		t.Fatal(err)
	}
	f.Server = server
	return f
}

func (f *fixture) closed() web.Service {
	return web.Service{
		Name: "closed", Prefixes: []string{"/closed"}, MaxBody: 1 << 10, MaxDepth: 8,
		Errors: func(_ *http.Request, err error) (int, any) {
			e := fault.From(err)
			return web.Status(e.Kind), map[string]any{"code": 10 + int(e.Kind), "message": e.Message}
		},
		Routes: []web.Route{
			{Method: "GET", Path: "/closed/name/{name}", Policy: web.Authenticated, Handle: echoName, Doc: doc("Echo a name")},
			{Method: "POST", Path: "/closed/name/all", Policy: web.Authenticated, Handle: echoNote, Doc: bodyDoc("Echo a note to all")},
			{Method: "GET", Path: "/closed/name/{name}/tail", Policy: web.Authenticated, Handle: echoName, Doc: doc("Echo a name with a tail")},
			{Method: "POST", Path: "/closed/notes", Policy: web.Authenticated, Handle: echoNote, Doc: bodyDoc("Echo a note")},
			{Method: "PUT", Path: "/closed/notes", Policy: web.Authenticated, Handle: echoNote, Doc: bodyDoc("Echo a note again")},
			{Method: "GET", Path: "/closed/panic", Policy: web.Authenticated, Handle: func(http.ResponseWriter, *http.Request) error { panic("secret of the house") }, Doc: doc("Panic")},
			{Method: "GET", Path: "/closed/late", Policy: web.Authenticated, Handle: latePanic, Doc: doc("Panic late")},
			{Method: "GET", Path: "/closed/fail", Policy: web.Authenticated, Handle: fails, Doc: doc("Fail")},
			{Method: "GET", Path: "/closed/slow", Policy: web.Authenticated, Handle: f.slow, Doc: doc("Wait")},
			{Method: "GET", Path: "/closed/stream", Policy: web.Authenticated, Handle: f.stream, Stream: true, Tickets: true, Doc: doc("Stream")},
		},
	}
}

func (f *fixture) open() web.Service {
	return web.Service{
		Name: "open", Prefixes: []string{"/open"}, Access: web.NoCaller, CORS: web.AnyOrigin(), TrailingSlash: true,
		Errors: func(r *http.Request, err error) (int, any) {
			e := fault.From(err)
			status := web.Status(e.Kind)
			if e.Kind == fault.Unsupported {
				status = http.StatusBadRequest
			}
			return status, map[string]any{"apiVersion": 1, "error": map[string]any{"code": status, "message": e.Message}, "method": r.URL.Path}
		},
		Routes: []web.Route{
			{Method: "POST", Path: "/open/compute", Policy: web.Public, Handle: echoNote, Doc: bodyDoc("Compute")},
			{Method: "GET", Path: "/open/cookie", Policy: web.Policy{Name: "cookie", Access: web.NoCaller, Secrets: true}, Handle: large, Doc: doc("By a cookie")},
			{Method: "GET", Path: "/open/big", Policy: web.MaybeCaller, Handle: large, Doc: doc("A large answer")},
		},
	}
}

func echoName(w http.ResponseWriter, r *http.Request) error {
	return web.WriteJSON(w, http.StatusOK, map[string]string{"name": r.PathValue("name"), "user": web.CallerOf(r).UserID})
}

func echoNote(w http.ResponseWriter, r *http.Request) error {
	var n note
	if err := web.ReadJSON(r, &n); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusCreated, n)
}

func large(w http.ResponseWriter, r *http.Request) error {
	user := "nobody"
	if c := web.CallerOf(r); c != nil {
		user = c.UserID
	}
	return web.WriteJSON(w, http.StatusOK, map[string]string{"user": user, "text": strings.Repeat("hello ", 1000)})
}

func latePanic(w http.ResponseWriter, _ *http.Request) error {
	_, _ = io.WriteString(w, "half an ans")
	w.(http.Flusher).Flush()
	panic("too late")
}

func fails(http.ResponseWriter, *http.Request) error {
	e := fault.Wrap(fmt.Errorf("disk /secret/path is full"), fault.Unavailable, "the store cannot be written: try again later")
	e.RetryAfter = 7
	return e
}

func (f *fixture) slow(w http.ResponseWriter, r *http.Request) error {
	f.in <- struct{}{}
	select {
	case <-f.gate:
		return web.WriteJSON(w, http.StatusOK, note{Text: "done"})
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

func (f *fixture) stream(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "data: %s\n\n", web.CallerOf(r).UserID)
	w.(http.Flusher).Flush()
	f.in <- struct{}{}
	select {
	case <-web.Stopping(r.Context()):
		_, _ = io.WriteString(w, "data: goodbye\n\n")
	case <-r.Context().Done():
	}
	return nil
}

// do sends a request with a valid token through the complete handler. Headers are "Name: value".
func (f *fixture) do(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, content)
	r.Header.Set("Authorization", "Bearer good")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
		if value == "" {
			r.Header.Del(name)
		}
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

func TestAnswers(t *testing.T) {
	const noToken = "Authorization: "
	cases := []struct {
		name, method, target, body string
		headers                    []string
		status                     int
		want                       string // the whole body
	}{
		{"good", "POST", "/closed/notes", `{"text":"a","count":2}`, nil, 201, `{"text":"a","count":2}`},
		{"charset", "POST", "/closed/notes", `{"text":"a"}`, []string{"Content-Type: Application/JSON; charset=utf-8"}, 201, `{"text":"a"}`},
		{"numbers stay as written", "POST", "/closed/notes", `{"text":"","extra":[1.10,1e400]}`, nil, 201, `{"text":"","extra":[1.10,1e400]}`},
		{"wrong content type", "POST", "/closed/notes", `{}`, []string{"Content-Type: text/plain"}, 415, `{"code":18,"message":"the Content-Type is \"text/plain\": send \"application/json\""}`},
		{"wrong content type, envelope", "POST", "/open/compute", `{}`, []string{"Content-Type: text/plain"}, 400, `{"apiVersion":1,"error":{"code":400,"message":"the Content-Type is \"text/plain\": send \"application/json\""},"method":"/open/compute"}`},
		{"no content type", "POST", "/closed/notes", `{}`, []string{"Content-Type: "}, 415, `{"code":18,"message":"there is no Content-Type: send \"application/json\""}`},
		{"encoded body", "POST", "/closed/notes", `{}`, []string{"Content-Encoding: gzip"}, 415, `{"code":18,"message":"the body is encoded as \"gzip\": send it as it is"}`},
		{"empty body", "POST", "/closed/notes", ``, nil, 400, `{"code":11,"message":"malformed JSON: the body is empty (line 1, column 1)"}`},
		{"wrong type", "POST", "/closed/notes", `{"text":["a"]}`, nil, 400, `{"code":11,"message":"text: expected a string, got a list (line 1, column 9)"}`},
		{"too large", "POST", "/closed/notes", `{"text":"` + strings.Repeat("x", 2000) + `"}`, nil, 413, `{"code":17,"message":"the body is larger than 1 KiB"}`},
		{"wrong method", "DELETE", "/closed/notes", ``, nil, 405, `{"code":19,"message":"/closed/notes does not answer DELETE: use OPTIONS, POST or PUT"}`},
		{"unknown path", "GET", "/closed/nothing", ``, nil, 404, `{"code":14,"message":"there is nothing at /closed/nothing: /docs lists all routes"}`},
		{"nearly a path", "GET", "/closed/nmae/a%2Fb/tial", ``, nil, 404, `{"code":14,"message":"there is nothing at /closed/nmae/a/b/tial: did you mean /closed/name/a%2Fb/tail?"}`},
		{"nearly a path, in capitals", "GET", "/Healthz", ``, nil, 404, `{"error":"not found","message":"there is nothing at /Healthz: did you mean /healthz?"}`},
		{"unknown path without token", "GET", "/closed/nothing", ``, []string{noToken}, 401, `{"code":12,"message":"there is no token: send \"Authorization: Bearer <token>\""}`},
		{"wrong method without token", "DELETE", "/closed/notes", ``, []string{noToken}, 401, `{"code":12,"message":"there is no token: send \"Authorization: Bearer <token>\""}`},
		{"bad body without token", "POST", "/closed/notes", `{`, []string{noToken, "Content-Type: text/plain"}, 401, `{"code":12,"message":"there is no token: send \"Authorization: Bearer <token>\""}`},
		{"bad token", "GET", "/closed/name/a", ``, []string{"Authorization: Bearer bad"}, 401, `{"code":12,"message":"the token is not valid: sign in again"}`},
		{"bare token", "GET", "/closed/name/a", ``, []string{"Authorization: good"}, 200, `{"name":"a","user":"u1"}`},
		{"bearer in lower case", "GET", "/closed/name/a", ``, []string{"Authorization: bearer good"}, 200, `{"name":"a","user":"u1"}`},
		{"the word alone", "GET", "/closed/name/a", ``, []string{"Authorization: Bearer"}, 401, `{"code":12,"message":"the Authorization header is not understood: send \"Authorization: Bearer <token>\", once"}`},
		{"other scheme", "GET", "/closed/name/a", ``, []string{"Authorization: Basic Z29vZA=="}, 401, `{"code":12,"message":"the Authorization header is not understood: send \"Authorization: Bearer <token>\", once"}`},
		{"panic", "GET", "/closed/panic", ``, nil, 500, `{"code":10,"message":"internal error"}`},
		{"failure", "GET", "/closed/fail", ``, nil, 503, `{"code":22,"message":"the store cannot be written: try again later"}`},
		{"unknown path, envelope", "GET", "/open/nothing", ``, nil, 404, `{"apiVersion":1,"error":{"code":404,"message":"there is nothing at /open/nothing: /docs lists all routes"},"method":"/open/nothing"}`},
		{"prefix alone", "GET", "/open", ``, nil, 404, `{"apiVersion":1,"error":{"code":404,"message":"there is nothing at /open: /docs lists all routes"},"method":"/open"}`},
		{"trailing slash", "POST", "/open/compute/", `{"text":"a"}`, nil, 201, `{"text":"a"}`},
		{"trailing slash where none is accepted", "POST", "/closed/notes/", `{"text":"a"}`, nil, 404, `{"code":14,"message":"there is nothing at /closed/notes/: /docs lists all routes"}`},
		{"a name that only starts like the prefix", "GET", "/closedness", ``, nil, 404, `{"error":"not found","message":"there is nothing at /closedness: /docs lists all routes"}`},
		{"no service", "GET", "/nowhere", ``, nil, 404, `{"error":"not found","message":"there is nothing at /nowhere: /docs lists all routes"}`},
		{"root", "GET", "/", ``, nil, 404, `{"error":"not found","message":"there is nothing at /: /docs lists all routes"}`},
		{"optional caller, none", "GET", "/open/big", ``, []string{"Authorization: Bearer bad"}, 401, `{"apiVersion":1,"error":{"code":401,"message":"the token is not valid: sign in again"},"method":"/open/big"}`},
		{"health", "GET", "/healthz", ``, nil, 200, `{"status":"ok"}`},
	}
	f := newFixture(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := f.do(c.method, c.target, c.body, c.headers...)
			if body := strings.TrimSpace(got.Body.String()); got.Code != c.status || body != c.want {
				t.Errorf("got %d %s\nwant %d %s", got.Code, body, c.status, c.want)
			}
			if ct := got.Header().Get("Content-Type"); ct != "application/json; charset=utf-8" {
				t.Errorf("content type %q", ct)
			}
		})
	}
}

// FuzzServe: no path, method, header or body makes the server fail, redirect or answer anything but JSON.
func FuzzServe(f *testing.F) {
	f.Add("GET", "/closed/name/a%2Fb", "Bearer good", "application/json", "")
	f.Add("POST", "/closed/notes", "good", "application/json", `{"text":"x"}`)
	f.Add("POST", "/open/compute/", "", "text/plain", `{`)
	f.Add("OPTIONS", "//closed/../x", "Basic x", "", "")
	f.Add("CONNECT", "/", "Bearer", "", "x")
	fix := newFixture(f, func(o *web.Options) { o.AccessLog = web.LogNothing })
	f.Fuzz(func(t *testing.T, method, target, auth, contentType, body string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || strings.HasPrefix(u.Path, "/closed/panic") || strings.HasPrefix(u.Path, "/closed/late") ||
			strings.HasPrefix(u.Path, "/closed/fail") || strings.HasPrefix(u.Path, "/closed/s") {
			return // these fail or wait on purpose
		}
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Method, r.URL, r.RequestURI = method, u, target
		r.Header.Set("Authorization", auth)
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		fix.ServeHTTP(w, r)
		if w.Code >= 500 || w.Code >= 300 && w.Code < 400 {
			t.Fatalf("%q %q: %d %s", method, target, w.Code, w.Body)
		}
		if ct := w.Header().Get("Content-Type"); w.Code >= 400 && ct != "application/json; charset=utf-8" {
			t.Fatalf("%q %q: %d as %q", method, target, w.Code, ct)
		}
	})
}
