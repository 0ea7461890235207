package web_test

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"edict/platform/fault"
	"edict/platform/web"
)

// one builds a server with a single public route.
func one(t *testing.T, route web.Route) *web.Server {
	t.Helper()
	route.Policy = web.Public
	if route.Doc.Summary == "" {
		route.Doc = doc("One")
	}
	s, err := web.New(web.Options{Listen: "127.0.0.1:0"}, web.Service{Name: "one", Prefixes: []string{"/one"}, Access: web.NoCaller, MaxBody: 100, Routes: []web.Route{route}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReadForm(t *testing.T) {
	var form url.Values
	d := doc("Form")
	d.Body = &web.Body{ContentType: "application/x-www-form-urlencoded", Type: web.Schema{"type": "object"}, Example: "a=1"}
	s := one(t, web.Route{Method: "POST", Path: "/one", Doc: d, Handle: func(_ http.ResponseWriter, r *http.Request) (err error) {
		form, err = web.ReadForm(r)
		return err
	}})
	post := func(contentType, body string) int {
		r := httptest.NewRequest("POST", "/one?b=query", strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	if code := post("application/x-www-form-urlencoded", "a=1&a=%C3%A9+x"); code != 200 || len(form["a"]) != 2 || form["a"][1] != "é x" || form.Has("b") {
		t.Errorf("%d %v", code, form)
	}
	for body, want := range map[string]int{"a=%zz": 400, strings.Repeat("x", 101): 413} {
		if code := post("application/x-www-form-urlencoded", body); code != want {
			t.Errorf("%.20s: %d, want %d", body, code, want)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/openapi.json", nil))
	if !strings.Contains(strings.Join(strings.Fields(w.Body.String()), ""), `"application/x-www-form-urlencoded":{"example":{"a":"1"}`) {
		t.Error("the example of the form is not an object of its fields")
	}
	if code := post("application/json", "{}"); code != 415 {
		t.Errorf("JSON where a form is read: %d", code)
	}
}

// TestUndocumentedBodiesAreBounded: a route that says nothing about a body cannot be fed without end.
func TestUndocumentedBodiesAreBounded(t *testing.T) {
	s := one(t, web.Route{Method: "POST", Path: "/one", Handle: func(_ http.ResponseWriter, r *http.Request) error {
		_, err := web.ReadBody(r)
		return err
	}})
	r := httptest.NewRequest("POST", "/one", struct{ *strings.Reader }{strings.NewReader(strings.Repeat("x", 200))})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d", w.Code)
	}
}

func TestNegativeTimeoutIsNone(t *testing.T) {
	s := one(t, web.Route{Method: "GET", Path: "/one", Timeout: -1, Handle: func(_ http.ResponseWriter, r *http.Request) error {
		if _, limited := r.Context().Deadline(); limited {
			t.Error("there is a deadline")
		}
		return nil
	}})
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/one", nil))
}

// TestCancelled: a request that is cancelled, by a caller that left or by a server that stops, is not answered as if it were done, and
// it is not a failure of ours.
func TestCancelled(t *testing.T) {
	f := newFixture(t)
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "GET", "/closed/slow", nil)
	r.Header.Set("Authorization", "Bearer good")
	go func() { <-f.in; leave() }()
	w := httptest.NewRecorder()
	func() {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("the connection is not cut (%v): the caller reads a %d", p, w.Code)
			}
		}()
		f.ServeHTTP(w, r)
	}()
	if w.Body.Len() != 0 || !strings.Contains(f.logs.String(), "status=499") || strings.Contains(f.logs.String(), "level=ERROR") {
		t.Errorf("body %q, log:\n%s", w.Body, f.logs)
	}
}

// TestWebSocket upgrades through the complete chain and stops with the server.
func TestWebSocket(t *testing.T) {
	upgrader := websocket.Upgrader{}
	s := one(t, web.Route{Method: "GET", Path: "/one", Stream: true, Handle: func(w http.ResponseWriter, r *http.Request) error {
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return nil
		}
		defer func() { _ = conn.Close() }()
		<-web.Stopping(r.Context())
		return conn.WriteMessage(websocket.TextMessage, []byte("goodbye "+web.RequestID(r.Context())))
	}})
	addr, err := s.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve() }()
	conn, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+addr.String()+"/one", http.Header{"X-Request-Id": {"ws-1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = conn.Close(), resp.Body.Close() }()
	if err := s.Shutdown(t.Context()); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if _, text, err := conn.ReadMessage(); err != nil || string(text) != "goodbye ws-1" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestContextWithCaller(t *testing.T) {
	ctx := web.ContextWithCaller(t.Context(), &web.Caller{UserID: "u9"})
	derived, cancel := context.WithCancel(ctx)
	defer cancel()
	if c := web.CallerFrom(derived); c == nil || c.UserID != "u9" {
		t.Errorf("caller %v", c)
	}
	if web.CallerFrom(t.Context()) != nil || web.Stopping(t.Context()) != nil || web.RequestID(t.Context()) != "" {
		t.Error("a context without request has something of one")
	}
}

type greeting string

func (g greeting) AppendJSON(dst []byte) []byte { return append(append(append(dst, '"'), g...), '"') }

func TestWriteJSON(t *testing.T) {
	for want, v := range map[string]any{
		`"hello"` + "\n":           greeting("hello"),
		`{"raw": 1.0}`:             json.RawMessage(`{"raw": 1.0}`),
		`{"a":"<é>&"}` + "\n":      map[string]string{"a": "<é>&"},
		`{"text":"x"}` + "\n":      note{Text: "x"},
		"[" + `null,1e+30` + "]\n": []any{nil, 1e30},
	} {
		w := httptest.NewRecorder()
		if err := web.WriteJSON(w, http.StatusAccepted, v); err != nil || w.Body.String() != want || w.Code != http.StatusAccepted {
			t.Errorf("%d %q, %v; want %q", w.Code, w.Body, err, want)
		}
		if got := w.Header().Get("Content-Length"); got != strconv.Itoa(len(want)) {
			t.Errorf("length %s of %q", got, want)
		}
	}
	w := httptest.NewRecorder()
	if err := web.WriteJSON(w, http.StatusOK, math.NaN()); fault.KindOf(err) != fault.Internal || err == nil || w.Body.Len() > 0 || len(w.Header()) > 0 {
		t.Errorf("NaN: %v, wrote %q", err, w.Body)
	}
}
