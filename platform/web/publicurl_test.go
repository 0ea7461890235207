package web

import (
	"context"
	"crypto/tls"
	"net/http/httptest"
	"testing"
)

func TestParsePublicURL(t *testing.T) {
	for text, want := range map[string]string{
		"https://api.example.org": "https://api.example.org", "https://api.example.org/": "https://api.example.org",
		"http://[::1]:8080/edict/": "http://[::1]:8080/edict",
	} {
		if got, err := ParsePublicURL(text); got != want || err != nil {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "api.example.org", "ftp://api.example.org", "https://", "https://a:b@c", "https://a?b", "https://a?", "https://a#b", "https://a b", "//a"} {
		if got, err := ParsePublicURL(text); err == nil {
			t.Errorf("%q is taken as %q", text, got)
		}
	}
}

func TestBaseURL(t *testing.T) {
	r := httptest.NewRequest("GET", "http://asked.example/x", nil)
	if got := BaseURL(r); got != "http://asked.example" {
		t.Errorf("without a setting: %s", got)
	}
	r.TLS = &tls.ConnectionState{}
	if got := BaseURL(r); got != "https://asked.example" {
		t.Errorf("over TLS: %s", got)
	}
	s := &Server{opts: Options{PublicURL: "https://api.example.org/edict"}}
	r = r.WithContext(&exchange{Context: context.Background(), server: s})
	if got := BaseURL(r); got != "https://api.example.org/edict" {
		t.Errorf("with a setting: %s", got)
	}
}
