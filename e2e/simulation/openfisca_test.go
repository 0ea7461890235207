package simulation_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

var (
	openFisca = flag.String("openfisca", "", "URL of an OpenFisca web API that serves the package named by -country")
	country   = flag.String("country", "", "country package that the OpenFisca web API at -openfisca serves")

	extensions = flag.String("extensions", "", "extensions that it was started with, with commas between")
	reforms    = flag.String("reforms", "", "reforms that it was started with, with commas between")
)

// TestOpenFisca sends the same requests to an OpenFisca web API and to edict on the same package, and compares status
// and JSON. The corpus is for the country template. What may differ is the table differences.
func TestOpenFisca(t *testing.T) {
	if *openFisca == "" || *country == "" {
		t.Skip("no reference: start one (openfisca serve --country-package openfisca_country_template) and give -openfisca URL -country PATH")
	}
	server := startCorpus(t)
	differ, left := 0, 0
	requests := corpus(t)
	for _, request := range requests {
		want, got := request.send(t, *openFisca), request.sendAgain(t, server.URL)
		switch problem := compare(request, want, got); {
		case problem == "":
		case permitted(request) && got.status < http.StatusInternalServerError:
			left++
		default:
			differ++
			t.Errorf("%s: %s\n%.200s\nreference %d %.600s\nedict     %d %.600s", request.name, problem, request.body, want.status, want.text, got.status, got.text)
		}
	}
	t.Logf("%d requests, %d differ, %d are answered otherwise on purpose", len(requests), differ, left)
}

// TestOpenFiscaAgain sends the requests to edict alone, each so often that what it computes is recorded and played: the
// answer stays the same.
func TestOpenFiscaAgain(t *testing.T) {
	if *country == "" {
		t.Skip("no country package: give -country PATH of the country template")
	}
	server := startCorpus(t)
	for _, request := range corpus(t) {
		request.sendAgain(t, server.URL)
	}
}

// startCorpus starts a server that the corpus is sent to.
func startCorpus(t *testing.T) *e2e.Server {
	t.Helper()
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Server.Only, c.Simulation.Country = "simulation", *country
		c.Simulation.Extension, c.Simulation.Reform = listed(*extensions), listed(*reforms)
	}})
	e2e.AwaitReady(t, server.URL)
	return server
}

// sendAgain sends a request to compute so often that it is recorded and played; every answer is that of the first.
func (c corpusRequest) sendAgain(t *testing.T, url string) corpusAnswer {
	t.Helper()
	first := c.send(t, url)
	if c.path != "/calculate" || c.method != http.MethodPost {
		return first
	}
	for range 9 {
		if again := c.send(t, url); !c.same(first, again) {
			t.Errorf("%s: %.200s\nfirst %d %.600s\nagain %d %.600s", c.name, c.body, first.status, first.text, again.status, again.text)
			return again
		}
	}
	return first
}

// same reports whether two answers of edict are the same.
func (c corpusRequest) same(a, b corpusAnswer) bool {
	return a.status == b.status && (a.text == b.text || c.path != "/calculate")
}

func listed(names string) []string {
	return strings.FieldsFunc(names, func(r rune) bool { return r == ',' })
}

func (c corpusRequest) send(t *testing.T, url string) corpusAnswer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), c.method, url+c.path, bytes.NewReader([]byte(c.body)))
	if err != nil {
		t.Fatal(err)
	}
	if c.body != "" || c.method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	// The reference lists the entities in the order of a set, which differs from one start of it to the next.
	same := strings.NewReplacer(url, "HOST", "are: households, persons.", "are: persons, households.")
	return corpusAnswer{resp.StatusCode, resp.Header, same.Replace(string(text))}
}

// compare says how two answers differ, "" if they may.
func compare(c corpusRequest, want, got corpusAnswer) string {
	for _, name := range []string{"Country-Package", "Country-Package-Version"} {
		if a, b := want.header.Get(name), got.header.Get(name); a != b && c.path != "/unknown" { // a path that is nobody's
			return fmt.Sprintf("header %s is %q, want %q", name, b, a)
		}
	}
	for _, d := range differences {
		if d.explains != nil && d.explains(c, want, got) {
			return ""
		}
	}
	if want.status != got.status {
		return "status"
	}
	var a, b any
	if json.Unmarshal([]byte(want.text), &a) != nil || json.Unmarshal([]byte(got.text), &b) != nil {
		return "not JSON"
	}
	if c.path == "/spec" {
		a, b = outline(a), outline(b)
	}
	forget(a)
	forget(b)
	for _, d := range differences {
		if want.status >= 400 && d.levelThere != nil {
			a = d.levelThere(a)
		}
		if want.status >= 400 && d.levelHere != nil {
			b = d.levelHere(b)
		}
	}
	if !reflect.DeepEqual(a, b) {
		return "JSON differs" + firstDifference("", a, b)
	}
	return ""
}

// outline is what two specifications must share: paths, operations, schemas.
func outline(spec any) any {
	document, _ := spec.(map[string]any)
	var lines []string
	paths, _ := document["paths"].(map[string]any)
	for path, operations := range paths {
		for method, operation := range operations.(map[string]any) {
			lines = append(lines, fmt.Sprint(method, " ", path, " ", operation.(map[string]any)["operationId"]))
		}
	}
	components, _ := document["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for name, schema := range schemas {
		lines = append(lines, "schema "+name)
		if name == "Person" || name == "Household" || strings.HasPrefix(name, "Situation") {
			properties, _ := schema.(map[string]any)["properties"].(map[string]any)
			for key, property := range properties {
				if values, ok := property.(map[string]any)["additionalProperties"].(map[string]any); ok {
					delete(values, "nullable") // here a null may be sent, for which the reference has no word
				}
				lines = append(lines, fmt.Sprint("schema ", name, " ", key, " ", property))
			}
		}
	}
	sort.Strings(lines)
	return any(slices.Clone(lines))
}

// forget removes the times of a trace.
func forget(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "calculation_time")
		delete(v, "formula_time")
		for _, child := range v {
			forget(child)
		}
	case []any:
		for _, child := range v {
			forget(child)
		}
	}
}

// mirrored is a tree of errors in which a list that is padded with nulls up to a key that is a number, as the reference
// makes it, is an object again, as the situation is.
func mirrored(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			v[key] = mirrored(child)
		}
	case []any:
		object := map[string]any{}
		for i, child := range v {
			if child != nil {
				object[strconv.Itoa(i)] = mirrored(child)
			}
		}
		return object
	}
	return v
}

var hint = regexp.MustCompile(` Did you mean '[^']*'\?$`)

// unhinted is a tree of errors without the nearest names, which the reference does not tell.
func unhinted(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			v[key] = unhinted(child)
		}
	case string:
		return hint.ReplaceAllString(v, "")
	}
	return v
}

func firstDifference(at string, a, b any) string {
	left, isMap := a.(map[string]any)
	right, alsoMap := b.(map[string]any)
	if !isMap || !alsoMap {
		return fmt.Sprintf(" at %s:\n  %v\n  %v", at, a, b)
	}
	for key := range left {
		if _, ok := right[key]; !ok {
			return fmt.Sprintf(" at %s: edict has no %q", at, key)
		}
	}
	for key, value := range right {
		other, ok := left[key]
		if !ok {
			return fmt.Sprintf(" at %s: the reference has no %q", at, key)
		}
		if !reflect.DeepEqual(other, value) {
			return firstDifference(at+"/"+key, other, value)
		}
	}
	return ""
}
