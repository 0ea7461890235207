// Package bustest runs a NATS in the process, and faults on the way to it, for tests.
package bustest

import (
	"errors"
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
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, Username: user, Password: password, NoLog: true, NoSigs: true})
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
	n, err := Launch(user, password)
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
