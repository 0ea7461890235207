package pyindex

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The most that is read of a page of an index, and of a file.
const (
	maxPage = 64 << 20
	maxFile = 512 << 20
)

// Client asks the indexes of a configuration. It is safe for concurrent use.
type Client struct {
	config Config
	logins map[string]login
	web    *http.Client
}

// NewClient makes a client of a configuration, which must name an index or a directory.
func NewClient(c Config) (*Client, error) {
	if len(c.Indexes) == 0 && len(c.FindLinks) == 0 {
		return nil, ErrNoIndex
	}
	made := &Client{config: c, logins: map[string]login{}}
	for _, address := range c.Indexes {
		if err := made.check(address); err != nil {
			return nil, err
		}
	}
	if text, err := os.ReadFile(c.Netrc); err == nil { // #nosec G304 -- the user's own file
		made.logins = parseNetrc(string(text))
	}
	// What an index asks for, its files do too, when they are on the same host.
	for _, address := range slices.Concat(c.Indexes, c.FindLinks) {
		if u, err := url.Parse(address); err == nil && u.User != nil {
			password, _ := u.User.Password()
			made.logins[u.Hostname()] = login{u.User.Username(), password}
		}
	}
	transport, err := c.transport()
	if err != nil {
		return nil, err
	}
	made.web = &http.Client{Transport: transport, CheckRedirect: made.redirect}
	return made, nil
}

func (c Config) transport() (*http.Transport, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = c.Timeout
	t.DialContext = (&net.Dialer{Timeout: c.Timeout}).DialContext
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if c.Proxy != "" {
		proxy, err := url.Parse(c.Proxy)
		if err != nil || proxy.Host == "" {
			return nil, errors.New("pip configuration: proxy is not the address of one")
		}
		t.Proxy = http.ProxyURL(proxy)
	}
	if c.Cert != "" {
		pem, err := os.ReadFile(c.Cert)
		if err != nil {
			return nil, fmt.Errorf("pip configuration: cert: %w", err)
		}
		t.TLSClientConfig.RootCAs = x509.NewCertPool()
		if !t.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("pip configuration: cert %s holds no certificate", c.Cert)
		}
	}
	if c.ClientCert != "" {
		pair, err := tls.LoadX509KeyPair(c.ClientCert, c.ClientCert)
		if err != nil {
			return nil, fmt.Errorf("pip configuration: client-cert: %w", err)
		}
		t.TLSClientConfig.Certificates = []tls.Certificate{pair}
	}
	return t, nil
}

// check refuses addresses that are none, and plain HTTP to strangers.
func (c *Client) check(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "file" && u.Host == "":
		return fmt.Errorf("%s is not the address of a package index", Redact(address))
	case u.Scheme == "https" || u.Scheme == "file":
		return nil
	case u.Scheme == "http" && (loopback(u.Hostname()) || c.trusts(u)):
		return nil
	case u.Scheme == "http":
		return fmt.Errorf("%s uses plain HTTP, so its packages could be changed in transit: use https, or name the host in PIP_TRUSTED_HOST", Redact(address))
	}
	return fmt.Errorf("%s: an index is asked over https", Redact(address))
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (c *Client) trusts(u *url.URL) bool {
	return slices.Contains(c.config.TrustedHosts, u.Hostname()) || slices.Contains(c.config.TrustedHosts, u.Host)
}

// redirect follows a few hops, none of them from https to plain HTTP.
func (c *Client) redirect(next *http.Request, before []*http.Request) error {
	if len(before) >= 10 {
		return errors.New("more than 10 redirections")
	}
	return c.check(next.URL.String())
}

// get asks for an address and hands its body to read, which sees at most limit bytes and is told the type of
// the content and the address it came from in the end.
func (c *Client) get(ctx context.Context, address, accept string, limit int64, read func(body io.Reader, kind string, from *url.URL) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(c.config.Timeout, func() { cancel(errSilent) })
	defer silence.Stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return fmt.Errorf("%s is not an address", Redact(address))
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("User-Agent", "edict")
	r.URL.User = nil
	if l, ok := c.login(r.URL.Hostname()); ok {
		r.SetBasicAuth(l.name, l.password)
	}
	answer, err := c.clientFor(r.URL).Do(r)
	if err != nil {
		return unreachable(ctx, address, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return &StatusError{Redact(address), answer.StatusCode}
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	body := &bounded{r: &heard{answer.Body, silence, c.config.Timeout}, left: limit}
	if err := read(body, kind, answer.Request.URL); err != nil {
		return unreachable(ctx, address, err)
	}
	return nil
}

// clientFor accepts any certificate of a host that the user trusts by name.
func (c *Client) clientFor(u *url.URL) *http.Client {
	if !c.trusts(u) {
		return c.web
	}
	transport := c.web.Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.InsecureSkipVerify = true // #nosec G402 -- the user named this host in trusted-host
	transport.DisableKeepAlives = true                  // nobody else has this transport
	return &http.Client{Transport: transport, CheckRedirect: c.redirect}
}

func (c *Client) login(host string) (login, bool) {
	l, ok := c.logins[host]
	if !ok {
		l, ok = c.logins[""]
	}
	return l, ok
}

// StatusError is an answer of an index other than what was asked for.
type StatusError struct {
	Address string // without credentials
	Code    int
}

// Error says what the status means.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s: %d %s", e.Address, e.Code, http.StatusText(e.Code))
	if e.Code == http.StatusUnauthorized || e.Code == http.StatusForbidden {
		text += ": give a name and a password in the address of the index or in netrc"
	}
	return text
}

// errSilent ends an exchange with a server that does not go on.
var errSilent = errors.New("nothing came for as long as pip's timeout allows")

// unreachable drops the address from an error, which may have a password in it.
func unreachable(ctx context.Context, address string, err error) error {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		err = inner.Err
	}
	if errors.Is(context.Cause(ctx), errSilent) {
		err = errSilent
	}
	return fmt.Errorf("%s: %w", Redact(address), err)
}

// heard is a reader that puts off the end of patience with everything that comes.
type heard struct {
	io.Reader
	silence *time.Timer
	timeout time.Duration
}

// Read implements io.Reader.
func (h *heard) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if n > 0 {
		h.silence.Reset(h.timeout)
	}
	return n, err
}

// bounded is a reader that fails when there is more than it may give.
type bounded struct {
	r    io.Reader
	left int64
}

// errTooLarge says that an answer goes on beyond its bound.
var errTooLarge = errors.New("it is larger than anything that is expected there")

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, errTooLarge
	}
	return n, err
}

// local gives the path of a file: address, or of a bare path.
func local(address string) (string, bool) {
	if rest, ok := strings.CutPrefix(address, "file://"); ok {
		if u, err := url.Parse(address); err == nil {
			rest = u.Path
		}
		if len(rest) > 2 && rest[0] == '/' && rest[2] == ':' {
			rest = rest[1:] // file:///C:/wheels
		}
		return filepath.FromSlash(rest), true
	}
	if !strings.Contains(address, "://") {
		return address, true
	}
	return "", false
}

// notThere tells whether an error means that what was asked for does not exist.
func notThere(err error) bool {
	status, ok := errors.AsType[*StatusError](err)
	return errors.Is(err, fs.ErrNotExist) || ok && (status.Code == http.StatusNotFound || status.Code == http.StatusGone)
}
