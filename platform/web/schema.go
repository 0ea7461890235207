package web

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"strings"
	"time"
	"unicode"

	"edict/platform/jsonio"
)

// Schema is a JSON Schema written by hand, for [Param], [Body] and [Answer].
type Schema map[string]any

// FreeObject is the schema of an object whose members may be anything. It says so: generators of typed clients take an object
// of which nothing is said for one that must be empty.
func FreeObject() Schema { return Schema{"type": "object", "additionalProperties": true} }

// Between is the schema of whole numbers within bounds.
func Between(least, most int) Schema {
	return Schema{"type": "integer", "minimum": least, "maximum": most}
}

// OneOf is the schema of a text that is one of several words.
func OneOf(words ...string) Schema { return Schema{"type": "string", "enum": words} }

// Matching is the schema of texts that match a regular expression, which JavaScript and RE2 have to read alike.
func Matching(pattern string) Schema { return Schema{"type": "string", "pattern": pattern} }

// ADate is the schema of an ISO 8601 date or date-time.
func ADate() Schema {
	return Schema{"type": "string", "anyOf": []Schema{{"format": "date"}, {"format": "date-time"}}}
}

const refPrefix = "#/components/schemas/"

// Ref is a schema that is told elsewhere: one of [Service.Schemas], by name. A schema may contain itself that way.
func Ref(name string) Schema { return Schema{"$ref": refPrefix + name} }

// JSONSchemer is implemented by types that describe their JSON themselves.
type JSONSchemer interface {
	JSONSchema() Schema
}

var (
	schemerType       = reflect.TypeFor[JSONSchemer]()
	marshalerType     = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
)

// schemas makes JSON Schemas from Go types and collects those of named structs, so that each is
// written once and referred to.
//
// A field is required unless it is a pointer or has omitempty or omitzero. In the body of a request such a field may also be null,
// which [jsonio] reads as absent. Tags add to what the type says: doc:"sentence", enum:"a,b", pattern:"regexp", and min:"1" and max:"9",
// which bound numbers, the length of texts and lists, or the members of objects; schema:"object" makes a field of any JSON an object whose members may be
// anything, schema:"object or null" one that may be null, schema:"list or null" a list of anything.
type schemas struct {
	named map[string]Schema
	order map[string][]string // the fields of each as they were declared, which JSON does not keep
	names map[directed]string
	in    bool // the type that is walked is read from requests
}

// directed is a type as requests or as answers have it.
type directed struct {
	reflect.Type
	in bool
}

func newSchemas() *schemas {
	return &schemas{named: map[string]Schema{}, order: map[string][]string{}, names: map[directed]string{}}
}

// add takes the schemas that a service has by name.
func (c *schemas) add(svc *service) error {
	for name, s := range svc.Schemas {
		if _, taken := c.named[name]; taken {
			return fmt.Errorf("service %s: the schema %q is there already", svc.Name, name)
		}
		c.named[name] = s
	}
	return nil
}

// namedSchemas returns the schemas that the services have by name. It fails if two have one name, or if one refers to none.
func (s *Server) namedSchemas() (*schemas, error) {
	types := newSchemas()
	for _, svc := range s.services {
		if err := types.add(svc); err != nil {
			return nil, fmt.Errorf("OpenAPI document: %w", err)
		}
	}
	text, err := json.Marshal(types.named)
	if err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	return types, types.complete(text)
}

// complete fails if something in a document refers to a schema that is not there.
func (c *schemas) complete(document []byte) error {
	var whole any
	if err := json.Unmarshal(document, &whole); err != nil {
		return fmt.Errorf("OpenAPI document: %w", err)
	}
	if name := c.dangling(whole); name != "" {
		return fmt.Errorf("OpenAPI document: no service has the schema %q that another refers to", name)
	}
	return nil
}

// dangling returns the name of a schema that is referred to below v and is not there, "" if there is none.
func (c *schemas) dangling(v any) string {
	switch v := v.(type) {
	case map[string]any:
		for _, child := range v {
			if name := c.dangling(child); name != "" {
				return name
			}
		}
		ref, _ := v["$ref"].(string)
		if name, ok := strings.CutPrefix(ref, refPrefix); ok && c.named[name] == nil {
			return name
		}
	case []any:
		for _, child := range v {
			if name := c.dangling(child); name != "" {
				return name
			}
		}
	}
	return ""
}

// of describes the type of v; a Schema describes itself.
func (c *schemas) of(v any) Schema {
	if s, ok := v.(Schema); ok {
		return s
	}
	if v == nil {
		return Schema{}
	}
	return c.ofType(reflect.TypeOf(v))
}

// ofBody describes the type of v as requests have it.
func (c *schemas) ofBody(v any) Schema {
	c.in = true
	defer func() { c.in = false }()
	return c.of(v)
}

