package http1

import (
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestPlainOverTLS: a client that speaks HTTP where TLS is spoken is told so; whatever else is no handshake is only cut.
func TestPlainOverTLS(t *testing.T) {
	l := listen(t)
	s := &Server{Kind: kind, Log: slog.New(slog.DiscardHandler), HeadTimeout: time.Minute, MaxHead: maxHead}
	served := make(chan error, 1)
	go func() { served <- s.Serve(tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS13})) }()
	for text, want := range map[string]string{request("GET", "/", ""): "use https://", "\x00 binary": ""} {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(20 * time.Second)) // so that a test that hangs ends
		_, _ = io.WriteString(c, text)
		got, _ := io.ReadAll(c) // what was not read resets the connection
		if !strings.Contains(string(got), want) || strings.HasPrefix(string(got), "HTTP/1.0 400 ") != (want != "") {
			t.Errorf("%q is answered %q", text, got)
		}
		_ = c.Close()
	}
	_ = s.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
