package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
)

// PagesDir returns the directory of the page that WebApp serves.
func PagesDir(t *testing.T) string {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, "e2e", "testdata")
}

// WebApp serves the page of the tests on an origin of its own.
func WebApp(t *testing.T) string {
	t.Helper()
	app := httptest.NewServer(http.FileServer(http.Dir(PagesDir(t))))
	t.Cleanup(app.Close)
	return app.URL
}

// Issuer is a server whose issuer is the URL that it is reached at, with the user ann.
type Issuer struct {
	*Server
	IssuerURL, app string
	Secret         string // of the client backend
}

// NewFront returns the address of a proxy in front of a server that is not there yet, and what tells the proxy where it is.
func NewFront(t *testing.T) (address string, aim func(server string)) {
	t.Helper()
	var target *url.URL
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL, func(server string) {
		var err error
		if target, err = url.Parse(server); err != nil {
			t.Fatal(err)
		}
	}
}

// StartIssuer starts one behind a proxy, whose address is known before; app is the origin of a page that may sign users in as the client chat.
func StartIssuer(t *testing.T, app string) *Issuer {
	t.Helper()
	address, aim := NewFront(t)
	s := &Issuer{IssuerURL: address, app: app}
	s.Server = Start(t, Options{Configure: func(c *cli.Config) { c.Auth.Issuer, c.Messaging.Origins = address, []string{app} }})
	aim(s.Server.URL)
	Run(t, "secret of ann", "user", "create", "ann", "--id", "ann", "--password-stdin", "--data", s.Data)
	AddClient(t, s.Data, "chat", "--redirect", "https://app.example/back", "--redirect", app+"/streams.html")
	s.Secret = AddClient(t, s.Data, "backend", "--secret", "--scope", "mint")
	return s
}

// PageLoaded completes a condition: the page is loaded as well.
const PageLoaded = ` && document.readyState == "complete"`

// SignInAt types a name and a password on the login page at an address, as a browser without a screen, and returns what the application gets.
func SignInAt(t testing.TB, address, name, password string) url.Values {
	t.Helper()
	page, form, found := strings.Cut(address, "?")
	values, err := url.ParseQuery(form)
	if err != nil || !found {
		t.Fatal(err)
	}
	values.Set("username", name)
	values.Set("password", password)
	resp, err := NoRedirects.PostForm(page, values)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	at, err := resp.Location()
	if err != nil {
		t.Fatalf("%s: %v", resp.Status, err)
	}
	return at.Query()
}
