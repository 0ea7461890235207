package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"edict/e2e"
)

// TestAPIPage keeps docs/reference/messaging-api.md, which is made from the OpenAPI document of the server, up to date.
func TestAPIPage(t *testing.T) {
	const file = "../../docs/reference/messaging-api.md"
	page := apiPage(e2e.Operations(t, e2e.Start(t, e2e.Options{}).URL, e2e.MessageAPI))
	if e2e.Update() {
		if err := os.WriteFile(file, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, page) {
		t.Errorf("%s is not what the server documents: run go test ./e2e/docs -run TestAPIPage -update", file)
	}
}

func apiPage(all []e2e.Operation) []byte {
	var b bytes.Buffer
	b.WriteString("# Endpoints of messaging\n\n" +
		"Made from the server's own documentation (`/openapi.json`) by `go test ./e2e/docs -run TestAPIPage -update`. Every request needs `Authorization: Bearer <token>`;\n" +
		"[messaging.md](../start/messaging.md) shows them at work and explains the codes of failures.\n")
	for _, o := range all {
		writeOperation(&b, o)
	}
	return b.Bytes()
}

// escape keeps text from being read as Markdown.
var escape = strings.NewReplacer("|", "\\|", "<", "\\<", "#", "\\#")

// writeOperation writes the section of one endpoint.
func writeOperation(b *bytes.Buffer, o e2e.Operation) {
	fmt.Fprintf(b, "\n## %s\n`%s %s`\n\n%s\n", o.Summary, o.Method, o.Path, escape.Replace(o.Description))
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
	path := o.Path
	for _, p := range o.Parameters {
		path = strings.ReplaceAll(path, "{"+p.Name+"}", strings.Trim(string(p.Example), `"`))
	}
	fmt.Fprintf(b, "\n    %s %s%s\n", o.Method, path, query)
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
