package web_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"edict/platform/fault"
	"edict/platform/heap"
	"edict/platform/web"
)

// TestLogOfRefusals: what a server refuses because it has too much to do is no error, what it cannot do is one.
func TestLogOfRefusals(t *testing.T) {
	later := func(cause error) error {
		return &fault.Error{Kind: fault.Unavailable, Message: "not now", RetryAfter: 5, Cause: cause}
	}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"the queue is full":           {later(nil), `level=WARN msg="request refused"`},
		"others use the memory":       {later(&heap.Shortage{Others: true}), `level=WARN msg="request refused"`},
		"the disk is full":            {later(errors.New("no space left on device")), `level=ERROR msg="request failed"`},
		"nobody knows when it can be": {fault.New(fault.Unavailable, "the key file is another one"), `level=ERROR msg="request failed"`},
		"a mistake of ours":           {errors.New("what is this"), `level=ERROR msg="request failed"`},
	} {
		t.Run(name, func(t *testing.T) {
			var logs bytes.Buffer
			route := web.Route{Method: "GET", Path: "/one", Policy: web.Public, Doc: doc("One"), Handle: func(http.ResponseWriter, *http.Request) error { return test.err }}
			s, err := web.New(web.Options{Listen: "127.0.0.1:0", Logger: slog.New(slog.NewTextHandler(&logs, nil))},
				web.Service{Name: "one", Prefixes: []string{"/one"}, Access: web.NoCaller, Routes: []web.Route{route}})
			if err != nil {
				t.Fatal(err)
			}
			w := httptest.NewRecorder()
			defer func() {
				if lines := strings.Count(logs.String(), "\n"); lines != 1 || !strings.Contains(logs.String(), "status=") || !strings.Contains(logs.String(), "error=") {
					t.Errorf("a failed request has %d lines, want one with status and error:\n%s", lines, logs.String())
				}
			}()
			s.ServeHTTP(w, httptest.NewRequest("GET", "/one", nil))
			if w.Code < 500 || !strings.Contains(logs.String(), test.want) || strings.Contains(test.want, "WARN") && strings.Contains(logs.String(), "ERROR") {
				t.Errorf("%d, logged:\n%s\nwant %s", w.Code, logs.String(), test.want)
			}
		})
	}
}
