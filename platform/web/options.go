package web

import (
	"cmp"
	"log/slog"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// AccessLog says which requests are logged.
type AccessLog uint8

// Failures of the server (5xx) and slow requests are what an operator wants to see by default; one
// line per request costs more than a publish does.
const (
	LogFailures AccessLog = iota // answers of status 5xx, and requests slower than Options.SlowRequest
	LogAll                       // every request
	LogNothing                   // only the causes of 5xx
)

// Options configures a Server. The zero value of every field is its default.
type Options struct {
	Listen      string // "127.0.0.1:8080"; port 0 picks a free one
	AdminListen string // metrics, pprof, health; "": no admin listener
	TLS         TLS    // zero: plain HTTP (with h2c)

	Proxies []netip.Prefix // whose X-Forwarded-For is believed

	PublicURL string // where callers find the server, as ParsePublicURL returns it; "": where they say they do (Host)
	Home      string // path that browsers are sent to from the root; "": they get a page there

	Title, Version, Description string // of the API, for the documentation
	Tokens                      string // how a caller gets a token, for the documentation

	Authenticator Authenticator // needed as soon as a route wants a caller
	Checks        []Check       // of /readyz
	Logger        *slog.Logger  // nil: slog.Default()
	AccessLog     AccessLog
	SlowRequest   time.Duration        // 10 s
	Registry      *prometheus.Registry // nil: a new one, see Server.Registry
	Now           func() time.Time     // nil: time.Now
	NewID         func() string        // of requests; nil: random

	ReadHeaderTimeout time.Duration // 10 s
	ReadTimeout       time.Duration // 60 s, for the whole request
	WriteTimeout      time.Duration // 120 s, for an answer from its first byte to its last
	IdleTimeout       time.Duration // 120 s between requests
	HandlerTimeout    time.Duration // 60 s, of the request's context
	StopTimeout       time.Duration // 25 s for Run to drain before connections are cut

	MaxConnections int   // as many as descriptors leave room for, and never more
	MaxPerAddress  int   // connections from one address that is not in Proxies: 2000, and never more than half of all
	MaxBody        int64 // 4 MiB
	MaxDepth       int   // 100 levels of JSON
	MaxHeaderBytes int   // 64 KiB
	CompressFrom   int   // 1 KiB: smaller answers are sent as they are; negative: never compress
}

func (o Options) withDefaults() Options {
	o.Listen = cmp.Or(o.Listen, "127.0.0.1:8080")
	o.Title = cmp.Or(o.Title, "edict")
	o.Version = cmp.Or(o.Version, "dev")
	o.SlowRequest = cmp.Or(o.SlowRequest, 10*time.Second)
	o.ReadHeaderTimeout = cmp.Or(o.ReadHeaderTimeout, 10*time.Second)
	o.ReadTimeout = cmp.Or(o.ReadTimeout, 60*time.Second)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, 120*time.Second)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 120*time.Second)
	o.HandlerTimeout = cmp.Or(o.HandlerTimeout, 60*time.Second)
	o.StopTimeout = cmp.Or(o.StopTimeout, 25*time.Second)
	o.MaxPerAddress = cmp.Or(o.MaxPerAddress, 2000)
	o.MaxBody = cmp.Or(o.MaxBody, 4<<20)
	o.MaxHeaderBytes = cmp.Or(o.MaxHeaderBytes, 64<<10)
	o.CompressFrom = cmp.Or(o.CompressFrom, 1<<10)
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Registry == nil {
		o.Registry = prometheus.NewRegistry()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = newRequestID
	}
	return o
}
