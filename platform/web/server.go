package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"edict/platform/cores"
	"edict/platform/http1"
)

// Server is the complete HTTP side of the process: an http.Handler made from the services, and what
// runs it. Use: [New], [Server.Listen], [Server.Serve] (it blocks), [Server.Shutdown] from elsewhere;
// or [Server.Run], which does the three until a context ends.
type Server struct {
	opts      Options
	services  []*service
	fallback  *service // shapes what belongs to no service
	endpoints []*endpoint
	streams   []string // paths of streams that may take their connections
	mux       *http.ServeMux
	compress  func(http.Handler) http.HandlerFunc
	metrics   *metrics
	documents func() (*documents, error) // rendered by the first call

	inFlight atomic.Int64

	forwardedSeen atomic.Bool // a peer that is not trusted sent X-Forwarded-For

	decoding chan struct{} // one for each large body that is being decoded
	stopping chan struct{} // closed when Shutdown begins
	stopOnce sync.Once

	front               *http1.Server // of the public listener
	public, admin       *http.Server  // public has the clients that speak HTTP/2
	listener, adminAddr net.Listener
	http2               net.Listener // of public
}

// New builds the table from the services and its own operations routes (health, documentation). It
// reports every incomplete route at once, and patterns that are ambiguous.
func New(opts Options, services ...Service) (*Server, error) {
	s := &Server{opts: opts.withDefaults(), mux: http.NewServeMux(), stopping: make(chan struct{}), decoding: make(chan struct{}, max(1, cores.Count()/2))}
	var err error
	if s.compress, err = compressor(s.opts.CompressFrom); err != nil {
		return nil, err
	}
	if s.metrics, err = newMetrics(s.opts.Registry, func() float64 { return float64(s.inFlight.Load()) }); err != nil {
		return nil, err
	}
	if err = s.compile(append(slices.Clip(services), s.operations(services))); err != nil {
		return nil, err
	}
	s.fallback = s.services[len(s.services)-1]
	if _, err = s.namedSchemas(); err != nil {
		return nil, err
	}
	s.documents = sync.OnceValues(s.document)
	return s, nil
}

// Registry is where other packages register their metrics.
func (s *Server) Registry() *prometheus.Registry { return s.opts.Registry }

// Routes returns the table: every route of every service with its defaults, for tests of
// authorization and documentation. The routes must not be modified.
func (s *Server) Routes() []*Route {
	routes := make([]*Route, len(s.endpoints))
	for i, ep := range s.endpoints {
		routes[i] = ep.Route
	}
	return routes
}

// cannotListen says why an address cannot be served on, and what to do when somebody else does.
func cannotListen(address, what string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listening on %s%s: another process listens there; stop it, or give another address: %w", address, what, err)
	}
	return fmt.Errorf("listening on %s%s: %w", address, what, err)
}

// Listen binds the listeners and returns the public address; with port 0 it holds the one picked.
// Connections wait until Serve.
func (s *Server) Listen(ctx context.Context) (net.Addr, error) {
	tlsConfig, err := s.opts.TLS.config()
	if err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	if s.listener, err = lc.Listen(ctx, "tcp", s.opts.Listen); err != nil {
		return nil, cannotListen(s.opts.Listen, "", err)
	}
	if s.listener, err = s.listen(s.listener, tlsConfig); err != nil {
		return nil, err
	}
	s.public = s.httpServer(s)
	s.front = s.http1Server()
	s.http2 = s.front.HTTP2(s.listener.Addr())
	if s.opts.AdminListen != "" {
		if s.adminAddr, err = lc.Listen(ctx, "tcp", s.opts.AdminListen); err != nil {
			return nil, errors.Join(cannotListen(s.opts.AdminListen, " for administration", err), s.listener.Close())
		}
		s.admin = s.httpServer(guardLoopback(s.adminAddr.Addr(), s.Admin()))
	}
	return s.listener.Addr(), nil
}

