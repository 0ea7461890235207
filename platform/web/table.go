package web

// The table: services compiled into a mux. ServeMux decodes path values once and finds the most
// specific pattern; what it does not do as we want it (405 and 404 in the shape of a service, no
// redirects) is done here, by one catch-all that works out whose path it was, and by keeping unclean
// paths away from the mux.

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/rs/cors"

	"edict/platform/fault"
)

// service is a Service with its defaults filled in.
type service struct {
	Service
	cors *cors.Cors // nil: none
}

// endpoint is a route in the mux.
type endpoint struct {
	*Route
	service *service
	label   string   // "POST /a/{b}", for metrics and logs
	consume string   // content type of the body; "": reads none
	query   []string // the names of its query parameters
	fields  []string // those of its form, if it reads one
	maxBody int64
	errors  ErrorShape

	compressed http.Handler // serve behind the compressor; nil: never compressed
	metrics    endpointMetrics
	deadline   deadline // of the handler
}

func (s *Server) compile(services []Service) error {
	var problems []error
	seen := names{ids: map[string]string{}, titles: map[string]string{}, policies: map[string]Policy{}, prefixes: map[string]string{}}
	for i := range services {
		svc := s.compileService(services[i])
		problems = append(problems, seen.service(svc)...)
		for j := range svc.Routes {
			ep := s.compileRoute(svc, &svc.Routes[j])
			problems = append(problems, s.problems(ep, seen)...)
			s.endpoints = append(s.endpoints, ep)
			if ep.Stream && !strings.Contains(ep.Path, "{") {
				s.streams = append(s.streams, ep.Path)
			}
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("route table: %w", err)
	}
	return s.register()
}

func (s *Server) compileService(svc Service) *service {
	svc.MaxBody = cmp.Or(svc.MaxBody, s.opts.MaxBody)
	svc.MaxDepth = cmp.Or(svc.MaxDepth, s.opts.MaxDepth)
	svc.Timeout = cmp.Or(svc.Timeout, s.opts.HandlerTimeout)
	svc.Routes = slices.Clone(svc.Routes)
	svc.Title = cmp.Or(svc.Title, upperFirst(svc.Name))
	if svc.Errors == nil {
		svc.Errors = DefaultErrors
	}
	if svc.ErrorExample == nil {
		svc.ErrorExample = errorExample(&svc)
	}
	compiled := &service{Service: svc}
	if svc.CORS != nil {
		compiled.cors = svc.CORS.compile()
	}
	s.services = append(s.services, compiled)
	return compiled
}

// errorExample asks the service how it shows that a path does not exist.
func errorExample(svc *Service) any {
	path := "/nothing"
	if len(svc.Prefixes) > 0 {
		path = strings.TrimSuffix(svc.Prefixes[0], "/") + path
	}
	r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}, Host: "localhost", RequestURI: path, Header: http.Header{}}
	_, body := svc.Errors(r, noSuchPath(path, ""))
	return body
}

// noSuchPath is the error of a path that does not exist; near is the one that may be meant, "" when there is none.
func noSuchPath(path, near string) error {
	if near != "" {
		return fault.New(fault.NotFound, "there is nothing at %s: did you mean %s?", path, near)
	}
	return fault.New(fault.NotFound, "there is nothing at %s: /docs lists all routes", path)
}

func (s *Server) compileRoute(svc *service, route *Route) *endpoint {
	ep := &endpoint{
		Route: route, service: svc,
		label:   route.Method + " " + route.Path,
		maxBody: cmp.Or(route.MaxBody, svc.MaxBody),
		errors:  svc.Errors,
	}
	if route.Errors != nil {
		ep.errors = route.Errors
	}
	if route.Doc.Body != nil {
		ep.consume = cmp.Or(route.Doc.Body.ContentType, jsonContentType)
	}
	ep.name()
	if route.Doc.ID == "" {
		route.Doc.ID = operationID(route)
	}
	if !route.Stream {
		ep.deadline.timeout = cmp.Or(route.Timeout, svc.Timeout)
		if s.compress != nil {
			ep.compressed = s.compress(http.HandlerFunc(ep.serveCompressed))
		}
	}
	ep.metrics.requests, ep.metrics.duration = s.metrics.of(ep.label)
	return ep
}

