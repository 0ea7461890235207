package web_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"edict/platform/web"
)

// visitor is a client with an address of its own, on this machine.
type visitor struct {
	t      *testing.T
	server string
	from   string // "": any
}

// connect opens a connection and asks something over it. It returns nil and the body of the answer when there is no room.
func (v visitor) connect(path string) (net.Conn, string) {
	v.t.Helper()
	dialer := net.Dialer{Timeout: 20 * time.Second}
	if v.from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(v.from)}
	}
	conn, err := dialer.Dial("tcp", v.server)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	_, _ = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\n\r\n", path)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, err.Error()
	}
	if resp.StatusCode == http.StatusOK {
		return conn, ""
	}
	defer func() { _ = conn.Close() }()
	body, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !resp.Close || err != nil {
		v.t.Errorf("refused with %s %v %s, %v", resp.Status, resp.Header, body, err)
	}
	return nil, string(body)
}

// eventually asks until there is room: the server learns of the end of a connection by itself.
func (v visitor) eventually(path string) {
	v.t.Helper()
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); {
		if conn, _ := v.connect(path); conn != nil {
			return
		}
	}
	v.t.Error("there is no room after a connection was closed")
}

func startLimited(t *testing.T, change func(*web.Options)) (*fixture, string) {
	t.Helper()
	f := newFixture(t, change)
	url, served := f.start(t)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // streams are cut
		_ = f.Shutdown(ctx)
		<-served
	})
	return f, strings.TrimPrefix(url, "http://")
}

// TestConnectionsOfOneAddress: an address that has as many connections as it may have is told so, others go on.
func TestConnectionsOfOneAddress(t *testing.T) {
	_, server := startLimited(t, func(o *web.Options) { o.MaxConnections, o.MaxPerAddress = 8, 3 })
	one, other := visitor{t, server, "127.0.0.1"}, visitor{t, server, "127.0.0.2"}
	first, _ := one.connect("/healthz")
	for range 2 {
		if conn, why := one.connect("/healthz"); conn == nil {
			t.Errorf("refused: %s", why)
		}
	}
	for range 3 {
		if conn, why := one.connect("/healthz"); conn != nil || !strings.Contains(why, `"message":"there are 3 connections from this address already`) {
			t.Errorf("a fourth connection: %v, %s", conn, why)
		}
	}
	if conn, why := other.connect("/healthz"); conn == nil {
		t.Errorf("another address is refused: %s", why)
	}
	_ = first.Close()
	one.eventually("/healthz")
}

// TestConnectionsOfAll: no address gets more than half, and all together no more than there is room for; streams count until they end.
func TestConnectionsOfAll(t *testing.T) {
	f, server := startLimited(t, func(o *web.Options) { o.MaxConnections, o.IdleTimeout = 4, time.Hour })
	var open []net.Conn
	for from, path := range map[string]string{"127.0.0.1": "/closed/stream", "127.0.0.2": "/healthz"} {
		for range 2 {
			conn, why := visitor{t, server, from}.connect(path)
			if conn == nil {
				t.Fatalf("refused: %s", why)
			}
			if path == "/healthz" {
				open = append(open, conn)
			} else {
				<-f.in
			}
		}
		if conn, why := (visitor{t, server, from}).connect("/healthz"); conn != nil || !strings.Contains(why, "2 connections from this address") {
			t.Errorf("more than half for one: %v, %s", conn, why)
		}
	}
	last := visitor{t, server, "127.0.0.3"}
	if conn, why := last.connect("/healthz"); conn != nil || !strings.Contains(why, "as many connections as it can have") {
		t.Errorf("a fifth connection: %v, %s", conn, why)
	}
	metrics := adminGet(t, f, "/metrics")
	for _, want := range []string{"edict_http_connections 4\n", "edict_http_connections_limit 4\n", "edict_http_connections_refused_total 3\n"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %q", want)
		}
	}
	_ = open[0].Close()
	last.eventually("/healthz")
}

