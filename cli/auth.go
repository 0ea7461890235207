package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"edict/platform/auth"
	"edict/platform/db"
	"edict/platform/web"
)

// openIdentity opens users and tokens, and reports how to create the first user if there is none.
func openIdentity(ctx context.Context, s *Server) (part, error) {
	o := s.cfg.Auth.options()
	if o.Issuer == "" {
		o.Issuer, _ = web.ParsePublicURL(s.cfg.Server.PublicURL) // validated; "" without one
	}
	o.Logger, o.Now = s.log, s.env.Now
	identity, err := auth.New(ctx, s.store, o)
	if err != nil {
		return part{}, err
	}
	s.identity = identity
	if empty, err := identity.Empty(ctx); err == nil && empty && !s.cfg.Server.Demo {
		fmt.Fprintf(s.env.Stderr, "There is no user yet. Create the first one, and a token for it, while the server runs:\n\n"+
			"    edict user create NAME --admin %[1]s\n    edict token create --user ID %[1]s\n\n", s.cfg.Server.where())
	}
	service := identity.Service()
	service.CORS = s.cfg.Messaging.cors() // a page that may call messaging must be able to sign in
	return part{
		services:      []web.Service{service},
		authenticator: identity,
		close: func(context.Context) error {
			identity.Close()
			return nil
		},
	}, nil
}

// checkData refuses a directory without data, so that a mistyped one is not created.
func checkData(data StoreConfig) error {
	if data.Store != "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(data.Data, db.FileName)); err != nil {
		return fmt.Errorf("there is no data in %s: give the data directory of a server with --data", data.Data)
	}
	return nil
}

// withIdentity opens the data beside a server that may be running and calls fn.
func withIdentity(ctx context.Context, data StoreConfig, env *Env, fn func(*auth.Authority) error) error {
	return openBeside(ctx, data, env, func(a *auth.Authority, _ *db.DB) error { return fn(a) })
}

// withStore is withIdentity for what needs the database as well; there must be one.
func withStore(ctx context.Context, data StoreConfig, env *Env, fn func(*auth.Authority, *db.DB) error) error {
	if err := checkData(data); err != nil {
		return err
	}
	return openBeside(ctx, data, env, fn)
}

func openBeside(ctx context.Context, data StoreConfig, env *Env, fn func(*auth.Authority, *db.DB) error) error {
	logger := newLogger(LogConfig{Level: "warn", Format: "text"}, env.Stderr)
	store, err := data.open(ctx, db.Options{Tool: true, Readers: 1, Logger: logger, Now: env.Now})
	if err != nil {
		return err
	}
	defer store.Close()
	identity, err := auth.New(ctx, store, auth.Options{Tool: true, Logger: logger, Now: env.Now})
	if err != nil {
		return err
	}
	defer identity.Close()
	return fn(identity, store)
}
