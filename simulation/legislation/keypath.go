package legislation

import (
	"slices"
	"strings"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// keyPath is the way from a node to what was found with keys that are taped: nodes for the rows, which depend on the keys,
// and nothing of them can be seen but by going on, or at last a column. That is recorded as one step, from the keys to the column.
type keyPath struct {
	start indexer
	rules *vector.Rules
	keys  []vector.Column
	steps []pathStep
}

// pathStep leads to the children of a name, or to those that the next keys say.
type pathStep struct {
	name string
	keys bool
}

// indexer is a node, or one for every row.
type indexer interface {
	Index(keys vector.Column, rules *vector.Rules) (Indexed, error)
}

// pathKey tells paths apart but for their keys. They start from a node on a day, in whichever tree it is and on whichever of the days between two
// changes below it, or else from nodes for the rows.
type pathKey struct {
	node  *ParameterNode
	since period.Instant // all below the node is as it is on the day
	nodes *VectorNode
	steps string // each "." and a name, or "" for keys
}

// stepMark is between the steps of a pathKey.
const stepMark = "\x00"

// by goes on with keys.
func (p *keyPath) by(keys vector.Column) (Indexed, error) {
	return (&keyPath{p.start, p.rules, append(slices.Clip(p.keys), keys), append(slices.Clip(p.steps), pathStep{keys: true})}).find()
}

// to goes on to the children of that name.
func (p *keyPath) to(name string) (Indexed, error) {
	return (&keyPath{p.start, p.rules, p.keys, append(slices.Clip(p.steps), pathStep{name: name})}).find()
}

// find gives what is at the end of the path.
func (p *keyPath) find() (Indexed, error) {
	plain := make([]vector.Column, len(p.keys))
	for i, keys := range p.keys {
		keys.Len() // there are as many nodes
		plain[i] = keys.Plain()
	}
	found, err := p.follow(plain, p.rules)
	if err != nil {
		for _, keys := range p.keys {
			keys.Looked()
		}
		return found, err
	}
	if found.Node != nil {
		node := *found.Node
		node.path = p
		return Indexed{Node: &node}, nil
	}
	way := &keyPath{start: p.start, steps: p.steps} // the keys hold their tape, and that what was on it
	c, err := vector.Record(p.key(), way.column, p.rules, p.keys...)
	return Indexed{Column: c}, err
}

// column gives the column at the end of the path.
func (p *keyPath) column(r *vector.Rules, keys []vector.Column) (vector.Column, error) {
	found, err := p.follow(keys, r)
	if err == nil && found.Node != nil {
		err = valueError("the children are nodes")
	}
	return found.Column, err
}

func (p *keyPath) key() pathKey {
	steps := make([]string, len(p.steps))
	for i, s := range p.steps {
		if !s.keys {
			steps[i] = "." + s.name
		}
	}
	k := pathKey{steps: strings.Join(steps, stepMark)}
	switch start := p.start.(type) {
	case *NodeAt:
		k.node, k.since = start.node, start.Span().From
	case *VectorNode:
		k.nodes = start
	}
	return k
}

// follow goes along the path with keys that are not taped.
func (p *keyPath) follow(keys []vector.Column, rules *vector.Rules) (found Indexed, err error) {
	at := p.start
	for _, s := range p.steps {
		switch {
		case at == nil:
			return found, valueError("there is no part of the path to continue from")
		case s.keys:
			found, err = at.Index(keys[0], rules)
			keys = keys[1:]
		default:
			found, err = at.(*VectorNode).Field(s.name)
		}
		if err != nil {
			return found, err
		}
		at = nil
		if found.Node != nil {
			at = found.Node
		}
	}
	return found, nil
}
