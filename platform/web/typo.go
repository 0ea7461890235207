package web

// Names that are nearly right. A client of a later version may send fields and parameters that this one does not know, so
// those are ignored; but one that was meant and is misspelt must not be: "publishPermision" would open a channel to all.
// What is known comes from the table of routes: the parameters of a route's documentation, the fields of its body's type.

import (
	"cmp"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"edict/platform/fault"
	"edict/platform/jsonio"
	"edict/platform/nearest"
)

// maxUnknown is how many unknown names of one request are looked at: a caller that sends more made no typing error.
const maxUnknown = 100

// name collects the names that a route knows.
func (ep *endpoint) name() {
	for _, p := range ep.Doc.Params {
		if cmp.Or(p.In, "query") == "query" {
			ep.query = append(ep.query, p.Name)
		}
	}
	if ep.consume != formContentType {
		return
	}
	form := reflect.TypeOf(ep.Doc.Body.Type)
	if form == nil || form.Kind() != reflect.Struct {
		return // a Schema, which may say anything
	}
	for _, field := range reflect.VisibleFields(form) {
		if name, ok := jsonio.FieldName(field); ok {
			ep.fields = append(ep.fields, name)
		}
	}
}

// typo refuses a name that is unknown and nearly a known one, where the service wants that; what says whose name it is: "query parameter".
func (ep *endpoint) typo(what, name string, known []string) error {
	if !ep.service.RefuseTypos {
		return nil
	}
	if near := nearest.Typo(name, slices.Values(known)); near != "" {
		return fault.New(fault.Invalid, "there is no %s %q: did you mean %q?", what, name, near)
	}
	return nil
}

// checkQuery refuses typing errors in the names of query parameters. Known names cost a comparison each; what cannot be decoded is
// left to the handler, which reads the values too.
func (ep *endpoint) checkQuery(r *http.Request) error {
	unknown := 0
	for rest := r.URL.RawQuery; rest != "" && unknown < maxUnknown; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		name, _, _ := strings.Cut(pair, "=")
		if slices.Contains(ep.query, name) {
			continue
		}
		unknown++
		name, err := url.QueryUnescape(name)
		if err != nil {
			continue
		}
		if err := ep.typo("query parameter", name, ep.query); err != nil {
			return err
		}
	}
	return nil
}

// checkForm refuses typing errors in the names of a form.
func (ep *endpoint) checkForm(values url.Values) error {
	unknown := 0
	for name := range values {
		if slices.Contains(ep.fields, name) {
			continue
		}
		if unknown++; unknown > maxUnknown {
			return nil
		}
		if err := ep.typo("parameter", name, ep.fields); err != nil {
			return err
		}
	}
	return nil
}

// nearestPath returns the path of the table that a path which does not exist is a mistyped form of, "" when there is none. Parameters
// stand for whatever the path has in their place.
func (s *Server) nearestPath(path string) string {
	path = strings.TrimSuffix(path, "/")
	segments := strings.Split(path, "/")
	return nearest.Typo(path, func(yield func(string) bool) {
		for _, ep := range s.endpoints {
			if candidate, ok := filled(ep.Path, segments); ok && !yield(candidate) {
				return
			}
		}
	})
}

// filled puts the segments of a path in place of the parameters of a pattern with as many.
func filled(pattern string, segments []string) (string, bool) {
	parts := strings.Split(strings.TrimSuffix(pattern, "/{$}"), "/")
	if len(parts) != len(segments) {
		return "", false
	}
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = segments[i]
		}
	}
	return strings.Join(parts, "/"), true
}
