package e2e

import (
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Wire is a connection to the server that can be cut.
type Wire struct {
	URL, to  string
	listener net.Listener

	mu       sync.Mutex
	down     bool
	conns    map[net.Conn]struct{}
	attempts []time.Time // when clients connected, also while it is cut
	wg       sync.WaitGroup
}

// NewWire lays a wire to the server at a URL. It goes with the test.
func NewWire(t *testing.T, url string) *Wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Wire{URL: "http://" + listener.Addr().String(), to: strings.TrimPrefix(url, "http://"), listener: listener, conns: map[net.Conn]struct{}{}}
	w.wg.Go(w.accept)
	t.Cleanup(func() {
		listener.Close()
		w.Cut()
		w.wg.Wait()
	})
	return w
}

func (w *Wire) accept() {
	for {
		from, err := w.listener.Accept()
		if err != nil {
			return
		}
		w.mu.Lock()
		w.attempts = append(w.attempts, time.Now())
		w.mu.Unlock()
		w.wg.Go(func() { w.carry(from) })
	}
}

func (w *Wire) carry(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", w.to)
	if err != nil {
		return
	}
	defer to.Close()
	if !w.hold(from, to) {
		return
	}
	defer w.let(from, to)
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			_, _ = io.Copy(way[0], way[1]) // its end is all there is to know
			way[0].Close()
			way[1].Close()
			ended <- struct{}{}
		}()
	}
	<-ended
	<-ended
}

func (w *Wire) hold(conns ...net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range conns {
		w.conns[c] = struct{}{}
	}
	return !w.down
}

func (w *Wire) let(conns ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range conns {
		delete(w.conns, c)
	}
}

// Connected returns when clients connected, also while the wire was cut.
func (w *Wire) Connected() []time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.attempts)
}

// Cut ends all connections and refuses further ones until mend.
func (w *Wire) Cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = true
	for c := range w.conns {
		c.Close()
	}
}

// Mend lets connections through again.
func (w *Wire) Mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
}
