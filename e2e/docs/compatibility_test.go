package docs_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"edict/e2e"
)

// TestAPIsStayCompatible holds what the server says of itself to what it said before: whatever a caller of an earlier version sends is taken and whatever it reads is
// there, in the same type. What is new is taken up with -update when a version is made; what was there has to stay, and a line that must go is taken
// out by hand.
func TestAPIsStayCompatible(t *testing.T) {
	const file = "testdata/kept-0.1.txt"
	var document map[string]any
	if err := json.Unmarshal(e2e.Fetch(t, http.MethodGet, e2e.WithWatches(e2e.Start)(t, e2e.Options{}).URL+"/openapi.json", ""), &document); err != nil {
		t.Fatal(err)
	}
	now := promises(document)
	text, err := os.ReadFile(file)
	if err != nil && !e2e.Update() { // nothing is kept by a file that is not there
		t.Fatal(err)
	}
	before := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	for _, b := range breaks(before, now) {
		t.Error(b)
	}
	if e2e.Update() && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBreakingChangesAreFound: what would break a caller is told from what is merely new.
func TestBreakingChangesAreFound(t *testing.T) {
	const before = `{"paths": {"/a": {"post": {
		"parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
		"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/In"}}}},
		"responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {"properties": {"n": {"type": "integer"}}}}}}}, "400": {}}}}},
		"components": {"schemas": {"In": {"type": "object", "properties": {"kind": {"type": "string", "enum": ["x", "y"]}, "in": {"$ref": "#/components/schemas/In"}}}}}}`
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"/a"`, `"/b": {"get": {"parameters": [{"name": "q", "in": "query", "required": true, "schema": {}}], "responses": {}}}, "/a"`, ""},
		{`"n": {`, `"more": {"type": "string"}, "n": {`, ""},
		{`"kind": {`, `"more": {"type": "string"}, "kind": {`, ""},
		{`"y"`, `"y", "z"`, ""},
		{`"type": "integer"}}],`, `"type": ["integer", "null"]}}],`, ""},
		{`"n": {"type": "integer"}`, `"n": {"type": ["integer", "null"]}`, "is gone: POST /a > 200 []n integer"},
		{`"/a"`, `"/b"`, "is gone: POST /a"},
		{`"limit"`, `"most"`, "is gone: POST /a ? query limit integer"},
		{`"n": {"type": "integer"}`, `"n": {"type": "string"}`, "is gone: POST /a > 200 []n integer"},
		{`"n"`, `"m"`, "is gone: POST /a > 200 []n integer"},
		{`"y"`, `"z"`, "is gone: POST /a < kind = y"},
		{`"type": "object",`, `"type": "object", "required": ["kind"],`, "is asked for: POST /a < kind required"},
		{`"in": "query",`, `"in": "query", "required": true,`, "is asked for: POST /a ? query limit required"},
	} {
		var one, two map[string]any
		for text, into := range map[string]*map[string]any{before: &one, strings.Replace(before, c.old, c.new, 1): &two} {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		if two == nil {
			two = one
		}
		found := breaks(promises(one), promises(two))
		if c.want == "" && len(found) > 0 || c.want != "" && !slices.Contains(found, c.want) {
			t.Errorf("%s for %s: found %q, want %q", c.new, c.old, found, c.want)
		}
	}
}

// breaks says what was promised before and is not now, and what callers did not have to send and have to.
func breaks(before, now []string) (found []string) {
	for _, line := range before {
		if !slices.Contains(now, line) && !strings.HasSuffix(line, " required") {
			found = append(found, "is gone: "+line)
		}
	}
	for _, line := range now {
		words := strings.Fields(line)
		if words[len(words)-1] == "required" && !slices.Contains(before, line) && slices.Contains(before, words[0]+" "+words[1]) {
			found = append(found, "is asked for: "+line)
		}
	}
	return found
}

// promises lists what a document lets callers send and read, one thing in a line: operations, "?" parameters, "<" bodies, ">" what succeeds.
func promises(document map[string]any) []string {
	w := promiseWriter{document: document, lines: map[string]bool{}}
	for path, methods := range fields(document["paths"]) {
		for method, o := range fields(methods) {
			own := strings.HasPrefix(path, "/console") || strings.HasPrefix(path, "/docs") // pages that the program brings itself
			if operation := fields(o); operation["responses"] != nil && !own {
				w.operation(strings.ToUpper(method)+" "+path, operation)
			}
		}
	}
	return slices.Sorted(maps.Keys(w.lines))
}

type promiseWriter struct {
	document map[string]any
	lines    map[string]bool
}

func (w *promiseWriter) operation(name string, o map[string]any) {
	w.lines[name] = true
	parameters, _ := o["parameters"].([]any)
	for _, p := range parameters {
		p := w.resolve(fields(p))
		place := fmt.Sprint(name, " ? ", p["in"], " ", p["name"])
		w.schema(place, fields(p["schema"]), nil)
		if p["required"] == true {
			w.lines[place+" required"] = true
		}
	}
	for _, c := range fields(w.resolve(fields(o["requestBody"]))["content"]) {
		w.schema(name+" < ", fields(fields(c)["schema"]), nil)
	}
	for status, answer := range fields(o["responses"]) {
		if status >= "4" { // errors have one shape
			continue
		}
		for _, c := range fields(w.resolve(fields(answer))["content"]) {
			w.schema(name+" > "+status+" ", fields(fields(c)["schema"]), nil)
		}
	}
}

// schema writes the types below a place. Schemas that contain themselves are written down to where they begin anew.
func (w *promiseWriter) schema(place string, s map[string]any, above []string) {
	if len(s) == 0 {
		return
	}
	if ref, ok := s["$ref"].(string); ok {
		if slices.Contains(above, ref) {
			return
		}
		above = append(slices.Clone(above), ref)
		s = w.resolve(s)
	}
	sent := !strings.Contains(place, " > ") // what is answered may have more
	types, several := s["type"].([]any)
	if !several || !sent { // null in an answer breaks its readers, null in a request is one more way to write it
		types = []any{s["type"]}
	}
	for _, t := range types {
		if t != nil {
			w.lines[fmt.Sprint(place, " ", t)] = true
		}
	}
	values, _ := s["enum"].([]any)
	for _, v := range values {
		if sent {
			w.lines[fmt.Sprint(place, " = ", v)] = true
		}
	}
	dot := "."
	if strings.HasSuffix(place, " ") || strings.HasSuffix(place, "]") {
		dot = ""
	}
	for name, p := range fields(s["properties"]) {
		w.schema(place+dot+name, fields(p), above)
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if sent {
			w.lines[fmt.Sprint(place, dot, name, " required")] = true
		}
	}
	w.schema(place+"[]", fields(s["items"]), above)
	w.schema(place+".*", fields(s["additionalProperties"]), above)
	for _, how := range []string{"allOf", "anyOf", "oneOf"} {
		all, _ := s[how].([]any)
		for _, one := range all {
			w.schema(place, fields(one), above)
		}
	}
}

// resolve follows the reference of an object, if it has one.
func (w *promiseWriter) resolve(s map[string]any) map[string]any {
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	at := w.document
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		at = fields(at[name])
	}
	return w.resolve(at)
}

func fields(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}
