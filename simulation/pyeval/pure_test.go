package pyeval_test

import (
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	py "edict/simulation/pyeval"
)

// TestPure walks the tables of the built-in modules, and of the classes in them. What a host remembers of a run is what
// its effects tell: so a function that does not declare itself pure has one, and the list of those is here.
func TestPure(t *testing.T) {
	p := newProgram()
	th := p.NewThread(t.Context(), py.Limits{})
	w := tableWalk{seen: map[*py.Class]bool{}, impure: map[string]py.Value{}}
	for _, name := range slices.Sorted(maps.Keys(p.Tables())) {
		for key, v := range p.Tables()[name]() {
			w.value(name+"."+key, v)
		}
	}
	if got, want := slices.Sorted(maps.Keys(w.impure)), []string{"builtins.id", "builtins.print"}; !slices.Equal(got, want) {
		t.Errorf("functions that do not declare themselves pure: %q, want %q", got, want)
	}
	if w.pure < 400 {
		t.Errorf("only %d functions were found in the tables", w.pure)
	}
	for name, f := range w.impure {
		before := th.Effects()
		if _, err := th.Call(f, py.String("")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if th.Effects() == before {
			t.Errorf("%s has no effect: a host would remember a run that calls it", name)
		}
	}
}

// tableWalk finds what is in tables.
type tableWalk struct {
	seen   map[*py.Class]bool
	pure   int
	impure map[string]py.Value // functions and classes
}

func (w *tableWalk) value(name string, v py.Value) {
	switch o := py.Unwrapped(v).Object().(type) {
	case interface{ Pure() bool }:
		w.found(name, v, o.Pure())
	case *py.Module:
		for _, key := range o.Names() {
			v, _ := o.Get(key)
			w.value(name+"."+key, v)
		}
	case *py.Class:
		w.class(name, o)
	}
}

func (w *tableWalk) class(name string, c *py.Class) {
	if w.seen[c] {
		return
	}
	w.seen[c] = true
	if c.New != nil {
		w.found(name, py.Obj(c), c.Pure)
	}
	for _, key := range c.Names() {
		v, _ := c.Own(key)
		w.value(name+"."+key, v)
	}
}

func (w *tableWalk) found(name string, v py.Value, pure bool) {
	if pure {
		w.pure++
	} else {
		w.impure[name] = v
	}
}

// TestImpure: functions and classes of a host have effects unless they declare themselves pure, however they are called.
func TestImpure(t *testing.T) {
	one := func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Int(1) }
	class := func(pure bool) py.Value {
		c := py.NewClass("C", py.Table{"get": py.Func("get", one), "got": py.Pure("got", one)})
		c.New = func(_ *py.Thread, c *py.Class, _ []py.Value, _ []py.Kw) py.Value { return py.Obj(py.NewInstance(c)) }
		if pure {
			c.Pure = true
		}
		return py.Obj(c)
	}
	host := py.Table{"draw": py.Func("draw", one), "same": py.Pure("same", one), "Drawn": class(false), "Same": class(true)}
	for source, effects := range map[string]int{
		"host.draw()": 1, "host.same()": 0, "[f() for f in (host.draw, host.same)]": 1, "list(map(lambda f: f(), [host.draw] * 3))": 3,
		"host.Drawn()": 1, "host.Same()": 0, "host.Same().get()": 1, "host.Same().got()": 0, "host.Same.get(host.Same())": 1,
		"type('D', (host.Drawn,), {})()": 1, "getattr(host, 'draw')()": 1,
	} {
		p := newProgram(py.Root{FS: fstest.MapFS{"main.py": {Data: []byte("import host\ndef f(): return " + source + "\n")}}, Path: "/test"})
		p.AddModule("host", host)
		m, err := p.Import(t.Context(), "main")
		if err != nil {
			t.Fatal(err)
		}
		th := p.NewThread(t.Context(), py.Limits{})
		if _, err := th.Call(global1(t, m, "f")); err != nil || th.Effects() != effects {
			t.Errorf("%s: %d effects, %v, want %d", source, th.Effects(), err, effects)
		}
	}
}
