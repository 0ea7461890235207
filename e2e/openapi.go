package e2e

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Operation is what a page shows of an operation of the OpenAPI document.
type Operation struct {
	Method, Path string

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

// Operations returns the documented operations below a prefix, by path and method.
func Operations(t *testing.T, url, prefix string) []Operation {
	t.Helper()
	response, err := http.Get(url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var document struct {
		Paths map[string]map[string]Operation
	}
	if err := json.NewDecoder(response.Body).Decode(&document); err != nil {
		t.Fatal(err)
	}
	var all []Operation
	for path, methods := range document.Paths {
		for method, o := range methods {
			if strings.HasPrefix(path, prefix+"/") {
				o.Method, o.Path = strings.ToUpper(method), path
				all = append(all, o)
			}
		}
	}
	order := []string{"POST", "PUT", "GET", "DELETE"}
	slices.SortFunc(all, func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(slices.Index(order, a.Method), slices.Index(order, b.Method)))
	})
	return all
}
