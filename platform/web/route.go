package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"edict/platform/heap"
)

// Access says whether a request needs a caller.
type Access uint8

// The three ways. RequiredCaller is the zero value on purpose: what nobody thought about is closed.
const (
	RequiredCaller Access = iota // 401 without a valid token
	OptionalCaller               // a token is checked when there is one; a bad one is a 401
	NoCaller                     // tokens are not looked at
)

// String returns the access in words.
func (a Access) String() string {
	return [...]string{"caller required", "caller optional", "no caller"}[min(a, NoCaller)]
}

// Policy is the named rule under which a route may be called. It only says whether there must be a
// caller; what that caller may do to which thing is a rule of the domain.
type Policy struct {
	Name        string // in the documentation and in tables of authorization tests: "member", "owner", "public"
	Access      Access
	Secrets     bool   // the handler reads or hands out credentials without a caller: a cookie, a password, a token
	Description string // one sentence for the documentation
	Admins      bool   // only admins: what they read is in the audit trail
}

// noStore reports whether caches must not keep an answer: every answer to a caller, and every answer with credentials.
func (p Policy) noStore(caller *Caller) bool { return caller != nil || p.Secrets }

// The policies every service can use.
var (
	Public        = Policy{Name: "public", Access: NoCaller, Description: "All callers; no token is needed."}
	Authenticated = Policy{Name: "authenticated", Access: RequiredCaller, Description: "Any caller with a valid token."}
	MaybeCaller   = Policy{Name: "optional", Access: OptionalCaller, Description: "All callers; a token, if sent, must be valid."}
)

// Route is one row of the table.
type Route struct {
	Method string // GET, POST, PUT, PATCH, DELETE; GET answers HEAD as well
	Path   string // as in http.ServeMux: "/a/{name}", without method or host; r.PathValue("name") is decoded once
	Policy Policy
	Handle Handler
	Doc    Doc

	Stream  bool          // long-lived: no deadlines, no compression; the handler watches [Stopping] and returns when the stream ends; it may take the connection (http.Hijacker) if the path has no parameter
	Tickets bool          // ?ticket= is accepted in place of a token (see TicketAuthenticator)
	Clients bool          // tokens of clients that act for themselves are accepted too (see ClientAuthenticator)
	MaxBody int64         // bytes; 0: the service's
	Timeout time.Duration // of the request's context; 0: the service's; negative: none
	Errors  ErrorShape    // nil: the service's
}

// Service is a group of routes with one look: error shape, limits, CORS.
type Service struct {
	Name        string // "messaging"; tag of its routes in the documentation
	Title       string // its heading in the documentation; "": Name
	Description string
	Prefixes    []string // unknown paths at or below one answer in this service's shape; "/" stands for the root path alone
	Routes      []Route
	Schemas     map[string]Schema // by name, for [Ref]; names are unique in the whole table

	Errors       ErrorShape // nil: DefaultErrors
	ErrorExample any        // of a failure, for the documentation; nil: what Errors makes of an unknown path
	Access       Access     // of unknown paths below Prefixes: 401 comes before 404 when a caller is required

	Headers       func(http.Header) // adds headers to every answer at or below Prefixes, unknown paths and methods too; nil: none
	CORS          *CORS             // nil: no cross-origin access
	Short         bool              // requests are answered at once: their contexts need not end when their clients leave
	RefuseTypos   bool              // unknown fields and query parameters whose names are nearly known ones are refused (400), others ignored
	TrailingSlash bool              // every route also answers with one slash more
	Memory        *heap.Budget      // for bodies and answers under way beyond 64 KiB each, and what handlers hold; requests that find none are told to come back. nil: no bound
	MaxBody       int64             // bytes; 0: Options.MaxBody
	MaxDepth      int               // of JSON; 0: Options.MaxDepth
	Timeout       time.Duration     // 0: Options.HandlerTimeout; negative: none
}

// Doc is what the documentation says about a route.
type Doc struct {
	ID          string // operationId, unique; "" makes one from method and path
	Summary     string // a few words
	Description string // what it does, for whom, what to know
	Params      []Param
	Body        *Body    // nil: the route reads no body
	Answers     []Answer // at least one of status 1xx–3xx
	Deprecated  bool
}

// Param documents a parameter of path, query or header. Path parameters that are not listed are
// documented as plain strings.
type Param struct {
	Name        string
	In          string // "query" (default), "path", "header"
	Description string
	Required    bool
	Type        any // a value of the Go type, or a Schema; nil: string
	Example     any
}

// Body documents the body of a request. A route with one refuses other content types.
type Body struct {
	Type        any // a value of the Go type, or a Schema
	Example     any // marshalled to JSON; for other content types the text that is sent; []FormPart for a form with files
	More        []Example
	ContentType string // "": application/json
	Optional    bool
}

// Example is a further example of a body.
type Example struct {
	Name    string // in the OpenAPI document, a word
	Summary string // what it shows
	Value   any
}

// Answer documents one answer.
type Answer struct {
	Status      int
	Description string // "": the status in words
	Type        any    // nil: from Example; without both there is no body
	Example     any
	ContentType string // "": application/json
	Empty       bool   // there is no body, although answers of the status may have one
}

// check reports everything that is missing in the row, nil when it is complete.
func (r *Route) check() []string {
	var problems []string
	missing := func(bad bool, what string) {
		if bad {
			problems = append(problems, what)
		}
	}
	missing(!slices.Contains(methods, r.Method), fmt.Sprintf("method %q is not one of %s", r.Method, strings.Join(methods, ", ")))
	missing(!strings.HasPrefix(r.Path, "/"), "the path does not start with a slash")
	missing(r.Policy.Name == "", "no policy")
	missing(r.Handle == nil, "no handler")
	missing(r.Doc.Summary == "", "no summary")
	missing(r.Doc.Description == "", "no description")
	missing(r.Doc.Body != nil && r.Doc.Body.Example == nil, "no example of the body")
	return append(problems, checkAnswers(r.Doc.Answers)...)
}

func checkAnswers(answers []Answer) []string {
	var problems []string
	good := false
	for _, a := range answers {
		if http.StatusText(a.Status) == "" {
			problems = append(problems, fmt.Sprintf("answer %d is no HTTP status", a.Status))
		}
		if a.Status >= 400 {
			continue
		}
		good = true
		if a.Example == nil && !a.Empty && !bodiless(a.Status) {
			problems = append(problems, fmt.Sprintf("no example of answer %d", a.Status))
		}
	}
	if !good {
		problems = append(problems, "no example of a good answer")
	}
	return problems
}

func bodiless(status int) bool {
	return status < 200 || status == http.StatusNoContent || status >= 300 && status < 400
}

var methods = []string{http.MethodDelete, http.MethodGet, http.MethodPatch, http.MethodPost, http.MethodPut}

// owns reports whether a path is at or below a prefix of the service, and how long that prefix is.
func (s *Service) owns(path string) (length int, ok bool) {
	for _, p := range s.Prefixes {
		if len(p) > length && strings.HasPrefix(path, p) && (len(path) == len(p) || p != "/" && path[len(p)] == '/') {
			length, ok = len(p), true
		}
	}
	return length, ok
}
