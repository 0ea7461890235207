package simapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"edict/simulation/simapi"
)

// stuck is a client that reads the first piece of an answer and no more until it is let go.
type stuck struct {
	*httptest.ResponseRecorder
	begun, free chan struct{}
	writes      int
}

func newStuck() *stuck {
	return &stuck{ResponseRecorder: httptest.NewRecorder(), begun: make(chan struct{}), free: make(chan struct{})}
}

func (s *stuck) Write(p []byte) (int, error) {
	if s.writes++; s.writes == 1 {
		close(s.begun)
		<-s.free
	}
	return s.ResponseRecorder.Write(p)
}

// alongOpenFisca is a request of OpenFisca's interface along an axis.
func alongOpenFisca(path string, points int) *http.Request {
	body := fmt.Sprintf(`{"individus": {"a": {}}, "familles": {"g": {"parents": ["a"]}}, "foyers_fiscaux": {"f": {"declarants": ["a"]}},
		"menages": {"m": {"personne_de_reference": ["a"], "revdisp": {"2020": null}}},
		"axes": [[{"name": "salaire_imposable", "min": 0, "max": 100000, "count": %d, "period": "2020-01"}]]}`, points)
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

const small = `{"individus": {"a": {"salaire_imposable": {"2024": 30000}}}, "foyers_fiscaux": {"f": {"declarants": ["a"], "irpp": {"2024": null}}}}`

// TestUnread: a client that does not read its answer keeps nobody from computing, on no route.
func TestUnread(t *testing.T) {
	h := server(t, simapi.Options{Concurrent: 1})
	for _, r := range []*http.Request{
		alongOpenFisca("/trace", 200),
		along("/api/1/calculate", `"output_format": "variables", "variables": ["nbptr", "salaire_imposable"],`, 20_000),
		along("/api/1/simulate", `"decomposition": "revdisp_court",`, 5_000),
	} {
		w, done := newStuck(), make(chan struct{})
		go func() { h.ServeHTTP(w, r); close(done) }()
		<-w.begun
		if got := send(h, http.MethodPost, "/calculate", small); got.Code != http.StatusOK {
			t.Errorf("beside %s: %d %.200s", r.URL.Path, got.Code, got.Body)
		}
		close(w.free)
		<-done
		if w.Code != http.StatusOK || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %d, %d bytes", r.URL.Path, w.Code, w.Body.Len())
		}
	}
}

// TestUnreadTogether: answers that nobody reads take up the memory for answers: large ones are told to come back, small
// ones are answered, and all of it is there again afterwards.
func TestUnreadTogether(t *testing.T) {
	h := server(t, simapi.Options{Memory: 64 << 20, Concurrent: 1, Answer: 40 << 20})
	w, done := newStuck(), make(chan struct{})
	go func() { h.ServeHTTP(w, alongOpenFisca("/trace", 8_000)); close(done) }()
	<-w.begun
	refused := httptest.NewRecorder()
	h.ServeHTTP(refused, alongOpenFisca("/trace", 8_000))
	if refused.Code != http.StatusServiceUnavailable || refused.Header().Get("Retry-After") == "" || !strings.Contains(refused.Body.String(), "requests in progress use all memory") {
		t.Errorf("the second large one: %d %.300s", refused.Code, refused.Body)
	}
	if got := send(h, http.MethodPost, "/calculate", small); got.Code != http.StatusOK {
		t.Errorf("a small one: %d %.200s", got.Code, got.Body)
	}
	close(w.free)
	<-done
	again := httptest.NewRecorder()
	if h.ServeHTTP(again, alongOpenFisca("/trace", 8_000)); again.Code != http.StatusOK {
		t.Errorf("afterwards: %d %.200s", again.Code, again.Body)
	}
}

// TestWeighed: what is too large is refused with the limit and its setting.
func TestWeighed(t *testing.T) {
	numbers := strings.TrimSuffix(strings.Repeat("1,", 3000), ",")
	many := fmt.Sprintf(`{"individus": {"a": {"salaire_imposable": {"2020": [%s]}}}}`, numbers)
	var persons, periods strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&persons, `"p%d": {},`, i)
	}
	for year := range 1_000 {
		fmt.Fprintf(&periods, `"%d-01": 1,`, 1000+year)
	}
	product := fmt.Sprintf(`{"individus": {%s "a": {"salaire_imposable": {%s}}}}`, persons.String(), strings.TrimSuffix(periods.String(), ","))
	var others strings.Builder
	for i := range 29 {
		fmt.Fprintf(&others, `, "p%d": {}`, i)
	}
	crowd := strings.Replace(bodyOf(alongOpenFisca("/trace", 900_000)), `"a": {}`, `"a": {}`+others.String(), 1)
	for name, c := range map[string]struct {
		o          simapi.Options
		path, body string
		status     int
		want       string
	}{
		"values":            {simapi.Options{Values: 3000}, "/calculate", many, 413, "more than 3000 values, the most of one request (--simulation-values)"},
		"values of a trace": {simapi.Options{Values: 3000}, "/trace", many, 413, "(--simulation-values)"},
		"values of /api/1":  {simapi.Options{Values: 3000}, "/api/1/calculate", many, 413, "(--simulation-values)"},
		"no more values":    {simapi.Options{Values: 3005}, "/calculate", many, 400, "Can't deal with value"},
		"persons × points":  {simapi.Options{}, "/trace", crowd, 400, "900000 points of 30 persons each are 27000000 persons: a simulation may have 20000000"},
		"persons × periods": {simapi.Options{Memory: 128 << 20, Concurrent: 1}, "/calculate", product, 422, "(--limits-memory)"},
		"answer":            {simapi.Options{Answer: 1 << 20}, "/trace", bodyOf(alongOpenFisca("/trace", 5_000)), 422, "larger than 1 MiB, the most that is sent (--simulation-answer)"},
		"points × memory":   {simapi.Options{Memory: 64 << 20, Concurrent: 1}, "/trace", bodyOf(alongOpenFisca("/trace", 900_000)), 422, "(--limits-memory)"},
	} {
		w := send(server(t, c.o), http.MethodPost, c.path, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %.400s, want %d and %q", name, w.Code, w.Body, c.status, c.want)
		}
	}
}

func bodyOf(r *http.Request) string {
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		panic(err)
	}
	_, body, _ := strings.Cut(b.String(), "\r\n\r\n")
	return body
}

// TestManyProblems: of very many problems some are told.
func TestManyProblems(t *testing.T) {
	var keys strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&keys, `"nothing%d": 1,`, i)
	}
	body := fmt.Sprintf(`{"scenarios": [{"period": 2024, "test_case": {"individus": [{%s "id": "a"}]}}], "variables": ["irpp"]}`, keys.String())
	w := send(server(t, simapi.Options{}), http.MethodPost, "/api/1/calculate", body)
	if n := strings.Count(w.Body.String(), "Unexpected item"); w.Code != http.StatusBadRequest || n < 100 || n > 500 {
		t.Errorf("%d with %d problems", w.Code, n)
	}
}

// TestLargeLine: large requests have a quarter of the slots.
func TestLargeLine(t *testing.T) {
	api := simapi.New(simapi.Options{Concurrent: 4})
	release := api.OccupyLarge(t.Context())
	entered := make(chan struct{})
	go func() { api.OccupyLarge(t.Context())(); close(entered) }()
	api.AwaitWaitingLarge(t, 1)
	for range 3 {
		defer api.Occupy(t.Context())()
	}
	release()
	<-entered
}
