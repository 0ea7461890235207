package simapi_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestSourceEndsInString: the text of a formula is shown whole.
func TestSourceEndsInString(t *testing.T) {
	h := village(t, "income")
	for _, path := range []string{"/variable/noted", "/api/1/variables?name=noted"} {
		w := send(h, http.MethodGet, path, "")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `len(\"\"\"\n# no comment\"\"\")\n"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