// names are what must mean one thing in the whole table.
type names struct {
	ids      map[string]string // operation id -> route
	titles   map[string]string // summary -> route: two entries of the documentation that read the same
	policies map[string]Policy
	prefixes map[string]string // prefix -> service
}

// service is what keeps a service out of the table.
func (n names) service(svc *service) []error {
	var found []error
	if !plainID(svc.Name) {
		found = append(found, fmt.Errorf("service %q needs a name of plain letters and digits", svc.Name))
	}
	for _, p := range svc.Prefixes {
		if !strings.HasPrefix(p, "/") || p != "/" && strings.HasSuffix(p, "/") {
			found = append(found, fmt.Errorf("%s: prefix %q must start with a slash and not end with one", svc.Name, p))
		}
		if other, taken := n.prefixes[p]; taken {
			found = append(found, fmt.Errorf("%s: prefix %q belongs to %s", svc.Name, p, other))
		}
		n.prefixes[p] = svc.Name
	}
	if c := svc.CORS; c != nil && c.Credentials && slices.Contains(c.Origins, "*") {
		found = append(found, fmt.Errorf("%s: CORS for any origin cannot allow credentials: name the origins", svc.Name))
	}
	return found
}

// problems is what keeps a route out of the table.
func (s *Server) problems(ep *endpoint, seen names) []error {
	var found []error
	report := func(format string, args ...any) {
		found = append(found, fmt.Errorf("%s %s: %s", ep.service.Name, ep.label, fmt.Sprintf(format, args...)))
	}
	for _, p := range ep.check() {
		report("%s", p)
	}
	if other, taken := seen.ids[ep.Doc.ID]; taken {
		report("operation id %q is taken by %s", ep.Doc.ID, other)
	}
	if other, taken := seen.titles[ep.Doc.Summary]; taken {
		report("the summary %q is that of %s", ep.Doc.Summary, other)
	}
	if other, known := seen.policies[ep.Policy.Name]; known && other != ep.Policy {
		report("policy %q says something else on another route", ep.Policy.Name)
	}
	if _, below := ep.service.owns(strings.TrimSuffix(ep.Path, "{$}")); ep.service.CORS != nil && !below {
		report("the path is outside of the service's prefixes, where its CORS does not reach")
	}
	if ep.Policy.Access != NoCaller && s.opts.Authenticator == nil {
		report("policy %q wants a caller and Options.Authenticator is not set", ep.Policy.Name)
	}
	seen.ids[ep.Doc.ID], seen.titles[ep.Doc.Summary], seen.policies[ep.Policy.Name] = ep.label, ep.label, ep.Policy
	return found
}

// register fills the mux. ServeMux panics on a malformed or ambiguous pattern; that is an error of
// the table like any other.
func (s *Server) register() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("route table: %v", p)
		}
	}()
	for _, ep := range s.endpoints {
		s.mux.Handle(ep.label, ep)
		if ep.service.TrailingSlash && !strings.HasSuffix(ep.Path, "/") && !strings.HasSuffix(ep.Path, "{$}") && !strings.HasSuffix(ep.Path, "...}") {
			s.mux.Handle(ep.label+"/{$}", ep)
		}
	}
	s.refuseBare()
	s.refuseShadowed()
	s.mux.Handle("/", http.HandlerFunc(s.serveUnknown))
	return nil
}

// refuseShadowed keeps a path from answering methods of another one: DELETE /users/lookup is not DELETE /users/{id} when
// only POST /users/lookup is a route. Clients read from OPTIONS and 405 what a path documents. A path that ends in a slash is
// meant for everything below it.
func (s *Server) refuseShadowed() {
	open := func(ep *endpoint) bool { return strings.HasSuffix(ep.Path, "/") }
	for _, ep := range s.endpoints { // with {name} as the value of its parameter, which no other path has
		probe := &http.Request{URL: &url.URL{Path: openAPIPath(ep.Path)}}
		for _, probe.Method = range methods {
			h, _ := s.mux.Handler(probe)
			if other, ok := h.(*endpoint); ok && other.Path != ep.Path && !open(other) && !open(ep) {
				s.mux.Handle(probe.Method+" "+ep.Path, http.HandlerFunc(s.serveUnknown))
			}
		}
	}
}

