package auth

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"edict/platform/web"
)

// FuzzAuthorize sends queries and forms to the login page. Whatever is sent, the server does not fail, and sends nobody to where the client is not registered.
func FuzzAuthorize(f *testing.F) {
	w := newWorld(f, Options{Rate: -1})
	w.user("alice", "alice", false)
	a := w.app(NewClient{Name: "chat", Redirects: []string{aRedirect, "http://127.0.0.1/cb", "com.example.app:/cb"}})
	for _, q := range []url.Values{
		a.ask(), a.ask("redirect_uri", "http://127.0.0.1:5/cb"), a.ask("redirect_uri", "com.example.app:/cb", "cancel", "1"), a.ask("scope", "admin \x00", "ui_locales", "fr en"),
		a.ask("redirect_uri", "https://evil.example/", "username", "alice"), a.ask("username", "alice", "password", "secret of alice"),
	} {
		f.Add(q.Encode(), true, "fr;q=0.5, en")
		f.Add(q.Encode(), false, "")
	}
	server, err := web.New(web.Options{Authenticator: w.Authority, Logger: w.opts.Logger}, w.Service())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, post bool, language string) {
		r := httptest.NewRequest(http.MethodGet, authorizePath, nil)
		r.URL.RawQuery = text
		if post {
			r = httptest.NewRequest(http.MethodPost, authorizePath, strings.NewReader(text))
			r.Header.Set("Content-Type", formType)
		}
		r.Header["Accept"], r.Header["Accept-Language"] = []string{"text/html"}, []string{language}
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, r.WithContext(t.Context()))
		at := answer.Header().Get("Location")
		uri, _, _ := strings.Cut(at, "code=")
		uri, _, _ = strings.Cut(uri, "error=")
		uri = strings.TrimRight(uri, "?&")
		c, err := w.clientByID(t.Context(), a.id)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case answer.Code >= 500 && answer.Code != http.StatusServiceUnavailable:
			t.Errorf("%q: %d %s", text, answer.Code, answer.Body)
		case at != "" && !c.mayRedirect(uri):
			t.Errorf("%q: sent to %q", text, at)
		case (at != "") != (answer.Code == http.StatusSeeOther):
			t.Errorf("%q: %d %q", text, answer.Code, at)
		}
	})
}

// FuzzRedirect: what may be registered is found again, has a place for the answer, and is what it says to browsers too.
func FuzzRedirect(f *testing.F) {
	for _, seed := range []string{aRedirect, "http://127.0.0.1/cb", "http://[::1]:8/cb", "com.example.app:/cb", "https://a.example\\@b.example/", "https://a.example/%2e", "http://localhost", "x.y:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		if checkRedirect(uri) != nil {
			return
		}
		c := Client{Redirects: []string{uri}}
		if !c.mayRedirect(uri) {
			t.Errorf("%q is not found again", uri)
		}
		u, err := url.Parse(withParameters(uri, url.Values{"code": {"x y"}, "state": {"&"}}))
		if err != nil || u.Query().Get("code") != "x y" || u.Query().Get("state") != "&" {
			t.Errorf("%q: %v %v", uri, u, err)
		}
		if strings.ContainsAny(formTarget(uri), ";,'\"\n") {
			t.Errorf("%q breaks the policy: %q", uri, formTarget(uri))
		}
	})
}

// FuzzClientClaim: a claim is read or refused; one that is read was sent.
func FuzzClientClaim(f *testing.F) {
	f.Add("Basic YmFja2VuZDp4", "client_id=backend")
	f.Add("Basic %", "client_id=a&client_secret=b")
	f.Add("Bearer x", "client_secret=b")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, header, text string) {
		form, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		r := httptest.NewRequest(http.MethodPost, "/auth/token", nil)
		if header != "" {
			r.Header["Authorization"] = []string{header}
		}
		claim, err := claimOf(r, form)
		if err == nil && claim.id == "" && claim.secret != "" {
			t.Errorf("%q %q: a secret of nobody", header, text)
		}
		if err == nil && !isBasic(header) && (claim.id != form.Get("client_id") || claim.secret != form.Get("client_secret")) {
			t.Errorf("%q %q: %+v", header, text, claim)
		}
	})
}

// FuzzLanguage: a language of the page is chosen, whatever is accepted.
func FuzzLanguage(f *testing.F) {
	f.Add("fr", "en")
	f.Add("", "de, fr-CA;q=0.9, en;q=0.5")
	f.Add("x y z", ";q=,;;q=NaN, *;q=1e999")
	f.Fuzz(func(t *testing.T, locales, accept string) {
		if words := wordsFor(locales, accept); words.Language != "en" && words.Language != "fr" {
			t.Errorf("%q %q: %q", locales, accept, words.Language)
		}
	})
}

// FuzzCode: nothing but what the server made is a code, in its one spelling.
func FuzzCode(f *testing.F) {
	w := newWorld(f, Options{})
	good, err := w.newCode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good + "=")
	f.Add(codePrefix)
	f.Fuzz(func(t *testing.T, code string) {
		if _, ok := w.readCode(code); ok != (code == good) {
			t.Errorf("%q: %v", code, ok)
		}
	})
}

// FuzzNotice has other servers tell anything: what is not understood is known to be so, and what is takes back no more than it names.
func FuzzNotice(f *testing.F) {
	for _, seed := range []string{
		`{"revoked":{"User":"ann","Session":"s","Token":"t","Spared":"","Until":1800000000000,"Expires":1800000000001}}`,
		`{"revoked":{"User":"ANN","Spared":"s","Until":9223372036854775807,"Expires":-9223372036854775808}}`,
		`{"revoked":{"User":"client web","Until":1}}`, `{"failed":{"Account":"ann","Address":"10.0.0.1"}}`, `{"failed":{"Account":"ann","Address":"::1","Known":"a ::1"}}`,
		`{"revoked":{},"failed":{}}`, `{"other":{}}`, `{}`, `null`, `[]`, `{"revoked":1}`, ``, "\xff",
	} {
		f.Add([]byte(seed))
	}
	w := newWorld(f, Options{Rate: -1})
	f.Fuzz(func(t *testing.T, body []byte) {
		var n notice
		err := json.Unmarshal(body, &n)
		understood := err == nil && (n.Revoked != nil || n.Failed != nil)
		somebody := func() bool { return w.revoked.cover(&web.Caller{UserID: "somebody", TokenID: "x"}, time.UnixMilli(1)) }
		before := somebody()
		if w.told(body) != understood {
			t.Errorf("%s: understood %v", body, !understood)
		}
		if !before && somebody() && (n.Revoked == nil || FoldID(n.Revoked.User) != "somebody") {
			t.Errorf("%s takes back a token of somebody else", body)
		}
	})
}
