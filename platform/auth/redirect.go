package auth

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"edict/platform/fault"
)

// A redirect URI is where the login page sends a user back to, with a code. It must be one that the client registered, letter by
// letter; of an app on this machine (RFC 8252, section 7.3) the port may be another one, which the app cannot know before.

const maxRedirectSize = 2000 // bytes

// checkRedirect refuses what cannot be registered: URIs from which others could read the code, or that are no target at all.
func checkRedirect(uri string) error {
	bad := func(why string) error {
		return fault.New(fault.Invalid, "%.200q cannot be a redirect URI: %s", uri, why)
	}
	u, err := url.Parse(uri)
	switch {
	case err != nil || len(uri) > maxRedirectSize || strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"'<>\^`+"`{|}", r) }):
		return bad("write an absolute URI of at most 2000 ASCII characters")
	case u.Fragment != "" || strings.Contains(uri, "#"):
		return bad("it has a fragment")
	case u.User != nil:
		return bad("it has a user name")
	case strings.Contains(uri, "*"):
		return bad("it must be the whole URI, without wildcards")
	}
	switch {
	case u.Scheme == "https" && u.Host != "" && u.Hostname() != "":
	case u.Scheme == "http" && u.Host != "" && secure(u):
	case u.Scheme == "http":
		return bad("it must begin with https:// (http:// only on this machine)")
	case strings.Contains(u.Scheme, ".") && !strings.HasPrefix(u.Scheme, "."): // RFC 8252, section 7.1
	default:
		return bad("it must begin with https://, or with a scheme of an app such as com.example.app:")
	}
	return nil
}

// mayRedirect reports whether users may be sent to uri. Of the port nothing is known before where an app listens on this machine:
// a public client, plain HTTP and a loopback address that is written as one.
func (c *Client) mayRedirect(uri string) bool {
	if slices.Contains(c.Redirects, uri) {
		return true
	}
	asked, ok := withoutPort(uri)
	return ok && !c.Confidential() && slices.ContainsFunc(c.Redirects, func(registered string) bool {
		plain, ok := withoutPort(registered)
		return ok && plain == asked
	})
}

// withoutPort returns a URI of a loopback address without its port, and false for any other one.
func withoutPort(uri string) (string, bool) {
	rest, ok := strings.CutPrefix(uri, "http://")
	if !ok || checkRedirect(uri) != nil {
		return "", false
	}
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	u := url.URL{Host: host}
	ip, err := netip.ParseAddr(u.Hostname())
	if err != nil || !ip.IsLoopback() || ip.Zone() != "" {
		return "", false
	}
	return ip.String() + path, true
}

// withParameters returns a redirect URI with parameters added to its query, which may have some.
func withParameters(uri string, parameters url.Values) string {
	separator := "?"
	if strings.Contains(uri, "?") {
		separator = "&"
	}
	return uri + separator + parameters.Encode()
}
