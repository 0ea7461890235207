package simapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"edict/simulation/simapi"
)

// counted is an answer of which the pieces are counted; after some it breaks, if it is told to.
type counted struct {
	*httptest.ResponseRecorder
	pieces, largest int
	breakAfter      int
}

func (c *counted) Write(p []byte) (int, error) {
	c.pieces++
	c.largest = max(c.largest, len(p))
	if c.breakAfter > 0 && c.pieces > c.breakAfter {
		return 0, errors.New("gone")
	}
	return c.ResponseRecorder.Write(p)
}

// along is a request with an axis of so many points.
func along(path, more string, points int) *http.Request {
	body := fmt.Sprintf(`{%s "scenarios": [{"period": 2024, "axes": [{"count": %d, "min": 0, "max": 100000, "name": "salaire_imposable"}],
		"test_case": {"individus": [{"id": "a"}], "familles": [{"parents": ["a"]}], "foyers_fiscaux": [{"declarants": ["a"]}], "menages": [{"personne_de_reference": "a"}]}}]}`, more, points)
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// TestPieces: a large answer is sent in pieces of bounded size and is whole; each has its length.
func TestPieces(t *testing.T) {
	h := server(t, simapi.Options{})
	for _, c := range []struct {
		path, more string
		points     int
		whole      bool
	}{
		{"/api/1/calculate", `"output_format": "variables", "variables": ["nbptr", "salaire_imposable"],`, 20_000, false},
		{"/api/1/calculate", `"output_format": "variables", "variables": ["nbptr", "salaire_imposable"],`, 20, true},
		{"/api/1/simulate", `"decomposition": "revdisp_court",`, 5_000, false},
	} {
		w := &counted{ResponseRecorder: httptest.NewRecorder()}
		h.ServeHTTP(w, along(c.path, c.more, c.points))
		length := w.Header().Get("Content-Length")
		if w.Code != http.StatusOK || !json.Valid(w.Body.Bytes()) || length != strconv.Itoa(w.Body.Len()) || (w.pieces == 1) != c.whole || w.largest > 33<<10 {
			t.Errorf("%s, %d points: %d, length %q, %d pieces of up to %d bytes", c.path, c.points, w.Code, length, w.pieces, w.largest)
		}
		if n := strings.Count(w.Body.String(), ","); n < c.points {
			t.Errorf("%s: %d values of %d points", c.path, n, c.points)
		}
	}
}

// TestPiecesBroken: nothing more is written for a caller who has left.
func TestPiecesBroken(t *testing.T) {
	w := &counted{ResponseRecorder: httptest.NewRecorder(), breakAfter: 1}
	server(t, simapi.Options{}).ServeHTTP(w, along("/api/1/calculate", `"output_format": "variables", "variables": ["salaire_imposable"],`, 50_000))
	if w.pieces != 2 {
		t.Errorf("%d pieces were written, the second of which failed", w.pieces)
	}
}

// TestPiecesRefused: what is wrong with a large request is told with its status, before anything is written.
func TestPiecesRefused(t *testing.T) {
	w := httptest.NewRecorder()
	server(t, simapi.Options{Cells: 10_000}).ServeHTTP(w, along("/api/1/calculate", `"output_format": "variables", "variables": ["salaire_imposable", "irpp"],`, 9_000))
	if w.Code != http.StatusUnprocessableEntity || w.Header().Get("Content-Length") == "" {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
}
