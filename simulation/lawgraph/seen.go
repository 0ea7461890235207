package lawgraph

import (
	"slices"
	"strings"
	"sync"

	"edict/simulation/legislation"
)

// maxSeen bounds what is kept of traced calculations.
const maxSeen = 50_000

// seen is what traced calculations have asked for. It is bounded, and lives as long as the graph.
type seen struct {
	mu   sync.Mutex
	uses map[seenUse]bool
	of   map[string][]use // by variable
	by   map[use][]string // variables
}

type seenUse struct {
	variable string
	use
}

func (s *seen) init() {
	s.uses, s.of, s.by = map[seenUse]bool{}, map[string][]use{}, map[use][]string{}
}

func (s *seen) add(u seenUse) {
	if s.uses[u] || len(s.uses) >= maxSeen {
		return
	}
	s.uses[u] = true
	s.of[u.variable] = append(s.of[u.variable], u.use)
	s.by[u.use] = append(s.by[u.use], u.variable)
}

func (s *seen) users(u use) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.by[u])
}

// Saw notes what the formula of a variable has asked for in a calculation that was traced: variables, and parameters or nodes
// of them that were indexed by row. Of a reform only what it does with the variables of the base is noted.
func (g *Graph) Saw(v *legislation.Variable, variables, parameters []string) {
	if v.IsInput() || g.base.Variable(v.ID) != v {
		return
	}
	g.seen.mu.Lock()
	defer g.seen.mu.Unlock()
	for _, name := range variables {
		g.seen.add(seenUse{v.Name, use{name: name}})
	}
	for _, path := range parameters {
		if !ofNode(path) {
			g.seen.add(seenUse{v.Name, use{path, true}})
		}
	}
}

// ofNode tells whether what a trace has among the parameters is no parameter but what a node says of itself: whatever is looked up on a
// node is traced, as by the original.
func ofNode(name string) bool {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "_name", "_instant_str", "_children":
		return true
	}
	return false
}

// withSeen completes what texts tell by what was seen.
func (g *Graph) withSeen(v *legislation.Variable, edges []Edge, parameters bool) []Edge {
	if g.base.Variable(v.ID) != v {
		return edges
	}
	g.seen.mu.Lock()
	defer g.seen.mu.Unlock()
	for _, u := range g.seen.of[v.Name] {
		if u.parameter == parameters {
			edges = add(edges, Edge{Name: u.name, Seen: true})
		}
	}
	return edges
}
