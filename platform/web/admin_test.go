package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestAdminHosts: on the loopback interface the admin listener answers no request for a domain, as a page does that rebinds its own.
func TestAdminHosts(t *testing.T) {
	ok := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, test := range []struct {
		listener, host string
		want           int
	}{
		{"127.0.0.1", "127.0.0.1:9090", 200},
		{"127.0.0.1", "localhost:9090", 200},
		{"127.0.0.1", "LOCALHOST", 200},
		{"::1", "[::1]:9090", 200},
		{"::1", "[::1]", 200},
		{"127.0.0.1", "evil.example:9090", 421},
		{"127.0.0.1", "localhost.evil.example", 421},
		{"127.0.0.1", "127.0.0.1.evil.example:9090", 421},
		{"::1", "", 421},
		{"0.0.0.0", "edict-metrics:9090", 200},
		{"10.0.0.7", "metrics.example.org", 200},
	} {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.Host = test.host
		w := httptest.NewRecorder()
		guardLoopback(&net.TCPAddr{IP: net.ParseIP(test.listener), Port: 9090}, ok).ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("on %s, Host %q: %d, want %d", test.listener, test.host, w.Code, test.want)
		}
	}
}
