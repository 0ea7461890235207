package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestClientAddress(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, c := range map[string]struct {
		proxies []netip.Prefix
		remote  string
		lines   []string
		want    string
	}{
		"no proxies":                {nil, "10.0.0.1:5", []string{"1.2.3.4"}, "10.0.0.1:5"},
		"not from a proxy":          {proxies, "9.9.9.9:5", []string{"1.2.3.4"}, "9.9.9.9:5"},
		"one proxy":                 {proxies, "10.0.0.1:5", []string{"1.2.3.4"}, "1.2.3.4:0"},
		"two proxies":               {proxies, "10.0.0.1:5", []string{"1.2.3.4, 10.0.0.2"}, "1.2.3.4:0"},
		"two lines":                 {proxies, "10.0.0.1:5", []string{"1.2.3.4", "10.0.0.2"}, "1.2.3.4:0"},
		"made up by the client":     {proxies, "10.0.0.1:5", []string{"6.6.6.6, 1.2.3.4"}, "1.2.3.4:0"},
		"nonsense by the client":    {proxies, "10.0.0.1:5", []string{"hello, 1.2.3.4"}, "1.2.3.4:0"},
		"nonsense by a proxy":       {proxies, "10.0.0.1:5", []string{"1.2.3.4, hello"}, "10.0.0.1:5"},
		"a proxy of its own accord": {proxies, "10.0.0.1:5", nil, "10.0.0.1:5"},
		"IPv6":                      {proxies, "[fd00::1]:5", []string{"2001:db8::7"}, "[2001:db8::7]:0"},
		"IPv4 in IPv6":              {proxies, "[::ffff:10.0.0.1]:5", []string{"1.2.3.4"}, "1.2.3.4:0"},
	} {
		t.Run(name, func(t *testing.T) {
			var logged bytes.Buffer
			s := &Server{opts: Options{Proxies: c.proxies, Logger: slog.New(slog.NewTextHandler(&logged, nil))}}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr, r.Header["X-Forwarded-For"] = c.remote, c.lines
			if got := s.clientAddress(r); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			s.clientAddress(r) // a second time
			ignored := c.want == c.remote && len(c.lines) > 0 && name != "nonsense by a proxy"
			if n := strings.Count(logged.String(), "--proxies"); n > 1 || n == 1 != ignored || ignored && !strings.Contains(logged.String(), "peer="+strings.TrimSuffix(c.remote, ":5")) {
				t.Errorf("an unlisted proxy is to be logged once (%v), logged:\n%s", ignored, logged.String())
			}
		})
	}
}
