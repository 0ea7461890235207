package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
)

// operation is what a page shows of an operation of the OpenAPI document.
type operation struct {
	method, path string

	Summary     string
	Description string
	Parameters  []struct {
		Name, In, Description string
		Required              bool
		Example               json.RawMessage
	}
	RequestBody struct {
		Content map[string]struct{ Example json.RawMessage }
	}
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Example json.RawMessage }
	}
	Policy string `json:"x-policy"`
}

// TestAPIPage keeps docs/reference/messaging-api.md, which is made from the OpenAPI document of the server, up to date.
func TestAPIPage(t *testing.T) {
	const file = "../docs/reference/messaging-api.md"
	page := apiPage(operations(t, Start(t, Options{}).URL, api))
	if Update() {
		if err := os.WriteFile(file, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, page) {
		t.Errorf("%s is not what the server documents: run go test ./e2e -run TestAPIPage -update", file)
	}
}

// operations returns the documented operations below a prefix, by path and method.
func operations(t *testing.T, url, prefix string) []operation {
	t.Helper()
	response, err := http.Get(url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var document struct {
		Paths map[string]map[string]operation
	}
	if err := json.NewDecoder(response.Body).Decode(&document); err != nil {
		t.Fatal(err)
	}
	var all []operation
	for path, methods := range document.Paths {
		for method, o := range methods {
			if strings.HasPrefix(path, prefix+"/") {
				o.method, o.path = strings.ToUpper(method), path
				all = append(all, o)
			}
		}
	}
	order := []string{"POST", "PUT", "GET", "DELETE"}
	slices.SortFunc(all, func(a, b operation) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(slices.Index(order, a.method), slices.Index(order, b.method)))
	})
	return all
}

func apiPage(all []operation) []byte {
	var b bytes.Buffer
	b.WriteString("# Endpoints of messaging\n\n" +
		"Made from the server's own documentation (`/openapi.json`) by `go test ./e2e -run TestAPIPage -update`. Every request needs `Authorization: Bearer <token>`;\n" +
		"[messaging.md](messaging.md) shows them at work and explains the codes of failures.\n")
	for _, o := range all {
		o.write(&b)
	}
	return b.Bytes()
}

// escape keeps text from being read as Markdown.
var escape = strings.NewReplacer("|", "\\|", "<", "\\<", "#", "\\#")

func (o *operation) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## %s\n`%s %s`\n\n%s\n", o.Summary, o.method, o.path, escape.Replace(o.Description))
	if len(o.Parameters) > 0 {
		b.WriteString("\n| parameter | in | |\n|---|---|---|\n")
	}
	query := ""
	for _, p := range o.Parameters {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", p.Name, p.In, escape.Replace(p.Description))
		if p.In == "query" && p.Required {
			query = "?" + p.Name + "=" + exampleOf(p.Example)
		}
	}
	path := o.path
	for _, p := range o.Parameters {
		path = strings.ReplaceAll(path, "{"+p.Name+"}", strings.Trim(string(p.Example), `"`))
	}
	fmt.Fprintf(b, "\n    %s %s%s\n", o.method, path, query)
	if body, ok := o.RequestBody.Content["application/json"]; ok {
		fmt.Fprintf(b, "    %s\n", compact(body.Example))
	}
	var failures []string
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		switch answer := o.Responses[status]; {
		case status < "300":
			fmt.Fprintf(b, "\n    %s %s\n", status, compact(answer.Content["application/json"].Example))
		case status < "600":
			failures = append(failures, status)
		}
	}
	fmt.Fprintf(b, "\nWho may: `%s`. Failures: %s.\n", o.Policy, strings.Join(failures, ", "))
}

// exampleOf returns the example of a query parameter as it stands in an address: of a list the first element.
func exampleOf(example json.RawMessage) string {
	var list []string
	if json.Unmarshal(example, &list) == nil && len(list) > 0 {
		return list[0]
	}
	return strings.Trim(string(example), `"`)
}

func compact(text json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil || b.String() == `""` {
		return "without a body"
	}
	return b.String()
}
