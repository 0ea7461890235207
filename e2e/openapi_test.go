package e2e

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestOpenAPIOfTheRealTable checks what the whole server says of itself: valid OpenAPI 3.1, and every
// example fits the schema beside it.
func TestOpenAPIOfTheRealTable(t *testing.T) {
	server := Start(t, Options{})
	resp, err := http.Get(server.URL + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	official, err := os.ReadFile(filepath.Join("..", "platform", "web", "testdata", "openapi-3.1-schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	document := addResource(t, compiler, "edict:openapi", text)
	addResource(t, compiler, "edict:official", official)
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

func addResource(t *testing.T, compiler *jsonschema.Compiler, name string, text []byte) any {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	return document
}

// eachExample visits every object that has both a schema and an example, by its JSON pointer.
func eachExample(at any, pointer string, visit func(pointer string, example any)) {
	switch at := at.(type) {
	case map[string]any:
		if at["schema"] != nil && at["example"] != nil {
			visit(pointer, at["example"])
		}
		for key, child := range at {
			step := url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
			eachExample(child, pointer+"/"+step, visit)
		}
	case []any:
		for i, child := range at {
			eachExample(child, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}
