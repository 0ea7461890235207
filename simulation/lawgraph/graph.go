package lawgraph

import (
	"context"
	"slices"
	"strings"
	"sync"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
)

// Package is what a graph needs of a country package.
type Package interface {
	// ReadFile reads a file by the name that a legislation.Source gives it.
	ReadFile(file string) ([]byte, error)
	// Function is the Python function that a formula is, nil if it is none.
	Function(f legislation.Formula) *py.Function
	// Module is a module that was loaded, nil if there is none of that name.
	Module(name string) *py.Module
}

// Graph tells what the formulas of a legislation, and of those derived from it, ask for. Formulas are read when they are
// first asked about; [Graph.Ready] reads them all, which [Graph.Consumers] and [Graph.Readers] need. It is safe for concurrent use.
type Graph struct {
	Sources *Sources

	pkg      Package
	base     *legislation.System
	projects map[string]bool

	mu      sync.Mutex
	facts   map[*py.Function]*Facts // of formulas of the base
	derived map[*py.Function]*Facts // of those of reforms; emptied when it is full

	build     sync.Once
	built     chan struct{}
	consumers map[string][]*legislation.Variable // by variable; as the two that follow once built is closed
	readers   map[string][]*legislation.Variable // by path of a parameter, or of a node
	own       map[*py.Function]bool

	seen seen
}

// New makes the graph of a legislation that a package was loaded as.
func New(pkg Package, base *legislation.System) *Graph {
	g := &Graph{
		Sources: NewSources(pkg.ReadFile), pkg: pkg, base: base, projects: map[string]bool{"first_person": true},
		facts: map[*py.Function]*Facts{}, derived: map[*py.Function]*Facts{}, own: map[*py.Function]bool{},
		built: make(chan struct{}), consumers: map[string][]*legislation.Variable{}, readers: map[string][]*legislation.Variable{},
	}
	g.seen.init()
	for _, e := range base.Entities() {
		g.projects[e.Key], g.projects[e.Plural] = true, true
		for _, role := range e.Flattened {
			g.projects[role.Key] = true
		}
		for _, role := range e.Roles {
			g.projects[role.Key] = true
		}
	}
	for _, v := range base.Variables() {
		for i := range v.Formulas {
			if fn := pkg.Function(v.Formulas[i].Written()); fn != nil {
				g.own[fn] = true
			}
		}
	}
	return g
}

// maxDerived bounds the formulas of reforms whose facts are kept.
const maxDerived = 4096

// notPython are the facts about a formula that has no text.
var notPython = &Facts{Dynamic: []Dynamic{{Reason: "the formula is not written in Python"}}}

// Facts are what the text of a formula asks for. The system is one that has the formula. The caller must not change them.
func (g *Graph) Facts(system *legislation.System, f *legislation.DatedFormula) *Facts {
	fn := g.pkg.Function(f.Written())
	if fn == nil {
		return notPython
	}
	g.mu.Lock()
	facts := g.facts[fn]
	if facts == nil {
		facts = g.derived[fn]
	}
	g.mu.Unlock()
	if facts != nil {
		return facts
	}
	// Two that read the same formula at once come to the same.
	facts = g.read(system, fn)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.own[fn] {
		g.facts[fn] = facts
		return facts
	}
	if len(g.derived) >= maxDerived {
		clear(g.derived)
	}
	g.derived[fn] = facts
	return facts
}

func (g *Graph) read(system *legislation.System, fn *py.Function) *Facts {
	facts := &Facts{}
	r := reader{sources: g.Sources, pkg: g.pkg, system: system, projects: g.projects, facts: facts, uses: map[use]int{}, left: maxSteps}
	r.read(fn)
	byName := func(a, b Use) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(facts.Variables, byName)
	slices.SortFunc(facts.Parameters, byName)
	return facts
}

