// Package msgapi is the wire of the messaging service: /message/api/v2, its names, shapes and codes.
//
// An [API] turns each request into one call of messaging.Service and the outcome into JSON. It holds
// no rule of the domain: names are parsed, permissions decided and limits kept there. What lives
// here is what only the wire knows: two spellings of one field, how a time is written, which
// permission field a reading shows, the rate limit of a caller.
//
// The table of routes is routes.go; each noun has its file, as in package messaging.
package msgapi

import (
	"io"
	"net/http"
	"strings"
	"time"

	"edict/messaging"
	"edict/platform/fault"
	"edict/platform/web"
)

// Prefix is where the service lives.
const Prefix = "/message/api/v2"

// Options configures an API. Service is required.
type Options struct {
	Service *messaging.Service

	AppID  string // of creators and delivery states; "edict" when empty
	Domain string // of creators; "localhost" when empty

	Rate  float64    // requests per second and user; 0: 1000, negative: no limit
	Burst int        // requests a user may make at once after a pause; 0: Rate
	Nodes func() int // nodes that are alive, which share the two; nil: this one

	Push PushInfo         // what devices have to know to be woken
	Now  func() time.Time // nil: time.Now
}

// API answers the requests of the messaging service.
type API struct {
	service *messaging.Service
	appID   string
	domain  string
	push    PushInfo
	limiter *limiter // nil: none
	devices seenDevices

	searches *searches
	pages    turns // to read a page of items or messages
}

// New returns the API of a service.
func New(o Options) *API {
	a := &API{service: o.Service, appID: o.AppID, domain: o.Domain, push: o.Push, searches: newSearches(), pages: make(turns, pagesAtOnce)}
	if a.appID == "" {
		a.appID = "edict"
	}
	if a.domain == "" {
		a.domain = "localhost"
	}
	if o.Rate == 0 {
		o.Rate = 1000
	}
	if o.Burst <= 0 {
		o.Burst = max(1, int(o.Rate))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rate > 0 {
		a.limiter = newLimiter(o.Rate, o.Burst, o.Now)
		a.limiter.nodes = o.Nodes
	}
	return a
}

// WebService returns the routes with what they share.
func (a *API) WebService() web.Service {
	return web.Service{
		Name: "messaging",
		Description: "Channels with tags, subscriptions and published items; messages to users with their delivery status. " +
			"Every request needs an access token. A failure is {code, message}: the code identifies the error, the message explains it and the remedy.",
		Prefixes:     []string{Prefix},
		Routes:       a.routes(),
		Errors:       shapeError,
		ErrorExample: failure{Code: messaging.CodeNoChannel, Message: "channel \"news\" does not exist"},
		Access:       web.RequiredCaller,
		Short:        true,
		RefuseTypos:  true,
	}
}

// failure is the body of every error.
type failure struct {
	Code    messaging.Code `json:"code" doc:"application code"`
	Message string         `json:"message" doc:"the error and its remedy"`
}

func shapeError(_ *http.Request, err error) (int, any) {
	f := fault.From(err)
	return web.Status(f.Kind), failure{Code: messaging.CodeOf(err), Message: f.Message}
}

// publishFailure is the body of a failed publish, which says besides that there is no item.
type publishFailure struct {
	failure
	Status    string  `json:"status"`
	MessageID *string `json:"messageId"`
}

func shapePublishError(r *http.Request, err error) (int, any) {
	status, body := shapeError(r, err)
	return status, publishFailure{failure: body.(failure), Status: "ERROR"}
}

// handler answers a request of a caller whose rate is within bounds.
type handler func(w http.ResponseWriter, r *http.Request, caller messaging.Caller) error

// handle makes a web.Handler of h.
func (a *API) handle(h handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		caller, err := a.admit(w, r)
		if err != nil {
			return err
		}
		if r.ContentLength < 0 {
			body := &countedBody{ReadCloser: r.Body}
			r.Body = body
			defer func() { a.limiter.charge(caller.UserID, body.size) }()
		}
		return h(w, r, caller)
	}
}

// countedBody is a body that knows how much of it was read.
type countedBody struct {
	io.ReadCloser
	size int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.size += int64(n)
	return n, err
}

// Admit returns h for callers whose rate is within bounds and whose device is registered by now. It is for routes of the
// service that are made elsewhere.
func (a *API) Admit(h web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := a.admit(w, r); err != nil {
			return err
		}
		return h(w, r)
	}
}

// admit returns the caller of a request: rate limit, the device of the token.
func (a *API) admit(w http.ResponseWriter, r *http.Request) (messaging.Caller, error) {
	from := web.CallerOf(r)
	caller := messaging.Caller{UserID: messaging.UserID(from.UserID), DeviceID: from.DeviceID, Issued: from.Issued, Admin: from.Admin}
	if caller.Admin {
		caller.Address, caller.Operation = web.AddressOf(r), web.OperationOf(r)
	}
	if err := a.limiter.allow(caller.UserID, r.ContentLength, w.Header()); err != nil {
		return caller, err
	}
	return caller, a.seen(r, caller, from.TokenID)
}

// seen registers the device of a token at its first use.
func (a *API) seen(r *http.Request, caller messaging.Caller, token string) error {
	if caller.DeviceID == "" || a.devices.known(caller.UserID, token) {
		return nil
	}
	err := a.service.SeenDevice(r.Context(), caller)
	if err == nil {
		a.devices.add(caller.UserID, token) // only now: requests that come meanwhile must find the device too
		return nil
	}
	if messaging.CodeOf(err) == messaging.CodeNotPermitted && strings.HasPrefix(r.URL.Path, devices) {
		return nil // too many devices: there must be a way to remove one
	}
	return err
}

// success is the answer of operations that have nothing else to say.
type success struct {
	Message string `json:"message"`
	Code    int    `json:"code"`
}

// done answers 200 without a body.
func done(w http.ResponseWriter) error {
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
	return nil
}

// orNull is a string of JSON that is null when empty.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
