package docs_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"edict/e2e"
)

// TestTypos misspells every query parameter and every field of every body of messaging and identity, one after the other, as
// the server itself lists them: each is refused with the name that was meant.
func TestTypos(t *testing.T) {
	server := e2e.Start(t, e2e.Options{})
	e2e.AwaitReady(t, server.URL)
	token := e2e.Tokens(server.Data)(t, "admin")
	var document apiDocument
	if err := json.Unmarshal(e2e.Fetch(t, http.MethodGet, server.URL+"/openapi.json", ""), &document); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for path, operations := range document.Paths {
		for method, op := range operations {
			if op.Tags[0] != "messaging" && op.Tags[0] != "identity" {
				continue
			}
			call := typoCall{t: t, method: strings.ToUpper(method), url: server.URL + regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "x"), token: token}
			for _, p := range op.Parameters {
				if p.In == "query" {
					call.refused(url.Values{misspelt(p.Name): {"1"}}.Encode(), "", "", p.Name)
					tried++
				}
			}
			for kind, content := range op.RequestBody.Content {
				for name := range document.fields(content.Schema.Ref) {
					body := `{"` + misspelt(name) + `": 1}`
					if kind != "application/json" {
						body = url.Values{misspelt(name): {"1"}}.Encode()
					}
					call.refused("", kind, body, name)
					tried++
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("%d names were tried: the document has more", tried)
	}
}

// misspelt swaps the last two letters of a name, or doubles the last one where that changes nothing or hardly anything is left.
// Names of one or two letters, which may be meant for themselves, are written in another case.
func misspelt(name string) string {
	n := len(name)
	if n < 3 {
		return strings.ToUpper(name)
	}
	if n < 4 || name[n-1] == name[n-2] {
		return name + name[n-1:]
	}
	return name[:n-2] + name[n-1:] + name[n-2:n-1]
}

// apiDocument is what TestTypos reads of an OpenAPI document.
type apiDocument struct {
	Paths map[string]map[string]struct {
		Tags        []string
		Parameters  []struct{ Name, In string }
		RequestBody struct {
			Content map[string]struct {
				Schema struct {
					Ref string `json:"$ref"`
				}
			}
		}
	}
	Components struct {
		Schemas map[string]struct{ Properties map[string]any }
	}
}

func (d *apiDocument) fields(ref string) map[string]any {
	return d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")].Properties
}

// typoCall is a request with one name wrong.
type typoCall struct {
	t                  *testing.T
	method, url, token string
}

func (c typoCall) refused(query, contentType, body, meant string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), c.method, c.url+"?"+query, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", contentType)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if want := `did you mean \"` + meant + `\"?`; answer.StatusCode != http.StatusBadRequest || !strings.Contains(string(text), want) {
		c.t.Errorf("%s %s?%s %s: %d %s, want 400 and %s", c.method, c.url, query, body, answer.StatusCode, text, want)
	}
}
