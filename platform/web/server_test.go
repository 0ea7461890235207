package web_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"edict/platform/web"
)

func adminGet(t *testing.T, f *fixture, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	f.Admin().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	if w.Code != http.StatusOK {
		t.Errorf("admin %s: %d", path, w.Code)
	}
	return w.Body.String()
}

// start serves the fixture on a free port and returns its URL and what Serve returned in the end.
func (f *fixture) start(t *testing.T) (url string, served <-chan error) {
	t.Helper()
	addr, err := f.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- f.Serve() }()
	return "http://" + addr.String(), done
}

func get(t *testing.T, client *http.Client, url string, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer good")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestAdminListenerChecksHost: the server's own admin listener rejects a page that rebinds its domain to this machine.
func TestAdminListenerChecksHost(t *testing.T) {
	f := newFixture(t, func(o *web.Options) { o.AdminListen = "127.0.0.1:0" })
	_, served := f.start(t)
	for host, want := range map[string]int{f.AdminAddr().String(): http.StatusOK, "evil.example": http.StatusMisdirectedRequest} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+f.AdminAddr().String()+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host, r.Close = host, true
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if _ = resp.Body.Close(); resp.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, resp.StatusCode, want)
		}
	}
	if err := errors.Join(f.Shutdown(t.Context()), <-served); err != nil {
		t.Error(err)
	}
}

// TestShutdownDrains: a request and a stream are open when the server stops; the stream is told, the
// request finishes, nothing is left running.
func TestShutdownDrains(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := newFixture(t, func(o *web.Options) { o.AdminListen = "127.0.0.1:0" })
	url, served := f.start(t)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()

	stream := get(t, client, url+"/closed/stream")
	<-f.in
	type result struct {
		body string
		err  error
	}
	slow := make(chan result, 1)
	go func() {
		r, _ := http.NewRequest("GET", url+"/closed/slow", nil)
		r.Header.Set("Authorization", "Bearer good")
		resp, err := client.Do(r)
		if err != nil {
			slow <- result{err: err}
			return
		}
		defer func() { _ = resp.Body.Close() }()
		b, err := io.ReadAll(resp.Body)
		slow <- result{string(b), err}
	}()
	<-f.in

	stopped := make(chan error, 1)
	go func() { stopped <- f.Shutdown(context.Background()) }()
	if got := readAll(t, stream.Body); got != "data: u1\n\ndata: goodbye\n\n" {
		t.Errorf("the stream said %q", got)
	}
	select {
	case err := <-stopped:
		t.Fatalf("stopped before the request was answered: %v", err)
	default:
	}
	close(f.gate)
	if r := <-slow; r.err != nil || strings.TrimSpace(r.body) != `{"text":"done"}` {
		t.Errorf("the slow request got %q, %v", r.body, r.err)
	}
	if err := <-stopped; err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if err := <-served; err != nil {
		t.Errorf("serve: %v", err)
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(url, "http://")); err == nil {
		t.Error("the listener is still open")
	}
}

func TestShutdownGivesUp(t *testing.T) {
	f := newFixture(t)
	url, served := f.start(t)
	failed := make(chan error, 1)
	go func() {
		r, _ := http.NewRequest("GET", url+"/closed/slow", nil)
		r.Header.Set("Authorization", "Bearer good")
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			err = resp.Body.Close()
		}
		failed <- err
	}()
	<-f.in
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("shutdown: %v", err)
	}
	if err := <-failed; err == nil {
		t.Error("the request was answered although it was cut")
	}
	if err := <-served; err != nil {
		t.Errorf("serve: %v", err)
	}
}

