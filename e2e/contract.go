package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Contract is what the server says of itself in /openapi.json, to hold exchanges against.
type Contract struct {
	compiler *jsonschema.Compiler
	document any
	paths    map[string]*regexp.Regexp
}

const contractName = "edict:openapi"

// ReadContract reads the document of a server.
func ReadContract(t *testing.T, server string) *Contract {
	t.Helper()
	c := &Contract{compiler: jsonschema.NewCompiler(), paths: map[string]*regexp.Regexp{}}
	c.document = AddResource(t, c.compiler, contractName, Fetch(t, http.MethodGet, server+"/openapi.json", ""))
	for path := range c.document.(map[string]any)["paths"].(map[string]any) {
		// The last step of a path may hold several where the route takes them all.
		pattern := regexp.MustCompile(`\\\{[^}]+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), `.+`)
		c.paths[path] = regexp.MustCompile("^" + pattern + "/?$")
	}
	return c
}

// template is the documented path that a request means, "" if there is none: of those that match, the one with most steps and
// fewest parameters, as in the server.
func (c *Contract) template(r *http.Request) string {
	best := ""
	for known, pattern := range c.paths {
		if !pattern.MatchString(r.URL.Path) {
			continue
		}
		if best == "" || cmp.Or(strings.Count(known, "/")-strings.Count(best, "/"), strings.Count(best, "{")-strings.Count(known, "{")) > 0 {
			best = known
		}
	}
	return best
}

// fits reports what is wrong with a JSON document by the schema at a place of the document.
func (c *Contract) fits(pointer string, text []byte) error {
	schema, err := c.compiler.Compile(contractName + "#" + pointer)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

const jsonBody = "/content/application~1json/schema"

// Check holds an exchange that succeeded against the document.
func (c *Contract) Check(r *http.Request, asked []byte, status int, answer []byte) error {
	template, method := c.template(r), strings.ToLower(r.Method)
	operation, known := Member(c.document, "paths", template, method).(map[string]any)
	if !known || status >= http.StatusMultipleChoices {
		return nil
	}
	pointer := "/paths/" + strings.NewReplacer("/", "~1", "{", "%7B", "}", "%7D").Replace(template) + "/" + method
	if bytes.HasPrefix(asked, []byte("{")) && !bytes.Contains(asked, []byte(`"year":`)) && !bytes.Contains(asked, []byte(`"date":`)) {
		// A scenario with the old names of period is taken, and left out of the document so that period is required there.
		if err := c.fits(pointer+"/requestBody"+jsonBody, asked); err != nil {
			return fmt.Errorf("the request does not fit the document: %w", err)
		}
	}
	response := Member(operation, "responses", strconv.Itoa(status))
	content, described := Member(response, "content").(map[string]any)
	switch {
	case response == nil:
		return fmt.Errorf("the document does not have the status %d", status)
	case described != (len(answer) > 0):
		return fmt.Errorf("the answer has %d bytes; the document describes a body: %t", len(answer), described)
	case content["application/json"] == nil || !json.Valid(answer):
		return nil
	}
	if err := c.fits(pointer+"/responses/"+strconv.Itoa(status)+jsonBody, answer); err != nil {
		return fmt.Errorf("the answer does not fit the document: %w", err)
	}
	return nil
}

// sending sends requests and holds those that succeed against the document.
func (c *Contract) sending(t *testing.T, send func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		var asked []byte
		if r.GetBody != nil {
			body, err := r.GetBody()
			if err != nil {
				return nil, err
			}
			if asked, err = io.ReadAll(body); err != nil {
				return nil, err
			}
		}
		response, err := send(r)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		response.Body = io.NopCloser(bytes.NewReader(answer))
		if response.Header.Get("Content-Encoding") != "" || r.Method == http.MethodHead {
			return response, nil
		}
		if err := c.Check(r, asked, response.StatusCode, answer); err != nil {
			t.Errorf("%s %s: %v\n%s", r.Method, r.URL, err, asked)
		}
		return response, nil
	}
}

// Example is a request that the document shows.
type Example struct {
	ID, Method, Path string
	Body             any // nil: none
	Answer           any // that the document shows
}

// Examples are the requests that the document shows of a service: an operation with the examples of its parameters, once
// for each example of its body.
func (c *Contract) Examples(tag string) []Example {
	var all []Example
	for path, methods := range c.document.(map[string]any)["paths"].(map[string]any) {
		for method, operation := range methods.(map[string]any) {
			op := operation.(map[string]any)
			if op["tags"].([]any)[0] != tag {
				continue
			}
			e := Example{ID: op["operationId"].(string), Method: strings.ToUpper(method), Path: filledIn(path, op)}
			e.Answer = Member(op, "responses", "200", "content", "application/json", "example")
			body := Member(op, "requestBody", "content", "application/json")
			if body == nil {
				all = append(all, e)
				continue
			}
			if first := Member(body, "example"); first != nil {
				e.Body = first
				all = append(all, e)
			}
			named, _ := Member(body, "examples").(map[string]any)
			for name, one := range named {
				e := e
				e.Body = Member(one, "value")
				if name != "first" {
					e.ID, e.Answer = e.ID+" "+name, nil
				}
				all = append(all, e)
			}
		}
	}
	return all
}

// Member is a value inside of objects, nil if it is not there.
func Member(v any, path ...string) any {
	for _, step := range path {
		o, _ := v.(map[string]any)
		v = o[step]
	}
	return v
}

// filledIn is a path with the examples of its parameters.
func filledIn(path string, op map[string]any) string {
	parameters, _ := op["parameters"].([]any)
	query := url.Values{}
	for _, p := range parameters {
		name, value := Member(p, "name").(string), Member(p, "example")
		if Member(p, "in") == "path" {
			path = strings.ReplaceAll(path, "{"+name+"}", fmt.Sprint(value))
			continue
		}
		switch value := value.(type) {
		case nil:
		case []any:
			for _, one := range value {
				query.Add(name, fmt.Sprint(one))
			}
		default:
			query.Set(name, fmt.Sprint(value))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// AddResource gives a compiler of schemas a document, which it returns.
func AddResource(t *testing.T, compiler *jsonschema.Compiler, name string, text []byte) any {
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
