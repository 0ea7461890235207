package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"edict/platform/web"
)

// TestOpenAPIIsValid checks the served document against the official schema, and every example in it
// against the schema beside it.
func TestOpenAPIIsValid(t *testing.T) {
	f := newFixture(t)
	got := f.do("GET", "/openapi.json", "")
	document := parseJSON(t, got.Body.Bytes())
	schema, err := os.ReadFile("testdata/openapi-3.1-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	const official = "https://spec.openapis.org/oas/3.1/schema/2022-10-07"
	if err := compiler.AddResource(official, parseJSON(t, schema)); err != nil {
		t.Fatal(err)
	}
	if err := compiler.MustCompile(official).Validate(document); err != nil {
		t.Errorf("the document is not OpenAPI 3.1: %v", err)
	}
	if err := compiler.AddResource("edict:openapi", document); err != nil {
		t.Fatal(err)
	}
	examples := 0
	walkMedia(document, "", func(pointer string, media map[string]any) {
		examples++
		s, err := compiler.Compile("edict:openapi#" + pointer + "/schema")
		if err != nil {
			t.Errorf("%s: %v", pointer, err)
			return
		}
		if err := s.Validate(media["example"]); err != nil {
			t.Errorf("%s: the example does not fit its schema: %v", pointer, err)
		}
	})
	if want := len(f.Routes()); examples < want {
		t.Errorf("%d examples for %d routes", examples, want)
	}
}

// walkMedia calls visit for every object that has a schema and an example.
func walkMedia(node any, pointer string, visit func(string, map[string]any)) {
	switch node := node.(type) {
	case map[string]any:
		if node["schema"] != nil && node["example"] != nil {
			visit(pointer, node)
		}
		for key, child := range node {
			walkMedia(child, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D").Replace(key), visit)
		}
	case []any:
		for i, child := range node {
			walkMedia(child, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}

func parseJSON(t *testing.T, data []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestOpenAPISaysWhoMayCall(t *testing.T) {
	f := newFixture(t)
	var document struct {
		Paths map[string]map[string]struct {
			Policy     string                `json:"x-policy"`
			Security   []map[string][]string `json:"security"`
			Parameters []struct {
				Name, In string
				Required bool
			} `json:"parameters"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(f.do("GET", "/openapi.json", "").Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	for _, route := range f.Routes() {
		op, ok := document.Paths[strings.NewReplacer("...", "", "{$}", "").Replace(route.Path)][strings.ToLower(route.Method)]
		if !ok || op.Policy != route.Policy.Name || op.Security == nil {
			t.Errorf("%s %s: %+v", route.Method, route.Path, op)
		}
		if needsToken := len(op.Security) > 0 && len(op.Security[0]) > 0; needsToken != (route.Policy.Access == web.RequiredCaller) {
			t.Errorf("%s %s: security %v under policy %s", route.Method, route.Path, op.Security, route.Policy.Name)
		}
	}
	if html := f.do("GET", "/docs", "").Body.String(); !strings.Contains(html, "there is nothing at /open/nothing") {
		t.Error("the page does not show the error shape of a service")
	}
	params := document.Paths["/closed/name/{name}"]["get"].Parameters
	if len(params) != 1 || params[0].Name != "name" || params[0].In != "path" || !params[0].Required {
		t.Errorf("the path parameter is %+v", params)
	}
}

// TestAuthorizationTable calls every route of the table without a token.
func TestAuthorizationTable(t *testing.T) {
	f := newFixture(t)
	for _, route := range f.Routes() {
		if route.Policy.Access != web.RequiredCaller {
			continue
		}
		path := strings.NewReplacer("{name}", "x").Replace(route.Path)
		if got := f.do(route.Method, path, "", "Authorization: "); got.Code != http.StatusUnauthorized {
			t.Errorf("%s %s: %d without a token", route.Method, path, got.Code)
		}
	}
}

func TestIncompleteRoutesAreRefused(t *testing.T) {
	whole := func() web.Route {
		return web.Route{Method: "POST", Path: "/x", Policy: web.Public, Handle: echoNote, Doc: bodyDoc("X")}
	}
	cases := map[string]struct {
		spoil func(*web.Route)
		want  string
	}{
		"policy":         {func(r *web.Route) { r.Policy = web.Policy{} }, "no policy"},
		"handler":        {func(r *web.Route) { r.Handle = nil }, "no handler"},
		"summary":        {func(r *web.Route) { r.Doc.Summary = "" }, "no summary"},
		"description":    {func(r *web.Route) { r.Doc.Description = "" }, "no description"},
		"body example":   {func(r *web.Route) { r.Doc.Body.Example = nil }, "no example of the body"},
		"answer example": {func(r *web.Route) { r.Doc.Answers[0].Example = nil }, "no example of answer 200"},
		"answers":        {func(r *web.Route) { r.Doc.Answers = nil }, "no example of a good answer"},
		"method":         {func(r *web.Route) { r.Method = "FETCH" }, `method "FETCH" is not one of`},
		"path":           {func(r *web.Route) { r.Path = "x" }, "the path does not start with a slash"},
		"pattern":        {func(r *web.Route) { r.Path = "/x/{" }, "route table"},
		"caller":         {func(r *web.Route) { r.Policy = web.Authenticated }, "Options.Authenticator is not set"},
		"operation id":   {func(r *web.Route) { r.Doc.ID = "health" }, `operation id "health" is taken`},
		"ambiguous":      {func(r *web.Route) { r.Method, r.Path = "GET", "/healthz" }, "conflicts"},
	}
	cases["policy of another meaning"] = struct {
		spoil func(*web.Route)
		want  string
	}{func(r *web.Route) { r.Policy.Description = "x" }, `policy "public" says something else`}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			route := whole()
			c.spoil(&route)
			_, err := web.New(web.Options{}, web.Service{Name: "s", Routes: []web.Route{route}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want something about %q", err, c.want)
			}
		})
	}
	if _, err := web.New(web.Options{}, web.Service{Name: "s", Routes: []web.Route{whole()}}); err != nil {
		t.Errorf("a whole route is refused: %v", err)
	}
}

func TestContradictoryServicesAreRefused(t *testing.T) {
	cases := map[string]struct {
		services []web.Service
		want     string
	}{
		"name":                 {[]web.Service{{Name: "two words"}}, "needs a name"},
		"prefix without slash": {[]web.Service{{Name: "a", Prefixes: []string{"a"}}}, `prefix "a" must start`},
		"prefix with slash":    {[]web.Service{{Name: "a", Prefixes: []string{"/a/"}}}, `prefix "/a/" must start`},
		"prefix twice":         {[]web.Service{{Name: "a", Prefixes: []string{"/a"}}, {Name: "b", Prefixes: []string{"/a"}}}, `prefix "/a" belongs to a`},
		"CORS out of reach":    {[]web.Service{{Name: "a", Prefixes: []string{"/a"}, CORS: web.AnyOrigin(), Routes: []web.Route{{Method: "GET", Path: "/b", Policy: web.Public, Handle: large, Doc: doc("B")}}}}, "where its CORS does not reach"},
		"open credentials":     {[]web.Service{{Name: "a", CORS: &web.CORS{Origins: []string{"*"}, Credentials: true}}}, "cannot allow credentials"},
	}
	for name, c := range cases {
		if _, err := web.New(web.Options{}, c.services...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNamedSchemas: a service has schemas by name that may refer to each other, and a body may have several examples.
func TestNamedSchemas(t *testing.T) {
	service := func(name string, s web.Schema) web.Service {
		route := web.Route{Method: "POST", Path: "/" + name, Policy: web.Public, Handle: echoNote, Doc: bodyDoc(name)}
		route.Doc.Body.Type, route.Doc.Body.Example = web.Ref("Tree"), map[string]any{"name": "root"}
		route.Doc.Body.More = []web.Example{{Name: "deep", Summary: "With a child", Value: map[string]any{"children": []any{map[string]any{"name": "leaf"}}}}}
		return web.Service{Name: name, Schemas: map[string]web.Schema{"Tree": s}, Routes: []web.Route{route}}
	}
	tree := web.Schema{"type": "object", "properties": map[string]web.Schema{"name": {"type": "string"}, "children": {"type": "array", "items": web.Ref("Tree")}}}
	server, err := web.New(web.Options{}, service("a", tree))
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "/openapi.json", nil))
	for _, want := range []string{`"$ref": "#/components/schemas/Tree"`, `"Tree": {`, `"summary": "With a child"`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the document has no %s", want)
		}
	}
	w = httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "/docs", nil))
	for _, want := range []string{"<summary>With a child</summary>", "<code>children</code>"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if _, err := web.New(web.Options{}, service("a", tree), service("b", tree)); err == nil || !strings.Contains(err.Error(), `the schema "Tree" is there already`) {
		t.Errorf("two of one name: %v", err)
	}
	if _, err := web.New(web.Options{}, service("a", web.Schema{"items": web.Ref("Nothing")})); err == nil || !strings.Contains(err.Error(), `the schema "Nothing"`) {
		t.Errorf("a reference to nothing: %v", err)
	}
}

func TestDocsPage(t *testing.T) {
	f := newFixture(t)
	page := f.do("GET", "/docs", "")
	html := page.Body.String()
	if page.Code != http.StatusOK || !strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("%d %s", page.Code, page.Header().Get("Content-Type"))
	}
	for _, route := range f.Routes() {
		if !strings.Contains(html, `id="`+route.Doc.ID+`"`) {
			t.Errorf("%s %s is not on the page", route.Method, route.Path)
		}
	}
	for _, outside := range []string{"http://", "https://", "<style", " style=", " onclick=", "//cdn"} {
		if strings.Contains(html, outside) {
			t.Errorf("the page holds %q: it must load nothing from elsewhere and pass its own policy", outside)
		}
	}
	if csp := page.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
		t.Errorf("content security policy %q", csp)
	}
	for _, path := range []string{"/docs/", "/docs/docs.css", "/docs/docs.js", "/docs/try.js"} {
		got := f.do("GET", path, "")
		if got.Code != http.StatusOK || got.Body.Len() == 0 {
			t.Errorf("%s: %d, %d bytes", path, got.Code, got.Body.Len())
		}
		if again := f.do("GET", path, "", "If-None-Match: "+got.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s again: %d, %d bytes", path, again.Code, again.Body.Len())
		}
	}
	if got := f.do("GET", "/docs/other", ""); got.Code != http.StatusNotFound {
		t.Errorf("an unknown part answers %d", got.Code)
	}
}

// TestHome: browsers find a page at the root, without a script; it links to what there is. Others find what was there before.
func TestHome(t *testing.T) {
	f := newFixture(t, func(o *web.Options) { o.Title, o.Tokens = "house", "Ask at the door." })
	page := f.do("GET", "/", "", "Accept: text/html,application/xhtml+xml,*/*;q=0.8")
	html, policy := page.Body.String(), page.Header().Get("Content-Security-Policy")
	if page.Code != http.StatusOK || !strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("%d %v", page.Code, page.Header())
	}
	for _, want := range []string{"<h1>house", `href="/docs"`, `href="/docs#closed"`, `href="/healthz"`, "Ask at the door."} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %s:\n%s", want, html)
		}
	}
	if strings.Contains(html, "<script") {
		t.Error("the page needs a script")
	}
	other := f.do("GET", "/", "", "Accept: */*")
	if other.Code != http.StatusNotFound || !slices.Contains(other.Header().Values("Vary"), "Accept") {
		t.Errorf("others get %d, Vary %q", other.Code, other.Header().Values("Vary"))
	}
}

// TestDocsDepth: fields are listed to their full depth, and the page says how to get a token.
func TestDocsDepth(t *testing.T) {
	route := web.Route{Method: "POST", Path: "/deep", Policy: web.Public, Handle: echoNote, Doc: bodyDoc("Deep")}
	route.Doc.Body.Type = web.Schema{"type": "object", "properties": map[string]web.Schema{
		"list": {"type": "array", "items": web.Schema{"type": "object", "properties": map[string]web.Schema{"inside": {"type": "string", "description": "far down"}}}},
	}}
	server, err := web.New(web.Options{Tokens: "Ask at the door."}, web.Service{Name: "deep-1", Title: "Deep things", Routes: []web.Route{route}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "/docs", nil))
	for _, want := range []string{"<code>list[].inside</code>", "far down", ">Deep things</h2>", "How to get a token", "Ask at the door."} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	again := route
	again.Path, again.Doc.ID = "/again", "again"
	if _, err := web.New(web.Options{}, web.Service{Name: "a", Routes: []web.Route{route, again}}); err == nil || !strings.Contains(err.Error(), `the summary "Deep" is that of POST /deep`) {
		t.Errorf("two entries of one title: %v", err)
	}
}

// TestSchemasOfBodies: what a body may leave out may be null as well, which answers do not say; tags are constraints; an answer without a
// body describes none.
func TestSchemasOfBodies(t *testing.T) {
	type part struct {
		Count int `json:"count,omitempty" min:"1" max:"9"`
	}
	type draft struct {
		Name  string   `json:"name" pattern:"^[a-z]+$" max:"5"`
		State *string  `json:"state,omitempty" enum:"on,off"`
		Tags  []string `json:"tags" pattern:"^x" min:"1"`
		Part  *part    `json:"part,omitempty"`
	}
	example := draft{Name: "a", Tags: []string{"x"}}
	s, err := web.New(web.Options{}, web.Service{Name: "drafts", Prefixes: []string{"/d"}, Access: web.NoCaller, Routes: []web.Route{{
		Method: "POST", Path: "/d", Policy: web.Public, Handle: echoNote, Doc: web.Doc{
			Summary: "Draft", Description: "Takes a draft.", Body: &web.Body{Type: draft{}, Example: example},
			Answers: []web.Answer{{Status: 200, Type: draft{}, Example: example}, {Status: 201, Empty: true}},
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths      map[string]map[string]struct{ Responses map[string]map[string]any }
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(ask(s, "GET", "/openapi.json", "").Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if content := document.Paths["/d"]["post"].Responses["201"]["content"]; content != nil {
		t.Errorf("an answer without a body has %v", content)
	}
	for name, want := range map[string]string{
		"DraftInput": `{"properties":{"name":{"maxLength":5,"pattern":"^[a-z]+$","type":"string"},"part":{"anyOf":[{"$ref":"#/components/schemas/PartInput"},{"type":"null"}]},` +
			`"state":{"enum":["on","off",null],"type":["string","null"]},"tags":{"items":{"pattern":"^x","type":"string"},"minItems":1,"type":"array"}},"required":["name","tags"],"type":"object"}`,
		"PartInput": `{"properties":{"count":{"maximum":9,"minimum":1,"type":["integer","null"]}},"type":"object"}`,
		"Part":      `{"properties":{"count":{"maximum":9,"minimum":1,"type":"integer"}},"type":"object"}`,
	} {
		if got, _ := json.Marshal(document.Components.Schemas[name]); string(got) != want {
			t.Errorf("%s is\n%s, want\n%s", name, got, want)
		}
	}
}
