package simulation_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestLaw runs the golden files about what the legislation is made of, on a server of their own: what was seen depends on what
// was traced before.
func TestLaw(t *testing.T) {
	e2e.GoldenSimulation(t, e2e.StartSimulation(t, nil), "testdata/law/*.txtar")
}

// TestSearchPages: the pages of a search hold everything once, and a cursor is good for its own search alone.
func TestSearchPages(t *testing.T) {
	server := e2e.StartSimulation(t, nil)
	var all struct{ Variables []any }
	if err := json.Unmarshal(e2e.Fetch(t, http.MethodGet, server.URL+"/api/2/catalogue", ""), &all); err != nil {
		t.Fatal(err)
	}
	seen, cursor := map[string]bool{}, ""
	for {
		var page struct {
			Total   int
			Next    string
			Results []struct{ ID string }
		}
		text := e2e.Fetch(t, http.MethodGet, server.URL+"/api/2/search?kind=variable&cursor="+url.QueryEscape(cursor), "")
		if err := json.Unmarshal(text, &page); err != nil {
			t.Fatal(err)
		}
		if page.Total != len(all.Variables) || len(page.Results) == 0 || len(page.Results) > 20 {
			t.Fatalf("%d of %d variables, %d on a page", page.Total, len(all.Variables), len(page.Results))
		}
		for _, r := range page.Results {
			if seen[r.ID] {
				t.Errorf("%s is found twice", r.ID)
			}
			seen[r.ID] = true
		}
		if page.Next == "" {
			break
		}
		cursor = page.Next
		if got := status(t, server.URL+"/api/2/search?kind=parameter&cursor="+url.QueryEscape(cursor)); got != http.StatusBadRequest {
			t.Errorf("the cursor of another search is answered by %d", got)
		}
	}
	if len(seen) != len(all.Variables) {
		t.Errorf("%d of %d variables were found", len(seen), len(all.Variables))
	}
}

func status(t *testing.T, address string) int {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

// TestCatalogueCompressedAndCached: the catalogue comes compressed to callers that take it so, and not at all to those that have it.
func TestCatalogueCompressedAndCached(t *testing.T) {
	server := e2e.StartSimulation(t, nil)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	t.Cleanup(client.CloseIdleConnections)
	get := func(header, value string) (*http.Response, []byte) {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, server.URL+"/api/2/catalogue", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(header, value)
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body := io.Reader(response.Body)
		if response.Header.Get("Content-Encoding") == "gzip" {
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		return response, text
	}
	plain, text := get("Accept-Encoding", "gzip;q=0")
	zipped, unzipped := get("Accept-Encoding", "br, gzip")
	if plain.Header.Get("Content-Encoding") != "" || zipped.Header.Get("Content-Encoding") != "gzip" || string(text) != string(unzipped) {
		t.Errorf("%v %v, %d and %d bytes", plain.Header, zipped.Header, len(text), len(unzipped))
	}
	if plain.Header.Get("ETag") == zipped.Header.Get("ETag") {
		t.Error("both forms have the same tag")
	}
	if known, body := get("If-None-Match", plain.Header.Get("ETag")); known.StatusCode != http.StatusNotModified || len(body) > 0 {
		t.Errorf("a caller that has it gets %d and %d bytes", known.StatusCode, len(body))
	}
	var catalogue struct {
		Fields     []string
		Variables  [][]any
		Parameters map[string]any
	}
	if err := json.Unmarshal(text, &catalogue); err != nil {
		t.Fatal(err)
	}
	if len(catalogue.Variables) == 0 || len(catalogue.Variables[0]) != len(catalogue.Fields) || len(catalogue.Parameters) == 0 {
		t.Errorf("%d variables of %v, %d parameters", len(catalogue.Variables), catalogue.Fields, len(catalogue.Parameters))
	}
}

// TestTracedLawIsMarked: what a traced calculation has done is marked on the pages of what it read, whether a trace was asked for or why.
func TestTracedLawIsMarked(t *testing.T) {
	for path, body := range map[string]string{
		"/trace":     `{"individus": {"ada": {"salaire_imposable": {"2024": 30000}}}, "foyers_fiscaux": {"ff": {"declarants": ["ada"], "decote": {"2024": null}}}}`,
		"/api/2/why": `{"figure": {"variable": "decote"}, "scenarios": [{"period": 2024, "test_case": {"individus": [{"id": "ada", "salaire_imposable": 30000}], "familles": [{"parents": ["ada"]}], "foyers_fiscaux": [{"declarants": ["ada"]}], "menages": [{"personne_de_reference": "ada"}]}}]}`,
	} {
		t.Run(path, func(t *testing.T) { testSeen(t, path, body) })
	}
}

func testSeen(t *testing.T, path, body string) {
	server := e2e.StartSimulation(t, nil)
	seen := func() bool {
		t.Helper()
		var page struct {
			Parameter struct {
				Variables []struct {
					ID           string
					Static, Seen bool
				}
			}
		}
		if err := json.Unmarshal(e2e.Fetch(t, http.MethodGet, server.URL+"/api/2/parameter/impot_revenu.decote.taux", ""), &page); err != nil {
			t.Fatal(err)
		}
		if v := page.Parameter.Variables; len(v) != 1 || v[0].ID != "decote" || !v[0].Static {
			t.Fatalf("it is read by %v", v)
		}
		return page.Parameter.Variables[0].Seen
	}
	if seen() {
		t.Error("it was seen before anything was computed")
	}
	e2e.Fetch(t, http.MethodPost, server.URL+path, body)
	if !seen() {
		t.Error("a traced calculation was not noted")
	}
}

// TestTemplateLaw runs the golden files about the country template.
func TestTemplateLaw(t *testing.T) {
	if *country == "" {
		t.Skip("no country template: give -country PATH")
	}
	e2e.GoldenSimulation(t, e2e.StartSimulation(t, func(c *cli.Config) { c.Simulation.Country = *country }), "testdata/law-template/*.txtar")
}

// TestTemplateWhy: "edict calculate --why" shows trees of the country template as they are in testdata/law-template/why.
func TestTemplateWhy(t *testing.T) {
	if *country == "" {
		t.Skip("no country template: give -country PATH")
	}
	const situation = `{"persons": {"ann": {"birth": {"ETERNITY": "1980-01-01"}, "salary": {"2017-01": 2000}}, "bob": {"birth": {"ETERNITY": "2015-01-01"}}},
		"households": {"h": {"adults": ["ann"], "children": ["bob"], "accommodation_size": {"2017-01": 80}, "disposable_income": {"2017-01": null}}}}`
	for name, args := range map[string][]string{
		"law":    nil,
		"set":    {"--set", "taxes.social_security_contribution.brackets[0].rate=0.5", "--set", "taxes.income_tax_rate=0.3@2017..2017"},
		"reform": {"--reform", "openfisca_country_template.reforms.removal_basic_income.removal_basic_income"},
	} {
		t.Run(name, func(t *testing.T) {
			got := e2e.Run(t, situation, append([]string{"calculate", "--country", *country, "--why", "disposable_income", "--depth", "2", "-"}, args...)...)
			file := "testdata/law-template/" + name + ".tree"
			if e2e.Update() {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s has\n%s, got\n%s", file, want, got)
			}
		})
	}
}
