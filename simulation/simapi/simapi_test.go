package simapi_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"edict/countries"
	"edict/platform/web"
	"edict/simulation/country"
	"edict/simulation/simapi"
)

var france = sync.OnceValues(func() (*country.Package, error) {
	src, err := country.OpenFS(countries.France(), countries.FrancePackage)
	if err != nil {
		return nil, err
	}
	return country.Load(context.Background(), country.Options{}, src)
})

// server serves the embedded legislation.
func server(t testing.TB, o simapi.Options) http.Handler {
	t.Helper()
	p, err := france()
	if err != nil {
		t.Fatal(err)
	}
	api := simapi.New(o)
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	return handler(t, api)
}

func handler(t testing.TB, api *simapi.API) http.Handler {
	t.Helper()
	s, err := web.New(web.Options{Logger: slog.New(slog.DiscardHandler)}, api.Services()...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func send(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func decode(t testing.TB, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return out
}

// TestLoading: until the legislation is there every request is told to come back, in the shape of its service.
func TestLoading(t *testing.T) {
	api := simapi.New(simapi.Options{})
	h := handler(t, api)
	for _, path := range []string{"/api/1/entities", "/entities"} {
		w := send(h, http.MethodGet, path, "")
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" {
			t.Errorf("%s: %d, Retry-After %q", path, w.Code, w.Header().Get("Retry-After"))
		}
	}
	if api.Ready(t.Context()) == nil {
		t.Error("an API without legislation says it is ready")
	}
}

func TestETag(t *testing.T) {
	h := server(t, simapi.Options{})
	for _, path := range []string{"/variables", "/api/1/parameters", "/spec", "/api/1/swagger", "/api/1/graph"} {
		first := send(h, http.MethodGet, path, "")
		tag := first.Header().Get("ETag")
		again := send(h, http.MethodGet, path, "", "If-None-Match", `"other", W/`+tag)
		if first.Code != http.StatusOK || tag == "" || again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s: %d %s, then %d with %d bytes", path, first.Code, tag, again.Code, again.Body.Len())
		}
	}
}

// TestSwagger: references lead somewhere, ids are unique, every placeholder of a path is a parameter.
func TestSwagger(t *testing.T) {
	h := server(t, simapi.Options{})
	document := decode(t, send(h, http.MethodGet, "/api/1/swagger", ""))
	checkReferences(t, document, document)
	ids := map[string]bool{}
	paths := document["paths"].(map[string]any)
	if len(paths) < 50 {
		t.Errorf("%d paths", len(paths))
	}
	for path, operations := range paths {
		if !strings.HasPrefix(path, "/api") {
			t.Errorf("path %s", path)
		}
		for method, operation := range operations.(map[string]any) {
			o := operation.(map[string]any)
			id, _ := o["operationId"].(string)
			if id == "" || ids[id] {
				t.Errorf("%s %s: operation id %q", method, path, id)
			}
			ids[id] = true
			if strings.Contains(path, "{period}") && !strings.Contains(string(mustMarshal(o["parameters"])), "#/parameters/period") {
				t.Errorf("%s has no parameter period", path)
			}
			for status, answer := range o["responses"].(map[string]any) {
				if answer.(map[string]any)["description"] == "" {
					t.Errorf("%s %s %s is not described", method, path, status)
				}
			}
		}
	}
}

func mustMarshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func checkReferences(t *testing.T, root, at any) {
	switch at := at.(type) {
	case map[string]any:
		if ref, ok := at["$ref"].(string); ok {
			target := root
			for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
				object, _ := target.(map[string]any)
				target = object[step]
			}
			if target == nil {
				t.Errorf("%s leads nowhere", ref)
			}
		}
		for _, child := range at {
			checkReferences(t, root, child)
		}
	case []any:
		for _, child := range at {
			checkReferences(t, root, child)
		}
	}
}

func TestSpecReferences(t *testing.T) {
	document := decode(t, send(server(t, simapi.Options{}), http.MethodGet, "/spec", ""))
	checkReferences(t, document, document)
}

