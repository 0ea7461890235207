package http1

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain waits for what the tests left running, but not for net/http, which sleeps before it closes some connections.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// pair is a Server with net/http behind it for HTTP/2, as platform/web runs them.
type pair struct {
	front *Server
	back  *http.Server
	addr  string
	wg    sync.WaitGroup
}

func startPair(t *testing.T, h http.Handler, change func(*Server)) *pair {
	t.Helper()
	l := listen(t)
	p := &pair{addr: l.Addr().String(), back: netHTTP(h)}
	p.front = &Server{
		Handle: func(ctx context.Context, w http.ResponseWriter, r *http.Request) { h.ServeHTTP(w, r.WithContext(ctx)) }, Kind: kind, Log: slog.New(slog.DiscardHandler),
		HeadTimeout: time.Minute, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: time.Minute, MaxHead: maxHead,
	}
	if change != nil {
		change(p.front)
	}
	http2 := p.front.HTTP2(l.Addr())
	p.wg.Go(func() { _ = p.front.Serve(l) })
	p.wg.Go(func() { _ = p.back.Serve(http2) })
	t.Cleanup(func() {
		_ = p.front.Close()
		_ = p.back.Close()
		p.wg.Wait()
	})
	return p
}

const maxHead = 16 << 10

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func netHTTP(h http.Handler) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler: h, Protocols: protocols, MaxHeaderBytes: maxHead, ReadHeaderTimeout: time.Minute, DisableGeneralOptionsHandler: true,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0),
	}
}

// startNetHTTP starts what the package is held against.
func startNetHTTP(t *testing.T, h http.Handler) *pair {
	t.Helper()
	l := listen(t)
	p := &pair{addr: l.Addr().String(), back: netHTTP(h)}
	p.back.Protocols.SetUnencryptedHTTP2(false) // else it waits for a preface when a request is shorter than one
	p.wg.Go(func() { _ = p.back.Serve(l) })
	t.Cleanup(func() {
		_ = p.back.Close()
		p.wg.Wait()
	})
	return p
}

func (p *pair) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", p.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second)) // so that a test that hangs ends
	return c
}

// kind tells by the path how a test wants its request served.
func kind(path string) Kind {
	switch {
	case strings.HasPrefix(path, "/watched"):
		return Watched
	case strings.HasPrefix(path, "/stream"):
		return Stream
	}
	return Short
}

// handler answers in all the ways there are, and says what it saw.
func handler(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/watched")
	switch path {
	case "/echo":
		body, err := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "%s %s %s %v %d %q %v", r.Method, r.RequestURI, r.Host, r.Header, r.ContentLength, body, err)
	case "/declared":
		w.Header().Set("Content-Length", "5")
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, "he")
		io.WriteString(w, "llo")
	case "/untyped":
		io.WriteString(w, "<html><body>x")
	case "/large":
		for i := range 1000 {
			fmt.Fprintf(w, "%0100d", i)
		}
	case "/largedeclared":
		w.Header().Set("Content-Length", "100000")
		for i := range 1000 {
			fmt.Fprintf(w, "%0100d", i)
		}
	case "/flushed":
		io.WriteString(w, "a")
		http.NewResponseController(w).Flush()
		io.WriteString(w, "b")
	case "/flushedfirst":
		http.NewResponseController(w).Flush()
		io.WriteString(w, "b")
	case "/empty":
	case "/declaredempty":
		w.Header().Set("Content-Length", "0")
	case "/nocontent":
		w.WriteHeader(http.StatusNoContent)
		_, err := io.WriteString(w, "x")
		if !errors.Is(err, http.ErrBodyNotAllowed) {
			panic("a body was allowed")
		}
	case "/notmodified":
		w.Header().Set("Etag", `"x"`)
		w.WriteHeader(http.StatusNotModified)
	case "/short":
		w.Header().Set("Content-Length", "5")
		io.WriteString(w, "he")
	case "/much":
		w.Header().Set("Content-Length", "2")
		_, err := io.WriteString(w, "hello")
		if !errors.Is(err, http.ErrContentLength) {
			panic("too much was allowed")
		}
	case "/close":
		w.Header().Set("Connection", "close")
		io.WriteString(w, "bye")
	case "/injected":
		w.Header().Set("X-Text", "a\r\nX-Evil: b")
		w.Header().Set("X-Line", "a\nX-Evil: b")
		w.Header().Set("X-Return", "a\rX-Evil: b")
		w.Header()["X Bad"] = []string{"c"}
		w.Header()["X-Twice"] = []string{"1", "2"}
		w.Header().Set("X-0-9-a-Z_", "d")
	case "/abort":
		panic(http.ErrAbortHandler)
	case "/panic":
		panic("oops")
	default:
		http.Error(w, "no", http.StatusNotFound)
	}
}

func request(method, path, rest string) string {
	return method + " " + path + " HTTP/1.1\r\nHost: a\r\n" + rest + "\r\n"
}

func post(path, body string) string {
	return request("POST", path, fmt.Sprintf("Content-Length: %d\r\n", len(body))) + body
}

// talk sends text and reads answers until the connection ends or as many as asked for came. An answer is
// written in words, without what may differ: the date.
func talk(t *testing.T, p *pair, text string, answers int) []string {
	t.Helper()
	c := p.dial(t)
	go func() { _, _ = io.WriteString(c, text) }()
	in := bufio.NewReader(c)
	var got []string
	for range answers {
		method := http.MethodGet
		if strings.HasPrefix(text, "HEAD") {
			method = http.MethodHead
		}
		r, err := http.ReadResponse(in, &http.Request{Method: method})
		if err != nil {
			return append(got, "end of connection")
		}
		body, err := io.ReadAll(r.Body)
		date, dateErr := http.ParseTime(r.Header.Get("Date"))
		hasDate := dateErr == nil && time.Since(date).Abs() < time.Minute
		r.Header.Del("Date")
		got = append(got, fmt.Sprintf("%s %v date %v length %d %v close %v %q %v", r.Status, r.Header, hasDate, r.ContentLength, r.TransferEncoding, r.Close, body, err))
		if err != nil || r.Close {
			break
		}
	}
	return got
}

func answer(t *testing.T, in *bufio.Reader, want string) {
	t.Helper()
	r, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(r.Body); err != nil || !strings.Contains(string(body), want) {
		t.Fatalf("got %q, %v; want %s", body, err, want)
	}
}
