package web

import (
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Admin is the handler of the admin listener: metrics, profiles, health. It has no authentication;
// bind it where only operators can reach it.
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.opts.Registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /healthz", s.plain(healthz))
	mux.HandleFunc("GET /readyz", s.plain(s.readyz))
	return mux
}

// guardLoopback rejects requests whose Host is a domain name, when the listener is on the loopback interface. A page in a browser on this
// machine could otherwise read metrics and profiles: its domain is made to resolve to 127.0.0.1 (DNS rebinding).
func guardLoopback(listener net.Addr, next http.Handler) http.Handler {
	if tcp, ok := listener.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err != nil && !strings.EqualFold(host, "localhost") {
			http.Error(w, fmt.Sprintf("the Host is %.80q: on the loopback interface, use localhost or an IP address", host), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// plain runs a handler outside of the table.
func (s *Server) plain(h Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.opts.Logger.ErrorContext(r.Context(), "admin request failed", "path", r.URL.Path, "error", err)
		}
	}
}
