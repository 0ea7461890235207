package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// Server is "edict serve" as a value: started once, stopped once.
type Server struct {
	cfg  Config
	env  *Env
	log  *slog.Logger
	http *http.Server
	addr net.Addr
	done chan struct{}
	err  error // why serving ended; read after done is closed
}

// DefaultConfig returns the configuration without file, environment and flags.
func DefaultConfig() Config {
	var cfg Config
	if err := kong.ApplyDefaults(&cfg); err != nil {
		panic(err) // a default of our own that does not parse
	}
	return cfg
}

// NewServer returns a server that is not started.
func NewServer(cfg Config, env *Env) *Server {
	return &Server{cfg: cfg, env: env, log: newLogger(cfg.Log, env.Stderr), done: make(chan struct{})}
}

// Start opens the data directory and the parts, listens, and says so on standard output. It returns once the server answers. When it
// fails, whatever it had opened is closed again.
func (s *Server) Start(ctx context.Context) error {
	build := s.env.Build.complete(debug.ReadBuildInfo())
	s.log.Info("edict", "version", build.Version, "commit", build.Commit, "data", s.cfg.Server.Data)
	s.raiseLimits()
	if err := s.openData(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.cfg.Server.Listen)
	if err != nil {
		return err
	}
	s.addr = listener.Addr()
	s.http = &http.Server{}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.err = err
		}
	}()
	_, err = fmt.Fprintf(s.env.Stdout, "edict listening on %s\n", s.URL())
	return err
}

// URL is where the server answers, once started.
func (s *Server) URL() string { return "http://" + s.addr.String() }

// Done is closed when the server no longer answers, because it was stopped or because it failed.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop lets the requests under way finish within the drain time of the configuration, closes everything, and returns why
// serving ended, nil when it was only told to.
func (s *Server) Stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.Server.Drain)
	defer cancel()
	err := s.http.Shutdown(ctx)
	<-s.done
	return errors.Join(s.err, err)
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

// openData creates the data directory for its owner alone. A directory that others can read is the operator's choice, but worth a word.
func (s *Server) openData() error {
	dir := s.cfg.Server.Data
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		s.log.Warn("the data directory can be read by others", "dir", dir, "mode", info.Mode().Perm().String())
	}
	return nil
}
