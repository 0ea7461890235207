package decomposition

import (
	"fmt"
	"slices"

	"edict/simulation/legislation"
)

// A file may list its nodes by name instead of one inside the other, as decompositions.json of openfisca-json-model does:
//
//	disposable_income:
//	  label: Disposable income
//	  children:
//	    - name: salary
//	    - {name: income_tax, negate: true}
//
// A child that has children of its own in the file is an inner node, and negate changes the sign of everything below. Other
// keys are not looked at. Every node that is nobody's child is the root of a tree.

// maxNodes bounds a tree: a node may be the child of many.
const maxNodes = 10_000

// byName is the nodes of such a file.
type byName struct {
	entries *legislation.Ordered[legislation.Data]
	above   []string
	nodes   int
}

// isByName tells a file that lists its nodes by name: its values are mappings. A node has its code or name there.
func isByName(d legislation.Data) bool {
	if d.Kind != legislation.Mapping || d.Map.Len() == 0 {
		return false
	}
	for _, v := range d.Map.All() {
		if v.Kind != legislation.Mapping {
			return false
		}
	}
	return true
}

// parseByName reads the trees of such a file: of its roots, and of one more name if it has it.
func parseByName(d legislation.Data, headline string) (trees map[string]*Node, standard string, err error) {
	children := map[string]bool{}
	for _, v := range d.Map.All() {
		list, _ := v.Get("children")
		for _, c := range list.List {
			children[childName(c)] = true
		}
	}
	trees = map[string]*Node{}
	for name, v := range d.Map.All() {
		list, _ := v.Get("children")
		if len(list.List) == 0 || children[name] && name != headline {
			continue
		}
		b := byName{entries: d.Map}
		if trees[name], err = b.node(name, false); err != nil {
			return nil, "", err
		}
		if standard == "" || name == headline {
			standard = name
		}
	}
	if standard == "" {
		return nil, "", fmt.Errorf("no node has children without being the child of another")
	}
	return trees, standard, nil
}

func childName(d legislation.Data) string {
	if text, ok := d.Text(); ok {
		return text
	}
	return textOf(d, "name")
}

func (b *byName) node(name string, minus bool) (*Node, error) {
	if b.nodes++; b.nodes > maxNodes {
		return nil, fmt.Errorf("%s: the tree has more than %d nodes", name, maxNodes)
	}
	if slices.Contains(b.above, name) {
		return nil, fmt.Errorf("%s is a part of itself", name)
	}
	if len(b.above) >= maxDepth {
		return nil, fmt.Errorf("%s: nested more than %d levels deep", name, maxDepth)
	}
	entry, _ := b.entries.Get(name)
	n := &Node{Code: name, Name: textOf(entry, "label"), ShortName: textOf(entry, "short_label"), Minus: minus}
	list, _ := entry.Get("children")
	b.above = append(b.above, name)
	for _, c := range list.List {
		code := childName(c)
		if code == "" {
			return nil, fmt.Errorf("line %d: a child of %s has no name", c.Line, name)
		}
		negate, _ := c.Get("negate")
		child, err := b.node(code, minus != (negate.Kind == legislation.Scalar && negate.Scalar.Bool(0)))
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	b.above = b.above[:len(b.above)-1]
	return n.complete()
}
