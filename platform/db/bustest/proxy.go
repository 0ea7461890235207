package bustest

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Faults are what a Proxy does to messages on their way to a client.
type Faults struct {
	Drop  bool          // they are lost
	Twice bool          // they come twice
	Delay time.Duration // they come later
}

// Proxy stands between a client and a NATS. Its methods may be called from any goroutine.
type Proxy struct {
	URL string // of the NATS, through the proxy

	server   string
	listener net.Listener
	running  sync.WaitGroup

	mu      sync.Mutex
	faults  Faults
	met     int // messages that a fault happened to
	refuses bool
	open    map[net.Conn]bool // of clients
}

// StartProxy starts a proxy for a NATS. It ends with Close.
func StartProxy(n *NATS) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{URL: "nats://" + listener.Addr().String(), server: n.server.Addr().String(), listener: listener, open: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	return p, nil
}

// NewProxy starts a proxy that ends with the test.
func NewProxy(t testing.TB, n *NATS) *Proxy {
	t.Helper()
	p, err := StartProxy(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// Close ends the proxy and all connections through it.
func (p *Proxy) Close() {
	p.listener.Close()
	p.Refuse(true)
	p.running.Wait()
}

// Set says what happens to messages from now on.
func (p *Proxy) Set(f Faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = f
}

// Met returns how many messages a fault has happened to.
func (p *Proxy) Met() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.met
}

// Refuse ends all connections and lets no others in, until it is called with false.
func (p *Proxy) Refuse(refuse bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuses = refuse; refuse {
		for c := range p.open {
			c.Close()
		}
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.connect(client) })
	}
}

// connect serves a client until one of the two has ended, or the proxy refuses.
func (p *Proxy) connect(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	refused := p.refuses
	p.open[client] = true
	p.mu.Unlock()
	if !refused {
		p.running.Go(func() {
			defer client.Close()
			p.deliver(client, bufio.NewReader(server))
		})
		_, _ = io.Copy(server, client) // whichever way it ends, the connection has
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, client)
}

// deliver passes on what the NATS says, with the faults of the moment.
func (p *Proxy) deliver(client net.Conn, server *bufio.Reader) {
	for {
		frame, message, err := readFrame(server)
		if err != nil {
			return
		}
		if message {
			f := p.meet()
			if f.Drop {
				continue
			}
			if f.Twice {
				frame = append(frame, frame...)
			}
			if f.Delay > 0 { // what comes next is not held up
				time.AfterFunc(f.Delay, func() { _, _ = client.Write(frame) })
				continue
			}
		}
		if _, err := client.Write(frame); err != nil {
			return
		}
	}
}

// meet returns what happens to a message.
func (p *Proxy) meet() Faults {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faults != (Faults{}) {
		p.met++
	}
	return p.faults
}

// readFrame reads one line of the protocol, with the body if it is a message.
func readFrame(r *bufio.Reader) (frame []byte, message bool, err error) {
	frame, err = r.ReadBytes('\n')
	if err != nil || !bytes.HasPrefix(frame, []byte("MSG ")) {
		return frame, false, err
	}
	fields := bytes.Fields(frame)
	size, err := strconv.Atoi(string(fields[len(fields)-1]))
	if err != nil {
		return nil, false, err
	}
	body := make([]byte, size+len("\r\n"))
	_, err = io.ReadFull(r, body)
	return append(frame, body...), true, err
}
