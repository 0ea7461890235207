package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddress returns who sent a request: the other end of the connection or, when that is one of
// Options.Proxies, whoever X-Forwarded-For says it speaks for. The header is read from its end, where the
// nearest proxy wrote, up to the first address that is no proxy of ours: what stands before it anybody may
// have made up.
func (s *Server) clientAddress(r *http.Request) string {
	forwarded := r.Header["X-Forwarded-For"]
	if len(forwarded) == 0 {
		return r.RemoteAddr
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if !s.isProxy(host) {
		s.warnForwarded(host)
		return r.RemoteAddr
	}
	client := r.RemoteAddr
	for _, line := range slices.Backward(forwarded) {
		for _, word := range slices.Backward(strings.Split(line, ",")) {
			ip, err := netip.ParseAddr(strings.TrimSpace(word))
			if err != nil {
				return client
			}
			client = net.JoinHostPort(ip.String(), "0")
			if !s.isProxy(ip.String()) {
				return client
			}
		}
	}
	return client
}

// warnForwarded logs once that a peer which is not trusted forwards requests. If it is a proxy, all its clients count as one address.
func (s *Server) warnForwarded(peer string) {
	if !s.forwardedSeen.Swap(true) {
		s.opts.Logger.Warn("X-Forwarded-For ignored: it came from a peer that is not a listed proxy. If the peer is your proxy, its clients share one address in limits and logs: list it with --proxies (EDICT_PROXIES)", "peer", peer)
	}
}

func (s *Server) isProxy(host string) bool {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(s.opts.Proxies, func(p netip.Prefix) bool { return p.Contains(ip.Unmap().WithZone("")) })
}

// AddressOf is the network address a request counts for in limits: an IPv6 host owns a whole /64.
func AddressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap(); ip.Is4() {
		return ip.String()
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return host
	}
	return prefix.String()
}
