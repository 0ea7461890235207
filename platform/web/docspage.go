package web

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
)

//go:embed docs
var docsFiles embed.FS

// documents are the OpenAPI document and the pages of the documentation.
type documents struct {
	openapi, home *Asset
	docs          map[string]*Asset // by name; "" is the page
}

// document renders the documents. That takes 20 ms of CPU time, so the first request for one of them pays for it, not the start.
func (s *Server) document() (*documents, error) {
	types, err := s.namedSchemas()
	if err != nil {
		return nil, err
	}
	text, err := s.openAPI(types)
	if err != nil {
		return nil, err
	}
	d := &documents{openapi: NewAsset(jsonHeader[0], text), docs: map[string]*Asset{}}
	for name, contentType := range map[string]string{"docs.css": "text/css; charset=utf-8", "home.css": "text/css; charset=utf-8", "docs.js": "text/javascript; charset=utf-8", "try.js": "text/javascript; charset=utf-8"} {
		body, err := docsFiles.ReadFile("docs/" + name)
		if err != nil {
			return nil, err
		}
		d.docs[name] = NewAsset(contentType, body)
	}
	view := s.docsView(types)
	if d.docs[""], err = htmlPage("docs/docs.html", view); err != nil {
		return nil, err
	}
	d.home, err = htmlPage("docs/home.html", view)
	return d, err
}

func htmlPage(file string, view docsView) (*Asset, error) {
	tmpl, err := template.ParseFS(docsFiles, file)
	if err != nil {
		return nil, err
	}
	var html bytes.Buffer
	if err := tmpl.Execute(&html, view); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return NewAsset("text/html; charset=utf-8", html.Bytes()), nil
}

// paragraphs cuts a text at its empty lines.
func paragraphs(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n\n")
}

// What the template shows.
type (
	docsView struct {
		Title, Version, Description string
		Token                       []string // paragraphs: how a caller gets one
		Services                    []docsService
	}
	docsService struct {
		Name, Title, Description string
		Routes                   []docsRoute
		Error                    string
	}
	docsRoute struct {
		ID, Method, Path, Summary string
		Description               []string // paragraphs
		Policy                    Policy
		Stream, Deprecated        bool
		Params                    []docsParam
		Body                      *docsContent
		Answers                   []docsContent
		Curl                      string
	}
	docsParam struct {
		Param
		In, Type, Example string
		Required          bool
	}
	docsContent struct {
		Status      int
		Description string
		ContentType string
		Fields      []docsField
		Example     string
		More        []docsExample
	}
	docsExample struct{ Summary, Text string }
	docsField   struct {
		Name, Type, Doc string
		Required        bool
	}
)

func (s *Server) docsView(types *schemas) docsView {
	view := docsView{Title: s.opts.Title, Version: s.opts.Version, Description: s.opts.Description, Token: paragraphs(s.opts.Tokens)}
	for _, svc := range s.services {
		shown := docsService{Name: svc.Name, Title: svc.Title, Description: svc.Description, Error: exampleText(svc.ErrorExample)}
		for _, ep := range s.endpoints {
			if ep.service == svc {
				shown.Routes = append(shown.Routes, viewRoute(types, ep))
			}
		}
		view.Services = append(view.Services, shown)
	}
	return view
}

func viewRoute(types *schemas, ep *endpoint) docsRoute {
	v := docsRoute{
		ID: ep.Doc.ID, Method: ep.Method, Path: openAPIPath(ep.Path), Summary: ep.Doc.Summary,
		Description: paragraphs(ep.Doc.Description), Policy: ep.Policy, Stream: ep.Stream, Deprecated: ep.Doc.Deprecated, Curl: curl(ep),
	}
	for _, p := range allParams(ep.Route) {
		in := cmp.Or(p.In, "query")
		v.Params = append(v.Params, docsParam{
			Param: p, In: in, Type: types.inWords(types.of(cmpType(p.Type, ""))), Example: exampleText(p.Example), Required: p.Required || in == "path",
		})
	}
	if b := ep.Doc.Body; b != nil {
		v.Body = &docsContent{ContentType: ep.consume, Fields: fieldsOf(types, types.ofBody(cmpType(b.Type, b.Example))), Example: exampleText(b.Example)}
		for _, e := range b.More {
			v.Body.More = append(v.Body.More, docsExample{Summary: e.Summary, Text: exampleText(e.Value)})
		}
	}
	for _, a := range ep.Doc.Answers {
		c := docsContent{Status: a.Status, Description: cmp.Or(a.Description, http.StatusText(a.Status)), Example: exampleText(a.Example)}
		if kind := cmpType(a.Type, a.Example); kind != nil {
			c.ContentType = cmp.Or(a.ContentType, jsonContentType)
			c.Fields = fieldsOf(types, types.of(kind))
		}
		v.Answers = append(v.Answers, c)
	}
	return v
}

