package web

import (
	"net/http"
	"time"

	"github.com/rs/cors"
)

// CORS opens a service to pages of other origins. A preflight is answered with 204 before anything
// else is looked at, whatever the path.
type CORS struct {
	Origins     []string      // "https://app.example", with "*" as wildcard inside; ["*"] is any origin
	Credentials bool          // cookies and HTTP authentication of the browser; refused together with ["*"]
	MaxAge      time.Duration // for which a browser may remember a preflight; 0: 10 minutes
	Expose      []string      // headers of the answer that a page may read, besides the simple ones
}

// AnyOrigin is the CORS of a public service: any origin, without credentials.
func AnyOrigin() *CORS { return &CORS{Origins: []string{"*"}} }

func (c *CORS) compile() *cors.Cors {
	age := c.MaxAge
	if age == 0 {
		age = 10 * time.Minute
	}
	return cors.New(cors.Options{
		AllowedOrigins:       c.Origins,
		AllowedMethods:       append([]string{http.MethodHead}, methods...),
		AllowedHeaders:       []string{"*"},
		ExposedHeaders:       append([]string{"X-Request-Id", "WWW-Authenticate", "Retry-After", "RateLimit", "RateLimit-Policy"}, c.Expose...),
		AllowCredentials:     c.Credentials,
		MaxAge:               int(age.Seconds()),
		OptionsSuccessStatus: http.StatusNoContent,
	})
}

// sameOrigin reports whether a request says nothing of another origin, as all do that no browser sends.
func sameOrigin(r *http.Request) bool {
	return r.Method != http.MethodOptions && len(r.Header["Origin"]) == 0
}

func preflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" && r.Header.Get("Origin") != ""
}
