package web

import (
	"fmt"
	"math"
	"net/http"
)

// RateHeaders are the headers that tell a client how much it may still ask for, in the form of the IETF's draft "RateLimit header fields for
// HTTP": the policy, how many requests (q) fit into how many seconds (w), and what is left of it (r) until it is whole again (t).
//
// Every answer below a limit has them, so their values are made before: a bucket is in one of few states. They are shared between answers:
// http.Header never changes a slice in place.
type RateHeaders struct {
	policy []string
	left   [][]string // by requests left, divided by step
	step   int
}

// The names of the headers, as they are written.
const (
	rateLimit       = "RateLimit"
	rateLimitPolicy = "RateLimit-Policy"
)

// maxRateStates is how many states are told apart; of larger buckets what is left is rounded down.
const maxRateStates = 1024

// NewRateHeaders returns the headers of buckets that hold burst requests, 1 or more, and fill at so many per second.
func NewRateHeaders(perSecond float64, burst int) *RateHeaders {
	seconds := func(requests int) int { return int(min(math.Ceil(float64(requests)/perSecond), math.MaxInt32)) }
	h := &RateHeaders{policy: []string{fmt.Sprintf(`"default";q=%d;w=%d`, burst, max(1, seconds(burst)))}, step: burst/maxRateStates + 1}
	for left := 0; left <= burst; left += h.step {
		h.left = append(h.left, []string{fmt.Sprintf(`"default";r=%d;t=%d`, left, seconds(burst-left))})
	}
	return h
}

// Set adds the headers to an answer, given how many requests are left, less than 0 for a bucket that is owed some.
func (h *RateHeaders) Set(header http.Header, left float64) {
	state := int(min(max(0, left), float64(len(h.left)*h.step))) / h.step
	header[rateLimitPolicy] = h.policy
	header[rateLimit] = h.left[min(state, len(h.left)-1)]
}
