package web_test

import (
	"math"
	"net/http"
	"testing"

	"edict/platform/web"
)

func TestRateHeaders(t *testing.T) {
	for _, c := range []struct {
		rate   float64
		burst  int
		left   float64
		policy string
		limit  string
	}{
		{1000, 1000, 999.7, `"default";q=1000;w=1`, `"default";r=999;t=1`},
		{1000, 1000, 1000, `"default";q=1000;w=1`, `"default";r=1000;t=0`},
		{1000, 1000, -5, `"default";q=1000;w=1`, `"default";r=0;t=1`},
		{100, 500, 0.99, `"default";q=500;w=5`, `"default";r=0;t=5`},
		{0.5, 1, 1, `"default";q=1;w=2`, `"default";r=1;t=0`},
		{20, 100, 61, `"default";q=100;w=5`, `"default";r=61;t=2`},
		{1e6, 1e6, 999_999, `"default";q=1000000;w=1`, `"default";r=999471;t=1`}, // rounded down
		{1, 3, math.Inf(1), `"default";q=3;w=3`, `"default";r=3;t=0`},
		{1, 3, math.Inf(-1), `"default";q=3;w=3`, `"default";r=0;t=3`},
	} {
		h := http.Header{}
		web.NewRateHeaders(c.rate, c.burst).Set(h, c.left)
		wire := map[string][]string(h) // names as they are sent, which Get would write differently
		if policy, limit := wire["RateLimit-Policy"][0], wire["RateLimit"][0]; policy != c.policy || limit != c.limit {
			t.Errorf("%v of %d at %v/s: %s, %s", c.left, c.burst, c.rate, policy, limit)
		}
	}
}

func TestRateHeadersAllocate(t *testing.T) {
	h, header := web.NewRateHeaders(1000, 1000), http.Header{}
	left := 1000.0
	if n := testing.AllocsPerRun(100, func() { left--; h.Set(header, left) }); n > 0 {
		t.Errorf("%v allocations for an answer", n)
	}
}
