// Command lawgraph holds what is read off the formulas of a country package to what they do: it runs the package's tests
// traced, and looks up everything that a formula asked for.
//
//	go -C bench run ./lawgraph -country ../../openfisca-france ../../openfisca-france/tests
//
// It prints what was read and how long that took, then of the pairs of a variable and what it asked for how many the texts of formulas
// tell, how many fall to formulas of which is said that they may ask for more, and how many are missed, which are listed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/yamltest"
)

func main() {
	where := flag.String("country", "", "directory of the country package, or its wheel")
	list := flag.Int("list", 40, "missed and dynamic ones to list")
	flag.Parse()
	if err := run(os.Stdout, *where, flag.Args(), *list); err != nil {
		fmt.Fprintln(os.Stderr, "lawgraph:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, where string, tests []string, list int) error {
	ctx := context.Background()
	source, err := country.Open(where)
	if err != nil {
		return err
	}
	pkg, err := country.Load(ctx, country.Options{NEP50: true}, source)
	if err != nil {
		return err
	}
	g, err := readAll(ctx, w, pkg, list)
	if err != nil {
		return err
	}
	files, err := yamltest.Discover(tests)
	if err != nil {
		return err
	}
	var cases []yamltest.Case
	for _, f := range files {
		found, _ := yamltest.Load(f)
		cases = append(cases, found...)
	}
	t := tally{graph: g, base: pkg.System, pairs: map[pair]lawgraph.Account{}}
	passed := 0
	o := yamltest.Options{Traced: t.trace}
	err = yamltest.NewSuite(pkg, pkg.System).Run(ctx, o.Select(cases), o, func(r yamltest.Result) {
		if r.Passed {
			passed++
		}
	})
	fmt.Fprintf(w, "%d of %d tests passed\n", passed, len(cases))
	t.print(w, list)
	return err
}

// readAll reads all formulas.
func readAll(ctx context.Context, w io.Writer, pkg *country.Package, list int) (*lawgraph.Graph, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	begin := time.Now()
	g := lawgraph.New(pkg, pkg.System)
	if err := g.Ready(ctx); err != nil {
		return nil, err
	}
	took := time.Since(begin)
	runtime.GC()
	runtime.ReadMemStats(&after)
	formulas, dynamic, variables, parameters, open := 0, 0, 0, 0, 0
	for _, v := range pkg.System.Variables() {
		for i := range v.Formulas {
			facts := g.Facts(pkg.System, &v.Formulas[i])
			formulas++
			variables, parameters = variables+len(facts.Variables), parameters+len(facts.Parameters)
			if open += len(facts.Dynamic); len(facts.Dynamic) > 0 {
				dynamic++
			}
			for _, d := range facts.Dynamic {
				if list--; list >= 0 {
					fmt.Fprintf(w, "dynamic: %s %s line %d: %s %s %v\n", v.Name, v.Formulas[i].Start, d.Line, d.Reason, d.Pattern, d.Through)
				}
			}
		}
	}
	fmt.Fprintf(w, "%d variables, %d formulas read in %v, %d KB kept: %d variables and %d parameters asked for, %d formulas with %d places that cannot be told\n",
		len(pkg.System.Variables()), formulas, took.Round(time.Millisecond), (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>10, variables, parameters, dynamic, open)
	return g, nil
}

// pair is something that a formula asked for.
type pair struct {
	variable, start, name string
	parameter             bool
}

// tally accounts for pairs.
type tally struct {
	graph *lawgraph.Graph
	base  *legislation.System

	mu    sync.Mutex
	pairs map[pair]lawgraph.Account
}

func (t *tally) trace(system *legislation.System, tracer *engine.Tracer) {
	tracer.Walk(func(n *engine.Trace, _ int) {
		v, err := system.Lookup(n.Variable)
		if err != nil {
			return
		}
		for _, child := range n.Children {
			t.count(system, v, n, child.Variable, false)
		}
		for _, p := range n.Parameters {
			t.count(system, v, n, p.Name, true)
		}
	})
}

func (t *tally) count(system *legislation.System, v *legislation.Variable, n *engine.Trace, name string, parameter bool) {
	start := ""
	if f := v.FormulaAt(n.Period.Start); f != nil {
		start = f.Start.String()
	}
	p := pair{v.Name, start, name, parameter}
	t.mu.Lock()
	_, known := t.pairs[p]
	t.mu.Unlock()
	if known {
		return
	}
	account := t.graph.Account(system, v, n.Period.Start, name, parameter)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pairs[p] = account
}

func (t *tally) print(w io.Writer, list int) {
	for _, parameter := range []bool{false, true} {
		counts := map[lawgraph.Account]int{}
		total := 0
		for p, a := range t.pairs {
			if p.parameter == parameter {
				counts[a]++
				total++
			}
		}
		what := "variables"
		if parameter {
			what = "parameters"
		}
		fmt.Fprintf(w, "%s: %d pairs seen, %d told by the text (%.2f %%), %d warned of (%.2f %%), %d missed (%.2f %%), %d without a formula, %d names of nodes\n", what, total,
			counts[lawgraph.Told], share(counts[lawgraph.Told], total), counts[lawgraph.Warned], share(counts[lawgraph.Warned], total), counts[lawgraph.Missed], share(counts[lawgraph.Missed], total), counts[lawgraph.NoFormula], counts[lawgraph.OfNode])
	}
	byName := func(a, b pair) int { return compare(a.variable+" "+a.name, b.variable+" "+b.name) }
	for _, p := range slices.SortedFunc(maps.Keys(t.pairs), byName) {
		if a := t.pairs[p]; a != lawgraph.Told && a != lawgraph.OfNode {
			if list--; list >= 0 {
				fmt.Fprintf(w, "%s: %s %s asks for %s\n", [...]string{"missed", "told", "warned", "no formula", "of a node"}[a], p.variable, p.start, p.name)
			}
		}
	}
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
