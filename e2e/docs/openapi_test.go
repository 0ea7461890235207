package docs_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"edict/e2e"
)

// TestOpenAPIOfTheRealTable checks what the whole server says of itself: valid OpenAPI 3.1, and every
// example fits the schema beside it.
func TestOpenAPIOfTheRealTable(t *testing.T) {
	server := e2e.WithWatches(e2e.Start)(t, e2e.Options{})
	resp, err := http.Get(server.URL + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	official, err := os.ReadFile(filepath.Join("..", "..", "platform", "web", "testdata", "openapi-3.1-schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	document := e2e.AddResource(t, compiler, "edict:openapi", text)
	e2e.AddResource(t, compiler, "edict:official", official)
	if err := compiler.MustCompile("edict:official").Validate(document); err != nil {
		t.Errorf("the document is not OpenAPI 3.1: %v", err)
	}
	eachExample(document, "", func(pointer string, example any) {
		schema, err := compiler.Compile("edict:openapi#" + pointer + "/schema")
		if err != nil {
			t.Errorf("%s: %v", pointer, err)
			return
		}
		if err := schema.Validate(example); err != nil {
			t.Errorf("%s: the example does not fit its schema: %v", pointer, err)
		}
	})
}

// TestAnswersFitTheDocument holds answers of /api/1 against the schemas of /openapi.json.
func TestAnswersFitTheDocument(t *testing.T) {
	server := e2e.StartSimulation(t, nil)
	compiler := jsonschema.NewCompiler()
	e2e.AddResource(t, compiler, "edict:openapi", e2e.Fetch(t, http.MethodGet, server.URL+"/openapi.json", ""))
	testCase := `{"individus": [{"id": "a", "salaire_imposable": 30000}], "familles": [{"parents": ["a"]}], "foyers_fiscaux": [{"declarants": ["a"]}], "menages": [{"personne_de_reference": "a"}]}`
	scenarios := `"scenarios": [{"period": "2024", "test_case": ` + testCase + `}]`
	for _, c := range []struct{ method, path, query, body string }{
		{"get", "/api", "", ""}, {"get", "/api/1/entities", "", ""}, {"get", "/api/1/graph", "?variable=irpp", ""},
		{"get", "/api/1/parameters", "", ""}, {"get", "/api/1/parameters", "?instant=2024", ""}, {"get", "/api/1/reforms", "?context=c", ""}, {"get", "/api/1/variables", "", ""},
		{"get", "/api/1/field", "?variable=irpp", ""}, {"get", "/api/1/fields", "", ""},
		{"get", "/api/1/formula/{name}", "/irpp?period=2024", ""}, {"get", "/api/2/formula/{rest}", "/2024/irpp+nbptr", ""},
		{"post", "/api/1/calculate", "", `{"variables": ["irpp"], "trace": true, "time": true, "context": "c", "reforms": ["tranche_superieure"], ` + scenarios + `}`},
		{"post", "/api/1/calculate", "", `{"validate": true, ` + scenarios + `}`},
		{"post", "/api/1/simulate", "", `{"trace": true, ` + scenarios + `}`},
	} {
		step := strings.NewReplacer("/", "~1", "{", "%7B", "}", "%7D").Replace(c.path)
		at := "edict:openapi#/paths/" + step + "/" + c.method
		target, _, templated := strings.Cut(c.path, "/{")
		if !templated {
			target = c.path
		}
		answer, err := jsonschema.UnmarshalJSON(bytes.NewReader(e2e.Fetch(t, strings.ToUpper(c.method), server.URL+target+c.query, c.body)))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.MustCompile(at + "/responses/200/content/application~1json/schema").Validate(answer); err != nil {
			t.Errorf("%s %s%s: %v", c.method, c.path, c.query, err)
		}
		if c.body == "" {
			continue
		}
		body, _ := jsonschema.UnmarshalJSON(strings.NewReader(c.body))
		if err := compiler.MustCompile(at + "/requestBody/content/application~1json/schema").Validate(body); err != nil {
			t.Errorf("%s %s: %v", c.method, c.path, err)
		}
	}
}

// eachExample visits every object that has both a schema and an example, by its JSON pointer.
func eachExample(at any, pointer string, visit func(pointer string, example any)) {
	switch at := at.(type) {
	case map[string]any:
		if at["schema"] != nil && at["example"] != nil {
			visit(pointer, at["example"])
		}
		named, _ := at["examples"].(map[string]any)
		for _, one := range named {
			visit(pointer, one.(map[string]any)["value"])
		}
		for key, child := range at {
			properties, _ := child.(map[string]any)
			switch {
			case key == "example" || key == "examples": // examples are values, not parts of the document
			case key == "properties" && properties != nil: // its keys are names of members, which may be "example" or "schema"
				for name, schema := range properties {
					eachExample(schema, pointer+"/properties/"+pointerStep(name), visit)
				}
			default:
				eachExample(child, pointer+"/"+pointerStep(key), visit)
			}
		}
	case []any:
		for i, child := range at {
			eachExample(child, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}

// pointerStep writes a key as a step of a JSON pointer in a URL.
func pointerStep(key string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
}

// TestFreeObjects: every object of the documents says what its members are, or that they may be anything. Generators of
// typed clients take one that says nothing for an empty one.
func TestFreeObjects(t *testing.T) {
	server := e2e.Start(t, e2e.Options{})
	e2e.AwaitReady(t, server.URL)
	for _, path := range []string{"/openapi.json", "/spec", "/api/1/swagger"} {
		var document any
		if err := json.Unmarshal(e2e.Fetch(t, http.MethodGet, server.URL+path, ""), &document); err != nil {
			t.Fatal(err)
		}
		objects := 0
		eachObjectSchema(document, "", func(pointer string, schema map[string]any) {
			objects++
			if schema["properties"] == nil && schema["additionalProperties"] == nil {
				t.Errorf("%s: %s is an object of which nothing is said", path, pointer)
			}
		})
		if objects < 10 {
			t.Errorf("%s: %d objects were looked at", path, objects)
		}
	}
}

// eachObjectSchema visits every schema whose type is object, or may be, by its JSON pointer.
func eachObjectSchema(at any, pointer string, visit func(pointer string, schema map[string]any)) {
	switch at := at.(type) {
	case map[string]any:
		kinds, _ := at["type"].([]any)
		if at["type"] == "object" || slices.Contains(kinds, any("object")) {
			visit(pointer, at)
		}
		for key, child := range at {
			if key != "example" && key != "examples" {
				eachObjectSchema(child, pointer+"/"+key, visit)
			}
		}
	case []any:
		for i, child := range at {
			eachObjectSchema(child, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}
