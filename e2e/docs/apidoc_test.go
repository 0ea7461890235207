package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
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

// commonFailures are statuses that every endpoint can return.
var commonFailures = []string{"400", "401", "403", "404", "409", "429", "503"}

func apiPage(all []e2e.Operation) []byte {
	var b bytes.Buffer
	b.WriteString("# Messaging API\n\n" +
		"With this page you can call every endpoint of messaging. The server's `/openapi.json` is its source (`go test ./e2e/docs -run TestAPIPage -update`).\n\n" +
		"Every request needs `Authorization: Bearer <token>`, and can fail with " + strings.Join(commonFailures, ", ") + " where that applies, in addition to the statuses listed. " +
		"Paths with `{channel_name}` take `personal`. " +
		"Bodies are examples. The server's `/docs` has every field and answer, and sends requests. " +
		"[Messaging in ten minutes](../start/messaging.md) shows the endpoints at work, [data model](../concepts/data-model.md) has the permissions, [errors](errors.md) the codes.\n")
	common := commonParameters(all)
	b.WriteString("\n## Common parameters\n| parameter | in | meaning |\n|---|---|---|\n")
	for _, row := range slices.Sorted(maps.Keys(common)) {
		b.WriteString(row)
	}
	group := ""
	for _, o := range all {
		if name, _, _ := strings.Cut(strings.TrimPrefix(o.Path, e2e.MessageAPI+"/"), "/"); name != group {
			group = name
			fmt.Fprintf(&b, "\n## %s\n", strings.ToUpper(name[:1])+name[1:])
		}
		writeOperation(&b, o, common)
	}
	return b.Bytes()
}

// commonParameters are the rows of parameters that at least two endpoints share: of each name the most frequent meaning.
func commonParameters(all []e2e.Operation) map[string]bool {
	count, best := map[string]int{}, map[string]string{}
	for _, o := range all {
		for _, p := range o.Parameters {
			row := parameterRow(p.Name, p.In, p.Description)
			count[row]++
			if now := best[p.Name]; count[row] > count[now] {
				best[p.Name] = row
			}
		}
	}
	common := map[string]bool{}
	for _, row := range best {
		if count[row] > 1 {
			common[row] = true
		}
	}
	return common
}

// escape keeps text from being read as Markdown.
var escape = strings.NewReplacer("|", "\\|", "<", "\\<", "#", "\\#")

func parameterRow(name, in, description string) string {
	return fmt.Sprintf("| `%s` | %s | %s |\n", name, in, escape.Replace(description))
}

// shown is an example as the page has it.
func shown(example json.RawMessage) string {
	return strings.ReplaceAll(compact(example), "9f3c0d6a41e24f7f8d1b7c5a2e6b9d10", "9f3c…")
}

// writeOperation writes the paragraph of one endpoint.
func writeOperation(b *bytes.Buffer, o e2e.Operation, common map[string]bool) {
	fmt.Fprintf(b, "\n`%s %s`, for %s. %s", o.Method, o.Path, allowed(o.Policy), escape.Replace(o.Description))
	var shared, special, failures []string
	for _, p := range o.Parameters {
		switch row := parameterRow(p.Name, p.In, p.Description); {
		case p.Name == "personal" && strings.Contains(p.Description, "false (default)"):
			b.WriteString(" `personal` is false by default.")
		case common[row] && p.In != "path" && p.Name != "personal":
			shared = append(shared, "`"+p.Name+"`")
		case !common[row] && (p.In != "path" || len(p.Description) > 20):
			special = append(special, fmt.Sprintf("- `%s` (%s): %s\n", p.Name, p.In, escape.Replace(p.Description)))
		}
	}
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		if status >= "400" && status < "600" && !slices.Contains(commonFailures, status) {
			failures = append(failures, status)
		}
	}
	if len(shared) > 0 {
		b.WriteString(" Takes " + strings.Join(shared, ", ") + ".")
	}
	if len(failures) > 0 {
		b.WriteString(" Fails with " + strings.Join(failures, ", ") + ".")
	}
	b.WriteString("\n")
	if len(special) > 0 {
		b.WriteString("\n" + strings.Join(special, ""))
	}
	if body, ok := o.RequestBody.Content["application/json"]; ok {
		fmt.Fprintf(b, "\n    %s\n", shown(body.Example))
	}
}

var inner = regexp.MustCompile(`([a-z])([A-Z])`)

// allowed returns the name of a policy in words: "callers who may read items" for MayReadItems.
func allowed(policy string) string {
	if policy == "MayOperate" {
		return "admins"
	}
	if name, ok := strings.CutPrefix(policy, "May"); ok {
		return "callers who may " + strings.ToLower(inner.ReplaceAllString(name, "$1 $2"))
	}
	return policy
}

func compact(text json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil || b.String() == `""` {
		return "without a body"
	}
	return b.String()
}
