// Package decomposition reads and computes trees of variables that add up to a total: how disposable income comes about.
//
//   - [Parse] reads trees from XML (nested NODE elements), YAML or JSON.
//   - [Library] is the trees of a country package, by name.
//   - [Node.Values] computes a tree in simulations: leaves are variables, an inner node is the sum of its children.
//
// A tree never changes and may be shared.
package decomposition

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/legislation"
)

// Node is a tree. The code of a leaf is a variable; the code of an inner node is only its name.
type Node struct {
	Code, Name, ShortName string
	Color                 []int // red, green, blue; nil if it has none
	Type                  int   // 0 if it has none
	Children              []*Node

	// Minus says that a leaf counts with the other sign.
	Minus bool
	// Hops lead from the rows of From, and the period that the tree is computed for, to a leaf; without any it is asked
	// for as an output, and all of its rows count.
	Hops []Hop
	From *legislation.Entity
	// End says why a variable that has a formula is a leaf all the same, "" if there is nothing to say.
	End string
}

// maxDepth bounds the nesting of a tree.
const maxDepth = 50

// Parse reads the trees of a file, whose name tells its form: one by the name "", or several by the names of their roots.
// Standard is the one that is used when none is named: that of the headline variable if the file has it.
func Parse(file string, text []byte, headline string) (trees map[string]*Node, standard string, err error) {
	var root *Node
	if strings.HasSuffix(file, ".xml") {
		root, err = parseXML(text)
	} else {
		var d legislation.Data
		if d, err = legislation.ParseYAML(file, text); err == nil && isByName(d) {
			trees, standard, err = parseByName(d, headline)
		} else if err == nil {
			root, err = yamlNode(d, 0)
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("decomposition %s: %w", file, err)
	}
	if root != nil {
		trees = map[string]*Node{"": root}
	}
	return trees, standard, nil
}

type xmlNode struct {
	XMLName   xml.Name
	Code      string    `xml:"code,attr"`
	Desc      string    `xml:"desc,attr"`
	ShortName string    `xml:"shortname,attr"`
	Color     string    `xml:"color,attr"`
	Type      string    `xml:"typevar,attr"`
	Children  []xmlNode `xml:",any"`
}

func parseXML(text []byte) (*Node, error) {
	var root xmlNode
	d := xml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	return root.node(0)
}

func (x *xmlNode) node(depth int) (*Node, error) {
	if x.XMLName.Local != "NODE" || x.Code == "" {
		return nil, fmt.Errorf("element %s: expected a NODE with a code", x.XMLName.Local)
	}
	n := &Node{Code: x.Code, Name: x.Desc, ShortName: x.ShortName}
	if x.Type != "" {
		t, err := strconv.Atoi(x.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: typevar %q is not a whole number", x.Code, x.Type)
		}
		n.Type = t
	}
	if x.Color != "" {
		for part := range strings.SplitSeq(x.Color, ",") {
			c, err := strconv.Atoi(strings.TrimSpace(part))
			if err != nil {
				return nil, fmt.Errorf("%s: color %q is not three numbers", x.Code, x.Color)
			}
			n.Color = append(n.Color, c)
		}
	}
	for i := range x.Children {
		if depth >= maxDepth {
			return nil, fmt.Errorf("%s: nested more than %d levels deep", x.Code, maxDepth)
		}
		child, err := x.Children[i].node(depth + 1)
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	return n.complete()
}

func yamlNode(d legislation.Data, depth int) (*Node, error) {
	if d.Kind != legislation.Mapping {
		return nil, fmt.Errorf("line %d: expected a node with a code, a label and children", d.Line)
	}
	n := &Node{Code: textOf(d, "code"), Name: textOf(d, "label"), ShortName: textOf(d, "short_label")}
	if n.Code == "" {
		return nil, fmt.Errorf("line %d: a node has no code", d.Line)
	}
	color, _ := d.Get("color")
	for _, c := range color.List {
		n.Color = append(n.Color, int(c.Scalar.Int(0)))
	}
	children, _ := d.Get("children")
	for _, c := range children.List {
		if depth >= maxDepth {
			return nil, fmt.Errorf("%s: nested more than %d levels deep", n.Code, maxDepth)
		}
		child, err := yamlNode(c, depth+1)
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	return n.complete()
}

// textOf is a member of a mapping that is a text, "" if it is none.
func textOf(d legislation.Data, key string) string {
	v, _ := d.Get(key)
	s, _ := v.Text()
	return s
}

// complete fills in names and checks colours.
func (n *Node) complete() (*Node, error) {
	if n.Name == "" {
		n.Name = n.Code
	}
	if n.ShortName == "" {
		n.ShortName = n.Name
	}
	if n.Color != nil && len(n.Color) != 3 {
		return nil, fmt.Errorf("%s: a color is three numbers, red, green and blue", n.Code)
	}
	return n, nil
}

// Leaves walks over the leaves in order.
func (n *Node) Leaves(visit func(*Node)) {
	if len(n.Children) == 0 {
		visit(n)
	}
	for _, c := range n.Children {
		c.Leaves(visit)
	}
}

// Check says which leaves are no variables of a system, or none that can be added up.
func (n *Node) Check(system *legislation.System) error {
	var wrong []error
	n.Leaves(func(leaf *Node) {
		v, err := system.Lookup(leaf.Code)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("leaf %s: %w", leaf.Code, err))
		case v.Type != legislation.Float && v.Type != legislation.Int && v.Type != legislation.Bool:
			wrong = append(wrong, fmt.Errorf("leaf %s: its values are not numbers", leaf.Code))
		}
	})
	return errors.Join(wrong...)
}

// Library is the decompositions of a package by name: the name of the file without its ending, or that of the root in a
// file with several.
type Library struct {
	trees    map[string]*Node
	standard string // name of the one that is used when none is named, "" if there is none
}

// endings are those of files that can be decompositions.
var endings = []string{".xml", ".yaml", ".yml", ".json"}

// Open reads the decompositions of a package: those in its directory decompositions, and the one that is used when none is
// named. That is the file standard, anywhere in the package; without one, decomposition.yaml (.yml, .json, .xml) of the
// package. Of a file with several trees it is the one of the headline variable.
func Open(files fs.FS, pkg, standard, headline string) (*Library, error) {
	l := &Library{trees: map[string]*Node{}}
	dir := pkg + "/decompositions"
	found, err := fs.ReadDir(files, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range found {
		if !e.IsDir() && slices.Contains(endings, path.Ext(e.Name())) {
			if _, err := l.read(files, path.Join(dir, e.Name()), headline); err != nil {
				return nil, err
			}
		}
	}
	standard = strings.TrimPrefix(standard, "/")
	for i := 0; standard == "" && i < len(endings); i++ {
		if _, err := fs.Stat(files, pkg+"/decomposition"+endings[i]); err == nil {
			standard = pkg + "/decomposition" + endings[i]
		}
	}
	if standard != "" {
		l.standard, err = l.read(files, standard, headline)
		return l, err
	}
	return l, nil
}

// read adds the trees of a file, and returns the name of the one that stands for it.
func (l *Library) read(files fs.FS, file, headline string) (standard string, err error) {
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return "", err
	}
	trees, standard, err := Parse(file, text, headline)
	if err != nil {
		return "", err
	}
	for name, tree := range trees {
		l.trees[cmp.Or(name, nameOf(file))] = tree
	}
	return cmp.Or(standard, nameOf(file)), nil
}

func nameOf(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// Names lists the decompositions.
func (l *Library) Names() []string {
	names := make([]string, 0, len(l.trees))
	for name := range l.trees {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Codes lists the codes of all nodes.
func (l *Library) Codes() []string {
	known := map[string]bool{}
	var add func(n *Node)
	add = func(n *Node) {
		known[n.Code] = true
		for _, c := range n.Children {
			add(c)
		}
	}
	for _, tree := range l.trees {
		add(tree)
	}
	return slices.Sorted(maps.Keys(known))
}

// Get finds a decomposition by name, the standard one for "".
func (l *Library) Get(name string) (*Node, bool) {
	if name == "" {
		name = l.standard
	}
	n, ok := l.trees[name]
	return n, ok
}
