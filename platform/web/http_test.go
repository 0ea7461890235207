package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"edict/platform/fault"
	"edict/platform/web"
)

// TestPathSegments: what a client escapes in a segment reaches the handler decoded exactly once.
func TestPathSegments(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{
		"plain", "u1#news", "a/b", "100%", "%23", "%2F", "%252F", "é", "日本", "a b", "a+b", "a?b=c", "..", ".", "a/../b", "{name}", `"<&>`, "😀",
	} {
		for _, target := range []string{"/closed/name/" + segment(name), "/closed/name/" + segment(name) + "/tail"} {
			got := f.do("GET", target, "")
			var body struct{ Name string }
			if err := json.Unmarshal(got.Body.Bytes(), &body); err != nil || got.Code != http.StatusOK || body.Name != name {
				t.Errorf("%s: %d %s, want the name %q", target, got.Code, got.Body, name)
			}
		}
	}
}

// segment escapes a name as a client must, dots included.
func segment(name string) string {
	return strings.ReplaceAll(url.PathEscape(name), ".", "%2e")
}

func TestPathsDoNotRedirect(t *testing.T) {
	f := newFixture(t)
	for _, target := range []string{
		"/closed/name/..", "/closed/name/.", "/closed/name/../notes", "/closed//notes", "//closed/notes", "/closed/./notes", "/closed/name/a/..", "/open/../closed/notes", "/closed/name/", "/closed/notes/.",
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			got := f.do(method, target, "")
			if got.Code != http.StatusNotFound || got.Header().Get("Location") != "" {
				t.Errorf("%s %s: %d to %q", method, target, got.Code, got.Header().Get("Location"))
			}
		}
	}
	if got := f.do("GET", "/closed/../open/nothing", "", "Authorization: "); got.Code != http.StatusUnauthorized {
		t.Errorf("a path that starts in a closed service answers %d without a token", got.Code)
	}
	for _, name := range []string{"...", ".a", "..a", "a..", "a."} {
		if got := f.do("GET", "/closed/name/"+name, ""); got.Code != http.StatusOK {
			t.Errorf("the name %q answers %d", name, got.Code)
		}
	}
}

