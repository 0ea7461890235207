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
		"Bodies and answers are examples, without answers that are empty or long: the server's `/docs` has every field, and sends requests. " +
		"[Messaging in ten minutes](../start/messaging.md) shows the endpoints at work, [data model](../concepts/data-model.md) has the permissions, [errors](errors.md) the codes.\n")
	common := commonParameters(all)
	b.WriteString("\n## Common parameters\n| parameter | in | meaning |\n|---|---|---|\n")
	for _, row := range slices.Sorted(maps.Keys(common)) {
		b.WriteString(row)
	}
	first := map[string]string{}
	for _, o := range all {
		writeOperation(&b, o, common, first)
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

// longest is the length of the longest answer that the page shows.
const longest = 200

// elsewhere and empty are answers that the page leaves out.
const (
	elsewhere = "{…}"
	empty     = "without a body"
)

// shown is an example as the page has it.
func shown(example json.RawMessage) string {
	text := strings.ReplaceAll(compact(example), "9f3c0d6a41e24f7f8d1b7c5a2e6b9d10", "9f3c…")
	if len(text) > longest {
		return elsewhere
	}
	return text
}

// shape is an example without its values: two answers of one shape have the same members.
func shape(example json.RawMessage) string {
	return values.ReplaceAllString(compact(example), ":")
}

var values = regexp.MustCompile(`:("[^"]*"|[-0-9.]+|true|false|null)`)

// writeOperation writes the section of one endpoint. An answer whose shape an earlier endpoint has refers to that endpoint; first has them by shape.
func writeOperation(b *bytes.Buffer, o e2e.Operation, common map[string]bool, first map[string]string) {
	fmt.Fprintf(b, "\n## %s\n`%s %s`, for %s\n\n%s\n", o.Summary, o.Method, o.Path, allowed(o.Policy), escape.Replace(o.Description))
	var shared, special []string
	query, own := "", ""
	for _, p := range o.Parameters {
		if row := parameterRow(p.Name, p.In, p.Description); p.Name == "personal" && strings.Contains(p.Description, "false (default)") {
			own = " `personal` is false by default."
		} else if !common[row] {
			if p.In == "path" && len(p.Description) < 20 {
				continue
			}
			special = append(special, fmt.Sprintf("- `%s` (%s): %s\n", p.Name, p.In, escape.Replace(p.Description)))
		} else if p.In != "path" && p.Name != "personal" {
			shared = append(shared, "`"+p.Name+"`")
		}
		if p.In == "query" && p.Required {
			query = "?" + p.Name + "=" + exampleOf(p.Example)
		}
	}
	if len(special) > 0 {
		b.WriteString("\n" + strings.Join(special, ""))
	}
	b.WriteString("\n")
	if body, ok := o.RequestBody.Content["application/json"]; ok {
		fmt.Fprintf(b, "    %s\n", shown(body.Example))
	} else if query != "" {
		fmt.Fprintf(b, "    %s %s%s\n", o.Method, o.Path, query)
	}
	var failures []string
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		switch answer := o.Responses[status]; {
		case status < "300":
			example := answer.Content["application/json"].Example
			if earlier := first[shape(example)]; len(shown(example)) > 30 && earlier != "" {
				fmt.Fprintf(b, "    %s {…}, as \"%s\" returns\n", status, earlier)
				break
			}
			first[shape(example)] = o.Summary
			if text := shown(example); text != elsewhere && text != empty {
				fmt.Fprintf(b, "    %s %s\n", status, text)
			}
		case status < "600" && !slices.Contains(commonFailures, status):
			failures = append(failures, status)
		}
	}
	if len(shared) > 0 {
		own += " Takes " + strings.Join(shared, ", ") + "."
	}
	if len(failures) > 0 {
		own += " Fails with " + strings.Join(failures, ", ") + "."
	}
	if own != "" {
		fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(own))
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

// exampleOf returns the example of a query parameter as addresses have it, which is the first element of a list.
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
		return empty
	}
	return b.String()
}
