package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// BaseURL is where the caller of a request finds the server, without a slash at the end: Options.PublicURL or, when that is
// not set, scheme and host as the caller wrote them.
func BaseURL(r *http.Request) string {
	if x := exchangeOf(r.Context()); x != nil && x.server != nil && x.server.opts.PublicURL != "" {
		return x.server.opts.PublicURL
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// ParsePublicURL returns a public URL as Options has it: of http or https, with a host and perhaps a path, and nothing else.
func ParsePublicURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", errors.New("write http://HOST or https://HOST, perhaps with a port and a path, and nothing else")
	}
	return strings.TrimRight(text, "/"), nil
}
