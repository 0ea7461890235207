package web

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// connections is the public listener with bounds: on all connections, so that descriptors are left for the rest of the process, and on
// those of one address, so that one client cannot keep the others out. What is over a bound is accepted, told so and closed, which
// leaves those of others in the kernel's queue with their turn. Whatever the listener accepted counts until it is closed, whoever
// has it by then: a stream, HTTP/2, TLS.
type connections struct {
	net.Listener
	server     *Server
	most       int  // in all
	perAddress int  // of one address that is no proxy of ours
	secure     bool // TLS comes on top: a client that is refused can be told nothing

	mu     sync.Mutex
	open   int
	from   map[netip.Addr]int
	warned time.Time

	left  chan struct{} // one when a connection has ended
	stuck bool          // the last that waited for that did so in vain; of Accept alone

	farewells chan struct{} // one for each refusal that waits to be read
	refused   prometheus.Counter
}

// maxFarewells bounds the refused connections that are kept a moment for their answer to be read. Others are closed at once.
const maxFarewells = 16

// farewell is how long such a connection is kept.
const farewell = 500 * time.Millisecond

func (s *Server) bounded(l net.Listener, secure bool) (*connections, error) {
	c := &connections{Listener: l, server: s, secure: secure, from: map[netip.Addr]int{}, left: make(chan struct{}, 1), farewells: make(chan struct{}, maxFarewells)}
	c.most = Connections(s.opts.MaxConnections)
	c.perAddress = max(1, min(s.opts.MaxPerAddress, c.most/2))
	return c, c.register(s.opts.Registry)
}

func (c *connections) register(registry *prometheus.Registry) error {
	c.refused = prometheus.NewCounter(prometheus.CounterOpts{Name: "edict_http_connections_refused_total", Help: "Connections rejected by the total or the per-address limit."})
	for _, m := range []prometheus.Collector{
		c.refused,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "edict_http_connections", Help: "Open connections of the public listener, streams included."}, func() float64 {
			c.mu.Lock()
			defer c.mu.Unlock()
			return float64(c.open)
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "edict_http_connections_limit", Help: "Maximum number of open connections."}, func() float64 { return float64(c.most) }),
	} {
		if err := registry.Register(m); err != nil && !isRegistered(err) {
			return err
		}
	}
	return nil
}

// Accept implements net.Listener.
func (c *connections) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := origin(conn)
		why := c.enter(address)
		if why == noRoom {
			why = c.squeeze(address)
		}
		if why == "" {
			return counted(conn, sync.OnceFunc(func() { c.leave(address) })), nil
		}
		c.refuse(conn, address, why)
	}
}

// origin is the address that a connection counts for: of IPv6 the network that a client has to itself.
func origin(conn net.Conn) netip.Addr {
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return netip.Addr{} // of another kind of listener
	}
	address := at.Addr().Unmap().WithZone("")
	if address.Is6() {
		network, _ := address.Prefix(64) // there are as many bits
		return network.Addr()
	}
	return address
}

// enter counts a connection, or says why there is no room for it.
func (c *connections) enter(address netip.Addr) (why string) {
	proxy := c.server.isProxy(address.String())
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !proxy && c.from[address] >= c.perAddress:
		return fmt.Sprintf("there are %d connections from this address already: close some, or use them for more requests", c.from[address])
	case c.open >= c.most:
		return noRoom
	}
	c.open++
	c.from[address]++
	return ""
}

// grace is how long a connection may take to its first request, or a step of its handshake, before it makes room for others: about
// what the way there and back takes. One that comes where all are taken waits as long.
const grace = 100 * time.Millisecond

// squeeze makes room for a connection where all are taken: one that waits is closed, or else those that have just begun or are
// answered get a moment to end. Whoever comes after one that waited in vain, while all the others stayed, does not wait: streams have the connections.
func (c *connections) squeeze(address netip.Addr) (why string) {
	if c.evict() {
		return c.enter(address)
	}
	if c.stuck && len(c.left) == 0 {
		return noRoom
	}
	c.stuck = false
	late := time.NewTimer(grace)
	defer late.Stop()
	for {
		select {
		case <-c.left:
			if why = c.enter(address); why != noRoom {
				return why
			}
		case <-late.C:
			if c.stuck = !c.evict(); c.stuck {
				return noRoom
			}
			return c.enter(address)
		}
	}
}

func (c *connections) evict() bool { return c.server.front.Evict(grace, c.server.opts.IdleTimeout/100) }

const noRoom = "the server has as many connections as it can have: try again later"

func (c *connections) leave(address netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	if c.from[address]--; c.from[address] == 0 {
		delete(c.from, address)
	}
	select {
	case c.left <- struct{}{}:
	default: // it was told already
	}
}

// refuse answers 503, without waiting for a request, and closes the connection.
func (c *connections) refuse(conn net.Conn, address netip.Addr, why string) {
	c.refused.Inc()
	if c.warns() {
		c.server.opts.Logger.Warn("connections are refused", "address", address, "why", why, "open", c.most, "remedy", "--limits-connections, --limits-per-address; name reverse proxies with --proxies")
	}
	select {
	case c.farewells <- struct{}{}:
		go func() {
			defer func() { <-c.farewells }()
			c.dismiss(conn, why)
		}()
	default:
		_ = conn.Close()
	}
}

// warns reports whether to log a refusal: one a minute.
func (c *connections) warns() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.server.opts.Now()
	if now.Sub(c.warned) < time.Minute {
		return false
	}
	c.warned = now
	return true
}

// dismiss says why and waits a moment for the client to find it: closed at once, the connection would be reset while it still sends.
func (c *connections) dismiss(conn net.Conn, why string) {
	defer func() { _ = conn.Close() }()
	if c.secure {
		return
	}
	_ = conn.SetDeadline(time.Now().Add(farewell))
	body := fmt.Sprintf(`{"error":"unavailable","message":%q}`+"\n", why)
	_, err := fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: %s\r\nContent-Length: %d\r\nRetry-After: 5\r\nConnection: close\r\n\r\n%s", jsonContentType, len(body), body)
	if half, ok := conn.(interface{ CloseWrite() error }); ok && err == nil && half.CloseWrite() == nil {
		_, _ = io.Copy(io.Discard, conn)
	}
}

// counted returns conn with something to do when it is closed. The methods of a TCP connection stay.
func counted(conn net.Conn, leave func()) net.Conn {
	if tcp, ok := conn.(*net.TCPConn); ok {
		return &countedTCP{tcp, leave}
	}
	return &countedConn{conn, leave}
}

type countedTCP struct {
	*net.TCPConn
	leave func()
}

// Close implements net.Conn.
func (c *countedTCP) Close() error {
	defer c.leave()
	return c.TCPConn.Close()
}

type countedConn struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (c *countedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// listen makes the public listener of a bound one.
func (s *Server) listen(l net.Listener, config *tls.Config) (net.Listener, error) {
	bounded, err := s.bounded(l, config != nil)
	if err != nil || config == nil {
		return bounded, err
	}
	return tls.NewListener(bounded, config), nil
}

// Connections returns how many connections a server may have at once, streams included: limit, or as many as the files that the process
// may open leave room for if that is less or there is no limit (0).
func Connections(limit int) int {
	if room := roomForConnections(); limit == 0 || limit > room {
		return room
	}
	return limit
}

// connectionsFor returns how many connections there may be when the process may have so many files open: some are kept for the
// database, the admin listener and connections to others.
func connectionsFor(files uint64) int {
	kept := min(max(files/8, 64), 1024, files/2)
	return int(min(files-kept, 1<<20))
}