// maxDocsDepth is how deep the fields of an object are listed; a type that contains itself is listed once on each way down.
const maxDocsDepth = 6

// fieldsOf lists the fields of a schema to their full depth: "scenarios[].axes" is a field of the objects in a list.
func fieldsOf(types *schemas, s Schema) []docsField {
	w := fieldWalk{types: types}
	w.walk("", s, nil)
	return w.fields
}

type fieldWalk struct {
	types  *schemas
	fields []docsField
}

// walk lists what lies below a field; above are the named types on the way to it.
func (w *fieldWalk) walk(prefix string, s Schema, above []string) {
	var order []string
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, refPrefix)
		if slices.Contains(above, name) {
			return
		}
		above = append(slices.Clip(above), name)
		s, order = w.types.named[name], w.types.order[name]
	}
	if strings.Count(prefix, ".") >= maxDocsDepth {
		return
	}
	if items, ok := s["items"].(Schema); ok {
		w.walk(prefix+"[]", items, above)
	}
	if all, ok := s["anyOf"].([]Schema); ok {
		for _, one := range all {
			w.walk(prefix, one, above)
		}
	}
	if values, ok := s["additionalProperties"].(Schema); ok {
		w.walk(strings.TrimPrefix(prefix+".<name>", "."), values, above)
	}
	properties, _ := s["properties"].(map[string]Schema)
	required, _ := s["required"].([]string)
	if order == nil {
		order = slices.Sorted(maps.Keys(properties))
	}
	for _, name := range order {
		p := properties[name]
		doc, _ := p["description"].(string)
		path := strings.TrimPrefix(prefix+"."+name, ".")
		w.fields = append(w.fields, docsField{Name: path, Type: w.types.inWords(p), Doc: doc, Required: slices.Contains(required, name)})
		w.walk(path, p, above)
	}
}

// inWords is a type for people: "list of object" rather than the name of a schema, whose fields follow.
func (c *schemas) inWords(s Schema) string {
	if ref, ok := s["$ref"].(string); ok {
		return c.inWords(c.named[strings.TrimPrefix(ref, refPrefix)])
	}
	if all, ok := s["anyOf"].([]Schema); ok {
		words := make([]string, len(all))
		for i, one := range all {
			words[i] = c.inWords(one)
		}
		return strings.Join(words, " or ")
	}
	switch kind := s["type"].(type) {
	case []string:
		return strings.Join(kind, " or ")
	case string:
		items, _ := s["items"].(Schema)
		if kind == "array" {
			return "list of " + c.inWords(items)
		}
		return kind
	}
	return "any"
}

func exampleText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []FormPart:
		return formText(v)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err.Error() // openAPI has refused it before
	}
	return strings.TrimSpace(b.String())
}

// curlBody is how curl sends the body of the example.
func curlBody(contentType string, example any) string {
	text, ok := example.(string)
	if parts, isForm := example.([]FormPart); isForm {
		return curlForm(parts)
	} else if !ok {
		compact, err := json.Marshal(example)
		if err != nil {
			return "" // openAPI has refused it before
		}
		text = string(compact)
	}
	return fmt.Sprintf("-H 'Content-Type: %s' -d '%s' ", contentType, strings.ReplaceAll(text, "'", `'\''`))
}

// curl is a command line that makes the request of the example; the script fills in the host.
func curl(ep *endpoint) string {
	var b strings.Builder
	b.WriteString("curl ")
	if ep.Method != http.MethodGet {
		b.WriteString("-X " + ep.Method + " ")
	}
	if ep.Policy.Access == RequiredCaller {
		b.WriteString(`-H "Authorization: Bearer $TOKEN" `)
	}
	if body := ep.Doc.Body; body != nil {
		b.WriteString(curlBody(ep.consume, body.Example))
	}
	b.WriteString(`"$EDICT` + openAPIPath(ep.Path) + `"`)
	return b.String()
}
