package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"edict/platform/heap"
	"edict/platform/web"
)

// weighed is a server whose requests share a budget: POST echoes a body, GET answers with n bytes.
func weighed(t *testing.T, budget *heap.Budget) *web.Server {
	t.Helper()
	echo := func(w http.ResponseWriter, r *http.Request) error {
		body, err := web.ReadBody(r)
		if err != nil {
			return err
		}
		return web.WriteJSON(w, http.StatusOK, len(body))
	}
	answer := func(w http.ResponseWriter, r *http.Request) error {
		return web.WriteJSON(w, http.StatusOK, strings.Repeat("x", 3<<20))
	}
	s, err := web.New(web.Options{Listen: "127.0.0.1:0", CompressFrom: 1 << 30}, web.Service{
		Name: "weighed", Prefixes: []string{"/"}, Access: web.NoCaller, MaxBody: 16 << 20, Memory: budget, Routes: []web.Route{
			{Method: "POST", Path: "/", Policy: web.Public, Handle: echo, Doc: bodyDoc("Echo")},
			{Method: "GET", Path: "/large", Policy: web.Public, Handle: answer, Doc: doc("Large")},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(s *web.Server, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// TestMemoryIsShared: bodies and answers are weighed, given back when a request ends, and refused while others hold what
// there is; small ones find the part that is kept for them.
func TestMemoryIsShared(t *testing.T) {
	budget := heap.NewBudget(16 << 20)
	s := weighed(t, budget)
	for range 3 {
		for _, w := range []*httptest.ResponseRecorder{ask(s, "POST", "/", strings.Repeat(" ", 8<<20)), ask(s, "GET", "/large", "")} {
			if w.Code != http.StatusOK || budget.Used() != 0 {
				t.Fatalf("%d %.100s, %d bytes are held afterwards", w.Code, w.Body, budget.Used())
			}
		}
	}
	others := budget.Share(0)
	if err := others.Take(14 << 20); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*httptest.ResponseRecorder{ask(s, "POST", "/", strings.Repeat(" ", 3<<20)), ask(s, "GET", "/large", "")} {
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), "try again") {
			t.Errorf("while others hold the memory: %d %v %s", w.Code, w.Header(), w.Body)
		}
	}
	if w := ask(s, "POST", "/", strings.Repeat(" ", 1<<19)); w.Code != http.StatusOK {
		t.Errorf("a small one: %d %s", w.Code, w.Body)
	}
	others.Close()
	if w := ask(s, "POST", "/", strings.Repeat(" ", 15<<20)); w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "--limits-memory") {
		t.Errorf("more than there can be: %d %s", w.Code, w.Body)
	}
	if budget.Used() != 0 {
		t.Errorf("%d bytes are held at the end", budget.Used())
	}
}

// TestSlowReaderHoldsMemory: an answer is weighed as long as its client does not read it.
func TestSlowReaderHoldsMemory(t *testing.T) {
	budget := heap.NewBudget(16 << 20)
	s := weighed(t, budget)
	client, server := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		w := &pipeWriter{ResponseRecorder: httptest.NewRecorder(), to: server}
		s.ServeHTTP(w, httptest.NewRequest("GET", "/large", nil))
		server.Close()
	}()
	in := bufio.NewReader(client)
	if _, err := in.ReadByte(); err != nil {
		t.Fatal(err)
	}
	if used := budget.Used(); used < 3<<20 {
		t.Errorf("%d bytes are held while the client reads, want all of the answer", used)
	}
	n, err := io.Copy(io.Discard, in)
	if <-served; err != nil || n < 3<<20 || budget.Used() != 0 {
		t.Error(fmt.Errorf("read %d bytes (%w), %d are held afterwards", n, err, budget.Used()))
	}
}

// pipeWriter writes the body of an answer to somebody who may not read.
type pipeWriter struct {
	*httptest.ResponseRecorder
	to io.Writer
}

func (w *pipeWriter) Write(p []byte) (int, error) { return w.to.Write(p) }
