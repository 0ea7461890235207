package web

import (
	"net/http"
	"testing"
)

// TestPrefersHTML: pages are for those who accept HTML by name, with a weight not below that of JSON.
func TestPrefersHTML(t *testing.T) {
	for accept, want := range map[string]bool{
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true, // browsers
		"text/html":                              true,
		"TEXT/HTML; charset=utf-8 ; Q=0.5":       true,
		"text/*":                                 true,
		"application/json, text/html":            true,
		"application/json;q=0.9, text/html":      true,
		"":                                       false,
		"*/*":                                    false, // curl
		"application/json":                       false,
		"text/plain":                             false,
		"text/html;q=0":                          false,
		"text/*, text/html;q=0.0":                false,
		"text/html;q=0.1, application/json":      false,
		"text/html;q=0.5, */*":                   false,
		"text/html;q=0.5, application/*;q=0.6":   false,
		"text/html;q=often, application/json":    false,
		"text/html;q=NaN":                        false,
		"application/vnd.text/html, text/htmlx":  false,
		"text/html;level=1;q=0.2, */*;q=0.1":     true,
		"application/json;q=0, text/html;q=0.01": true,
	} {
		r := &http.Request{Header: http.Header{"Accept": {accept}}}
		if got := PrefersHTML(r); got != want {
			t.Errorf("Accept: %s: %t, want %t", accept, got, want)
		}
	}
	if r := (&http.Request{Header: http.Header{"Accept": {"application/json", "text/html;q=0.5"}}}); PrefersHTML(r) {
		t.Error("the lines of Accept are one list")
	}
}
