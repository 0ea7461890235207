package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// object is a JSON object of the OpenAPI document. It is written with its keys in order, so the same
// table always gives the same text.
type object = map[string]any

// openAPI makes the OpenAPI 3.1 document of the table.
func (s *Server) openAPI(types *schemas) ([]byte, error) {
	paths, responses, tags := map[string]object{}, object{}, []object{}
	for _, svc := range s.services {
		tags = append(tags, object{"name": svc.Name, "description": svc.Description})
		responses[svc.Name+"Error"] = answer(types, Answer{Description: "The error.", Example: svc.ErrorExample})
	}
	for _, ep := range s.endpoints {
		p := openAPIPath(ep.Path)
		if paths[p] == nil {
			paths[p] = object{}
		}
		paths[p][strings.ToLower(ep.Method)] = operation(types, ep)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(object{
		"openapi": "3.1.0",
		"info":    object{"title": s.opts.Title, "version": s.opts.Version, "description": s.opts.Description},
		"tags":    tags,
		"paths":   paths,
		"components": object{
			"schemas":         types.named,
			"responses":       responses,
			"securitySchemes": s.securitySchemes(),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	if err := types.complete(text.Bytes()); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

func (s *Server) securitySchemes() object {
	return object{
		"bearer": object{"type": "http", "scheme": "bearer", "description": strings.TrimSpace("An access token in the Authorization header. " + s.opts.Tokens)},
		"ticket": object{"type": "apiKey", "in": "query", "name": "ticket", "description": "A ticket for streams, for browsers."},
	}
}

func security(ep *endpoint) []object {
	bearer := object{"bearer": []string{}}
	switch {
	case ep.Policy.Access == NoCaller:
		return []object{}
	case ep.Policy.Access == OptionalCaller:
		return []object{{}, bearer}
	case ep.Tickets:
		return []object{bearer, {"ticket": []string{}}}
	}
	return []object{bearer}
}

func operation(types *schemas, ep *endpoint) object {
	op := object{
		"operationId": ep.Doc.ID,
		"tags":        []string{ep.service.Name},
		"summary":     ep.Doc.Summary,
		"description": ep.Doc.Description,
		"security":    security(ep),
		"responses":   answers(types, ep),
		"x-policy":    ep.Policy.Name,
	}
	if ep.Doc.Deprecated {
		op["deprecated"] = true
	}
	if params := parameters(types, ep.Route); len(params) > 0 {
		op["parameters"] = params
	}
	if b := ep.Doc.Body; b != nil {
		op["requestBody"] = object{"required": !b.Optional, "content": object{ep.consume: bodyMedia(types, b, ep.consume)}}
	}
	return op
}

// bodyMedia is a body with its schema and its example, or its examples by name.
func bodyMedia(types *schemas, b *Body, contentType string) object {
	media := object{"schema": types.ofBody(cmpType(b.Type, b.Example))}
	first := bodyExample(contentType, b.Example)
	if len(b.More) == 0 {
		media["example"] = first
		return media
	}
	all := object{"first": object{"value": first}}
	for _, e := range b.More {
		all[e.Name] = object{"summary": e.Summary, "value": e.Value}
	}
	media["examples"] = all
	return media
}

// cmpType is the given type, or what the example shows when there is none.
func cmpType(declared, example any) any {
	if declared != nil {
		return declared
	}
	return example
}

func answers(types *schemas, ep *endpoint) object {
	all := object{"default": object{"$ref": "#/components/responses/" + ep.service.Name + "Error"}}
	for _, a := range ep.Doc.Answers {
		code := strconv.Itoa(a.Status)
		next := answer(types, a)
		if before, twice := all[code].(object); twice {
			next = merged(before, next)
		}
		all[code] = next
	}
	return all
}

func answer(types *schemas, a Answer) object {
	out := object{"description": cmp.Or(a.Description, http.StatusText(a.Status))}
	kind := cmpType(a.Type, a.Example)
	if kind == nil || a.Empty || bodiless(a.Status) && a.Status != 0 {
		return out
	}
	media := object{"schema": types.of(kind)}
	if a.Example != nil {
		media["example"] = a.Example
	}
	out["content"] = object{cmp.Or(a.ContentType, jsonContentType): media}
	return out
}

// merged joins two answers of one status: both descriptions, both content types; of two bodies with
// the same content type both schemas, and the example of the first.
func merged(a, b object) object {
	content := object{}
	for _, from := range []object{b, a} {
		c, _ := from["content"].(object)
		for kind, media := range c {
			if other, twice := content[kind].(object); twice {
				media = either(media.(object), other)
			}
			content[kind] = media
		}
	}
	out := object{"description": fmt.Sprintf("%s; or %s", a["description"], b["description"])}
	if len(content) > 0 {
		out["content"] = content
	}
	return out
}

func either(first, second object) object {
	if reflect.DeepEqual(first["schema"], second["schema"]) {
		return first
	}
	both := maps.Clone(first)
	both["schema"] = Schema{"anyOf": []any{first["schema"], second["schema"]}}
	return both
}

var wildcard = regexp.MustCompile(`\{([^{}$.]+)(\.\.\.)?\}`)

// openAPIPath writes a mux pattern as OpenAPI does: {rest...} is {rest}, the end mark {$} is nothing.
func openAPIPath(pattern string) string {
	return wildcard.ReplaceAllString(strings.TrimSuffix(pattern, "{$}"), "{$1}")
}

// allParams are the documented parameters, after those of the path that the documentation left out.
func allParams(r *Route) []Param {
	var params []Param
	for _, m := range wildcard.FindAllStringSubmatch(r.Path, -1) {
		listed := false
		for _, p := range r.Doc.Params {
			listed = listed || p.In == "path" && p.Name == m[1]
		}
		if !listed {
			params = append(params, Param{Name: m[1], In: "path"})
		}
	}
	return append(params, r.Doc.Params...)
}

func parameters(types *schemas, r *Route) []object {
	var list []object
	for _, p := range allParams(r) {
		in := cmp.Or(p.In, "query")
		o := object{"name": p.Name, "in": in, "required": p.Required || in == "path", "schema": types.of(cmpType(p.Type, ""))}
		if p.Description != "" {
			o["description"] = p.Description
		}
		if p.Example != nil {
			o["example"] = p.Example
		}
		list = append(list, o)
	}
	return list
}

// operationID names a route that did not name itself: "get_a_b" for GET /a/{b}.
func operationID(r *Route) string {
	words := strings.FieldsFunc(r.Path, func(c rune) bool { return strings.ContainsRune("/{}.$", c) })
	return strings.Join(append([]string{strings.ToLower(r.Method)}, words...), "_")
}