// TestIdleConnectionsMakeRoom: where all connections are taken, those that have been idle for a while are closed for others, and
// those that are in use are not.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	f, server := startLimited(t, func(o *web.Options) { o.MaxConnections, o.IdleTimeout = 3, 10*time.Second })
	if conn, why := (visitor{t, server, "127.0.0.1"}).connect("/closed/stream"); conn == nil {
		t.Fatalf("refused: %s", why)
	}
	<-f.in
	var idle []net.Conn
	for _, from := range []string{"127.0.0.2", "127.0.0.3"} {
		conn, why := visitor{t, server, from}.connect("/healthz")
		if conn == nil {
			t.Fatalf("refused: %s", why)
		}
		idle = append(idle, conn)
	}
	visitor{t, server, "127.0.0.4"}.eventually("/healthz")
	ended := make(chan error, len(idle))
	for _, conn := range idle {
		go func() {
			_, err := conn.Read(make([]byte, 1))
			ended <- err
		}()
	}
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("an idle connection that made room: %v", err)
	}
	if metrics := adminGet(t, f, "/metrics"); !strings.Contains(metrics, "edict_http_in_flight 1\n") {
		t.Error("the stream was closed for others")
	}
}

// TestConnectionsOfProxies: a proxy speaks for many.
func TestConnectionsOfProxies(t *testing.T) {
	_, server := startLimited(t, func(o *web.Options) {
		o.MaxConnections, o.MaxPerAddress, o.Proxies = 8, 1, []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	for range 5 {
		if conn, why := (visitor{t, server, "127.0.0.1"}).connect("/healthz"); conn == nil {
			t.Errorf("the proxy is refused: %s", why)
		}
	}
	other := visitor{t, server, "127.0.0.2"}
	if conn, why := other.connect("/healthz"); conn == nil {
		t.Errorf("another address is refused: %s", why)
	}
	if conn, _ := other.connect("/healthz"); conn != nil {
		t.Error("another address has no limit")
	}
}

// TestRefusedBehindTLS: there are no words for it before a handshake, and the connection ends.
func TestRefusedBehindTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, time.Unix(1000, 0))
	_, server := startLimited(t, func(o *web.Options) {
		o.MaxConnections, o.MaxPerAddress, o.TLS = 8, 1, web.TLS{CertFile: cert, KeyFile: key}
	})
	config := &tls.Config{InsecureSkipVerify: true} // it is our own, made a moment ago
	conn, err := tls.Dial("tcp", server, config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := tls.Dial("tcp", server, config); err == nil {
		t.Error("a second connection")
	}
}

// TestTLSConnection: over TLS requests are read, and refused, as over plain connections.
func TestTLSConnection(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, time.Unix(1000, 0))
	_, server := startLimited(t, func(o *web.Options) { o.TLS = web.TLS{CertFile: cert, KeyFile: key} })
	for name, c := range map[string]struct{ text, want string }{
		"good":    {"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", `{"status":"ok"}`},
		"refused": {"GET /closed/%zz HTTP/1.1\r\nHost: a\r\n\r\n", `{"code":11,"message":"the request cannot be read: invalid URL escape \"%zz\" in its path; write a percent sign as %25"}`},
		"framing": {"POST /open/compute HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "Content-Length together with Transfer-Encoding"},
	} {
		conn, err := tls.Dial("tcp", server, &tls.Config{InsecureSkipVerify: true}) // it is our own, made a moment ago
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, c.text)
		got, err := io.ReadAll(conn)
		if !strings.Contains(string(got), c.want) || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		_ = conn.Close()
	}
	plain, err := net.Dial("tcp", server)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = plain.Close() }()
	_, _ = io.WriteString(plain, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	if got, _ := io.ReadAll(plain); !strings.Contains(string(got), "400 Bad Request") || !strings.Contains(string(got), "https://") {
		t.Errorf("without TLS: %q", got)
	}
}
