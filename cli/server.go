package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/alecthomas/kong"
	"github.com/prometheus/client_golang/prometheus"

	"edict/messaging"
	"edict/platform/auth"
	"edict/platform/db"
	"edict/platform/logs"
	"edict/platform/web"
	"edict/simulation/jobs"
	"edict/simulation/simapi"
	"edict/watch"
)

// Server is "edict serve" as a value: made by NewServer, started once, stopped once.
//
// It opens its parts in the order of the table parts, makes one web.Server of what they bring, and closes them in
// reverse when the last request is done.
type Server struct {
	cfg       Config
	ballast   ballast
	scratch   bool // the data goes with the server
	env       *Env
	log       *slog.Logger
	metrics   *prometheus.Registry
	store     *db.DB // what parts share
	identity  *auth.Authority
	messaging *messaging.Service
	watches   *watch.Service // nil without --watch

	populations *jobs.Queue // nil if there are none
	simulation  *simapi.API
	legislated  chan struct{} // closed when the legislation is loaded or cannot be; nil without simulation
	lawDay      string        // day on which it was loaded; set before it is served
	lawless     error         // why it cannot be; read after legislated is closed
	firstLaw    *loadedLaw    // that a first start loaded before it created anything; nil once it is served

	oneTime *oneTimeLink // of a demonstration with a console; nil otherwise

	opened []part
	web    *web.Server
	url    string
	done   chan struct{}
	err    error // why serving ended; read after done is closed
}

// DefaultConfig returns the configuration without file, environment and flags.
func DefaultConfig() Config {
	var cfg Config
	if err := kong.ApplyDefaults(&cfg); err != nil {
		panic(err) // a default of our own that does not parse
	}
	return cfg
}

// NewServer returns a server that is not started. The configuration must be valid.
func NewServer(cfg Config, env *Env) *Server {
	log := newLogger(cfg.Log, env.Stderr)
	if cfg.Server.Node != "" {
		log = log.With("node", cfg.Server.Node)
	}
	return &Server{
		cfg: cfg, env: env, log: log, metrics: prometheus.NewRegistry(), done: make(chan struct{}),
	}
}

// Start opens the parts, listens, and says on standard output where, once the server is ready: then it returns. It
// returns as well when ctx is cancelled before that. When it fails, which it does with a legislation that cannot be
// loaded, whatever it had opened is closed again, and there is nothing to stop.
func (s *Server) Start(ctx context.Context) error {
	s.ballast = newBallast(s.cfg.Server.Headroom)
	limitMemory(s.cfg.Limits.Memory, s.cfg.Server.Headroom)
	if err := s.precheck(ctx); err != nil {
		return err
	}
	build := s.env.Build.complete(debug.ReadBuildInfo())
	s.log.Info("edict", "version", build.Version, "commit", build.Commit)
	s.raiseLimits()
	if err := s.start(ctx, build); err != nil {
		return errors.Join(err, s.closeParts())
	}
	if err := s.introduce(ctx); err != nil {
		return errors.Join(err, s.Stop())
	}
	return nil
}

// introduce says where the server is, once every part of it answers.
func (s *Server) introduce(ctx context.Context) error {
	if s.legislated != nil {
		select {
		case <-s.legislated:
			if s.lawless != nil {
				return s.lawless
			}
		case <-ctx.Done():
			return nil
		case <-s.done:
			return nil
		}
	}
	if s.cfg.Server.Demo {
		if err := s.showDemo(ctx); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(s.env.Stdout, "edict listening on %s\n", s.url)
	return err
}

func (s *Server) start(ctx context.Context, build Build) error {
	if err := s.openParts(ctx); err != nil {
		return err
	}
	options, services := s.webOptions(build)
	var err error
	if s.web, err = web.New(options, services...); err != nil {
		return err
	}
	addr, err := s.web.Listen(ctx)
	if err != nil {
		return err
	}
	s.url = s.cfg.TLS.scheme() + "://" + addr.String()
	if admin := s.web.AdminAddr(); admin != nil {
		s.log.Info("administration", "metrics", "http://"+admin.String()+"/metrics")
	}
	go func() {
		defer close(s.done)
		s.err = s.web.Serve()
	}()
	return nil
}

// URL is where the server answers, once started.
func (s *Server) URL() string { return s.url }

// Done is closed when the server no longer answers, because it was stopped or because it failed.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop lets the requests under way finish within the drain time of the configuration, closes the parts, and returns
// what went wrong, while serving or in stopping.
func (s *Server) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.Server.Drain)
	defer cancel()
	err := s.web.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("requests that did not finish within %v were cut", s.cfg.Server.Drain)
	}
	<-s.done
	err = errors.Join(s.err, err, s.closeParts())
	logs.Flush(s.log)
	return err
}

