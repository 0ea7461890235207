// Package console is the web console: pages below /console/ that show the law, try it on households and populations, and watch messages.
//
// The pages are one program in the browser, made of the TypeScript in src, the libraries in lib and the texts in text; "go generate" bundles
// them into the directory bundle, which is embedded. The program speaks to the server over its HTTP API as any client does. What is served here
// besides files is the session of the browser: see session.go.
package console

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
)

//go:generate go run -C build .

//go:embed bundle
var files embed.FS

// Options says what the console is the console of.
type Options struct {
	Root       string   // path of the public URL, without a slash at the end; mostly ""
	Version    string   // of the server
	Services   []string // that run: messaging, simulation, watch
	Sessions   Sessions // nil: nobody can sign in
	Enter      Enter    // nil: there is no one-time link
	Issuers    []Issuer // where people can sign in besides
	DemoPeople []string // users of a demonstration that may be shown as examples; nil if it is none
	// Populations is who may have populations computed: "admin", "open", or "" for nobody. Sample says that there is one that need not be sent.
	Populations string
	Sample      bool
}

// pagePolicy forbids everything from elsewhere and every script that is not a file of the console. The page itself may also ask issuers.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const script = "text/javascript; charset=utf-8"

// scripts are the files of the program, each before those that load it: console.js starts it, chunk.js is what the others share, more.js has the
// screens that are not needed at first.
var scripts = []string{"chunk.js", "more.js", "console.js"}

// contentTypes are the files of the bundle.
var contentTypes = map[string]string{
	"console.js":  script,
	"chunk.js":    script,
	"more.js":     script,
	"console.css": "text/css; charset=utf-8",
	"icon.svg":    "image/svg+xml",
}

// console is what is served.
type console struct {
	page   *web.Asset
	assets map[string]*web.Asset
}

// Service returns the routes of the console.
func Service(o Options) (web.Service, error) {
	c := &console{assets: map[string]*web.Asset{}}
	hashes := map[string]string{}
	for _, name := range append(slices.Clone(scripts), "console.css", "icon.svg") {
		body, err := files.ReadFile("bundle/" + name)
		if err != nil {
			return web.Service{}, err
		}
		for _, other := range scripts {
			if hash, ok := hashes[other]; ok && contentTypes[name] == script {
				body = bytes.ReplaceAll(body, []byte(`"./`+other+`"`), []byte(`"./`+other+`?v=`+hash+`"`)) // files of two versions never meet
			}
		}
		a := web.NewAsset(contentTypes[name], body)
		a.Policy = pagePolicy
		c.assets[name], hashes[name] = a, a.Hash()
	}
	manual, err := newManual()
	if err != nil {
		return web.Service{}, err
	}
	c.assets[manualName] = manual
	if c.page, err = newPage(o, hashes); err != nil {
		return web.Service{}, err
	}
	routes := c.routes()
	if o.Sessions != nil {
		routes = append(routes, o.Sessions.Limited(newSessions(o).routes())...)
	}
	return web.Service{
		Name: "console", Title: "Console", Description: "The web console and the browser sessions that it uses.",
		Prefixes: []string{"/console"}, Access: web.NoCaller, Routes: routes,
	}, nil
}

// newPage makes the one page that all screens are shown in.
func newPage(o Options, hashes map[string]string) (*web.Asset, error) {
	tmpl, err := template.ParseFS(files, "bundle/index.html")
	if err != nil {
		return nil, err
	}
	issuers, origins, err := completed(o.Issuers)
	if err != nil {
		return nil, err
	}
	about, err := json.Marshal(map[string]any{
		"version": o.Version, "services": o.Services, "signIn": o.Sessions != nil, "demo": o.DemoPeople != nil, "people": o.DemoPeople,
		"populations": o.Populations, "sample": o.Sample, "issuers": issuers,
	})
	if err != nil {
		return nil, err
	}
	var html bytes.Buffer
	if err := tmpl.Execute(&html, map[string]any{"Root": o.Root, "About": string(about), "Hash": hashes}); err != nil {
		return nil, err
	}
	page := web.NewAsset("text/html; charset=utf-8", html.Bytes())
	page.Policy = strings.Replace(pagePolicy, "connect-src 'self'", strings.Join(append([]string{"connect-src 'self'"}, origins...), " "), 1)
	return page, nil
}

func (c *console) routes() []web.Route {
	page := []web.Answer{{Status: http.StatusOK, ContentType: "text/html", Type: web.Schema{"type": "string"}, Example: "<!doctype html>…"}}
	return []web.Route{
		{
			Method: http.MethodGet, Path: "/console", Policy: web.Public, Handle: c.page.Serve,
			Doc: web.Doc{ID: "console", Summary: "The console", Description: "Returns the console page. It loads no external resources.", Answers: page},
		},
		{
			Method: http.MethodGet, Path: "/console/{rest...}", Policy: web.Public, Handle: c.page.Serve,
			Doc: web.Doc{
				ID: "consoleScreen", Summary: "A screen of the console", Description: "Returns the console page, which shows the screen of the path.",
				Params: []web.Param{{Name: "rest", In: "path", Description: "the screen", Example: "law"}}, Answers: page,
			},
		},
		{
			Method: http.MethodGet, Path: "/console/assets/{asset}", Policy: web.Public, Handle: c.asset,
			Doc: web.Doc{
				ID: "consoleAsset", Summary: "A file of the console", Description: "Returns the script, style, icon or documentation pages. With the hash in v they are immutable.",
				Params: []web.Param{
					{Name: "asset", In: "path", Description: "console.js, chunk.js, more.js, console.css, icon.svg or docs.json", Example: "console.css"},
					{Name: "v", Description: "hash from the page", Example: "0123456789abcdef01234567"},
				},
				Answers: []web.Answer{
					{Status: http.StatusOK, ContentType: "text/javascript", Type: web.Schema{"type": "string"}, Example: "…"},
					{Status: http.StatusOK, ContentType: "text/css", Type: web.Schema{"type": "string"}, Example: "…"},
					{Status: http.StatusOK, ContentType: "image/svg+xml", Type: web.Schema{"type": "string"}, Example: "…"},
					{Status: http.StatusOK, Type: web.FreeObject(), Example: map[string]any{}},
				},
			},
		},
	}
}

// asset serves a file; one that is asked for by its hash may be kept forever.
func (c *console) asset(w http.ResponseWriter, r *http.Request) error {
	a, ok := c.assets[r.PathValue("asset")]
	if !ok {
		return fault.New(fault.NotFound, "the console has no %.80q", r.PathValue("asset"))
	}
	switch v := r.URL.Query().Get("v"); {
	case v == a.Hash():
		kept := *a
		kept.Cache = "public, max-age=31536000, immutable"
		return kept.Serve(w, r)
	case v != "" && slices.Contains(scripts[:2], r.PathValue("asset")):
		return fault.New(fault.NotFound, "this is another version of the console: load the page again")
	}
	return a.Serve(w, r)
}