func TestRun(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan net.Addr, 1)
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx, func(a net.Addr) { ready <- a }) }()
	resp := get(t, http.DefaultClient, "http://"+(<-ready).String()+"/healthz")
	if resp.StatusCode != http.StatusOK {
		t.Errorf("health: %d", resp.StatusCode)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("run: %v", err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	g := newFixture(t, func(o *web.Options) { o.Listen = taken.Addr().String() })
	if err := g.Run(t.Context(), nil); err == nil {
		t.Error("a taken port is no error")
	}
}

func TestHandlerDeadline(t *testing.T) {
	f := newFixture(t, func(o *web.Options) { o.HandlerTimeout = time.Millisecond })
	if got := f.do("GET", "/closed/slow", ""); got.Code != http.StatusServiceUnavailable || !strings.Contains(got.Body.String(), "took longer than 1ms") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}

// TestHandlerDeadlineOfAConnection: the deadline holds as well for what is answered before net/http gets the connection.
func TestHandlerDeadlineOfAConnection(t *testing.T) {
	for _, timeout := range []time.Duration{time.Millisecond, 400 * time.Millisecond} {
		f := newFixture(t, func(o *web.Options) { o.HandlerTimeout = timeout })
		url, served := f.start(t)
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		for _, connection := range []string{"keep-alive", "close"} { // which makes it net/http's
			answer := get(t, client, url+"/closed/slow", "Connection: "+connection)
			<-f.in
			if body := readAll(t, answer.Body); answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "took longer than "+timeout.String()) {
				t.Errorf("%d %s", answer.StatusCode, body)
			}
		}
		if err := errors.Join(f.Shutdown(t.Context()), <-served); err != nil {
			t.Error(err)
		}
	}
}

// TestStreamOutlivesDeadlines lets the deadlines of the server pass while a stream is open.
func TestStreamOutlivesDeadlines(t *testing.T) {
	f := newFixture(t, func(o *web.Options) {
		o.ReadTimeout, o.WriteTimeout, o.HandlerTimeout = 20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond
	})
	url, _ := f.start(t)
	resp := get(t, &http.Client{Transport: &http.Transport{}}, url+"/closed/stream", "Accept-Encoding: gzip")
	<-f.in
	lines := bufio.NewReader(resp.Body)
	if first, _ := lines.ReadString('\n'); first != "data: u1\n" {
		t.Errorf("first line %q", first)
	}
	passed := time.NewTimer(60 * time.Millisecond)
	<-passed.C
	go func() { _ = f.Shutdown(context.Background()) }()
	if rest := readAll(t, lines); !strings.Contains(rest, "goodbye") {
		t.Errorf("the stream was cut: %q", rest)
	}
}