func (c *schemas) ofType(t reflect.Type) Schema {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return Schema{}
	case t == reflect.TypeFor[json.Number]():
		return Schema{"type": "number"}
	case t == reflect.TypeFor[time.Time]():
		return Schema{"type": "string", "format": "date-time"}
	case t.Implements(schemerType) && t.Kind() != reflect.Interface:
		return reflect.Zero(t).Interface().(JSONSchemer).JSONSchema()
	case t.Kind() == reflect.Pointer:
		return nullable(c.ofType(t.Elem()))
	case t.Implements(marshalerType):
		return Schema{}
	case t.Implements(textMarshalerType):
		return Schema{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return Schema{"type": "boolean"}
	case reflect.String:
		return Schema{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return Schema{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Schema{"type": "integer"}
	case reflect.Slice, reflect.Array:
		return Schema{"type": "array", "items": c.ofType(t.Elem())}
	case reflect.Map:
		return Schema{"type": "object", "additionalProperties": c.ofType(t.Elem())}
	case reflect.Struct:
		return c.ofStruct(t)
	}
	return Schema{}
}

// nullable adds null to what a schema takes.
func nullable(s Schema) Schema {
	kind, single := s["type"].(string)
	_, several := s["type"].([]string)
	if len(s) == 0 || several {
		return s
	}
	if !single {
		return Schema{"anyOf": []Schema{s, {"type": "null"}}}
	}
	s = maps.Clone(s)
	s["type"] = []string{kind, "null"}
	if words, ok := s["enum"].([]string); ok {
		all := make([]any, 0, len(words)+1)
		for _, w := range words {
			all = append(all, w)
		}
		s["enum"] = append(all, nil)
	}
	return s
}

// ofStruct refers to the schema of a named struct, and writes that of an anonymous one in place.
func (c *schemas) ofStruct(t reflect.Type) Schema {
	if t.Name() == "" {
		anonymous, _ := c.object(t)
		return anonymous
	}
	name, known := c.names[directed{t, c.in}]
	if !known {
		name = c.free(t)
		c.names[directed{t, c.in}] = name
		c.named[name] = nil // taken before its fields are walked: a type may contain itself
		c.named[name], c.order[name] = c.object(t)
	}
	return Ref(name)
}

// free returns a name no other type has: the type's own, if need be with its package before it.
func (c *schemas) free(t reflect.Type) string {
	base := strings.NewReplacer("[", "_", "]", "", "*", "", "/", "_", ",", "_", "·", "_").Replace(t.Name())
	name := upperFirst(base)
	if _, answered := c.names[directed{t, false}]; answered && c.in {
		name += "Input"
	}
	if _, taken := c.named[name]; taken {
		name = upperFirst(path.Base(t.PkgPath())) + name
	}
	for n := 2; ; n++ {
		if _, taken := c.named[name]; !taken {
			return name
		}
		name = fmt.Sprintf("%s%d", upperFirst(base), n)
	}
}

func upperFirst(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

func (c *schemas) object(t reflect.Type) (s Schema, order []string) {
	properties, required := map[string]Schema{}, []string{}
	for _, field := range reflect.VisibleFields(t) {
		name, ok := jsonio.FieldName(field)
		if !ok {
			continue
		}
		properties[name] = c.field(field)
		order = append(order, name)
		_, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !strings.Contains(options, "omit") && field.Type.Kind() != reflect.Pointer {
			required = append(required, name)
		}
	}
	s = Schema{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s, order
}

func (c *schemas) field(field reflect.StructField) Schema {
	kind := field.Type
	for kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	s := maps.Clone(c.ofType(kind))
	switch field.Tag.Get("schema") {
	case "object":
		s = FreeObject()
	case "list or null":
		s = Schema{"type": []string{"array", "null"}, "items": Schema{}}
	case "seconds":
		s = Schema{"anyOf": []any{Schema{"type": "integer", "minimum": 0, "maximum": 3153600000}, Schema{"type": "string", "pattern": "^[0-9]{1,5}[smh]$"}, Schema{"type": "null"}}}
	case "object or null":
		s = FreeObject()
		s["type"] = []string{"object", "null"}
	}
	constrain(s, field.Tag)
	raw := kind == reflect.TypeFor[json.RawMessage]() // keeps a null as it is
	if field.Type != kind || c.in && !raw && strings.Contains(field.Tag.Get("json"), ",omit") {
		s = nullable(s)
	}
	if doc := field.Tag.Get("doc"); doc != "" {
		s["description"] = doc
	}
	return s
}

// bounds are the keywords that min and max stand for, by the type they bound.
var bounds = map[string][2]string{
	"integer": {"minimum", "maximum"}, "number": {"minimum", "maximum"},
	"string": {"minLength", "maxLength"}, "array": {"minItems", "maxItems"}, "object": {"minProperties", "maxProperties"},
}

// constrain adds the constraints of tags to the schema of a field.
func constrain(s Schema, tag reflect.StructTag) {
	if enum := tag.Get("enum"); enum != "" {
		s["enum"] = strings.Split(enum, ",")
	}
	kind, _ := s["type"].(string)
	if pattern := tag.Get("pattern"); pattern != "" && kind == "array" {
		s["items"] = Matching(pattern)
	} else if pattern != "" {
		s["pattern"] = pattern
	}
	for i, name := range [2]string{"min", "max"} {
		if bound := tag.Get(name); bound != "" {
			s[bounds[kind][i]] = json.Number(bound)
		}
	}
}
