package simapi

import (
	"net/http"

	"edict/simulation/legislation"
)

func (a *API) graph(l *law, w http.ResponseWriter, r *http.Request) error {
	q, system, v, err := l.variableQuery(r)
	if err == nil {
		err = q.check()
	}
	if err != nil {
		return err
	}
	g := graph{law: l, system: system, texts: l.texts(r, system), seen: map[string]bool{}, edges: list{}, nodes: list{}}
	g.visit(v)
	return a.writeTexts(l, w, r, envelope(r, q.context, q.params, object{{"edges", g.edges}, {"nodes", g.nodes}}))
}

// graph is a walk from a variable down to inputs: nodes in the order of the first visit, inputs in alphabetical order,
// edges from a dependency to what depends on it, each once.
type graph struct {
	law          *law
	system       *legislation.System
	texts        legislation.Texts
	seen         map[string]bool
	edges, nodes list
}

func (g *graph) visit(v *legislation.Variable) {
	g.seen[v.Name] = true
	g.nodes = append(g.nodes, object{{"id", v.Name}, {"label", v.Name}, {"title", labelOf(g.texts, v)}, {"group", v.Entity.Plural}})
	for _, name := range g.law.inputsOf(g.system, v) {
		input, err := g.system.Lookup(name)
		if err != nil {
			continue
		}
		if !g.seen[name] {
			g.visit(input)
		}
		g.edges = append(g.edges, object{{"from", name}, {"to", v.Name}})
	}
}