// TestAnswersOfSlowRoutesAreCut: a route whose work may take longer than an answer gives the answer no more time than others do.
func TestAnswersOfSlowRoutesAreCut(t *testing.T) {
	for name, protocols := range map[string]func(*http.Protocols){
		"HTTP/1.1": func(p *http.Protocols) { p.SetHTTP1(true) },
		"HTTP/2":   func(p *http.Protocols) { p.SetUnencryptedHTTP2(true) },
	} {
		t.Run(name, func(t *testing.T) {
			cut := make(chan error, 1)
			endless := func(w http.ResponseWriter, _ *http.Request) error {
				for {
					if _, err := w.Write(make([]byte, 1<<10)); err != nil {
						cut <- err
						return nil
					}
				}
			}
			server, err := web.New(web.Options{Listen: "127.0.0.1:0", Logger: slog.New(slog.DiscardHandler), WriteTimeout: 50 * time.Millisecond, HandlerTimeout: time.Hour}, web.Service{
				Name: "open", Prefixes: []string{"/open"}, Access: web.NoCaller,
				Routes: []web.Route{{Method: "GET", Path: "/open/endless", Policy: web.Public, Handle: endless, Doc: doc("An endless answer")}},
			})
			if err != nil {
				t.Fatal(err)
			}
			url, _ := (&fixture{Server: server}).start(t)
			client := &http.Client{Transport: &http.Transport{Protocols: new(http.Protocols)}, Timeout: 20 * time.Second} // so that a test that hangs ends
			protocols(client.Transport.(*http.Transport).Protocols)
			_, err = io.Copy(io.Discard, get(t, client, url+"/open/endless").Body)
			if late, ok := errors.AsType[net.Error](err); err == nil || ok && late.Timeout() {
				t.Errorf("the answer ended with %v", err)
			}
			<-cut
			if err := server.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTickets(t *testing.T) {
	f := newFixture(t)
	url, _ := f.start(t)
	defer func() { _ = f.Shutdown(context.Background()) }()
	client := &http.Client{Transport: &http.Transport{}}
	resp := get(t, client, url+"/closed/stream?ticket=ticket-good", "Authorization: ")
	<-f.in
	if resp.StatusCode != http.StatusOK {
		t.Errorf("a good ticket: %d", resp.StatusCode)
	}
	for _, target := range []string{"/closed/stream?ticket=ticket-bad", "/closed/stream?ticket=", "/closed/name/a?ticket=ticket-good"} {
		if got := f.do("GET", target, "", "Authorization: "); got.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d", target, got.Code)
		}
	}
}

func TestPanicAfterTheAnswerBegan(t *testing.T) {
	f := newFixture(t)
	url, _ := f.start(t)
	defer func() { _ = f.Shutdown(context.Background()) }()
	resp := get(t, http.DefaultClient, url+"/closed/late")
	if _, err := io.ReadAll(resp.Body); err == nil {
		t.Error("half an answer looks complete")
	}
}

func TestCompression(t *testing.T) {
	f := newFixture(t)
	plain := f.do("GET", "/open/big", "")
	zipped := f.do("GET", "/open/big", "", "Accept-Encoding: gzip")
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() >= plain.Body.Len()/4 {
		t.Fatalf("encoding %q, %d of %d bytes", zipped.Header().Get("Content-Encoding"), zipped.Body.Len(), plain.Body.Len())
	}
	r, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	if readAll(t, r) != plain.Body.String() {
		t.Error("the compressed answer is another one")
	}
	for _, answer := range []*httptest.ResponseRecorder{plain, zipped} {
		if v := strings.Join(answer.Header().Values("Vary"), ", "); !strings.Contains(v, "Accept-Encoding") {
			t.Errorf("vary is %q", v)
		}
	}
	for _, target := range []string{"/closed/name/a", "/closed/nothing", "/closed/panic"} {
		if enc := f.do("GET", target, "", "Accept-Encoding: gzip").Header().Get("Content-Encoding"); enc != "" {
			t.Errorf("%s: a small answer is encoded as %q", target, enc)
		}
	}
	if got := f.do("GET", "/closed/panic", "", "Accept-Encoding: gzip"); got.Code != 500 || !strings.Contains(got.Body.String(), "internal error") {
		t.Errorf("a panic behind the compressor: %d %s", got.Code, got.Body)
	}
}

func TestChunkedBodyIsBounded(t *testing.T) {
	f := newFixture(t)
	url, _ := f.start(t)
	defer func() { _ = f.Shutdown(context.Background()) }()
	body := io.MultiReader(strings.NewReader(`{"text":"`), strings.NewReader(strings.Repeat("x", 200<<10)), strings.NewReader(`"}`))
	r, _ := http.NewRequestWithContext(t.Context(), "POST", url+"/closed/notes", struct{ io.Reader }{body})
	r.Header.Set("Authorization", "Bearer good")
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if got := readAll(t, resp.Body); resp.StatusCode != 413 || !strings.Contains(got, "larger than 1 KiB") {
		t.Errorf("%d %s", resp.StatusCode, got)
	}
}

// TestLargeBodyOfASimpleClient: a client that sends everything before it reads must find the 413, not a
// broken connection.
func TestLargeBodyOfASimpleClient(t *testing.T) {
	f := newFixture(t)
	url, _ := f.start(t)
	defer func() { _ = f.Shutdown(context.Background()) }()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	const size = 20 << 20
	_, err = fmt.Fprintf(conn, "POST /closed/notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", size)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Write(make([]byte, size)); err != nil {
		t.Fatalf("cut after %d bytes: %v", n, err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusRequestEntityTooLarge || !resp.Close {
		t.Errorf("%d, connection closes: %v", resp.StatusCode, resp.Close)
	}
}

func TestHTTP2(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	first := writeCertificate(t, cert, key, time.Unix(1000, 0))
	f := newFixture(t, func(o *web.Options) { o.TLS = web.TLS{CertFile: cert, KeyFile: key} })
	url, _ := f.start(t)
	defer func() { _ = f.Shutdown(context.Background()) }()
	pool := x509.NewCertPool()
	pool.AddCert(first)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	if resp := get(t, client, strings.Replace(url, "http", "https", 1)+"/healthz"); resp.ProtoMajor != 2 || resp.StatusCode != 200 {
		t.Errorf("over TLS: %s %d", resp.Proto, resp.StatusCode)
	}

	g := newFixture(t)
	url, _ = g.start(t)
	defer func() { _ = g.Shutdown(context.Background()) }()
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	clear := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	if resp := get(t, clear, url+"/closed/name/a%2Fb"); resp.ProtoMajor != 2 || resp.StatusCode != 200 {
		t.Errorf("in the clear: %s %d", resp.Proto, resp.StatusCode)
	}
}

func writeCertificate(t *testing.T, certFile, keyFile string, stamp time.Time) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(stamp.Unix()), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "EC PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, stamp, stamp); err != nil {
			t.Fatal(err)
		}
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}
