package delivery

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Users say where their devices are woken, so the server calls addresses that strangers chose. A Guard keeps these calls
// away from what only the server can reach: the host must be listed, the address it resolves to must be public (asked
// when the connection is made, so that a name that changes its address is no way around), and redirects are not followed.

// Rules says what a Guard lets through.
type Rules struct {
	// Hosts are the hosts of push endpoints: NAME, *.DOMAIN for the names below it or * for any, each with :PORT for
	// another port than 443, or :* for any.
	Hosts []string
	// Permit are addresses, ranges (CIDR) and host names that may be reached although they are not public, over plain HTTP
	// too. A host or an address here need not be in Hosts.
	Permit []string
	// Authorities are trusted besides those of the system (PEM).
	Authorities []byte
}

// Guard is the way out for pushes.
type Guard struct {
	hosts  []hostPattern
	names  []string // permitted
	ranges []netip.Prefix
	client *http.Client
}

type hostPattern struct {
	name string // without the star
	port string // "*" for any
	wild bool
}

// NewGuard returns the guard of some rules.
func NewGuard(r Rules) (*Guard, error) {
	g := &Guard{}
	for _, text := range r.Hosts {
		p, err := parseHost(text)
		if err != nil {
			return nil, err
		}
		g.hosts = append(g.hosts, p)
	}
	for _, text := range r.Permit {
		if err := g.permit(text); err != nil {
			return nil, err
		}
	}
	tlsConfig := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(r.Authorities) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			return nil, fmt.Errorf("authorities of the system: %w", err)
		}
		if !pool.AppendCertsFromPEM(r.Authorities) {
			return nil, errors.New("there is no certificate (PEM) in the file of authorities")
		}
		tlsConfig.RootCAs = pool
	}
	g.client = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: g.dial, TLSClientConfig: tlsConfig, ForceAttemptHTTP2: true, DisableCompression: true,
			TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 90 * time.Second,
			MaxIdleConns: 256, MaxIdleConnsPerHost: 64, MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return g, nil
}

// Client returns the client whose connections the guard watches.
func (g *Guard) Client() *http.Client { return g.client }

// Close closes the connections that wait for their next use.
func (g *Guard) Close() { g.client.CloseIdleConnections() }

func parseHost(text string) (p hostPattern, err error) {
	p.name, p.port = strings.ToLower(strings.TrimSpace(text)), "443"
	if i := strings.LastIndexByte(p.name, ':'); i >= 0 && !strings.HasSuffix(p.name, "]") {
		p.name, p.port = p.name[:i], p.name[i+1:]
	}
	p.name = strings.Trim(p.name, "[]")
	if rest, ok := strings.CutPrefix(p.name, "*"); ok {
		p.name, p.wild = rest, true
	}
	if _, err := strconv.ParseUint(p.port, 10, 16); err != nil && p.port != "*" || p.name == "" && !p.wild || strings.ContainsAny(p.name, "*/@ ") || p.wild && p.name != "" && p.name[0] != '.' {
		return p, fmt.Errorf("%q is not a host: write NAME, *.DOMAIN or *, and :PORT for another port than 443", text)
	}
	return p, nil
}

func (p hostPattern) matches(host, port string) bool {
	if p.port != "*" && p.port != port {
		return false
	}
	return host == p.name || p.wild && strings.HasSuffix(host, p.name)
}

func (g *Guard) permit(text string) error {
	text = strings.ToLower(strings.TrimSpace(text))
	if prefix, err := netip.ParsePrefix(text); err == nil {
		g.ranges = append(g.ranges, prefix.Masked())
		return nil
	}
	if addr, err := netip.ParseAddr(text); err == nil {
		g.ranges = append(g.ranges, netip.PrefixFrom(addr, addr.BitLen()))
		return nil
	}
	if text == "" || strings.ContainsAny(text, ":/@* ") {
		return fmt.Errorf("%q is neither an address nor a range (10.0.0.0/8) nor a host name", text)
	}
	g.names = append(g.names, text)
	return nil
}

// CheckURL returns the URL of a push endpoint that a user gave, or what is wrong with it, in words for the user.
func (g *Guard) CheckURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return nil, errors.New("is not a URL: send the one that the push service gave")
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	permitted := g.permitsHost(host)
	switch {
	case u.User != nil || u.Fragment != "":
		return nil, errors.New("has a user or a fragment, which no push service needs")
	case u.Scheme != "https" && (u.Scheme != "http" || !permitted):
		return nil, errors.New("does not begin with https://: a push service is reached over TLS")
	case permitted:
		return u, nil
	}
	port := u.Port()
	if port == "" {
		port = "443"
	}
	if !slices.ContainsFunc(g.hosts, func(p hostPattern) bool { return p.matches(host, port) }) {
		return nil, fmt.Errorf("is at %s, which is not among the push services of this server: its operator can add it to --push-hosts", u.Host)
	}
	return u, nil
}

// permitsHost reports whether a host is permitted by its name, or by the address it is.
func (g *Guard) permitsHost(host string) bool {
	if slices.Contains(g.names, host) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && g.permits(addr.Unmap())
}

func (g *Guard) permits(addr netip.Addr) bool {
	return slices.ContainsFunc(g.ranges, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// dial connects to a public or permitted address.
func (g *Guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: 10 * time.Second, Control: g.control}
	if host, _, err := net.SplitHostPort(address); err == nil && slices.Contains(g.names, strings.ToLower(host)) {
		// The operator permitted the name itself, whatever it resolves to.
		d.Control = nil
	}
	return d.DialContext(ctx, network, address)
}

// control is called with the address that a name resolved to, before anything is sent there.
func (g *Guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%q is not an address", address)
	}
	// As ::ffff:127.0.0.1, or with a zone, an address would be found in none of the ranges.
	if addr := to.Addr().WithZone("").Unmap(); !public(addr) && !g.permits(addr) {
		return fmt.Errorf("the address %s is not public", addr)
	}
	return nil
}

// special are ranges that are neither private, nor loopback, nor link-local, nor multicast, and yet not public. Those that
// carry an IPv4 address inside an IPv6 one are among them: it might be a private one.
var special = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// public reports whether an address is one of the internet.
func public(addr netip.Addr) bool {
	return addr.IsGlobalUnicast() && !addr.IsPrivate() && !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(addr) })
}