// Ready reads all formulas of the base, once and whoever asks; it returns when that is done, or with the error of the context.
func (g *Graph) Ready(ctx context.Context) error {
	g.build.Do(func() { go g.index() })
	select {
	case <-g.built:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// index turns the facts around.
func (g *Graph) index() {
	defer close(g.built)
	for _, v := range g.base.Variables() {
		for _, e := range g.asked(g.base, v, false) {
			g.consumers[e.Name] = append(g.consumers[e.Name], v)
		}
		for _, e := range g.asked(g.base, v, true) {
			g.readers[e.Name] = append(g.readers[e.Name], v)
		}
	}
}

// Edge joins a variable with a variable, or with a parameter.
type Edge struct {
	Name   string
	Node   bool // by a node of parameters, of which any of those below may be read
	Static bool // the text of a formula tells
	Seen   bool // a traced calculation has done it
}

// Inputs are the variables that the formulas of a variable ask for, by name.
func (g *Graph) Inputs(system *legislation.System, v *legislation.Variable) []Edge {
	return g.withSeen(v, g.asked(system, v, false), false)
}

// Parameters are the parameters that the formulas of a variable read, by path.
func (g *Graph) Parameters(system *legislation.System, v *legislation.Variable) []Edge {
	return g.withSeen(v, g.asked(system, v, true), true)
}

// asked is what the texts of the formulas of a variable ask for, and the system has.
func (g *Graph) asked(system *legislation.System, v *legislation.Variable, parameters bool) []Edge {
	if v.Neutralized {
		return nil
	}
	var out []Edge
	for i := range v.Formulas {
		f := &v.Formulas[i]
		facts := g.Facts(system, f)
		uses := facts.Variables
		if parameters {
			uses = facts.Parameters
		} else if _, err := system.Lookup(v.Name); err == nil && !f.AsWritten() {
			out = add(out, Edge{Name: v.Name, Static: true}) // one that was made annual asks for January
		}
		for _, u := range uses {
			if parameters || has(system, u.Name) {
				out = add(out, Edge{Name: u.Name, Node: u.Node, Static: true})
			}
		}
	}
	return out
}

func has(system *legislation.System, name string) bool {
	_, err := system.Lookup(name)
	return err == nil
}

// add puts an edge into a list by name.
func add(edges []Edge, e Edge) []Edge {
	i, known := slices.BinarySearchFunc(edges, e, func(a, b Edge) int { return strings.Compare(a.Name, b.Name) })
	if !known {
		return slices.Insert(edges, i, e)
	}
	old := &edges[i]
	old.Node, old.Static, old.Seen = old.Node || e.Node, old.Static || e.Static, old.Seen || e.Seen
	return edges
}

// Dynamic is what cannot be told from the texts of a variable's formulas.
func (g *Graph) Dynamic(system *legislation.System, v *legislation.Variable) []Dynamic {
	var out []Dynamic
	for i := range v.Formulas {
		out = append(out, g.Facts(system, &v.Formulas[i]).Dynamic...)
	}
	return out
}

// Consumers are the variables whose formulas ask for a variable, by name. Ready has returned.
func (g *Graph) Consumers(system *legislation.System, name string) []Edge {
	return g.users(system, use{name: name})
}

// Readers are the variables whose formulas read a parameter, or a node that it is below, by name. Ready has returned.
func (g *Graph) Readers(system *legislation.System, path string) []Edge {
	out := g.users(system, use{path, true})
	for above, _ := cutLast(path); above != ""; above, _ = cutLast(above) {
		for _, e := range g.users(system, use{above, true}) {
			e.Node = true
			out = add(out, e)
		}
	}
	return out
}

func (g *Graph) users(system *legislation.System, u use) []Edge {
	known := g.consumers
	if u.parameter {
		known = g.readers
	}
	var out []Edge
	for _, v := range known[u.name] {
		if now, err := system.Lookup(v.Name); err == nil && now == v {
			out = add(out, Edge{Name: v.Name, Static: true})
		}
	}
	for _, v := range g.changed(system) {
		for _, e := range g.asked(system, v, u.parameter) {
			if e.Name == u.name {
				out = add(out, Edge{Name: v.Name, Static: true})
			}
		}
	}
	for _, name := range g.seen.users(u) {
		// What was seen of the base is true of what a system shares with it.
		if v, err := system.Lookup(name); err == nil && g.base.Variable(v.ID) == v {
			out = add(out, Edge{Name: name, Seen: true})
		}
	}
	return out
}

// changed are the variables that a derived system does not share with the base.
func (g *Graph) changed(system *legislation.System) []*legislation.Variable {
	if system == g.base {
		return nil
	}
	var out []*legislation.Variable
	for _, v := range system.Variables() {
		if g.base.Variable(v.ID) != v {
			out = append(out, v)
		}
	}
	return out
}

// Account is how a graph accounts for what a formula was seen to ask for.
type Account uint8

// The accounts.
const (
	Missed    Account = iota // it does not
	Told                     // the text tells
	Warned                   // the text does not tell, and it is said that it may ask for more
	NoFormula                // none is in force on that day
	OfNode                   // it is no parameter but what a node says of itself, such as its name
)

// Account holds the facts about the formula in force on a day to what it was seen to ask for: a variable, or a parameter or a node of
// them that was indexed by row.
func (g *Graph) Account(system *legislation.System, v *legislation.Variable, day period.Instant, name string, parameter bool) Account {
	f := v.FormulaAt(day)
	if f == nil {
		return NoFormula
	}
	if name == v.Name && !parameter && !f.AsWritten() {
		return Told
	}
	if parameter && ofNode(name) {
		return OfNode
	}
	facts := g.Facts(system, f)
	uses := facts.Variables
	if parameter {
		uses = facts.Parameters
	}
	for _, u := range uses {
		// Traces know a parameter by the name of its node, which packages may give as they like.
		if u.Name == name || parameter && strings.HasSuffix(u.Name, "."+name) || u.Node && strings.HasPrefix(name+".", u.Name+".") || u.Node && u.Name == "" {
			return Told
		}
	}
	if len(facts.Dynamic) > 0 {
		return Warned
	}
	return Missed
}
