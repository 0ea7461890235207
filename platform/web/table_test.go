package web

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

// TestLiterals: what is answered without the mux has the pattern and the route that the mux would have found.
func TestLiterals(t *testing.T) {
	var seen *http.Request
	route := func(method, path string) Route {
		return Route{Method: method, Path: path, Policy: Public, Handle: func(w http.ResponseWriter, r *http.Request) error {
			seen = r
			w.WriteHeader(http.StatusNoContent)
			return nil
		}, Doc: Doc{ID: method + path, Summary: method + path, Description: "d", Answers: []Answer{{Status: http.StatusNoContent}}}}
	}
	s, err := New(Options{}, Service{Name: "all", Prefixes: []string{"/", "/a"}, TrailingSlash: true, Routes: []Route{
		route("GET", "/{$}"), route("GET", "/a"), route("POST", "/a"), route("PUT", "/{any}"), route("GET", "/a/{b}"), route("GET", "/a/b"), route("GET", "/sub/"), route("GET", "/a/x y"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for target, quick := range map[string]bool{
		"GET /": true, "GET /a": true, "POST /a": true, "GET /a/b": true, "GET /sub/": true, "GET /a/x%20y": true, "GET /a?q=1": true, "GET /healthz": true,
		"HEAD /a": false, "PUT /a": false, "GET /a/": false, "GET /a/c": false, "GET /%61": false, "GET /a/%62": false, "GET /sub/x": false, "DELETE /a": false,
	} {
		t.Run(target, func(t *testing.T) {
			method, path, _ := strings.Cut(target, " ")
			serve := func() (status int, pattern string) {
				w := httptest.NewRecorder()
				seen = &http.Request{}
				s.ServeHTTP(w, httptest.NewRequest(method, path, nil))
				return w.Code, seen.Pattern
			}
			u := httptest.NewRequest(method, path, nil).URL
			if got := u.RawPath == "" && s.literals[u.Path].endpoint(method) != nil; got != quick {
				t.Errorf("answered without the mux: %v", got)
			}
			status, pattern := serve()
			literals := s.literals
			s.literals = nil
			defer func() { s.literals = literals }()
			if muxStatus, muxPattern := serve(); status != muxStatus || pattern != muxPattern {
				t.Errorf("%d %q, by the mux %d %q", status, pattern, muxStatus, muxPattern)
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
