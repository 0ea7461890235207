package web

import "net/http"

// operations are the routes the server brings along. Their service shapes what no other owns.
func (s *Server) operations() Service {
	return Service{
		Name:        "operations",
		Description: "Health and documentation.",
		Access:      NoCaller, TrailingSlash: true,
		Routes: []Route{
			{
				Method: http.MethodGet, Path: "/healthz", Policy: Public, Handle: healthz,
				Doc: Doc{
					ID: "health", Summary: "Is the process alive", Description: "Answers 200 as long as the process can answer at all. For liveness probes.",
					Answers: []Answer{{Status: http.StatusOK, Description: "alive", Type: health{}, Example: health{Status: "ok"}}},
				},
			},
			{
				Method: http.MethodGet, Path: "/readyz", Policy: Public, Handle: s.readyz,
				Doc: Doc{
					ID: "readiness", Summary: "Can the process serve", Description: "Runs the named checks (the store can be written, the legislation is loaded). For readiness probes and load balancers; 503 while stopping.",
					Answers: []Answer{
						{Status: http.StatusOK, Description: "every check passed", Type: health{}, Example: health{Status: "ok", Checks: map[string]string{"store": "ok"}}},
						{Status: http.StatusServiceUnavailable, Description: "a check failed, or the process is stopping", Type: health{}, Example: health{Status: "not ready", Checks: map[string]string{"store": "the store cannot be written"}}},
					},
				},
			},
			{
				Method: http.MethodGet, Path: "/openapi.json", Policy: Public, Handle: s.serveOpenAPI,
				Doc: Doc{
					ID: "openapi", Summary: "This API as OpenAPI 3.1", Description: "The machine-readable description of every route, made from the same table that serves them.",
					Answers: []Answer{{Status: http.StatusOK, Type: FreeObject(), Example: object{"openapi": "3.1.0"}}},
				},
			},
			{
				Method: http.MethodGet, Path: "/docs", Policy: Public, Handle: s.serveDocs,
				Doc: Doc{
					ID: "docs", Summary: "This documentation", Description: "The same description for people. It loads nothing from elsewhere.",
					Answers: []Answer{{Status: http.StatusOK, ContentType: "text/html", Type: Schema{"type": "string"}, Example: "<!doctype html>…"}},
				},
			},
			{
				Method: http.MethodGet, Path: "/docs/{asset}", Policy: Public, Handle: s.serveDocs,
				Doc: Doc{
					ID: "docsAsset", Summary: "A part of the documentation page", Description: "Its style and its script.",
					Params:  []Param{{Name: "asset", In: "path", Description: "docs.css or docs.js", Example: "docs.css"}},
					Answers: []Answer{{Status: http.StatusOK, ContentType: "text/css", Type: Schema{"type": "string"}, Example: "body { … }"}},
				},
			},
		},
	}
}
