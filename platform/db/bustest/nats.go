// Package bustest runs a NATS in the process, and faults on the way to it, for tests.
package bustest

import (
	"crypto/tls"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// NATS is a server of NATS. Its methods may be called from any goroutine.
type NATS struct {
	URL    string // without a user
	server *server.Server
}

// Launch starts a NATS on a free port. With a user everybody else is refused. It ends with Close.
func Launch(user, password string) (*NATS, error) {
	return launch(&server.Options{Username: user, Password: password})
}

func launch(options *server.Options) (*NATS, error) {
	options.Host, options.Port, options.NoLog, options.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(options)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the NATS does not start")
	}
	return &NATS{URL: s.ClientURL(), server: s}, nil
}

// Start starts a NATS that ends with the test.
func Start(t testing.TB, user, password string) *NATS {
	t.Helper()
	return started(t, &server.Options{Username: user, Password: password})
}

// StartTLS starts a NATS that speaks to nobody but encrypted, by a certificate, and ends with the test.
func StartTLS(t testing.TB, certificate tls.Certificate) *NATS {
	t.Helper()
	n := started(t, &server.Options{TLS: true, TLSTimeout: 10, TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}})
	n.URL = strings.Replace(n.URL, "nats:", "tls:", 1)
	return n
}

func started(t testing.TB, options *server.Options) *NATS {
	t.Helper()
	n, err := launch(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// Close ends the server and its connections.
func (n *NATS) Close() {
	n.server.Shutdown()
	n.server.WaitForShutdown()
}

// Hints returns how many messages clients have sent.
func (n *NATS) Hints() int64 {
	v, err := n.server.Varz(nil)
	if err != nil {
		return 0
	}
	return v.InMsgs
}
