package simapi

import (
	"net/http"
	"strconv"

	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
)

const (
	graphDepth = 20
	graphNodes = 1000
	graphEdges = 10_000
)

func (a *API) lawGraph(l *law, w http.ResponseWriter, r *http.Request) error {
	q, system, err := l.lawQuery(r)
	if err != nil {
		return err
	}
	values := r.URL.Query()
	name, direction := values.Get("variable"), values.Get("direction")
	if direction == "" {
		direction = "inputs"
	}
	q.params = append(object{{"variable", name}, {"direction", direction}}, q.params...)
	if name == "" {
		q.wrong.add("variable", "Missing value: name the variable to begin with")
	}
	if direction != "inputs" && direction != "consumers" {
		q.wrong.add("direction", "Unknown direction "+strconv.Quote(direction)+": it must be inputs or consumers")
	}
	depth := q.number(r, "depth", 1, 1, graphDepth)
	q.params.add("depth", depth)
	if err := q.check(); err != nil {
		return err
	}
	v, err := system.Lookup(name)
	if err != nil {
		return unknownName(err)
	}
	if err := l.graph.Ready(r.Context()); err != nil {
		return err
	}
	walk := graphWalk{law: l, system: system, texts: l.texts(r, system), consumers: direction == "consumers", at: map[string]int{}, nodes: list{}, edges: list{}}
	walk.from(v, depth)
	return a.writeTexts(l, w, r, envelope(r, nil, q.params, object{{"nodes", walk.nodes}, {"edges", walk.edges}, {"truncated", walk.truncated}}))
}

// graphWalk goes from a variable to its inputs or consumers, level by level: nodes in the order in which they were come upon, edges
// from what is asked for to what asks.
type graphWalk struct {
	law       *law
	system    *legislation.System
	texts     legislation.Texts
	consumers bool

	at           map[string]int // of a node
	nodes, edges list
	truncated    bool
}

func (g *graphWalk) next(v *legislation.Variable) []lawgraph.Edge {
	if g.consumers {
		return g.law.graph.Consumers(g.system, v.Name)
	}
	return g.law.graph.Inputs(g.system, v)
}

func (g *graphWalk) from(v *legislation.Variable, depth int) {
	g.add(v, 0)
	level := []*legislation.Variable{v}
	for distance := 1; distance <= depth; distance++ {
		var reached []*legislation.Variable
		for _, v := range level {
			reached = append(reached, g.open(v, distance)...)
		}
		level = reached
	}
	// Those at the end may have further ones.
	for _, v := range level {
		if len(g.next(v)) > 0 {
			g.more(v)
		}
	}
}

func (g *graphWalk) add(v *legislation.Variable, distance int) {
	g.at[v.Name] = len(g.nodes)
	o := append(briefly(g.texts, v), member{"distance", distance})
	if !g.consumers && len(g.law.graph.Dynamic(g.system, v)) > 0 {
		o.add("dynamic", true)
	}
	g.nodes = append(g.nodes, o)
}

func (g *graphWalk) more(v *legislation.Variable) {
	o := g.nodes[g.at[v.Name]].(object)
	o.set("more", true)
	g.nodes[g.at[v.Name]] = o
}

// open adds what one node leads to, and returns those that are new.
func (g *graphWalk) open(v *legislation.Variable, distance int) []*legislation.Variable {
	var reached []*legislation.Variable
	for _, e := range g.next(v) {
		other, err := g.system.Lookup(e.Name)
		if err != nil {
			continue
		}
		_, known := g.at[e.Name]
		if len(g.edges) >= graphEdges || !known && len(g.nodes) >= graphNodes {
			g.truncated = true
			g.more(v)
			continue
		}
		if !known {
			g.add(other, distance)
			reached = append(reached, other)
		}
		from, to := e.Name, v.Name
		if g.consumers {
			from, to = v.Name, e.Name
		}
		g.edges = append(g.edges, object{{"from", from}, {"to", to}, {"static", e.Static}, {"seen", e.Seen}})
	}
	return reached
}
