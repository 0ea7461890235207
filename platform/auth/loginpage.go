package auth

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
)

//go:embed login
var loginFiles embed.FS

// loginPage is the page on which users sign in, and the one that says why they cannot: HTML without script, whose style is part
// of it and allowed by its hash.
type loginPage struct {
	template *template.Template
	style    template.CSS
	hash     string
}

func newLoginPage() (*loginPage, error) {
	style, err := loginFiles.ReadFile("login/login.css")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(style)
	p := &loginPage{style: template.CSS(style), hash: base64.StdEncoding.EncodeToString(sum[:])} //nolint:gosec // our own file
	p.template, err = template.ParseFS(loginFiles, "login/login.html")
	return p, err
}

// loginView is what the template shows.
type loginView struct {
	loginWords
	Style    template.CSS
	Title    string
	Heading  string
	Back     string // where the user goes afterwards
	Hidden   []hiddenField
	Name     string
	Problem  string
	Wrong    bool   // what was typed is the problem
	Refused  string // why there is no form
	Detail   string // for those who made the application
	ShowForm bool
}

type hiddenField struct{ Name, Value string }

// login shows the form.
func (p *loginPage) login(w http.ResponseWriter, r *http.Request, q authorizeRequest, typed attempt, status int) error {
	words := wordsFor(q.parameters.Get("ui_locales"), r.Header.Get("Accept-Language"))
	v := loginView{
		loginWords: words, Style: p.style, ShowForm: true, Name: typed.name,
		Heading: strings.ReplaceAll(words.SignInTo, "%s", q.client.Name),
		Back:    strings.ReplaceAll(words.Return, "%s", returnTo(q.redirect, words)),
	}
	v.Title = v.Heading
	if typed.err != nil {
		v.Problem = words.problem(typed.err)
		v.Wrong = fault.KindOf(typed.err) == fault.Unauthenticated || errors.Is(typed.err, errIncomplete)
		v.Title = words.Error + v.Heading
	}
	for _, name := range authorizeParameters {
		if q.parameters.Has(name) {
			v.Hidden = append(v.Hidden, hiddenField{name, q.parameters.Get(name)})
		}
	}
	return p.write(w, v, formTarget(q.redirect), status)
}

// refuse says why there is no form.
func (p *loginPage) refuse(w http.ResponseWriter, r *http.Request, err error) error {
	f := fault.From(err)
	words := wordsFor("", r.Header.Get("Accept-Language"))
	v := loginView{loginWords: words, Style: p.style, Title: words.Impossible, Heading: words.Impossible, Refused: words.Mistake, Detail: f.Message}
	if f.Kind == fault.TooMany || f.Kind == fault.Unavailable {
		v.Refused, v.Detail = words.problem(err), ""
		w.Header().Set("Retry-After", strconv.Itoa(max(1, f.RetryAfter)))
	}
	return p.write(w, v, "", web.Status(f.Kind))
}

func (p *loginPage) write(w http.ResponseWriter, v loginView, target string, status int) error {
	var html bytes.Buffer
	if err := p.template.Execute(&html, v); err != nil {
		return fault.Wrap(err, fault.Internal, "the page cannot be shown")
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", v.Language)
	h.Add("Vary", "Accept-Language")
	h.Set("Cache-Control", "no-store")
	// A form that ends in a redirect must be allowed to go there too.
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+p.hash+"'; img-src data:; form-action 'self'"+target+"; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // without one the browser would not say that the form is ours
	h.Set("Content-Length", strconv.Itoa(html.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(html.Bytes()) // the caller went away; there is nobody to tell
	return nil
}

// formTarget is the source of a redirect URI as a policy writes it, after a space.
func formTarget(redirect string) string {
	u, err := url.Parse(redirect)
	switch {
	case err != nil:
		return ""
	case u.Scheme != "https" && u.Scheme != "http", strings.Contains(u.Host, "["): // policies know no addresses of IPv6
		return " " + u.Scheme + ":"
	}
	return " " + u.Scheme + "://" + u.Host
}

// returnTo says where a redirect URI leads, for people.
func returnTo(redirect string, words loginWords) string {
	u, err := url.Parse(redirect)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return words.App
	}
	return u.Host
}