// TestOverload: what can neither run nor wait is told to come back.
func TestOverload(t *testing.T) {
	p, err := france()
	if err != nil {
		t.Fatal(err)
	}
	api := simapi.New(simapi.Options{Concurrent: 1, Waiting: 1})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	h := handler(t, api)
	release := api.Occupy(t.Context())
	waiting := make(chan int)
	go func() { waiting <- send(h, http.MethodPost, "/calculate", `{"individus": {"a": {}}}`).Code }()
	api.AwaitWaiting(t, 1)
	w := send(h, http.MethodPost, "/api/1/calculate", `{"scenarios": [{"period": 2024}], "output_format": "variables", "variables": ["irpp"]}`)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	release()
	if code := <-waiting; code != http.StatusOK {
		t.Errorf("the request that waited got %d", code)
	}
}

// TestGone: a caller that leaves stops the simulation, and its connection is cut.
func TestGone(t *testing.T) {
	h := server(t, simapi.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := `{"output_format": "variables", "variables": ["revdisp"], "scenarios": [{"period": 2024}]}`
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/1/calculate", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	defer func() {
		if p := recover(); p != http.ErrAbortHandler || w.Body.Len() > 0 {
			t.Errorf("panic %v, answered %s", p, w.Body)
		}
	}()
	h.ServeHTTP(w, r)
}

// TestBudget: a simulation that wants more memory than it may have is refused by name.
func TestBudget(t *testing.T) {
	h := server(t, simapi.Options{Cells: 1000})
	w := send(h, http.MethodPost, "/api/1/calculate", `{"output_format": "variables", "variables": ["revdisp"], "scenarios": [{"period": 2024,
		"test_case": {"individus": [{"id": "a"}], "familles": [{"parents": ["a"]}], "foyers_fiscaux": [{"declarants": ["a"]}], "menages": [{"personne_de_reference": "a"}]},
		"axes": [{"count": 1000, "min": 0, "max": 1000, "name": "salaire_imposable"}]}]}`)
	if w.Code != http.StatusUnprocessableEntity {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestElsewhere: a variable that stands under another entity is refused there and nowhere else, whatever its value, and
// however many members either entity has.
func TestElsewhere(t *testing.T) {
	h := server(t, simapi.Options{})
	for _, value := range []string{"4", `"x"`, `{"2024-01": 4}`, `{"2024-01": "x"}`, `{"never": 4}`} {
		w := send(h, http.MethodPost, "/api/1/calculate", `{"variables": ["nbptr"], "scenarios": [{"period": "2024", "test_case": {"individus": [{"id": "a", "loyer": `+value+`}],
			"familles": [{"parents": ["a"]}], "foyers_fiscaux": [{"declarants": ["a"]}], "menages": [{"personne_de_reference": "a"}, {"loyer": 5}]}}]}`)
		const want = `"errors":[{"scenarios":{"0":{"test_case":{"individus":{"0":{"loyer":"Unexpected item: variable \"loyer\" belongs to menages"}}}}}}]`
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", value, w.Code, w.Body)
		}
	}
}

// TestHooksSpared: what is wrong with a request is told before the rules of the package meet it.
func TestHooksSpared(t *testing.T) {
	h := server(t, simapi.Options{})
	groups := `"familles": [{"parents": ["a"]}], "foyers_fiscaux": [{"declarants": ["a"]}]`
	for _, c := range []struct{ more, period, born, want string }{
		{`"validate": true,`, "2024", `"205-02-02"`, `"date_naissance":"Value must be a date`},
		{`"validate": true,`, "2024", `"ETERNITY"`, `"date_naissance":"Value must be a date`},
		{``, "ETERNITY", `"1980"`, `ETERNITY`},
		{`"validate": true,`, "2024", `{}`, `"repaired_scenarios"`},
	} {
		w := send(h, http.MethodPost, "/api/1/calculate", `{`+c.more+` "variables": ["irpp"], "scenarios": [{"period": "`+c.period+`", "test_case": {"individus": [{"id": "a", "date_naissance": `+c.born+`}], `+groups+`, "menages": [{"personne_de_reference": "a"}]}}]}`)
		if w.Code >= http.StatusInternalServerError || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
		if c.more == "" {
			continue
		}
		w = send(h, http.MethodPost, "/api/1/calculate", `{`+c.more+` "scenarios": [{"period": "`+c.period+`", "test_case": {"individus": [{"id": "a", "date_naissance": "1980"}, {"id": "b", "date_naissance": `+c.born+`}], `+groups+`}}]}`)
		if w.Code >= http.StatusInternalServerError || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%+v, to be repaired: %d %s", c, w.Code, w.Body)
		}
	}
}