func TestHeaders(t *testing.T) {
	f := newFixture(t)
	cases := []struct {
		name, method, target string
		headers              []string
		status               int
		want                 map[string]string // "": absent
	}{
		{"every answer", "GET", "/healthz", nil, 200, map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Access-Control-Allow-Origin": ""}},
		{"pages", "GET", "/docs", nil, 200, map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache"}},
		{"a caller's answer", "GET", "/closed/name/a", nil, 200, map[string]string{"Cache-Control": "no-store"}},
		{"a caller's other answer", "GET", "/open/big", nil, 200, map[string]string{"Cache-Control": "no-store"}},
		{"an answer without a caller", "GET", "/open/big", []string{"Authorization: "}, 200, map[string]string{"Cache-Control": ""}},
		{"a cookie's answer", "GET", "/open/cookie", []string{"Authorization: "}, 200, map[string]string{"Cache-Control": "no-store"}},
		{"no token", "GET", "/closed/name/a", []string{"Authorization: "}, 401, map[string]string{"WWW-Authenticate": `Bearer error="invalid_token"`}},
		{"allow", "GET", "/closed/notes", nil, 405, map[string]string{"Allow": "OPTIONS, POST, PUT"}},
		{"allow of a name", "PUT", "/closed/name/x", nil, 405, map[string]string{"Allow": "GET, HEAD, OPTIONS"}},
		{"allow beside a name", "OPTIONS", "/closed/name/all", nil, 204, map[string]string{"Allow": "OPTIONS, POST"}},
		{"method of another path", "GET", "/closed/name/all", nil, 405, map[string]string{"Allow": "OPTIONS, POST"}},
		{"allow of a stream", "POST", "/closed/stream", nil, 405, map[string]string{"Allow": "GET, OPTIONS"}},
		{"options", "OPTIONS", "/closed/notes", nil, 204, map[string]string{"Allow": "OPTIONS, POST, PUT"}},
		{"options of nothing", "OPTIONS", "/closed/nothing", nil, 404, map[string]string{"Allow": ""}},
		{"options of a trailing slash", "OPTIONS", "/open/compute/", nil, 204, map[string]string{"Allow": "OPTIONS, POST"}},
		{"head", "HEAD", "/closed/name/a", nil, 200, map[string]string{"Content-Length": "25"}},
		{"head of a stream", "HEAD", "/closed/stream", nil, 405, map[string]string{"Allow": "GET, OPTIONS"}},
		{"retry", "GET", "/closed/fail", nil, 503, map[string]string{"Retry-After": "7"}},
		{"request id kept", "GET", "/healthz", []string{"X-Request-Id: abc-1.2:3_D"}, 200, map[string]string{"X-Request-Id": "abc-1.2:3_D"}},
		{"any origin", "GET", "/open/big", []string{"Origin: https://page.example"}, 200, map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Credentials": ""}},
		{"any origin, unknown path", "GET", "/open/nothing", []string{"Origin: https://page.example"}, 404, map[string]string{"Access-Control-Allow-Origin": "*"}},
		{"no origin", "GET", "/open/big", nil, 200, map[string]string{"Access-Control-Allow-Origin": ""}},
		{"preflight", "OPTIONS", "/open/compute", []string{"Origin: https://page.example", "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type", "Authorization: "}, 204, map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "content-type"}},
		{"preflight of a closed service", "OPTIONS", "/closed/notes", []string{"Origin: https://page.example", "Access-Control-Request-Method: POST", "Authorization: "}, 401, map[string]string{"Access-Control-Allow-Origin": ""}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := f.do(c.method, c.target, "", c.headers...)
			if got.Code != c.status {
				t.Errorf("status %d, want %d: %s", got.Code, c.status, got.Body)
			}
			for name, want := range c.want {
				if value := got.Header().Get(name); value != want {
					t.Errorf("%s is %q, want %q", name, value, want)
				}
			}
		})
	}
	for _, bad := range []string{"", "a b", strings.Repeat("x", 65), "x\"y", "é"} {
		if id := f.do("GET", "/healthz", "", "X-Request-Id: "+bad).Header().Get("X-Request-Id"); id == bad || len(id) != 13 {
			t.Errorf("the request id %q became %q", bad, id)
		}
	}
}

// TestTwoOrigins refuses what one part of the way might read as the one origin and another as the other.
func TestTwoOrigins(t *testing.T) {
	f := newFixture(t)
	for _, target := range []string{"GET /open/big", "GET /closed/name/a", "OPTIONS /open/compute", "GET /healthz"} {
		method, path, _ := strings.Cut(target, " ")
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Authorization", "Bearer good")
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header["Origin"] = []string{"https://page.example", "https://other.example"}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != http.StatusBadRequest || w.Header().Get("Access-Control-Allow-Origin") != "" || !strings.Contains(w.Body.String(), "Origin") {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

func TestLogs(t *testing.T) {
	f := newFixture(t)
	f.do("GET", "/closed/name/a?ticket=SECRET1&token=SECRET1", "", "X-Request-Id: first")
	f.do("POST", "/closed/notes?x=SECRET2", `{"text":"SECRET3"}`, "Authorization: Bearer SECRET4")
	f.do("POST", "/closed/notes", `{"text":"SECRET5"`)
	f.do("GET", "/closed/fail", "")
	f.do("GET", "/closed/panic", "")
	logs := f.logs.String()
	if strings.Contains(logs, "SECRET") {
		t.Errorf("a secret is in the log:\n%s", logs)
	}
	for _, want := range []string{
		`level=INFO msg=request id=first method=GET path=/closed/name/a route="GET /closed/name/{name}" status=200 bytes=25`, "user=u1",
		"disk /secret/path is full", "panic: secret of the house", "serve_test.go", `level=ERROR msg="request failed"`,
	} {
		if !strings.Contains(logs, want) {
			t.Errorf("the log lacks %q:\n%s", want, logs)
		}
	}
}

func TestAccessLogLevels(t *testing.T) {
	for level, want := range map[web.AccessLog]bool{web.LogAll: true, web.LogFailures: false, web.LogNothing: false} {
		f := newFixture(t, func(o *web.Options) { o.AccessLog = level })
		f.do("GET", "/healthz", "")
		if got := strings.Contains(f.logs.String(), "msg=request "); got != want {
			t.Errorf("level %d logs good requests: %v, want %v", level, got, want)
		}
		f.logs.Reset()
		f.do("GET", "/closed/fail", "")
		if n := strings.Count(f.logs.String(), "\n"); n != 1 {
			t.Errorf("level %d: %d lines for a failed request:\n%s", level, n, f.logs.String())
		}
		if !strings.Contains(f.logs.String(), "disk /secret/path is full") {
			t.Errorf("level %d hides the cause of a failure", level)
		}
	}
}

func TestReadiness(t *testing.T) {
	broken := errors.New("password of the database is wrong")
	state := fault.New(fault.Unavailable, "the store cannot be written")
	var first, second error
	var about map[string]string
	f := newFixture(t, func(o *web.Options) {
		o.Checks = []web.Check{
			{Name: "store", Run: func(context.Context) error { return first }},
			{Name: "legislation", Run: func(context.Context) error { return second }, About: func() map[string]string { return about }},
		}
	})
	check := func(status int, want string) {
		t.Helper()
		if got := f.do("GET", "/readyz", ""); got.Code != status || strings.TrimSpace(got.Body.String()) != want {
			t.Errorf("got %d %s, want %d %s", got.Code, got.Body, status, want)
		}
	}
	check(200, `{"status":"ok","checks":{"legislation":"ok","store":"ok"}}`)
	about = map[string]string{"version": "1"}
	check(200, `{"status":"ok","checks":{"legislation":"ok","store":"ok"},"about":{"legislation":{"version":"1"}}}`)
	about = nil
	first, second = state, broken
	check(503, `{"status":"not ready","checks":{"legislation":"internal error","store":"the store cannot be written"}}`)
	first, second = nil, nil
	if err := f.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(503, `{"status":"stopping","checks":{"legislation":"ok","store":"ok"}}`)
}

func TestAdmin(t *testing.T) {
	f := newFixture(t)
	f.do("GET", "/closed/name/a", "")
	f.do("GET", "/closed/name/b", "")
	f.do("GET", "/nowhere", "")
	metrics := adminGet(t, f, "/metrics")
	for _, want := range []string{
		`edict_http_requests_total{code="200",route="GET /closed/name/{name}"} 2`,
		`edict_http_requests_total{code="404",route="none"} 1`,
		`edict_http_request_duration_seconds_count{route="GET /closed/name/{name}"} 2`,
		"edict_http_in_flight 0", "go_goroutines",
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	if !strings.Contains(adminGet(t, f, "/debug/pprof/"), "goroutine") {
		t.Error("no profiles")
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if got := f.do("GET", path, ""); got.Code != http.StatusNotFound {
			t.Errorf("%s is public: %d", path, got.Code)
		}
	}
}

// TestTwoTokens: of two Authorization headers a proxy may have checked the other one.
func TestTwoTokens(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header["Authorization"] = []string{"Bearer good", "Bearer bad"}
	if token, ok := web.Bearer(r); ok || token != "" {
		t.Errorf("two headers give %q, %v", token, ok)
	}
}
