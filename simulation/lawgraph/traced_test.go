package lawgraph_test

import (
	"context"
	"sync"
	"testing"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/yamltest"
)

// TestTraced: whatever the formulas of the embedded legislation ask for while its tests run, their texts tell.
func TestTraced(t *testing.T) {
	ctx := context.Background()
	source, err := country.Open("../../countries/france")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(ctx, country.Options{}, source)
	if err != nil {
		t.Fatal(err)
	}
	files, err := yamltest.Discover([]string{"../../countries/france/tests"})
	if err != nil {
		t.Fatal(err)
	}
	var cases []yamltest.Case
	for _, f := range files {
		found, wrong := yamltest.Load(f)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		cases = append(cases, found...)
	}
	g := lawgraph.New(p, p.System)
	var mu sync.Mutex
	pairs := 0
	o := yamltest.Options{Traced: func(system *legislation.System, tracer *engine.Tracer) {
		tracer.Walk(func(n *engine.Trace, _ int) {
			v, err := system.Lookup(n.Variable)
			if err != nil {
				return
			}
			check := func(name string, parameter bool) {
				mu.Lock()
				defer mu.Unlock()
				pairs++
				if g.Account(system, v, n.Period.Start, name, parameter) != lawgraph.Told {
					t.Errorf("%s asks for %s, which its text does not tell", v.Name, name)
				}
			}
			for _, c := range n.Children {
				check(c.Variable, false)
			}
			for _, read := range n.Parameters {
				check(read.Name, true)
			}
		})
	}}
	if err := yamltest.NewSuite(p, p.System).Run(ctx, o.Select(cases), o, func(yamltest.Result) {}); err != nil {
		t.Fatal(err)
	}
	if pairs < 1000 {
		t.Errorf("only %d pairs were seen", pairs)
	}
}
