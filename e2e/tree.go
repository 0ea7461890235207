package e2e

// This file holds JSON as a tree that remembers the order of keys, so that -update writes answers as they came.

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// node is a JSON value: *object, *list, string, json.Number, bool or nil.
type node any

type object struct{ members []member }

type member struct {
	key   string
	value node
}

func (o *object) get(key string) (node, bool) {
	for _, m := range o.members {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}

type list struct{ items []node }

// parseTree reads one JSON value and nothing after it.
func parseTree(text []byte) (node, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON value")
	}
	return n, nil
}

func readNode(d *json.Decoder) (node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := &object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := readNode(d)
			if err != nil {
				return nil, err
			}
			o.members = append(o.members, member{key.(string), value})
		}
		_, err := d.Token()
		return o, err
	case json.Delim('['):
		l := &list{}
		for d.More() {
			item, err := readNode(d)
			if err != nil {
				return nil, err
			}
			l.items = append(l.items, item)
		}
		_, err := d.Token()
		return l, err
	}
	return token, nil
}

// lineWidth is how long an object or a list may be on one line.
const lineWidth = 100

// format writes a value as JSON, short things on one line.
func format(n node, indent string) string {
	flat := flatten(n)
	if len(indent)+len(flat) <= lineWidth {
		return flat
	}
	var b strings.Builder
	inner := indent + "  "
	switch n := n.(type) {
	case *object:
		b.WriteString("{\n")
		for i, m := range n.members {
			b.WriteString(inner + flatten(m.key) + ": " + format(m.value, inner) + comma(i, len(n.members)) + "\n")
		}
		b.WriteString(indent + "}")
	case *list:
		b.WriteString("[\n")
		for i, item := range n.items {
			b.WriteString(inner + format(item, inner) + comma(i, len(n.items)) + "\n")
		}
		b.WriteString(indent + "]")
	default:
		return flat
	}
	return b.String()
}

func flatten(n node) string {
	var parts []string
	switch n := n.(type) {
	case *object:
		for _, m := range n.members {
			parts = append(parts, flatten(m.key)+": "+flatten(m.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case *list:
		for _, item := range n.items {
			parts = append(parts, flatten(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(n); err != nil {
		panic(err) // strings, numbers, booleans and nil always encode
	}
	return strings.TrimSpace(b.String())
}

func comma(i, n int) string {
	if i < n-1 {
		return ","
	}
	return ""
}