// howToGetTokens is for the documentation.
const howToGetTokens = "An operator makes a user and a token on the machine of the server: \"edict user create NAME\", then \"edict token create --user NAME\". " +
	"A user with a password gets one from POST /auth/token (grant_type=password). The demonstration (edict serve --demo) prints two. " +
	"Send it as \"Authorization: Bearer <token>\"."

// webOptions puts together what the configuration says and what the parts bring.
func (s *Server) webOptions(build Build) (web.Options, []web.Service) {
	proxies, _ := parseNetworks("--proxies", s.cfg.Server.Proxies) // validated
	public, _ := web.ParsePublicURL(s.cfg.Server.PublicURL)        // validated; "" without one
	o := web.Options{
		Proxies:     proxies,
		PublicURL:   public,
		Listen:      s.cfg.Server.Listen,
		AdminListen: s.cfg.Server.AdminListen,
		TLS:         s.cfg.TLS.options(s.cfg.Server.Data),
		Title:       "edict",
		Version:     build.Version,
		Description: "Channels, direct messages and tax-benefit simulations in one server.",
		Logger:      s.log,
		AccessLog:   accessLogs[s.cfg.Log.Access],
		SlowRequest: s.cfg.Log.Slow,
		Now:         s.env.Now,
		Registry:    s.metrics,
		StopTimeout: s.cfg.Server.Drain,
	}
	s.cfg.Limits.apply(&o)
	if s.cfg.Server.Console {
		o.Home = public + consolePath
	}
	if s.identity != nil {
		o.Tokens = howToGetTokens
	}
	services := s.env.Services
	for _, p := range s.opened {
		services = append(slices.Clip(services), p.services...)
		o.Checks = append(o.Checks, p.checks...)
		if p.authenticator != nil {
			o.Authenticator = p.authenticator
		}
	}
	return o, services
}

func (s *Server) raiseLimits() {
	limit, err := raiseOpenFiles()
	switch {
	case err != nil:
		s.log.Info("open files", "limit", limit, "not raised", err)
	case limit > 0:
		s.log.Info("open files", "limit", limit)
	}
}

// part is what one component adds to the server.
type part struct {
	services      []web.Service
	demo          func(ctx context.Context, url string) ([]demoCall, error) // fills the part for --demo and says what to try
	checks        []web.Check                                               // of /readyz
	authenticator web.Authenticator                                         // of callers; at most one part has it
	close         func(ctx context.Context) error
}

// closeTime is how long the parts have, together, to close once the last request is done.
const closeTime = 10 * time.Second

func (s *Server) openParts(ctx context.Context) error {
	for _, row := range parts {
		if !s.serves(row.of) {
			continue
		}
		p, err := row.open(ctx, s)
		if err != nil {
			return err
		}
		s.opened = append(s.opened, p)
	}
	return nil
}

func (s *Server) closeParts() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	var failed []error
	for _, p := range slices.Backward(s.opened) {
		if p.close != nil {
			failed = append(failed, p.close(ctx))
		}
	}
	s.opened = nil
	return errors.Join(failed...)
}

// warnOfReaders says so when others may read the data directory. That can be the operator's choice.
func (s *Server) warnOfReaders() {
	info, err := os.Stat(s.cfg.Server.Data)
	if err == nil && filepath.Separator == '/' && info.Mode().Perm()&0o077 != 0 {
		s.log.Warn("the data directory can be read by others", "dir", s.cfg.Server.Data, "mode", info.Mode().Perm().String())
	}
}
