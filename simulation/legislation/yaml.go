package legislation

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"edict/simulation/vector"

	"go.yaml.in/yaml/v3"
)

const (
	maxYAMLBytes = 32 << 20
	// maxYAMLNodes bounds what aliases can make of a small file.
	maxYAMLNodes = 1 << 20
	maxYAMLDepth = 200
)

var yamlErrorLine = regexp.MustCompile(`line (\d+)`)

// ParseYAML reads one YAML document as PyYAML would, with dates kept as text and duplicate keys refused.
// The file name only serves the problems it returns, as a [Problem] with the line. An empty document is null.
func ParseYAML(file string, text []byte) (Data, error) { return parseYAML(file, string(text)) }

func parseYAML(file, text string) (Data, error) {
	if len(text) > maxYAMLBytes {
		return Data{}, Problem{file, 0, fmt.Sprintf("the file has %d bytes, more than the %d that are read", len(text), maxYAMLBytes)}
	}
	if d, ok := fastYAML(text); ok {
		return d, nil
	}
	return fullYAML(file, []byte(text))
}

func fullYAML(file string, text []byte) (Data, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return Data{}, yamlProblem(file, err)
	}
	if doc.Kind == 0 {
		return Data{}, nil
	}
	r := yamlReader{file: file, budget: maxYAMLNodes}
	if n := (yamlCounter{}).tooLarge(&doc); n != nil {
		return Data{}, r.problem(n, "aliases make this document larger than %d values", maxYAMLNodes)
	}
	return r.read(doc.Content[0], 0)
}

// yamlCounter counts the values of nodes with anchors, aliases followed, before anything is made of them: a few lines of
// aliases of aliases stand for more values than there is memory. What contains itself is without end.
type yamlCounter map[*yaml.Node]int

// tooLarge finds the smallest node that has more values than a document may have, nil if the document has not.
func (c yamlCounter) tooLarge(n *yaml.Node) *yaml.Node {
	if c.count(n) <= maxYAMLNodes {
		return nil
	}
	for _, child := range n.Content {
		if found := c.tooLarge(child); found != nil {
			return found
		}
	}
	return n
}

func (c yamlCounter) count(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Anchor != "" {
		if known, ok := c[n]; ok {
			return known
		}
		c[n] = maxYAMLNodes + 1 // until it is counted: an alias within it is one of itself
	}
	sum := 1
	for _, child := range n.Content {
		if sum = min(sum+c.count(child), maxYAMLNodes+1); sum > maxYAMLNodes {
			break
		}
	}
	if n.Anchor != "" {
		c[n] = sum
	}
	return sum
}

func yamlProblem(file string, err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if m := yamlErrorLine.FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = strings.TrimPrefix(msg, m[0]+": ")
	}
	return Problem{file, line, "this is not YAML: " + msg}
}

type yamlReader struct {
	file   string
	budget int
}

func (r *yamlReader) problem(n *yaml.Node, format string, args ...any) error {
	return Problem{r.file, n.Line, fmt.Sprintf(format, args...)}
}

func (r *yamlReader) read(n *yaml.Node, depth int) (Data, error) {
	r.budget--
	if r.budget < 0 {
		return Data{}, r.problem(n, "aliases make this document larger than %d values", maxYAMLNodes)
	}
	if depth > maxYAMLDepth {
		return Data{}, r.problem(n, "this is nested more than %d levels deep", maxYAMLDepth)
	}
	var d Data
	var err error
	switch n.Kind {
	case yaml.AliasNode:
		d, err = r.read(n.Alias, depth+1)
	case yaml.ScalarNode:
		d, err = r.scalar(n)
	case yaml.SequenceNode:
		d, err = r.sequence(n, depth)
	case yaml.MappingNode:
		d, err = r.mapping(n, depth)
	}
	d.Line = int32(n.Line)
	return d, err
}

func (r *yamlReader) scalar(n *yaml.Node) (Data, error) {
	tag := n.Tag
	if n.Style&yaml.TaggedStyle == 0 {
		if n.Style == 0 {
			d, err := resolvePlain(n.Value)
			if err != nil {
				return d, r.problem(n, "%s", err)
			}
			return d, nil
		}
		return DataOf(vector.PyStr(n.Value)), nil
	}
	d, err := resolvePlain(n.Value)
	switch {
	case tag == "!!str":
		return DataOf(vector.PyStr(n.Value)), nil
	case err != nil:
		return d, r.problem(n, "%s", err)
	case tag == "!!float" && d.Kind == Scalar && d.Scalar.Type() == vector.Int64:
		return DataOf(vector.PyFloat(float64(d.Scalar.Int(0)))), nil
	case tag == "!!int" && d.Kind == Scalar && d.Scalar.Type() == vector.Int64,
		tag == "!!float" && d.Kind == Scalar && d.Scalar.Type() == vector.Float64,
		tag == "!!bool" && d.Kind == Scalar && d.Scalar.Type() == vector.Bool,
		tag == "!!null" && d.Kind == Null:
		return d, nil
	}
	return d, r.problem(n, "the tag %s does not fit the value '%s'", tag, n.Value)
}

func (r *yamlReader) sequence(n *yaml.Node, depth int) (Data, error) {
	d := Data{Kind: List, List: make([]Data, 0, len(n.Content))}
	for _, item := range n.Content {
		v, err := r.read(item, depth+1)
		if err != nil {
			return d, err
		}
		d.List = append(d.List, v)
	}
	return d, nil
}

func (r *yamlReader) mapping(n *yaml.Node, depth int) (Data, error) {
	d := Data{Kind: Mapping, Map: NewOrdered[Data]()}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Value == "<<" && key.Kind == yaml.ScalarNode && key.Style == 0 {
			if err := r.merge(d.Map, n.Content[i+1], depth); err != nil {
				return d, err
			}
		}
	}
	own := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return d, r.problem(key, "a key must be a text or a number")
		}
		if key.Value == "<<" && key.Style == 0 {
			continue
		}
		if own[key.Value] {
			return d, r.problem(key, "the key '%s' occurs twice", key.Value)
		}
		own[key.Value] = true
		name, err := r.keyText(key)
		if err != nil {
			return d, err
		}
		v, err := r.read(n.Content[i+1], depth+1)
		if err != nil {
			return d, err
		}
		d.Map.Set(name, v)
	}
	return d, nil
}

// merge takes over the keys of the mappings that a << key refers to; keys of the mapping itself come later and win,
// as do those of earlier mappings in a list.
func (r *yamlReader) merge(into *Ordered[Data], n *yaml.Node, depth int) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	sources := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		sources = n.Content
	}
	for _, s := range sources {
		d, err := r.read(s, depth+1)
		if err != nil {
			return err
		}
		if d.Kind != Mapping {
			return r.problem(s, "a << key needs a mapping, or a list of mappings")
		}
		for k, v := range d.Map.All() {
			if _, known := into.Get(k); !known {
				into.Set(k, v)
			}
		}
	}
	return nil
}

// keyText gives the name that a key is known by: Python's str() of what the key means.
func (r *yamlReader) keyText(key *yaml.Node) (string, error) {
	d, err := r.scalar(key)
	if err != nil {
		var p Problem
		if errors.As(err, &p) && key.Style == 0 {
			return key.Value, nil
		}
		return "", err
	}
	if d.Kind == Null {
		return "None", nil
	}
	return d.Scalar.Format(0), nil
}
