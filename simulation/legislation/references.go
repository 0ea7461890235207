package legislation

import (
	"encoding/json"
	"strconv"
	"strings"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// References names what recorded programs refer to of some systems, the base first: enumerations of their variables, scales, and paths of
// parameters that were followed with columns. It implements [vector.References].
type References struct {
	systems []*System
	enums   map[*Enum]string // by the variable that has one
	domains map[*vector.Domain]string
}

// NewReferences makes references to what is in systems.
func NewReferences(systems ...*System) *References { return &References{systems: systems} }

// look finds the enumerations of the systems, for those who name them.
func (r *References) look() {
	if r.enums != nil {
		return
	}
	r.enums, r.domains = map[*Enum]string{}, map[*vector.Domain]string{}
	for i, s := range r.systems {
		for _, v := range s.Variables() {
			if _, known := r.enums[v.Enum]; v.Enum == nil || known {
				continue
			}
			name := strconv.Itoa(i) + "/" + v.Name
			r.enums[v.Enum], r.domains[v.Enum.Domain] = name, name
		}
	}
}

// EnumName names an enumeration.
func (r *References) EnumName(e *Enum) (string, bool) {
	r.look()
	name, ok := r.enums[e]
	return name, ok
}

// Enum gives the enumeration of a name, nil if there is none.
func (r *References) Enum(name string) *Enum {
	place, variable, _ := strings.Cut(name, "/")
	s := r.system(place)
	if s == nil {
		return nil
	}
	if v, err := s.Lookup(variable); err == nil {
		return v.Enum
	}
	return nil
}

func (r *References) system(place string) *System {
	i, err := strconv.Atoi(place)
	if err != nil || i < 0 || i >= len(r.systems) {
		return nil
	}
	return r.systems[i]
}

// What names begin with.
const (
	domainName = "domain "
	enumName   = "enum "
	scaleName  = "scale "
	pathName   = "path "
)

// Name implements [vector.References].
func (r *References) Name(x any) (string, bool) {
	switch x := x.(type) {
	case *vector.Domain:
		r.look()
		name, ok := r.domains[x]
		return domainName + name, ok
	case *Enum:
		name, ok := r.EnumName(x)
		return enumName + name, ok
	case scaleKey:
		text, err := json.Marshal(writtenScale{x.what, x.kind, []byte(x.brackets), x.right, x.rounded, x.decimals})
		return scaleName + string(text), err == nil
	case pathKey:
		return r.namePath(x)
	}
	return "", false
}

// writtenScale is a scaleKey.
type writtenScale struct {
	What           string
	Kind           ScaleKind
	Brackets       []byte
	Right, Rounded bool
	Decimals       int
}

// writtenPath is a pathKey.
type writtenPath struct {
	System string
	Node   string
	Since  period.Instant
	Steps  string
}

func (r *References) namePath(k pathKey) (string, bool) {
	if k.node == nil || k.nodes != nil {
		return "", false
	}
	for i, s := range r.systems {
		if s.Parameters().nodeOf(k.node.Name) == k.node {
			text, err := json.Marshal(writtenPath{strconv.Itoa(i), k.node.Name, k.since, k.steps})
			return pathName + string(text), err == nil
		}
	}
	return "", false
}

// nodeOf gives the node of a full name, nil if there is none.
func (t *Tree) nodeOf(name string) *ParameterNode {
	node := t.Root
	if name == "" {
		return node
	}
	for step := range strings.SplitSeq(name, ".") {
		child, _ := node.Children.Get(step)
		next, ok := child.(*ParameterNode)
		if !ok {
			return nil
		}
		node = next
	}
	return node
}

// Find implements [vector.References].
func (r *References) Find(name string) (any, bool) {
	if name, ok := strings.CutPrefix(name, domainName); ok {
		if e := r.Enum(name); e != nil {
			return e.Domain, true
		}
	}
	return nil, false
}

// Operation implements [vector.References].
func (r *References) Operation(name string) (key any, do func(*vector.Rules, []vector.Column) (vector.Column, error), ok bool) {
	if rest, is := strings.CutPrefix(name, enumName); is {
		e := r.Enum(rest)
		return e, e.encoding, e != nil
	}
	if rest, is := strings.CutPrefix(name, scaleName); is {
		var w writtenScale
		if json.Unmarshal([]byte(rest), &w) != nil {
			return nil, nil, false
		}
		k := scaleKey{w.What, w.Kind, string(w.Brackets), w.Right, w.Rounded, w.Decimals}
		law, ok := scaleOf(w.Kind, w.Brackets)
		return k, k.operation(law), ok
	}
	rest, is := strings.CutPrefix(name, pathName)
	var w writtenPath
	if !is || json.Unmarshal([]byte(rest), &w) != nil {
		return nil, nil, false
	}
	return r.path(w)
}

// path gives the operation of a path that has a name.
func (r *References) path(w writtenPath) (key any, do func(*vector.Rules, []vector.Column) (vector.Column, error), ok bool) {
	s := r.system(w.System)
	if s == nil {
		return nil, nil, false
	}
	node := s.Parameters().nodeOf(w.Node)
	day := w.Since
	if day == (period.Instant{}) {
		day = period.Instant{Year: 1, Month: 1, Day: 1}
	}
	view, err := s.Parameters().On(day)
	if node == nil || err != nil {
		return nil, nil, false
	}
	p := &keyPath{start: view.node(node)}
	for step := range strings.SplitSeq(w.Steps, stepMark) {
		p.steps = append(p.steps, pathStep{name: strings.TrimPrefix(step, "."), keys: step == ""})
	}
	return p.key(), p.column, p.key() == pathKey{node: node, since: w.Since, steps: w.Steps}
}
