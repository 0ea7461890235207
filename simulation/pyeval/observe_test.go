package pyeval_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

const observedSource = `
import numpy

def helper(x):
    return x + 1

def amounts(x, y=2):
    if y > 1:
        z = ((x * 2 + 1) * 3 - x) / 2
    return helper(z) * (x > 1)

def around():
    n = 3
    def inside(x):
        return x * n
    return inside

inner = around()

def generator(x):
    yield x
`

// TestObserved: an observed function gives what the function gives, and tells what each of its expressions gave; no operator
// writes over what was told.
func TestObserved(t *testing.T) {
	p := newProgram(py.Root{FS: files("main.py", observedSource), Path: "/pkg"})
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	p.Freeze()
	tree, err := pysyntax.ParseText("main.py", observedSource)
	if err != nil {
		t.Fatal(err)
	}
	defs := map[string]*pysyntax.FunctionDef{}
	for _, s := range tree.Body {
		if def, ok := s.(*pysyntax.FunctionDef); ok {
			defs[def.Name] = def
		}
	}
	function := func(name string) *py.Function {
		v, _ := m.Get(name)
		f, ok := v.Object().(*py.Function)
		if !ok {
			t.Fatalf("%s is no function", name)
		}
		return f
	}
	th := p.NewThread(context.Background(), py.Limits{})
	var seen []string
	values := map[string]vector.Column{}
	f, err := th.Observed(function("amounts"), defs["amounts"], func(e pysyntax.Expr, v py.Value) {
		if c, ok := v.Column(); ok {
			seen = append(seen, pysyntax.Text(e))
			values[pysyntax.Text(e)] = c
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	x := py.Col(vector.Of([]float64{1, 2}))
	got, err := th.Try(func() py.Value { return th.Invoke(py.Obj(f), x) })
	if err != nil {
		t.Fatal(err)
	}
	want, _ := th.Try(func() py.Value { return th.Invoke(py.Obj(function("amounts")), x) })
	if th.Repr(got) != th.Repr(want) {
		t.Errorf("%s, unobserved %s", th.Repr(got), th.Repr(want))
	}
	for text, want := range map[string]string{
		"x * 2": "2.0 4.0", "x * 2 + 1": "3.0 5.0", "(x * 2 + 1) * 3": "9.0 15.0", "(x * 2 + 1) * 3 - x": "8.0 13.0", "((x * 2 + 1) * 3 - x) / 2": "4.0 6.5",
		"helper(z)": "5.0 7.5", "x > 1": "False True", "helper(z) * (x > 1)": "0.0 7.5", "y > 1": "True",
	} {
		var parts []string
		for i := range values[text].Len() {
			parts = append(parts, fmt.Sprint(values[text].Format(i)))
		}
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%s gave %s, want %s", text, got, want)
		}
	}
	if strings.Contains(strings.Join(seen, " "), "x + 1 ") {
		t.Error("what the function calls is observed")
	}
	def := defs["around"].Body[1].(*pysyntax.FunctionDef)
	for name, def := range map[string]*pysyntax.FunctionDef{"inner": def, "generator": defs["generator"]} {
		if _, err := th.Observed(function(name), def, func(pysyntax.Expr, py.Value) {}); err == nil {
			t.Errorf("%s is observed", name)
		}
	}
}
