package simapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"edict/platform/web"
	"edict/simulation/engine"
	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/search"
)

// later is something that is made once, by a goroutine of its own, when it is first asked for.
type later[T any] struct {
	once  sync.Once
	done  chan struct{}
	value T
}

// get waits until the value is made, or for the end of the context.
func (l *later[T]) get(ctx context.Context, build func() T) (T, error) {
	l.once.Do(func() {
		l.done = make(chan struct{})
		go func() {
			defer close(l.done)
			l.value = build()
		}()
	})
	select {
	case <-l.done:
		return l.value, nil
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// index is the words of a system: the one that is served, or one with reforms.
func (l *law) index(ctx context.Context, system *legislation.System) (*search.Index, error) {
	words := &l.words
	if system != l.system {
		words = l.reformed.of(system)
	}
	return words.get(ctx, func() *search.Index { return search.New(system) })
}

// reformedWords keeps the words of the systems with reforms that were searched last.
type reformedWords struct {
	mu    sync.Mutex
	known []systemWords // the latest first, at most mostReformed
}

type systemWords struct {
	system *legislation.System
	words  *later[*search.Index]
}

const mostReformed = 4

func (k *reformedWords) of(system *legislation.System) *later[*search.Index] {
	k.mu.Lock()
	defer k.mu.Unlock()
	at := slices.IndexFunc(k.known, func(s systemWords) bool { return s.system == system })
	one := systemWords{system, &later[*search.Index]{}}
	if at >= 0 {
		one = k.known[at]
		k.known = slices.Delete(k.known, at, at+1)
	}
	k.known = slices.Insert(k.known, 0, one)
	k.known = k.known[:min(len(k.known), mostReformed)]
	return one.words
}

// v2Law are the routes that describe the legislation.
func (a *API) v2Law() []web.Route {
	get := func(path, id, summary, description string, h handler, params []web.Param, answer web.Schema, example object) web.Route {
		return inLanguage(web.Route{
			Method: http.MethodGet, Path: path, Policy: a.policy(), Handle: a.with(h),
			Doc: web.Doc{ID: id, Summary: summary, Description: description, Params: params, Answers: []web.Answer{{Status: 200, Type: answer, Example: example}}},
		})
	}
	return []web.Route{
		get("/api/2/search", "search2", "Find variables and parameters", "Searches ids, labels, documentation and values in every language of the law, ignoring accents, case and typing errors. Returns the best matches first, each with reasons, in pages of twenty; next is the cursor. Without q, lists all by id.", a.search, []web.Param{
			{Name: "q", Description: "Search words.", Example: "decotte"}, {Name: "kind", Type: web.OneOf("variable", "parameter"), Description: "variable or parameter. Default both.", Example: "variable"},
			{Name: "entity", Description: "Key or plural of an entity: only its variables."}, {Name: "cursor", Description: "next of the previous page."},
			withReform[0],
		}, searchSchema, exampleSearch),
		get("/api/2/catalogue", "catalogue2", "List variables and parameters", "Returns all variables and the parameter tree in compact form: lists in the order of fields, with numbers for entities, types and periods. It changes only with the law and the language; use If-None-Match.", a.catalogue, nil, catalogueSchema, exampleCatalogue),
		get("/api/2/variable/{name}", "variable2", "Describe a variable", "Returns a variable with its formulas, their inputs and parameters, and its consumers. Edges marked static are in a formula's text. Edges marked seen were requested by a traced calculation. The list dynamic has requests that depend on values.", a.variablePage, append([]web.Param{{Name: "name", In: "path", Description: "Name of a variable.", Example: "irpp"}}, withReform...), variablePageSchema, exampleVariablePage),
		get("/api/2/parameter/{path}", "parameter2", "Describe a parameter", "Returns a parameter's values by date, a scale's brackets or a node's children, and the variables that read it.", a.parameterPage, append([]web.Param{{Name: "path", In: "path", Description: "Dotted path of a parameter, scale or node, or of a scale's value: scale.brackets[0].rate.", Example: "impot_revenu.decote.taux"}}, withReform...), parameterPageSchema, exampleParameterPage),
		get("/api/2/graph", "graph2", "Read the dependency graph", "Returns the inputs or consumers of a variable to a depth, up to 1000 nodes. more marks nodes with further edges.", a.lawGraph, append([]web.Param{
			{Name: "variable", Description: "Name of a variable.", Required: true, Example: "irpp"}, {Name: "direction", Type: web.OneOf("inputs", "consumers"), Description: "inputs (the default) or consumers."}, {Name: "depth", Type: web.Between(1, 20), Description: "Depth, 1 (default) to 20."},
		}, withReform...), lawGraphSchema, exampleLawGraph),
	}
}

var withReform = []web.Param{{Name: "reform", Type: severally, Description: "A reform to apply; repeatable."}}

// lawQuery reads the reforms and the name of a variable or parameter.
func (l *law) lawQuery(r *http.Request) (*query, *legislation.System, error) {
	q, system, err := l.systemQuery(r)
	if err != nil {
		return nil, nil, err
	}
	q.params = nil
	if len(q.reforms) > 0 {
		q.params = object{{"reforms", q.reforms}}
	}
	return q, system, q.check()
}

// unknownName is the 404 for a variable that is not there.
func unknownName(err error) error {
	e, ok := errors.AsType[*legislation.VariableNotFound](err)
	if !ok {
		return err
	}
	tree := object{{"variable", unknownVariable(err)}}
	if near := e.Nearest(); near != "" {
		tree.add("nearest", near)
	}
	return &refusal{status: http.StatusNotFound, message: unknownVariable(err), tree: tree}
}

// briefly is what lists say about a variable.
func briefly(t legislation.Texts, v *legislation.Variable) object {
	return object{{"id", v.Name}, {"label", orNull(t.Label(v))}, {"entity", v.Entity.Key}, {"type", types[v.Type]}, {"period", v.Period.String()}, {"formula", !v.IsInput()}}
}

// variableEdges are variables with how it is known that they belong there.
func variableEdges(t legislation.Texts, system *legislation.System, edges []lawgraph.Edge) list {
	out := list{}
	for _, e := range edges {
		v, err := system.Lookup(e.Name)
		if err != nil {
			continue
		}
		o := append(briefly(t, v), member{"static", e.Static}, member{"seen", e.Seen})
		if e.Node {
			o.add("node", true)
		}
		out = append(out, o)
	}
	return out
}

// parameterKind is what a part of the parameters is called.
func parameterKind(item legislation.ParameterItem) string {
	switch item.(type) {
	case *legislation.ParameterNode:
		return "Node"
	case *legislation.ParameterScale:
		return "Scale"
	}
	return "Parameter"
}

// saw tells the graph what a traced calculation has asked for.
func (l *law) saw(system *legislation.System, tracer *engine.Tracer) {
	left := sawNodes
	tracer.Walk(func(n *engine.Trace, _ int) {
		if left--; left < 0 || len(n.Children)+len(n.Parameters)+len(n.Scales) == 0 {
			return
		}
		v, err := system.Lookup(n.Variable)
		if err != nil {
			return
		}
		var variables, parameters []string
		for _, c := range n.Children {
			variables = append(variables, c.Variable)
		}
		for _, p := range n.Parameters {
			// A node may have a name that does not lead to it.
			if _, ok := system.Parameters().Root.Find(strings.Split(p.Name, ".")...); ok {
				parameters = append(parameters, p.Name)
			}
		}
		for _, scale := range n.Scales {
			parameters = append(parameters, scale.Name)
		}
		l.graph.Saw(v, variables, parameters)
	})
}

// sawNodes bounds the calculations of one trace that are looked at.
const sawNodes = 20_000

// number reads a query parameter that is a whole number within bounds.
func (q *query) number(r *http.Request, name string, otherwise, least, most int) int {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		q.wrong.add(name, "Expected a whole number from "+strconv.Itoa(least)+" to "+strconv.Itoa(most)+", got "+strconv.Quote(text))
	}
	return n
}
