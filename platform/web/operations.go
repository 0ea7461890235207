package web

import (
	"net/http"
	"slices"
)

// operations are the routes the server brings along. Their service shapes what no other owns.
func (s *Server) operations(others []Service) Service {
	own := Service{
		Name:        "operations",
		Description: "Health and documentation.",
		Access:      NoCaller, TrailingSlash: true,
		Routes: []Route{
			{
				Method: http.MethodGet, Path: "/healthz", Policy: Public, Handle: healthz,
				Doc: Doc{
					ID: "health", Summary: "Check liveness", Description: "Returns 200 while the process runs. For liveness probes.",
					Answers: []Answer{{Status: http.StatusOK, Description: "alive", Type: health{}, Example: health{Status: "ok"}}},
				},
			},
			{
				Method: http.MethodGet, Path: "/readyz", Policy: Public, Handle: s.readyz,
				Doc: Doc{
					ID: "readiness", Summary: "Check readiness", Description: "Runs the named checks (the store can be written, the legislation is loaded). For readiness probes and load balancers; 503 while stopping.",
					Answers: []Answer{
						{Status: http.StatusOK, Description: "every check passed", Type: health{}, Example: health{Status: "ok", Checks: map[string]string{"store": "ok"}}},
						{Status: http.StatusServiceUnavailable, Description: "a check failed, or the process is stopping", Type: health{}, Example: health{Status: "not ready", Checks: map[string]string{"store": "the store cannot be written"}}},
					},
				},
			},
			{
				Method: http.MethodGet, Path: "/openapi.json", Policy: Public, Handle: s.serveOpenAPI,
				Doc: Doc{
					ID: "openapi", Summary: "This API as OpenAPI 3.1", Description: "Describes every route, generated from the route table.",
					Answers: []Answer{{Status: http.StatusOK, Type: FreeObject(), Example: object{"openapi": "3.1.0"}}},
				},
			},
			{
				Method: http.MethodGet, Path: "/docs", Policy: Public, Handle: s.serveDocs,
				Doc: Doc{
					ID: "docs", Summary: "This documentation", Description: "The API description for people. It loads no external resources.",
					Answers: []Answer{{Status: http.StatusOK, ContentType: "text/html", Type: Schema{"type": "string"}, Example: "<!doctype html>…"}},
				},
			},
			{
				Method: http.MethodGet, Path: "/docs/{asset}", Policy: Public, Handle: s.serveDocs,
				Doc: Doc{
					ID: "docsAsset", Summary: "A part of the documentation page", Description: "Returns its style or script.",
					Params:  []Param{{Name: "asset", In: "path", Description: "docs.css or docs.js", Example: "docs.css"}},
					Answers: []Answer{{Status: http.StatusOK, ContentType: "text/css", Type: Schema{"type": "string"}, Example: "body { … }"}},
				},
			},
		},
	}
	taken := slices.ContainsFunc(others, func(svc Service) bool {
		return slices.ContainsFunc(svc.Routes, func(r Route) bool { return r.Path == "/{$}" })
	})
	if !taken {
		own.Routes = append(own.Routes, homeRoute())
	}
	return own
}

// homeRoute is what is at the root where no service has it.
func homeRoute() Route {
	return Route{
		Method: http.MethodGet, Path: "/{$}", Policy: Public,
		Handle: OrHome(func(_ http.ResponseWriter, r *http.Request) error { return noSuchPath(r.URL.Path, "") }),
		Doc: Doc{
			ID: "home", Summary: "Show the start page", Description: "An HTML page for browsers. Other clients get 404.",
			Answers: []Answer{{Status: http.StatusOK, ContentType: "text/html", Type: Schema{"type": "string"}, Example: "<!doctype html>…"}},
		},
	}
}

// OrHome answers browsers, which ask for HTML, with a page that says what this server is and where to go on, or sends them to Options.Home, and
// leaves everybody else to next.
func OrHome(next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Add("Vary", "Accept")
		x := exchangeOf(r.Context())
		if x == nil || x.server == nil || !PrefersHTML(r) {
			return next(w, r)
		}
		if home := x.server.opts.Home; home != "" {
			http.Redirect(w, r, home, http.StatusSeeOther)
			return nil
		}
		d, err := x.server.documents()
		if err != nil {
			return err
		}
		return d.home.Serve(w, r)
	}
}
