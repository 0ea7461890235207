package pgtest

import (
	"bytes"
	"cmp"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Proxy stands between a client and PostgreSQL and fails as networks do. Its methods may be called from any goroutine.
type Proxy struct {
	Address string // of the schema, through the proxy

	socket   string // of PostgreSQL
	delay    time.Duration
	listener net.Listener
	running  sync.WaitGroup

	mu      sync.Mutex
	refuses bool
	answer  []byte // of PostgreSQL, at which its connection is cut and the answer lost; nil: none
	cut     func() // told when that happened
	open    map[net.Conn]bool
}

// NewProxy starts a proxy for an address that Address or In returned. It ends with the test.
func NewProxy(t testing.TB, address string) *Proxy {
	t.Helper()
	p, err := StartProxy(address, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// StartProxy starts a proxy that holds what goes to PostgreSQL up for a time, which is added to every round trip. It ends with Close.
func StartProxy(address string, delay time.Duration) (*Proxy, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	q := u.Query()
	p := &Proxy{socket: q.Get("host") + "/.s.PGSQL." + cmp.Or(q.Get("port"), "5432"), delay: delay, listener: listener, open: map[net.Conn]bool{}}
	q.Del("host")
	q.Del("port")
	q.Set("sslmode", "disable")
	u.Host, u.RawQuery = listener.Addr().String(), q.Encode()
	p.Address = u.String()
	p.running.Go(p.accept)
	return p, nil
}

// Close ends the proxy and all connections through it.
func (p *Proxy) Close() {
	p.listener.Close()
	p.Refuse(true)
	p.running.Wait()
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

// LoseAnswer cuts the next connection on which PostgreSQL answers with a text, before the answer arrives, and calls then.
func (p *Proxy) LoseAnswer(text string, then func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer, p.cut = []byte(text), then
}

// loses reports whether an answer is to be lost.
func (p *Proxy) loses(answer []byte) (then func(), lost bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.answer == nil || !bytes.Contains(answer, p.answer) {
		return nil, false
	}
	p.answer = nil
	return p.cut, true
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.socket)
		if err != nil || !p.add(client, server) {
			client.Close()
			continue
		}
		p.running.Go(func() {
			p.forward(server, client)
			p.remove(client, server)
		})
		p.running.Go(func() {
			p.relay(client, server)
			p.remove(client, server)
		})
	}
}

func (p *Proxy) add(ends ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range ends {
		if p.refuses {
			c.Close()
			continue
		}
		p.open[c] = true
	}
	return !p.refuses
}

func (p *Proxy) remove(ends ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range ends {
		c.Close()
		delete(p.open, c)
	}
}

// forward passes on what a client asks, each piece as much later as the proxy delays: pieces that follow each other are delayed together.
func (p *Proxy) forward(server, client net.Conn) {
	if p.delay == 0 {
		_, _ = io.Copy(server, client)
		return
	}
	type piece struct {
		bytes []byte
		due   time.Time
	}
	pieces := make(chan piece, 256)
	p.running.Go(func() {
		for next := range pieces {
			time.Sleep(time.Until(next.due))
			if _, err := server.Write(next.bytes); err != nil {
				client.Close() // so that no more comes
			}
		}
	})
	defer close(pieces)
	for {
		buffer := make([]byte, 64<<10)
		n, err := client.Read(buffer)
		if n > 0 {
			pieces <- piece{buffer[:n], time.Now().Add(p.delay)}
		}
		if err != nil {
			return
		}
	}
}

// relay passes on what PostgreSQL answers.
func (p *Proxy) relay(client, server net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := server.Read(buffer)
		if n > 0 {
			if then, lost := p.loses(buffer[:n]); lost {
				p.remove(client, server)
				if then != nil {
					then()
				}
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
