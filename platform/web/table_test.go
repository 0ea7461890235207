package web

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// TestRoutes: which route answers, and what is told where none does.
func TestRoutes(t *testing.T) {
	var seen *http.Request
	route := func(method, path string) Route {
		return Route{Method: method, Path: path, Policy: Public, Handle: func(w http.ResponseWriter, r *http.Request) error {
			seen = r
			w.WriteHeader(http.StatusNoContent)
			return nil
		}, Doc: Doc{ID: method + path, Summary: method + path, Description: "d", Answers: []Answer{{Status: http.StatusNoContent}}}}
	}
	s, err := New(Options{}, Service{Name: "all", Prefixes: []string{"/", "/a"}, Access: NoCaller, TrailingSlash: true, Routes: []Route{
		route("GET", "/{$}"), route("GET", "/a"), route("POST", "/a"), route("PUT", "/{any}"), route("GET", "/a/{b}"), route("GET", "/a/b"), route("GET", "/sub/"), route("GET", "/a/x y"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]string{
		"GET /": "GET /{$}", "GET /a": "GET /a", "POST /a": "POST /a", "GET /a/b": "GET /a/b", "GET /sub/": "GET /sub/", "GET /a/x%20y": "GET /a/x y", "GET /a?q=1": "GET /a",
		"HEAD /a": "GET /a", "PUT /a": "405 GET, HEAD, OPTIONS, POST", "PUT /b": "PUT /{any}", "GET /a/": "GET /a/{$}", "GET /a/c": "GET /a/{b}", "GET /%61": "GET /a", "GET /a/%62": "GET /a/b", "GET /sub/x": "GET /sub/",
		"PUT /a%2Fb": "PUT /{any}", "DELETE /a": "405 GET, HEAD, OPTIONS, POST", "OPTIONS /a/b": "204 GET, HEAD, OPTIONS", "POST /sub/x": "405 GET, HEAD, OPTIONS",
		"GET /b/c": "404 ", "GET /a//b": "404 ", "GET /a/../a": "404 ", "CONNECT /a": "405 GET, HEAD, OPTIONS, POST",
	} {
		t.Run(target, func(t *testing.T) {
			method, path, _ := strings.Cut(target, " ")
			w := httptest.NewRecorder()
			seen = nil
			s.ServeHTTP(w, httptest.NewRequest(method, path, nil))
			got := strconv.Itoa(w.Code) + " " + w.Header().Get("Allow")
			if seen != nil {
				got = seen.Pattern
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestSameOrigin: a request of no other origin gets from the short way what it gets from the CORS library.
func TestSameOrigin(t *testing.T) {
	for name, c := range map[string]*CORS{
		"any":   AnyOrigin(),
		"named": {Origins: []string{"https://*.example"}, Credentials: true, Expose: []string{"ETag"}},
	} {
		for _, headers := range []http.Header{{}, {"Access-Control-Request-Method": {"POST"}}, {"Origin": {""}}, {"Origin": {"https://a.example"}}} {
			for _, method := range []string{"GET", "POST", "OPTIONS"} {
				r := &http.Request{Method: method, Header: headers}
				if !sameOrigin(r) {
					continue
				}
				w := httptest.NewRecorder()
				c.compile().HandlerFunc(w, r)
				if want := (http.Header{"Vary": varyOrigin}); !reflect.DeepEqual(w.Header(), want) || preflight(r) {
					t.Errorf("%s: %s %v: the library answers %v", name, method, headers, w.Header())
				}
			}
		}
	}
}
