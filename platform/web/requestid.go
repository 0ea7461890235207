package web

import (
	"math/rand/v2"
	"net/http"
)

// requestID takes over the id a proxy or a client gave, when it is short and plain, so that one
// request has one name in every log.
func (s *Server) requestID(r *http.Request) string {
	if ids := r.Header["X-Request-Id"]; len(ids) == 1 && plainID(ids[0]) {
		return ids[0]
	}
	return s.opts.NewID()
}

// newRequestID returns 13 characters: unique enough to find a log line, not a secret.
func newRequestID() string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	var text [13]byte // of 5 bits each
	n := rand.Uint64()
	for i := range text {
		text[i] = digits[n%32]
		n /= 32
	}
	return string(text[:])
}

func plainID(id string) bool {
	if len(id) == 0 || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' || c == ':'
		if !plain {
			return false
		}
	}
	return true
}