// AdminAddr returns the bound address of the admin listener, nil when there is none.
func (s *Server) AdminAddr() net.Addr {
	if s.adminAddr == nil {
		return nil
	}
	return s.adminAddr.Addr()
}

func (s *Server) httpServer(h http.Handler) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:           h,
		Protocols:         protocols,
		ReadHeaderTimeout: s.opts.ReadHeaderTimeout,
		ReadTimeout:       s.opts.ReadTimeout,
		IdleTimeout:       s.opts.IdleTimeout,
		HTTP2:             &http.HTTP2Config{WriteByteTimeout: s.opts.WriteTimeout}, // a client that reads nothing at all
		MaxHeaderBytes:    s.opts.MaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelDebug),
	}
}

// http1Server answers all clients but those that speak HTTP/2.
func (s *Server) http1Server() *http1.Server {
	return &http1.Server{
		Handle: s.serve, Kind: s.kindOf, Refuse: s.refuse, Log: s.opts.Logger,
		HeadTimeout: s.opts.ReadHeaderTimeout, ReadTimeout: s.opts.ReadTimeout, WriteTimeout: s.opts.WriteTimeout, IdleTimeout: s.opts.IdleTimeout,
		MaxHead: s.opts.MaxHeaderBytes,
	}
}

// kindOf lets streams take their connections and has the clients of all but short requests watched.
func (s *Server) kindOf(path string) http1.Kind {
	decoded := path
	if strings.Contains(path, "%") {
		decoded, _ = url.PathUnescape(path) // "" is no stream
	}
	switch {
	case slices.Contains(s.streams, strings.TrimSuffix(decoded, "/")):
		return http1.Stream
	case s.serviceOf(path).Short:
		return http1.Short
	}
	return http1.Watched
}

// Serve answers requests until Shutdown, then returns nil, or until a listener fails. Listen comes
// before it.
func (s *Server) Serve() error {
	if s.public == nil {
		return errors.New("web: Serve before Listen")
	}
	failed := make(chan error, 3)
	listeners := 2
	go func() { failed <- s.public.Serve(s.http2) }()
	go func() { failed <- s.front.Serve(s.listener) }()
	if s.admin != nil {
		listeners++
		go func() { failed <- s.admin.Serve(s.adminAddr) }()
	}
	var errs []error
	for range listeners {
		err := <-failed
		if !s.closedBy(err) {
			errs = append(errs, err)
			s.close()
		}
	}
	return errors.Join(errs...)
}

// closedBy reports whether err is how serving ends when it is stopped. A listener may be closed a moment before its server is.
func (s *Server) closedBy(err error) bool {
	select {
	case <-s.stopping:
		return errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed)
	default:
		return errors.Is(err, http.ErrServerClosed)
	}
}

// Shutdown stops accepting, tells streams to end ([Stopping]), and waits until every request and
// stream is done or ctx ends, in which case what is left is cut and the error is ctx's.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stopOnce.Do(func() { close(s.stopping) })
	if s.public == nil {
		return s.drain(ctx)
	}
	err := s.front.Shutdown(ctx)
	if err == nil {
		err = s.public.Shutdown(ctx)
	}
	if err == nil {
		err = s.drain(ctx)
	}
	s.close()
	return err
}

// drain waits for handlers that http.Server no longer counts, the hijacked ones.
func (s *Server) drain(ctx context.Context) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for s.inFlight.Load() > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}

func (s *Server) close() {
	if s.front != nil {
		_ = s.front.Close()
	}
	for _, srv := range []*http.Server{s.public, s.admin} {
		if srv != nil {
			_ = srv.Close() // what could not be closed is cut when the process ends
		}
	}
}

// Run listens, calls ready with the bound address, serves until ctx ends, and then drains for at
// most Options.StopTimeout. It returns nil after a clean stop.
func (s *Server) Run(ctx context.Context, ready func(net.Addr)) error {
	addr, err := s.Listen(ctx)
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	if ready != nil {
		ready(addr)
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.StopTimeout)
	defer cancel()
	return errors.Join(s.Shutdown(stop), <-served)
}
