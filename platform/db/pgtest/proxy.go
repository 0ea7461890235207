package pgtest

import (
	"bytes"
	"cmp"
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
	thawed  *sync.Cond // of mu: it may not be frozen any more, or a connection has ended
	frozen  bool
	refuses bool
	answer  []byte // of PostgreSQL, at which its connection is cut and the answer lost; nil: none
	cut     func() // told when that happened
	open    map[net.Conn]bool
	listens map[net.Conn]bool // those of clients that wait for notifications
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
	p := &Proxy{socket: q.Get("host") + "/.s.PGSQL." + cmp.Or(q.Get("port"), "5432"), delay: delay, listener: listener, open: map[net.Conn]bool{}, listens: map[net.Conn]bool{}}
	p.thawed = sync.NewCond(&p.mu)
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
		clear(p.open)
		p.thawed.Broadcast()
	}
}

// Freeze lets nothing through in either direction, neither bytes nor the end of a connection, until it is called with false: then everything
// that was held up arrives.
func (p *Proxy) Freeze(freeze bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = freeze
	p.thawed.Broadcast()
}

// pass returns when what one end of a connection sent may go on, or the connection has been ended.
func (p *Proxy) pass(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.frozen && p.open[c] {
		p.thawed.Wait()
	}
}

// CutListeners ends the connections on which clients wait for notifications, and returns how many there were.
func (p *Proxy) CutListeners() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.listens)
	for c := range p.listens {
		c.Close()
	}
	return n
}

// heard notes what a client asks.
func (p *Proxy) heard(client net.Conn, asked []byte) {
	if bytes.Contains(asked, []byte("LISTEN ")) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.listens[client] = true
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
		delete(p.listens, c)
	}
	p.thawed.Broadcast()
}

// forward passes on what a client asks, each piece as much later as the proxy delays: pieces that follow each other are delayed together.
func (p *Proxy) forward(server, client net.Conn) {
	if p.delay == 0 {
		buffer := make([]byte, 64<<10)
		for {
			n, err := client.Read(buffer)
			p.heard(client, buffer[:n])
			p.pass(client)
			if _, failed := server.Write(buffer[:n]); failed != nil || err != nil {
				return
			}
		}
	}
	type piece struct {
		bytes []byte
		due   time.Time
	}
	pieces := make(chan piece, 256)
	p.running.Go(func() {
		for next := range pieces {
			time.Sleep(time.Until(next.due))
			p.pass(client)
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
			p.heard(client, buffer[:n])
			pieces <- piece{buffer[:n], time.Now().Add(p.delay)}
		}
		if err != nil {
			p.pass(client)
			return
		}
	}
}

// relay passes on what PostgreSQL answers.
func (p *Proxy) relay(client, server net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := server.Read(buffer)
		p.pass(client)
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
