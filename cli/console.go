package cli

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"net/url"
	"runtime/debug"
	"sync"

	"edict/console"
	"edict/platform/auth"
	"edict/platform/fault"
	"edict/platform/web"
)

// consolePath is where browsers find the console.
const consolePath = "/console/"

// openConsole serves the console, unless it is turned off.
func openConsole(_ context.Context, s *Server) (part, error) {
	if !s.cfg.Server.Console {
		return part{}, nil
	}
	o := console.Options{Version: s.env.Build.complete(debug.ReadBuildInfo()).Version, Services: s.running()}
	if s.cfg.Server.Watch {
		o.Services = append(o.Services, "watch")
	}
	if public, err := url.Parse(s.cfg.Server.PublicURL); err == nil { // validated
		o.Root = public.Path
	}
	if s.identity != nil {
		o.Sessions = s.identity
		for _, x := range s.cfg.Auth.Accept {
			if x.Client != "" {
				o.Issuers = append(o.Issuers, console.Issuer{URL: x.URL, Name: x.Name, Client: x.Client, Scope: x.Scope, Audience: x.Audience})
			}
		}
		if s.cfg.Server.Demo {
			s.oneTime = &oneTimeLink{code: rand.Text(), server: s}
			o.Enter, o.DemoPeople = s.oneTime.enter, []string{demoAuthor, demoReader}
		}
	}
	if use := s.cfg.Simulation; s.cfg.Server.Only != onlyMessaging && use.Populations != "off" && (use.Populations == "open" || s.identity != nil) {
		o.Populations, o.Sample = use.Populations, use.sampleOf() != nil
	}
	service, err := console.Service(o)
	return part{services: []web.Service{service}}, err
}

// running are the services that run.
func (s *Server) running() []string {
	if only := s.cfg.Server.Only; only != "" {
		return []string{only}
	}
	return []string{onlyMessaging, onlySimulation}
}

// consoleLink is what a demonstration prints; it signs in whoever opens it first.
func (s *Server) consoleLink() string {
	link := s.url + consolePath
	if s.oneTime != nil {
		link += "#code=" + s.oneTime.code
	}
	return link
}

// demoOperator is the admin behind the link of a demonstration.
const demoOperator = "operator"

// oneTimeLink signs in the admin of a demonstration, once.
type oneTimeLink struct {
	server *Server

	mu   sync.Mutex
	code string // "" once it was used
}

var errUsedLink = fault.New(fault.Unauthenticated, "the link is not good any more: it signs in once; start the demonstration again for another one")

func (l *oneTimeLink) enter(ctx context.Context, code, address string) (auth.Tokens, error) {
	l.mu.Lock()
	good := l.code != "" && subtle.ConstantTimeCompare([]byte(code), []byte(l.code)) == 1
	if good {
		l.code = ""
	}
	l.mu.Unlock()
	if !good {
		return auth.Tokens{}, errUsedLink
	}
	password := rand.Text()
	identity := l.server.identity
	_, err := identity.CreateUser(ctx, auth.NewUser{Name: demoOperator, ID: demoOperator, Password: password, Admin: true})
	if fault.KindOf(err) == fault.Conflict {
		err = identity.SetPassword(ctx, auth.By{}, demoOperator, password)
	}
	if err != nil {
		return auth.Tokens{}, err
	}
	return identity.SignIn(ctx, auth.SignIn{Name: demoOperator, Password: password, Address: address})
}
