// Package simapi is the HTTP side of the simulation service: /api/1 and /api/2, and the interfaces that clients of the
// OpenFisca web API and of PolicyEngine's use.
//
//   - [New] makes an [API]; [API.Load] gives it the legislation, which may take a while: until then every answer is a 503.
//   - [API.Services] are the tables of routes: they differ in envelope, error shape and vocabulary, and share everything
//     else. Files are named after the resource, behind v1 for /api/1 and the formulas
//     of /api/2, v2 for the rest of /api/2, openfisca and policyengine for the others.
//   - law is the legislation that is served, with what is derived from it once: source texts, dependencies, decompositions.
//   - budget bounds what requests may use, one by one and together.
//
// Answers are built as ordered JSON (object, list) and hold columns as they come from the engine. Every problem of a
// request becomes a refusal: a status, a message, and a tree that mirrors the request.
package simapi

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"edict/platform/fault"
	"edict/platform/web"
	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/population"
)

// Options are the choices of an API. The zero value of a field is its default.
type Options struct {
	// Auth makes every route require a caller.
	Auth bool
	// Headline is the variable that graph, field and a derived decomposition are about when a request names none; "" is
	// revdisp where the legislation has it.
	Headline string
	// AsSent computes scenarios as they are: no suggestion and no rule of the package applies.
	AsSent bool
	// Country is the one whose requests are answered as PolicyEngine's API does, "uk" at /uk/calculate; "" is none.
	Country string
	// Welcome is the text of the root path.
	Welcome string
	Version string // of the server, in X-API-Version

	Scenarios  int           // most scenarios of a request; 100
	Points     int           // most points of the axes of a request; 1 000 000
	Cells      int64         // most values that one simulation may hold; 50 000 000
	Body       int64         // bytes; 16 MiB
	Timeout    time.Duration // of one request; 30 s
	Concurrent int           // simulations that run at once; 2 per core
	Waiting    int           // requests that may wait for their turn; 64
	Values     int           // most values of the document of a request; 1 000 000
	Answer     int64         // bytes of the largest answer; 128 MiB
	Memory     int64         // bytes that requests under way may hold together; 768 MiB

	Populations PopulationOptions

	Now func() time.Time // nil: time.Now
	Log *slog.Logger     // nil: slog.Default()
}

// API answers requests about one legislation.
type API struct {
	o       Options
	version []string // as the value of a header
	budget  *budget
	law     atomic.Pointer[law]

	watching atomic.Int64 // streams of populations
}

// New makes an API without legislation.
func New(o Options) *API {
	o = o.withDefaults()
	return &API{o: o, version: []string{o.Version}, budget: newBudget(o)}
}

// Load gives the API its legislation: the system is what is served, the package's own or one derived from it. It is
// called once.
func (a *API) Load(ctx context.Context, p *country.Package, system *legislation.System) error {
	return a.LoadAs(ctx, p, system, "", nil)
}

// LoadAs is Load of a legislation with a hash, which answers tell: servers with the same one give the same answers.
// Reports of populations have the provenance, if there is one.
func (a *API) LoadAs(ctx context.Context, p *country.Package, system *legislation.System, hash string, origin *population.Provenance) error {
	l, err := newLaw(ctx, p, system, a.o.Headline)
	if err != nil {
		return err
	}
	l.provenance = origin
	if hash != "" {
		l.hash = []string{hash}
	}
	for _, wrong := range system.Translations().CheckParts(l.decompositions.Codes()) {
		a.o.Log.Warn("legislation", "problem", wrong.Error())
	}
	a.law.Store(l)
	return nil
}

// About tells which legislation is served; nil before it is loaded.
func (a *API) About() map[string]string {
	l := a.law.Load()
	if l == nil {
		return nil
	}
	about := map[string]string{"package": l.name[0], "version": l.version[0]}
	if l.hash != nil {
		about["hash"] = l.hash[0]
	}
	return about
}

var errLoading = &fault.Error{Kind: fault.Unavailable, Message: "the legislation is being loaded: try again in a moment", RetryAfter: 1}

// Ready is nil once the legislation is loaded.
func (a *API) Ready(context.Context) error {
	if a.law.Load() != nil {
		return nil
	}
	return errLoading
}

// loaded returns the legislation, or why there is none.
func (a *API) loaded() (*law, error) {
	if l := a.law.Load(); l != nil {
		return l, nil
	}
	return nil, a.Ready(context.Background())
}

// exposing opens a service to pages of any origin, which may read these headers of its answers.
func exposing(headers ...string) *web.CORS {
	c := web.AnyOrigin()
	c.Expose = headers
	return c
}

// Services are the tables of routes: /api/1 and /api/2, OpenFisca's interface, and that of PolicyEngine for a package of its.
func (a *API) Services() []web.Service {
	v1 := a.v1()
	v1.Routes = append(append(v1.Routes, a.v2Law()...), a.v2Populations()...)
	services := []web.Service{v1, a.openFisca()}
	if a.o.Country != "" {
		services = append(services, a.policyEngine())
	}
	return services
}

// policy is who may call.
func (a *API) policy() web.Policy {
	if a.o.Auth {
		return web.Authenticated
	}
	return web.Public
}

func (a *API) access() web.Access { return a.policy().Access }

// handler answers a request about the legislation that is loaded.
type handler func(l *law, w http.ResponseWriter, r *http.Request) error

// with gives a handler the legislation.
func (a *API) with(h handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		l, err := a.loaded()
		if err != nil {
			return err
		}
		return h(l, w, r)
	}
}

// unpreparedNote describes what computes populations does.
const unpreparedNote = "Populations of PolicyEngine packages are not supported: their routes return 422."

// computes is with, for routes that compute with inputs as they are sent. A package whose own code prepares inputs is rejected before the body is read;
// the engine rejects it in any case.
func (a *API) computes(h handler) web.Handler {
	return a.with(func(l *law, w http.ResponseWriter, r *http.Request) error {
		if err := l.system.Unprepared(); err != nil {
			return &refusal{status: http.StatusUnprocessableEntity, message: err.Error(), cause: err}
		}
		return h(l, w, r)
	})
}
