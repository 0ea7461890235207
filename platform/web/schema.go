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
// A field is required unless it is a pointer or has omitempty or omitzero. Two tags add to what the
// type says: doc:"sentence" and enum:"a,b"; schema:"object" makes a field of any JSON an object whose members may be anything,
// schema:"object or null" one that may be null.
type schemas struct {
	named map[string]Schema
	order map[string][]string // the fields of each as they were declared, which JSON does not keep
	names map[reflect.Type]string
}

func newSchemas() *schemas {
	return &schemas{named: map[string]Schema{}, order: map[string][]string{}, names: map[reflect.Type]string{}}
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

func nullable(s Schema) Schema {
	if kind, ok := s["type"].(string); ok && len(s) == 1 {
		return Schema{"type": []string{kind, "null"}}
	}
	if len(s) == 0 {
		return s
	}
	return Schema{"anyOf": []Schema{s, {"type": "null"}}}
}

// ofStruct refers to the schema of a named struct, and writes that of an anonymous one in place.
func (c *schemas) ofStruct(t reflect.Type) Schema {
	if t.Name() == "" {
		anonymous, _ := c.object(t)
		return anonymous
	}
	name, known := c.names[t]
	if !known {
		name = c.free(t)
		c.names[t] = name
		c.named[name] = nil // taken before its fields are walked: a type may contain itself
		c.named[name], c.order[name] = c.object(t)
	}
	return Ref(name)
}

// free returns a name no other type has: the type's own, if need be with its package before it.
func (c *schemas) free(t reflect.Type) string {
	base := strings.NewReplacer("[", "_", "]", "", "*", "", "/", "_", ",", "_", "·", "_").Replace(t.Name())
	name := upperFirst(base)
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
	s := c.ofType(field.Type)
	switch field.Tag.Get("schema") {
	case "object":
		s = FreeObject()
	case "object or null":
		s = FreeObject()
		s["type"] = []string{"object", "null"}
	}
	doc, enum := field.Tag.Get("doc"), field.Tag.Get("enum")
	if doc == "" && enum == "" {
		return s
	}
	with := Schema{}
	maps.Copy(with, s)
	if doc != "" {
		with["description"] = doc
	}
	if enum != "" {
		with["enum"] = strings.Split(enum, ",")
	}
	return with
}