// refuseBare registers the paths of which everything below is a route (/parameter of /parameter/{id...}) as unknown
// where no route of their own has them: the mux would redirect to the path with a slash, behind which there is nothing.
func (s *Server) refuseBare() {
	bare := map[string]bool{}
	for _, ep := range s.endpoints {
		if at := strings.LastIndex(ep.Path, "/{"); at > 0 && strings.HasSuffix(ep.Path, "...}") && !bare[ep.Path[:at]] {
			bare[ep.Path[:at]] = true
			s.mux.Handle(ep.Path[:at], http.HandlerFunc(s.serveUnknown))
		}
	}
}

// serviceOf returns the service whose prefix matches best, the default one when none does.
func (s *Server) serviceOf(path string) *service {
	best, length := s.fallback, 0
	for _, svc := range s.services {
		if n, ok := svc.owns(path); ok && n > length {
			best, length = svc, n
		}
	}
	return best
}

// serveUnknown answers what matches no route: after the caller, if the service wants one, it is a
// path that does not exist, a method that the path does not have, or OPTIONS.
func (s *Server) serveUnknown(_ http.ResponseWriter, r *http.Request) {
	x := exchangeOf(r.Context())
	if r.RequestURI == "*" && r.Method == http.MethodOptions { // whether anybody is there
		x.WriteHeader(http.StatusNoContent)
		return
	}
	if err := s.authenticate(x, r, x.service.Access, false); err != nil {
		s.fail(x, r, err)
		return
	}
	allowed := s.allowed(r)
	if len(allowed) == 0 {
		s.fail(x, r, noSuchPath(r.URL.Path, s.nearestPath(r.URL.EscapedPath())))
		return
	}
	x.Header().Set("Allow", strings.Join(allowed, ", "))
	if r.Method == http.MethodOptions {
		x.WriteHeader(http.StatusNoContent)
		return
	}
	s.fail(x, r, fault.New(fault.MethodNotAllowed, "%s does not answer %s: use %s", r.URL.Path, r.Method, alternatives(allowed)))
}

// alternatives lists words for a sentence: "GET, HEAD or POST".
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// allowed returns the methods that the path of r has, by asking the mux for each.
func (s *Server) allowed(r *http.Request) []string {
	if unclean(r.URL.EscapedPath()) {
		return nil
	}
	var found []string
	probe := *r
	for _, m := range append([]string{http.MethodHead}, methods...) {
		probe.Method = m
		h, _ := s.mux.Handler(&probe)
		if ep, ok := h.(*endpoint); ok && (m != http.MethodHead || !ep.Stream) {
			found = append(found, m)
		}
	}
	if len(found) > 0 {
		found = append(found, http.MethodOptions)
	}
	slices.Sort(found)
	return found
}

// unclean reports whether ServeMux would redirect the path: empty, "." and ".." segments. Such paths
// do not exist here; a redirect would turn a POST of a mistyped name into a request for another thing.
func unclean(path string) bool {
	if path == "" || path[0] != '/' {
		return true
	}
	for i := 0; i < len(path)-1; i++ {
		if path[i] != '/' {
			continue
		}
		rest := path[i+1:]
		if rest[0] == '/' || rest[0] == '.' && dots(rest) {
			return true
		}
	}
	return false
}

// dots reports whether the first segment of a path is "." or "..".
func dots(rest string) bool {
	segment, _, _ := strings.Cut(rest, "/")
	return segment == "." || segment == ".."
}

// compressor returns the middleware that compresses answers, nil when it is off.
func compressor(from int) (func(http.Handler) http.HandlerFunc, error) {
	if from < 0 {
		return nil, nil
	}
	return gzhttp.NewWrapper(gzhttp.MinSize(from), gzhttp.CompressionLevel(1), gzhttp.SetContentType(false),
		gzhttp.ExceptContentTypes([]string{"text/event-stream", "application/octet-stream", "application/zip", "image/png", "font/woff2"}))
}
