package cli

// Before a server opens anything, it checks all that its settings name: files first, then the data directory and the addresses, then
// packages. A wrong call leaves nothing behind and costs no time.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"edict/messaging/delivery"
	"edict/platform/db"
	"edict/platform/web"
	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/watch"
)

// slowLoad is how long a package may load in silence.
const slowLoad = 2 * time.Second

// precheck reports the first thing that the settings name and that cannot be used. It creates nothing.
func (s *Server) precheck(ctx context.Context) error {
	if err := s.cfg.checkFiles(); err != nil {
		return &UsageError{err.Error()}
	}
	if err := s.checkDirectory(); err != nil {
		return err
	}
	if err := s.cfg.checkAddresses(ctx); err != nil {
		return err
	}
	if !s.serves([]string{onlySimulation}) {
		return nil
	}
	if err := s.cfg.Simulation.check(s.installed()); err != nil {
		return err
	}
	return s.loadFirst(ctx)
}

// checkFiles reads the files that settings name.
func (c *Config) checkFiles() error {
	if err := c.TLS.options(c.Server.Data).Check(); err != nil {
		return fmt.Errorf("--tls-cert %s, --tls-key %s: %s; give a certificate and its key as PEM files", c.TLS.Cert, c.TLS.Key, unread(err))
	}
	if c.Server.Only != onlySimulation {
		if err := c.Push.checkFiles(); err != nil {
			return err
		}
	}
	if c.Server.Watch || c.Server.WatchKey != "" {
		if err := watch.CheckKeyFile(c.Server.keyFile()); err != nil {
			return fmt.Errorf("--watch-key: %s", unread(err))
		}
	}
	if c.Server.Only != onlyMessaging {
		if _, err := readWarmUp(c.Simulation.Warm); err != nil {
			return err
		}
	}
	return nil
}

// checkFiles reads the keys of push services, those of services that are not in use included.
func (c PushConfig) checkFiles() error {
	guard, err := c.guard()
	if err != nil {
		return err
	}
	defer guard.Close()
	vapid, err := c.vapid(make([]byte, 32), time.Now)
	if err != nil {
		return err
	}
	all := c
	for service, file := range map[string]string{"fcm": c.FCMCredentials, "apns": c.APNsKey} {
		if file != "" && !c.uses(service) {
			all.Services = append(slices.Clip(all.Services), service)
		}
	}
	_, err = all.adapters(guard, vapid, time.Now)
	return err
}

// checkDirectory checks the place of the data directory, where there is to be one.
func (s *Server) checkDirectory() error {
	if !s.keepsData() {
		return nil
	}
	if err := db.CheckDirectory(s.cfg.Server.Data); err != nil {
		return fmt.Errorf("--data: cannot create the data directory %s: %w; give a directory that you can write", s.cfg.Server.Data, err)
	}
	return nil
}

// keepsData reports whether the server opens a database in its data directory. The directory of a demonstration goes with it.
func (s *Server) keepsData() bool {
	temporary := s.cfg.Server.Demo && s.cfg.Server.Data == defaultData
	return s.serves([]string{onlyMessaging}) && s.cfg.Server.Store == "" && !temporary
}

// checkAddresses reports an address that is not of this machine, or that another process has.
func (c *Config) checkAddresses(ctx context.Context) error {
	for _, a := range []struct{ flag, address string }{{"--listen", c.Server.Listen}, {"--admin-listen", c.Server.AdminListen}} {
		if a.address == "" {
			continue
		}
		err := web.CheckListen(ctx, a.address)
		switch {
		case errors.Is(err, syscall.EADDRINUSE):
			return fmt.Errorf("%s: %w", a.flag, err)
		case err != nil:
			return &UsageError{fmt.Sprintf("%s: %v; give an address of this machine, such as 127.0.0.1:8080", a.flag, err)}
		}
	}
	return nil
}

// check finds packages and reforms, and reads the changes of parameters.
func (c CountryConfig) check(data DataConfig) error {
	if _, err := c.changes(); err != nil {
		return err
	}
	if c.Cache != "" && c.Cache != "off" {
		if err := db.CheckDirectory(c.Cache); err != nil {
			return &UsageError{fmt.Sprintf("--cache: %v; give a directory that only you can write, or off", err)}
		}
	}
	_, err := c.locate(data)
	return err
}

// loadFirst loads the legislation before a first start creates the data directory: only the loaded package says whether it has the
// reforms and parameters that settings name. Later starts load in the background, while the server already answers.
func (s *Server) loadFirst(ctx context.Context) error {
	if !s.keepsData() {
		return nil
	}
	if _, err := os.Stat(s.cfg.Server.Data); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	slow := time.AfterFunc(slowLoad, func() { s.log.Info("legislation", "loading", s.cfg.Simulation.Country) })
	defer slow.Stop()
	law, err := s.loadLaw(ctx)
	s.firstLaw = &law
	return err
}

// loadedLaw is a package with the reforms and changes of the settings.
type loadedLaw struct {
	pkg    *country.Package
	system *legislation.System
}

// loadLaw returns the legislation of the settings.
func (s *Server) loadLaw(ctx context.Context) (law loadedLaw, err error) {
	if first := s.firstLaw; first != nil {
		s.firstLaw = nil
		return *first, nil
	}
	if law.pkg, law.system, err = s.lawConfig().system(ctx, s.installed()); err != nil {
		return law, s.cfg.Simulation.brief(err)
	}
	if name := s.cfg.Simulation.Headline; name != "" {
		if _, err := law.system.Lookup(name); err != nil {
			return law, &UsageError{fmt.Sprintf("--simulation-headline: %v; give one of its variables", err)}
		}
	}
	return law, nil
}

// briefly is the number of problems of a package that serve lists.
const briefly = 3

// brief shortens a long list of problems: "edict check" shows all of them.
func (c CountryConfig) brief(err error) error {
	problems, ok := errors.AsType[legislation.Problems](err)
	if !ok || len(problems) <= briefly {
		return err
	}
	return fmt.Errorf("the country package cannot be used, %s, of which \"edict check --country %s\" lists all:\n%w", count(len(problems), "problem"), c.Country, problems[:briefly])
}

// checkURLs reports addresses of push services that are none.
func (c PushConfig) checkURLs() []error {
	wrong := []error{webURL("--push-fcm-url", c.FCMURL), webURL("--push-apns-url", c.APNsURL)}
	key, err := delivery.DeriveKey(make([]byte, 32))
	if err == nil {
		_, err = delivery.NewVAPID(key, c.Contact, time.Now)
	}
	if err != nil {
		wrong = append(wrong, fmt.Errorf("--push-contact: %w", err))
	}
	return wrong
}
